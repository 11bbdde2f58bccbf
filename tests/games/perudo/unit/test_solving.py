"""Solved rounds of Perudo: trees, solutions against each other and against plain recursions, and the tables made of
them.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numbluff_sim.games.perudo import tables
from numbluff_sim.games.perudo.rules_section import Rules
from numbluff_sim.games.perudo.solving import OPENER, OTHER, Ending, SolvedRound, Tree, hands_of
from numbluff_sim.games.perudo.tabulating import CHALLENGE, NOWHERE, ONE, EndingTable, bid_code, tabulated, whole_policy
from numbluff_sim.kernels.cache import cache_folder
from numbluff_sim.kernels.solving import regrets
from numbluff_sim.solving.program import solve_exactly
from numbluff_sim.solving.regret_matching import Solver
from numbluff_sim.solving.sequence_form import SequenceForm, Solution
from tests.games.perudo.reference.bids import Bid, Speaker, legal_bids
from tests.games.perudo.reference.cups import matching
from tests.games.perudo.reference.setup import Rules as ReferenceRules

ONE_EACH = Ending(1, 1, bid_order="perudo_halving")
FRESH = Ending(1, 2, palifico=True)


def by(ending: Ending, solver: Callable[[SequenceForm], Solution]) -> SolvedRound:
    tree = Tree.of(ending)
    game = tree.game(ending)
    return SolvedRound(ending, tree, game, solver(game))


def by_regrets(ending: Ending, width: float, most: int, every: int = 100) -> SolvedRound:
    return by(ending, lambda game: Solver(game).solve(width, most, every))


def slots(solved: SolvedRound, node: int, hand: int) -> list[float]:
    return solved.game.of(solved.found.policy, node)[hand].tolist()


def is_true(ending: Ending, bid: int, first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """By the reference's count."""
    said = Bid(*ending.bids[bid])
    return matching((*first, *second), said, ending.palifico) >= said.quantity


@pytest.mark.parametrize(
    ("ending", "size"),
    [(Ending(1, 1), 2**12), (Ending(1, 2), 2**18), (Ending(1, 1, palifico=True), 2**12), (FRESH, 188)],
)
def test_tree__number_of_histories(ending: Ending, size: int) -> None:
    assert Tree.of(ending).size == size


@pytest.mark.parametrize(
    "ending",
    [
        Ending(1, 2, opening_stars=False),
        Ending(1, 3, palifico=True),
        Ending(1, 2, palifico=True, palifico_self_change=False, bid_order="flat"),
        Ending(1, 1, palifico=True, palifico_stars_biddable=False),
        Ending(2, 1, bid_order="perudo_halving"),
    ],
)
def test_raises__are_those_of_the_reference(ending: Ending) -> None:
    names = ("bid_order", "opening_stars", "palifico_stars_biddable", "palifico_self_change")
    rules = ReferenceRules(**{name: getattr(ending, name) for name in names})
    dice = (ending.opener, ending.other)
    for player in (OPENER, OTHER):
        speaker, following = Speaker(dice[player] == 1, ending.palifico and player == OPENER), ending.followers(player)
        for last in range(-1, len(ending.bids)):
            current = None if last < 0 else Bid(*ending.bids[last])
            may = [tuple(ending.bids[bid]) for bid in following[last + 1]]
            assert may == [tuple(bid) for bid in legal_bids(rules, sum(dice), current, ending.palifico, speaker)]


def test_hands__chances_and_matches() -> None:
    ending = Ending(1, 2)
    assert ending.chances(OTHER).sum() == pytest.approx(1)
    assert dict(zip(hands_of(2), ending.chances(OTHER), strict=True))[3, 5] == pytest.approx(1 / 18)
    assert ending.matches(OTHER)[hands_of(2).index((3, 6))][ending.bids.index((1, 3))] == 2
    assert FRESH.matches(OTHER)[hands_of(2).index((3, 6))][FRESH.bids.index((1, 3))] == 1


def best_reply(solved: SolvedRound, player: int) -> float:
    """The chance to win of a player who knows the rival's policy and plays best against it, by recursion over what
    the rival may hold.
    """
    ending, tree = solved.ending, solved.tree
    own, rival = ending.hands(player), ending.hands(1 - player)

    def worth(node: int, hand: int, weights: tuple[float, ...]) -> float:
        true = [is_true(ending, tree.bid[node], own[hand], other) for other in rival] if node else []
        below = range(tree.first[node], tree.first[node] + tree.children[node])
        if tree.depth[node] % 2 == player:
            options = [worth(child, hand, weights) for child in below]
            return max([*options, sum(w for w, t in zip(weights, true, strict=True) if not t)] if node else options)
        plays = [slots(solved, node, other) for other in range(len(rival))]
        total = sum(w * p[0] for w, t, p in zip(weights, true, plays, strict=True) if t) if node else 0.0
        for a, child in enumerate(below, int(node > 0)):
            after = tuple(w * p[a] for w, p in zip(weights, plays, strict=True))
            total += worth(child, hand, after) if any(after) else 0.0
        return total

    return sum(
        chance * worth(0, hand, tuple(ending.chances(1 - player).tolist()))
        for hand, chance in enumerate(ending.chances(player).tolist())
    )


@pytest.mark.kernels
@pytest.mark.parametrize(
    "ending", [FRESH, Ending(1, 2, palifico=True, palifico_self_change=False, palifico_stars_biddable=False)]
)
def test_bounds__are_best_replies(ending: Ending) -> None:
    solved = by_regrets(ending, 0.0, 30, 30)
    assert solved.found.high == pytest.approx(best_reply(solved, OPENER), abs=1e-12)
    assert 1 - solved.found.low == pytest.approx(best_reply(solved, OTHER), abs=1e-12)


@pytest.mark.kernels
def test_solve__gets_as_close_as_asked_and_holds_25_of_36() -> None:
    solution = by_regrets(FRESH, 1e-4, 1000, 50).found
    assert solution.low <= 25 / 36 + 1e-12
    assert solution.high >= 25 / 36 - 1e-12
    assert solution.high - solution.low <= 1e-4


@pytest.mark.parametrize(
    ("ending", "value"),
    [
        (Ending(1, 1), Fraction(251, 516)),
        (Ending(1, 1, bid_order="flat"), Fraction(251, 516)),
        (ONE_EACH, Fraction(17, 36)),
        (Ending(1, 1, bid_order="perudo_halving", opening_stars=False), Fraction(17, 36)),
        (Ending(1, 1, palifico=True), Fraction(4, 9)),
        (FRESH, Fraction(25, 36)),
    ],
)
def test_program__exact_values(ending: Ending, value: Fraction) -> None:
    solution = by(ending, solve_exactly).found
    assert (solution.low, solution.high) == pytest.approx((value, value), abs=1e-9)
    assert Fraction(solution.value).limit_denominator(1000) == value


@pytest.mark.parametrize("ending", [ONE_EACH, FRESH, Ending(1, 3, palifico=True)])
def test_program__lies_between_the_bounds_of_cfr(ending: Ending) -> None:
    found, exact = by_regrets(ending, 1e-4, 2000).found, by(ending, solve_exactly).found
    assert found.low - 1e-9 <= exact.value <= found.high + 1e-9


def test_tree__parents_and_actions_lead_to_their_nodes() -> None:
    tree = Tree.of(FRESH)
    for node in range(1, tree.size):
        assert tree.first[tree.parent[node]] + tree.action[node] - (tree.parent[node] > 0) == node


def held_by(table: EndingTable, ending: Ending) -> Fraction:
    """The opener's chance to win when both play by a table, exactly, along every line of play."""

    following = [ending.followers(player) for player in (OPENER, OTHER)]

    def wins(node: int, last: int, player: int, deal: tuple[tuple[int, ...], tuple[int, ...]]) -> Fraction:
        row = NOWHERE if node == NOWHERE else int(table.row[node])
        entries = range(0)
        if row != NOWHERE:
            row += hands_of(len(deal[player])).index(deal[player])
            entries = range(table.start[row], table.start[row + 1])
        until = [0, *(int(table.until[e]) for e in entries)]
        moves = {int(table.move[e]): until[i + 1] - until[i] for i, e in enumerate(entries)} or {CHALLENGE: ONE}
        assert sum(moves.values()) == ONE
        total = Fraction(0)
        for move, chance in moves.items():
            if move == CHALLENGE:
                won_by = 1 - player if is_true(ending, last, *deal) else player
                total += Fraction(chance, ONE) * (won_by == OPENER)
            else:
                bid = next(i for i, said in enumerate(ending.bids) if bid_code(said) == move)
                assert bid in following[player][last + 1]
                total += Fraction(chance, ONE) * wins(int(table.child[node, move]), bid, 1 - player, deal)
        return total

    deals = [
        ((hand, other), ways * more)
        for hand, ways in zip(ending.hands(OPENER), ending.chances(OPENER), strict=True)
        for other, more in zip(ending.hands(OTHER), ending.chances(OTHER), strict=True)
    ]
    return sum(
        (Fraction(weight).limit_denominator(6**4) * wins(0, -1, OPENER, deal) for deal, weight in deals), Fraction(0)
    )


@pytest.mark.parametrize(
    ("ending", "value"),
    [
        (Ending(1, 1), 251 / 516),
        (ONE_EACH, 17 / 36),
        (Ending(1, 1, palifico=True), 4 / 9),
        (FRESH, 25 / 36),
    ],
)
def test_table__plays_what_was_solved(ending: Ending, value: float) -> None:
    table = tabulated(by(ending, solve_exactly))
    low, high, held_low, held_high = table.bounds
    assert (low, high) == pytest.approx((value, value), abs=1e-9)
    assert held_low - 1e-12 <= float(held_by(table, ending)) <= held_high + 1e-12
    assert held_high - held_low < 1e-5


def test_whole_policy__rows_add_up_and_small_chances_are_gone() -> None:
    solved = by(ONE_EACH, solve_exactly)
    policy = whole_policy(solved)
    rows = 0
    for node in range(solved.tree.size):
        part = solved.game.of(policy, node)
        assert (part.sum(axis=1) == ONE).all()
        assert ((part == 0) | (part >= ONE // 4096)).all()
        rows += 6
    assert rows == 6 * 2**12


def test_table__is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBLUFF_CACHE_DIR", str(tmp_path))
    ending = Ending(1, 2, palifico=True, palifico_self_change=False)
    table = tables.table_of.__wrapped__(ending)
    kept = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    assert kept == [f"perudo_tables/{tables.digest(ending)}.npz"]
    file = tmp_path / kept[0]
    whole = file.read_bytes()
    monkeypatch.setattr(tables, "solve", refuse)
    assert same(tables.table_of.__wrapped__(ending), table)
    monkeypatch.undo()
    monkeypatch.setenv("NUMBLUFF_CACHE_DIR", str(tmp_path))
    file.write_bytes(whole[:100])
    assert same(tables.table_of.__wrapped__(ending), table)
    assert file.read_bytes() == whole


@pytest.mark.thorough
def test_table__without_the_compiler_another_process_solves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kernels = cache_folder(regrets.__name__, regrets.__file__)
    monkeypatch.setenv("NUMBLUFF_CACHE_DIR", str(tmp_path))
    if kernels.is_dir():  # no table is known, but what solves need not be compiled anew
        shutil.copytree(kernels, tmp_path / kernels.name)
    monkeypatch.setattr(tables, "COMPILED", False)
    monkeypatch.setattr(tables, "PROGRAM_SLOTS", 0)
    monkeypatch.setattr(tables, "solve", refuse)
    table = tables.table_of.__wrapped__(Ending(1, 2, palifico=True, palifico_stars_biddable=False))
    assert caplog.messages == ["Solving a round (dice 1 against 2, bid_order = bluff_track), once: some minutes ..."]
    # as ever with a number; with a star, which may not be said, whatever is said is true where the rival has it
    assert table.low == pytest.approx(5 / 6 * 25 / 36 + 1 / 6 * 11 / 36, abs=1e-9)


def refuse(ending: Ending) -> Any:
    raise AssertionError(f"{ending} is kept and need not be solved")


def same(table: EndingTable, other: EndingTable) -> bool:
    return all(
        np.array_equal(getattr(table, name), getattr(other, name))
        for name in ("child", "row", "start", "move", "until", "bounds")
    )


def test_digest__knows_every_ruling_of_the_round() -> None:
    rules = [Rules(), Rules(bid_order="flat"), Rules(palifico_self_change=False), Rules(palifico_stars_biddable=False)]
    assert len({tables.digest(tables.ending_of(one, 1, 2, palifico=True)) for one in rules}) == 4
    assert len({tables.digest(tables.ending_of(one, 1, 2, palifico=False)) for one in rules}) == 2


def test_shipped__are_those_of_the_usual_rulings_and_nearly_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "solve", refuse)
    folder = Path(tables.__file__).parent / "solved"
    endings = tables.shipped_endings()
    assert {path.name for path in folder.iterdir()} == {f"{tables.digest(ending)}.npz" for ending in endings}
    for ending in endings:
        table = tables.table_of.__wrapped__(ending)
        low, high, held_low, held_high = table.bounds
        assert 0 <= high - low + 1e-12 <= 1.2e-4, ending
        assert 0 <= held_high - held_low + 1e-12 <= 1.6e-4, ending


@pytest.mark.parametrize(
    ("rules", "dice", "solved"),
    [
        pytest.param(Rules(), 5, tables.SOLVED, marks=pytest.mark.thorough),
        (Rules(), 1, ((1, 1, False),)),
        (Rules(dice_lost="difference"), 5, ()),
        (Rules(), 2, tuple(one for one in tables.SOLVED if 3 not in one)),
        pytest.param(Rules(palifico=False), 4, tables.SOLVED[:3], marks=pytest.mark.thorough),
        pytest.param(Rules(palifico_two_players=False), 3, tables.SOLVED[:3], marks=pytest.mark.thorough),
    ],
)
def test_endgame_tables__hold_every_round_that_may_come(
    rules: Rules, dice: int, solved: tuple[tuple[int, int, bool], ...]
) -> None:
    found = tables.endgame_tables(rules, dice)
    roots = {
        (opener, other, bool(palifico)): int(found.roots[palifico, opener, other])
        for palifico, opener, other in np.argwhere(found.roots >= 0).tolist()
    }
    assert set(roots) == set(solved)
    for (opener, other, palifico), root in roots.items():
        table = tables.table_of(tables.ending_of(rules, opener, other, palifico=palifico))

        @functools.cache
        def pairs(node: int, joined: int, table: EndingTable = table) -> bool:
            assert (table.row[node] == NOWHERE) == (found.row[joined] == NOWHERE)
            if table.row[node] != NOWHERE:
                row, there = table.row[node], found.row[joined]
                assert found.start[there + 1] - found.start[there] == table.start[row + 1] - table.start[row]
                entries, same_entries = (
                    slice(table.start[row], table.start[row + 1]),
                    slice(found.start[there], found.start[there + 1]),
                )
                assert (table.move[entries] == found.move[same_entries]).all()
                assert (table.until[entries] == found.until[same_entries]).all()
            return all(
                (after == NOWHERE) == (then == NOWHERE) and (after == NOWHERE or pairs(int(after), int(then)))
                for after, then in zip(table.child[node], found.child[joined], strict=True)
            )

        assert pairs(0, root)


def test_hand_numbers__in_any_order() -> None:
    found = tables.hand_numbers()
    for dice in range(1, 4):
        for number, hand in enumerate(hands_of(dice)):
            for order in (hand, hand[::-1]):
                assert found[dice, sum((face - 1) * 6**i for i, face in enumerate(order))] == number
