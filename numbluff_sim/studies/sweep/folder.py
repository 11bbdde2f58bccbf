"""A sweep's folder: sweep.json says which sweep it holds; the points are runs in points/<digest>/."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.run import folder, provenance
from numbluff_sim.run.files import disk_errors, write_json
from numbluff_sim.run.folder import FolderKind, owned, refuse_another, remove_inner
from numbluff_sim.run.store import RUN
from numbluff_sim.studies.question.best import TARGETS
from numbluff_sim.studies.sweep.asked import Sweep
from numbluff_sim.studies.sweep.tables import POINTS, SWEEP

SWEEP_FILE = "sweep.json"
POINTS_FOLDER = "points"
BEST = "best.toml"
TABLES = tuple(f"{name}.{kind}" for name in (SWEEP, POINTS) for kind in ("parquet", "csv"))


def _clear(path: Path) -> None:
    for point in sorted((path / POINTS_FOLDER).glob("*")):
        remove_inner(point, RUN)
    for name in (*TABLES, BEST, TARGETS):
        (path / name).unlink(missing_ok=True)


SWEEP_FOLDER = FolderKind("sweep", SWEEP_FILE, "numbluff sweep", frozenset({"design", "axes", "config"}), _clear)


@dataclass(frozen=True)
class SweepFolder:
    """The folder of a sweep that this process holds."""

    path: Path

    @classmethod
    @contextmanager
    def held(cls, path: Path, sweep: Sweep, *, replace: bool) -> Iterator[SweepFolder]:
        """Hold the folder for a sweep: a new one, or the one that the same sweep began. Raises RunError where it holds
        something else.

        `replace`: what a sweep has left there is removed first.
        """

        def take_up(before: Mapping[str, Any]) -> None:
            refuse_another(path, SWEEP_FOLDER, differences(before, sweep))

        with owned(path, SWEEP_FOLDER, take_up, resume=not replace, replace=replace):
            about = {**described(sweep), "file": sweep.question.content, "config": sweep.question.base.resolved()}
            with disk_errors(path):
                write_json(path / SWEEP_FILE, about)
                (path / POINTS_FOLDER).mkdir(exist_ok=True)
            yield cls(path)

    def point(self, config: Config) -> Path:
        """The folder of a point's run."""
        return self.path / POINTS_FOLDER / config.digest()


def described(sweep: Sweep) -> dict[str, Any]:
    """What decides which points are played."""
    settings, base = sweep.settings, sweep.question.base
    identity = provenance.identity(base, game(base.game))
    return {
        "program": {key: identity[key] for key in ("game", "rules_version", "code_digest")},
        "design": settings.design,
        "points": settings.base_samples if settings.design == "sobol" else None,
        "games": settings.games,
        "seed": settings.seed,
        **{key: value for key, value in sweep.question.to_json().items() if key != "run"},
    }


def differences(before: Mapping[str, Any], sweep: Sweep) -> list[str]:
    """Why the sweep that sweep.json described as `before` is not this one: each differing key with both values; those
    of the base where nothing else differs.
    """
    now = folder.described(described(sweep))
    return folder.differences({key: before.get(key) for key in now}, now) or folder.differences(
        {"config": before["config"]}, {"config": sweep.question.base}
    )
