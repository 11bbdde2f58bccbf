"""The reference engine against the shared cases: rounds with their outcomes, written down independently of any engine."""
from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.reference.cases import resolve_case

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "cases" / "num_bluff_rounds.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_resolve_case__shared_case(case: dict[str, Any]) -> None:
    assert resolve_case(case) == case["expect"]


def test_cases__all_events_occur() -> None:
    events = Counter(case["expect"]["event"] for case in CASES)
    assert len(CASES) == 320
    assert set(events) == {"miroir_parfait", "frappe_parfaite", "coup_precis", "coup_precis_multiple", "epargne", "coup_de_maitre",
                           "coup_de_maitre_bonus"}
