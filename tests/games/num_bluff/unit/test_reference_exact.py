"""The exact values of the rules' section 7, counted card by card, and the counting itself checked by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import pytest

from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Card, Family, build_deck
from tests.games.num_bluff.reference.exact import DOCUMENTED, derived, exact_chance, miroir_chance, one_family_chance
from tests.games.num_bluff.reference.resolving import Round, Side, resolve
from tests.games.num_bluff.reference.setup import Rules

SMALL_DECK = build_deck(
    [
        Family("rouge", "classic", 1, 3),
        Family("vert", "classic", 1, 3),
        Family("arc", "rainbow", 0, 1, reach=2),
        Family("ombre", "shadow", 1, 2, reach=1),
    ]
)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_derived__equals_the_documented_fraction(name: str) -> None:
    assert derived(build_deck(DEFAULT_FAMILIES))[name]() == DOCUMENTED[name]


def resolved(four: Sequence[Card], wild_adjusts: str) -> Round:
    """A bluffer (seat 0) and one player with four given cards."""
    sides = [Side(0, four[0], (four[1],)), Side(1, four[2], (four[3],))]
    return Round(Rules(wild_adjusts=wild_adjusts, bluffer_wild="printed"), 0, sides, [], [0, 1])


def brute_force(wild_adjusts: str, one_family: bool) -> Fraction:
    """exact_chance by resolving every deal of four cards of the small deck."""
    deals = list(itertools.permutations(SMALL_DECK, 4))
    hits = 0
    for four in deals:
        round_ = resolved(four, wild_adjusts)
        hits += round_.bluffer_total() in round_.reached(round_.sides[1]) and (
            round_.sides[1].one_family or not one_family
        )
    return Fraction(hits, len(deals))


@pytest.mark.parametrize("wild_adjusts", ["hidden", "both", "none"])
@pytest.mark.parametrize("one_family", [False, True])
def test_exact_chance__equals_brute_force_on_a_small_deck(wild_adjusts: str, one_family: bool) -> None:
    assert exact_chance(SMALL_DECK, wild_adjusts, one_family=one_family) == brute_force(wild_adjusts, one_family)


def test_miroir_chance__equals_brute_force_on_a_small_deck() -> None:
    deals = list(itertools.permutations(SMALL_DECK[:6], 6))
    events = [
        resolve(
            Round(Rules(), 0, [Side(seat, deal[2 * seat], (deal[2 * seat + 1],)) for seat in range(3)], [], [0, 1, 2])
        ).event
        for deal in deals
    ]
    assert miroir_chance(SMALL_DECK[:6], 3) == Fraction(events.count("miroir_parfait"), len(deals)) > 0


def test_miroir_chance__hand_of_two_by_brute_force() -> None:
    """One player with two cards in hand: twice the chance of a random hidden card."""
    deals = list(itertools.permutations(SMALL_DECK[:6], 5))
    hits = sum(
        any(Side(1, shown, (card,)).mirrors(Side(0, mine, (other,))) for card in hand)
        for mine, other, shown, *hand in deals
    )
    assert miroir_chance(SMALL_DECK[:6], 2, tries=2) == Fraction(hits, len(deals)) > 0


def test_one_family_chance__equals_brute_force_on_a_small_deck() -> None:
    pairs = list(itertools.permutations(SMALL_DECK, 2))
    assert one_family_chance(SMALL_DECK) == Fraction(sum(a.family == b.family for a, b in pairs), len(pairs))
