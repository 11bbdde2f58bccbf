"""What a habit brings the one player who has it: effects on points and win share, with intervals. Written as
what_if_one.json.

The estimand: the same games twice, in all of which one seat has the habit or does what it is held against, all else as
it is; the difference of what that seat gets, a mean over games and over the seats, each of which is the one in turn.
Seats do not differ by it, and neither do players: nothing but the habit does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate
from numbluff_sim.analysis.statistics.paired import FAMILY_ALPHA, grouped_mean
from numbluff_sim.config.model import seating_of
from numbluff_sim.encoding import HighEnd, LowEnd, from_json, json_text
from numbluff_sim.errors import RunError

RESULT_FILE = "what_if_one.json"
Outcome = Literal["points", "win_share"]
Verdict = Literal["brings", "costs", "negligible", "open", "nothing"]
#: Effects a game within these are negligible: half a point, half a percentage point of win share.
NEGLIGIBLE: Mapping[Outcome, float] = {"points": 0.5, "win_share": 0.005}
#: Games of which none differs before it is said that nothing does.
ENOUGH_GAMES = 100
#: Company of those who play as they do.
AS_THEY_ARE = "as_they_are"


@dataclass(frozen=True)
class OneEffect:
    """What a habit brings in a company, a game. `simultaneous`: the interval that holds for all effects together
    (Bonferroni at FAMILY_ALPHA); `by_seat`: the value with each seat as the one; `identical`: no group of games
    differs for any seat.
    """

    habit: str
    company: str
    outcome: Outcome
    difference: Estimate
    simultaneous: tuple[LowEnd, HighEnd]
    by_seat: Sequence[float]
    identical: bool

    @property
    def verdict(self) -> Verdict:
        """By the simultaneous interval: "brings" and "costs" exclude 0, "negligible" lies within NEGLIGIBLE (then it
        is called so, whether or not 0 is excluded), "nothing": no game differs.
        """
        low, high = self.simultaneous
        if self.identical:
            return "nothing" if self.difference.games >= ENOUGH_GAMES else "open"
        if max(abs(low), abs(high)) < NEGLIGIBLE[self.outcome]:
            return "negligible"
        return "brings" if low > 0 else "costs" if high < 0 else "open"


@dataclass(frozen=True)
class WhatIfOne:
    """All effects. `seats`: the persona of every seat; `habits` and `companies`: labels by name and language;
    `refused`: habits that no seat can have, with why.
    """

    game: str
    base: str
    base_digest: str
    seats: Sequence[str]
    seed: int
    games: int
    habits: Mapping[str, Mapping[str, str]]
    companies: Mapping[str, Mapping[str, str]]
    effects: Sequence[OneEffect]
    refused: Mapping[str, str] = field(default_factory=dict)
    made_with: Mapping[str, str] = field(default_factory=dict)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.seats)

    @property
    def seating(self) -> Mapping[str, Sequence[int]]:
        """Who sits where: seats (from 0) by persona, in the order of the seats."""
        return seating_of(self.seats)

    def effect(self, habit: str, company: str, outcome: str) -> OneEffect:
        """One of the effects."""
        wanted = (habit, company, outcome)
        return next(one for one in self.effects if (one.habit, one.company, one.outcome) == wanted)

    def of_habit(self, habit: str, outcome: Outcome) -> list[OneEffect]:
        """The effects of a habit on an outcome, a company each."""
        return [one for one in self.effects if one.habit == habit and one.outcome == outcome]

    def text(self) -> str:
        """what_if_one.json."""
        return json_text(
            {
                **{name: getattr(self, name) for name in self.__dataclass_fields__},
                "alpha": ALPHA,
                "family_alpha": FAMILY_ALPHA,
                "negligible": NEGLIGIBLE,
                "verdicts": [one.verdict for one in self.effects],
            },
            indent=1,
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row an effect."""
        for one in self.effects:
            yield {
                "habit": one.habit,
                "company": one.company,
                "outcome": one.outcome,
                "difference": one.difference.value,
                "low": one.difference.low,
                "high": one.difference.high,
                "level": one.difference.level,
                "simultaneous_low": one.simultaneous[0],
                "simultaneous_high": one.simultaneous[1],
                "verdict": one.verdict,
                **{f"seat_{p}": value for p, value in enumerate(one.by_seat)},
                "games": one.difference.games,
                "method": one.difference.method,
            }


@dataclass(frozen=True)
class Received:
    """What the one got: float64 (seats, groups), sums over the groups' games, with each seat as the one."""

    points: NDArray[np.float64] | None
    win_share: NDArray[np.float64]

    def outcomes(self) -> Iterator[tuple[Outcome, NDArray[np.float64]]]:
        """The outcomes that the game has."""
        if self.points is not None:
            yield "points", self.points
        yield "win_share", self.win_share


def effects(pairs: Mapping[tuple[str, str], tuple[Received, Received]], games: NDArray[np.int64]) -> list[OneEffect]:
    """The effects of habits in companies, {(habit, company): (does, rather than)}; games (groups,): of every group.

    Differences of sums, averaged over seats, a mean a game with a grouped jackknife error and Student's t
    (`statistics.paired.grouped_mean`); pairs of which no group differs stay out of the family.
    """
    differences = [
        (habit, company, outcome, with_it - without_it)
        for (habit, company), (does, rather) in pairs.items()
        for (outcome, with_it), (_, without_it) in zip(does.outcomes(), rather.outcomes(), strict=True)
    ]
    family = sum(bool(apart.any()) for *_, apart in differences)
    found = []
    for habit, company, outcome, apart in differences:
        unit = "points" if outcome == "points" else "share"
        estimator = grouped_mean(f"{habit}_{outcome}", apart.mean(axis=0), games, unit)
        found.append(
            OneEffect(
                habit,
                company,
                outcome,
                estimator.at(ALPHA),
                estimator.bounds(FAMILY_ALPHA / max(family, 1)),
                [float(value) for value in apart.sum(axis=1) / games.sum()],
                not apart.any(),
            )
        )
    return found


def read_what_if_one(folder: Path) -> WhatIfOne:
    """The result in a folder. Raises RunError where there is none or it cannot be read."""
    path = folder / RESULT_FILE
    try:
        return from_json(WhatIfOne, json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise RunError(f"{folder} holds no {RESULT_FILE}; expected the folder of `numbluff what-if-one`.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"{path} cannot be read ({error}); make it anew with `numbluff what-if-one`.") from None
