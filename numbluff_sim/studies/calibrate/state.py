"""What a calibration has found out so far, in one file of its folder: a kill costs a few seconds of work, and
nothing is worked out twice.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, write_json
from numbluff_sim.run.folder import FolderKind, described, differences, owned, refuse_another, remove_inner
from numbluff_sim.run.playing import How, play_each
from numbluff_sim.run.progress import Steps
from numbluff_sim.run.spans import Outcome, Piece
from numbluff_sim.run.store import RUN

STATE_FILE, RUNS = "state.json", "runs"
#: Seconds between two savings.
SAVE_SECONDS = 4.0
#: Makes a piece when its turn comes.
Make = Callable[[], Piece]


def _clear(path: Path) -> None:
    for run in (path / RUNS).glob("*"):
        remove_inner(run, RUN)


CALIBRATION = FolderKind("calibration", STATE_FILE, "numbluff calibrate", frozenset({"identity", "screens"}), _clear)


class State:
    """Results by kind and name, saved now and then. Numbers come back from the file exactly as they were."""

    def __init__(
        self, folder: Path, identity: Mapping[str, Any], threads: int, data: dict[str, Any] | None = None
    ) -> None:
        self.folder, self.threads = folder, threads
        self.data: dict[str, Any] = data or {"identity": identity, "screens": {}}
        self._saved, self._dirty = time.monotonic(), data is None

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

    def each(self, place: tuple[str, str], pieces: Mapping[str, Make], steps: Steps, how: How) -> dict[str, Any]:
        """What the `work_out` of every piece gives (JSON-able), by key; those found before are not played again. A
        piece is made when its turn comes. Raises Interrupted.
        """
        results: dict[str, Any] = self.data.setdefault(place[0], {}).setdefault(place[1], {})
        todo = [key for key in pieces if key not in results]

        def done(key: str, outcome: Outcome) -> None:
            results[key] = outcome.value
            self._dirty = True

        def tick() -> None:
            if time.monotonic() - self._saved >= SAVE_SECONDS:
                self.save()

        made = (dataclasses.replace(pieces[key](), key=key) for key in todo)
        before = len(pieces) - len(todo)
        play_each(made, len(todo), done, self.threads, before=before, tick=tick, **steps.of(how))
        return {key: results[key] for key in pieces}

    def save(self) -> None:
        """Write the state. Raises RunError where the disk refuses."""
        if self._dirty:
            with disk_errors(self.folder):
                write_json(self.folder / STATE_FILE, self.data, indent=None)
            self._dirty = False
        self._saved = time.monotonic()
