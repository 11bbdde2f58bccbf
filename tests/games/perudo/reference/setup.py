"""What a game depends on: table, rulings and ways of playing, with the names that a configuration uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from tests.common.written_cases import FromTable

if TYPE_CHECKING:
    from tests.games.perudo.reference.endings import Ending

#: What each ruling may be; its usual answer stands first.
ALTERNATIVES: dict[str, tuple[Any, ...]] = {
    "bid_order": ("bluff_track", "perudo_halving", "flat"),
    "opening_stars": (True, False),
    "quantity_cap": ("total_dice", "none"),
    "starter_normal": ("loser", "challenge_winner"),
    "house_rule_start": (True, False),
    "house_rule_fewer": (True, False),
    "tie_3to2": ("left_of_eliminated", "right_of_eliminated", "random"),
    "palifico": (True, False),
    "palifico_two_players": (True, False),
    "palifico_stars_biddable": (True, False),
    "palifico_self_change": (True, False),
    "lift_direction": ("right", "left"),
    "dice_lost": ("one", "difference"),
}


@dataclass(frozen=True)
class Rules(FromTable):
    """The rulings."""

    bid_order: str = "bluff_track"
    opening_stars: bool = True
    quantity_cap: str = "total_dice"
    starter_normal: str = "loser"
    house_rule_start: bool = True
    house_rule_fewer: bool = True
    tie_3to2: str = "left_of_eliminated"
    palifico: bool = True
    palifico_two_players: bool = True
    palifico_stars_biddable: bool = True
    palifico_self_change: bool = True
    lift_direction: str = "right"
    dice_lost: str = "one"


@dataclass(frozen=True)
class Persona:
    """A way of playing; what its strategy does not use stands idle."""

    name: str = "random"
    strategy: str = "random"
    challenge_one_in: int = 4
    challenge_below: float = 0.4
    raise_at_least: float = 0.25
    doubt_below: float = 0.6
    open_at_least: float = 0.55
    fields_beyond: int = 2
    sharpness: float = 12.0
    first_bid_weight: float = 1.0
    raise_weight: float = 0.5
    opens: str = "one"


@dataclass(frozen=True)
class Setup:
    """Everything a game depends on besides its index."""

    seed: int
    seats: tuple[Persona, ...]
    dice: int = 5
    first_opener: int = 0
    rules: Rules = field(default_factory=Rules)
    #: Tables of solved rounds by (Palifico round, dice of the opener, dice of the other).
    endings: Mapping[tuple[bool, int, int], Ending] = field(default_factory=dict, repr=False)

    @property
    def players(self) -> int:
        return len(self.seats)

    @classmethod
    def from_resolved(cls, config: Mapping[str, Any]) -> Setup:
        """The setup of a resolved configuration (`Config.resolved()`), every section of it complete."""
        table, names = config["table"], list(config["play"]["seats"])
        names = names * table["players"] if len(names) == 1 else names
        known = {f.name for f in fields(Persona)}
        personas = {
            name: Persona(name, **{key: value for key, value in config["personas"][name].items() if key in known})
            for name in set(names)
        }
        return cls(
            config["run"]["seed"],
            tuple(personas[name] for name in names),
            table["dice"],
            table["first_opener"],
            Rules.from_table(config["rules"]),
        )

    def to_resolved(self) -> dict[str, Any]:
        """The other way round (personas must differ in name)."""
        return {
            "game": "perudo",
            "run": {"seed": self.seed},
            "table": {"players": self.players, "dice": self.dice, "first_opener": self.first_opener},
            "rules": asdict(self.rules),
            "play": {"seats": [persona.name for persona in self.seats]},
            "personas": {p.name: {key: value for key, value in asdict(p).items() if key != "name"} for p in self.seats},
        }
