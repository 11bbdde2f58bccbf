"""The section `rules` of the configuration of NUM BLUFF, and names of its events and rulings in code order.

Generated from numbluff_sim/games/num_bluff/rules.toml by `make docs`; edit that instead.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from numbluff_sim.config.model import Section, in_order, one_or_many

#: The events of a round.
EVENT_NAMES = (
    "miroir_parfait",
    "frappe_parfaite",
    "coup_precis",
    "coup_precis_multiple",
    "epargne",
    "coup_de_maitre",
    "coup_de_maitre_bonus",
)
#: Any of several events: name -> events.
EVENT_GROUPS: dict[str, tuple[str, ...]] = {
    "coup_precis_any": ("coup_precis", "coup_precis_multiple"),
    "coup_de_maitre_any": ("coup_de_maitre", "coup_de_maitre_bonus"),
    "ca_chauffe": ("epargne", "coup_de_maitre", "coup_de_maitre_bonus"),
}
#: The rates of all of them: event -> metric.
EVENT_METRICS: dict[str, str] = {
    "miroir_parfait": "miroir_parfait_per_round",
    "frappe_parfaite": "frappe_parfaite_per_round",
    "coup_precis": "coup_precis_per_round",
    "coup_precis_multiple": "coup_precis_multiple_per_round",
    "epargne": "epargne_per_round",
    "coup_de_maitre": "coup_de_maitre_per_round",
    "coup_de_maitre_bonus": "coup_de_maitre_bonus_per_round",
    "coup_precis_any": "coup_precis_any_per_round",
    "coup_de_maitre_any": "coup_de_maitre_any_per_round",
    "ca_chauffe": "ca_chauffe_per_round",
}
#: Rulings: name -> answers.
RULING_VALUES: dict[str, tuple[str | bool, ...]] = {
    "wild_adjusts": ("hidden", "both", "none"),
    "bluffer_wild": ("evasive", "printed"),
    "fusion_scope": ("any", "exact_only"),
    "refill_after_fusion": (False, True),
    "empty_hand": ("draw", "visible_only"),
    "empty_deck": ("recycle", "end_game"),
    "bluffer_may_fuse": (False, True),
    "frappe_with_fusion": (False, True),
    "frappe_exact": ("any", "printed"),
    "several_frappes": ("tie_break", "shared"),
    "several_exact_bluffer_card": ("discard", "pot", "keep"),
    "spared_with_fusion": (False, True),
    "spared_bluffer_card": ("keep", "discard"),
    "master_bonus": (False, True),
    "bonus_pot": ("after_feed", "before_feed"),
    "tie_value": ("printed", "signed"),
    "last_tie": ("clockwise", "random"),
}
#: Rules that a configuration may take out.
REMOVABLE_RULES = (
    "miroir_parfait",
    "frappe_parfaite",
    "coup_precis",
    "ca_chauffe",
    "epargne",
    "pot",
    "fusion",
    "option",
    "lie",
)
Removable = Literal[
    "miroir_parfait",
    "frappe_parfaite",
    "coup_precis",
    "ca_chauffe",
    "epargne",
    "pot",
    "fusion",
    "option",
    "lie",
]


class Rules(Section):
    """The rulings, and the rules taken out; `rules.toml` says what each asks and what each answer means."""

    wild_adjusts: Literal["hidden", "both", "none"] = "hidden"
    bluffer_wild: Literal["evasive", "printed"] = "evasive"
    fusion_scope: Literal["any", "exact_only"] = "any"
    refill_after_fusion: bool = False
    empty_hand: Literal["draw", "visible_only"] = "draw"
    empty_deck: Literal["recycle", "end_game"] = "recycle"
    bluffer_may_fuse: bool = True
    frappe_with_fusion: bool = True
    frappe_exact: Literal["any", "printed"] = "any"
    several_frappes: Literal["tie_break", "shared"] = "tie_break"
    several_exact_bluffer_card: Literal["discard", "pot", "keep"] = "discard"
    spared_with_fusion: bool = True
    spared_bluffer_card: Literal["keep", "discard"] = "keep"
    master_bonus: bool = True
    bonus_pot: Literal["after_feed", "before_feed"] = "after_feed"
    tie_value: Literal["printed", "signed"] = "printed"
    last_tie: Literal["clockwise", "random"] = "clockwise"
    without: tuple[Removable, ...] = Field((), strict=False, exclude_if=lambda names: not names)

    _one = field_validator("without", mode="before")(one_or_many)
    _in_order = field_validator("without")(in_order(REMOVABLE_RULES))
