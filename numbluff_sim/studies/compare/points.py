"""A configuration played in groups of games: its tally, and its metrics without each of the groups (the replicates).

What was played is kept in one file a configuration, so that nothing is played twice; a point that is interrupted keeps
its finished groups.
"""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from numbluff_sim.analysis.statistics.paired import GROUPS, Replicates, Side, replicates
from numbluff_sim.analysis.studies.check.baselines import MeasuredRun, estimators_of
from numbluff_sim.config import Config
from numbluff_sim.contract.game import Engine, Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.kernels.common.jit import compiling as collector_held
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, write_bytes
from numbluff_sim.run.workers import LANES, Pace, add, stopped_by_signals

#: Seconds between two savings of an unfinished point.
SAVE_SECONDS = 4.0
#: Groups that are worth having when whole detail periods would give fewer.
FEW_GROUPS = 16
#: Told how many games are done, of how many, in this process since so many seconds.
Report = Callable[[int, int, float], None]


class PointInterrupted(KeyboardInterrupt):
    """SIGINT or SIGTERM ended a point early; its finished groups are on disk if it has a folder."""

    def __init__(self, games_done: int, games: int) -> None:
        super().__init__(f"interrupted after {games_done:,} of {games:,} games of this configuration")
        self.games_done, self.games = games_done, games


@dataclass(frozen=True)
class Point:
    """A configuration that was played: tally of all its games, and replicates."""

    config: Config
    tally: Tally
    replicates: Replicates

    def side(self) -> Side:
        """What a comparison needs of it."""
        return Side(
            self.replicates,
            estimators_of(MeasuredRun(self.config, self.tally)),
            f"{self.config.digest()} {self.config.run.games}",
        )


def cut(games: int, detail_every: int) -> list[tuple[int, int]]:
    """First game and number of games of every group: GROUPS of nearly equal size, each of whole detail periods where
    that leaves enough groups.
    """
    period = LANES * detail_every
    unit = period if games >= FEW_GROUPS * period else LANES
    units = max(games // unit, 1)
    count = min(GROUPS, units)
    edges = [units * g // count * unit for g in range(count)] + [games]
    return [(first, after - first) for first, after in pairwise(edges)]


def play_point(config: Config, folder: Path | None = None, report: Report | None = None) -> Point:
    """Play a configuration in groups, or take it from `folder`, where it is kept. Raises PointInterrupted, RunError."""
    identity = {
        **provenance.identity(config, game(config.game)),
        "games": str(config.run.games),
        "detail_every": str(config.run.detail_every),
    }
    whole = None if folder is None else folder / f"{config.digest()}.npz"
    if whole is not None and (found := _read(whole, identity)) is not None:
        return Point(
            config,
            _tally(found, "tally"),
            Replicates(tuple(found["names"].tolist()), found["values"], found["without"]),
        )
    groups = cut(config.run.games, config.run.detail_every)
    partial = None if folder is None else folder / f"{config.digest()}-groups.npz"
    tallies = _play_groups(config, groups, partial, identity, report)
    total = game(config.game).engine(config).new_tally()
    for tally in tallies:
        add(total, tally)
    with (
        collector_held()
    ):  # it would search all that compiled kernels hold every few thousand estimators, for a third of the time
        made = replicates(lambda cells: estimators_of(MeasuredRun(config, cells)), total, tallies)
    if whole is not None and partial is not None:
        arrays = {f"tally/{name}": cells for name, cells in total.items()}
        _write(
            whole, identity, {**arrays, "names": np.array(made.names), "values": made.values, "without": made.without}
        )
        partial.unlink(missing_ok=True)
    return Point(config, total, made)


@dataclass
class _Progress:
    """Groups being played: their tallies so far, games done, whether to stop."""

    tallies: dict[int, Tally] = field(default_factory=dict)
    done: int = 0
    stop: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def played(self, games: int) -> None:
        """So many games more."""
        with self.lock:
            self.done += games

    def halt(self) -> None:
        """End after the running calls."""
        self.stop = True


def _play_groups(
    config: Config,
    groups: Sequence[tuple[int, int]],
    partial: Path | None,
    identity: Mapping[str, str],
    report: Report | None,
) -> list[Tally]:
    engine = game(config.game).engine(config)
    progress = _Progress()
    for g, tally in _unfinished(partial, identity, engine).items():
        progress.tallies[g] = tally
        progress.done += groups[g][1]
    start, saved = time.monotonic(), time.monotonic()
    before = progress.done
    todo = [g for g in range(len(groups)) if g not in progress.tallies]
    with stopped_by_signals(progress.halt), ThreadPoolExecutor(config.run.threads, thread_name_prefix="groups") as pool:
        running: dict[Future[Tally | None], int] = {
            pool.submit(_play_group, engine, *groups[g], progress): g for g in todo
        }
        try:
            while running:
                finished, _ = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in finished:
                    g, played = running.pop(future), future.result()
                    if played is not None:
                        progress.tallies[g] = played
                if report is not None:
                    report(progress.done, config.run.games, _rate(progress.done - before, time.monotonic() - start))
                if partial is not None and time.monotonic() - saved >= SAVE_SECONDS:
                    _save_groups(partial, identity, progress.tallies)
                    saved = time.monotonic()
        except BaseException:
            progress.halt()
            raise
    if progress.stop:
        if partial is not None and progress.tallies:
            _save_groups(partial, identity, progress.tallies)
        raise PointInterrupted(sum(groups[g][1] for g in progress.tallies), config.run.games)
    return [progress.tallies[g] for g in range(len(groups))]


def _play_group(engine: Engine, first: int, games: int, progress: _Progress) -> Tally | None:
    """A group, played in short calls; None when the point was stopped meanwhile."""
    tally, pace, after = engine.new_tally(), Pace(), first + games
    while first < after:
        if progress.stop:
            return None
        count = min(pace.games(after - first), after - first)
        with pace.timed(count):
            engine.play(first, count, tally)
        progress.played(count)
        first += count
    return tally


def _rate(games: int, seconds: float) -> float:
    return games / seconds if seconds > 0 else 0.0


def _save_groups(path: Path, identity: Mapping[str, str], tallies: Mapping[int, Tally]) -> None:
    _write(path, identity, {f"{g}/{name}": cells for g, tally in tallies.items() for name, cells in tally.items()})


def _unfinished(path: Path | None, identity: Mapping[str, str], engine: Engine) -> dict[int, Tally]:
    """The groups that an interrupted point has finished."""
    found = None if path is None else _read(path, identity)
    if found is None:
        return {}
    groups = sorted({int(key.split("/")[0]) for key in found if "/" in key})
    blank = engine.new_tally()
    return {g: {name: found[f"{g}/{name}"] for name in blank} for g in groups}


def _tally(found: Mapping[str, Any], prefix: str) -> Tally:
    return {key.removeprefix(f"{prefix}/"): cells for key, cells in found.items() if key.startswith(f"{prefix}/")}


def _write(path: Path, identity: Mapping[str, str], arrays: Mapping[str, Any]) -> None:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, identity=np.array(json.dumps(identity, sort_keys=True)), **arrays)
    with disk_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, buffer.getvalue())


def _read(path: Path, identity: Mapping[str, str]) -> dict[str, Any] | None:
    """The arrays of a file, or None when it is not there, not whole, or of another program, seed or number of games:
    then it is played again.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, EOFError, KeyError):
        return None
    return arrays if json.loads(str(arrays.get("identity", "{}"))) == dict(identity) else None
