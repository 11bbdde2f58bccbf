"""Which combinations of rulings and ways of playing agree with given rates: what is asked, what a ruling can do to the
rates, what is left.

Rulings that cannot act on the rates need not be told apart. So combinations are judged in *cells*: one answer to each
ruling that acts, and any answer to the others; a cell stands for all its combinations. Whether a ruling acts is found
for every way of playing by changing it alone, and together with every change of another ruling, on the same deals
(`screen`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator
from numbluff_sim.analysis.statistics.paired import jackknife_error
from numbluff_sim.analysis.statistics.verdicts import SETTLE_POWER, Margin, Status, games_needed, status_at
from numbluff_sim.analysis.studies.check.baselines import Baseline, check_names, load_baseline
from numbluff_sim.analysis.studies.check.claims import Claim, Measured
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, nearest_name, shown_value

Answer = str | bool
#: One answer a ruling, as its number among that ruling's answers; 0 is the configuration's own.
Assignment = tuple[int, ...]
#: A ruling's number and that of another answer than the configuration's own.
Flip = tuple[int, int]
#: A ruling that moves every rate by less than this part of half its margin, in every context, is told apart from those
#: that act.
SLIGHT = 0.1


@dataclass(frozen=True)
class GivenRates:
    """The rates to be reproduced, each a claim with a margin of two ends; `left_out` says of every other claim of
    the file why it is none.
    """

    claims: tuple[Claim, ...]
    origin: str
    left_out: Mapping[str, str]

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics that the rates are made of."""
        return tuple(dict.fromkeys(name for claim in self.claims for name in claim.metrics))

    def parts(self, measured: Measured) -> list[Estimator]:
        """The measured rates, in the order of the claims."""
        return [claim.parts(measured)[0] for claim in self.claims]

    @property
    def halves(self) -> NDArray[np.float64]:
        """Half the width of every margin, (R,)."""
        return np.array([(claim.range.high - claim.range.low) / 2 for claim in self.claims])


def read_rates(source: str | None, config: Config) -> GivenRates:
    """The rates of a baseline (format: docs/BASELINES.md; None: "documented"): its claims on one metric (or a
    difference) with both ends of a margin.

    A claim's preset, expected verdict and source do not matter here; one that holds for other players or settings is
    left out. Raises ConfigError.
    """
    book, origin = load_baseline(source, game_name=config.game)
    if book.game != config.game:
        raise ConfigError(
            f'the rates are of the game "{book.game}"',
            file=origin,
            key="game",
            value=book.game,
            expected=f'rates of "{config.game}", the game of the configuration',
        )
    known = game(config.game).metrics.known(config)
    left_out: dict[str, str] = {}
    for claim in book.claims:
        reason = _unusable(claim, config)
        if reason:
            left_out[claim.id] = reason
        else:
            check_names(book, origin, claim, known)
    return GivenRates(_usable(book, left_out, origin), origin, left_out)


def _unusable(claim: Claim, config: Config) -> str:
    """Why a claim is no rate to be reproduced: a catalogue's key, or nothing."""
    if claim.order or not (math.isfinite(claim.range.low) and math.isfinite(claim.range.high)):
        return "one_sided"
    if claim.overrides:
        return "other_settings"
    return "other_players" if claim.players not in (None, config.players) else ""


def _usable(book: Baseline, left_out: Mapping[str, str], origin: str) -> tuple[Claim, ...]:
    claims = tuple(claim for claim in book.claims if claim.id not in left_out)
    if not claims:
        raise ConfigError(
            "no claim states a rate that can be reproduced",
            file=origin,
            key="claims",
            expected=(
                "at least one claim with a metric and a margin with low and high, without overrides, for this "
                "number of players"
            ),
        )
    flat = next((claim for claim in claims if claim.range.low == claim.range.high), None)
    if flat is not None:
        raise ConfigError(
            f"claim {flat.id}: no interval fits into a margin from {flat.range.low:g} to {flat.range.high:g}",
            file=origin,
            key="margin",
            expected="low below high",
        )
    return claims


@dataclass(frozen=True)
class Space:
    """The rulings that vary and their answers, the configuration's own answer first."""

    names: tuple[str, ...]
    answers: tuple[tuple[Answer, ...], ...]

    @classmethod
    def of(cls, config: Config, chosen: Sequence[str] | None = None) -> Space:
        """The rulings of a configuration's game, all or the chosen ones. Raises ConfigError for a name that is none."""
        rulings = {ruling.name: ruling for ruling in game(config.game).rules.rulings}
        for name in chosen or ():
            if name not in rulings:
                raise ConfigError(
                    f'"{name}" is not a ruling',
                    file="--rulings",
                    key="rulings",
                    value=name,
                    expected=f"some of {', '.join(rulings)}",
                    nearest=nearest_name(name, rulings),
                )
        own = config.resolved()["rules"]
        names = tuple(name for name in rulings if chosen is None or name in chosen)
        answers = [
            (own[name], *(answer for answer in rulings[name].alternatives if answer != own[name])) for name in names
        ]
        return cls(names, tuple(answers))

    @property
    def combinations(self) -> int:
        """Number of assignments."""
        return math.prod(map(len, self.answers))

    @property
    def reference(self) -> Assignment:
        """The configuration's own answers."""
        return (0,) * len(self.names)

    def flips(self) -> list[Flip]:
        """Every change of one ruling."""
        return [(i, k) for i, answers in enumerate(self.answers) for k in range(1, len(answers))]

    def contexts(self) -> list[tuple[Flip, ...]]:
        """What is played to see what rulings can do: no change, every change of one ruling, every change of two."""
        pairs = [(f, g) for f, g in itertools.combinations(self.flips(), 2) if f[0] != g[0]]
        return [(), *((flip,) for flip in self.flips()), *pairs]

    def changed(self, flips: Sequence[Flip]) -> Assignment:
        """The configuration's own answers with some changes."""
        changes = dict(flips)
        return tuple(changes.get(i, 0) for i in range(len(self.names)))

    def rules(self, assignment: Assignment) -> dict[str, Answer]:
        """The answers of an assignment by ruling."""
        return {name: answers[k] for name, answers, k in zip(self.names, self.answers, assignment, strict=True)}

    def changes(self, assignment: Assignment) -> dict[str, Answer]:
        """The answers that are not the configuration's own."""
        return {name: answers[k] for name, answers, k in zip(self.names, self.answers, assignment, strict=True) if k}


class Power(StrEnum):
    """What a ruling can do to the given rates."""

    NONE = "none"  # no context in which a change of it changed anything
    SLIGHT = "slight"  # every change is smaller than SLIGHT of half a margin
    ACTS = "acts"


@dataclass(frozen=True)
class FlipEffect:
    """A change of one ruling, over all its contexts: in how many anything changed, the largest difference of each
    rate, and a bound of it.
    """

    contexts: int
    changed: int
    largest: tuple[float, ...]
    bounds: tuple[float, ...]

    def power(self, halves: NDArray[np.float64]) -> Power:
        """What it can do."""
        if not self.changed:
            return Power.NONE
        return Power.SLIGHT if bool((np.array(self.bounds) <= SLIGHT * halves).all()) else Power.ACTS


@dataclass(frozen=True)
class Screen:
    """What every ruling can do with one way of playing. `games` were played in each of `contexts` contexts."""

    persona: str
    games: int
    contexts: int
    effects: Mapping[Flip, FlipEffect]

    def powers(self, space: Space, halves: NDArray[np.float64]) -> tuple[Power, ...]:
        """The power of every ruling: that of its strongest change."""
        order = list(Power)
        found = [
            [order.index(effect.power(halves)) for (i, _), effect in self.effects.items() if i == ruling]
            for ruling in range(len(space.names))
        ]
        return tuple(order[max(ranks, default=0)] for ranks in found)

    def slack(self, powers: Sequence[Power], rates: int) -> NDArray[np.float64]:
        """How far the slight rulings can move each rate all together, (R,): the sum of the bounds of the strongest
        change of each.
        """
        total = np.zeros(rates)
        for i, power in enumerate(powers):
            if power is Power.SLIGHT:
                total += np.max([effect.bounds for (ruling, _), effect in self.effects.items() if ruling == i], axis=0)
        return total

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "persona": self.persona,
            "games": self.games,
            "contexts": self.contexts,
            "effects": [
                {
                    "flip": list(flip),
                    "contexts": e.contexts,
                    "changed": e.changed,
                    "largest": [_finite(v) for v in e.largest],
                    "bounds": [_finite(v) for v in e.bounds],
                }
                for flip, e in self.effects.items()
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Screen:
        """The screen that `to_json` wrote."""
        effects = {
            (e["flip"][0], e["flip"][1]): FlipEffect(
                e["contexts"], e["changed"], _numbers(e["largest"]), _numbers(e["bounds"])
            )
            for e in data["effects"]
        }
        return cls(data["persona"], data["games"], data["contexts"], effects)


#: The rates of one configuration on all games, and without each of the groups of games: row 0 and rows 1 .. G of a
#: matrix (1 + G, R).
Replicated = NDArray[np.float64]


def screen(
    persona: str, space: Space, played: Mapping[tuple[Flip, ...], Replicated], games: int, alpha: float
) -> Screen:
    """What every change of a ruling does in every context of `played`; bounds hold for all contexts and rates together
    (Bonferroni at alpha).

    The error of a difference is that of the grouped jackknife on the same deals (`analysis.statistics.paired`).
    """
    from scipy.special import stdtrit

    groups, rates = next(iter(played.values())).shape[0] - 1, next(iter(played.values())).shape[1]
    statements = sum(len(context) for context in played) * rates
    quantile = -float(stdtrit(max(groups - 1, 1), alpha / max(statements, 1) / 2))
    effects: dict[Flip, FlipEffect] = {}
    for flip in space.flips():
        differences = [
            _difference(played[context], played[tuple(f for f in context if f != flip)])
            for context in played
            if flip in context
        ]
        sizes = np.array([size for size, _, _ in differences])
        bounds = np.array([size + quantile * error for size, error, _ in differences])
        effects[flip] = FlipEffect(
            len(differences),
            sum(changed for _, _, changed in differences),
            tuple(map(float, sizes.max(axis=0))),
            tuple(map(float, bounds.max(axis=0))),
        )
    return Screen(persona, games, len(played), effects)


def _difference(with_flip: Replicated, without: Replicated) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
    """Size and error of a difference of each rate, infinite where one is undefined; whether any group of games
    differs.
    """
    if np.array_equal(with_flip, without, equal_nan=True):
        return np.zeros(with_flip.shape[1]), np.zeros(with_flip.shape[1]), False
    same = (with_flip == without) | (np.isnan(with_flip) & np.isnan(without))
    with np.errstate(invalid="ignore"):
        difference = np.where(same, 0.0, with_flip - without)
    size = np.where(np.isfinite(difference).all(axis=0), np.abs(difference[0]), math.inf)
    error = np.where(
        np.isfinite(size), jackknife_error(np.where(np.isfinite(difference[1:]), difference[1:], 0.0)), 0.0
    )
    return size, error, True


@dataclass(frozen=True)
class Cell:
    """One answer to each ruling that acts (the others at the configuration's own), with one way of playing."""

    persona: str
    assignment: Assignment
    stands_for: int

    @property
    def key(self) -> str:
        """Its name in files."""
        return f"{self.persona}|{','.join(map(str, self.assignment))}"


def cells(persona: str, space: Space, powers: Sequence[Power]) -> Iterator[Cell]:
    """All cells of a way of playing."""
    acting = [power is Power.ACTS for power in powers]
    stands_for = math.prod(len(answers) for answers, acts in zip(space.answers, acting, strict=True) if not acts)
    choices = [range(len(answers)) if acts else range(1) for answers, acts in zip(space.answers, acting, strict=True)]
    return (Cell(persona, assignment, stands_for) for assignment in itertools.product(*choices))


def judged(part: Estimator, margin: Margin, slack: float, alpha: float) -> Status:
    """Where a rate lies for all combinations of a cell, the slight rulings moving it by `slack` at most.

    Inside: the interval is in the margin, narrowed by the slack. Outside: it is outside of the margin, widened by the
    slack.
    """
    if not math.isfinite(part.value) and math.isnan(part.value):
        return Status.INCONCLUSIVE
    if status_at(part, Margin(margin.low - slack, margin.high + slack), alpha) is Status.DIFFERS:
        return Status.DIFFERS
    narrowed = Margin(margin.low + slack, margin.high - slack)
    return Status.HOLDS if status_at(part, narrowed, alpha) is Status.HOLDS else Status.INCONCLUSIVE


def games_to_settle(part: Estimator, margin: Margin, alpha: float) -> int | None:
    """Games at which the rate would be decided with chance SETTLE_POWER, if the measured value is the true one; None
    on an edge.
    """
    return games_needed(part, margin, alpha, SETTLE_POWER)


@dataclass(frozen=True)
class Rated:
    """A cell measured: the estimate of every rate (interval at the level that judges it), what it says, and games
    that would settle an open one.
    """

    cell: Cell
    games: int
    estimates: tuple[Estimate, ...]
    statuses: tuple[Status, ...]
    settle: tuple[int | None, ...]

    @property
    def status(self) -> str:
        """ "consistent": every rate inside; "ruled_out": one outside; else "open"."""
        if Status.DIFFERS in self.statuses:
            return "ruled_out"
        return "consistent" if all(status is Status.HOLDS for status in self.statuses) else "open"

    @property
    def games_to_settle(self) -> int | None:
        """Games that would settle all open rates; None where one lies on an edge or none is open."""
        wanted = [
            count for count, status in zip(self.settle, self.statuses, strict=True) if status is Status.INCONCLUSIVE
        ]
        return max((count for count in wanted if count is not None), default=None) if None not in wanted else None

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "games": self.games,
            "estimates": [estimate.to_json() for estimate in self.estimates],
            "statuses": list(map(str, self.statuses)),
            "settle": list(self.settle),
        }

    @classmethod
    def from_json(cls, cell: Cell, data: Mapping[str, Any]) -> Rated:
        """The measurement that `to_json` wrote."""
        return cls(
            cell,
            data["games"],
            tuple(map(Estimate.from_json, data["estimates"])),
            tuple(map(Status, data["statuses"])),
            tuple(data["settle"]),
        )


def rated(
    cell: Cell, games: int, rates: GivenRates, measured: Measured, slack: NDArray[np.float64], alpha: float
) -> Rated:
    """A cell judged, every rate at `alpha`."""
    parts = rates.parts(measured)
    statuses = [
        judged(part, claim.range, float(move), alpha)
        for part, claim, move in zip(parts, rates.claims, slack, strict=True)
    ]
    settle = [
        games_to_settle(part, claim.range, alpha) if status is Status.INCONCLUSIVE else None
        for part, claim, status in zip(parts, rates.claims, statuses, strict=True)
    ]
    return Rated(cell, games, tuple(part.at(alpha) for part in parts), tuple(statuses), tuple(settle))


def in_words(changes: Mapping[str, Answer]) -> str:
    """Answers as they stand in a configuration file."""
    return ", ".join(f"{name} = {shown_value(answer)}" for name, answer in changes.items())


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _numbers(values: Sequence[float | None]) -> tuple[float, ...]:
    return tuple(math.inf if value is None else value for value in values)
