"""What a NUM BLUFF configuration must satisfy as a whole, and the ranges of totals, gaps and scores that follow from
it.

Weights, temperatures and chances become fixed-point integers here (docs/games/num_bluff/PLAY.md sections 4 and 5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numbluff_sim.errors import ConfigError, shown_value
from numbluff_sim.kernels.num_bluff.codes import GAP_CAP

if TYPE_CHECKING:
    from numbluff_sim.games.num_bluff.config import Family, NumBluffConfig, Persona

INT8_MAX, INT16_MAX = 127, 2**15 - 1
MOST_CARDS, MOST_FAMILIES = 250, 100


def weight_units(weight: float) -> int:
    """A weight in 1/32, rounded half to even."""
    return round(32 * weight)


def temperature_units(temperature: float) -> int:
    """The factor t of the random term: its standard deviation in units of sqrt(85)/256, rounded half to even."""
    return round(temperature * 256 / math.sqrt(85))


def random_term_limit(temperature: float) -> int:
    """The largest size of the random term floor((n - 30) * t / 8), n in 0..60."""
    return -(-30 * temperature_units(temperature) // 8)


@dataclass(frozen=True)
class Totals:
    """Ranges of totals: `low..high` of a visible card with two hidden ones, `aim_low..aim_high` of what a player may
    aim at.
    """

    low: int
    high: int
    aim_low: int
    aim_high: int

    @property
    def gap(self) -> int:
        """The largest distance between an aim (or the bluffer's total) and a total."""
        return max(self.high - self.aim_low, self.aim_high - self.low)

    @property
    def wide(self) -> bool:
        """Whether some total, aim or gap needs more than a signed byte."""
        return max(-self.aim_low, self.aim_high, self.gap) > INT8_MAX


def totals(config: NumBluffConfig) -> Totals:
    """The ranges that the deck and the largest lie allow, safely: three times the extreme card, 0 (nothing hidden)
    included.
    """
    cards = config.deck.cards
    low = 3 * min(0, *(f.printed(v) for f, v in cards))
    high = 3 * max(0, *(f.printed(v) + f.slack(v) for f, v in cards))
    may_lie = "lie" not in config.rules.without
    lie = max(p.lies.size if may_lie and p.lies.total > 0 else 0 for p in config.seat_personas)
    return Totals(low, high, low - lie, high + lie)


def check(config: NumBluffConfig) -> None:
    """Raise ConfigError for the first thing that no single key shows."""
    _check_rules(config)
    _check_deck(config)
    _check_columns(config)
    for name, persona in config.personas.items():
        _check_lies(name, persona)
        _check_fusion(name, persona)
        _check_scores(config, name, persona)


def _refuse(
    path: tuple[str | int, ...],
    value: object,
    why: str,
    expected: str,
    *,
    key: str | None = None,
    nearest: str | None = None,
) -> ConfigError:
    key = key or ".".join(map(str, path))
    return ConfigError(
        f"{key} = {shown_value(value)} {why}", key=key, value=value, expected=expected, nearest=nearest, path=path
    )


def _check_rules(config: NumBluffConfig) -> None:
    without = config.rules.without
    twice = next((name for name in without if without.count(name) > 1), None)
    if twice:
        raise _refuse(("rules", "without"), without, f'names "{twice}" twice', "each rule once")


def _check_left_out(family: Family, path: tuple[str | int, ...]) -> None:
    """Values that the family does not have, twice the same, or all of them."""
    without, (low, high) = family.without, family.values
    unknown = next((v for v in without if not low <= v <= high), None)
    twice = next((v for v in without if without.count(v) > 1), None)
    problem, expected = None, f"values from {low} to {high}"
    if unknown is not None:
        problem = f"leaves out {unknown}, which the family does not have"
    elif twice is not None:
        problem, expected = f"leaves out {twice} twice", "each value once"
    elif not family.faces:
        problem = "leaves the family without a card"
        expected = f"a value from {low} to {high} at least that stays (deck.families says which families there are)"
    if problem:
        raise _refuse((*path, "without"), without, problem, expected, key=f"deck.{family.name}.without")


def _check_deck(config: NumBluffConfig) -> None:
    families, table = config.deck.families, config.table
    if not 1 <= len(families) <= MOST_FAMILIES:
        raise _refuse(("deck", "families"), len(families), "families", f"1 to {MOST_FAMILIES} families")
    seen: set[str] = set()
    for i, family in enumerate(families):
        path = ("deck", "families", i)
        if family.name in seen or family.name == "families":
            raise _refuse(
                (*path, "name"),
                family.name,
                "is taken",
                "a name of its own for each family",
                key=f"deck.families[{i}].name",
            )
        seen.add(family.name)
        if family.values[0] > family.values[1]:
            raise _refuse(
                (*path, "values"),
                family.values,
                "runs downwards",
                "[lowest, highest] value",
                key=f"deck.{family.name}.values",
            )
        if family.kind == "classic" and family.reach:
            raise _refuse(
                (*path, "reach"),
                family.reach,
                "cannot be used in a classic family",
                "0 (only rainbow and shadow cards adjust)",
                key=f"deck.{family.name}.reach",
            )
        _check_left_out(family, path)
    size, needed = sum(f.cards for f in families), table.players * (table.hand_size + 1)
    if size > MOST_CARDS:
        raise _refuse(
            ("deck", "families"), size, "cards are too many", f"at most {MOST_CARDS} cards", key="deck.families"
        )
    if size < needed:
        raise _refuse(
            ("deck", "families"),
            size,
            "cards are too few to deal one round",
            (
                f"at least {needed} cards, for {table.players} players with {table.hand_size} cards in hand and "
                "one drawn each"
            ),
            key="deck.families",
        )


def _check_columns(config: NumBluffConfig) -> None:
    table, highest = config.table, max(f.faces[-1] for f in config.deck.families)
    most = config.rounds * table.players * 3 * highest
    if most > INT16_MAX:
        place, family = next((i, f) for i, f in enumerate(config.deck.families) if f.faces[-1] == highest)
        keys = (
            (
                table.turns_as_bluffer / 3,
                ("table", "turns_as_bluffer"),
                "table.turns_as_bluffer",
                table.turns_as_bluffer,
            ),
            (table.players / 4, ("table", "players"), "table.players", table.players),
            (highest / 16, ("deck", "families", place, "values"), f"deck.{family.name}.values", family.values),
        )
        _, path, key, value = max(keys, key=lambda k: k[0])
        raise _refuse(
            path,
            value,
            "makes points that do not fit their column",
            (
                f"rounds x players x 3 x highest value at most {INT16_MAX}, here {config.rounds} x "
                f"{table.players} x 3 x {highest} = {most}"
            ),
            key=key,
        )


def _check_lies(name: str, persona: Persona) -> None:
    lies = persona.lies
    if lies.total + lies.family > 1:
        raise _refuse(
            ("personas", name, "lies"),
            lies.total + lies.family,
            "is the sum of total and family",
            "a sum of at most 1: one lie a round",
            key=f"personas.{name}.lies",
        )


def _check_fusion(name: str, persona: Persona) -> None:
    if persona.choice == "uniform" and persona.may_fuse:
        raise _refuse(
            ("personas", name, "may_fuse"),
            True,
            'does not go with choice = "uniform"',
            "false (uniform choice is among single cards)",
        )


def largest_features(config: NumBluffConfig, persona: Persona) -> dict[str, dict[str, int]]:
    """The largest size of every feature, by table of weights (docs/games/num_bluff/PLAY.md section 4)."""
    span = totals(config)
    gap = min(GAP_CAP, span.gap)
    points = max(v for _, v in config.deck.cards) * (
        2 if persona.may_fuse and "fusion" not in config.rules.without else 1
    )
    centre = centre_total(config)
    flags = dict.fromkeys(
        ("hit_natural", "hit_fusion", "hit_adjust", "same_family", "miroir", "frappe", "is_fusion"), 1
    )
    return {
        "weights": {**flags, "gap": gap, "same_family_gap": gap, "points": points},
        "bluffer": {
            "points": points,
            "centre": min(GAP_CAP, max(span.high - centre, centre - span.low)),
            "same_family": 1,
            "shared_families": config.players - 1,
            "is_fusion": 1,
        },
    }


def _check_scores(config: NumBluffConfig, name: str, persona: Persona) -> None:
    if persona.choice == "uniform":
        return
    for table, features in largest_features(config, persona).items():
        weights = getattr(persona, table)
        parts = {key: abs(weight_units(getattr(weights, key))) * most for key, most in features.items()}
        parts["temperature"] = random_term_limit(weights.temperature)
        worst = max(parts, key=lambda k: parts[k])
        if 30 * temperature_units(weights.temperature) > INT16_MAX:
            worst = "temperature"
        elif sum(parts.values()) <= INT16_MAX:
            continue
        path = ("personas", name, table, worst)
        raise _refuse(
            path,
            getattr(weights, worst),
            "makes scores that do not fit 16 bits",
            f"a smaller one: all weights times their largest features must stay within {INT16_MAX / 32:.0f}, "
            f"here they reach {sum(parts.values()) / 32:.0f}",
        )


def mean_total(config: NumBluffConfig) -> int:
    """Mean printed total of a card of the deck, rounded half to even."""
    return _mean_times(config, 1)


def centre_total(config: NumBluffConfig) -> int:
    """Twice the mean printed total of a card of the deck, rounded half to even."""
    return _mean_times(config, 2)


def _mean_times(config: NumBluffConfig, factor: int) -> int:
    printed = [f.printed(v) for f, v in config.deck.cards]
    whole, rest = divmod(factor * sum(printed), len(printed))
    return whole + (2 * rest > len(printed) or (2 * rest == len(printed) and whole % 2))
