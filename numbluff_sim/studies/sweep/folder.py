"""A sweep's folder: sweep.json says which sweep it holds; the points are runs in points/<digest>/."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config, compare, restore
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, RunError, shown_value
from numbluff_sim.run import provenance
from numbluff_sim.run.checkpoint import disk_errors, locked, remove_run
from numbluff_sim.run.store import META_FILE, PARTIAL, write_whole
from numbluff_sim.studies.question.file import Sweep
from numbluff_sim.studies.sweep.tables import POINTS, SWEEP

SWEEP_FILE = "sweep.json"
POINTS_FOLDER = "points"
BEST, TARGETS = "best.toml", "targets.toml"
TABLES = tuple(f"{name}.{kind}" for name in (SWEEP, POINTS) for kind in ("parquet", "csv"))


@dataclass(frozen=True)
class SweepFolder:
    """The folder of a sweep that this process holds."""

    path: Path

    @classmethod
    @contextmanager
    def opened(cls, path: Path, sweep: Sweep, *, replace: bool) -> Iterator[SweepFolder]:
        """Hold the folder for a sweep: a new one, or the one that the same sweep began. Raises RunError where it holds
        something else.

        `replace`: another sweep is removed first.
        """
        with locked(path):
            found = _read(path)
            if found is not None:
                problems = differences(found, sweep)
                if problems and not replace:
                    raise RunError(
                        f"{path} holds another sweep, which this file does not continue: "
                        f"{'; '.join(problems)}. Put this one in its place "
                        "with --replace, or name another --out."
                    )
                if replace:
                    remove_sweep(path)
            about = {**described(sweep), "file": sweep.question.content, "config": sweep.question.base.resolved()}
            with disk_errors(path):
                write_whole(
                    path / SWEEP_FILE,
                    lambda partial: _write(partial, json.dumps(about, indent=2, ensure_ascii=False) + "\n"),
                )
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
    """Why the sweep that sweep.json described as `before` is not this one: each differing key with both values."""
    now = json.loads(json.dumps(described(sweep)))
    problems = []
    for key, value in now.items():
        was = before.get(key)
        if isinstance(value, dict) and isinstance(was, dict):
            problems += [
                f"{key}.{inner} {_was(was, inner)} and {_was(value, inner, 'is now')}"
                for inner in dict.fromkeys([*was, *value])
                if was.get(inner) != value.get(inner)
            ]
            if key == "axes" and not problems and list(was) != list(value):
                problems.append(f"{key} were in the order {', '.join(was)} and are now in the order {', '.join(value)}")
        elif was != value:
            problems.append(f"{key} was {shown_value(was)} and is now {shown_value(value)}")
    if problems:
        return problems
    try:
        return [
            f"the base's {d.key} was {shown_value(d.before)} and is now {shown_value(d.after)}"
            for d in compare.differences(restore(before["config"]), sweep.question.base)
            if d.key != "run.threads"
        ]
    except ConfigError as error:
        return [f"its base is refused by this version ({error})"]


def _was(values: Mapping[str, Any], key: str, verb: str = "was") -> str:
    return f"{verb} {_shown(values[key])}" if key in values else f"{verb} not there"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{key} = {shown_value(inner)}" for key, inner in value.items() if inner is not None)
            + " }"
        )
    return shown_value(value)


def remove_sweep(path: Path) -> None:
    """Remove a sweep's own files from its folder, sweep.json last; whatever else is there stays."""
    for folder in sorted((path / POINTS_FOLDER).glob("*")):
        if (folder / META_FILE).exists():
            remove_run(folder)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    for name in (*TABLES, BEST, TARGETS, SWEEP_FILE):
        (path / name).unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any] | None:
    """The sweep.json of a folder; None for an empty one. Raises RunError for a folder of something else."""
    others = sorted(p.name for p in path.iterdir() if not p.name.endswith(PARTIAL))
    if SWEEP_FILE not in others:
        if others:
            shown = ", ".join(others[:3]) + (" and more" if len(others) > 3 else "")
            raise RunError(
                f"{path} already holds something that is not a sweep ({shown}); expected a new or empty "
                "folder. Name another --out."
            )
        return None
    try:
        found = json.loads((path / SWEEP_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(
            f"{path / SWEEP_FILE} cannot be read ({error}); expected the JSON that `numbluff sweep` wrote. "
            "Name another --out."
        ) from None
    if not isinstance(found, dict) or not {"design", "axes", "config"} <= found.keys():
        raise RunError(
            f"{path / SWEEP_FILE} is not a sweep's description; expected the JSON that `numbluff sweep` "
            "wrote. Name another --out."
        )
    return found


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
