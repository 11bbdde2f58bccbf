"""What can be said of a game of high card in a file."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from numbluff_sim.config.model import PlaySection, SeatedConfig, Section


class Table(Section):
    """Seats, the highest card, rounds of a game."""

    players: int = Field(3, ge=2, le=4)
    highest: int = Field(6, ge=2, le=100)
    rounds: int = Field(3, ge=1, le=50)


class Rules(Section):
    """The ruling (rules.toml)."""

    ties: Literal["split", "nobody", "first"] = "split"


class Persona(Section):
    """A way of playing: which cards are put back."""

    redraw_below: int = Field(1, ge=1, le=101)


class ToyConfig(SeatedConfig):
    """A whole configuration."""

    game: Literal["high_card"] = "high_card"
    table: Table = Field(default_factory=Table)
    rules: Rules = Field(default_factory=Rules)
    play: PlaySection
    personas: dict[str, Persona]

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.table.players

    @property
    def rounds(self) -> int:
        """Rounds of a game."""
        return self.table.rounds
