"""A trick: what may be laid (R7-R12), who wins it (R13-R18), who leads the next one (R19-R21)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.games.num_king.reference.cards import ACTIONS, Play, can_cancel, is_number, value, ways_to_lay
from tests.games.num_king.reference.setup import Rules


@dataclass(frozen=True)
class Settled:
    """A whole trick. `winner` None: nobody; `live`: numbers that no other removed, in the order laid."""

    winner: str | None
    win_card: str | None
    reason: str
    live: list[str]
    target_parity: str | None
    next_leader: str


def standing(plays: Sequence[Play], rules: Rules) -> list[Play]:
    """The numbers on the table that were not cancelled, in the order laid: each meets the first that it can (R14)."""
    live: list[Play] = []
    for play in plays:
        partner = next((other for other in live if can_cancel(play[1], other[1], rules.cancel_scope)), None)
        if partner is not None:
            live.remove(partner)
        elif value(play[1]) is not None:
            live.append(play)
    return live


def worth(play: Play) -> int:
    """The value of a number on the table."""
    found = value(play[1])
    assert found is not None
    return found


def best(plays: Sequence[Play], rules: Rules, choose: Callable[..., Play] = max) -> Play:
    """The highest (or, with min, lowest) of some numbers; of equal ones the first or the last laid."""
    return choose(plays if rules.same_value_tie == "first" else list(reversed(plays)), key=worth)


def settle(plays: Sequence[Play], rules: Rules) -> Settled:
    """The outcome of a trick to which everybody laid a card."""
    cards = [card for _, card in plays]
    live = standing(plays, rules)
    flips = cards.count("FLIP")
    flipped = flips % 2 == 1 if rules.flip_stack == "toggle" else flips > 0
    eligible, parity = live, None
    if "QT" in cards:
        parity = "odd" if len(plays) % 2 else "even"
        eligible = [play for play in live if worth(play) % 2 == len(plays) % 2]
        if not eligible and rules.quantum_no_match == "ignore_parity":
            eligible = live
    won = None
    if "FL" in cards:
        reason = "flash"
    elif eligible:
        won, reason = best(eligible, rules, min if flipped else max), "flip" if flipped else "high"
    elif live:
        reason = "quantum_no_match"
    else:
        reason = "all_cancelled" if any(value(card) is not None for card in cards) else "no_numeric"
    leader = next_leader(plays, live, reason, won, rules)
    winner, win_card = won or (None, None)
    return Settled(winner, win_card, reason, [card for _, card in live], parity, leader)


def next_leader(plays: Sequence[Play], live: Sequence[Play], reason: str, won: Play | None, rules: Rules) -> str:
    """Who opens the next trick (R19-R21)."""
    opener = plays[0][0]
    if reason == "flash":
        pool = live if rules.flash_leader_pool == "live" else [play for play in plays if value(play[1]) is not None]
        if pool:
            return best(pool, rules)[0]
        return next((player for player, card in plays if card != "FL"), opener)
    if won is not None:
        return won[0] if rules.next_leader == "winner" else best(live, rules)[0]
    return best(live, rules)[0] if live and rules.nowin_leader == "highest_live" else opener


def legal(hand: Sequence[str], plays: Sequence[Play], rules: Rules) -> list[str]:
    """What may be laid of a hand, sorted; a Num-X as its two declarations, equal cards once."""
    everything = sorted({way for card in hand for way in ways_to_lay(card)})
    live, laid = standing(plays, rules), [card for _, card in plays]
    pool = live if rules.beat_reference == "live_max" else [play for play in plays if value(play[1]) is not None]
    if not pool:
        return everything
    if ("FL" in laid and rules.flash_obligation == "suspended") or (
        "FLIP" in laid and rules.flip_obligation == "suspended"
    ):
        return everything
    lower = "FLIP" in laid and rules.flip_obligation == "reversed"
    reference = min(map(worth, pool)) if lower else max(map(worth, pool))

    def beats(card: str) -> bool:
        counted = is_number(card) or (card == "NX=17" and rules.numx_obligation == "as_17")
        own = value(card)
        return counted and own is not None and (own < reference if lower else own > reference)

    def cancels(card: str) -> bool:
        targets = [play for play in live if rules.cancel_target == "any_live" or worth(play) == reference]
        return any(can_cancel(card, target, rules.cancel_scope) for _, target in targets)

    def free(card: str) -> bool:
        if card in ACTIONS:
            return rules.beat_actions_exempt
        return card.startswith("NX") and rules.numx_obligation == "free"

    if not any(beats(card) for card in everything):
        return everything
    return [card for card in everything if beats(card) or cancels(card) or free(card)]
