"""A run's tally as the metrics read it: per-game sums with their covariances, histograms, sizes of the table and the deck."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.clusters import ClusterSums, Combination, ValueWithError
from numbluff_sim.analysis.estimates import Estimator
from numbluff_sim.analysis.intervals import binomial_design_effect, proportion
from numbluff_sim.games.num_bluff.names import EVENT_NAMES
from numbluff_sim.games.num_bluff.tally import detail_variables, variables
from numbluff_sim.kernels.num_bluff.codes import T_HIST_WIDTH

ROUNDS: Combination = {"rounds": 1.0}
MIROIR, FRAPPE, COUP, COUPS, EPARGNE, MAITRE, BONUS = EVENT_NAMES
#: Events that pay out the pot (rule 8).
POT_EVENTS = (MIROIR, FRAPPE, BONUS)


class Run(Protocol):
    """What the metrics need of a run: its configuration and its tally."""

    @property
    def config(self) -> Any:
        """The game's configuration."""

    @property
    def tally(self) -> Mapping[str, NDArray[np.int64]]:
        """The fields of `games.num_bluff.tally`."""


@dataclass(frozen=True)
class Sample:
    """A tally (fields of `games.num_bluff.tally`) with what it takes to read it.

    `rounds` are those planned; `bin_width` points fall into one bin of a point histogram; `highest_card` and `deck_points` (sum of all
    values) bound what a game can hold; `gate` asks for Clopper-Pearson intervals throughout.
    """

    tally: Mapping[str, NDArray[np.int64]]
    players: int
    rounds: int
    bin_width: int
    highest_card: int
    deck_points: int
    gate: bool = False

    @classmethod
    def from_run(cls, run: Run, *, gate: bool = False) -> Sample:
        """The sample of a run."""
        from numbluff_sim.games.num_bluff.arrays import kernel_arrays

        values = [value for _, value in run.config.deck.cards]
        width = int(kernel_arrays(run.config).table[T_HIST_WIDTH])
        return cls(run.tally, run.config.players, run.config.rounds, width, max(values), sum(values), gate)

    @property
    def others(self) -> int:
        """Non-bluffers at the table."""
        return self.players - 1

    @cached_property
    def games(self) -> int:
        """Games played."""
        return int(self.tally["games"])

    @cached_property
    def detail_games(self) -> int:
        """Games behind the detail fields."""
        return int(self.tally["detail_games"])

    @cached_property
    def detail_rounds(self) -> int:
        """Rounds of the detail games."""
        return int(self.tally["detail_rounds"].sum())

    def total(self, *names: str) -> int:
        """Sum over all games of per-game variables."""
        return sum(int(self.tally["moments"][0, self._names.index(name)]) for name in names)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return variables(self.players)

    def single(self, name: str) -> ClusterSums:
        """One variable and the rounds, from every game."""
        if name == "rounds":
            return ClusterSums.from_sums(("rounds",), self.games, np.array([self.total("rounds")]), self._moment(1, "rounds").reshape(1, 1))
        sums = np.array([self.total(name), self.total("rounds")])
        squares, products = self._moment(1, name), self._moment(2, name)
        return ClusterSums.from_sums((name, "rounds"), self.games, sums, np.array([[squares, products], [products, self._moment(1, "rounds")]]))

    def _moment(self, moment: int, name: str) -> NDArray[np.int64]:
        return np.asarray(self.tally["moments"][moment, self._names.index(name)])

    @cached_property
    def detail(self) -> ClusterSums:
        """All detail variables, from the detail games."""
        return ClusterSums.from_sums(detail_variables(self.players), self.detail_games, self.tally["cross_sums"], self.tally["cross"])

    @cached_property
    def every(self) -> ClusterSums:
        """The common variables: means of all games, covariances of the detail games."""
        count = len(self._names)
        means = self.tally["moments"][0].astype(np.float64) / max(self.games, 1)
        return ClusterSums(self._names, self.games, means, self.detail.cov[:count, :count])

    def per_trial(self, name: str, variables: tuple[str, ...], *, trials: float, denominator: str, bottom: Combination = ROUNDS) -> Estimator:
        """A rate: sum of the variables (disjoint hits) over all games, on `trials` = total of `bottom`, with its measured design effect."""
        sums = self.single(variables[0]) if len(variables) == 1 else self.every
        rate = sums.ratio(dict.fromkeys(variables, 1.0), bottom)
        return proportion(
            name,
            self.total(*variables),
            trials,
            denominator=denominator,
            games=self.games,
            design_effect=binomial_design_effect(rate, trials),
            gate=self.gate,
        )

    def per_round(self, name: str, *variables: str) -> Estimator:
        """Rate per round of one of several events."""
        return self.per_trial(name, variables, trials=self.total("rounds"), denominator="rounds")

    def per_player_round(self, name: str, variable: str, players: int) -> Estimator:
        """Rate among `players` players a round."""
        return self.per_trial(
            name, (variable,), trials=self.total("rounds") * players, denominator="player-rounds", bottom={"rounds": float(players)}
        )

    def game_share(self, name: str, games_with: float, *, of: float | None = None, denominator: str = "games") -> Estimator:
        """A share of (detail) games."""
        games = self.games if of is None else of
        return proportion(name, games_with, games, denominator=denominator, games=int(games), gate=self.gate)

    @cached_property
    def round_effect(self) -> float:
        """The largest design effect of any event's rate per round: what detail counts of rounds are divided by, having no squares of their own."""
        rounds = self.total("rounds")
        return self._largest([(self.single(event).ratio({event: 1.0}, ROUNDS), rounds) for event in EVENT_NAMES])

    @cached_property
    def player_effect(self) -> float:
        """The largest design effect of exact hits and fusions per player-round, at least `round_effect`."""
        rounds = self.total("rounds")
        rates = [
            (self.single(name).ratio({name: 1.0}, {"rounds": float(count)}), rounds * count)
            for name, count in (("exact", self.others), ("fusions", self.players))
        ]
        return max(self.round_effect, self._largest(rates))

    @cached_property
    def pot_effect(self) -> float:
        """Pots won in one game counted as if they were copies of each other: sum of k^2 over sum of k, the worst case."""
        index = [self.detail.names.index(event) for event in POT_EVENTS]
        wins = int(self.tally["cross_sums"][index].sum())
        return int(self.tally["cross"][np.ix_(index, index)].sum()) / wins if wins else 1.0

    @staticmethod
    def _largest(rates: Sequence[tuple[ValueWithError, float]]) -> float:
        effects = [binomial_design_effect(rate, trials) for rate, trials in rates]
        return max([1.0, *(effect for effect in effects if not math.isnan(effect))])
