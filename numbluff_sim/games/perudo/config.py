"""The configuration of Perudo: table, rules, play, personas."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from numbluff_sim.config.model import PlaySection, SeatedConfig, Section
from numbluff_sim.games.perudo.rules_section import Rules


class TableSection(Section):
    """Seats, dice each at the start (R1), and who opens the first round."""

    players: int = Field(4, ge=2, le=6)
    dice: int = Field(5, ge=1, le=5)
    first_opener: int = Field(0, ge=0, le=5)


class Persona(Section):
    """A way of playing (docs/games/perudo/PLAY.md section 3). Every strategy reads keys of its own; limits.py
    refuses others.
    """

    strategy: Literal["random", "threshold", "value", "bayes", "equilibrium", "scripted"]
    #: random: challenges one time in so many.
    challenge_one_in: int = Field(4, ge=1, le=1000)
    #: threshold: chances that a bid is true.
    challenge_below: float = Field(0.40, ge=0, le=1)
    raise_at_least: float = Field(0.25, ge=0, le=1)
    doubt_below: float = Field(0.60, ge=0, le=1)
    open_at_least: float = Field(0.55, ge=0, le=1)
    #: value, bayes, equilibrium: how sharply rivals are thought to doubt, and how many fields beyond the current one
    #: are looked at.
    sharpness: float = Field(12.0, ge=0, le=1000)
    fields_beyond: int = Field(2, ge=1, le=10)
    #: bayes, equilibrium: what one matching die adds to the weight of a rival's hand, after a first bid on a face and
    #: after a raise of another's.
    first_bid_weight: float = Field(1.0, ge=0, le=16)
    raise_weight: float = Field(0.5, ge=0, le=16)
    #: scripted: the quantity of the opening bid on face 1: one, or a third of the dice.
    opens: Literal["one", "third"] = "one"


#: The keys that each strategy reads.
KEYS: dict[str, tuple[str, ...]] = {
    "random": ("challenge_one_in",),
    "threshold": ("challenge_below", "raise_at_least", "doubt_below", "open_at_least"),
    "value": ("sharpness", "fields_beyond"),
    "bayes": ("sharpness", "fields_beyond", "first_bid_weight", "raise_weight"),
    "equilibrium": ("sharpness", "fields_beyond", "first_bid_weight", "raise_weight"),
    "scripted": ("opens",),
}


class PerudoConfig(SeatedConfig):
    """A whole configuration of Perudo."""

    game: Literal["perudo"] = "perudo"
    table: TableSection = Field(default_factory=TableSection)
    rules: Rules = Field(default_factory=Rules)
    play: PlaySection
    personas: dict[str, Persona]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        from numbluff_sim.games.perudo.limits import check  # limits.py reads this module's classes

        check(self)
        return self

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.table.players

    @property
    def rounds(self) -> int:
        """The most rounds a game can have: every round costs a die, and the winner keeps one."""
        return self.table.players * self.table.dice - 1
