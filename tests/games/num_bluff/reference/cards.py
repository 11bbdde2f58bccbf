"""Cards and what they may count for (rules C1 to C6)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Family:
    """One family of a deck: `copies` cards of each value from `low` to `high` but those `without`; `reach` says how
    far a card may adjust.
    """

    name: str
    kind: str
    low: int = 0
    high: int = 16
    copies: int = 1
    reach: int = 0
    without: tuple[int, ...] = ()


@dataclass(frozen=True)
class Card:
    """One card. Copies of a card differ in `id` alone."""

    id: int
    family: str
    kind: str
    value: int
    reach: int

    def __str__(self) -> str:
        return f"{self.family}-{self.value}"

    @property
    def classic(self) -> bool:
        return self.kind == "classic"

    @property
    def printed(self) -> int:
        """What the card counts for without adjusting: a Shadow counts against its player."""
        return -self.value if self.kind == "shadow" else self.value

    @property
    def may_count(self) -> tuple[int, ...]:
        """Every number the card may count for once it adjusts (C2)."""
        steps = range(self.reach + 1)
        if self.kind == "rainbow":
            return tuple(self.value + step for step in steps)
        if self.kind == "shadow":
            return tuple(-(self.value - step) for step in steps if self.value - step >= 0)
        return (self.value,)


DEFAULT_FAMILIES = (
    Family("rouge", "classic"),
    Family("vert", "classic"),
    Family("bleu", "classic"),
    Family("jaune", "classic"),
    Family("rainbow", "rainbow", reach=3),
    Family("shadow", "shadow", reach=3),
)


def build_deck(families: Sequence[Family]) -> list[Card]:
    """All cards in the order of their ids: family by family, copy by copy, lowest value first."""
    kinds = [
        (f, value)
        for f in families
        for _ in range(f.copies)
        for value in range(f.low, f.high + 1)
        if value not in f.without
    ]
    return [Card(i, f.name, f.kind, value, f.reach) for i, (f, value) in enumerate(kinds)]


def points(cards: Sequence[Card]) -> int:
    """What cards are worth in a score pile."""
    return sum(card.value for card in cards)


def mean_printed(deck: Sequence[Card]) -> Fraction:
    """Mean of what a card of the deck counts for without adjusting."""
    return Fraction(sum(card.printed for card in deck), len(deck))


def totals(visible: Card, hidden: Sequence[Card], wild_adjusts: str) -> set[int]:
    """Every total a visible card and a hidden side can make (C6), by listing all combinations."""
    shown = visible.may_count if wild_adjusts == "both" else (visible.printed,)
    concealed = [(card.printed,) if wild_adjusts == "none" else card.may_count for card in hidden]
    return {sum(values) for values in itertools.product(shown, *concealed)}


def printed_total(visible: Card, hidden: Sequence[Card]) -> int:
    """The total when nothing adjusts."""
    return visible.printed + sum(card.printed for card in hidden)


def completes_miroir(own: Sequence[tuple[str, int, bool]], other: Sequence[tuple[str, int, bool]]) -> bool:
    """Whether two pairs of (family, value, is classic) show the same two families and the same two values, all four
    classic.
    """
    if len(own) != 2 or len(other) != 2 or not all(classic for _, _, classic in (*own, *other)):
        return False
    return sorted(family for family, _, _ in own) == sorted(family for family, _, _ in other) and sorted(
        value for _, value, _ in own
    ) == sorted(value for _, value, _ in other)


def face(card: Card) -> tuple[str, int, bool]:
    """What a Miroir looks at."""
    return card.family, card.value, card.classic
