"""A game without rules that keeps the engine's contract: every number is a function of seed, game and round. Makes
tests of runs fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.config.model import Config, RunSection
from numbluff_sim.contract.registry import GameEntry
from numbluff_sim.run.schema import Column

ROUNDS, EVENTS = 5, ("rare", "common", "usual")


class FakeConfig(Config):
    game: Literal["fake"] = "fake"  # type: ignore[assignment]
    bonus: int = 0

    @property
    def players(self) -> int:
        return 2

    @property
    def rounds(self) -> int:
        return ROUNDS


@dataclass(frozen=True)
class FakeField:
    name: str
    shape: tuple[int, ...]


FIELDS = (FakeField("games", ()), FakeField("events", (len(EVENTS),)), FakeField("round_events", (ROUNDS, len(EVENTS))))
COLUMNS = {
    "games": (
        Column("game", "int64", "index", "game index", ordered_key=True),
        Column("points", "int32", "points", "sum over rounds"),
    ),
    "rounds": (
        Column("game", "int64", "index", "game index", ordered_key=True),
        Column("round", "int16", "round", "number of the round"),
        Column("event", "int8", "event", "how it ended", categories=EVENTS),
        Column("points", "int16", "points", "points", sentinel=-1),
    ),
}


def draws(seed: int, first_game: int, games: int) -> NDArray[np.uint64]:
    """One 64-bit number a round: (games, ROUNDS)."""
    counter = np.arange(first_game * ROUNDS, (first_game + games) * ROUNDS, dtype=np.uint64) + np.uint64(
        seed * 0x9E3779B97F4A7C15 % 2**64
    )
    mixed = (counter ^ (counter >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return ((mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)).reshape(games, ROUNDS) >> np.uint64(32)


class FakeEngine:
    def __init__(self, config: Config) -> None:
        self.config = config

    def new_tally(self) -> dict[str, NDArray[np.int64]]:
        return {field.name: np.zeros(field.shape, np.int64) for field in FIELDS}

    def play(
        self, first_game: int, games: int, tally: dict[str, NDArray[np.int64]], rows: str = "none"
    ) -> dict[str, dict[str, Any]]:
        number = draws(self.config.run.seed, first_game, games)
        events = np.searchsorted([3, 300], number % np.uint64(1000), side="right").astype(np.int8)
        points = (number % np.uint64(50)).astype(np.int16)
        tally["games"] += games
        by_round = np.stack([(events == event).sum(axis=0) for event in range(len(EVENTS))], axis=1)
        tally["round_events"] += by_round
        tally["events"] += by_round.sum(axis=0)
        index = np.arange(first_game, first_game + games)
        tables = {
            "games": {"game": index, "points": points.sum(axis=1, dtype=np.int32)},
            "rounds": {
                "game": np.repeat(index, ROUNDS),
                "round": np.tile(np.arange(ROUNDS), games),
                "event": events.reshape(-1),
                "points": points.reshape(-1),
            },
        }
        return {name: tables[name] for name in {"none": (), "games": ("games",), "rounds": ("games", "rounds")}[rows]}


class FakeEntry(GameEntry):
    """The registry's way to the fake game, which is no package."""

    def module(self, name: str) -> ModuleType:
        modules = {
            "config": SimpleNamespace(SCHEMA=FakeConfig),
            "engine": SimpleNamespace(Engine=FakeEngine),
            "tally": SimpleNamespace(TALLY_FIELDS=FIELDS, shape=lambda field, players, rounds: field.shape),
            "columns": SimpleNamespace(registry=lambda config: COLUMNS),
        }
        return cast("ModuleType", modules[name])

    @property
    def sources(self) -> dict[str, tuple[str, ...]]:
        return {}


FAKE = FakeEntry("fake", "FAKE", 1, range(2, 3))


def fake_config(**run: Any) -> FakeConfig:
    return FakeConfig(run=RunSection(**{"games": 5000, "threads": 1, **run}))
