"""The outcome of a calibration: every cell with its verdict, in tables and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.verdicts import Status
from numbluff_sim.analysis.studies.calibrate.cells import Cell, Rated
from numbluff_sim.analysis.studies.calibrate.rates import GivenRates
from numbluff_sim.analysis.studies.calibrate.screening import SLIGHT, Power, Screen
from numbluff_sim.analysis.studies.calibrate.space import Answer, Assignment, Space
from numbluff_sim.analysis.studies.calibrate.telling_apart import Apart, Silent
from numbluff_sim.encoding import HighEnd, as_json, finite
from numbluff_sim.errors import shown_value

#: How a table shows an answer that stands for every answer.
ANY = "any"
#: Cells shown as nearest where none is left.
NEAREST = 5
ORDER = ("consistent", "open", "ruled_out")


@dataclass(frozen=True)
class Completions:
    """Random combinations, each played on the deals of its cell: how many were tried, how many had another rate, how
    many of these by more than the slight rulings may, and the largest difference of each rate.
    """

    tried: int
    changed: int
    beyond: int
    largest: tuple[HighEnd, ...]

    @classmethod
    def of(cls, moved: NDArray[np.float64], slack: NDArray[np.float64]) -> Completions:
        """From the differences (C, R) and what they may be (R,)."""
        largest = tuple(map(float, moved.max(axis=0, initial=0.0)))
        return cls(len(moved), int(moved.any(axis=1).sum()), int((moved > slack).any(axis=1).sum()), largest)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        found: dict[str, Any] = as_json(
            {"tried": self.tried, "changed": self.changed, "beyond_slack": self.beyond, "largest": self.largest}
        )
        return found


@dataclass(frozen=True)
class Levels:
    """The chances of error: half of `alpha` for ruling out (over `cells` cells, all rates and stages), half for
    listing (over the cells left).
    """

    alpha: float
    cells: int
    rates: int
    stages: tuple[int, ...]
    left: int

    @property
    def race(self) -> float:
        """Of one interval of the race."""
        return self.alpha / 2 / max(self.cells * self.rates * len(self.stages), 1)

    @property
    def last(self) -> float:
        """Of one interval of the last measurement."""
        return self.alpha / 2 / max(self.left * self.rates, 1)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "alpha": self.alpha,
            "procedure": "Bonferroni: half over cells x rates x stages of the race, half over the cells left x rates",
            "cells": self.cells,
            "rates": self.rates,
            "stages": list(self.stages),
            "cells_left": self.left,
            "alpha_of_an_interval_in_the_race": self.race,
            "alpha_of_an_interval_at_the_end": self.last,
        }


@dataclass(frozen=True)
class Calibration:
    """What agrees with the given rates, what does not, and how that was found.

    `personas`: ways of playing that were tried, in order; `same`: those that play exactly as one of them. `rated`:
    every cell, measured as far as it came. `completions`, by key of listed cells: random answers to the rulings that do
    not act. `audits`, by persona: random combinations held against their cells. `silent`, by persona: what the rulings
    that do not act do to other metrics, on its first listed cell.
    """

    space: Space
    rates: GivenRates
    personas: tuple[str, ...]
    same: Mapping[str, str]
    screens: Mapping[str, Screen]
    rated: tuple[Rated, ...]
    levels: Levels
    games: int
    seed: int
    players: int
    completions: Mapping[str, Completions]
    audits: Mapping[str, Completions]
    apart: Apart
    silent: Mapping[str, tuple[Silent, ...]]

    @property
    def combinations(self) -> int:
        """All that was asked: assignments times ways of playing."""
        return self.space.combinations * len(self.personas)

    @property
    def listed(self) -> list[Rated]:
        """The cells that are consistent, then those that are open; each in order of ways of playing, then of the
        number of changes.
        """
        left = [one for one in self.rated if one.status != "ruled_out"]
        return sorted(
            left,
            key=lambda one: (
                ORDER.index(one.status),
                self.personas.index(one.cell.persona),
                sum(k > 0 for k in one.cell.assignment),
                one.cell.assignment,
            ),
        )

    def counted(self, status: str) -> int:
        """Combinations that cells of a status stand for."""
        return sum(one.cell.stands_for for one in self.rated if one.status == status)

    def powers(self, persona: str) -> tuple[Power, ...]:
        """What every ruling can do to the rates with a way of playing."""
        return self.screens[persona].powers(self.space, self.rates.halves)

    def slack(self, persona: str) -> NDArray[np.float64]:
        """How far the slight rulings can move each rate with a way of playing."""
        return self.screens[persona].slack(self.powers(persona), len(self.rates.claims))

    def free(self, cell: Cell) -> list[str]:
        """The rulings that do not act with a cell's way of playing: any answer gives the same."""
        return [
            name
            for name, power in zip(self.space.names, self.powers(cell.persona), strict=True)
            if power is not Power.ACTS
        ]

    def acting(self, cell: Cell) -> dict[str, Answer]:
        """A cell's answers to the rulings that act."""
        free = set(self.free(cell))
        return {name: answer for name, answer in self.space.rules(cell.assignment).items() if name not in free}

    def vouched(self, cell: Cell) -> bool:
        """Whether no random answers to the other rulings moved a rate farther than these may."""
        found = self.completions.get(cell.key)
        return found is not None and not found.beyond

    def distance(self, one: Rated) -> float:
        """How far outside its margin the farthest rate lies, in half margins."""

        def outside(value: float, low: float, high: float) -> float:
            return math.inf if math.isnan(value) else max(low - value, value - high, 0.0)

        return max(
            outside(estimate.value, claim.range.low, claim.range.high) / float(half)
            for estimate, claim, half in zip(one.estimates, self.rates.claims, self.rates.halves, strict=True)
        )

    def nearest(self) -> list[Rated]:
        """The cells whose farthest rate lies nearest to its margin, of those that are ruled out."""
        return sorted((one for one in self.rated if one.status == "ruled_out"), key=self.distance)[:NEAREST]

    def ruled_out_by(self, persona: str, ruling: int, answer: int) -> list[str] | None:
        """The rates that each rule out all of a way of playing with this answer; None where a cell is left, [] where
        it takes several rates.
        """
        of = [
            one
            for one in self.rated
            if one.cell.persona == persona and self._has(persona, one.cell.assignment, ruling, answer)
        ]
        if any(one.status != "ruled_out" for one in of):
            return None
        return [
            claim.id
            for i, claim in enumerate(self.rates.claims)
            if all(one.statuses[i] is Status.DIFFERS for one in of)
        ]

    def _has(self, persona: str, assignment: Assignment, ruling: int, answer: int) -> bool:
        return self.powers(persona)[ruling] is not Power.ACTS or assignment[ruling] == answer

    def to_json(self) -> dict[str, Any]:
        """JSON-able: the given rates, what is left, what rulings can do, what would tell the rest apart, and every
        level.
        """
        return {
            "rates": [
                {
                    "claim": claim.id,
                    "text": {"en": claim.text.en, "fr": claim.text.in_language("fr")},
                    "metrics": list(claim.metrics),
                    "low": claim.range.low,
                    "high": claim.range.high,
                }
                for claim in self.rates.claims
            ],
            "origin": self.rates.origin,
            "claims_left_out": dict(self.rates.left_out),
            "players": self.players,
            "seed": self.seed,
            "games": self.games,
            "personas": list(self.personas),
            "plays_as": dict(self.same),
            "rulings": {
                name: list(answers) for name, answers in zip(self.space.names, self.space.answers, strict=True)
            },
            "combinations": self.combinations,
            "consistent": self.counted("consistent"),
            "open": self.counted("open"),
            "ruled_out": self.counted("ruled_out"),
            "levels": self.levels.to_json(),
            "listed": [self.listed_json(one) for one in self.listed],
            "nearest": [] if self.listed else [self.listed_json(one) for one in self.nearest()],
            "rulings_that_act": {persona: self._powers_json(persona) for persona in self.personas},
            "audits": {persona: audit.to_json() for persona, audit in self.audits.items()},
            "further_measurement": self.apart.to_json(),
            "rulings_that_do_not_act": {persona: as_json(found) for persona, found in self.silent.items()},
        }

    def listed_json(self, one: Rated) -> dict[str, Any]:
        """A cell in words."""
        completions = self.completions.get(one.cell.key)
        return {
            "persona": one.cell.persona,
            "status": one.status,
            "changes": self.space.changes(one.cell.assignment),
            "rulings": self.acting(one.cell),
            "any_answer_to": self.free(one.cell),
            "stands_for": one.cell.stands_for,
            "games": one.games,
            "rates": {
                claim.id: {**estimate.to_json(), "verdict": VERDICTS[status]}
                for claim, estimate, status in zip(self.rates.claims, one.estimates, one.statuses, strict=True)
            },
            "games_to_settle": one.games_to_settle,
            "random_answers": completions.to_json() if completions else None,
            "random_answers_agree": self.vouched(one.cell) if completions else None,
        }

    def _powers_json(self, persona: str) -> dict[str, Any]:
        screen, slack = self.screens[persona], self.slack(persona)
        effects = [
            {
                "ruling": self.space.names[i],
                "answer": self.space.answers[i][k],
                "contexts": effect.contexts,
                "contexts_changed": effect.changed,
                "largest": self._by_rate(map(finite, effect.largest)),
                "power": str(effect.power(self.rates.halves)),
            }
            for (i, k), effect in screen.effects.items()
        ]
        return {
            "games": screen.games,
            "contexts": screen.contexts,
            "games_changed_at_most": 3 / screen.games,
            "slight_below_half_margins": SLIGHT,
            "slack": self._by_rate(map(float, slack)),
            "changes": effects,
        }

    def _by_rate(self, values: Iterable[float | None]) -> dict[str, float | None]:
        return {claim.id: value for claim, value in zip(self.rates.claims, values, strict=True)}


VERDICTS = {Status.HOLDS: "inside", Status.DIFFERS: "outside", Status.INCONCLUSIVE: "open"}


#: Columns of the long table behind the rulings with their Arrow types.
RATE = {
    "rate": "string",
    "metric": "string",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "alpha": "float64",
    "margin_low": "float64",
    "margin_high": "float64",
    "verdict": "string",
    "n": "int64",
    "denominator": "string",
    "method": "string",
    "games": "int64",
    "games_to_settle": "int64",
}


def table_columns(found: Calibration) -> dict[str, str]:
    """Columns of the long table with their Arrow types; one of each ruling among them."""
    rulings = dict.fromkeys(found.space.names, "string")
    return {"persona": "string", "status": "string", "stands_for": "int64", **rulings, **RATE}


def table_rows(found: Calibration) -> list[dict[str, Any]]:
    """The long table: a row a cell and rate, listed cells first; rulings that do not act are "any"."""
    rest = [one for one in found.rated if one.status == "ruled_out"]
    return [_row(found, one, i) for one in (*found.listed, *rest) for i in range(len(found.rates.claims))]


def _row(found: Calibration, one: Rated, i: int) -> dict[str, Any]:
    claim, estimate = found.rates.claims[i], one.estimates[i]
    answers = dict.fromkeys(found.space.names, ANY) | {
        name: answer_text(answer) for name, answer in found.acting(one.cell).items()
    }
    return {
        "persona": one.cell.persona,
        "status": one.status,
        "stands_for": one.cell.stands_for,
        **answers,
        "rate": claim.id,
        "metric": estimate.name,
        "value": finite(estimate.value),
        "low": finite(estimate.low),
        "high": finite(estimate.high),
        "alpha": float(f"{estimate.alpha:.6g}"),
        "margin_low": claim.range.low,
        "margin_high": claim.range.high,
        "verdict": VERDICTS[one.statuses[i]],
        "n": estimate.n,
        "denominator": estimate.denominator,
        "method": estimate.method,
        "games": one.games,
        "games_to_settle": one.settle[i],
    }


def answer_text(answer: Answer) -> str:
    """An answer without quotes."""
    return answer if isinstance(answer, str) else shown_value(answer)
