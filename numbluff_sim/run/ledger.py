"""What is to be played and what has been: pieces handed out in order, sums of integers merged as they come."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from numbluff_sim.config import Config
from numbluff_sim.contract.game import Tally
from numbluff_sim.run.progress import Progress
from numbluff_sim.run.rows import PartFiles
from numbluff_sim.run.spans import Outcome, Piece, Span, add, aligned, copied, span_games, zeros


class Source(ABC):
    """Hands out pieces and takes what comes of them. Thread-safe; an executor knows nothing else of the work."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._start = time.monotonic()
        self.halted = False
        self.error: BaseException | None = None
        #: What an executor has to say of its workers.
        self.notice = ""

    def take(self, games: int) -> Piece | None:
        """A piece of about so many games, or of a fixed number; None when there is no more to hand out."""
        with self._changed:
            return None if self.halted else self._next(games)

    def give(self, piece: Piece, outcome: Outcome) -> None:
        """Hand in what came of a piece."""
        with self._changed:
            self._take_in(piece, outcome)
            if self._done():
                self._changed.notify_all()

    def halt(self, error: BaseException | None = None) -> None:
        """Hand out nothing any more; `error` is raised by whoever plays."""
        with self._changed:
            self.halted = True
            self.error = self.error or error
            self._changed.notify_all()

    @property
    def complete(self) -> bool:
        """Whether everything has been handed in."""
        with self._changed:
            return self._done()

    def wait(self, seconds: float) -> None:
        """Sleep until all is done or it was halted, at most so long."""
        with self._changed:
            if not (self._done() or self.halted):
                self._changed.wait(seconds)

    def deliver(self) -> None:  # noqa: B027  most have nothing to deliver
        """In the thread of whoever plays, a few times a second and at the end."""

    @abstractmethod
    def progress(self) -> Progress:
        """How far it is."""

    @property
    @abstractmethod
    def threads(self) -> int:
        """Threads that the configuration asks for."""

    @abstractmethod
    def _done(self) -> bool: ...

    @abstractmethod
    def _next(self, games: int) -> Piece | None: ...

    @abstractmethod
    def _take_in(self, piece: Piece, outcome: Outcome) -> None: ...


class Slot:
    """Games whose sum is wanted: at any time `tally` is that of exactly the first `done` of them."""

    def __init__(self, first: int, games: int, tally: Tally, done: int = 0) -> None:
        self.first, self.games, self.tally, self.done = first, games, tally, done
        self._handed_out = done
        #: Stretches that were played while an earlier one still is, by their first game.
        self._ahead: dict[int, tuple[int, Tally]] = {}

    @property
    def complete(self) -> bool:
        """Whether all its games are in the tally."""
        return self.done == self.games

    def take(self, most: int) -> Span | None:
        """The next games to play."""
        if self._handed_out == self.games:
            return None
        first = self._handed_out
        self._handed_out = min(first + most, self.games)
        return self.first + first, self._handed_out - first

    def give(self, span: Span, tally: Tally) -> None:
        """Add the sum of a span. Neighbours that wait become one: there are never more than pieces being played."""
        first, games = span
        for start, (count, waiting) in self._ahead.items():
            if start + count == first:
                add(tally, waiting)
                first, games = start, count + games
                break
        self._ahead.pop(first, None)
        if (after := self._ahead.pop(first + games, None)) is not None:
            add(tally, after[1])
            games += after[0]
        if first == self.first + self.done:
            add(self.tally, tally)
            self.done += games
        else:
            self._ahead[first] = games, tally


class Ledger(Source):
    """Slots of one configuration, in order; `parts`: where its rows are written, a file a span."""

    def __init__(self, config: Config, slots: Sequence[Slot], *, parts: PartFiles | None = None) -> None:
        super().__init__()
        self.config, self.slots, self.parts = config, slots, parts
        self._rows = "none" if parts is None else parts.rows
        self._unit = span_games(config, self._rows)
        self._before = self.done

    @classmethod
    def of(cls, config: Config, spans: Iterable[Span]) -> Ledger:
        """A slot a span, nothing of it played."""
        return cls(config, [Slot(*span, zeros(config)) for span in spans])

    @property
    def threads(self) -> int:
        """Those of the configuration."""
        return self.config.run.threads

    @property
    def done(self) -> int:
        """Games in the slots' tallies."""
        return sum(slot.done for slot in self.slots)

    @property
    def games(self) -> int:
        """Games of all slots."""
        return sum(slot.games for slot in self.slots)

    def _next(self, games: int) -> Piece | None:
        most = aligned(games) if self.parts is None else self._unit
        for number, slot in enumerate(self.slots):
            if (span := slot.take(most)) is not None:
                return Piece(self.config, (span,), self._rows, self.parts, key=number)
        return None

    def _done(self) -> bool:
        return all(slot.complete for slot in self.slots)

    def _take_in(self, piece: Piece, outcome: Outcome) -> None:
        self.slots[piece.key].give(piece.spans[0], outcome.tallies[0])

    def snapshot(self) -> tuple[int, Tally]:
        """The games summed so far and a copy of their tally, over all slots."""
        with self._changed:
            total = copied(self.slots[0].tally)
            for slot in self.slots[1:]:
                add(total, slot.tally)
            return self.done, total

    def finished(self) -> dict[int, Tally]:
        """The tallies of the slots that are complete, by number."""
        with self._changed:
            return {number: slot.tally for number, slot in enumerate(self.slots) if slot.complete}

    def progress(self) -> Progress:
        """Games done of all slots; its tally is the exact one of these games."""
        seconds = max(time.monotonic() - self._start, 1e-9)
        with self._changed:
            done = self.done
        return Progress(
            games_done=done,
            games=self.games,
            played=done - self._before,
            seconds=seconds,
            config=self.config,
            notice=self.notice,
            copy=lambda: self.snapshot()[1],
        )


class Jobs(Source):
    """Pieces of many configurations, each played whole; `done` is told the key and the outcome of each, in the thread
    of whoever plays.
    """

    def __init__(
        self, pieces: Iterable[Piece], count: int, done: Callable[[Any, Outcome], None], threads: int, before: int = 0
    ) -> None:
        super().__init__()
        self._pieces, self._count, self._threads, self._before = iter(pieces), count, threads, before
        self._tell = done
        self._finished: list[tuple[Any, Outcome]] = []
        self._came = self._delivered = self._played = 0

    @property
    def threads(self) -> int:
        """As they were asked for."""
        return self._threads

    def _next(self, games: int) -> Piece | None:  # noqa: ARG002  a job is played whole
        return next(self._pieces, None)

    def _done(self) -> bool:
        return self._came == self._count

    def _take_in(self, piece: Piece, outcome: Outcome) -> None:
        self._finished.append((piece.key, outcome))
        self._came += 1
        self._played += piece.games

    def deliver(self) -> None:
        """Tell of what came in since the last time."""
        with self._changed:
            finished, self._finished = self._finished, []
        for key, outcome in finished:
            self._tell(key, outcome)
            self._delivered += 1

    def progress(self) -> Progress:
        """Jobs done, those included that were done before."""
        return Progress(
            steps_done=self._before + self._delivered,
            steps=self._before + self._count,
            played=self._played,
            seconds=max(time.monotonic() - self._start, 1e-9),
            notice=self.notice,
        )
