"""The reference engine of Perudo against every case of the case file, and rules the file has no case for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.games.perudo.reference.bids import Bid, all_bids, field_of
from tests.games.perudo.reference.cases import resolve_case
from tests.games.perudo.reference.chances import factors_of, posterior, seen, tail
from tests.games.perudo.reference.choosing import Turn, decide
from tests.games.perudo.reference.endings import Ending
from tests.games.perudo.reference.game import GameRecord, play
from tests.games.perudo.reference.setup import ALTERNATIVES, Persona, Rules, Setup
from tests.games.perudo.reference.turns import next_round

FILE = json.loads((ROOT / "tests/games/perudo/cases/perudo_cases.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in FILE["cases"]}


@pytest.mark.parametrize("name", CASES)
def test_case__reference(name: str) -> None:
    case: dict[str, Any] = CASES[name]
    found = resolve_case(case)
    assert {key: found[key] for key in case["out"]} == case["out"]


def turn(own: list[int], dice: list[int], *bids: tuple[int, Bid], palifico: int | None = None, **rules: Any) -> Turn:
    return Turn(Rules(**rules), 0, dice, own, palifico, bids)


def no_draw(item: int, n: int) -> int:
    raise AssertionError("this strategy draws nothing")


@pytest.mark.parametrize(
    ("rules", "before", "lost", "loser", "winner", "expected"),
    [
        # a false bid exceeded by three, under what base Bluff takes: down to one die at once is Palifico as well
        ({"dice_lost": "difference"}, [4, 5, 5], [3, 0, 0], 0, 1, ([1, 5, 5], [], 0, True)),
        # an exact bid: everybody but the bidder gives up a die, and the challenger is the loser whoever goes out
        ({"dice_lost": "difference"}, [2, 1, 5, 1], [0, 1, 1, 1], 2, 0, ([2, 0, 4, 0], [1, 3], 0, False)),
        ({"dice_lost": "difference"}, [1, 1, 1], [0, 1, 1], 1, 0, ([1, 0, 0], [1, 2], 0, False)),
        # without the house rule, winners open with two players left as well; a Palifico opens all the same
        (
            {"starter_normal": "challenge_winner", "house_rule_start": False},
            [3, 3],
            [1, 0],
            0,
            1,
            ([2, 3], [], 1, False),
        ),
        ({"starter_normal": "challenge_winner"}, [3, 3], [1, 0], 0, 1, ([2, 3], [], 0, False)),
        (
            {"starter_normal": "challenge_winner", "house_rule_start": False},
            [2, 3],
            [1, 0],
            0,
            1,
            ([1, 3], [], 0, True),
        ),
        # three to two: fewer dice, then the tie
        ({}, [5, 1, 2], [0, 1, 0], 1, 0, ([5, 0, 2], [1], 2, False)),
        ({"house_rule_fewer": False}, [2, 1, 5], [0, 1, 0], 1, 0, ([2, 0, 5], [1], 2, False)),
        ({"tie_3to2": "right_of_eliminated"}, [2, 1, 2], [0, 1, 0], 1, 0, ([2, 0, 2], [1], 0, False)),
        ({"tie_3to2": "random"}, [2, 1, 2], [0, 1, 0], 1, 0, ([2, 0, 2], [1], 2, False)),
    ],
)
def test_next_round__beyond_the_cases(
    rules: dict[str, Any], before: list[int], lost: list[int], loser: int, winner: int, expected: tuple[Any, ...]
) -> None:
    found = next_round(Rules(**rules), before, lost, loser, winner, lambda: True)
    assert (found.dice, found.eliminated, found.opener, found.palifico) == expected


@pytest.mark.parametrize("order", ALTERNATIVES["bid_order"])
def test_fields__rise_with_the_bids(order: str) -> None:
    fields = [field_of(bid, order) for bid in all_bids(order, "total_dice", 12)]
    assert fields == sorted(fields)
    assert len(set(fields)) == (12 if order == "flat" else 24)


def test_bids__without_a_cap_end_with_the_board() -> None:
    bids = all_bids("bluff_track", "none", 6)
    assert (max(b.quantity for b in bids if not b.on_stars), max(b.quantity for b in bids if b.on_stars)) == (20, 10)


def test_chances__known_values() -> None:
    assert (tail(True, 5, 2), tail(False, 5, 1)) == (round(65536 * 131 / 243), round(65536 * 4651 / 7776))
    assert (tail(True, 5, 0), tail(True, 5, 6)) == (65535, 0)
    assert seen(Bid(3, 4), [4, 6, 1], 5, palifico=False) == tail(True, 2, 1)
    assert seen(Bid(3, 4), [4, 6, 1], 5, palifico=True) == tail(False, 2, 2)


def test_posterior__without_factors_is_the_binomial_and_bids_raise_it() -> None:
    silent = [(3, (0.0,) * 6), (2, (0.0,) * 6)]
    assert posterior(Bid(3, 4), [4, 1], silent, palifico=False) == pytest.approx(tail(True, 5, 2), abs=1)
    bids = [(1, Bid(1, 4)), (2, Bid(2, 4)), (1, Bid(2, 5)), (2, Bid(3, 4))]
    assert factors_of(1, bids, 1.0, 0.5) == (0.0, 0.0, 0.0, 1.0, 1.0, 0.0)
    assert factors_of(2, bids, 1.0, 0.5) == (0.0, 0.0, 0.0, 0.5, 0.0, 0.0)
    heard = [(3, factors_of(1, bids, 1.0, 0.5)), (2, factors_of(2, bids, 1.0, 0.5))]
    assert posterior(Bid(3, 4), [4, 1], heard, palifico=False) > posterior(Bid(3, 4), [4, 1], silent, palifico=False)


@pytest.mark.parametrize(
    ("strategy", "place", "expected"),
    [
        # 5 of 15 dice is likely for a holder of two fours; 12 is not
        ("threshold", turn([4, 4, 1, 2, 3], [5, 5, 5], (2, Bid(12, 4))), None),
        ("threshold", turn([4, 4, 1, 2, 3], [5, 5, 5], (2, Bid(2, 2))), Bid(2, 4)),
        ("value", turn([4, 4, 1, 2, 3], [5, 5, 5], (2, Bid(12, 4))), None),
        ("value", turn([1], [1, 1], (1, Bid(2, 6))), None),
        # a fresh Palifico against one rival names the own face; against two it does not have to
        ("bayes", turn([3], [1, 4], palifico=0), Bid(1, 3)),
        ("threshold", turn([6], [1, 4], palifico=0), Bid(1, 6)),
        ("threshold", turn([6], [1, 4], palifico=0, palifico_stars_biddable=False), Bid(1, 1)),
        # nothing can be bid above the highest bid
        ("threshold", turn([5], [1, 1], (1, Bid(2, 6))), None),
    ],
)
def test_strategy__decides(strategy: str, place: Turn, expected: Bid | None) -> None:
    assert decide(Persona(strategy, strategy), place, no_draw) == expected


def test_random__draws_the_challenge_and_the_bid() -> None:
    drawn: list[tuple[int, int]] = []

    def draw(item: int, n: int) -> int:
        drawn.append((item, n))
        return n - 1

    # above two threes: four, five, one star (the field before three numbers), three of each number, and two and three
    # stars
    assert decide(Persona(), turn([1, 1], [2, 2], (1, Bid(2, 3))), draw) == Bid(3, 6)
    assert drawn == [(0, 4), (1, 9)]
    assert decide(Persona(), turn([1, 1], [2, 2], (1, Bid(2, 3))), lambda item, n: 0) is None


def test_equilibrium__follows_its_table() -> None:
    ending = Ending(
        child=[[-1] * 7 + [1] + [-1] * 16, [-1] * 24],
        row=[0, 6],
        start=[0, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3],
        move=[7, 0, -1],
        until=[40000, 65536, 65536],
    )

    def decided(own: int, u: int, *bids: Bid) -> Bid | None:
        place = Turn(Rules(), 0, [1, 1], [own], None, tuple((i % 2, bid) for i, bid in enumerate(bids)), ending)
        return decide(Persona("e", "equilibrium"), place, lambda item, n: u if (item, n) == (0, 65536) else -1)

    assert [decided(1, u) for u in (0, 39999, 40000, 65535)] == [Bid(2, 2), Bid(2, 2), Bid(1, 1), Bid(1, 1)]
    assert decided(1, 5, Bid(2, 2)) is None
    assert decided(2, 5, Bid(2, 2)) is None  # an empty row
    assert decided(1, 5, Bid(1, 4)) is None  # no node
    assert decided(1, 5, Bid(9, 4)) is None  # above every code


def check_game(setup: Setup, game: GameRecord) -> None:
    """What holds in every game."""
    assert sorted(game.places) == list(range(1, setup.players + 1))
    assert game.places[game.winner] == 1
    dice = [setup.dice] * setup.players
    for record in game.rounds:
        assert record.dice_before == dice
        assert [len(hand) for hand in record.hands] == dice
        dice = [have - gone for have, gone in zip(dice, record.lost, strict=True)]
        assert record.eliminated == [seat for seat, have in enumerate(record.dice_before) if have and not dice[seat]]
        assert record.bids[0][0] == record.opener
        assert record.loser == (record.challenger if record.bid_true else record.bidder)
        assert record.lifting.bid_true == record.bid_true
        order = all_bids(setup.rules.bid_order, setup.rules.quantity_cap, sum(record.dice_before))
        ranks = [order.index(bid) for _, bid in record.bids]
        assert ranks == sorted(set(ranks))
    assert [seat for seat, have in enumerate(dice) if have] == [game.winner]
    if setup.rules.dice_lost == "one":
        assert len(game.rounds) == setup.players * setup.dice - dice[game.winner]


@pytest.mark.parametrize("strategy", ["random", "threshold", "value", "bayes", "scripted"])
@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(dice_lost="difference", bid_order="flat", tie_3to2="random"),
        Rules(
            bid_order="perudo_halving", quantity_cap="none", starter_normal="challenge_winner", lift_direction="left"
        ),
    ],
)
def test_play__keeps_the_rules(strategy: str, rules: Rules) -> None:
    for players, dice in ((2, 5), (4, 3), (6, 2)):
        setup = Setup(5, (Persona(strategy, strategy),) * players, dice, players - 1, rules)
        for game in range(3 if strategy == "bayes" else 12):
            check_game(setup, play(setup, game))


def test_play__scripted_match_as_often_as_it_must() -> None:
    setup = Setup(1, (Persona("one", "scripted"),) * 3, 2)
    games = [play(setup, game) for game in range(4000)]
    wins = [sum(game.winner == seat for game in games) / 4000 for seat in range(3)]
    assert wins == pytest.approx([0.345845, 0.254828, 0.399326], abs=0.03)  # four standard errors
    assert sum(len(game.rounds) for game in games) / 4000 == pytest.approx(4.681966, abs=0.03)
