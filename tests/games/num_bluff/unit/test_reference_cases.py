"""The reference engine against the shared cases: rounds with their outcomes, written down independently of any
engine.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.games.num_bluff.reference.cases import resolve_case

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "cases" / "num_bluff_rounds.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_resolve_case__shared_case(case: dict[str, Any]) -> None:
    assert resolve_case(case) == case["expect"]


def test_reference__imports_nothing_of_the_product() -> None:
    allowed = sys.stdlib_module_names | {"tests", "hypothesis"}
    ours = "tests.games.num_bluff.reference", "tests.common.randomness"
    shared = Path(__file__).parents[3] / "common" / "randomness.py"
    files = [*(Path(__file__).parents[1] / "reference").glob("*.py"), shared]
    assert len(files) > 5
    for file in files:
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        modules += [node.module or "a relative name" for node in nodes if isinstance(node, ast.ImportFrom)]
        assert modules or file.name == "__init__.py"
        for module in modules:
            assert module.partition(".")[0] in allowed, f"{file.name} imports {module}"
            assert not module.startswith("tests") or module.startswith(ours), f"{file.name} imports {module}"


def test_cases__all_events_occur() -> None:
    events = Counter(case["expect"]["event"] for case in CASES)
    assert len(CASES) == 320
    assert set(events) == {
        "miroir_parfait",
        "frappe_parfaite",
        "coup_precis",
        "coup_precis_multiple",
        "epargne",
        "coup_de_maitre",
        "coup_de_maitre_bonus",
    }
