"""A search's file: `base`, [set], [axes], [targets] and [tune], checked before anything is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from numbluff_sim.analysis.studies.question.targets import Targets
from numbluff_sim.config import Config, Section
from numbluff_sim.config.loading import read_toml
from numbluff_sim.errors import ConfigError
from numbluff_sim.studies.question.asked import Question, of_game, read_question, read_settings, validated


class TuneSettings(Section):
    """[tune]: games of every trial, trials at most, games of a confirmation, seed, and the chance that "met" is said
    wrongly.
    """

    games: int = Field(200_000, ge=64, le=10**11)
    trials: int = Field(200, ge=2, le=100_000)
    confirm_games: int = Field(4_000_000, ge=64, le=10**11)
    seed: int = Field(1, ge=0, le=2**62)
    alpha: float = Field(0.05, ge=1e-9, lt=1)


@dataclass(frozen=True)
class Tune:
    """A checked file."""

    question: Question
    settings: TuneSettings
    targets: Targets


def read_tune(
    path: Path,
    *,
    game_name: str | None = None,
    trials: int | None = None,
    games: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> Tune:
    """Read and check a file with [axes], [targets] and [tune]; the options go over what it says. Raises ConfigError;
    nothing is played.
    """
    data, origin = of_game(read_toml(path), game_name), str(path)
    settings = read_settings(data, origin, "tune", TuneSettings)
    for name, value in (("trials", trials), ("games", games), ("seed", seed)):
        if value is not None:
            settings = validated({**settings.model_dump(), name: value}, f"--{name}", "", TuneSettings)
    return tune_of(path, {**data, "tune": settings.model_dump()}, threads=threads)


def tune_of(path: Path, data: Mapping[str, Any], given: Config | None = None, *, threads: int | None = None) -> Tune:
    """As `read_tune`, of what a file at `path` says or would say; `given`: the base, in the place of the one that it
    names. Raises ConfigError.
    """
    origin = str(path)
    settings = read_settings(data, origin, "tune", TuneSettings)
    run = {"games": settings.games, "seed": settings.seed, "threads": threads}
    question = read_question(path, data, run=run, alpha=settings.alpha, given=given)
    if question.targets is None:
        raise ConfigError(
            "there are no targets",
            file=origin,
            key="targets",
            expected=(
                "metrics with ranges under [targets], such as frappe_parfaite_per_round = { low = 0.015, high = 0.02 }"
            ),
        )
    return Tune(question, settings, question.targets)
