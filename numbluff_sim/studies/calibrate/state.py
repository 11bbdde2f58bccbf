"""What a calibration has found out so far, in one file of its folder: a kill costs a few seconds of work, and
nothing is worked out twice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError, shown_value
from numbluff_sim.run import provenance
from numbluff_sim.run.checkpoint import disk_errors, remove_run
from numbluff_sim.run.store import PARTIAL, write_whole
from numbluff_sim.run.workers import stopped_by_signals

STATE_FILE = "state.json"
#: Seconds between two savings.
SAVE_SECONDS = 4.0
#: Seconds between two looks at signals and progress.
TICK_SECONDS = 0.1
Job = TypeVar("Job")
Result = TypeVar("Result")


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
    def open(
        cls, folder: Path, question: Mapping[str, Any], config: Config, *, replace: bool = False
    ) -> Iterator[Self]:
        """The state of this question in a folder, new or continued, saved at the end. Raises RunError where the
        folder holds something else.
        """
        identity = {**question, "code_digest": provenance.code_digest(game(config.game))}
        state = cls._opened(folder, json.loads(json.dumps(identity)), config.run.threads, replace)
        state.save()  # from now on the folder is known to be this calibration's
        try:
            yield state
        finally:
            state.save()

    @classmethod
    def _opened(cls, folder: Path, identity: dict[str, Any], threads: int, replace: bool) -> Self:
        path = folder / STATE_FILE
        others = sorted(found.name for found in folder.iterdir() if found.name != STATE_FILE + PARTIAL)
        if not path.exists():
            if others:
                raise RunError(
                    f"{folder} already holds something that is not a calibration ({', '.join(others[:3])}); "
                    "expected a new or empty "
                    "folder. Name another --out."
                )
            return cls(folder, identity, threads)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            differing = [] if data["identity"] == identity else list(_differing(data["identity"], identity))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            data, differing = None, [f"{STATE_FILE} cannot be read"]
        if not differing:
            return cls(folder, identity, threads, data)
        if not replace:
            raise RunError(
                f"{folder} holds another calibration: {'; '.join(differing)}. Name another --out, or put this "
                "one in its place with "
                "--replace."
            )
        for run in folder.glob("runs/*"):
            remove_run(run)
        return cls(folder, identity, threads)

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
                write_whole(self.folder / STATE_FILE, lambda path: _write_text(path, json.dumps(self.data)))
            self._dirty = False
        self._saved = time.monotonic()


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What differs between two questions, a phrase a key."""
    words = {
        "code_digest": "the program's code",
        "configurations": "the configurations (deck, table, seed, ways of playing)",
        "rulings": "the rulings",
        "rates": "the given rates",
    }
    for key in now:
        if before.get(key) != now[key]:
            plain = not isinstance(now[key], list | dict) and key != "code_digest"
            yield (
                f"{key} was {shown_value(before.get(key))} and is now {shown_value(now[key])}"
                if plain
                else f"{words.get(key, key)} changed"
            )
