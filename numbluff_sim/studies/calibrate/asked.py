"""What a calibration is asked: rulings, ways of playing, rates, and how many games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numbluff_sim.analysis.studies.calibrate.rates import GivenRates, read_rates
from numbluff_sim.analysis.studies.calibrate.space import Assignment, Space
from numbluff_sim.config import Config
from numbluff_sim.config.origin import Origin
from numbluff_sim.config.personas import Personas, personas
from numbluff_sim.errors import ConfigError

#: Games of the first stage of the race, and how many times as many each later one has.
FIRST_STAGE, STAGE_FACTOR = 4096, 4


#: Smallest chance of error that may be asked for: it is divided by all that is decided, and quantiles end far below.
LEAST_ALPHA = 1e-9


@dataclass(frozen=True)
class Task:
    """What is asked. `games`: of every combination that is listed; `screen_games`: in every context of the
    screening. ConfigError: a tiny alpha.
    """

    space: Space
    personas: Personas
    rates: GivenRates
    games: int
    screen_games: int
    alpha: float

    def __post_init__(self) -> None:
        if not LEAST_ALPHA <= self.alpha < 1:
            raise ConfigError(
                f"alpha = {self.alpha:g} is too small: no number of games makes such intervals narrow",
                file="--alpha",
                key="alpha",
                value=self.alpha,
                expected=f"from {LEAST_ALPHA:g} up to below 1",
            )

    @property
    def base(self) -> Config:
        """The configuration of the first way of playing: rules, deck, table, seed and threads are those of all."""
        return next(iter(self.personas.configs.values()))

    @property
    def stages(self) -> tuple[int, ...]:
        """Games of every stage of the race."""
        found, games = [], FIRST_STAGE
        while games < self.games:
            found.append(games)
            games *= STAGE_FACTOR
        return tuple(found)

    def identity(self) -> dict[str, Any]:
        """All that decides the outcome."""
        return {
            "configurations": dict(self.personas.configs),
            "rulings": {
                name: list(answers) for name, answers in zip(self.space.names, self.space.answers, strict=True)
            },
            "rates": [
                [claim.id, list(claim.metrics), claim.range.low, claim.range.high] for claim in self.rates.claims
            ],
            "games": self.games,
            "screen_games": self.screen_games,
            "alpha": self.alpha,
        }

    def config(self, persona: str, assignment: Assignment) -> Config:
        """One combination. Registered answers need no checking again."""
        config: Any = self.personas.configs[persona]
        rules = config.rules.model_copy(update=self.space.rules(assignment))
        changed: Config = config.model_copy(update={"rules": rules})
        return changed


def read_task(
    origin: Origin,
    *,
    rates: str | None = None,
    ways: Sequence[str] | None = None,
    rulings: Sequence[str] | None = None,
    screen_games: int,
    alpha: float,
) -> Task:
    """The task on the configuration of `origin`: `rates` a baseline ("documented" if none is named), `ways` of playing
    and `rulings` by name, None for all. Raises ConfigError; nothing is played.
    """
    base = origin.load()
    return Task(
        Space.of(base, rulings),
        personas(origin, base, ways),
        read_rates(rates, base),
        base.run.games,
        screen_games,
        alpha,
    )
