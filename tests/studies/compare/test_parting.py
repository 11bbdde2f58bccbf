"""When the games of a pair part ways."""

from __future__ import annotations

import numpy as np
import pytest

from numbluff_sim.analysis.studies.compare.result import Parting
from numbluff_sim.config import load
from numbluff_sim.studies.compare.study import compare
from numbluff_sim.studies.compare.variants import variant


def rows(outcomes: list[list[int]], first_game: int = 7) -> dict[str, np.ndarray]:
    games = [first_game + g for g, rounds in enumerate(outcomes) for _ in rounds]
    return {
        "game": np.array(games),
        "round": np.array([r for rounds in outcomes for r in range(len(rounds))]),
        "event": np.array([event for rounds in outcomes for event in rounds]),
    }


def test_parting__first_different_outcome_counts() -> None:
    base, other = [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]], [[1, 2, 3], [9, 2, 3], [1, 2, 9], [1, 9, 9]]
    parting = Parting.of(rows(base), rows(other), 4, 3)
    assert parting == Parting(4, (1, 1, 1))
    assert parting.share.value == 0.75
    assert parting.median == 2


def test_parting__a_game_that_ends_early_parts_there() -> None:
    assert Parting.of(rows([[1, 2, 3]]), rows([[1, 2]]), 1, 3) == Parting(1, (0, 0, 1))


@pytest.mark.kernels
def test_parting__of_real_games_that_part_in_a_known_round() -> None:
    """Games of one round a seat whose deck lasts for three rounds, and for two where an empty hand drew a card:
    recycled or cut short.
    """
    deck = [{"name": name, "kind": "classic", "values": [0, 3]} for name in ("rouge", "vert", "bleu", "jaune")]
    overrides = {
        "table.players": 4,
        "table.hand_size": 1,
        "table.turns_as_bluffer": 1,
        "deck.families": deck,
        "run.games": 640,
    }
    base = load(overrides=overrides)
    assert len(deck) * 4 == 4 + 3 * 4  # hands and three rounds: the fourth needs a new pile
    [found] = compare(
        base, "base", [variant(base, load(overrides={**overrides, "rules.empty_deck": "end_game"}))]
    ).variants
    assert found.parting is not None
    assert found.parting.rounds[:2] == (0, 0)
    assert found.parting.rounds[3] > 600
    assert sum(found.parting.rounds) == 640
