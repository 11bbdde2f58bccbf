"""Two-player zero-sum games solved: those whose best play is known by hand, and everything against plain recursion."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from numbluff_sim.solving.program import solve_exactly
from numbluff_sim.solving.regret_matching import Solver
from numbluff_sim.solving.sequence_form import NEVER, SequenceForm, Solution, matrix_game

Solve = Callable[[SequenceForm], Solution]
#: Two ways to the same values, each with the bound that it is held to (high - low).
WAYS: dict[str, tuple[Solve, float]] = {
    "regrets": (lambda game: Solver(game).solve(1e-4, 20_000), 1e-4),
    "program": (solve_exactly, 1e-9),
}
#: Kuhn's poker (1950): player 0 passes or bets; after a pass player 1 passes or bets, after a bet folds or calls; after
#: pass and bet player 0 folds or calls. Points: 0 opening, 1 after a pass, 2 after a bet, 3 after pass and bet.
PASS, BET = 0, 1


def kuhn() -> SequenceForm:
    """Cards 0 to 2, one each, one chip in the pot from both; every deal of two cards has a chance of 1/6."""
    deal = (1 - np.eye(3)) / 6
    higher = np.sign(np.arange(3)[:, None] - np.arange(3)[None, :])
    ends = [
        ((0, PASS), (1, PASS)),
        ((0, BET), (2, PASS)),
        ((0, BET), (2, BET)),
        ((3, PASS), (1, BET)),
        ((3, BET), (1, BET)),
    ]
    payoffs = [higher * deal, deal, 2 * higher * deal, -deal, 2 * higher * deal]
    return SequenceForm(
        np.array([0, 1, 1, 0]),
        np.full(4, 2),
        np.array([NEVER, NEVER, NEVER, (0, PASS)]),
        np.array(ends),
        np.arange(5),
        np.array(payoffs, np.float64),
    )


def pure_policies(game: SequenceForm, who: int) -> list[list[int]]:
    """Every way to choose one action for each hand at each point of a player, as the slots chosen."""
    choices = [
        [int(game.base[point]) + hand * int(game.actions[point]) + a for a in range(game.actions[point])]
        for point in np.flatnonzero(game.player == who).tolist()
        for hand in range(game.hands[who])
    ]
    return [list(chosen) for chosen in itertools.product(*choices)]


def paid(game: SequenceForm, policy: np.ndarray) -> float:
    """What player 0 wins on average when both play a policy, ending by ending."""
    plan, won = game.plan(policy), 0.0
    for ends, payoff in zip(game.ends.tolist(), game.payoff, strict=True):
        reach = [
            game.of(plan, point)[:, action] if point >= 0 else np.ones(game.hands[who])
            for who, (point, action) in enumerate(ends)
        ]
        won += float(reach[0] @ game.payoffs[payoff] @ reach[1])
    return won


@pytest.mark.kernels
@pytest.mark.parametrize("way", WAYS)
def test_kuhn_poker__value_and_exploitability(way: str) -> None:
    solve, width = WAYS[way]
    found = solve(kuhn())
    assert found.low - 1e-12 <= -1 / 18 <= found.high + 1e-12
    assert found.exploitability <= width / 2
    assert found.value == pytest.approx(-1 / 18, abs=width)


@pytest.mark.parametrize("way", WAYS)
def test_kuhn_poker__best_play_is_the_known_one(way: str) -> None:
    """Player 1's best play is unique; player 0 bets the king three times as often as the jack, and never the queen."""
    solve, width = WAYS[way]
    game = kuhn()
    policy, close = solve(game).policy, 100 * width + 1e-9
    assert game.of(policy, 1)[:, BET] == pytest.approx([1 / 3, 0, 1], abs=close)
    assert game.of(policy, 2)[:, BET] == pytest.approx([0, 1 / 3, 1], abs=close)
    jack, queen, king = game.of(policy, 0)[:, BET].tolist()
    assert -1e-9 <= jack <= 1 / 3 + close
    assert (queen, king) == pytest.approx((0, 3 * jack), abs=3 * close)
    assert game.of(policy, 3)[:, BET] == pytest.approx([0, jack + 1 / 3, 1], abs=close)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("payoffs", "value", "rows", "columns"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),
        ([[2, -3], [-3, 4]], Fraction(-1, 12), [7 / 12, 5 / 12], [7 / 12, 5 / 12]),
        ([[3, 1, 2], [0, 0, 1]], 1, [1, 0], [0, 1, 0]),
    ],
)
def test_matrix_game__value_and_mixtures(
    payoffs: list[list[int]], value: Fraction | int, rows: list[float], columns: list[float], way: str
) -> None:
    """Rock, paper, scissors; two-finger Morra's odds and evens; a saddle point."""
    solve, width = WAYS[way]
    game = matrix_game(payoffs)
    found = solve(game)
    assert found.low - 1e-12 <= value <= found.high + 1e-12
    assert found.high - found.low <= width
    assert game.of(found.policy, 0)[0] == pytest.approx(rows, abs=10 * width + 1e-9)
    assert game.of(found.policy, 1)[0] == pytest.approx(columns, abs=10 * width + 1e-9)


@pytest.mark.kernels
@pytest.mark.parametrize("seed", range(5))
def test_bounds__are_those_of_the_best_of_all_pure_policies(seed: int) -> None:
    game, draw = kuhn(), np.random.default_rng(seed)
    policy = Solver(game).normalised(draw.random(game.slots) * (draw.random(game.slots) < 0.7))
    found = Solver(game).solution(policy)
    values = [[], []]
    for who in (0, 1):
        own = [slot for point in np.flatnonzero(game.player == who) for slot in range(game.slots)[game.at(point)]]
        for chosen in pure_policies(game, who):
            answer = policy.copy()
            answer[own], answer[chosen] = 0.0, 1.0
            values[who].append(paid(game, answer))
    assert (found.low, found.high) == pytest.approx((min(values[1]), max(values[0])), abs=1e-12)
    assert found.low - 1e-12 <= paid(game, policy) <= found.high + 1e-12
