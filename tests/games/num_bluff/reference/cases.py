"""Rounds written down as JSON (tests/games/num_bluff/cases/num_bluff_rounds.json), resolved with the reference
rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Card, Family, build_deck
from tests.games.num_bluff.reference.resolving import Outcome, Round, Side, resolve
from tests.games.num_bluff.reference.setup import Rules


def names(cards: Iterable[Card]) -> list[str]:
    """Cards as text, sorted as text."""
    return sorted(map(str, cards))


def resolve_case(case: Mapping[str, Any], families: Sequence[Family] = DEFAULT_FAMILIES) -> dict[str, Any]:
    """The outcome of one case in the form of its expectation. Last ties go clockwise from the bluffer."""
    return describe(resolve(read_round(case, families)))


def read_round(case: Mapping[str, Any], families: Sequence[Family] = DEFAULT_FAMILIES) -> Round:
    """The round of one case."""
    cards = {str(card): card for card in build_deck(families)}
    pairs = zip(case["visible"], case["hidden"], strict=True)
    sides = [
        Side(seat, cards[shown], tuple(cards[name] for name in hidden)) for seat, (shown, hidden) in enumerate(pairs)
    ]
    bluffer = case["bluffer"]
    clockwise = [(seat - bluffer) % len(sides) for seat in range(len(sides))]
    return Round(Rules.from_table(case["rules"]), bluffer, sides, [cards[name] for name in case["pot"]], clockwise)


def describe(outcome: Outcome) -> dict[str, Any]:
    """An outcome in the form of a case's expectation."""
    return {
        "event": outcome.event,
        "bluffer_total": outcome.bluffer_total,
        "gaps": outcome.gaps,
        "mechanism": outcome.mechanism,
        "winners": outcome.winners,
        "closest": outcome.closest,
        "farthest": outcome.farthest,
        "to_score": [names(cards) for cards in outcome.to_score],
        "to_pot": names(outcome.to_pot),
        "to_discard": names(outcome.to_discard),
        "pot_taken": outcome.pot_taker is not None,
        "visible_back": outcome.visible_back,
        "may_sacrifice": outcome.may_sacrifice,
    }
