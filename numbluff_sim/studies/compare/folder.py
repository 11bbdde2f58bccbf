"""The folder of a comparison: comparison.json says what was compared, points/ keeps what was played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.studies.compare.result import COMPARISON_FILE
from numbluff_sim.config import Config
from numbluff_sim.run.folder import FolderKind, differences, owned, refuse_another
from numbluff_sim.studies.compare.variants import Variant

POINTS, EFFECTS = "points", "effects.csv"


def _clear(path: Path) -> None:
    """What was played is kept: another comparison may need it."""
    (path / EFFECTS).unlink(missing_ok=True)


COMPARISON = FolderKind(
    "comparison",
    COMPARISON_FILE,
    "numbluff compare",
    frozenset({"study", "base", "base_digest", "games", "variants"}),
    _clear,
    frozenset({POINTS}),  # comparison.json is written last
)


@contextmanager
def held(
    path: Path, study: str, base_name: str, base: Config, variants: Sequence[Variant], *, replace: bool
) -> Iterator[None]:
    """Hold the folder of a comparison: a new one, or one with what this comparison or another has played.

    `replace`: this one may take the place of another. Raises RunError where it holds something else.
    """
    now = {
        "study": study,
        "base": base_name,
        "base_digest": base.digest(),
        "games": base.run.games,
        "variants": {one.name: one.config.digest() for one in variants},
    }

    def take_up(before: Mapping[str, Any]) -> None:
        then = {**{key: before[key] for key in now}, "variants": {v["name"]: v["digest"] for v in before["variants"]}}
        refuse_another(path, COMPARISON, differences(then, now))

    with owned(path, COMPARISON, take_up, replace=replace):
        yield
