"""Between two rounds: who is out, who opens, whether a Palifico round follows (R11-R15)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.games.perudo.reference.setup import Rules


@dataclass(frozen=True)
class NextRound:
    """The table after a challenge. `opener` is the winner's seat when the game is over."""

    dice: list[int]
    eliminated: list[int]
    opener: int
    palifico: bool

    @property
    def over(self) -> bool:
        return sum(n > 0 for n in self.dice) == 1


def neighbour(seats: Sequence[int], start: int, step: int) -> int:
    """The next seat with dice from `start` on, to the left (step 1) or to the right (step -1); `start` itself comes
    last.
    """
    return next(seat for seat in ((start + step * i) % len(seats) for i in range(1, len(seats) + 1)) if seats[seat])


def next_round(
    rules: Rules,
    before: Sequence[int],
    lost: Sequence[int],
    loser: int,
    winner: int,
    left_by_chance: Callable[[], bool],
) -> NextRound:
    """The next round after `loser` lost the challenge to `winner` and every seat gave up `lost` dice.

    `left_by_chance` settles a 3 -> 2 tie under the ruling "random": whether the player on the left of the eliminated
    one opens.
    """
    dice = [max(0, have - gone) for have, gone in zip(before, lost, strict=True)]
    eliminated = [seat for seat, have in enumerate(before) if have and not dice[seat]]
    left = [seat for seat, have in enumerate(dice) if have]
    if len(left) == 1:
        return NextRound(dice, eliminated, left[0], palifico=False)
    if eliminated:
        return NextRound(
            dice, eliminated, opener_after_elimination(rules, before, dice, loser, left_by_chance), palifico=False
        )
    if rules.palifico and before[loser] > 1 and dice[loser] == 1 and (len(left) > 2 or rules.palifico_two_players):
        return NextRound(dice, eliminated, loser, palifico=True)
    two_players_left = rules.house_rule_start and len(left) == 2
    return NextRound(
        dice, eliminated, loser if two_players_left or rules.starter_normal == "loser" else winner, palifico=False
    )


def opener_after_elimination(
    rules: Rules, before: Sequence[int], dice: Sequence[int], gone: int, left_by_chance: Callable[[], bool]
) -> int:
    """R13, and R14 when three players became two."""
    to_the_left, to_the_right = neighbour(dice, gone, 1), neighbour(dice, gone, -1)
    three_to_two = sum(have > 0 for have in before) == 3 and sum(have > 0 for have in dice) == 2
    if not (three_to_two and rules.house_rule_start and rules.house_rule_fewer):
        return to_the_left
    two = sorted(
        (have, seat) for seat, have in enumerate(dice) if have
    )  # the loser may be one of them where an exact bid costs several a die
    if two[0][0] != two[1][0]:
        return two[0][1]
    if rules.tie_3to2 == "random":
        return to_the_left if left_by_chance() else to_the_right
    return to_the_left if rules.tie_3to2 == "left_of_eliminated" else to_the_right
