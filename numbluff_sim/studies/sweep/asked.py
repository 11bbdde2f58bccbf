"""A sweep's file: `base`, [set], [axes], [targets] and [sweep], checked before anything is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from numbluff_sim.analysis.metrics.personas import expected_metric
from numbluff_sim.config import Config, Section
from numbluff_sim.config.loading import read_toml
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, nearest_name
from numbluff_sim.studies.question.asked import (
    Question,
    known_metrics,
    of_game,
    read_question,
    read_settings,
    validated,
)


class SweepSettings(Section):
    """[sweep]: which points are played, how many games each, which metrics are kept.

    `points`: base samples of the sobol design, a power of 2 (it plays points x (axes + 2)); `metrics`: () for the
    game's headline metrics; `alpha`: the chance that any statement on a target ("met", "missed") is wrong.
    """

    design: Literal["grid", "one_at_a_time", "sobol"] = "grid"
    games: int = Field(1_000_000, ge=2, le=10**11)
    seed: int = Field(1, ge=0, le=2**63 - 1)
    points: int | None = Field(None, ge=2, le=2**16)
    metrics: tuple[str, ...] = Field((), strict=False)
    alpha: float = Field(0.05, ge=1e-9, lt=1)

    @model_validator(mode="after")
    def _points_of_sobol(self) -> Self:
        if self.points is not None and self.design != "sobol":
            raise ConfigError(
                f'sweep.points = {self.points} goes with design = "sobol", and the design is "{self.design}"',
                key="sweep.points",
                value=self.points,
                expected="no points: a grid and one_at_a_time play every value of the axes",
            )
        if self.points is not None and self.points.bit_count() != 1:
            raise ConfigError(
                f"sweep.points = {self.points} cannot be used",
                key="sweep.points",
                value=self.points,
                expected=(
                    f"a power of 2, such as {2 ** (self.points.bit_length() - 1)} or {2 ** self.points.bit_length()}"
                ),
            )
        return self

    @property
    def base_samples(self) -> int:
        """Base samples of the sobol design."""
        return 64 if self.points is None else self.points


@dataclass(frozen=True)
class Sweep:
    """A checked sweep file. `metrics`: the names kept of every point, those of the targets included."""

    question: Question
    settings: SweepSettings
    metrics: tuple[str, ...]


def read_sweep(
    path: Path, *, game_name: str | None = None, games: int | None = None, threads: int | None = None
) -> Sweep:
    """Read and check a sweep file; `game_name`, `games` and `threads` go over what it says. Raises ConfigError;
    nothing is played.
    """
    data = of_game(read_toml(path), game_name)
    if games is not None:
        settings = read_settings(data, str(path), "sweep", SweepSettings)
        data["sweep"] = validated({**settings.model_dump(), "games": games}, "--games", "", SweepSettings).model_dump(
            exclude_none=True
        )
    return sweep_of(path, data, threads=threads)


def sweep_of(path: Path, data: Mapping[str, Any], given: Config | None = None, *, threads: int | None = None) -> Sweep:
    """As `read_sweep`, of what a file at `path` says or would say; `given`: the base, in the place of the one that it
    names. Raises ConfigError.
    """
    origin = str(path)
    settings = read_settings(data, origin, "sweep", SweepSettings)
    run = {"games": settings.games, "seed": settings.seed, "threads": threads}
    question = read_question(path, data, run=run, alpha=settings.alpha, given=given)
    known = known_metrics(question.base)
    names = settings.metrics or tuple(game(question.base.game).metrics.headline(question.base))
    wrong = next((name for name in names if name not in known), None)
    if wrong is not None:
        raise ConfigError(
            f'"{wrong}" is not a metric',
            file=origin,
            key="sweep.metrics",
            value=wrong,
            nearest=nearest_name(wrong, known),
            expected=expected_metric(known),
        )
    return Sweep(
        question, settings, tuple(dict.fromkeys([*(question.targets.metrics if question.targets else ()), *names]))
    )
