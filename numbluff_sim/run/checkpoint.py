"""A run's folder on disk: what a resumed run continues, how far it has come."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config
from numbluff_sim.contract.game import Game, Shapes, Tally
from numbluff_sim.run import folder, provenance, store
from numbluff_sim.run.files import disk_errors
from numbluff_sim.run.folder import owned, read_description, refuse_another
from numbluff_sim.run.store import RUN

RUNNING, FINISHED, INTERRUPTED = "running", "finished", "interrupted"


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
    @contextmanager
    def held(
        cls,
        path: Path,
        config: Config,
        entry: Game[Config],
        *,
        resume: bool,
        replace: bool,
        command: str,
        notes: Mapping[str, Any] | None = None,
    ) -> Iterator[Folder]:
        """Hold the folder of a new run, or of the one to continue; nothing is written yet.

        `replace`: a run that cannot be continued is removed, and this one starts. `notes`: further entries of its
        run.json. Raises RunError where the folder holds something else. A finished run is also found where nothing can
        be written, and then without a lock.
        """
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
            "looks": [],
            "identity": provenance.identity(config, entry),
            "versions": provenance.versions(),
            "started": now,
            "updated": now,
            "config": config.resolved(),
            **(notes or {}),
        }
        continued, new = (cls(path, config, entry.tally_shapes(config), meta) for _ in range(2))
        if resume and (path / RUN.description).exists() and not os.access(path, os.W_OK):
            continued.take_up(read_description(path, RUN))
            if continued.finished:
                yield continued
                return
        with owned(path, RUN, continued.take_up, resume=resume, replace=replace) as found:
            yield continued if found else new

    def take_up(self, before: Mapping[str, Any]) -> None:
        """Continue the run that run.json described as `before`. Raises RunError where it is not this one."""
        problems = differences(before, self.config, self.meta["identity"])
        if not problems and before["games"] > self.meta["games"]:
            asked = f"not with games = {self.meta['games']}"
            problems = [f"games = {before['games']}, and it can be continued with as many games or more, {asked}"]
        refuse_another(self.path, RUN, problems)
        finished = before["state"] == FINISHED and before["games"] == self.meta["games"]
        looks = before.get("looks", [before["games"]] if before["state"] == FINISHED else [])
        self.meta = dict(before) if finished else {**self.meta, "started": before["started"], "looks": looks}
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
        """Write run.json; a finished run is one look at its games more. Raises RunError where the disk refuses."""
        looks = self.meta.get("looks", [])
        if state == FINISHED and self.done not in looks:
            self.meta["looks"] = [*looks, self.done]
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


def timestamp() -> str:
    """Now, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def differences(before: Mapping[str, Any], config: Config, identity: Mapping[str, str]) -> list[str]:
    """Why the run that run.json described as `before` is not the one asked for now: each differing key with both
    values.
    """
    program = ("code_digest", "rules_version")
    then = {"config": before["config"], **{key: before["identity"].get(key) for key in program}}
    found = folder.differences(then, {"config": config, **{key: identity[key] for key in program}})
    return found or folder.differences(before["identity"], identity)
