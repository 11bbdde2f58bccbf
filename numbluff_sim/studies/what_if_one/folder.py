"""The folder of a what-if-one: what_if_one.json says what was asked, played.json keeps what every table gave."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.studies.what_if_one.result import RESULT_FILE
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.contract.ways import Company, Habit
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, write_text
from numbluff_sim.run.folder import FolderKind, differences, owned, refuse_another

EFFECTS, PLAYED = "effects.csv", "played.json"
Sums = dict[str, list[list[float]]]


def _clear(path: Path) -> None:
    for name in (EFFECTS, PLAYED):
        (path / name).unlink(missing_ok=True)


WHAT_IF_ONE = FolderKind(
    "what-if-one",
    RESULT_FILE,
    "numbluff what-if-one",
    frozenset({"base", "base_digest", "games", "habits", "companies"}),
    _clear,
    frozenset({PLAYED}),  # what_if_one.json is written last
)


@contextmanager
def held(
    path: Path, base_name: str, base: Config, habits: Sequence[Habit], companies: Sequence[Company], *, replace: bool
) -> Iterator[None]:
    """Hold the folder; `replace`: this one may take the place of another. Raises RunError where it holds something
    else.
    """
    code = provenance.identity(base, game(base.game))["code_digest"]
    asked = [one.name for one in habits]
    now = {
        "base": base_name,
        "base_digest": base.digest(),
        "games": base.run.games,
        "code_digest": code,
        "habits": asked,
        "companies": [one.name for one in companies],
    }

    def take_up(before: Mapping[str, Any]) -> None:
        then = {
            **{key: before[key] for key in ("base", "base_digest", "games")},
            "code_digest": before["made_with"]["code_digest"],
            "habits": sorted(
                [*before["habits"], *before["refused"]], key=lambda name: asked.index(name) if name in asked else -1
            ),
            "companies": list(before["companies"]),
        }
        refuse_another(path, WHAT_IF_ONE, differences(then, now))

    with owned(path, WHAT_IF_ONE, take_up, replace=replace):
        _forget_others(path, {"code_digest": code, "games": base.run.games})
        yield


def _forget_others(path: Path, identity: Mapping[str, object]) -> None:
    """Keep what was played only if this program played it, as often."""
    file = path / PLAYED
    try:
        same = json.loads(file.read_text(encoding="utf-8"))["identity"] == identity
    except (OSError, ValueError, KeyError, TypeError):
        same = False
    if not same:
        with disk_errors(path):
            write_text(file, json.dumps({"identity": identity, "tables": {}}))


def read_kept(folder: Path | None) -> Sums:
    """Sums by table that were played before."""
    if folder is None:
        return {}
    tables: Sums = json.loads((folder / PLAYED).read_text(encoding="utf-8"))["tables"]
    return tables


def kept(folder: Path | None, tables: Sums) -> None:
    """Keep the sums of all tables played so far."""
    if folder is not None:
        file = folder / PLAYED
        identity = json.loads(file.read_text(encoding="utf-8"))["identity"]
        with disk_errors(folder):
            write_text(file, json.dumps({"identity": identity, "tables": tables}))
