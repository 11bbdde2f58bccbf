"""Playing many games on several threads: who plays which, and the sum of what was played, in order of the games."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from numbluff_sim.contract.game import Engine, Tally

LANES = 64
#: Seconds a call into the engine should last: what a Ctrl-C waits for.
CALL_SECONDS = 0.2
FIRST_CALL = 16 * LANES
#: Spans that may be finished while an earlier one is still being played.
MOST_WAITING = 64

Columns = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """How a run is cut up.

    A span is what one thread plays and hands in: `unit` games (the last one what is left), or any multiple of 64 up to
    that when `free`. One call into the engine plays at most `call` games.
    """

    games: int
    threads: int
    unit: int
    call: int
    rows: str = "none"
    free: bool = True


@dataclass
class Ledger:
    """Spans handed out in order and their tallies summed in order: at any time `tally` is that of exactly the games
    before `done`.
    """

    plan: Plan
    done: int
    tally: Tally
    next: int = field(init=False)
    stop: bool = False
    error: BaseException | None = None

    def __post_init__(self) -> None:
        self.next = self.done
        self._waiting: dict[int, tuple[int, Tally]] = {}
        self._changed = threading.Condition()

    @property
    def complete(self) -> bool:
        """Whether every game is in the tally."""
        return self.done == self.plan.games

    def take(self, wanted: int) -> tuple[int, int] | None:
        """First game and number of games to play next, or None when there is no more to do. Blocks while one span
        lags far behind.
        """
        with self._changed:
            while len(self._waiting) >= MOST_WAITING and not self.stop:
                self._changed.wait(0.1)
            if self.stop or self.next == self.plan.games:
                return None
            first, size = self.next, min(wanted, self.plan.unit) if self.plan.free else self.plan.unit
            self.next = min(first + size, self.plan.games)
            return first, self.next - first

    def give(self, first: int, games: int, tally: Tally) -> None:
        """Hand in the tally of a span."""
        with self._changed:
            self._waiting[first] = games, tally
            while self.done in self._waiting:
                games, tally = self._waiting.pop(self.done)
                add(self.tally, tally)
                self.done += games
            self._changed.notify_all()

    def halt(self, error: BaseException | None = None) -> None:
        """Let every worker end after its running call."""
        with self._changed:
            self.stop = True
            self.error = self.error or error
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Sleep until something was handed in, at most so long."""
        with self._changed:
            if not (self.complete or self.stop):
                self._changed.wait(seconds)

    def snapshot(self) -> tuple[int, Tally]:
        """The number of games summed so far and a copy of their tally."""
        with self._changed:
            return self.done, {name: values.copy() for name, values in self.tally.items()}


def add(total: Tally, more: Tally) -> None:
    """total += more, field by field."""
    for name, values in more.items():
        total[name] += values


def subtract(total: Tally, less: Tally) -> None:
    """total -= less, field by field: tallies are plain sums."""
    for name, values in less.items():
        total[name] -= values


class Sink(Protocol):
    """Takes the rows of spans; every thread has one of its own."""

    def add(self, rows: dict[str, Columns]) -> None:
        """The rows of the next call of a span, by table and column."""

    def close(self, first_game: int, games: int) -> None:
        """The span is complete: these were its games."""


def play_span(engine: Engine, ledger: Ledger, first: int, games: int, pace: Pace, sink: Sink | None) -> Tally | None:
    """Play a span in short calls; None when the run was stopped meanwhile."""
    tally, stop = engine.new_tally(), first + games
    while first < stop:
        if ledger.stop:
            return None
        count = min(pace.games(ledger.plan.call), stop - first)
        with pace.timed(count):
            rows = engine.play(first, count, tally, ledger.plan.rows)
        if sink is not None:
            sink.add(rows)
        first += count
    if sink is not None:
        sink.close(stop - games, games)
    return tally


class Pace:
    """How many games a call may have to last about CALL_SECONDS, always a multiple of 64."""

    def __init__(self) -> None:
        self._fitting = FIRST_CALL

    def games(self, most: int) -> int:
        """Games of the next call."""
        return min(self._fitting, most)

    @contextmanager
    def timed(self, games: int) -> Iterator[None]:
        """Learn from a call that plays so many games."""
        start = time.perf_counter()
        yield
        seconds = max(time.perf_counter() - start, 1e-9)
        fitting = int(games * CALL_SECONDS / seconds) // LANES * LANES
        self._fitting = max(LANES, min(fitting, 8 * self._fitting))


def run_threads(
    engine: Engine,
    ledger: Ledger,
    new_sink: Callable[[], Sink | None],
    tick: Callable[[], None],
    tick_seconds: float = 0.1,
) -> None:
    """Play everything the ledger hands out; `tick` runs in the calling thread meanwhile. Re-raises what a worker
    raised.
    """

    def work() -> None:
        try:
            pace, sink = Pace(), new_sink()
            while (span := ledger.take(pace.games(ledger.plan.unit))) is not None:
                tally = play_span(engine, ledger, *span, pace, sink)
                if tally is None:
                    return
                ledger.give(*span, tally)
        except BaseException as error:  # noqa: BLE001  re-raised in the calling thread
            ledger.halt(error)

    threads = [threading.Thread(target=work, name=f"games-{i}", daemon=True) for i in range(ledger.plan.threads)]
    for thread in threads:
        thread.start()
    try:
        while not (ledger.complete or ledger.stop):
            ledger.wait(tick_seconds)
            tick()
    finally:
        ledger.halt()
        for thread in threads:
            thread.join()
    if ledger.error is not None:
        raise ledger.error


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """In the main thread, let the first SIGINT or SIGTERM call `stop`; a second one acts as it did before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def handle(*_: object) -> None:
        restore()
        stop()

    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        restore()
