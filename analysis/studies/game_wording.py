"""What the wording of every what-if shares: the game's own words for metrics and what they count."""

from __future__ import annotations

from dataclasses import dataclass

from numbluff_sim.analysis.report.wording import Wording
from numbluff_sim.contract.game import Words
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import shown_value


@dataclass(frozen=True)
class GameWording(Wording):
    """A page's catalogue and alpha, and the game whose metrics it tells of."""

    game: str

    @property
    def language(self) -> str:
        """ "en" or "fr"."""
        return self.words.language

    @property
    def metric_words(self) -> Words:
        """The game's labels."""
        return game(self.game).words

    def metric(self, name: str) -> str:
        """A metric's short label."""
        return self.metric_words.metric_label(name, self.language)

    def denominator(self, name: str) -> str:
        """What n counts, in words."""
        return self.metric_words.denominator_label(name, self.language)

    def setting(self, key: str, value: object) -> str:
        """A dotted key of the configuration with its value: an answer to a ruling in words, else as a file has it."""
        words = game(self.game).rules.setting(key, value)
        return f"{key} = {shown_value(value)}" if words is None else words.in_language(self.language)

    def glossary(self) -> list[tuple[str, str]]:
        """The page's own terms with their meanings."""
        entries = self.words.under("glossary")
        names = [key.removesuffix(".term") for key in entries if key.endswith(".term")]
        return [(entries[f"{name}.term"], entries[f"{name}.meaning"]) for name in names]
