"""The pile (PLAY.md, section 2): visible cards come from the top, extra draws from the bottom."""

from __future__ import annotations

from collections.abc import Sequence

from tests.common.randomness import Randomness, arrange
from tests.games.num_bluff.reference.cards import Card
from tests.games.num_bluff.reference.streams import deck_counter


class Pile:
    """A shuffled pile, as the list of its places from top to bottom."""

    def __init__(self, cards: Sequence[Card], tops: int, epoch: int, randomness: Randomness) -> None:
        """`tops`: how many places from the top are planned for visible cards (and the first hands)."""
        size = len(cards)
        ranks = [randomness.below(deck_counter(epoch, k, tops), size - k) for k in range(size)]
        by_id = {card.id: card for card in cards}
        drawn = [by_id[i] for i in arrange(list(by_id), ranks)]
        # Bottom draws use the ranks after those planned for the top, so that place M-1 holds card number `tops`.
        self.places = drawn[:tops] + drawn[tops:][::-1]

    def __len__(self) -> int:
        return len(self.places)

    def draw_top(self) -> Card:
        return self.places.pop(0)

    def draw_bottom(self) -> Card:
        return self.places.pop()
