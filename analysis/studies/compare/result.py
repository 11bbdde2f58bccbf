"""What a comparison found: a base, its variants, the effects on every metric, and when the games part. Read by
pages, written as comparison.json.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate
from numbluff_sim.analysis.statistics.intervals import proportion
from numbluff_sim.analysis.statistics.paired import FAMILY_ALPHA, Effect
from numbluff_sim.analysis.statistics.relevance import Relevance, relevance, smallest_relevant
from numbluff_sim.encoding import from_json, json_text
from numbluff_sim.errors import RunError

#: What tables are sorted by instead of a metric: relevant effects first.
BY_RELEVANCE = "relevance"
COMPARISON_FILE = "comparison.json"


@dataclass(frozen=True)
class Parting:
    """When the games of a pair part ways.

    Of the `games` looked at, `rounds[r]` have their first different outcome in round r + 1, the rest have none.
    """

    games: int
    rounds: tuple[int, ...]

    @classmethod
    def of(
        cls, first: Mapping[str, NDArray[Any]], second: Mapping[str, NDArray[Any]], games: int, rounds: int
    ) -> Parting:
        """From the rows of the same games on both sides, each game's together and in order, at most `rounds` of them:
        arrays `game` (from any start) and outcomes by name.
        """
        names = [name for name in first if name in second and name != "game"]
        differs = np.zeros((games, rounds), bool)
        seen = [np.zeros((games, rounds), bool) for _ in range(2)]
        filled: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
        start = int(first["game"].min())
        for side, columns in enumerate((first, second)):
            at = (columns["game"].astype(np.int64) - start, _numbers(columns["game"]))
            seen[side][at] = True
            for name in names:
                whole = np.zeros((games, rounds), columns[name].dtype)
                whole[at] = columns[name]
                filled[name].append(whole)
        for a, b in filled.values():
            differs |= a != b
        differs |= seen[0] != seen[1]
        parted = differs.any(axis=1)
        return cls(games, tuple(np.bincount(differs.argmax(axis=1)[parted], minlength=rounds).tolist()))

    @property
    def share(self) -> Estimate:
        """Games that part at all."""
        return proportion("games_that_part", sum(self.rounds), self.games, denominator="games", games=self.games).at(
            ALPHA
        )

    @property
    def median(self) -> int | None:
        """The round by which half of the games that part have done so."""
        cumulative = np.cumsum(self.rounds)
        return int(np.searchsorted(cumulative, cumulative[-1] / 2)) + 1 if cumulative[-1] else None

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {"games": self.games, "rounds": list(self.rounds), "share": self.share, "median": self.median}


class ChangedKey(NamedTuple):
    """A key that differs, dotted, with the base's value and the variant's."""

    key: str
    before: Any
    after: Any


def _numbers(game: NDArray[Any]) -> NDArray[np.int64]:
    """The number of every row within its game, from 0."""
    starts = np.flatnonzero(np.diff(game, prepend=game[0] - 1)) if len(game) else np.zeros(0, np.int64)
    return np.arange(len(game)) - np.repeat(starts, np.diff(starts, append=len(game)))


@dataclass(frozen=True)
class VariantResult:
    """A variant held against the base.

    `parting` is None where deals are not the same; `identical`: no metric differs in
    any group of games.
    """

    name: str
    kind: str
    labels: Mapping[str, str]
    changes: Sequence[ChangedKey]
    digest: str
    seed: int
    effects: Sequence[Effect]
    parting: Parting | None
    identical: bool

    def label(self, language: str) -> str:
        """What it is called on a page."""
        return self.labels.get(language, self.name)

    def effect(self, metric: str) -> Effect | None:
        """The effect on a metric."""
        return next((effect for effect in self.effects if effect.metric == metric), None)

    @property
    def real(self) -> list[Effect]:
        """Effects that Holm calls real, largest first."""
        return [effect for effect in self.effects if effect.real]

    @property
    def saved(self) -> float | None:
        """Median over the metrics of how many times as many games would be needed without common deals."""
        known = [effect.saved for effect in self.effects if np.isfinite(effect.saved)]
        return float(np.median(known)) if known else None

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "name": self.name,
            "kind": self.kind,
            "labels": dict(self.labels),
            "digest": self.digest,
            "seed": self.seed,
            "changes": [change._asdict() for change in self.changes],
            "median_games_saved": self.saved,
            "identical": self.identical,
            "parting": None if self.parting is None else self.parting.to_json(),
            "effects": self.effects,
        }


@dataclass(frozen=True)
class Comparison:
    """A base and its variants.

    `study` is the command: compare, rulings or knockout; `refused`: (labels by language, why) of variants that cannot
    be played; `seating`: who sits where in the base, seats from 0 by persona; `relevant`: the smallest differences that
    matter, by metric (others have the usual one); `sort`: what the tables are sorted by, "" the size of effects,
    BY_RELEVANCE, or a metric.
    """

    study: str
    game: str
    base: str
    base_digest: str
    players: int
    seed: int
    games: int
    groups: int
    headline: Sequence[str]
    variants: Sequence[VariantResult]
    refused: Sequence[tuple[Mapping[str, str], str]] = ()
    made_with: Mapping[str, str] = field(default_factory=dict)
    seating: Mapping[str, Sequence[int]] = field(default_factory=dict)
    relevant: Mapping[str, float] = field(default_factory=dict)
    sort: str = ""

    def smallest(self, effect: Effect) -> float:
        """The smallest difference of an effect's metric that matters; nan where none is known."""
        return smallest_relevant(effect, self.relevant.get(effect.metric))

    def relevance(self, effect: Effect) -> Relevance:
        """Whether an effect matters."""
        return relevance(effect, self.smallest(effect))

    @property
    def tests(self) -> int:
        """Differences that Holm holds together."""
        return sum(len(variant.effects) for variant in self.variants)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "study": self.study,
            "game": self.game,
            "base": self.base,
            "base_digest": self.base_digest,
            "players": self.players,
            "seed": self.seed,
            "games": self.games,
            "groups": self.groups,
            "alpha": ALPHA,
            "family_alpha": FAMILY_ALPHA,
            "procedure": "Holm",
            "tests": self.tests,
            "headline": list(self.headline),
            "relevant": dict(self.relevant),
            "sort": self.sort,
            "made_with": dict(self.made_with),
            "seating": {name: list(seats) for name, seats in self.seating.items()},
            "refused": [{"labels": dict(labels), "reason": reason} for labels, reason in self.refused],
            "variants": [variant.to_json() for variant in self.variants],
        }

    @cached_property
    def _text(self) -> str:
        return json_text(self.to_json(), indent=1)

    def text(self) -> str:
        """comparison.json, written once however often it is asked for."""
        return self._text

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row a variant and metric; values that are not finite stay as they are."""
        for variant in self.variants:
            for effect in variant.effects:
                yield {
                    "variant": variant.name,
                    "kind": variant.kind,
                    "metric": effect.metric,
                    "unit": effect.base.unit,
                    "base": effect.base.value,
                    "value": effect.variant.value,
                    "difference": effect.difference.value,
                    "low": effect.difference.low,
                    "high": effect.difference.high,
                    "level": effect.difference.level,
                    "simultaneous_low": effect.simultaneous[0],
                    "simultaneous_high": effect.simultaneous[1],
                    "p_value": effect.p_value,
                    "real": effect.real,
                    "smallest_relevant": self.smallest(effect),
                    "relevance": str(self.relevance(effect)),
                    "relative": effect.relative,
                    "standardised": effect.standardised,
                    "games_saved": effect.saved,
                    "n": effect.difference.n,
                    "denominator": effect.difference.denominator,
                    "games": effect.difference.games,
                    "method": effect.difference.method,
                }


def read_comparison(folder: Path) -> Comparison:
    """The comparison in a folder. Raises RunError where there is none or it cannot be read."""
    path = folder / COMPARISON_FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        refused = [(one["labels"], one["reason"]) for one in data["refused"]]
        return from_json(Comparison, {**data, "refused": refused})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(
            f"{path} cannot be read ({error}); expected what `numbluff compare`, `rulings` or `knockout` wrote."
        ) from None
