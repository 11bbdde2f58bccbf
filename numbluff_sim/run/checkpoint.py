"""A run's folder on disk: who may write there, what a resumed run continues, how far it has come."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config, compare, restore
from numbluff_sim.config.model import NOT_IN_DIGEST
from numbluff_sim.contract.game import Game, Shapes, Tally
from numbluff_sim.errors import ConfigError, RunError, shown_value
from numbluff_sim.run import provenance, store

RUNNING, FINISHED, INTERRUPTED = "running", "finished", "interrupted"
#: Keys that may change from one resume to the next: they change no result, and rows are checked by name.
FREE_KEYS = {f"run.{key}" for key in NOT_IN_DIGEST} - {"run.rows"}


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what a file system can refuse into a RunError that says what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = (
            "free some space and continue with --resume"
            if full
            else "expected a folder that can be created and written; name another --out"
        )
        raise RunError(f"{error.filename or folder} cannot be written: {reason}; {advice}.") from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Create the folder if need be and keep every other run out of it. The lock ends with the process, however it
    ends.
    """
    with disk_errors(folder):
        if folder.exists() and not folder.is_dir():
            raise RunError(f"{folder} is a file; expected the name of a folder for the run, new or empty.")
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(
                f"another process is writing the run in {folder}; wait for it to end or name another --out."
            ) from None
        yield
    finally:
        os.close(handle)


@dataclass
class Folder:
    """The folder of one run. `meta` is what run.json says; `done` games are in the tally on disk."""

    path: Path
    config: Config
    shapes: Shapes
    meta: dict[str, Any]
    done: int = 0
    tally: Tally | None = None

    @classmethod
    def open(
        cls,
        path: Path,
        config: Config,
        entry: Game[Config],
        *,
        resume: bool,
        replace: bool,
        command: str,
        notes: Mapping[str, Any] | None = None,
    ) -> Folder:
        """A new run, or the one to continue. Raises RunError where the folder holds something else; nothing is written
        yet.

        `replace`: a run that cannot be continued is removed, and this one starts. `notes`: further entries of its
        run.json.
        """
        identity = provenance.identity(config, entry)
        now = timestamp()
        meta = {
            "state": RUNNING,
            "command": command,
            "game": entry.name,
            "players": config.players,
            "seed": config.run.seed,
            "rows": config.run.rows,
            "games": config.run.games,
            "games_done": 0,
            "identity": identity,
            "versions": provenance.versions(),
            "started": now,
            "updated": now,
            "config": config.resolved(),
            **(notes or {}),
        }
        folder = cls(path, config, entry.tally_shapes(config), meta)
        others = sorted(p.name for p in path.iterdir() if p.name != store.META_FILE + store.PARTIAL)
        if not others:
            return folder
        if store.META_FILE not in others:
            shown = ", ".join(others[:3]) + (" and more" if len(others) > 3 else "")
            raise RunError(
                f"{path} already holds something that is not a run ({shown}); expected a new or empty folder. "
                "Name another --out."
            )
        before = store.read_meta(path)
        if not (resume or replace):
            raise RunError(
                f"{path} already holds a run: {described(before)}. Continue it with --resume, put this one in "
                "its place with --replace, "
                "or name another --out."
            )
        try:
            if resume:
                folder.take_up(before)
                return folder
        except RunError:
            if not replace:
                raise
        remove_run(path)
        return cls(path, config, entry.tally_shapes(config), meta)

    def take_up(self, before: Mapping[str, Any]) -> None:
        """Continue the run that run.json described as `before`. Raises RunError where it is not this one."""
        problems = differences(before, self.config, self.meta["identity"])
        if problems:
            raise RunError(
                f"{self.path} holds another run, which cannot be continued: {'; '.join(problems)}. "
                "Use the configuration and program it was started with, or name another --out."
            )
        if before["games"] > self.meta["games"]:
            raise RunError(
                f"{self.path} holds a run with games = {before['games']}; it can be continued with as many "
                "games or more, "
                f"not with games = {self.meta['games']}."
            )
        finished = before["state"] == FINISHED and before["games"] == self.meta["games"]
        self.meta = dict(before) if finished else {**self.meta, "started": before["started"]}
        tally = self.path / store.TALLY_FILE
        if finished or tally.exists():
            self.tally, found = store.read_tally(tally, self.shapes)
            store.check_identity(tally, found, store.tally_metadata(self.meta["identity"]))
            self.done = self.meta["games_done"] = store.games_in(tally, self.tally, found, before)

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to play."""
        return bool(self.meta["state"] == FINISHED)

    def save_meta(self, state: str) -> None:
        """Write run.json. Raises RunError where the disk refuses."""
        self.meta.update(state=state, games_done=self.done, updated=timestamp())
        with disk_errors(self.path):
            store.write_meta(self.path, self.meta)

    def save_tally(self, tally: Tally, games: int) -> None:
        """Put the tally of the first `games` games in the place of the last one."""
        with disk_errors(self.path):
            store.write_tally(
                self.path / store.TALLY_FILE,
                tally,
                self.shapes,
                {**store.tally_metadata(self.meta["identity"]), "games": str(games)},
            )
        self.tally, self.done = tally, games


def remove_run(path: Path) -> None:
    """Remove a run's own files from its folder, run.json last; whatever else is there stays."""
    for table in ("games", "rounds"):
        for part in sorted((path / table).glob("part-*.parquet")):
            part.unlink()
    (path / store.TALLY_FILE).unlink(missing_ok=True)
    (path / store.META_FILE).unlink(missing_ok=True)


def timestamp() -> str:
    """Now, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def described(meta: Mapping[str, Any]) -> str:
    """A run in half a sentence."""
    return (
        f"{meta['game']}, {meta['players']} players, seed {meta['seed']}, rows {meta['rows']}, "
        f"{meta['games_done']} of {meta['games']} games, "
        f"{meta['state']}, started {meta['started']}"
    )


def differences(before: Mapping[str, Any], config: Config, identity: Mapping[str, str]) -> list[str]:
    """Why the run described by `before` is not the one asked for now: each differing key with both values."""
    problems = []
    try:
        problems = [
            f"{d.key} was {shown_value(d.before)} and is now {shown_value(d.after)}"
            for d in compare.differences(restore(before["config"]), config)
            if d.key not in FREE_KEYS
        ]
    except ConfigError as error:
        problems = [f"its configuration is refused by this version ({error})"]
    for key, what in (("code_digest", "the program's code (digest"), ("rules_version", "the game's rules (version")):
        if before["identity"].get(key) != identity[key]:
            problems.append(f"{what} {before['identity'].get(key)} then, {identity[key]} now) has changed")
    if not problems and before["identity"] != identity:
        problems.append(f"its identity was {before['identity']} and is now {identity}")
    return problems
