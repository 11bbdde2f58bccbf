"""A trick: what may be laid (R5-R10), which pairs are captured (R11, R12), who takes the rest (R13-R15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.games.num_bombe.reference.cards import (
    SPECIALS,
    TRUMP,
    Play,
    colour,
    is_numbered_trump,
    is_real_trump,
    is_trump,
    strength,
    value,
)
from tests.games.num_bombe.reference.setup import Rules


@dataclass(frozen=True)
class Settled:
    """A whole trick. `pairs`: who captured which two cards; `rest`: what the winner takes, in the order laid;
    `win_card` None: no card that is left can win.
    """

    winner: str
    win_card: str | None
    pairs: list[tuple[str, tuple[str, str]]]
    rest: list[str]
    led: str | None


def led_by(plays: Sequence[Play], rules: Rules) -> str | None:
    """What must be followed: a colour, TRUMP, or nothing yet (R6, R10)."""
    if not plays:
        return None
    first = plays[0][1]
    if first == "JOK" and rules.joker_lead == "next_sets_suit":
        return next((colour(card) for _, card in plays if not is_trump(card)), None)
    return colour(first)


def captures(plays: Sequence[Play], rules: Rules) -> tuple[list[tuple[str, tuple[str, str]]], list[Play]]:
    """The pairs that were captured, in order, and the plays that stay (R11, R12)."""
    pairs: list[tuple[str, tuple[str, str]]] = []
    left: list[Play] = []
    for player, card in plays:
        other = next((one for one in left if _pair(one[1], card)), None) if rules.pair_capture == "auto" else None
        if other is None:
            left.append((player, card))
        else:
            left.remove(other)
            pairs.append((player, (other[1], card)))
    return pairs, left


def _pair(one: str, other: str) -> bool:
    both = is_numbered_trump(one) and is_numbered_trump(other)
    return both and one[:2] != other[:2] and value(one) == value(other)


def settle(plays: Sequence[Play], rules: Rules) -> Settled:
    """The outcome of a trick to which everybody laid a card."""
    pairs, left = captures(plays, rules)
    led = led_by(plays, rules)
    counted = led
    if not any(strength(card, led or "") > (0, 0) for _, card in left) or led is None:  # R14
        counted = next((colour(card) for _, card in left if not is_trump(card)), None)
    able = [play for play in left if _can_win(play[1], counted)]
    rest = [card for _, card in left]
    if not able:
        return Settled(pairs[-1][0] if pairs else plays[0][0], None, pairs, rest, led)
    winner, card = max(able, key=lambda play: strength(play[1], counted or ""))  # the first of equal ones
    return Settled(winner, card, pairs, rest, led)


def _can_win(card: str, led: str | None) -> bool:
    return card != "JOK" and (is_trump(card) or colour(card) == led)


def legal(hand: Sequence[str], plays: Sequence[Play], rules: Rules) -> list[str]:
    """What may be laid of a hand, sorted, equal cards once."""
    everything = sorted(set(hand))
    if not plays:
        others = [card for card in everything if card != "JOK"]
        return others if others and rules.joker_lead == "forbidden_unless_forced" else everything
    led = led_by(plays, rules)
    if led is None:
        return everything
    following = [card for card in everything if colour(card) == led]
    if following or led == TRUMP:
        return following or everything
    return cutting(everything, rules) or everything


def cutting(hand: Sequence[str], rules: Rules) -> list[str]:
    """The trumps of which one must be laid by who has none of the colour (R7); none: any card."""
    trumps = [card for card in hand if is_trump(card)]
    if rules.cut_obligation == "real_then_joker":
        return [card for card in trumps if card != "JOK"] or trumps
    if rules.cut_obligation == "classic_first":
        return [card for card in trumps if card not in SPECIALS] or trumps
    if rules.cut_obligation == "no_bomb":
        return trumps if any(card != "BOMB" for card in trumps) else []
    if rules.cut_obligation == "real_only":
        return trumps if any(is_real_trump(card) for card in trumps) else []
    return trumps
