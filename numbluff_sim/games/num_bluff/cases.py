"""Rounds written down: cards on the table, bluffer, pot and rulings, read and checked before anything is resolved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from numbluff_sim.errors import CaseError, nearest_name, one_of, shown_value
from numbluff_sim.games.num_bluff.config import NumBluffConfig
from numbluff_sim.games.num_bluff.rules_section import REMOVABLE_RULES, RULING_VALUES, Rules
from numbluff_sim.games.num_bluff.transcript import card_name

#: Keys of a case; `expect` is what a case file holds against the outcome, and is no part of the round.
KEYS = ("id", "rules", "bluffer", "visible", "hidden", "pot", "expect")
FEWEST, MOST = 3, 6


@dataclass(frozen=True)
class Case:
    """A checked round. `visible`, `hidden`, `pot` hold card ids; seats 0 .. players - 1."""

    id: Any
    rules: Rules
    bluffer: int
    visible: tuple[int, ...]
    hidden: tuple[tuple[int, ...], ...]
    pot: tuple[int, ...]

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.visible)


def refused(where: str, problem: str, expected: str, nearest: str | None = None) -> CaseError:
    """The error for one thing wrong with a case."""
    return CaseError(f"{where}{problem}; expected {expected}." + (f' Did you mean "{nearest}"?' if nearest else ""))


def read_cases(data: Mapping[str, Any], config: NumBluffConfig, file: str) -> list[Case]:
    """The cases of {"rounds": [...]}. Raises CaseError, which names file, round, key, value, what is expected and
    the nearest name.
    """
    for key in data:
        if key not in ("game", "rounds"):
            raise refused(
                f"{file}: ",
                f'"{key}" is not a key',
                'the keys "rounds" and, if you like, "game"',
                nearest_name(key, ("game", "rounds")),
            )
    rounds = data.get("rounds")
    if not isinstance(rounds, list):
        problem = f"rounds = {shown_value(rounds)} is no list" if "rounds" in data else 'there is no key "rounds"'
        raise refused(f"{file}: ", problem, "a list of rounds")
    return [CaseReader(config, file, _title(index, case)).read(case, index) for index, case in enumerate(rounds)]


def _title(index: int, case: Any) -> str:
    name = case.get("id") if isinstance(case, dict) else None
    return f"rounds[{index}]" + (f" ({shown_value(name)})" if name is not None else "")


class CaseReader:
    """Reads one case. Errors begin with `file` and `title`, unless `places` says where in the file a key was typed."""

    def __init__(self, config: NumBluffConfig, file: str, title: str, places: Mapping[str, str] | None = None) -> None:
        self.config, self.file, self.title, self.places = config, file, title, places or {}
        self._left: defaultdict[str, list[int]] = defaultdict(
            list
        )  # ids of each card that still lie in the box, lowest last
        for card_id, (family, value) in reversed(list(enumerate(config.deck.cards))):
            self._left[card_name(family.name, value)].append(card_id)
        self._used: defaultdict[str, list[str]] = defaultdict(list)

    def read(self, case: Any, index: int) -> Case:
        """The checked case; without an `id` its position is its id."""
        if not isinstance(case, dict):
            raise self._refused(
                f"{shown_value(case)} is no round", "an object with visible, hidden, bluffer, pot and rules"
            )
        for key in case:
            if key not in KEYS:
                raise self._refused(f'"{key}" is not a key', one_of(KEYS[:-1]), nearest_name(key, KEYS[:-1]))
        rules = self._rules(case.get("rules", {}))
        visible, hidden = self._list(case, "visible"), self._list(case, "hidden")
        if not FEWEST <= len(visible) <= MOST:
            raise self._refused(f"visible has {len(visible)} cards", f"{FEWEST} to {MOST}, one a seat")
        if len(hidden) != len(visible):
            raise self._refused(
                f"hidden has {len(hidden)} sides for {len(visible)} seats",
                "one list of cards a seat, [] for a seat that hides nothing",
            )
        bluffer = case.get("bluffer")
        if isinstance(bluffer, bool) or not isinstance(bluffer, int) or not 0 <= bluffer < len(visible):
            problem = (
                f"bluffer = {shown_value(bluffer)} is no seat of this table"
                if "bluffer" in case
                else "the bluffer is missing"
            )
            raise self._refused(problem, f"a seat from 0 to {len(visible) - 1}")
        cards = tuple(self._card(name, f"visible[{seat}]") for seat, name in enumerate(visible))
        sides = tuple(self._side(side, seat, bluffer, rules) for seat, side in enumerate(hidden))
        pot = tuple(self._card(name, f"pot[{i}]") for i, name in enumerate(self._list(case, "pot", optional=True)))
        if pot and "pot" in rules.without:
            raise self._refused_in(
                "pot[0]",
                "pot holds cards, and there is none where rules.without names it",
                "no cards in the pot (rule 8)",
            )
        return Case(case.get("id", index), rules, bluffer, cards, sides, pot)

    def _refused(self, problem: str, expected: str, nearest: str | None = None) -> CaseError:
        return refused(f"{self.file}: {self.title}: ", problem, expected, nearest)

    def _refused_at(self, key: str, problem: str, expected: str, nearest: str | None = None) -> CaseError:
        place = f"{self.places[key]}: " if key in self.places else f"{self.title}: {key} = "
        return refused(f"{self.file}: {place}", problem, expected, nearest)

    def _refused_in(self, key: str, problem: str, expected: str, nearest: str | None = None) -> CaseError:
        """As `_refused`, but where `key` was typed, if it was."""
        return refused(f"{self.file}: {self.places.get(key, self.title)}: ", problem, expected, nearest)

    def _list(self, case: Mapping[str, Any], key: str, *, optional: bool = False) -> list[Any]:
        if key not in case and optional:
            return []
        found = case.get(key)
        if not isinstance(found, list):
            raise self._refused(
                f"{key} = {shown_value(found)} is no list" if key in case else f"{key} is missing",
                "a list, one entry a seat" if not optional else "a list of cards",
            )
        return found

    def _rules(self, given: Any) -> Rules:
        if not isinstance(given, dict):
            raise self._refused(
                f"rules = {shown_value(given)} is no table of rulings", 'an object such as {"wild_adjusts": "both"}'
            )
        for name in given:
            if name not in Rules.model_fields:
                raise self._refused_in(
                    f"rules.{name}",
                    f"rules.{name} is not a ruling",
                    one_of(Rules.model_fields),
                    nearest_name(name, Rules.model_fields),
                )
        whole = {**self.config.rules.model_dump(), **given}
        try:
            rules = Rules.model_validate(whole)
        except ValidationError as error:
            name = str(error.errors()[0]["loc"][0])
            if name == "without":
                wrong = error.errors()[0]["input"]
                raise self._refused_in(
                    "rules.without",
                    f"rules.without = {shown_value(whole[name])} names what is no rule to take out",
                    f"a list of rules: {one_of(REMOVABLE_RULES)}",
                    nearest_name(wrong, REMOVABLE_RULES),
                ) from None
            raise self._refused_in(
                f"rules.{name}",
                f"rules.{name} = {shown_value(whole[name])} is no answer to this ruling",
                one_of(RULING_VALUES[name]),
                nearest_name(whole[name], RULING_VALUES[name]),
            ) from None
        if rules.last_tie == "random":
            raise self._refused_in(
                "rules.last_tie",
                'rules.last_tie = "random" leaves the outcome to chance, and this is a calculator',
                '"clockwise"',
            )
        return rules

    def _side(self, side: Any, seat: int, bluffer: int, rules: Rules) -> tuple[int, ...]:
        key = f"hidden[{seat}]"
        if not isinstance(side, list) or len(side) > 2:
            raise self._refused_at(
                key,
                f"{shown_value(side)} is no hidden side",
                "a list of one card, of two of one family (a fusion, T2) or of none (T7)",
            )
        cards = tuple(self._card(name, key) for name in side)
        families = [str(name).rpartition("-")[0] for name in side]
        if len(set(families)) > 1:
            raise self._refused_at(
                key, f"{shown_value(side)} fuses {families[0]} and {families[1]}", "two cards of one family (T2)"
            )
        if len(side) == 2 and "fusion" in rules.without:
            raise self._refused_at(
                key, f"{shown_value(side)} is a fusion, and rules.without names fusions (T2)", "a single card"
            )
        if len(side) == 2 and seat == bluffer and not rules.bluffer_may_fuse:
            raise self._refused_at(
                key,
                f"{shown_value(side)} is a fusion of the bluffer, and rules.bluffer_may_fuse is false (T9)",
                "a single card",
            )
        return cards

    def _card(self, name: Any, key: str) -> int:
        if not isinstance(name, str) or name not in self._left:
            raise self._refused_at(
                key, f"{shown_value(name)} is no card of the deck", self._spelled(name), self._nearest(name)
            )
        if not self._left[name]:
            copies = len(self._used[name])
            there = ", ".join(self.places.get(k, k) for k in (*self._used[name], key))
            raise self._refused_at(
                key, f'"{name}" is laid once too often: {there}', f"at most {copies} in a round, as in the deck"
            )
        self._used[name].append(key)
        return self._left[name].pop()

    def _spelled(self, name: Any) -> str:
        family = str(name).rpartition("-")[0]
        for known in self.config.deck.families:
            if known.name == family:
                gone = "".join(f", without {card_name(family, value)}" for value in known.without)
                return f"{family}-{known.values[0]} to {family}-{known.values[1]}{gone}"
        families = self.config.deck.families
        return (
            f"family-value such as {card_name(families[0].name, families[0].faces[0])}; families: "
            f"{', '.join(f.name for f in families)}"
        )

    def _nearest(self, name: Any) -> str | None:
        names: Sequence[str] = list(self._left)
        family, dash, value = str(name).lower().strip().replace("_", "-").replace(" ", "-").rpartition("-")
        near = nearest_name(family, [f.name for f in self.config.deck.families]) if dash else None
        if near and value.isdecimal():
            faces = next(f.faces for f in self.config.deck.families if f.name == near)
            return card_name(near, min(faces, key=lambda face: abs(face - int(value))))
        return nearest_name(name, [n for n in names if not near or n.startswith(f"{near}-")])
