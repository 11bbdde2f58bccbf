"""The reference engine's random numbers and pile, against values worked out apart from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from tests.common.randomness import GAMMA, Randomness, arrange, mix
from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, build_deck
from tests.games.num_bluff.reference.game import replace_hidden
from tests.games.num_bluff.reference.pile import Pile

DECK = build_deck(DEFAULT_FAMILIES)


@dataclass(frozen=True)
class Ranks(Randomness):
    """Draws that are told: `ranks` by counter, 0 where nothing is told."""

    ranks: Mapping[int, int] = field(default_factory=dict)

    def below(self, counter: int, n: int) -> int:
        rank = self.ranks.get(counter, 0)
        assert rank < n
        return rank


@dataclass(frozen=True)
class Counting(Randomness):
    """Words that count up, so that every piece of 16 bits can be tried."""

    def word(self, counter: int) -> int:
        return counter


def test_mix__published_splitmix64_outputs() -> None:
    """The first outputs of SplitMix64 from state 0."""
    assert [mix(GAMMA * step % 2**64) for step in (1, 2, 3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_bits__four_games_share_a_word() -> None:
    for counter in (0, 5, 2**21, 2**23 - 1):
        pieces = [Randomness(17, 40 + lane).bits(counter) for lane in range(4)]
        assert sum(piece << 16 * lane for lane, piece in enumerate(pieces)) == Randomness(17, 41).word(counter)
    assert Randomness(17, 40).word(3) != Randomness(17, 44).word(3) != Randomness(18, 44).word(3)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 85, 102, 250])
def test_below__uniform_over_all_pieces(n: int) -> None:
    """Every piece of 16 bits once: each result comes out 65536 // n times, and the rejected pieces are drawn again."""
    counts = Counter(Counting(0, 0).below(piece, n) for piece in range(65536))
    assert sorted(counts) == list(range(n))
    assert min(counts.values()) >= 65536 // n
    assert sum(counts.values()) - n * (65536 // n) == 65536 % n


def test_arrange__takes_the_rank_th_of_the_rest() -> None:
    assert arrange([30, 10, 20, 40], [1, 2, 1, 0]) == [20, 40, 30, 10]


def test_pile__top_and_bottom_places() -> None:
    """With all ranks 0 card number k is the k-th smallest id: four tops, then the bottom takes 4, 5, ... and the
    tops from behind.
    """
    pile = Pile(DECK[:10], 4, 0, Ranks(0, 0))
    assert [pile.draw_top().id for _ in range(2)] == [0, 1]
    assert [pile.draw_bottom().id for _ in range(len(pile))] == [4, 5, 6, 7, 8, 9, 3, 2]


def test_pile__ranks_choose_among_cards_not_yet_taken() -> None:
    pile = Pile(DECK[10:15], 5, 0, Ranks(0, 0, {0: 4, 1: 0, 2: 2, 3: 1}))
    assert [pile.draw_top().id for _ in range(5)] == [14, 10, 13, 12, 11]


def test_pile__ranks_behind_the_tops_count_down() -> None:
    """Second pile (epoch 1), two tops of five: counters 256, 257, then 511, 510, 509."""
    pile = Pile(DECK[:5], 2, 1, Ranks(0, 0, {256: 4, 257: 1, 511: 2, 510: 1}))
    assert [pile.draw_bottom().id for _ in range(5)] == [3, 2, 0, 1, 4]


def test_build_deck__documented_ids() -> None:
    first = {card.family: card.id for card in reversed(DECK)}
    assert first == {"rouge": 0, "vert": 17, "bleu": 34, "jaune": 51, "rainbow": 68, "shadow": 85}
    assert [str(DECK[i]) for i in (0, 16, 17, 101)] == ["rouge-0", "rouge-16", "vert-0", "shadow-16"]


def test_may_count__every_value_of_the_rules() -> None:
    assert DECK[68 + 7].may_count == (7, 8, 9, 10)
    assert DECK[85 + 7].may_count == (-7, -6, -5, -4)
    assert DECK[85 + 2].may_count == (-2, -1, 0)
    assert DECK[85].may_count == (0,)
    assert DECK[5].may_count == (5,)


@pytest.mark.parametrize(
    ("slots", "returning", "expected"),
    [
        ((1,), 9, [0, 9, 2, 3]),  # one hidden card: the visible card takes its place
        ((1,), None, [0, 3, 2]),  # a Miroir suffered: the last card does
        ((3,), None, [0, 1, 2]),
        ((0, 2), 9, [9, 1, 3]),  # a fusion: the last card to the second place, the visible card to the first
        ((0, 3), 9, [9, 1, 2]),
        ((0, 1), None, [2, 3]),  # last card to slot 1, then the new last card to slot 0
        ((2, 3), None, [0, 1]),
        ((), 9, [0, 1, 2, 3, 9]),  # nothing hidden
        ((), None, [0, 1, 2, 3]),
    ],
)
def test_replace_hidden__order_inside_a_hand(
    slots: tuple[int, ...], returning: int | None, expected: list[int]
) -> None:
    hand = DECK[:4]
    replace_hidden(hand, slots, None if returning is None else DECK[returning])
    assert [card.id for card in hand] == expected
