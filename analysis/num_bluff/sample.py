"""A run's tally as the metrics read it: per-game sums with their covariances, histograms, sizes of the table and the
deck.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from numbluff_sim.analysis.metrics.personas import Seating
from numbluff_sim.analysis.metrics.tally_reader import ROUNDS, TallyReader
from numbluff_sim.contract.game import Counts
from numbluff_sim.games.num_bluff.config import NumBluffConfig
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.games.num_bluff.tally import TALLY
from numbluff_sim.kernels.num_bluff.codes import T_HIST_WIDTH

MIROIR, FRAPPE, COUP, COUPS, EPARGNE, MAITRE, BONUS = EVENT_NAMES
#: Events that pay out the pot (rule 8).
POT_EVENTS = (MIROIR, FRAPPE, BONUS)


@dataclass(frozen=True)
class Sample(TallyReader):
    """A tally (fields of `games.num_bluff.tally`) with what it takes to read it.

    `rounds` are those planned; `bin_width` points fall into one bin of a point histogram; `highest_card` and
    `deck_points` (sum of all values) bound what a game can hold; `gate` asks for Clopper-Pearson intervals throughout.
    `personas`: who sits where, nothing where all seats play the same.
    """

    tally: Counts
    players: int
    rounds: int
    bin_width: int
    highest_card: int
    deck_points: int
    gate: bool = False
    personas: Seating = field(default_factory=dict)

    @classmethod
    def of(cls, config: NumBluffConfig, tally: Counts, gate: bool = False) -> Sample:
        """The sample of a configuration's tally."""
        from numbluff_sim.games.num_bluff.arrays import kernel_arrays

        values = [value for _, value in config.deck.cards]
        width = int(kernel_arrays(config).table[T_HIST_WIDTH])
        return cls(tally, config.players, config.rounds, width, max(values), sum(values), gate, config.mixed_seating)

    @cached_property
    def variable_names(self) -> tuple[str, ...]:
        """The per-game variables behind `moments`."""
        return TALLY.variables(self.players)

    @cached_property
    def detail_names(self) -> tuple[str, ...]:
        """The per-game variables behind `cross`."""
        return TALLY.all_variables(self.players)

    @property
    def others(self) -> int:
        """Non-bluffers at the table."""
        return self.players - 1

    @cached_property
    def detail_rounds(self) -> int:
        """Rounds of the detail games."""
        return int(self.tally["detail_rounds"].sum())

    @cached_property
    def round_effect(self) -> float:
        """The largest design effect of any event's rate per round: what detail counts of rounds are divided by,
        having no squares of their own.
        """
        rounds = self.total("rounds")
        return self.largest_effect([(self.single(event).ratio({event: 1.0}, ROUNDS), rounds) for event in EVENT_NAMES])

    @cached_property
    def player_effect(self) -> float:
        """The largest design effect of exact hits and fusions per player-round, at least `round_effect`."""
        rounds = self.total("rounds")
        rates = [
            (self.single(name).ratio({name: 1.0}, {"rounds": float(count)}), rounds * count)
            for name, count in (("exact", self.others), ("fusions", self.players))
        ]
        return max(self.round_effect, self.largest_effect(rates))

    @cached_property
    def pot_effect(self) -> float:
        """Pots won in one game counted as if they were copies of each other: sum of k^2 over sum of k, the worst
        case.
        """
        index = [self.detail.names.index(event) for event in POT_EVENTS]
        wins = int(self.tally["cross_sums"][index].sum())
        return int(self.tally["cross"][np.ix_(index, index)].sum()) / wins if wins else 1.0
