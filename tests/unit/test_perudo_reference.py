"""The reference engine of Perudo against every case of the case file, and rules the file has no case for."""
from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.reference.perudo.cases import resolve_case

FILE = json.loads((ROOT / "tests/cases/perudo_cases.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in FILE["cases"]}


@pytest.mark.parametrize("name", CASES)
def test_case__reference(name: str) -> None:
    case: dict[str, Any] = CASES[name]
    found = resolve_case(case)
    assert {key: found[key] for key in case["out"]} == case["out"]
