"""Every game keeps its part of the contract; the checks are those that anybody's game can be held to."""

from __future__ import annotations

from typing import Any

import pytest

from numbluff_sim.config import Config, load
from numbluff_sim.contract.game import SeatResult
from numbluff_sim.contract.registry import game, names
from numbluff_sim.contract.rules import RuleBook
from numbluff_sim.run.spans import call_games, span_games
from numbluff_sim.testing import CHECKS, conformance

#: Checks that play a few games; they run once more without compiling, for the coverage of the kernels.
PLAYING = {
    "metrics_known_are_those_measured",
    "metrics_lie_in_their_intervals",
    "tallies_have_their_shapes",
    "tallies_add_up_whatever_the_pieces",
    "rows_are_those_of_the_registry",
    "transcripts_are_the_games_of_the_rows",
}
every_game = pytest.mark.parametrize("name", names())


@every_game
@pytest.mark.parametrize(
    "check", [pytest.param(check, marks=[pytest.mark.kernels] if check in PLAYING else []) for check in CHECKS]
)
def test_conformance(name: str, check: str) -> None:
    conformance(game(name), [check])


def broken(**changed: Any) -> Any:
    """Perudo but for what is changed."""
    usual: Any = type(game("perudo"))
    return type("Broken", (usual,), changed)()


@pytest.mark.parametrize(
    ("check", "changed", "said"),
    [
        (
            "rules_are_those_of_the_configuration",
            {"rules": RuleBook(())},
            "rulings of rules.toml and",
        ),
        (
            "seats_share_the_win",
            {"seat_results": lambda self, config: [SeatResult({f"win_{p}": 0.5}) for p in range(config.players)]},
            "win shares that sum to 1, not to 0.5",
        ),
        (
            "metrics_known_are_those_measured",
            {"events": {"bid_true": "bid_treu_per_round"}},
            "events that are no metrics: {'bid_treu_per_round'}",
        ),
        ("rows_are_those_of_the_registry", {"grains": game("perudo").grains[:1]}, "tables of the registry of columns"),
    ],
)
def test_conformance__tells_what_is_wrong(check: str, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(AssertionError, match=f"perudo, check {check}: ") as caught:
        conformance(broken(**changed), [check])
    assert said in str(caught.value)


@every_game
def test_spans__parts_hold_whole_blocks(name: str) -> None:
    config: Config = load(overrides={"game": name})
    for grain in game(name).grains:
        sizes = (span_games(config, grain.name), call_games(config, grain.name))
        assert all(size > 0 and size % 64 == 0 for size in sizes)
