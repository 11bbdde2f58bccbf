"""High card, played with NumPy. Points and wins are counted in twelfths, so that 2, 3 or 4 players can share one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.contract.fields import BASIC_FIELDS, Column, TallyRegistry
from numbluff_sim.contract.game import SeatResult, Tally
from numbluff_sim.kernels.common.streams import COUNTERS, GAMMA, SEED_OFFSET, mix
from toy_game.config import ToyConfig

WHOLE = 12
TALLY = TallyRegistry(
    BASIC_FIELDS,
    (("rounds", "rounds played"), ("ties", "rounds with several highest cards (H3)")),
    (("score", "points, in 1/12"), ("win", "share of the win, in 1/12")),
)
INDEX = Column("game", "int64", "index", "game index", ordered_key=True)


def seat_results(config: ToyConfig) -> list[SeatResult]:
    """What each seat gets out of a game."""
    return [SeatResult({f"win_{p}": 1 / WHOLE}, {f"score_{p}": 1 / WHOLE}) for p in range(config.players)]


def columns(config: ToyConfig) -> dict[str, tuple[Column, ...]]:
    """Columns of the rows of games and of rounds."""
    seats = range(config.players)
    number = Column("round", "int16", "round", "number of the round, from 0")
    cards = (Column(f"card_{p}", "int8", "value", f"card that seat {p} kept") for p in seats)
    points = (Column(f"points_{p}", "int16", "1/12 point", f"points of seat {p}") for p in seats)
    scores = (Column(f"score_{p}", "int16", "1/12 point", f"final score of seat {p}") for p in seats)
    return {"games": (INDEX, *scores), "rounds": (INDEX, number, *cards, *points)}


def settle(cards: NDArray[Any], ties: str) -> NDArray[np.int64]:
    """The points of the last axis's cards (H3)."""
    top = cards == cards.max(axis=-1, keepdims=True)
    if ties == "first":
        top &= top.cumsum(axis=-1) == 1
    count = top.sum(axis=-1, keepdims=True)
    return np.where(top & ((count == 1) | (ties == "split")), WHOLE // count, 0)


class Engine:
    """Plays games of one configuration."""

    def __init__(self, config: ToyConfig) -> None:
        self.config = config

    def cards(self, first: int, games: int) -> NDArray[np.int64]:
        """The cards kept: (games, rounds, players). Each is a function of seed, game and counter alone (H1, H2)."""
        config, mixed = self.config, getattr(mix, "py_func", mix)
        game = np.arange(first, first + games, dtype=np.uint64)[:, None, None, None]
        counter = np.arange(config.rounds * config.players * 2, dtype=np.uint64)
        state = game * COUNTERS + counter.reshape(config.rounds, config.players, 2)
        with np.errstate(over="ignore"):
            bits = mixed(mixed(np.uint64(config.run.seed) + SEED_OFFSET) + state * GAMMA) >> np.uint64(32)
        drawn = 1 + (bits * np.uint64(config.table.highest) >> np.uint64(32)).astype(np.int64)
        below = np.array([persona.redraw_below for persona in config.seat_personas])
        return np.where(drawn[..., 0] < below, drawn[..., 1], drawn[..., 0])

    def new_tally(self) -> Tally:
        """Zeros."""
        shapes = TALLY.shapes(self.config.players, self.config.rounds)
        return {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}

    def play(self, first_game: int, games: int, into: Tally, rows: str = "none", /) -> dict[str, dict[str, Any]]:
        """Adds games to the tally; returns their rows."""
        config, index = self.config, np.arange(first_game, first_game + games)
        cards = self.cards(first_game, games)
        points, rounds = settle(cards, config.rules.ties), np.full(games, config.rounds)
        ties = ((cards == cards.max(axis=2, keepdims=True)).sum(axis=2) > 1).sum(axis=1)
        score = points.sum(axis=1)
        best = score == score.max(axis=1, keepdims=True)
        found = np.column_stack([rounds, ties, score, best * (WHOLE // best.sum(axis=1, keepdims=True))])
        detail = found[index // 64 % config.run.detail_every == 0]
        into["games"] += games
        into["moments"] += np.stack([(found * factor).sum(axis=0) for factor in (1, found, rounds[:, None])])
        into["detail_games"] += len(detail)
        into["cross"] += detail.T @ detail
        into["cross_sums"] += detail.sum(axis=0)
        by_round = np.concatenate([cards, points], axis=2).reshape(games * config.rounds, -1)
        numbers = np.tile(np.arange(config.rounds), games)
        parts = {"games": (index, *score.T), "rounds": (index.repeat(config.rounds), numbers, *by_round.T)}
        return {
            table: {c.name: values.astype(c.dtype) for c, values in zip(listed, parts[table], strict=True)}
            for table, listed in columns(config).items()
            if rows in ("rounds", table)
        }
