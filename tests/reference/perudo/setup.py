"""What a game depends on: table, rulings and ways of playing, with the names that a configuration uses."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

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
class Rules:
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

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Rules:
        """Rules from a table of rulings; the missing ones are the usual ones."""
        return cls(**{f.name: table[f.name] for f in fields(cls) if f.name in table})
