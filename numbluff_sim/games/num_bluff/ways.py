"""What can be varied in NUM BLUFF's ways of playing (docs/games/num_bluff/PLAY.md sections 4 to 6)."""

from __future__ import annotations

import math
from dataclasses import replace

from numbluff_sim.contract.ways import Company, Habit, Parameter, Ways, parameters_of
from numbluff_sim.games.num_bluff.config import NumBluffConfig, Persona
from numbluff_sim.games.num_bluff.limits import INT16_MAX, largest_features, random_term_limit, weight_units
from numbluff_sim.i18n import bilingual

SIDE = {
    "points": "per point of the side",
    "same_family": "for a side of the visible card's family",
    "is_fusion": "for a fusion",
    "temperature": "standard deviation of what chance adds to a score",
}
HITS = {
    "gap": "per point of gap to where the bluffer is thought to be",
    "hit_natural": "for a single card that is exact as printed",
    "hit_fusion": "for a fusion that is exact",
    "hit_adjust": "for a side that adjusts to be exact",
    "same_family_gap": "per point of gap of a side of the visible card's family",
    "miroir": "for a Miroir Parfait",
    "frappe": "for an exact side of one family",
}
BLUFFER = {
    "centre": "per point of distance of the total from the deck's centre",
    "shared_families": "per other player who shows one of the side's families",
}
ABOUT = {
    "knowledge": (
        "1",
        "what a listener aims at: the announcement, the true cards (nobody knows them), a mean card (nothing)",
    ),
    "may_fuse": ("1", "whether fusions are considered"),
    **{f"weights.{key}": ("score", meaning) for key, meaning in (*HITS.items(), *SIDE.items())},
    **{f"bluffer.{key}": ("score", meaning) for key, meaning in (*BLUFFER.items(), *SIDE.items())},
    "lies.total": ("chance", "announces a false total"),
    "lies.family": ("chance", "announces a false family"),
    "lies.size": ("points", "largest step of a false total"),
    "option.points_at_most": ("points", "takes the option of a Coup Précis that keeps so few points; -1: never"),
    "option.rounds_left_at_least": ("rounds", "takes the option with so many rounds left"),
}
#: Deviations of the random term are stated in units of sqrt(85)/256 (limits.py).
STEP = math.sqrt(85) / 256


def parameters(config: NumBluffConfig, persona: str) -> tuple[Parameter, ...]:
    """All keys but `choice`, those of a uniform choice among single cards without its weights and fusions. A weight's
    bounds follow from what the persona's other weights leave of the 16 bits of a score.
    """
    one = config.personas[persona]
    if one.choice == "uniform":
        told = {key: about for key, about in ABOUT.items() if key.partition(".")[0] in ("lies", "option")}
        return tuple(_bounded(one, parameter, {}) for parameter in parameters_of(Persona, told))
    room = _room(config, one)
    return tuple(_bounded(one, parameter, room) for parameter in parameters_of(Persona, ABOUT))


def _bounded(persona: Persona, parameter: Parameter, room: dict[str, float]) -> Parameter:
    if parameter.key in room:
        most = room[parameter.key]
        return replace(parameter, low=max(parameter.low, -most), high=most)
    if parameter.key in ("lies.total", "lies.family"):
        other = persona.lies.family if parameter.key == "lies.total" else persona.lies.total
        return replace(parameter, high=1 - other)
    return parameter


def _room(config: NumBluffConfig, persona: Persona) -> dict[str, float]:
    """The largest size of every weight while the others stay (`limits.largest_features`)."""
    found = {}
    for table, features in largest_features(config, persona).items():
        weights = persona.weights if table == "weights" else persona.bluffer
        own = weights.model_dump()
        parts = {key: abs(weight_units(own[key])) * most for key, most in features.items()}
        parts["temperature"] = random_term_limit(weights.temperature)
        for key in parts:
            left = INT16_MAX - sum(parts.values()) + parts[key]
            if key == "temperature":
                found[f"{table}.{key}"] = min(left * 8 // 30, INT16_MAX // 30) * STEP
            else:
                found[f"{table}.{key}"] = left // max(features[key], 1) / 32
    return found


WORDS = "numbluff_sim.games.num_bluff:habits"
HONEST = {"lies.total": 0.0, "lies.family": 0.0}
HABITS = tuple(
    Habit(name, does, rather_than, bilingual(WORDS, f"habits.{name}"))
    for name, does, rather_than in (
        ("lying_on_the_total", {"lies.total": 1.0, "lies.family": 0.0}, HONEST),
        ("lying_on_the_family", {"lies.total": 0.0, "lies.family": 1.0}, HONEST),
        ("fusing", {}, {"may_fuse": False}),
        ("taking_the_option", {}, {"option.points_at_most": -1}),
    )
)
COMPANIES = tuple(
    Company(name, {"knowledge": knowledge}, bilingual(WORDS, f"companies.{name}"))
    for name, knowledge in (("believing", "announcement"), ("sceptical", "nothing"), ("all_seeing", "true_cards"))
)
WAYS = Ways(
    parameters,
    restrictions={
        "never_lie": {"lies.total": 0.0, "lies.family": 0.0},
        "never_lie_total": {"lies.total": 0.0},
        "never_lie_family": {"lies.family": 0.0},
        "never_fuse": {"may_fuse": False},
        "never_option": {"option.points_at_most": -1},
        "no_same_family": {"weights.same_family": 0.0, "weights.same_family_gap": 0.0, "bluffer.same_family": 0.0},
        "bluffer_any_card": {
            **{f"bluffer.{key}": 0.0 for key in ("points", "centre", "same_family", "shared_families", "is_fusion")},
            "bluffer.temperature": 1.0,
        },
    },
    starts=("plays_to_win", "exact_hunter", "nearest"),
    habits=HABITS,
    companies=COMPANIES,
)
