"""Where workloads run: sizes, a temporary folder, engines kept warm, yardsticks compiled, and commands whose figures
serve several workloads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from numbluff_sim.bench.children import Child, numbluff
from numbluff_sim.bench.yardstick import Yardstick, find_compiler
from numbluff_sim.errors import UserError

if TYPE_CHECKING:
    from numbluff_sim.config import Config
    from numbluff_sim.contract.game import Engine, Game, Tally, Workloads


@dataclass(frozen=True)
class Sizes:
    """How much is measured: runs a workload, CPU seconds a sample, rounds of the whole commands and of the runs with
    rows, games of a swept point.
    """

    runs: int = 7
    seconds: float = 1.0
    command_runs: int = 3
    command_rounds: int = 10**9
    small_rounds: int = 10**6
    row_rounds: int = 10**8
    written_rounds: int = 12 * 2**20
    point_games: int = 5_000_000

    @classmethod
    def quick(cls) -> Sizes:
        """A few minutes less: shorter samples, whole commands of a tenth the size."""
        return cls(
            runs=3,
            seconds=0.25,
            command_runs=2,
            command_rounds=10**8,
            row_rounds=10**7,
            written_rounds=4 * 2**20,
            point_games=500_000,
        )


@dataclass
class Lab:
    """What workloads share. `folder` is temporary: whoever makes the lab removes it."""

    entry: Game[Config]
    sizes: Sizes
    folder: Path
    compiler: str | None = field(default_factory=find_compiler)
    _warm: dict[str, tuple[Engine, int]] = field(default_factory=dict)
    _children: dict[tuple[str, int], Child] = field(default_factory=dict)
    _counter: int = 0

    @cached_property
    def plays(self) -> Workloads:
        """What is played of the game."""
        return workloads_of(self.entry)

    def rounds(self, tally: Tally) -> int:
        """What was played, in the unit that speeds are stated in."""
        return self.entry.played(tally).count

    @property
    def finest_rows(self) -> str:
        """The kind of rows that are most."""
        return self.entry.grains[-1].name

    @cached_property
    def default(self) -> Config:
        """The default play with the usual number of players."""
        return self.plays.default(self.plays.players)

    @cached_property
    def mixed(self) -> Config:
        """The mixed play with the usual number of players."""
        return self.plays.mixed(self.plays.players)

    @cached_property
    def yardstick(self) -> Yardstick:
        """The game's yardstick for its usual number of players. Only where there is a compiler."""
        return self.yardstick_for(self.plays.players)

    def yardstick_for(self, players: int) -> Yardstick:
        """The game's yardstick for a number of players. Only where there is a compiler."""
        if self.compiler is None:
            raise ValueError("a yardstick needs a compiler")
        return Yardstick(self.compiler, self.plays.yardstick, self.folder, players)

    def yardstick_games(self) -> int:
        """Games that the yardstick plays in one sample."""
        return max(1000, int(self.sizes.seconds * 1e7 / self.default.rounds))

    def cpu_ns(self, config: Config, things: Callable[[Tally], int] | None = None) -> float:
        """CPU nanoseconds a round (or of what else `things` counts in a tally), in one thread, of one sample.

        The first call for a configuration compiles and finds the sample's size.
        """
        engine, games = self._engine(config)
        tally = engine.new_tally()
        start = time.thread_time()
        engine.play(0, games, tally)
        return (time.thread_time() - start) * 1e9 / float((things or self.rounds)(tally))

    def wall_ns(self, config: Config, threads: int) -> tuple[float, float]:
        """Wall and CPU nanoseconds a round with so many threads, each playing as much as a sample of one."""
        engine, games = self._engine(config)
        tallies = [engine.new_tally() for _ in range(threads)]
        workers = [
            threading.Thread(target=engine.play, args=(i * games, games, tally)) for i, tally in enumerate(tallies)
        ]
        start, cpu = time.perf_counter(), time.process_time()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        played = float(sum(self.rounds(tally) for tally in tallies))
        return (time.perf_counter() - start) * 1e9 / played, (time.process_time() - cpu) * 1e9 / played

    def new_folder(self) -> Path:
        """A path in the lab's folder that is not there yet."""
        self._counter += 1
        return self.folder / f"run-{self._counter}"

    def simulate(self, rows: str, rounds: int) -> Child:
        """The whole command `numbluff simulate`, measured: default configuration, 2 threads, so many rounds, warm
        cache.
        """
        games = -(-rounds // self.default.rounds)
        out = self.new_folder()
        child = numbluff(
            "simulate",
            "--games",
            str(games),
            "--threads",
            "2",
            "--rows",
            rows,
            *self.plays.options,
            "--out",
            str(out),
            cwd=self.folder,
        )
        remove(out)
        self._children[rows, rounds] = child
        return child

    def simulated(self, rows: str, rounds: int) -> Child:
        """As simulate, or the figures of the last such command if there was one."""
        return self._children.get((rows, rounds)) or self.simulate(rows, rounds)

    def _engine(self, config: Config) -> tuple[Engine, int]:
        """The engine of a configuration and the games of one sample: whole rounds of detail blocks, so that every
        sample has their share.
        """
        key = config.digest()
        if key not in self._warm:
            engine, step = self.entry.engine(config), 64 * config.run.detail_every
            engine.play(0, step, engine.new_tally())
            start = time.thread_time()
            engine.play(0, 8 * step, engine.new_tally())
            each = (time.thread_time() - start) / 8
            self._warm[key] = engine, step * max(1, round(self.sizes.seconds / max(each, 1e-6)))
        return self._warm[key]


def workloads_of(entry: Game[Config]) -> Workloads:
    """What the benchmark plays of a game. Raises UserError for one that has nothing for it."""
    if entry.workloads is None:
        raise UserError(
            f"{entry.title} states no workloads, so there is nothing to measure; expected a game that does."
        )
    return entry.workloads


def remove(folder: Path) -> None:
    """Remove a run's folder."""
    import shutil

    shutil.rmtree(folder)
