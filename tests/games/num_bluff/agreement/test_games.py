"""The fast engine and the reference engine play the same games, and count them alike."""

from __future__ import annotations

import sys

import pytest

from tests.games.num_bluff.agreement.comparing import Comparison, over_random_setups
from tests.games.num_bluff.reference.setup import REMOVABLE

#: What a full comparison must have met.
BRANCHES = (
    "recycled piles",
    "options taken",
    "options offered to a dry pile",
    "refills",
    "empty hands",
    "nothing hidden",
    "fusions",
    "disproved announcements",
    "several Miroirs",
    "nobody closest",
    "last ties",
    "games cut short, empty_deck = end_game",
    "games cut short, empty_deck = recycle",
    "lie: total",
    "lie: family",
    "lie: none",
    "games without some card",
    "exact, and settled by rules 4 to 6",
    *(f"games without: {rule}" for rule in REMOVABLE),
)


def show(comparison: Comparison, capsys: pytest.CaptureFixture[str]) -> None:
    """Writes what was compared past pytest's capture."""
    with capsys.disabled():
        sys.stdout.write(f"\n{comparison.report()}\n")


@pytest.mark.kernels
def test_engines__agree_on_random_configurations(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = Comparison()
    over_random_setups(16, lambda setup, first: comparison.compare(setup, first, 25))
    show(comparison, capsys)
    assert comparison.seen["games"] >= 360
    assert {
        name: comparison.seen[name]
        for name in ("recycled piles", "fusions", "empty hands")
        if not comparison.seen[name]
    } == {}


@pytest.mark.agreement
def test_engines__agree_on_twenty_thousand_games(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = Comparison()
    over_random_setups(250, lambda setup, first: comparison.compare(setup, first, 100))
    show(comparison, capsys)
    seen = comparison.seen
    assert (seen["configurations"] >= 200, seen["games"] >= 20_000) == (True, True)
    kinds = [
        f"configurations: {players} players, {width} totals" for players in range(3, 7) for width in ("narrow", "wide")
    ]
    assert [name for name in (*BRANCHES, *kinds) if not seen[name]] == []
