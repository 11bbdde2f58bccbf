"""The one way games are played: runs, comparisons, sweeps, searches, calibrations and pilots all call `play`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypedDict, Unpack

from numbluff_sim.config import Config
from numbluff_sim.contract.game import Tally
from numbluff_sim.run.ledger import Jobs, Ledger, Source
from numbluff_sim.run.progress import Tell
from numbluff_sim.run.spans import Outcome, Piece
from numbluff_sim.run.stop import Interrupted, Stop
from numbluff_sim.run.threads import Threads


class Executor(Protocol):
    """Runs pieces anywhere and gives back what comes of them: threads of this process, or a cluster."""

    def run(self, source: Source, stop: Stop, tick: Callable[[], None]) -> None:
        """Play everything the source hands out, or until stop is asked; `tick` runs in the calling thread meanwhile.

        An error of the games is left in the source (`halt`); when the executor itself cannot go on, it sets `stop` with
        the reason.
        """


class How(TypedDict, total=False):
    """How games are played, for every function that plays. The results depend on none of it.

    `executor`: who plays (the threads that the configuration asks for); `stop`: a token that ends it early;
    `progress`: told a few times a second how far it is, in the calling thread.
    """

    executor: Executor | None
    stop: Stop | None
    progress: Tell | None


def where(config: Config, how: How) -> str:
    """Where the games of a configuration are played, in words."""
    return str(how.get("executor") or Threads(config.run.threads))


def play(source: Source, *, tick: Callable[[], None] | None = None, **how: Unpack[How]) -> None:
    """Play all that a source hands out. Raises Interrupted when stop was asked before all was played, and what a piece
    raised; what was handed in until then is in the source.

    `tick`: called a few times a second in the calling thread.
    """
    executor, stop, progress = how.get("executor"), how.get("stop") or Stop(), how.get("progress")

    def look() -> None:
        source.deliver()
        if progress is not None:
            progress(source.progress())
        if tick is not None:
            tick()

    with stop.watching():
        (executor or Threads(source.threads)).run(source, stop, look)
    source.deliver()
    if source.error is not None:
        raise source.error
    if progress is not None:
        progress(source.progress())
    if not source.complete:
        now = source.progress()
        done, of, unit = (now.games_done, now.games, "games") if now.games else (now.steps_done, now.steps, "steps")
        raise Interrupted(done, of, unit, reason=stop.reason)


def simulate_tally(config: Config, games: int | None = None, **how: Unpack[How]) -> Tally:
    """The tally of `games` games (default: config.run.games), in memory; nothing is written. Raises Interrupted."""
    ledger = Ledger.of(config, [(0, config.run.games if games is None else games)])
    play(ledger, **how)
    return ledger.slots[0].tally


def play_each(
    pieces: Iterable[Piece],
    count: int,
    done: Callable[[Any, Outcome], None],
    threads: int,
    *,
    before: int = 0,
    tick: Callable[[], None] | None = None,
    **how: Unpack[How],
) -> None:
    """Play `count` pieces of any configurations; `done` is told the key and the outcome of each as it comes, in the
    calling thread. Raises Interrupted. `before`: pieces played earlier, for the progress.
    """
    play(Jobs(pieces, count, done, threads, before), tick=tick, **how)
