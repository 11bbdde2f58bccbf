"""What a strategy does in turn (PERUDO.md, section 3). None is a challenge."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.games.perudo.reference.bids import NUMBERS, STAR, Bid, Speaker, field_of, legal_bids
from tests.games.perudo.reference.chances import WHOLE, blind, factors_of, logistic, posterior, seen, units
from tests.games.perudo.reference.endings import Ending, play_by_table
from tests.games.perudo.reference.setup import Persona, Rules

#: Draws an item of the decision: (item, n) -> 0..n-1, or 16 bits for n = 65536.
Draw = Callable[[int, int], int]


@dataclass(frozen=True)
class Turn:
    """Everything the player in turn may use: the table's dice by seat, the own hand, and the round's bids so far as
    (bidder, bid).
    """

    rules: Rules
    seat: int
    dice: Sequence[int]
    own: Sequence[int]
    palifico_seat: int | None
    bids: Sequence[tuple[int, Bid]] = field(default=())
    #: The table of this round, where it is solved.
    ending: Ending | None = None

    @property
    def total(self) -> int:
        return sum(self.dice)

    @property
    def palifico(self) -> bool:
        return self.palifico_seat is not None

    @property
    def opening(self) -> bool:
        return not self.bids

    @property
    def current(self) -> Bid | None:
        return self.bids[-1][1] if self.bids else None

    @property
    def legal(self) -> list[Bid]:
        return legal_bids(
            self.rules,
            self.total,
            self.current,
            self.palifico,
            Speaker(len(self.own) == 1, self.seat == self.palifico_seat),
        )

    @property
    def rivals(self) -> list[int]:
        """The others who are in, clockwise from the left neighbour."""
        seats = len(self.dice)
        return [seat for seat in ((self.seat + i) % seats for i in range(1, seats)) if self.dice[seat]]

    def chance(self, bid: Bid) -> int:
        return seen(bid, self.own, self.total, self.palifico)


def decide(persona: Persona, turn: Turn, draw: Draw) -> Bid | None:
    """The bid that a persona makes, or None for a challenge."""
    if persona.strategy == "equilibrium" and turn.ending is not None:
        return play_by_table(turn.ending, turn, draw)
    if persona.strategy not in ("random", "scripted") and turn.opening and turn.palifico and len(turn.rivals) == 1:
        plain = Bid(1, turn.own[0])
        if plain in turn.legal:
            return plain
    return STRATEGIES[persona.strategy](persona, turn, draw)


def at_random(persona: Persona, turn: Turn, draw: Draw) -> Bid | None:
    most = (math.ceil(turn.total / 3) if turn.current is None else turn.current.quantity) + 1
    candidates = [bid for bid in turn.legal if bid.quantity <= most]
    if not candidates or (not turn.opening and draw(0, persona.challenge_one_in) == 0):
        return None
    return candidates[draw(1, len(candidates))]


def by_threshold(persona: Persona, turn: Turn, draw: Draw) -> Bid | None:
    if turn.current is None:
        return open_by_threshold(persona, turn)
    current, legal = turn.chance(turn.current), turn.legal
    if current < units(persona.challenge_below) or not legal:
        return None
    lowest = [
        next(bid for bid in legal if bid.face == face)
        for face in (*NUMBERS, STAR)
        if any(bid.face == face for bid in legal)
    ]
    best = max(sorted(lowest, key=legal.index), key=turn.chance)
    return None if turn.chance(best) < units(persona.raise_at_least) and current < units(persona.doubt_below) else best


def open_by_threshold(persona: Persona, turn: Turn) -> Bid:
    legal = turn.legal
    good = [bid for bid in legal if bid.quantity == 1 or turn.chance(bid) >= units(persona.open_at_least)]
    largest = max(bid.quantity for bid in good)
    return next(bid for bid in legal if bid in good and bid.quantity == largest)


def by_value(persona: Persona, turn: Turn, draw: Draw) -> Bid | None:
    return most_valuable(persona, turn, turn.chance)


def by_posterior(persona: Persona, turn: Turn, draw: Draw) -> Bid | None:
    rivals = [
        (turn.dice[seat], factors_of(seat, turn.bids, persona.first_bid_weight, persona.raise_weight))
        for seat in turn.rivals
    ]
    return most_valuable(persona, turn, lambda bid: posterior(bid, turn.own, rivals, turn.palifico))


def most_valuable(persona: Persona, turn: Turn, chance: Callable[[Bid], int]) -> Bid | None:
    """The raise of the greatest value, or a challenge that is worth more."""
    order = turn.rules.bid_order

    def value(bid: Bid) -> int:
        true, challenged = chance(bid), logistic(blind(bid, turn.total, turn.palifico), persona.sharpness)
        return true + (WHOLE - true) * (WHOLE - challenged) // WHOLE

    expected = Bid(max(1, turn.total // (6 if turn.palifico else 3)), 1)
    first = field_of(turn.current or expected, order)
    candidates = [bid for bid in turn.legal if first <= field_of(bid, order) <= first + persona.fields_beyond]
    if not candidates:
        return None
    best = max(candidates, key=value)
    return None if turn.current is not None and WHOLE - chance(turn.current) > value(best) else best


def by_script(persona: Persona, turn: Turn, draw: Draw) -> Bid | None:
    if not turn.opening:
        return None
    return Bid(1 if persona.opens == "one" else math.ceil(turn.total / 3), 1)


STRATEGIES: dict[str, Callable[[Persona, Turn, Draw], Bid | None]] = {
    "random": at_random,
    "threshold": by_threshold,
    "value": by_value,
    "bayes": by_posterior,
    "equilibrium": by_posterior,
    "scripted": by_script,
}
