"""Playing a solved round by its table (PERUDO.md, section 3, equilibrium). Tables come as plain lists; nothing is
solved here.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.games.perudo.reference.bids import STAR, Bid

if TYPE_CHECKING:
    from tests.games.perudo.reference.choosing import Draw, Turn

NOWHERE = -1


@dataclass(frozen=True)
class Ending:
    """The table of one round."""

    child: Sequence[Sequence[int]]
    row: Sequence[int]
    start: Sequence[int]
    move: Sequence[int]
    until: Sequence[int]

    def node(self, bids: Sequence[Bid]) -> int:
        """Where these bids lead, or NOWHERE."""
        node = 0
        for bid in bids:
            code = 6 * (bid.quantity - 1) + bid.face - 1
            if node == NOWHERE or code >= len(self.child[node]):
                return NOWHERE
            node = self.child[node][code]
        return node


def play_by_table(ending: Ending, turn: Turn, draw: Draw) -> Bid | None:
    """The bid that the table makes, or None for a challenge."""
    node = ending.node([bid for _, bid in turn.bids])
    if node == NOWHERE or ending.row[node] == NOWHERE:
        return None
    hands = list(itertools.combinations_with_replacement(range(1, STAR + 1), len(turn.own)))
    row = ending.row[node] + hands.index(tuple(sorted(turn.own)))
    if ending.start[row] == ending.start[row + 1]:
        return None
    u = draw(0, 65536)
    entry = next(entry for entry in range(ending.start[row], ending.start[row + 1]) if ending.until[entry] > u)
    code = ending.move[entry]
    return None if code < 0 else Bid(code // 6 + 1, code % 6 + 1)
