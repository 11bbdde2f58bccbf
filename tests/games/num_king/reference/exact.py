"""Exact values of NUM-King, as fractions: by counting hands, and by playing every deal of small tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

from tests.games.num_king.reference.cards import Play
from tests.games.num_king.reference.scores import round_score
from tests.games.num_king.reference.setup import Deck, Rules
from tests.games.num_king.reference.tricks import legal, settle

Value = Any


def exact(kind: str, params: Mapping[str, Any]) -> Value:
    """The value of a check of the case file: a fraction, or a table of numbers and fractions."""
    return KINDS[kind](**params)


def hyper_at_least(N: int, K: int, h: int, k: int) -> Fraction:  # noqa: N803  the names of the case file
    """The chance that h of N cards hold at least k of K."""
    return Fraction(sum(comb(K, j) * comb(N - K, h - j) for j in range(k, h + 1)), comb(N, h))


def expected_pairs_dealt(N: int, pairs: int, dealt: int) -> Fraction:  # noqa: N803
    """The mean number of pairs of which both cards are among those dealt."""
    return Fraction(pairs * dealt * (dealt - 1), N * (N - 1))


def hand_has_pair(pairs: int, singles: int, h: int) -> Fraction:
    """The chance that a hand holds both cards of a pair."""
    none = sum(comb(pairs, j) * 2**j * comb(singles, h - j) for j in range(h + 1))
    return 1 - Fraction(none, comb(2 * pairs + singles, h))


def breakeven(cards: int) -> Fraction:
    """The chance of the trick from which on a bid of 1 brings more than one of 0, in a round of one card."""
    gains = [round_score(bid, 1, cards) - round_score(bid, 0, cards) for bid in (0, 1)]
    return Fraction(round_score(0, 0, cards) - round_score(1, 0, cards), gains[1] - gains[0])


def zero_vs_exact() -> dict[str, Value]:
    """A made 0 beside the best other bid, by cards."""
    zero, other = (
        [round_score(bid, bid, h) for h, bid in bids]
        for bids in ([(h, 0) for h in range(1, 11)], [(h, h) for h in range(1, 11)])
    )
    ties = next(h for h in range(1, 11) if other[h - 1] == zero[h - 1])
    return {"first_cards_where_full_bid_ties_zero": ties, "zero_at": zero, "best_nonzero_at": other}


def one_card_round(n: int, numx: int, deck: int, rules: Rules | None = None) -> dict[str, Value]:
    """Every deal of a card each to n players, whose Num-X is always declared the same: play is forced."""
    cards = Deck().cards()
    assert len(cards) == deck
    ends: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for dealt in combinations(cards, n):
        laid = [(card, f"NX={numx}" if card == "NX" else card) for card in dealt]  # who laid it is the card held
        found = settle(laid, rules or Rules())
        ends["won" if found.winner is not None else found.reason] += 1
        if found.winner is not None:
            wins[found.winner] += 1
    deals = comb(deck, n)
    seat = Fraction(ends["won"], n * deals)
    return {
        "n": n,
        "numx": numx,
        "distribution": {end: Fraction(count, deals) for end, count in ends.items()},
        "p_no_winner": 1 - n * seat,
        "p_seat_wins": seat,
        **{f"ev_bid{bid}": _mean_score(bid, seat) for bid in (0, 1)},
        "p_win_given": {
            card: Fraction(wins[card], comb(deck - 1, n - 1)) for card in ("RB16", "RB15", "RB12", "RB8", "RB1", "NX")
        },
    }


def _mean_score(bid: int, chance: Fraction) -> Fraction:
    return chance * round_score(bid, 1, 1) + (1 - chance) * round_score(bid, 0, 1)


def tiny_random_legal(n: int, h: int, cfg: Mapping[str, Any], leader: int) -> dict[str, Value]:
    """Every deal of a tiny deck, every legal line, each action as likely as the others; two cards each."""
    cards, rules = Deck.from_table(cfg).cards(), Rules.from_table(cfg)
    assert h == 2
    deals = [tuple(hands) for hands in _hands(cards, n, h)]
    tricks, leads = [Fraction(0)] * n, Fraction(0)
    for hands in deals:
        for chance, won, led in _lines(hands, leader, rules):
            leads += chance * (led[1] == 0)
            for seat in won:
                if seat is not None:
                    tricks[seat] += chance
    means = [one / len(deals) for one in tricks]
    return {
        "n": n,
        "h": h,
        "deals": len(deals),
        "expected_tricks": means,
        "expected_void": h - sum(means),
        "p_seat0_leads_second": leads / len(deals),
    }


def _hands(cards: Sequence[str], n: int, h: int) -> list[list[tuple[str, ...]]]:
    if n == 0:
        return [[]]
    return [
        [hand, *others]
        for hand in combinations(cards, h)
        for others in _hands([card for card in cards if card not in hand], n - 1, h)
    ]


def _lines(
    hands: Sequence[tuple[str, ...]], leader: int, rules: Rules
) -> list[tuple[Fraction, list[int | None], list[int]]]:
    """All ways a round can go: chance, winners of its tricks, leaders of its tricks."""
    done: list[tuple[Fraction, list[int | None], list[int]]] = []

    def go(
        left: Sequence[tuple[str, ...]], plays: list[Play], chance: Fraction, won: list[int | None], led: list[int]
    ) -> None:
        if len(plays) == len(left):
            found = settle(plays, rules)
            won = [*won, None if found.winner is None else int(found.winner)]
            if not left[0]:
                done.append((chance, won, led))
            else:
                go(left, [], chance, won, [*led, int(found.next_leader)])
            return
        seat = (led[-1] + len(plays)) % len(left)
        ways = _legal(left[seat], tuple(plays), rules)
        for way in ways:
            card = "NX" if way.startswith("NX") else way
            rest = tuple(other for other in left[seat] if other != card)
            after = [*left[:seat], rest, *left[seat + 1 :]]
            go(after, [*plays, (str(seat), way)], chance / len(ways), won, led)

    go(hands, [], Fraction(1), [], [leader])
    return done


@cache
def _legal(hand: tuple[str, ...], plays: tuple[Play, ...], rules: Rules) -> list[str]:
    return legal(hand, plays, rules)


KINDS: dict[str, Callable[..., Value]] = {
    "hyper_at_least": hyper_at_least,
    "expected_pairs_dealt": expected_pairs_dealt,
    "hand_has_pair": hand_has_pair,
    "breakeven": breakeven,
    "zero_vs_exact": zero_vs_exact,
    "one_card_round": one_card_round,
    "tiny_random_legal": tiny_random_legal,
}
