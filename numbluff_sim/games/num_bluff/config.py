"""The configuration of NUM BLUFF: table, deck, rules, play, personas."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from numbluff_sim.config.model import PlaySection, SeatedConfig, Section, one_or_many
from numbluff_sim.games.num_bluff.rules_section import Rules

Name = Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
Value = Annotated[int, Field(ge=0, le=99)]
#: The reach of a family whose table does not name one (C2).
USUAL_REACH = {"classic": 0, "rainbow": 3, "shadow": 3}


class TableSection(Section):
    """Seats, starting hand (S1) and how often each seat is the bluffer (S2)."""

    players: int = Field(4, ge=3, le=6)
    hand_size: int = Field(3, ge=1, le=12)
    turns_as_bluffer: int = Field(3, ge=1, le=10)


class Family(Section):
    """A family of the deck (C1): `copies` cards of each value from the first to the second of `values`, but for
    those in `without`.
    """

    name: Name
    kind: Literal["classic", "rainbow", "shadow"]
    values: tuple[Value, Value] = Field(strict=False)
    copies: int = Field(1, ge=1, le=250)
    reach: int = Field(ge=0, le=20)
    #: Left out of what is written where nothing is: such a configuration, its digest and its transcripts are as if
    #: there were no such key.
    without: tuple[Value, ...] = Field((), strict=False, exclude_if=lambda values: not values)

    @model_validator(mode="before")
    @classmethod
    def _usual_reach(cls, data: Any) -> Any:
        if isinstance(data, dict) and "reach" not in data and data.get("kind") in USUAL_REACH:
            return {**data, "reach": USUAL_REACH[data["kind"]]}
        return data

    _one = field_validator("without", mode="before")(one_or_many)

    @field_validator("without")
    @classmethod
    def _in_order(cls, values: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(values))

    @property
    def faces(self) -> tuple[int, ...]:
        """The values that its cards have, upwards."""
        return tuple(v for v in range(self.values[0], self.values[1] + 1) if v not in self.without)

    @property
    def cards(self) -> int:
        """Number of cards of the family, all copies."""
        return len(self.faces) * self.copies

    def printed(self, value: int) -> int:
        """The total of a card before any adjustment (C3)."""
        return -value if self.kind == "shadow" else value

    def slack(self, value: int) -> int:
        """By how much a card may adjust upwards (C3)."""
        return min(self.reach, value) if self.kind == "shadow" else self.reach


class Deck(Section):
    """The families, in the order of card ids."""

    families: tuple[Family, ...] = Field(strict=False)

    @property
    def cards(self) -> list[tuple[Family, int]]:
        """Family and value of every card, in the order of card ids: family by family, copy by copy, values upwards."""
        return [(f, v) for f in self.families for _ in range(f.copies) for v in f.faces]


class Weights(Section):
    """What a player who is not the bluffer looks for in a hidden side (docs/games/num_bluff/PLAY.md section 4)."""

    gap: float = 0.0
    hit_natural: float = 0.0
    hit_fusion: float = 0.0
    hit_adjust: float = 0.0
    same_family: float = 0.0
    same_family_gap: float = 0.0
    miroir: float = 0.0
    frappe: float = 0.0
    points: float = 0.0
    is_fusion: float = 0.0
    temperature: float = Field(0.0, ge=0)


class BlufferWeights(Section):
    """What the bluffer looks for in a hidden side (docs/games/num_bluff/PLAY.md section 4)."""

    points: float = 0.0
    centre: float = 0.0
    same_family: float = 0.0
    shared_families: float = 0.0
    is_fusion: float = 0.0
    temperature: float = Field(0.0, ge=0)


class Lies(Section):
    """Chances of a false total and of a false family (at most one of the two, T3), and the largest step of a false
    total.
    """

    total: float = Field(0.0, ge=0, le=1)
    family: float = Field(0.0, ge=0, le=1)
    size: int = Field(6, ge=1, le=60)


class Option(Section):
    """When the option of a Coup Précis with several winners is taken: few points kept and many rounds left; -1
    points: never.
    """

    points_at_most: int = Field(-1, ge=-1, le=32767)
    rounds_left_at_least: int = Field(0, ge=0, le=60)


class Persona(Section):
    """A way of playing (docs/games/num_bluff/PLAY.md sections 4-6)."""

    knowledge: Literal["announcement", "true_cards", "nothing"] = "announcement"
    choice: Literal["weights", "uniform"] = "weights"
    may_fuse: bool = False
    weights: Weights = Field(default_factory=Weights)
    bluffer: BlufferWeights = Field(default_factory=BlufferWeights)
    lies: Lies = Field(default_factory=Lies)
    option: Option = Field(default_factory=Option)


class NumBluffConfig(SeatedConfig):
    """A whole configuration of NUM BLUFF."""

    game: Literal["num_bluff"] = "num_bluff"
    table: TableSection = Field(default_factory=TableSection)
    rules: Rules = Field(default_factory=Rules)
    deck: Deck
    play: PlaySection
    personas: dict[str, Persona]

    named_lists: ClassVar[dict[tuple[str, ...], str]] = {("deck",): "families"}

    @model_validator(mode="after")
    def _fits(self) -> Self:
        from numbluff_sim.games.num_bluff.limits import check  # limits.py reads this module's classes

        check(self)
        return self

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.table.players

    @property
    def rounds(self) -> int:
        """Number of rounds of a game that is not cut short (S2)."""
        return self.table.players * self.table.turns_as_bluffer
