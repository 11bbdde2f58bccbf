"""Cases written down: what was asked, read and checked before anything is resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from numbluff_sim.errors import CaseError, nearest_name, one_of, shown_value
from numbluff_sim.games.perudo.referee import MOST_DICE, STAR, Bid
from numbluff_sim.games.perudo.rules_section import RULING_VALUES, Rules
from numbluff_sim.kernels.perudo import codes

#: Keys of a case; the last ones are what a case file says about it besides.
KEYS = ("id", "kind", "cfg", "in", "params")
REMARKS = ("basis", "lines", "rules", "note", "out", "value", "formula", "float", "lo", "hi", "tol", "simulate")
#: Keys of `in` (of `params`, for exact values) by kind.
SITUATIONS: dict[str, tuple[str, ...]] = {
    "challenge": ("dice", "bid", "bidder", "challenger", "palifico"),
    "bid_order": ("order", "total", "upto"),
    "raise_legal": ("order", "total", "current", "bid", "palifico", "one_die", "is_palifico_player"),
    "next_round": ("dice_before", "loser", "challenger", "bidder"),
    "lift": ("dice", "challenger", "bid", "palifico"),
}
QUESTIONS: dict[str, tuple[str, ...]] = {
    "binom_at_least": ("n", "k", "p"),
    "largest_even_money_bid": ("n",),
    "conditional_tail": ("total", "own", "own_match", "q", "p"),
    "endgame_1v1": ("order", "palifico"),
    "endgame_round": ("dice_opener", "dice_other", "order", "palifico"),
    "match_value": ("dice", "palifico", "opener"),
    "markov_policy": ("n", "d", "policy", "cfg", "starter"),
    "expected_cups_lifted": ("n", "d", "q", "p"),
}
KINDS = {**SITUATIONS, **QUESTIONS}
#: Kinds that need to know how many dice a challenge costs.
OF_ONE_DIE = ("next_round", "endgame_1v1", "endgame_round", "match_value", "markov_policy")
MOST_PLAYERS, MOST_TOTAL = codes.SEATS_MAX, codes.DICE_MAX


@dataclass(frozen=True)
class Case:
    """A checked case: `given` holds plain values, bids as `Bid`."""

    id: Any
    kind: str
    rules: Rules
    given: dict[str, Any]


def read_cases(data: Mapping[str, Any], rules: Rules, file: str) -> list[Case]:
    """The cases of {"cases": [...]}. Raises CaseError, which names file, case, key, value, what is expected and the
    nearest name.
    """
    for key in data:
        if key not in ("game", "cases"):
            raise CaseError(
                f'{file}: "{key}" is not a key; expected the keys "cases" and, if you like, "game".'
                + _meant(key, ("game", "cases"))
            )
    cases = data.get("cases")
    if not isinstance(cases, list):
        problem = f"cases = {shown_value(cases)} is no list" if "cases" in data else 'there is no key "cases"'
        raise CaseError(f"{file}: {problem}; expected a list of cases.")
    return [_read(case, index, rules, file) for index, case in enumerate(cases)]


def _meant(name: object, names: Sequence[str]) -> str:
    near = nearest_name(name, names)
    return f' Did you mean "{near}"?' if near else ""


def _read(case: Any, index: int, rules: Rules, file: str) -> Case:
    name = case.get("id") if isinstance(case, dict) else None
    where = f"{file}: cases[{index}]" + (f" ({shown_value(name)})" if name is not None else "") + ": "
    if not isinstance(case, dict):
        raise CaseError(f"{where}{shown_value(case)} is no case; expected an object with id, kind, cfg and in.")
    for key in case:
        if key not in (*KEYS, *REMARKS):
            raise CaseError(f'{where}"{key}" is not a key; expected {one_of(KEYS)}.' + _meant(key, KEYS))
    kind = case.get("kind")
    if kind not in KINDS:
        problem = f"kind = {shown_value(kind)} is no kind of case" if "kind" in case else "the kind is missing"
        raise CaseError(f"{where}{problem}; expected {one_of(KINDS)}." + _meant(kind, tuple(KINDS)))
    section = "params" if "params" in case and kind in QUESTIONS else "in"
    given = case.get(section)
    if not isinstance(given, dict):
        problem = f"{section} = {shown_value(given)} is no object" if section in case else f"{section} is missing"
        raise CaseError(f"{where}{problem}; expected an object with {', '.join(KINDS[kind])}.")
    reader = Reader(where, section, given)
    for key in given:
        if key not in KINDS[kind]:
            raise reader.refused(key, "is not a key here", one_of(KINDS[kind]), nearest_name(key, KINDS[kind]))
    cfg = {**_table(case.get("cfg", {}), where, "cfg"), **_table(given.get("cfg", {}), where, f"{section}.cfg")}
    if "order" in KINDS[kind]:
        cfg["bid_order"] = reader.choice("order", RULING_VALUES["bid_order"])
    ruled = _rules(cfg, rules, where)
    if ruled.dice_lost != "one" and kind in OF_ONE_DIE:
        raise CaseError(
            f'{where}cfg.dice_lost = {shown_value(ruled.dice_lost)} makes the loss depend on the count; expected "one".'
        )
    return Case(case.get("id", index), kind, ruled, READERS[kind](reader))


def _table(cfg: Any, where: str, key: str) -> dict[str, Any]:
    if not isinstance(cfg, dict):
        raise CaseError(
            f"{where}{key} = {shown_value(cfg)} is no table of rulings; expected an object such as "
            f'{{"palifico": false}}.'
        )
    return cfg


def _rules(cfg: Mapping[str, Any], rules: Rules, where: str) -> Rules:
    for name in cfg:
        if name not in Rules.model_fields:
            raise CaseError(
                f"{where}cfg.{name} is not a ruling; expected {one_of(Rules.model_fields)}."
                + _meant(name, tuple(Rules.model_fields))
            )
    try:
        return Rules.model_validate({**rules.model_dump(), **cfg})
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        raise CaseError(
            (
                f"{where}cfg.{name} = {shown_value(cfg[name])} is no answer to this ruling; expected "
                f"{one_of(RULING_VALUES[name])}."
            )
            + _meant(cfg[name], [str(value) for value in RULING_VALUES[name]])
        ) from None


class Reader:
    """Reads the keys of one case; errors name the case, the key, its value and what is expected."""

    def __init__(self, where: str, section: str, given: Mapping[str, Any]) -> None:
        self.where, self.section, self.given = where, section, given

    def refused(self, key: str, problem: str, expected: str, nearest: str | None = None) -> CaseError:
        """The error for one key; `key` may point into it, as dice[2]."""
        name = key.partition("[")[0].partition(".")[0]
        shown = f"{self.section}.{key}" + (f" = {shown_value(self.given[name])}" if name in self.given else "")
        return CaseError(
            f"{self.where}{shown} {problem}; expected {expected}." + (f' Did you mean "{nearest}"?' if nearest else "")
        )

    def get(self, key: str, expected: str) -> Any:
        """The value of a key that must be there."""
        if key not in self.given:
            raise self.refused(key, "is missing", expected)
        return self.given[key]

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number."""
        value = self.get(key, f"a whole number from {low} to {high}")
        if type(value) is not int or not low <= value <= high:
            raise self.refused(key, "is out of bounds", f"a whole number from {low} to {high}")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.get(key, "true or false")
        if not isinstance(value, bool):
            raise self.refused(key, "is no yes or no", "true or false")
        return value

    def choice(self, key: str, values: Sequence[Any]) -> Any:
        """One of several values."""
        value = self.get(key, one_of(values))
        if value not in values:
            raise self.refused(key, "is none of these", one_of(values), nearest_name(value, values))
        return value

    def chance(self) -> Fraction:
        """How likely a die matches: "1/3" or "1/6"."""
        return Fraction(self.choice("p", ("1/3", "1/6")))

    def bid(self, key: str, numbers: int = MOST_TOTAL, stars: int = MOST_TOTAL) -> Bid:
        """A bid [quantity, face] up to a highest quantity of a number and of stars."""
        expected = (
            f"[quantity, face] with a face from 1 to 6 (the star) and a quantity from 1 to {numbers}, of stars to "
            f"{stars}"
        )
        value = self.get(key, expected)
        if not (isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)):
            raise self.refused(key, "is no bid", expected)
        bid = Bid(*value)
        if not 1 <= bid.face <= STAR or not 1 <= bid.quantity <= (stars if bid.face == STAR else numbers):
            raise self.refused(key, "is no bid", expected)
        return bid

    def hand(self, key: str, hand: Any) -> tuple[int, ...]:
        """The faces of a player's dice."""
        if not (
            isinstance(hand, list)
            and len(hand) <= MOST_DICE
            and all(type(die) is int and 1 <= die <= STAR for die in hand)
        ):
            raise self.refused(
                key, f"holds {shown_value(hand)}, no hand of dice", f"at most {MOST_DICE} faces from 1 to 6 (the star)"
            )
        return tuple(hand)

    def counts(self, key: str) -> list[int]:
        """Dice by seat."""
        value = self.get(key, "dice by seat")
        expected = f"2 to {MOST_PLAYERS} numbers from 0 to {MOST_DICE}, at least two of them above 0"
        if (
            not (isinstance(value, list) and 2 <= len(value) <= MOST_PLAYERS)
            or any(type(n) is not int or not 0 <= n <= MOST_DICE for n in value)
            or sum(n > 0 for n in value) < 2
        ):
            raise self.refused(key, "is no table", expected)
        return list(value)

    def seat(self, key: str, dice: Sequence[int]) -> int:
        """A seat that has dice."""
        seats = [seat for seat, n in enumerate(dice) if n]
        value = self.get(key, f"a seat with dice: {one_of(seats)}")
        if isinstance(value, bool) or value not in seats:
            raise self.refused(key, "is no seat with dice", one_of(seats))
        return int(value)


def _challenge(reader: Reader) -> dict[str, Any]:
    dice = reader.get("dice", "an object with the dice of every player")
    if not isinstance(dice, dict) or not 2 <= len(dice) <= MOST_PLAYERS:
        raise reader.refused("dice", "is no table", f"an object with the dice of 2 to {MOST_PLAYERS} players")
    hands = {name: reader.hand(f"dice.{name}", hand) for name, hand in dice.items()}
    bidder, challenger = reader.choice("bidder", tuple(hands)), reader.choice("challenger", tuple(hands))
    if bidder == challenger:
        raise reader.refused("challenger", "is the bidder", "another player")
    return {
        "dice": hands,
        "bid": reader.bid("bid"),
        "bidder": bidder,
        "challenger": challenger,
        "palifico": reader.flag("palifico"),
    }


def _bid_order(reader: Reader) -> dict[str, Any]:
    total = reader.whole("total", 1, MOST_TOTAL)
    most = max(total, codes.BOARD_NUMBERS)
    return {"total": total, "upto": reader.bid("upto", most, most)}


def _raise_legal(reader: Reader) -> dict[str, Any]:
    total = reader.whole("total", 2, MOST_TOTAL)
    most = max(total, codes.BOARD_NUMBERS), max(total, codes.BOARD_STARS)
    current = None if reader.get("current", "a bid or null") is None else reader.bid("current", *most)
    return {
        "total": total,
        "current": current,
        "bid": reader.bid("bid"),
        **{key: reader.flag(key) for key in ("palifico", "one_die", "is_palifico_player")},
    }


def _next_round(reader: Reader) -> dict[str, Any]:
    dice = reader.counts("dice_before")
    challenger, bidder = reader.seat("challenger", dice), reader.seat("bidder", dice)
    if challenger == bidder:
        raise reader.refused("bidder", "is the challenger", "another seat")
    loser = reader.seat("loser", dice)
    if loser not in (challenger, bidder):
        raise reader.refused("loser", "is neither challenger nor bidder", one_of((challenger, bidder)))
    return {"dice_before": dice, "loser": loser, "winner": bidder if loser == challenger else challenger}


def _lift(reader: Reader) -> dict[str, Any]:
    value = reader.get("dice", "a list of hands by seat")
    if not isinstance(value, list) or not 2 <= len(value) <= MOST_PLAYERS:
        raise reader.refused("dice", "is no table", f"2 to {MOST_PLAYERS} hands by seat, [] for a seat that is out")
    hands = [reader.hand(f"dice[{seat}]", hand) for seat, hand in enumerate(value)]
    if sum(len(hand) > 0 for hand in hands) < 2:
        raise reader.refused("dice", "has fewer than two players in", "dice of at least two seats")
    return {
        "dice": hands,
        "challenger": reader.seat("challenger", [len(hand) for hand in hands]),
        "bid": reader.bid("bid"),
        "palifico": reader.flag("palifico"),
    }


def _many(reader: Reader) -> dict[str, Any]:
    value = reader.get("n", "a list of numbers of dice")
    if not isinstance(value, list) or any(type(n) is not int or not 1 <= n <= MOST_TOTAL for n in value):
        raise reader.refused("n", "is no list of numbers of dice", f"whole numbers from 1 to {MOST_TOTAL}")
    return {"n": value}


def _holder(reader: Reader) -> dict[str, Any]:
    total = reader.whole("total", 1, MOST_TOTAL)
    own = reader.whole("own", 0, min(MOST_DICE, total))
    return {
        "total": total,
        "own": own,
        "own_match": reader.whole("own_match", 0, own),
        "q": reader.whole("q", 0, MOST_TOTAL),
        "p": reader.chance(),
    }


def _round(reader: Reader) -> dict[str, Any]:
    opener, other = reader.whole("dice_opener", 1, 2), reader.whole("dice_other", 1, 3)
    palifico = reader.flag("palifico")
    if opener + other > (4 if palifico else 3) or (palifico and opener > 1):
        raise reader.refused(
            "dice_other",
            "is more than is solved",
            "3 dice together; in a Palifico round the opener has 1 and the other at most 3",
        )
    return {"dice_opener": opener, "dice_other": other, "palifico": palifico}


def _match_value(reader: Reader) -> dict[str, Any]:
    if reader.get("dice", "[1, 2]") != [1, 2]:
        raise reader.refused("dice", "is not solved", "[1, 2], the one-die player first")
    opener, palifico = reader.whole("opener", 0, 1), reader.flag("palifico")
    if palifico and opener == 1:
        raise reader.refused("opener", "has two dice and is no Palifico", "0")
    return {"opener": opener, "palifico": palifico}


def _scripted(reader: Reader) -> dict[str, Any]:
    players = reader.whole("n", 2, MOST_PLAYERS)
    return {
        "n": players,
        "d": reader.whole("d", 1, MOST_DICE),
        "policy": reader.choice("policy", ("one", "third")),
        "starter": reader.whole("starter", 0, players - 1),
    }


READERS = {
    "challenge": _challenge,
    "bid_order": _bid_order,
    "raise_legal": _raise_legal,
    "next_round": _next_round,
    "lift": _lift,
    "binom_at_least": lambda r: {"n": r.whole("n", 0, MOST_TOTAL), "k": r.whole("k", 0, MOST_TOTAL), "p": r.chance()},
    "largest_even_money_bid": _many,
    "conditional_tail": _holder,
    "endgame_1v1": lambda r: {"palifico": r.flag("palifico")},
    "endgame_round": _round,
    "match_value": _match_value,
    "markov_policy": _scripted,
    "expected_cups_lifted": lambda r: {
        "n": r.whole("n", 2, MOST_PLAYERS),
        "d": r.whole("d", 1, MOST_DICE),
        "q": r.whole("q", 1, MOST_TOTAL),
        "p": r.chance(),
    },
}
