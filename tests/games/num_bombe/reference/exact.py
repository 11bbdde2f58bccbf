"""Exact values of the Bomb game, as fractions: by counting hands, and by playing every deal of small tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

from tests.games.num_bombe.reference.cards import Play
from tests.games.num_bombe.reference.scores import CIVIL, COMPLICE, DEMINEUR, NUMX, POSEUR, bomb_pots, card_points
from tests.games.num_bombe.reference.setup import Deck, Rules
from tests.games.num_bombe.reference.tricks import Settled, legal, settle

Value = Any
Hands = tuple[tuple[str, ...], ...]


def exact(kind: str, params: Mapping[str, Any]) -> Value:
    """The value of a check of the case file: a fraction, or a table of numbers and fractions."""
    return KINDS[kind](**params)


def ratio_of_binomials(top: Sequence[int], bottom: Sequence[int]) -> Fraction:
    """The chance that a hand misses some cards."""
    return Fraction(comb(*top), comb(*bottom))


def one_card_total_points(n: int, N: int, sum_card_points: int, pair_values: int) -> Fraction:  # noqa: N803
    """The mean points of all cards of a trick, a pair counted once."""
    return Fraction(n * sum_card_points, N) - Fraction(pair_values * n * (n - 1), N * (N - 1))


def pot_table(n_civils: int) -> dict[str, list[int]]:
    """What each role gets of the pots, by the role that captures the Bomb before the last trick."""
    roles = {role: role for role in (POSEUR, COMPLICE, DEMINEUR, NUMX)} | {f"c{i}": CIVIL for i in range(n_civils)}
    paid = [bomb_pots(roles, who, False, Rules()) for who in (POSEUR, COMPLICE, DEMINEUR, "c0", NUMX)]
    rows = {role: [one[role] for one in paid] for role in (POSEUR, COMPLICE, DEMINEUR, NUMX)}
    return {**rows, "each_civil": [one["c0"] for one in paid], "total": [sum(one.values()) for one in paid]}


def tiny_random_legal(n: int, h: int, cfg: Mapping[str, Any], leader: int, specials: Sequence[str]) -> dict[str, Value]:
    """Every deal of a tiny deck, every legal line, each card as likely as the others; no roles."""
    cards, rules = [*Deck.from_table(cfg).cards(), *specials], Rules.from_table(cfg)
    sums = [[Fraction(0)] * n for _ in range(3)]
    pairs, deals = Fraction(0), 0
    for hands in _deals(tuple(cards), n, h):
        deals += 1
        for chance, tricks in _lines(hands, leader, rules):
            piles: list[list[str]] = [[] for _ in range(n)]
            for one in tricks:
                piles[int(one.winner)] += one.rest
                for player, both in one.pairs:
                    piles[int(player)] += both
                    pairs += chance
                sums[1][int(one.winner)] += chance
                if "BOMB" in one.rest:
                    sums[2][int(one.winner)] += chance
            for seat, pile in enumerate(piles):
                sums[0][seat] += chance * card_points(pile, rules)
    points, won, bombs = ([one / deals for one in found] for found in sums)
    return {
        "n": n,
        "h": h,
        "deals": deals,
        "deck": len(cards),
        "expected_points": points,
        "expected_tricks": won,
        "expected_pair_captures": pairs / deals,
        "p_bomb_captured_by": bombs,
    }


def _deals(cards: tuple[str, ...], n: int, h: int) -> Iterator[Hands]:
    if n == 0:
        yield ()
        return
    for hand in combinations(cards, h):
        for others in _deals(tuple(card for card in cards if card not in hand), n - 1, h):
            yield (hand, *others)


def _lines(hands: Hands, leader: int, rules: Rules) -> Iterator[tuple[Fraction, tuple[Settled, ...]]]:
    """All ways a round can go: chance, its tricks."""
    if not hands[0]:
        yield Fraction(1), ()
        return
    for chance, plays, left in _tricks(hands, leader, (), rules):
        found = _settle(plays, rules)
        for later, tricks in _lines(left, int(found.winner), rules):
            yield chance * later, (found, *tricks)


def _tricks(
    hands: Hands, leader: int, plays: tuple[Play, ...], rules: Rules
) -> Iterator[tuple[Fraction, tuple[Play, ...], Hands]]:
    if len(plays) == len(hands):
        yield Fraction(1), plays, hands
        return
    seat = (leader + len(plays)) % len(hands)
    ways = _legal(hands[seat], plays, rules)
    for card in ways:
        rest = tuple(other for other in hands[seat] if other != card)
        after = (*hands[:seat], rest, *hands[seat + 1 :])
        for chance, laid, left in _tricks(after, leader, (*plays, (str(seat), card)), rules):
            yield chance / len(ways), laid, left


@cache
def _legal(hand: tuple[str, ...], plays: tuple[Play, ...], rules: Rules) -> list[str]:
    return legal(hand, plays, rules)


@cache
def _settle(plays: tuple[Play, ...], rules: Rules) -> Settled:
    return settle(plays, rules)


KINDS: dict[str, Callable[..., Value]] = {
    "ratio_of_binomials": ratio_of_binomials,
    "ratio": lambda num, den: Fraction(num, den),
    "one_card_total_points": one_card_total_points,
    "pot_table": pot_table,
    "tiny_random_legal": tiny_random_legal,
}
