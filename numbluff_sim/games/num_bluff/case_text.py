"""Rounds typed as plain text, for `numbluff resolve`.

    # a comment; statements end at a line's end, at ";" or at " / "
    round "the shadow"                     (optional name; begins a new round, as does a blank line or ---)
    bluffer 1                              (a seat, counted from 1)
    rouge-7 + vert-3                       (the next seat: visible + hidden)
    seat 2: bleu-4 + bleu-9 + bleu-2       (a fusion; the seat may be named)
    jaune-5 + nothing                      (no card to hide, T7)
    pot: jaune-3, shadow-2
    rules: wild_adjusts = both, tie_value = signed, without = epargne + pot

French words do as well: bluffeur, place, rien, cagnotte, règles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from numbluff_sim.games.num_bluff.cases import FEWEST, MOST, Case, CaseReader, refused
from numbluff_sim.games.num_bluff.config import NumBluffConfig

WORDS = {
    "round": r"(?:round|manche)\b\s*:?\s*(?P<name>.*)",
    "rules": r"(?:rules?|r[eè]gles?)\b\s*:?\s*(?P<pairs>.*)",
    "pot": r"(?:pot|cagnotte)\b\s*:?\s*(?P<cards>.*)",
    "bluffer": r"(?:bluffer|bluffeur)\b\s*:?\s*(?:(?:seat|place)\s*)?(?P<seat>\d+)",
    "bluffing": r"(?:bluffer|bluffeur)\b\s*:?\s*(?P<side>\D.*)",
    "seat": r"(?:(?:seat|place)\s*(?P<seat>\d+)\s*:?\s*)?(?P<side>.*)",
}
PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in WORDS.items()}
NOTHING = {"", "-", "nothing", "none", "rien"}
STATEMENTS = "bluffer 1; a seat such as rouge-7 + vert-3; pot: jaune-3, bleu-2; rules: wild_adjusts = both; round NAME"


def read_text(text: str, config: NumBluffConfig, file: str) -> list[Case]:
    """The rounds of a plain text. Raises CaseError, which names file and line."""
    return [draft.case(config, file, index) for index, draft in enumerate(_drafts(text, file))]


def _drafts(text: str, file: str) -> Iterator[Draft]:
    draft = Draft()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if draft.seats and (not line or re.fullmatch(r"-{3,}", line)):
            yield draft
            draft = Draft()
        if re.fullmatch(r"-*", line):
            continue
        for statement in filter(None, map(str.strip, re.split(r";|\s/\s", line))):
            if draft.seats and PATTERNS["round"].fullmatch(statement):
                yield draft
                draft = Draft()
            draft.add(statement, file, f"line {number}")
    if draft.seats or draft.case_data:
        yield draft


@dataclass
class Draft:
    """A round as far as it has been read. `places` says for each key of the case where it was typed."""

    case_data: dict[str, Any] = field(default_factory=dict)
    seats: dict[int, tuple[str, list[str]]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    first_line: str = ""

    def add(self, statement: str, file: str, line: str) -> None:
        """Reads one statement of a line of the file."""
        self.first_line = self.first_line or line
        where = f"{file}: {line}: "
        kind, match = next(
            (kind, match) for kind, pattern in PATTERNS.items() if (match := pattern.fullmatch(statement))
        )
        if kind == "round":
            self._once("id", match["name"].strip().strip('"«» '), where)
        elif kind == "rules":
            self._rules(match["pairs"], where, line)
        elif kind == "pot":
            self._once("pot", [card(name) for name in match["cards"].split(",") if card(name) not in NOTHING], where)
            self.places.update({f"pot[{i}]": f"{line}, pot" for i in range(len(self.case_data["pot"]))})
        elif kind == "bluffer":
            self._once("bluffer", int(match["seat"]) - 1, where)
            self.places["bluffer"] = line
        else:
            self._seat(kind, match, statement, where)
            seat = list(self.seats)[-1]
            self.places[f"visible[{seat}]"], self.places[f"hidden[{seat}]"] = (
                f"{line}, seat {seat + 1}, visible",
                f"{line}, seat {seat + 1}, hidden",
            )

    def _once(self, key: str, value: Any, where: str) -> None:
        if key in self.case_data:
            raise refused(where, f"this round has a second {key}", "each once; a blank line begins the next round")
        self.case_data[key] = value

    def _rules(self, pairs: str, where: str, line: str) -> None:
        rules = self.case_data.setdefault("rules", {})
        for pair in filter(None, map(str.strip, pairs.split(","))):
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not equals:
                raise refused(where, f'"{pair}" is no ruling', "name = answer, such as wild_adjusts = both")
            self.places[f"rules.{name}"] = line
            rules[name] = {"true": True, "false": False}.get(value.lower(), value.strip('"'))
            if name == "without":
                rules[name] = [rule for rule in map(str.strip, value.split("+")) if rule]

    def _seat(self, kind: str, match: re.Match[str], statement: str, where: str) -> None:
        named = int(match["seat"]) - 1 if kind == "seat" and match["seat"] else None
        seat = next(p for p in range(MOST + len(self.seats) + 1) if p not in self.seats) if named is None else named
        shown, *side = map(card, match["side"].split("+"))
        if not side and not re.search(r"\d", shown):
            raise refused(where, f'"{statement}" is no statement', f"one of: {STATEMENTS}")
        if seat in self.seats:
            raise refused(
                where, f"seat {seat + 1} is there already", "each seat once; a blank line begins the next round"
            )
        if kind == "bluffing":
            self._once("bluffer", seat, where)
        self.seats[seat] = shown, [name for name in side if name not in NOTHING]

    def case(self, config: NumBluffConfig, file: str, index: int) -> Case:
        """The checked case."""
        players, where = len(self.seats), f"{file}: {self.first_line}: "
        if not FEWEST <= players <= MOST or set(self.seats) != set(range(players)):
            numbers = ", ".join(str(p + 1) for p in sorted(self.seats)) or "none"
            raise refused(
                where, f"this round has the seats {numbers}", f"{FEWEST} to {MOST} seats, numbered from 1 without a gap"
            )
        if self.case_data.get("bluffer") not in self.seats:
            given = self.case_data.get("bluffer")
            problem = (
                "no seat is said to be the bluffer"
                if given is None
                else f"bluffer {given + 1} is no seat of this table"
            )
            raise refused(
                f"{file}: {self.places.get('bluffer', self.first_line)}: ",
                problem,
                f'"bluffer 1" to "bluffer {players}"',
            )
        seats = [self.seats[p] for p in range(players)]
        data = {
            "id": str(index + 1),
            **self.case_data,
            "visible": [shown for shown, _ in seats],
            "hidden": [side for _, side in seats],
        }
        return CaseReader(config, file, self.first_line, self.places).read(data, index)


def card(text: str) -> str:
    """A card as the deck writes it, from what was typed: "Rouge 7" is rouge-7."""
    return re.sub(r"\s+", "-", text.strip().lower())
