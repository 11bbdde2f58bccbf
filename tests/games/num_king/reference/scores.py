"""Points of a round and of a game (R22-R25)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.games.num_king.reference.setup import Rules

BONUS = (0, 0, 5, 10, 15, 20, 30, 40)


def round_score(bid: int, made: int, cards: int) -> int:
    """Points of a round without the bonus (R22)."""
    if bid == 0:
        return 20 + 2 * cards if made == 0 else -(10 + 5 * made)
    return 10 + 3 * bid if made == bid else -3 * abs(made - bid)


def streak_bonus(streak: int, rules: Rules) -> int:
    """What a run of so many exact rounds brings (R23)."""
    if streak < len(BONUS):
        return BONUS[streak]
    return 10 if rules.streak8_mode == "flat10" else BONUS[-1] + 10 * (streak - len(BONUS) + 1)


def streaks(rounds: Sequence[tuple[int, int]]) -> list[int]:
    """The run after each round, of its bid and its tricks (R24)."""
    found, run = [], 0
    for bid, made in rounds:
        if bid != made:
            run = 0
        elif bid > 0:
            run += 1
        found.append(run)
    return found


def bonuses(rounds: Sequence[tuple[int, int]], rules: Rules) -> tuple[list[int], int]:
    """The bonus of every round, and that of the game's end (R25)."""
    runs = streaks(rounds)
    if rules.streak_mode == "per_round":
        return [streak_bonus(s, rules) if b == t > 0 else 0 for s, (b, t) in zip(runs, rounds, strict=True)], 0
    if rules.streak_mode == "once_longest":
        return [0] * len(runs), streak_bonus(max(runs, default=0), rules)
    ended = [run for run, after in zip(runs, [*runs[1:], 0], strict=True) if after == 0]
    return [0] * len(runs), sum(streak_bonus(run, rules) for run in ended)
