"""The section `rules` of the configuration of Perudo, and names of its events and rulings in code order.

Generated from numbluff_sim/games/perudo/rules.toml by `make docs`; edit that instead.
"""

from __future__ import annotations

from typing import Literal

from numbluff_sim.config.model import Section

#: The events of a round.
EVENT_NAMES = ("palifico_lost", "palifico", "opener_won", "opener_lost", "bid_true")
#: Any of several events: name -> events.
EVENT_GROUPS: dict[str, tuple[str, ...]] = {}
#: The rates of all of them: event -> metric.
EVENT_METRICS: dict[str, str] = {
    "palifico_lost": "palifico_lost_per_round",
    "palifico": "palifico_per_round",
    "opener_won": "opener_won_per_round",
    "opener_lost": "opener_lost_per_round",
    "bid_true": "bid_true_per_round",
}
#: Rulings: name -> answers.
RULING_VALUES: dict[str, tuple[str | bool, ...]] = {
    "bid_order": ("bluff_track", "perudo_halving", "flat"),
    "opening_stars": (False, True),
    "quantity_cap": ("total_dice", "none"),
    "starter_normal": ("loser", "challenge_winner"),
    "house_rule_start": (False, True),
    "tie_3to2": ("left_of_eliminated", "right_of_eliminated", "random"),
    "house_rule_fewer": (False, True),
    "palifico": (False, True),
    "palifico_two_players": (False, True),
    "palifico_stars_biddable": (False, True),
    "palifico_self_change": (False, True),
    "lift_direction": ("right", "left"),
    "dice_lost": ("one", "difference"),
}


class Rules(Section):
    """The rulings; `rules.toml` says what each asks and what each answer means."""

    bid_order: Literal["bluff_track", "perudo_halving", "flat"] = "bluff_track"
    opening_stars: bool = True
    quantity_cap: Literal["total_dice", "none"] = "total_dice"
    starter_normal: Literal["loser", "challenge_winner"] = "loser"
    house_rule_start: bool = True
    tie_3to2: Literal["left_of_eliminated", "right_of_eliminated", "random"] = "left_of_eliminated"
    house_rule_fewer: bool = True
    palifico: bool = True
    palifico_two_players: bool = True
    palifico_stars_biddable: bool = True
    palifico_self_change: bool = True
    lift_direction: Literal["right", "left"] = "right"
    dice_lost: Literal["one", "difference"] = "one"
