"""What all games read alike in their tallies: per-game sums of variables, with the covariances between them. Knows
no game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.clusters import GAMES, PER_GAME, ClusterSums, Combination, ValueWithError
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import binomial_design_effect, mean, proportion
from numbluff_sim.contract.fields import TallyRegistry
from numbluff_sim.contract.game import C, Counts

ROUNDS: Combination = {"rounds": 1.0}


class TallyReader:
    """The part of a game's sample that reads `games`, `moments`, `detail_games`, `cross` and `cross_sums`.

    A sample has a `tally` and says with `gate` whether it wants Clopper-Pearson intervals throughout; `variable_names`
    are those behind `moments`, in order ("rounds" among them), and `detail_names` those behind `cross`, which begin
    with them.
    """

    tally: Counts
    gate: bool

    @property
    def variable_names(self) -> tuple[str, ...]:
        """The per-game variables behind `moments`."""
        raise NotImplementedError

    @property
    def detail_names(self) -> tuple[str, ...]:
        """The per-game variables behind `cross`."""
        raise NotImplementedError

    @cached_property
    def games(self) -> int:
        """Games played."""
        return int(self.tally["games"])

    @cached_property
    def detail_games(self) -> int:
        """Games behind the detail fields."""
        return int(self.tally["detail_games"])

    def total(self, *names: str) -> int:
        """Sum over all games of per-game variables."""
        return sum(int(self.tally["moments"][0, self.variable_names.index(name)]) for name in names)

    def single(self, name: str) -> ClusterSums:
        """One variable and the rounds, from every game."""
        if name == "rounds":
            return ClusterSums.from_sums(
                ("rounds",), self.games, np.array([self.total("rounds")]), self._moment(1, "rounds").reshape(1, 1)
            )
        sums = np.array([self.total(name), self.total("rounds")])
        squares, products = self._moment(1, name), self._moment(2, name)
        return ClusterSums.from_sums(
            (name, "rounds"), self.games, sums, np.array([[squares, products], [products, self._moment(1, "rounds")]])
        )

    def sums_of(self, combination: Combination) -> ClusterSums:
        """What a combination of variables is best read from: every game, as far as their covariances are known."""
        names = [name for name in combination if name != GAMES]
        return self.single(names[0]) if len(names) == 1 else self.every

    def _moment(self, moment: int, name: str) -> NDArray[np.int64]:
        return np.asarray(self.tally["moments"][moment, self.variable_names.index(name)])

    @cached_property
    def detail(self) -> ClusterSums:
        """All detail variables, from the detail games."""
        return ClusterSums.from_sums(
            self.detail_names, self.detail_games, self.tally["cross_sums"], self.tally["cross"]
        )

    @cached_property
    def every(self) -> ClusterSums:
        """The variables of every game: means and variances of all games, correlations of the detail games (0 where a
        variable never varied there).
        """
        count, games = len(self.variable_names), self.games
        sums, squares = self.tally["moments"][:2].astype(np.float64)
        means = sums / max(games, 1)
        variances = (squares - games * means**2) / (games - 1) if games > 1 else np.full(count, math.nan)
        cov = self.detail.cov[:count, :count].copy()
        if games != self.detail_games:
            seen = np.sqrt(np.diagonal(cov))
            with np.errstate(divide="ignore", invalid="ignore"):
                scale = np.where(seen == 0, 0.0, np.sqrt(np.maximum(variances, 0.0)) / seen)
            cov *= np.outer(scale, scale)
            np.fill_diagonal(cov, variances)
        return ClusterSums(self.variable_names, games, means, cov, max(self.detail_games - 1, 1))

    def per_trial(
        self, name: str, variables: tuple[str, ...], *, trials: float, denominator: str, bottom: Combination = ROUNDS
    ) -> Estimator:
        """A rate: sum of the variables (disjoint hits) over all games, on `trials` = total of `bottom`, with its
        measured design effect.
        """
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
            name,
            (variable,),
            trials=self.total("rounds") * players,
            denominator="player-rounds",
            bottom={"rounds": float(players)},
        )

    def game_share(
        self, name: str, games_with: float, *, of: float | None = None, denominator: str = "games"
    ) -> Estimator:
        """A share of (detail) games."""
        games = self.games if of is None else of
        return proportion(name, games_with, games, denominator=denominator, games=int(games), gate=self.gate)

    def per_game(self, name: str, variable: str, *, unit: str, most: float) -> Estimator:
        """Mean of a variable per game; `most` is what one game can hold at most."""
        return mean(
            name,
            self.single(variable).ratio({variable: 1.0}, PER_GAME),
            n=self.games,
            denominator="games",
            games=self.games,
            unit=unit,
            within=(0.0, most),
        )

    @staticmethod
    def largest_effect(rates: Sequence[tuple[ValueWithError, float]]) -> float:
        """The largest design effect of rates with their trials, at least 1."""
        effects = [binomial_design_effect(rate, trials) for rate, trials in rates]
        return max([1.0, *(effect for effect in effects if not math.isnan(effect))])


@dataclass(frozen=True)
class VariableSample(TallyReader, Generic[C]):
    """The reading of a tally for whose metrics the registry's variables are enough."""

    tally: Counts
    registry: TallyRegistry
    config: C
    gate: bool = False

    @cached_property
    def variable_names(self) -> tuple[str, ...]:
        """The per-game variables behind `moments`."""
        return self.registry.variables(self.config.players)

    @cached_property
    def detail_names(self) -> tuple[str, ...]:
        """The per-game variables behind `cross`."""
        return self.registry.all_variables(self.config.players)
