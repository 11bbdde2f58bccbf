"""Seats, cards and points in words. Seats count from 1 here, as in the report; in JSON they count from 0."""

from __future__ import annotations

from collections.abc import Sequence

from numbluff_sim.contract.rules import Ruling, Value, rule_book
from numbluff_sim.i18n import load_catalogue

#: A longer list of cards says nothing to a reader.
MOST_NAMED = 12


def card_points(card: str) -> int:
    """The printed value of a card written family-value."""
    return int(card.rpartition("-")[2])


class Phrases:
    """Small phrases in one language ("en" or "fr")."""

    def __init__(self, language: str) -> None:
        self.language, self.book = language, rule_book("numbluff_sim.games.num_bluff")
        self.catalogue = load_catalogue("numbluff_sim.games.num_bluff:resolve", language)
        self.text = self.catalogue.text

    def seat(self, seat: int) -> str:
        """One seat."""
        return self.text("words.seat", seat=seat + 1)

    def seats(self, seats: Sequence[int]) -> str:
        """One seat or several."""
        return (
            self.seat(seats[0])
            if len(seats) == 1
            else self.text("words.seats", seats=self.listed([str(p + 1) for p in seats]))
        )

    def listed(self, parts: Sequence[str]) -> str:
        """One, two and three."""
        return (
            self.text("words.and").join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
            if parts
            else self.text("words.no_card")
        )

    def side(self, cards: Sequence[str]) -> str:
        """A hidden side: one card, or a fusion with its plus; empty for none."""
        return self.text("words.plus").join(cards)

    def points(self, points: int) -> str:
        """A number of points."""
        return self.text("words.one_point" if abs(points) == 1 else "words.points", points=points)

    def worth(self, cards: Sequence[str]) -> str:
        """Cards and their points; many cards are counted, not named."""
        if not cards:
            return self.text("words.no_card")
        named = self.listed(cards) if len(cards) <= MOST_NAMED else self.text("words.many", count=len(cards))
        return self.text("words.worth", cards=named, points=self.points(sum(map(card_points, cards))))

    def answered(self, ruling: Ruling, value: Value) -> dict[str, str]:
        """A ruling and the answer to it, as the placeholders of a sentence: the value as a configuration writes it."""
        return {
            "name": ruling.name,
            "answer": str(value).lower() if isinstance(value, bool) else value,
            "clause": ruling.clause,
            "meaning": ruling.answer(value).meaning.in_language(self.language),
        }

    def event(self, name: str) -> dict[str, str]:
        """An event and the rules that make it, as the placeholders of a sentence."""
        event = self.book.event(name)
        numbers = [clause.removeprefix("rule ") for clause in event.clauses]
        rule = self.text("words.rule" if len(numbers) == 1 else "words.rules", numbers=self.listed(numbers))
        return {"event": event.title.in_language(self.language), "rule": rule}
