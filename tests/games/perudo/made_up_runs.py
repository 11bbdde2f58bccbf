"""Runs of Perudo played by the reference engine, with their tally: input for tests of metrics and pages, and no
kernel behind it.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from numbluff_sim.config import load
from numbluff_sim.contract.registry import game
from tests.games.perudo.agreement.tallies import Counting
from tests.games.perudo.reference.game import GameRecord, play
from tests.games.perudo.reference.setup import Setup


@cache
def played(
    preset: str = "documented", players: int = 4, games: int = 200, **overrides: Any
) -> tuple[Any, tuple[GameRecord, ...]]:
    """A configuration and its first games, as the reference engine plays them. In names of overrides __ stands for a
    dot.
    """
    keys = {key.replace("__", "."): value for key, value in overrides.items()}
    config = load(
        preset=preset,
        overrides={"game": "perudo", "table.players": players, "run.games": games, "run.detail_every": 1, **keys},
    )
    table = Setup.from_resolved(config.resolved())
    return config, tuple(play(table, number) for number in range(games))


def reference_run(preset: str = "documented", players: int = 4, games: int = 200, **overrides: Any) -> SimpleNamespace:
    """Those games as a run (config, tally, meta); all of them are detail games."""
    config, records = played(preset, players, games, **overrides)
    zeros = {name: np.zeros(shape, np.int64) for name, shape in game("perudo").tally_shapes(config).items()}
    counting = Counting(Setup.from_resolved(config.resolved()), zeros)
    for record in records:
        counting.add(record)
    return SimpleNamespace(config=config, tally=counting.tally, meta={})
