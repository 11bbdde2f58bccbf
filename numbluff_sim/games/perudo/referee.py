"""The rules on plain values, for written-down cases, exact values and solved rounds: the kernels that play decide.

Seats are 0.. clockwise; a seat that is out has no dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from numbluff_sim.errors import CaseError
from numbluff_sim.games.perudo.arrays import rules_row
from numbluff_sim.games.perudo.rules_section import Rules
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.kernels.perudo import codes, layout
from numbluff_sim.kernels.perudo.calculator import judge_bids, rank_bids, settle_challenges

Block = npt.NDArray[np.uint8]
T = TypeVar("T")
STAR = codes.STAR
#: Dice of a seat at most, and challenges settled at once.
MOST_DICE, LANES = 5, 64
FIELDS = codes.TRACE_SCALARS + codes.TRACE_BLOCKS * codes.SEATS_MAX


class Bid(NamedTuple):
    """At least `quantity` dice of `face` (1..5, 6 is the star)."""

    quantity: int
    face: int


class Challenge(NamedTuple):
    """A challenged bid and the hands of all seats; without a bidder it is the player on the challenger's right."""

    dice: Sequence[Sequence[int]]
    bid: Bid
    challenger: int
    bidder: int = codes.NO_SEAT
    palifico: bool = False


@dataclass(frozen=True)
class Settled:
    """What a challenge brings: dice that match the bid, in all and by seat; who loses; the seats whose cups are lifted
    in their order, and how many are (R8, R9, R19).
    """

    matches: tuple[int, ...]
    true: bool
    loser: int
    order: list[int]
    lifted: int

    @property
    def count(self) -> int:
        """All matching dice."""
        return sum(self.matches)


@dataclass(frozen=True)
class NextRound:
    """The table after a challenge; `eliminated` a seat or None, `starter` the winner if the match is over (R10-R15)."""

    dice: list[int]
    eliminated: int | None
    starter: int
    palifico: bool
    over: bool


class Raise(NamedTuple):
    """A bid over the `current` one, or the opening (None), with `total` dice in play.

    `one_die`, `is_palifico`: whether who bids has one die, and is the Palifico of this round (R18).
    """

    current: Bid | None
    bid: Bid
    total: int
    palifico: bool = False
    one_die: bool = False
    is_palifico: bool = False


def in_lanes(cases: Iterable[T]) -> Iterator[list[T]]:
    """The cases, as many at a time as there are lanes."""
    left = iter(cases)
    while some := list(islice(left, LANES)):
        yield some


@cache
def referee(rules: Rules) -> Referee:
    """The referee under some rulings."""
    return Referee(rules)


class Referee:
    """Puts cases into the lanes of the kernels and reads what they say."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        table = np.zeros(codes.TABLE_FIELDS, np.int64)
        table[codes.T_DICE], table[codes.T_FIELDS] = MOST_DICE, FIELDS + codes.SEATS_MAX * MOST_DICE
        personas = np.zeros((codes.SEATS_MAX, codes.PERSONA_FIELDS), np.int64)
        self.plan = layout.build_plan(table, rules_row(rules), personas, [0] * len(layout.DETAIL_FIELDS))
        self._facts: Any = self.plan if COMPILED else self.plan.tolist()
        self._seats = (0,) * codes.SEATS_MAX

    def challenges(self, cases: Iterable[Challenge]) -> list[Settled]:
        """Settles challenges."""
        return [self._settled(*played) for played in self._played(cases)]

    def next_rounds(self, cases: Iterable[tuple[Sequence[int], int, int]]) -> list[NextRound]:
        """What follows when somebody loses one die: (dice before, loser, who wins the bet) each.

        Raises CaseError where chance decides who opens.
        """
        # all dice show 1: a bid on one of them is true, a bid on more than there are is not, and its bidder loses
        lost = (
            Challenge([(1,) * n for n in dice], Bid(codes.DICE_MAX + 1, 1), challenger=winner, bidder=loser)
            for dice, loser, winner in cases
        )
        return [self._next(*played) for played in self._played(lost)]

    def may_bid(self, cases: Iterable[Raise]) -> list[bool]:
        """Whether a bid may follow (R5, R6), or may open (R3, R16), and is not too high (R20)."""
        found: list[bool] = []
        for some in in_lanes(cases):
            block = layout.new_block(self.plan)
            for lane, case in enumerate(some):
                over = case.current or (0, 0)
                holder = 0 if case.is_palifico else 1
                for region, value in (
                    (layout.L_TOTAL, case.total),
                    (layout.L_PALIFICO, holder if case.palifico else codes.NO_SEAT),
                    (layout.L_TURN, 0),
                    (layout.L_DICE, 1 if case.one_die else 2),
                    (layout.L_QUANTITY, over[0]),
                    (layout.L_FACE, over[1]),
                    (layout.L_CHOSEN_QUANTITY, case.bid.quantity),
                    (layout.L_CHOSEN_FACE, case.bid.face),
                ):
                    block[self.plan[region], lane] = value % 256
            legal = np.zeros((1, LANES), np.uint8)
            judge_bids(self._seats, self._facts, block, legal)
            found += [bool(legal[0, lane]) for lane in range(len(some))]
        return found

    def ordered_bids(self, total: int, *, palifico: bool = False) -> list[Bid]:
        """All bids with so many dice in play, lowest first (R5, R20)."""
        block = layout.new_block(self.plan)
        block[self.plan[layout.L_TOTAL]] = total
        block[self.plan[layout.L_PALIFICO]] = 0 if palifico else codes.NO_SEAT % 256
        ranks = np.zeros((codes.DICE_MAX + 1, codes.FACES + 1), np.int64)
        rank_bids(self._facts, block, ranks)
        bids = [Bid(q, face) for q, face in np.argwhere(ranks >= 0).tolist()]
        return sorted(bids, key=lambda bid: int(ranks[bid]))

    def _played(self, cases: Iterable[Challenge]) -> Iterator[tuple[Challenge, Block, Block, int]]:
        """Each challenge with the block and the trace in which it was settled, and its lane."""
        for some in in_lanes(cases):
            block, trace = layout.new_block(self.plan), np.zeros((self.plan[codes.T_FIELDS], LANES), np.uint8)
            for lane, case in enumerate(some):
                self._write(case, block, lane)
            with np.errstate(over="ignore"):
                settle_challenges(self._seats, self._facts, block, np.zeros(layout.STATE_SIZE, np.uint64), trace)
            for lane, case in enumerate(some):
                yield case, block, trace, lane

    def _write(self, case: Challenge, block: Block, lane: int) -> None:
        for seat, hand in enumerate(case.dice):
            block[self.plan[layout.L_DICE] + seat, lane] = len(hand)
            faces = self.plan[layout.L_FACES] + seat * MOST_DICE
            block[faces : faces + len(hand), lane] = hand
        for region, value in (
            (layout.L_TOTAL, sum(map(len, case.dice))),
            (layout.L_PALIFICO, 0 if case.palifico else codes.NO_SEAT),
            (layout.L_QUANTITY, case.bid.quantity),
            (layout.L_FACE, case.bid.face),
            (layout.L_BIDDER, case.bidder),
            (layout.L_TURN, case.challenger),
        ):
            block[self.plan[region], lane] = value % 256

    def _settled(self, case: Challenge, block: Block, trace: Block, lane: int) -> Settled:
        matches = block[self.plan[layout.L_MATCHES] : self.plan[layout.L_MATCHES] + codes.SEATS_MAX, lane]
        return Settled(
            tuple(matches.tolist()),
            bool(trace[codes.TR_LOSER, lane] == case.challenger),
            int(trace[codes.TR_LOSER, lane]),
            [seat for seat in by_seat(trace, codes.TS_CUP, lane) if seat < codes.SEATS_MAX],
            int(trace[codes.TR_CUPS, lane]),
        )

    def _next(self, case: Challenge, block: Block, trace: Block, lane: int) -> NextRound:
        dice, out = by_seat(trace, codes.TS_AFTER, lane)[: len(case.dice)], int(trace[codes.TR_ELIMINATED, lane])
        players_in, rule, opener, palifico = (
            int(block[self.plan[region], lane])
            for region in (layout.L_IN, layout.L_RULE, layout.L_OPENER, layout.L_PALIFICO)
        )
        if players_in > 1 and rule == codes.OPENS_TIE and self.rules.tie_3to2 == "random":
            raise CaseError(
                'tie_3to2 = "random" leaves to chance who opens; expected "left_of_eliminated" or '
                '"right_of_eliminated".'
            )
        return NextRound(dice, case.bidder if out else None, opener, palifico < codes.SEATS_MAX, players_in == 1)


def by_seat(trace: Block, kind: int, lane: int) -> list[int]:
    """A block TS_* of a round's trace at this table, a number a seat."""
    at = codes.TRACE_SCALARS + kind * codes.SEATS_MAX
    return [int(value) for value in trace[at : at + codes.SEATS_MAX, lane]]
