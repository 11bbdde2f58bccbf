"""A search's folder: tune.json says which search it holds, trials are runs in points/<digest>-<games>/."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbluff_sim.contract.registry import game
from numbluff_sim.run import folder, provenance
from numbluff_sim.run.files import disk_errors, write_json
from numbluff_sim.run.folder import FolderKind, owned, refuse_another, remove_inner
from numbluff_sim.run.store import RUN
from numbluff_sim.studies.question.best import TARGETS
from numbluff_sim.studies.tune.asked import Tune
from numbluff_sim.studies.tune.search import Places

POINTS, TUNE_FILE, KNOWN = "points", "tune.json", "known"
TUNED, RESULT, TRIALS = "tuned.toml", "tuned.json", "trials.csv"


def _clear(path: Path) -> None:
    for run in sorted((path / POINTS).glob("*")):
        remove_inner(run, RUN)
    for name in (TUNED, TARGETS, RESULT, TRIALS):
        (path / name).unlink(missing_ok=True)


SEARCH = FolderKind("search", TUNE_FILE, "numbluff tune", frozenset({"axes", "targets", "tune"}), _clear)


@dataclass(frozen=True)
class Known:
    """What a folder holds of a search: the most trials that were asked for, and the places of the change that was
    confirmed.
    """

    trials: int = 0
    winner: Places | None = None


@contextmanager
def held(path: Path, tune: Tune, *, replace: bool) -> Iterator[Known]:
    """Hold the folder for a search, a new one or the one that the same search began; what is known of it.

    `replace`: what a search has left there is removed first. Raises RunError where it holds something else.
    """
    known = Known()

    def take_up(before: dict[str, Any]) -> None:
        nonlocal known
        about = before.pop(KNOWN, {})
        refuse_another(path, SEARCH, folder.differences(before, folder.described(described(tune))))
        known = Known(about.get("trials", 0), about.get("winner"))

    with owned(path, SEARCH, take_up, resume=not replace, replace=replace):
        keep(path, tune, known)
        yield known


def keep(path: Path, tune: Tune, known: Known) -> None:
    """Write tune.json. Raises RunError."""
    with disk_errors(path):
        write_json(path / TUNE_FILE, {**described(tune), KNOWN: dataclasses.asdict(known)})


def described(tune: Tune) -> dict[str, Any]:
    """What decides the trials, but for their number."""
    base = tune.question.base
    identity = provenance.identity(base, game(base.game))
    settings = tune.settings.model_dump(exclude={"trials"})
    return {
        "program": {key: identity[key] for key in ("game", "rules_version", "code_digest")},
        "base": tune.question.base_name,
        "base_digest": base.digest(),
        "set": dict(tune.question.changes),
        "axes": tune.question.to_json()["axes"],
        "targets": tune.targets.to_json(),
        "tune": settings,
    }
