"""A run's tally as the metrics read it: per-game sums with their covariances, counts of positions and of stated
chances.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from numbluff_sim.analysis.metrics.personas import Seating
from numbluff_sim.analysis.metrics.tally_reader import ROUNDS, TallyReader
from numbluff_sim.analysis.statistics.clusters import ClusterSums, Combination
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import binomial_design_effect, mean, proportion
from numbluff_sim.contract.game import Counts
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.games.perudo.rules_section import EVENT_NAMES
from numbluff_sim.games.perudo.tally import TALLY

#: The events of a round, each with the variable that counts it in every game.
ROUND_EVENTS = {event: "palifico_rounds" if event == "palifico" else event for event in EVENT_NAMES}
#: Columns of the tally `calibration`: sums over bids, then squares and products of a game's sums.
FACED, CHALLENGED, CHALLENGED_TRUE, TRUE, FACED_2, CHALLENGED_2, CHALLENGED_TRUE_2, TRUE_2 = range(8)
FACED_CHALLENGED, CHALLENGED_BOTH, FACED_TRUE = range(8, 11)
#: Bins of a stated chance.
BINS = TALLY.sizes["chance_bin"]


@dataclass(frozen=True)
class Sample(TallyReader):
    """A tally (fields of `games.perudo.tally`) with what it takes to read it.

    `rounds`: the most a game can have; `dice`: dice each at the start; `first_opener`: the seat that opens; `gate` asks
    for Clopper-Pearson intervals throughout. `personas`: who sits where, nothing where all seats play the same.
    """

    tally: Counts
    players: int
    rounds: int
    dice: int
    first_opener: int
    gate: bool = False
    personas: Seating = field(default_factory=dict)

    @classmethod
    def of(cls, config: PerudoConfig, tally: Counts, gate: bool = False) -> Sample:
        """The sample of a configuration's tally."""
        table = config.table
        return cls(tally, config.players, config.rounds, table.dice, table.first_opener, gate, config.mixed_seating)

    @cached_property
    def variable_names(self) -> tuple[str, ...]:
        """The per-game variables behind `moments`."""
        return TALLY.variables(self.players)

    @property
    def detail_names(self) -> tuple[str, ...]:
        """The per-game variables behind `cross`: the same."""
        return self.variable_names

    @property
    def dice_in_all(self) -> int:
        """Dice on the table at the start."""
        return self.players * self.dice

    def share_of(self, name: str, top: str, bottom: Combination, *, denominator: str) -> Estimator:
        """The share of `bottom` (a count of cases a game) that the variable `top` counts, with its measured design
        effect.
        """
        trials = sum(int(weight) * self.total(variable) for variable, weight in bottom.items())
        effect = binomial_design_effect(self.every.ratio({top: 1.0}, bottom), trials)
        return proportion(
            name,
            self.total(top),
            trials,
            denominator=denominator,
            games=self.games,
            design_effect=effect,
            gate=self.gate,
        )

    def ratio(
        self, name: str, top: Combination, bottom: Combination, *, n: float, denominator: str, unit: str, most: float
    ) -> Estimator:
        """A ratio of per-game sums, `most` at most."""
        return mean(
            name,
            self.every.ratio(top, bottom),
            n=n,
            denominator=denominator,
            games=self.games,
            unit=unit,
            within=(0.0, most),
        )

    def detail_share(
        self, name: str, hits: int, trials: int, *, denominator: str, design_effect: float = 1.0
    ) -> Estimator:
        """A share of cases counted in the detail games; without a design effect no game may hold two of them."""
        return proportion(
            name,
            int(hits),
            int(trials),
            denominator=denominator,
            games=self.detail_games,
            design_effect=design_effect,
            gate=self.gate,
        )

    def paired_share(
        self, name: str, sums: tuple[int, int], squares: tuple[int, int], product: int, *, denominator: str
    ) -> Estimator:
        """hits / trials where many may lie in one game: (hits, trials) summed over the detail games, their squares
        and products a game.
        """
        cross = np.array([[squares[0], product], [product, squares[1]]])
        measured = ClusterSums.from_sums(("hits", "trials"), self.detail_games, np.array(sums), cross).ratio(
            {"hits": 1.0}, {"trials": 1.0}
        )
        return self.detail_share(
            name, *sums, denominator=denominator, design_effect=binomial_design_effect(measured, sums[1])
        )

    @cached_property
    def round_effect(self) -> float:
        """The largest design effect of any event's rate per round: what detail counts of rounds are divided by,
        having no squares of their own.
        """
        rounds = self.total("rounds")
        return self.largest_effect(
            [(self.single(event).ratio({event: 1.0}, ROUNDS), rounds) for event in ROUND_EVENTS.values()]
        )
