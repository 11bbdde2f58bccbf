"""Games as they are handed out: pieces, played in short calls that a stop can wait for; and sums of what was played."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from numbluff_sim.config import Config
from numbluff_sim.contract.game import Columns, Engine, Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.run.rows import PartFiles, PartWriter

#: Columns by table.
Rows: TypeAlias = "Mapping[str, Columns]"
#: First game, number of games.
Span = tuple[int, int]
#: Takes the sums of a piece's spans and gives what is wanted of them. Runs where the games are played.
WorkOut = Callable[[Config, list[Tally]], Any]

LANES = 64
#: Seconds that a call into the engine should last: what a stop waits for.
CALL_SECONDS = 0.2
FIRST_CALL = 16 * LANES
#: Rows of the finest kind in one call that returns rows: keeps the trace behind them small (10 MB for NUM BLUFF).
TRACE_ROWS = 2**16
#: Rows in a part file; games in one at most, and in a span without rows.
PART_ROWS = 2**18
SPAN_GAMES = 2**18
#: Engines that are kept for the pieces to come.
MOST_ENGINES = 16


@dataclass(frozen=True)
class Piece:
    """Games of one configuration that are played in one place: each of `spans` gets a sum of its own.

    `rows`: the tables that are made; they are written by `parts`, or come back where there is none. `work_out` gives
    what comes back in the place of the sums. `key`: what its source knows it by. All of it can be pickled.
    """

    config: Config
    spans: tuple[Span, ...]
    rows: str = "none"
    parts: PartFiles | None = None
    work_out: WorkOut | None = None
    key: Any = None

    @property
    def games(self) -> int:
        """All its games."""
        return sum(games for _, games in self.spans)


@dataclass(frozen=True)
class Outcome:
    """What comes of a piece: the sum of every span, or what its `work_out` made of them; and the rows asked for."""

    tallies: list[Tally] = field(default_factory=list)
    value: Any = None
    rows: Rows = field(default_factory=dict)


def zeros(config: Config) -> Tally:
    """A tally of no games."""
    return {name: np.zeros(shape, np.int64) for name, shape in game(config.game).tally_shapes(config).items()}


def copied(tally: Tally) -> Tally:
    """A tally of its own with the same numbers."""
    return {name: values.copy() for name, values in tally.items()}


def add(total: Tally, more: Tally) -> None:
    """total += more, field by field."""
    for name, values in more.items():
        total[name] += values


def subtract(total: Tally, less: Tally) -> None:
    """total -= less, field by field: tallies are plain sums."""
    for name, values in less.items():
        total[name] -= values


def aligned(games: int) -> int:
    """So many games in whole blocks of lanes, at least one."""
    return max(games // LANES, 1) * LANES


def call_games(config: Config, rows: str) -> int:
    """The most games of one call into the engine."""
    call = -(-config.run.batch // LANES) * LANES
    return call if rows == "none" else min(call, aligned(TRACE_ROWS // game(config.game).grains[-1].most(config)))


def span_games(config: Config, rows: str) -> int:
    """The games of a span: exactly these (the last one what is left) where rows are written, for a span is a part file
    and must follow from the configuration alone; else the most.
    """
    if rows == "none":
        return SPAN_GAMES
    return min(
        aligned(PART_ROWS // next(g for g in game(config.game).grains if g.name == rows).most(config)), SPAN_GAMES
    )


class Pace:
    """How many games a call may have to last about CALL_SECONDS, always a multiple of 64."""

    def __init__(self) -> None:
        self.games = FIRST_CALL

    @contextmanager
    def timed(self, games: int) -> Iterator[None]:
        """Learn from a call that plays so many games."""
        start = time.perf_counter()
        yield
        seconds = max(time.perf_counter() - start, 1e-9)
        fitting = int(games * CALL_SECONDS / seconds) // LANES * LANES
        self.games = max(LANES, min(fitting, 8 * self.games))


class Engines:
    """The engines of the configurations in play, for all threads of a process: each is made once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engines: dict[int, tuple[Config, Engine]] = {}

    def of(self, config: Config) -> Engine:
        """The engine of a configuration."""
        with self._lock:
            known = self._engines.get(id(config))
            if known is None:
                if len(self._engines) >= MOST_ENGINES:
                    self._engines.pop(next(iter(self._engines)))
                known = self._engines[id(config)] = config, game(config.game).engine(config)
            return known[1]


class Player:
    """Plays pieces in one thread: knows its pace, and keeps the memory of the rows it writes."""

    def __init__(self, engines: Engines, stopped: Callable[[], bool]) -> None:
        self.pace, self._engines, self._stopped = Pace(), engines, stopped
        self._writer: PartWriter | None = None

    def play(self, piece: Piece) -> Outcome | None:
        """What comes of a piece; None when it was stopped meanwhile."""
        engine, writer = self._engines.of(piece.config), self._writer_of(piece)
        tallies, made = [], list[Rows]()
        for span in piece.spans:
            tally = engine.new_tally()
            for first, games in self._calls(span, call_games(piece.config, piece.rows)):
                if self._stopped():
                    return None
                with self.pace.timed(games):
                    rows = engine.play(first, games, tally, piece.rows)
                if writer is not None:
                    writer.add(rows)
                elif rows:
                    made.append(rows)
            if writer is not None:
                writer.close(*span)
            tallies.append(tally)
        if piece.work_out is not None:
            return Outcome(value=piece.work_out(piece.config, tallies))
        return Outcome(tallies, rows=_joined(made))

    def _calls(self, span: Span, most: int) -> Iterator[Span]:
        """The calls of a span, each as long as the pace is then."""
        first, games = span
        after = first + games
        while first < after:
            count = min(self.pace.games, most, after - first)
            yield first, count
            first += count

    def _writer_of(self, piece: Piece) -> PartWriter | None:
        if piece.parts is None:
            return None
        if self._writer is None or self._writer.parts != piece.parts:
            self._writer = PartWriter(piece.parts)
        return self._writer


def _joined(pieces: list[Rows]) -> Rows:
    """The rows of several calls as one."""
    if len(pieces) < 2:
        return pieces[0] if pieces else {}
    return {
        table: {name: np.concatenate([piece[table][name] for piece in pieces]) for name in columns}
        for table, columns in pieces[0].items()
    }
