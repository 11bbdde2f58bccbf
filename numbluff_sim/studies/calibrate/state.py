"""What a calibration has found out so far, in one file of its folder: a kill costs a few seconds of work, and
nothing is worked out twice.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError, shown_value
from numbluff_sim.run import provenance
from numbluff_sim.run.checkpoint import disk_errors, remove_run
from numbluff_sim.run.playing import How, play_each
from numbluff_sim.run.progress import Steps
from numbluff_sim.run.spans import Outcome, Piece
from numbluff_sim.run.store import PARTIAL, write_whole

STATE_FILE = "state.json"
#: Seconds between two savings.
SAVE_SECONDS = 4.0
#: Makes a piece when its turn comes.
Make = Callable[[], Piece]


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
