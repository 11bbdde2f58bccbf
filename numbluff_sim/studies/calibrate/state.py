"""What a calibration has found out so far, in one file of its folder: a kill costs a few seconds of work, and
nothing is worked out twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, write_json
from numbluff_sim.run.folder import Kind, described, differences, owned, refuse_another, remove_inner
from numbluff_sim.run.store import RUN
from numbluff_sim.run.workers import stopped_by_signals

STATE_FILE, RUNS = "state.json", "runs"
#: Seconds between two savings.
SAVE_SECONDS = 4.0
#: Seconds between two looks at signals and progress.
TICK_SECONDS = 0.1
Job = TypeVar("Job")
Result = TypeVar("Result")


def _clear(path: Path) -> None:
    for run in (path / RUNS).glob("*"):
        remove_inner(run, RUN)


CALIBRATION = Kind("calibration", STATE_FILE, "numbluff calibrate", frozenset({"identity", "screens"}), _clear)


class Interrupted(KeyboardInterrupt):
    """SIGINT or SIGTERM ended the work early; what was found out is saved."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"interrupted; the same command continues (folder {folder})")
        self.folder = folder


class State:
    """Results by kind and name, saved now and then. Numbers come back from the file exactly as they were."""

    def __init__(
        self, folder: Path, identity: Mapping[str, Any], threads: int, data: dict[str, Any] | None = None
    ) -> None:
        self.folder, self.threads = folder, threads
        self.data: dict[str, Any] = data or {"identity": identity, "screens": {}}
        self._saved, self._dirty, self._stop = time.monotonic(), data is None, False

    @classmethod
    @contextmanager
    def held(
        cls, folder: Path, question: Mapping[str, Any], config: Config, *, replace: bool = False
    ) -> Iterator[Self]:
        """Hold a folder for this question: its state, new or continued, saved at the end. Raises RunError where the
        folder holds something else.
        """
        now = {**question, "code_digest": provenance.code_digest(game(config.game))}
        data: dict[str, Any] | None = None

        def take_up(before: dict[str, Any]) -> None:
            nonlocal data
            refuse_another(folder, CALIBRATION, differences(before["identity"], now))
            data = before

        with owned(folder, CALIBRATION, take_up, replace=replace):
            state = cls(folder, described(now), config.run.threads, data)
            state.save()  # from now on the folder is known to be this calibration's
            try:
                yield state
            finally:
                state.save()

    @property
    def screens(self) -> dict[str, Any]:
        """What every ruling can do, by way of playing."""
        found: dict[str, Any] = self.data["screens"]
        return found

    def forget(self, kind: str, name: str) -> None:
        """Drop results that were worked into others."""
        self.data[kind].pop(name)
        self._dirty = True

    def each(
        self, place: tuple[str, str], jobs: Mapping[str, Job], work: Callable[[Job], Any], tell: Callable[[int], None]
    ) -> dict[str, Any]:
        """The JSON-able result of every job by key, on all threads; those found before are not worked out again.
        Raises Interrupted.
        """
        results: dict[str, Any] = self.data.setdefault(place[0], {}).setdefault(place[1], {})
        todo = [key for key in jobs if key not in results]
        tell(len(jobs) - len(todo))

        def done(key: str, result: Any) -> None:
            results[key] = result
            self._dirty = True

        self._work(todo, lambda key: work(jobs[key]), done, lambda count: tell(len(jobs) - len(todo) + count))
        return {key: results[key] for key in jobs}

    def each_in_memory(
        self, jobs: Sequence[Job], work: Callable[[Job], Result], tell: Callable[[int], None]
    ) -> list[Result]:
        """The result of every job, on all threads, kept nowhere. Raises Interrupted."""
        results: dict[int, Result] = {}
        self._work(list(range(len(jobs))), lambda i: work(jobs[i]), results.__setitem__, tell)
        return [results[i] for i in range(len(jobs))]

    def _work(
        self,
        keys: Sequence[Any],
        work: Callable[[Any], Any],
        done: Callable[[Any, Any], None],
        tell: Callable[[int], None],
    ) -> None:
        """Work on all threads, in order, few jobs ahead; saves and tells on the way."""
        waiting, running, count = iter(keys), dict[Future[Any], Any](), 0
        with stopped_by_signals(self.halt), ThreadPoolExecutor(self.threads, thread_name_prefix="cells") as pool:
            while True:
                while not self._stop and len(running) < 2 * self.threads and (key := next(waiting, None)) is not None:
                    running[pool.submit(work, key)] = key
                if not running:
                    break
                for future in wait(running, timeout=TICK_SECONDS, return_when=FIRST_COMPLETED)[0]:
                    done(running.pop(future), future.result())
                    count += 1
                tell(count)
                if time.monotonic() - self._saved >= SAVE_SECONDS:
                    self.save()
        if self._stop:
            self.save()
            raise Interrupted(self.folder)

    def halt(self) -> None:
        """End after the running jobs."""
        self._stop = True

    def save(self) -> None:
        """Write the state. Raises RunError where the disk refuses."""
        if self._dirty:
            with disk_errors(self.folder):
                write_json(self.folder / STATE_FILE, self.data, indent=None)
            self._dirty = False
        self._saved = time.monotonic()
