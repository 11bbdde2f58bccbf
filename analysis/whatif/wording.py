"""Words that the pages of all what-ifs take from the game that they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numbluff_sim.analysis.report.wording import Wording
from numbluff_sim.games.registry import game


@dataclass(frozen=True)
class GameWording(Wording):
    """A page's wording; metrics and what n counts are called as the game calls them."""

    @property
    def game_name(self) -> str:
        """The game that the page is about."""
        raise NotImplementedError

    @property
    def language(self) -> str:
        """ "en" or "fr"."""
        return self.words.language

    @property
    def metric_words(self) -> Any:
        """The game's names of metrics."""
        return game(self.game_name).analysis("metric_words")

    def metric(self, name: str) -> str:
        """A metric's short label."""
        label: str = self.metric_words.metric_label(name, self.language)
        return label

    def denominator(self, name: str) -> str:
        """What n counts, in words."""
        label: str = self.metric_words.denominator_label(name, self.language)
        return label
