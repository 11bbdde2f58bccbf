"""Exact values: chances of bids, the value of small rounds and matches, matches of scripted players, cups lifted.

Chances are fractions. A round between two players is worth what its solution holds: `low` and `high` are best-response
bounds, equal up to rounding where a linear program solves the round.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from numbluff_sim.games.perudo.referee import NextRound, referee
from numbluff_sim.games.perudo.rules_section import Rules

T = TypeVar("T")
#: A number bid outside a Palifico round, where stars are jokers; a bid on stars, or any in a Palifico round.
WILD, PLAIN = Fraction(1, 3), Fraction(1, 6)


def at_least(dice: int, needed: int, p: Fraction) -> Fraction:
    """P(at least `needed` of `dice` unseen dice match), each with chance p."""
    return sum(
        (math.comb(dice, k) * p**k * (1 - p) ** (dice - k) for k in range(max(0, needed), dice + 1)), Fraction(0)
    )


def chance_for_holder(total: int, own: int, own_match: int, quantity: int, p: Fraction) -> Fraction:
    """P(a bid of `quantity` among `total` dice is true) for who holds `own` dice, of which `own_match` match."""
    return at_least(total - own, quantity - own_match, p)


def largest_even_money_bid(dice: int, p: Fraction) -> int:
    """The largest quantity that is true with a chance of at least 1/2 for who sees no dice; 0 if there is none."""
    return max(q for q in range(dice + 1) if 2 * at_least(dice, q, p) >= 1)


def cups_lifted(players: int, dice: int, quantity: int, p: Fraction) -> Fraction:
    """Mean number of cups lifted when a bid is challenged, each player with as many dice (R19): a cup is lifted
    while those before prove nothing.
    """
    return sum((1 - at_least(m * dice, quantity, p) for m in range(players)), Fraction(0))


@dataclass(frozen=True)
class ChanceBounds:
    """A chance that is known to lie between `low` and `high`."""

    low: float
    high: float

    @property
    def value(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2


def opener_wins(opener: int, other: int, *, palifico: bool, rules: Rules | None = None) -> ChanceBounds:
    """The chance that the opener with `opener` dice wins a round against one player with `other` dice, both at their
    best (R3-R20).

    Solved for up to 3 dice together, and in a Palifico round of one die against 3.
    """
    from numbluff_sim.games.perudo.tables import (
        ending_of,
        table_of,
    )  # scipy and compiled code load when a value needs them

    found = table_of(ending_of(rules or Rules(), opener, other, palifico=palifico))
    return ChanceBounds(
        min(found.low, found.high), max(found.low, found.high)
    )  # a linear program's differ by rounding only, either way


def one_die_wins_match(opener: int, *, palifico: bool, rules: Rules | None = None) -> ChanceBounds:
    """The chance that a player with one die (seat 0) wins the match against one with two dice, opened by seat `opener`.

    The round must be won, then the one between one die each, which the loser of the other die opens: as Palifico, if
    there is one.
    """
    rules = rules or Rules()
    first = opener_wins(1 + (opener == 1), 2 - (opener == 1), palifico=palifico, rules=rules)
    last = opener_wins(1, 1, palifico=rules.palifico and rules.palifico_two_players, rules=rules)
    won = (first.low, first.high) if opener == 0 else (1 - first.high, 1 - first.low)
    return ChanceBounds(won[0] * (1 - last.high), won[1] * (1 - last.low))


@dataclass(frozen=True)
class Match:
    """Chances to win by seat, and the mean number of rounds."""

    wins: tuple[Fraction, ...]
    rounds: Fraction


#: Dice by seat from the opener on, and whether the round is a Palifico round.
Table = tuple[tuple[int, ...], bool]


def scripted_match(players: int, dice: int, opens: str, rules: Rules | None = None, first_opener: int = 0) -> Match:
    """The match of scripted players (personas `one` and `third`): who opens bids on face 1, the next player
    challenges.

    Every round costs one die, so that tables with as many dice come in the same round.
    """
    rules = rules or Rules()
    levels: list[dict[Table, tuple[NextRound, NextRound]]] = []
    reached: set[Table] = {((dice,) * players, False)}
    while reached:
        after = _both_ends(rules, sorted(reached))
        levels.append(dict(zip(sorted(reached), after, strict=True)))
        reached = {_table(found) for pair in after for found in pair if not found.over}
    played: dict[Table, Match] = {}
    for level in reversed(levels):
        played = {table: _played(table, ends, opens, played) for table, ends in level.items()}
    (found,) = played.values()
    return Match(_turned(found.wins, -first_opener), found.rounds)


def _table(found: NextRound) -> Table:
    return _turned(tuple(found.dice), found.starter), found.palifico


def _turned(by_seat: tuple[T, ...], first: int) -> tuple[T, ...]:
    """Values by seat from seat `first` on."""
    first %= len(by_seat)
    return by_seat[first:] + by_seat[:first]


def _both_ends(rules: Rules, tables: Sequence[Table]) -> list[tuple[NextRound, NextRound]]:
    """What follows where the opener's bid is true and the challenger loses a die, and where it is not."""
    cases = []
    for dice, _ in tables:
        challenger = next(seat for seat in range(1, len(dice)) if dice[seat])
        cases += [(dice, challenger, 0), (dice, 0, challenger)]
    found = referee(rules).next_rounds(cases)
    return list(zip(found[::2], found[1::2], strict=True))


def _played(table: Table, ends: tuple[NextRound, NextRound], opens: str, played: Mapping[Table, Match]) -> Match:
    """The match from a table on; `played`: from those with a die less."""
    dice, palifico = table
    true = at_least(sum(dice), 1 if opens == "one" else -(-sum(dice) // 3), PLAIN if palifico else WILD)
    wins, rounds = [Fraction(0)] * len(dice), Fraction(1)
    for chance, after in zip((true, 1 - true), ends, strict=True):
        if after.over:
            wins[after.starter] += chance
            continue
        rest = played[_table(after)]
        theirs = _turned(rest.wins, -after.starter)
        wins = [mine + chance * more for mine, more in zip(wins, theirs, strict=True)]
        rounds += chance * rest.rounds
    return Match(tuple(wins), rounds)


def exact_value(kind: str, params: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    """The exact value of a written-down question: {"value": ...}, fractions as text, and bounds where there are."""
    return KINDS[kind](params, rules)


def _fraction(found: Fraction) -> dict[str, Any]:
    return {"value": str(found), "float": float(found)}


def _bounds(found: ChanceBounds) -> dict[str, Any]:
    return {"value": found.value, "float": found.value, "lo": found.low, "hi": found.high}


def _even_money(given: Sequence[int]) -> dict[str, Any]:
    return {
        "value": {
            name: {str(n): largest_even_money_bid(n, p) for n in given}
            for name, p in (("number_wild", WILD), ("star_or_palifico", PLAIN))
        }
    }


def _match(found: Match) -> dict[str, Any]:
    return {
        "value": {
            "p_win": [str(p) for p in found.wins],
            "p_win_float": [float(p) for p in found.wins],
            "expected_rounds": str(found.rounds),
            "expected_rounds_float": float(found.rounds),
        }
    }


#: Kinds of questions, as the case file names them.
KINDS = {
    "binom_at_least": lambda g, rules: _fraction(at_least(g["n"], g["k"], Fraction(g["p"]))),
    "largest_even_money_bid": lambda g, rules: _even_money(g["n"]),
    "conditional_tail": lambda g, rules: _fraction(
        chance_for_holder(g["total"], g["own"], g["own_match"], g["q"], Fraction(g["p"]))
    ),
    "endgame_1v1": lambda g, rules: _bounds(opener_wins(1, 1, palifico=g["palifico"], rules=rules)),
    "endgame_round": lambda g, rules: _bounds(
        opener_wins(g["dice_opener"], g["dice_other"], palifico=g["palifico"], rules=rules)
    ),
    "match_value": lambda g, rules: _bounds(one_die_wins_match(g["opener"], palifico=g["palifico"], rules=rules)),
    "markov_policy": lambda g, rules: _match(scripted_match(g["n"], g["d"], g["policy"], rules, g["starter"])),
    "expected_cups_lifted": lambda g, rules: _fraction(cups_lifted(g["n"], g["d"], g["q"], Fraction(g["p"]))),
}
