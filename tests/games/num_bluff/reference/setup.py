"""What a game is played with: deck, rulings, table and personas, in the integers of PLAY.md."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Family


@dataclass(frozen=True)
class Rules:
    """The rulings, and the rules that are taken out; defaults as documented."""

    wild_adjusts: str = "hidden"
    bluffer_wild: str = "evasive"
    fusion_scope: str = "any"
    refill_after_fusion: bool = False
    empty_hand: str = "draw"
    empty_deck: str = "recycle"
    bluffer_may_fuse: bool = True
    frappe_with_fusion: bool = True
    frappe_exact: str = "any"
    several_frappes: str = "tie_break"
    several_exact_bluffer_card: str = "discard"
    spared_with_fusion: bool = True
    spared_bluffer_card: str = "keep"
    master_bonus: bool = True
    bonus_pot: str = "after_feed"
    tie_value: str = "printed"
    last_tie: str = "clockwise"
    without: tuple[str, ...] = ()

    def stands(self, rule: str) -> bool:
        """Whether a rule has not been taken out."""
        return rule not in self.without

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Rules:
        """As a configuration writes them."""
        return cls(**{**table, "without": tuple(table.get("without", ()))})

    def to_table(self) -> dict[str, Any]:
        """As a configuration writes them: `without` only where there is something in it."""
        table = {f.name: getattr(self, f.name) for f in fields(self)}
        return {**table, "without": list(self.without)} if table.pop("without") else table


#: What each ruling may be; the default first.
ALTERNATIVES: dict[str, tuple[str | bool, ...]] = {
    "wild_adjusts": ("hidden", "both", "none"),
    "bluffer_wild": ("evasive", "printed"),
    "fusion_scope": ("any", "exact_only"),
    "refill_after_fusion": (False, True),
    "empty_hand": ("draw", "visible_only"),
    "empty_deck": ("recycle", "end_game"),
    "bluffer_may_fuse": (True, False),
    "frappe_with_fusion": (True, False),
    "frappe_exact": ("any", "printed"),
    "several_frappes": ("tie_break", "shared"),
    "several_exact_bluffer_card": ("discard", "pot", "keep"),
    "spared_with_fusion": (True, False),
    "spared_bluffer_card": ("keep", "discard"),
    "master_bonus": (True, False),
    "bonus_pot": ("after_feed", "before_feed"),
    "tie_value": ("printed", "signed"),
    "last_tie": ("clockwise", "random"),
}


#: Rules that can be taken out (PLAY.md, section 9), in the order in which a configuration writes them.
REMOVABLE = (
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


@dataclass(frozen=True)
class BlufferWeights:
    """Weights of a bluffer's features in 1/32; `temperature` as the integer t of the random term."""

    points: int = 0
    centre: int = 0
    same_family: int = 0
    shared_families: int = 0
    is_fusion: int = 0
    temperature: int = 0


@dataclass(frozen=True)
class Weights:
    """Weights of a non-bluffer's features in 1/32; `temperature` as the integer t of the random term."""

    gap: int = 0
    hit_natural: int = 0
    hit_fusion: int = 0
    hit_adjust: int = 0
    same_family: int = 0
    same_family_gap: int = 0
    miroir: int = 0
    frappe: int = 0
    points: int = 0
    is_fusion: int = 0
    temperature: int = 0


@dataclass(frozen=True)
class Persona:
    """A way of playing. Chances of lying in 1/65536."""

    name: str = "nobody"
    choice: str = "uniform"
    knowledge: str = "announcement"
    may_fuse: bool = False
    weights: Weights = field(default_factory=Weights)
    bluffer: BlufferWeights = field(default_factory=BlufferWeights)
    lie_total: int = 0
    lie_family: int = 0
    lie_size: int = 1
    option_points_at_most: int = -1
    option_rounds_left_at_least: int = 0


@dataclass(frozen=True)
class Setup:
    """Everything a game depends on besides its index."""

    seed: int
    seats: tuple[Persona, ...]
    families: tuple[Family, ...] = DEFAULT_FAMILIES
    rules: Rules = field(default_factory=Rules)
    hand_size: int = 3
    turns: int = 3

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def rounds(self) -> int:
        """How many rounds are planned (R)."""
        return self.players * self.turns

    @classmethod
    def from_resolved(cls, config: Mapping[str, Any]) -> Setup:
        """The setup of a resolved configuration (`Config.resolved()`), every section of it complete."""
        table = config["table"]
        names = list(config["play"]["seats"])
        names = names * table["players"] if len(names) == 1 else names
        families = tuple(
            Family(
                f["name"],
                f["kind"],
                f["values"][0],
                f["values"][1],
                f["copies"],
                f["reach"],
                tuple(f.get("without", ())),
            )
            for f in config["deck"]["families"]
        )
        return cls(
            config["run"]["seed"],
            tuple(persona_from_config(name, config["personas"][name]) for name in names),
            families,
            Rules.from_table(config["rules"]),
            table["hand_size"],
            table["turns_as_bluffer"],
        )

    def to_resolved(self) -> dict[str, Any]:
        """The other way round: a resolved configuration with this setup (personas must differ in name)."""
        families = [
            {
                "name": f.name,
                "kind": f.kind,
                "values": [f.low, f.high],
                "copies": f.copies,
                "reach": f.reach,
                "without": list(f.without),
            }
            for f in self.families
        ]
        return {
            "game": "num_bluff",
            "run": {"seed": self.seed},
            "table": {"players": self.players, "hand_size": self.hand_size, "turns_as_bluffer": self.turns},
            "rules": self.rules.to_table(),
            "deck": {"families": families},
            "play": {"seats": [persona.name for persona in self.seats]},
            "personas": {persona.name: persona_to_config(persona) for persona in self.seats},
        }


def persona_from_config(name: str, table: Mapping[str, Any]) -> Persona:
    """A persona's table of floats in the integers of PLAY.md, sections 4 to 6."""
    lie_total = round(65536 * table["lies"]["total"])
    lie_family = min(round(65536 * table["lies"]["family"]), 65536 - lie_total)
    return Persona(
        name,
        table["choice"],
        table["knowledge"],
        table["may_fuse"],
        Weights(**whole_weights(table["weights"], Weights)),
        BlufferWeights(**whole_weights(table["bluffer"], BlufferWeights)),
        lie_total,
        lie_family,
        table["lies"]["size"],
        table["option"]["points_at_most"],
        table["option"]["rounds_left_at_least"],
    )


def whole_weights(weights: Mapping[str, float], kind: type[Weights | BlufferWeights]) -> dict[str, int]:
    """Weights in 1/32, the temperature in the steps of the random term; Python's round() rounds half to even, as
    asked.
    """
    whole = {f.name: round(32 * weights[f.name]) for f in fields(kind)}
    whole["temperature"] = round(weights["temperature"] * 256 / math.sqrt(85))
    return whole


def persona_to_config(persona: Persona) -> dict[str, Any]:
    """A persona's table of floats; exact in both directions, as all units but the temperature's are powers of 2."""
    return {
        "choice": persona.choice,
        "knowledge": persona.knowledge,
        "may_fuse": persona.may_fuse,
        "weights": float_weights(persona.weights),
        "bluffer": float_weights(persona.bluffer),
        "lies": {"total": persona.lie_total / 65536, "family": persona.lie_family / 65536, "size": persona.lie_size},
        "option": {
            "points_at_most": persona.option_points_at_most,
            "rounds_left_at_least": persona.option_rounds_left_at_least,
        },
    }


def float_weights(weights: Weights | BlufferWeights) -> dict[str, float]:
    """Weights and temperature as a configuration writes them."""
    return {
        **{name: weight / 32 for name, weight in asdict(weights).items()},
        "temperature": weights.temperature * math.sqrt(85) / 256,
    }
