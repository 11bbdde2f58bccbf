"""The rules calculator of Perudo: every written-down case, and what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.errors import CaseError
from numbluff_sim.games.perudo.referee import Bid, referee
from numbluff_sim.games.perudo.rules_section import RULING_VALUES, Rules
from numbluff_sim.single.resolving import explain_text, resolve, resolve_text
from tests.conftest import ROOT, Done
from tests.games.perudo.reference.bids import all_bids
from tests.games.perudo.reference.cases import resolve_case

FILE = json.loads((ROOT / "tests/games/perudo/cases/perudo_cases.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in FILE["cases"]}


def asked(case: dict[str, Any]) -> dict[str, Any]:
    return {key: case[key] for key in ("id", "kind", "cfg", "in")}


def outcome(kind: str, given: dict[str, Any], **cfg: Any) -> dict[str, Any]:
    found = resolve({"game": "perudo", "cases": [{"kind": kind, "cfg": cfg, "in": given}]})
    assert [case["id"] for case in found["cases"]] == [0]
    out: dict[str, Any] = found["cases"][0]["out"]
    return out


@pytest.mark.kernels
@pytest.mark.parametrize("name", CASES)
def test_case__calculator(name: str) -> None:
    case = CASES[name]
    answer = resolve({"game": "perudo", "cases": [asked(case)]})["cases"]
    assert [one["id"] for one in answer] == [name]
    assert {key: answer[0]["out"][key] for key in case["out"]} == case["out"]


def test_cases__command_reads_the_file_as_it_is_sent(numbluff: Callable[..., Done], tmp_path: Any) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"game": "perudo", "cases": [asked(case) for case in CASES.values()]}), encoding="utf-8")
    bare = tmp_path / "bare.json"
    bare.write_text(json.dumps([asked(case) for case in CASES.values()]), encoding="utf-8")
    answers = [numbluff("resolve", "--json", file), numbluff("resolve", "--game", "perudo", "--json", bare)]
    for done in answers:
        assert (done.code, done.err) == (0, "")
        found = {case["id"]: case["out"] for case in json.loads(done.out)["cases"]}
        assert {
            name for name, case in CASES.items() if {key: found[name][key] for key in case["out"]} != case["out"]
        } == set()


def test_cases__config_gives_the_rulings_that_a_case_leaves_open() -> None:
    given = {"dice_before": [5, 5, 5, 5], "loser": 1, "challenger": 1, "bidder": 0}
    config = load(overrides={"game": "perudo", "rules.starter_normal": "challenge_winner"})
    both = [
        {"kind": "next_round", "in": given},
        {"kind": "next_round", "cfg": {"starter_normal": "loser"}, "in": given},
    ]
    assert [case["out"]["starter"] for case in resolve({"cases": both}, config)["cases"]] == [0, 1]


@pytest.mark.kernels
@pytest.mark.parametrize("order", RULING_VALUES["bid_order"])
@pytest.mark.parametrize("cap", RULING_VALUES["quantity_cap"])
def test_order__is_that_of_the_reference(order: str, cap: str) -> None:
    for total in (2, 3, 7, 21, 30):
        rules = Rules.model_validate({"bid_order": order, "quantity_cap": cap})
        assert referee(rules).ordered_bids(total) == [Bid(*bid) for bid in all_bids(order, cap, total)]


def test_calculator__agrees_with_the_reference_on_random_cases() -> None:
    draw, met = random.Random(1), set()
    for _ in range(2000):
        case = random_case(draw)
        assert outcome(case["kind"], case["in"], **case["cfg"]) == resolve_case(case), case
        met.add(case["kind"])
    assert met == {"challenge", "raise_legal", "next_round", "lift"}


def random_case(draw: random.Random) -> dict[str, Any]:
    cfg = {name: draw.choice(values) for name, values in RULING_VALUES.items() if name != "dice_lost"}
    cfg["tie_3to2"] = draw.choice(("left_of_eliminated", "right_of_eliminated"))
    players = draw.randint(2, 6)
    hands = [[draw.randint(1, 6) for _ in range(draw.randint(0, 5))] for _ in range(players)]
    hands[0], hands[-1] = hands[0] or [6], hands[-1] or [1]
    seats = [seat for seat, hand in enumerate(hands) if hand]
    bidder, challenger = draw.sample(seats, 2)
    total = sum(map(len, hands))
    bid, palifico = [draw.randint(1, total), draw.randint(1, 6)], draw.random() < 0.5
    kind = draw.choice(("challenge", "raise_legal", "next_round", "lift"))
    given = {
        "challenge": {
            "dice": {str(seat): hand for seat, hand in enumerate(hands)},
            "bid": bid,
            "bidder": str(bidder),
            "challenger": str(challenger),
            "palifico": palifico,
        },
        "raise_legal": {
            "order": cfg["bid_order"],
            "total": total,
            "bid": bid,
            "palifico": palifico,
            "one_die": draw.random() < 0.5,
            "current": draw.choice((None, [draw.randint(1, total), draw.randint(1, 6)])),
            "is_palifico_player": draw.random() < 0.5,
        },
        "next_round": {
            "dice_before": [len(hand) for hand in hands],
            "loser": draw.choice((bidder, challenger)),
            "bidder": bidder,
            "challenger": challenger,
        },
        "lift": {"dice": hands, "challenger": challenger, "bid": bid, "palifico": palifico},
    }[kind]
    return {"kind": kind, "cfg": cfg, "in": given}


NEXT = {"dice_before": [3, 1, 0, 3], "loser": 1, "challenger": 1, "bidder": 0}
LIFT = {"dice": [[3, 3], [6, 1]], "challenger": 1, "bid": [2, 3], "palifico": False}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no object": (
        {"kind": "lift", "in": 3},
        "cases[0]: in = 3 is no object; expected an object with dice, challenger, bid, palifico.",
    ),
    "unknown kind": (
        {"id": "a", "kind": "lifts", "in": LIFT},
        'cases[0] ("a"): kind = "lifts" is no kind of case; expected one of "challenge",',
    ),
    "kind missing": ({"in": LIFT}, "cases[0]: the kind is missing; expected one of"),
    "unknown key": (
        {"kind": "lift", "in": LIFT, "config": {}},
        'cases[0]: "config" is not a key; expected one of "id", "kind", "cfg", "in", "params".',
    ),
    "unknown key of in": (
        {"kind": "lift", "in": {**LIFT, "dices": 1}},
        'in.dices = 1 is not a key here; expected one of "dice", "challenger", "bid",',
    ),
    "key missing": (
        {"kind": "lift", "in": {"dice": LIFT["dice"], "bid": [2, 3], "palifico": False}},
        "in.challenger is missing; expected a seat with dice: one of 0, 1.",
    ),
    "no flag": (
        {"kind": "lift", "in": {**LIFT, "palifico": 1}},
        "in.palifico = 1 is no yes or no; expected true or false.",
    ),
    "no bid": (
        {"kind": "lift", "in": {**LIFT, "bid": [0, 3]}},
        "in.bid = [0, 3] is no bid; expected [quantity, face] with a face from 1 to 6 (the star)",
    ),
    "no face": (
        {"kind": "lift", "in": {**LIFT, "dice": [[3, 7], [1]]}},
        "in.dice[0] = [[3, 7], [1]] holds [3, 7], no hand of dice; expected at most 5",
    ),
    "alone": (
        {"kind": "lift", "in": {**LIFT, "dice": [[3], []]}},
        "in.dice = [[3], []] has fewer than two players in; expected dice of at least two",
    ),
    "seat that is out": (
        {"kind": "next_round", "in": {**NEXT, "bidder": 2}},
        "in.bidder = 2 is no seat with dice; expected one of 0, 1, 3.",
    ),
    "loser did not play": (
        {"kind": "next_round", "in": {**NEXT, "loser": 3}},
        "in.loser = 3 is neither challenger nor bidder; expected one of 1, 0.",
    ),
    "unknown ruling": (
        {"kind": "next_round", "cfg": {"palifco": True}, "in": NEXT},
        'cfg.palifco is not a ruling; expected one of "bid_order",',
    ),
    "wrong answer": (
        {"kind": "next_round", "cfg": {"starter_normal": "losers"}, "in": NEXT},
        (
            'cfg.starter_normal = "losers" is no answer to this ruling; expected one of "loser", '
            '"challenge_winner". Did you mean "loser"?'
        ),
    ),
    "left to chance": (
        {"id": "t", "kind": "next_round", "cfg": {"tie_3to2": "random"}, "in": NEXT},
        (
            'case t: tie_3to2 = "random" leaves to chance who opens; expected "left_of_eliminated" or '
            '"right_of_eliminated".'
        ),
    ),
    "loss by difference": (
        {"kind": "next_round", "cfg": {"dice_lost": "difference"}, "in": NEXT},
        'cfg.dice_lost = "difference" makes the loss depend on the count; expected "one".',
    ),
    "above the highest": (
        {"kind": "bid_order", "in": {"order": "flat", "total": 3, "upto": [4, 1]}},
        "in.upto = [4, 1] is above the highest bid; expected at most [3, 6].",
    ),
    "not solved": (
        {"kind": "endgame_round", "params": {"dice_opener": 2, "dice_other": 2, "order": "flat", "palifico": False}},
        "params.dice_other = 2 is more than is solved; expected 3 dice together;",
    ),
}


@pytest.mark.parametrize("wrong", BAD)
def test_case__refused(wrong: str) -> None:
    case, message = BAD[wrong]
    with pytest.raises(CaseError) as refused:
        resolve({"game": "perudo", "cases": [case]}, file="here")
    assert str(refused.value).startswith("here: ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"game": "perudo"}', 'x: there is no key "cases"; expected a list of cases.'),
        ('{"game": "perudo", "cases": 3}', "x: cases = 3 is no list; expected a list of cases."),
        (
            '{"game": "perudo", "rounds": []}',
            'x: "rounds" is not a key; expected the keys "cases" and, if you like, "game".',
        ),
        (
            '{"game": "perudo", "cases": [7]}',
            "x: cases[0]: 7 is no case; expected an object with id, kind, cfg and in.",
        ),
    ],
)
def test_cases__refused_data(text: str, message: str) -> None:
    with pytest.raises(CaseError) as refused:
        resolve_text(text, file="x")
    assert str(refused.value) == message


def test_cases__refused_text() -> None:
    config = load(overrides={"game": "perudo"})
    for text, message in (
        ("", 'x: there is nothing in it; expected {"cases": [...]}.'),
        ("hello", 'x: this is no JSON; expected {"cases": [...]}.'),
    ):
        with pytest.raises(CaseError) as refused:
            resolve_text(text, config, file="x")
        assert str(refused.value) == message


IN_WORDS = [
    (
        "lift",
        {"dice": [[3, 3], [6, 1], [3, 2], [5, 4]], "challenger": 1, "bid": [3, 3], "palifico": False},
        ["Cups lifted: 3 of 4, in the order 1, 4, 3, 2 (R19).", "Dice seen that count for 3 × 3: 3. The bid is true."],
        [
            "Gobelets levés : 3 sur 4, dans l'ordre 1, 4, 3, 2 (R19).",
            "Dés vus qui comptent pour 3 fois 3 : 3. Le pari est juste.",
        ],
    ),
    (
        "next_round",
        {"dice_before": [5, 2, 4, 5], "loser": 1, "challenger": 1, "bidder": 0},
        ["Dice by seat: 5, 1, 4, 5.", "Seat 2 opens the next round as Palifico (R15)."],
        ["Dés par place : 5, 1, 4, 5.", "La place 2 ouvre le tour suivant comme Palifico (R15)."],
    ),
    (
        "next_round",
        {"dice_before": [1, 0, 0, 2], "loser": 0, "challenger": 0, "bidder": 3},
        ["Dice by seat: 0, 0, 0, 2.", "Seat 1 is out (R11).", "The match is over: seat 4 wins (R11)."],
        [
            "Dés par place : 0, 0, 0, 2.",
            "La place 1 est éliminée (R11).",
            "La partie est finie : la place 4 gagne (R11).",
        ],
    ),
    (
        "challenge",
        {"dice": {"Ann": [3], "Bob": [4]}, "bid": [2, 3], "bidder": "Ann", "challenger": "Bob", "palifico": False},
        ["Dice that count for 2 × 3: 1. The bid is false, and Ann loses a die (R8, R10)."],
        ["Dés qui comptent pour 2 fois 3 : 1. Le pari est faux, Ann perd un dé (R8, R10)."],
    ),
    (
        "bid_order",
        {"order": "flat", "total": 3, "upto": [1, 6]},
        ["From the lowest bid on (R5): 1 × 1, 1 × 2, 1 × 3, 1 × 4, 1 × 5, 1 × ★."],
        ["À partir du plus petit pari (R5) : 1 fois 1, 1 fois 2, 1 fois 3, 1 fois 4, 1 fois 5, 1 fois étoile."],
    ),
    (
        "raise_legal",
        {
            "order": "flat",
            "total": 3,
            "current": [2, 3],
            "bid": [2, 3],
            "palifico": False,
            "one_die": True,
            "is_palifico_player": False,
        },
        ["2 × 3 may not be said (R3-R6, R16-R18, R20)."],
        ["2 fois 3 : pari non permis (R3-R6, R16-R18, R20)."],
    ),
    ("binom_at_least", {"n": 5, "k": 2, "p": "1/3"}, ["131/243 = 0.539095."], ["131/243 = 0,539095."]),
    (
        "largest_even_money_bid",
        {"n": [5]},
        [
            "Numbers, stars as jokers, by dice in play: 5 → 2.",
            "Stars, or any face in a Palifico round, by dice in play: 5 → 1.",
        ],
        [
            "Chiffres, étoiles jokers, par nombre de dés en jeu : 5 → 2.",
            "Étoiles, ou toute face d'un tour Palifico, par nombre de dés en jeu : 5 → 1.",
        ],
    ),
    (
        "markov_policy",
        {"n": 2, "d": 1, "policy": "one", "starter": 0},
        ["Chances to win by seat: 0.555556; 0.444444; 1.0000 rounds on average."],
        ["Chances de gagner par place : 0,555556 ; 0,444444 ; 1,0000 tours en moyenne."],
    ),
    (
        "endgame_1v1",
        {"order": "perudo_halving", "palifico": True},
        ["0.444444, known to lie between 0.444444 and 0.444444."],
        ["0,444444, compris entre 0,444444 et 0,444444."],
    ),
]


@pytest.mark.parametrize(("kind", "given", "english", "french"), IN_WORDS)
def test_case__in_words(kind: str, given: dict[str, Any], english: list[str], french: list[str]) -> None:
    text = json.dumps({"game": "perudo", "cases": [{"id": "a", "kind": kind, "in": given}]})
    assert explain_text(text).splitlines() == ["Case a:", *(f"  {line}" for line in english)]
    lines = explain_text(text, language="fr").replace("\u00a0", " ").replace("\u202f", " ").splitlines()
    assert lines == ["Cas a :", *(f"  {line}" for line in french)]
