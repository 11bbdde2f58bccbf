"""A game without rules that keeps the engine's contract: every number is a function of seed, game and round. Makes
tests of runs fast.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.config.model import Config, RunSection
from numbluff_sim.contract.fields import Column, Grain, TallyField, TallyRegistry
from numbluff_sim.contract.game import Game, Played
from numbluff_sim.contract.rules import RuleBook

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


TALLY = TallyRegistry(
    (
        TallyField("games", (), "game", "games played"),
        TallyField("events", ("event",), "game", "rounds by event"),
        TallyField("round_events", ("round", "event"), "game", "rounds of this number by event"),
    ),
    (),
    sizes={"event": len(EVENTS)},
)
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
        return {name: np.zeros(shape, np.int64) for name, shape in TALLY.shapes(2, ROUNDS).items()}

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


class FakeGame(Game[FakeConfig]):
    """What a run needs of a game; nothing here is measured, told or shown."""

    name = "fake"
    title = "FAKE"
    rules_version = 1
    players = range(2, 3)
    package = "tests"
    grains = (Grain("games", "game", lambda config: 1), Grain("rounds", "round", lambda config: ROUNDS))
    sources: ClassVar[dict[str, tuple[str, ...]]] = {}
    schema = FakeConfig
    rules = RuleBook(())
    tally = TALLY
    events: ClassVar[dict[str, str]] = {}

    def columns(self, config: FakeConfig) -> dict[str, tuple[Column, ...]]:
        return COLUMNS

    def engine(self, config: FakeConfig) -> Any:
        return FakeEngine(config)

    def played(self, tally: Any) -> Played:
        return Played(int(tally["round_events"].sum()), "rounds")

    def _unasked(self, *_: object) -> Any:
        raise NotImplementedError

    seat_results = report_page = transcripts = transcript_text = _unasked
    metrics = words = ways = changes = calculator = property(_unasked)


FAKE = FakeGame()


def fake_config(**run: Any) -> FakeConfig:
    return FakeConfig(run=RunSection(**{"games": 5000, "threads": 1, **run}))
