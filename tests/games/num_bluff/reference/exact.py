"""Exact chances of one round when hidden cards are chosen uniformly and nobody fuses: by counting, never by sampling.

A visible card and a uniformly chosen hidden card are two random cards of the deck, so a bluffer and one other player
show four distinct random cards. Every function counts ordered quadruples (bluffer's visible, hidden, player's visible,
hidden).
"""

from __future__ import annotations

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from tests.games.num_bluff.reference.cards import Card, completes_miroir, face, totals

#: The documented values for the default deck (rules, section 7).
DOCUMENTED = {
    "miroir_taken_4_players": Fraction(16, 27775),
    "miroir_random_4_players": Fraction(16, 83325),
    "exact_hidden": Fraction(2433241, 50994900),
    "exact_one_family_hidden": Fraction(34117, 5099490),
    "exact_printed": Fraction(334933, 12748725),
    "exact_both": Fraction(1774379, 25497450),
    "exact_one_family_both": Fraction(115952, 12748725),
    "exact_printed_one_family": Fraction(1028, 249975),
    "bluffer_one_family": Fraction(16, 101),
}


def quadruples(deck: Sequence[Card]) -> int:
    """How many ordered quadruples of distinct cards a deck has."""
    return math.perm(len(deck), 4)


def ordered_pairs(deck: Sequence[Card]) -> Iterator[tuple[Card, Card]]:
    """All ordered pairs of distinct cards."""
    return ((a, b) for a in deck for b in deck if a is not b)


def miroir_chance(deck: Sequence[Card], players: int, tries: int = 1) -> Fraction:
    """Chance that somebody has a Miroir Parfait in round 1, in a deck without duplicates.

    tries=1: a random hidden card; tries=hand size: a Miroir is taken whenever the hand allows it. The three cards of a
    hand exclude each other as partner of one visible card, and so do the players: there are only two cards that mirror
    the bluffer's.
    """
    by_look: defaultdict[object, list[tuple[Card, Card]]] = defaultdict(list)
    for a, b in ordered_pairs(deck):
        by_look[frozenset((a.family, b.family)), tuple(sorted((a.value, b.value)))].append((a, b))
    found = 0
    for alike in by_look.values():
        for mine in alike:
            rivals = [
                pair
                for pair in alike
                if not {card.id for card in pair} & {card.id for card in mine}
                and completes_miroir([face(card) for card in pair], [face(card) for card in mine])
            ]
            assert len({card.id for pair in rivals for card in pair}) in (0, 2), (
                "several Miroirs: the chances do not simply add up"
            )
            found += len(rivals)
    return Fraction(found * tries * (players - 1), quadruples(deck))


def exact_chance(deck: Sequence[Card], wild_adjusts: str, *, one_family: bool = False) -> Fraction:
    """Chance that a given player is exact against a bluffer who does not adjust (`bluffer_wild = printed`)."""
    printed = Counter(card.printed for card in deck)

    @functools.cache
    def bluffer_pairs(total: int, gone: tuple[int, int]) -> int:
        """Ordered pairs with this printed total in the deck without two cards of these printed values."""
        left = printed - Counter(gone)
        return sum(
            n * (left[total - value] - (total - value == value)) for value, n in left.items() if left[total - value]
        )

    def hits(visible: Card, hidden: Card) -> int:
        gone = min(visible.printed, hidden.printed), max(visible.printed, hidden.printed)
        return sum(bluffer_pairs(total, gone) for total in totals(visible, [hidden], wild_adjusts))

    pairs = ordered_pairs(deck)
    return Fraction(sum(hits(a, b) for a, b in pairs if a.family == b.family or not one_family), quadruples(deck))


def one_family_chance(deck: Sequence[Card]) -> Fraction:
    """Chance that visible and hidden card of one player (the bluffer, say) share a family."""
    return Fraction(sum(a.family == b.family for a, b in ordered_pairs(deck)), math.perm(len(deck), 2))


def derived(deck: Sequence[Card]) -> dict[str, Callable[[], Fraction]]:
    """What derives each documented value from a deck."""
    return {
        "miroir_taken_4_players": lambda: miroir_chance(deck, 4, tries=3),
        "miroir_random_4_players": lambda: miroir_chance(deck, 4),
        "exact_hidden": lambda: exact_chance(deck, "hidden"),
        "exact_one_family_hidden": lambda: exact_chance(deck, "hidden", one_family=True),
        "exact_printed": lambda: exact_chance(deck, "none"),
        "exact_both": lambda: exact_chance(deck, "both"),
        "exact_one_family_both": lambda: exact_chance(deck, "both", one_family=True),
        "exact_printed_one_family": lambda: exact_chance(deck, "none", one_family=True),
        "bluffer_one_family": lambda: one_family_chance(deck),
    }
