"""The rules of a game as its `rules.toml` declares them: clauses, events, rulings, rules that may be taken out.

The file stands in the game's package. Its tables, in this order, each entry named by its key:

`[clauses.T8]`: section, status, meaning (English).
`[events.epargne]`: clauses, metric, title.en, title.fr; code, or `of` for any of several events.
`[rulings.tie_value]`: clause, default, question.en, question.fr; code; and a table `[[rulings.tie_value.answers]]` for
    each answer: value (a text or a boolean), meaning.en, meaning.fr, label.en, label.fr; code.
`[removables.pot]`: clause, label.en, label.fr, meaning.en, meaning.fr; code.

A `code` is the name that kernels give to the entry; its number is the entry's place. A game without kernels of its own
leaves codes out. `contract.rule_sources` writes what is generated from a book.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from numbluff_sim.i18n import Bilingual

#: The file that declares a game's rules, in its package.
RULES_FILE = "rules.toml"
#: What an answer is in a configuration.
Value = str | bool


@dataclass(frozen=True)
class Clause:
    """One rule by its identifier, as this program plays it.

    `section`: a heading of the game's RULES.md. `status`: "stated" - the rulebook says so; "base" - a rulebook that it
    points to does; "reading" - what its text must mean to work; "ruling" - it is silent or says two things, and a
    configuration chooses; "consequence" - follows from others.
    """

    name: str
    section: str
    status: str
    meaning: str


@dataclass(frozen=True)
class Event:
    """What can happen in a round.

    `clauses`: the rules that make it; `metric`: the metric that is its rate; `of`: the events of which it is any (empty
    for one of its own); `code`: its name in the kernels, whose number is its place, or "".
    """

    name: str
    clauses: tuple[str, ...]
    metric: str
    title: Bilingual
    of: tuple[str, ...]
    code: str


@dataclass(frozen=True)
class Answer:
    """An answer to a ruling: `value` in a configuration, `meaning` in a sentence, `label` in a few words, `code` in the
    kernels (or "").
    """

    value: Value
    meaning: Bilingual
    label: Bilingual
    code: str


@dataclass(frozen=True)
class Ruling:
    """A question that the rulebook leaves open, with its answers in the order of the kernels' codes.

    `clause`: the rule that leaves it open; `subject`: what the question is about, in a few words; `default`: the answer
    of a configuration that says nothing; `code`: its name in the kernels, or "".
    """

    name: str
    clause: str
    subject: Bilingual
    question: Bilingual
    answers: tuple[Answer, ...]
    default: Value
    code: str

    @property
    def values(self) -> tuple[Value, ...]:
        """What a configuration may say, in the order of the kernels' codes."""
        return tuple(answer.value for answer in self.answers)

    def answer(self, value: Value) -> Answer:
        """The answer with a value. KeyError for one that is none."""
        return {answer.value: answer for answer in self.answers}[value]


@dataclass(frozen=True)
class Removable:
    """A rule that `rules.without` may name: what a game without it is called, what it is, and its name in the kernels
    (or "").
    """

    name: str
    clause: str
    label: Bilingual
    meaning: Bilingual
    code: str


@dataclass(frozen=True)
class RuleBook:
    """All rules of a game, each kind in the order of the file."""

    clauses: tuple[Clause, ...]
    events: tuple[Event, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    removables: tuple[Removable, ...] = ()

    def clause(self, name: str) -> Clause:
        """The clause of that identifier. KeyError for none."""
        return {one.name: one for one in self.clauses}[name]

    def event(self, name: str) -> Event:
        """The event of that name. KeyError for none."""
        return {one.name: one for one in self.events}[name]

    def ruling(self, name: str) -> Ruling:
        """The ruling of that name. KeyError for none."""
        return {one.name: one for one in self.rulings}[name]

    def removable(self, name: str) -> Removable:
        """The rule of that name that can be taken out. KeyError for none."""
        return {one.name: one for one in self.removables}[name]

    def subject(self, key: str) -> Bilingual | None:
        """What a dotted key of a configuration is about; None where it is no ruling's."""
        return {f"rules.{one.name}": one.subject for one in self.rulings}.get(key)

    def setting(self, key: str, value: object) -> Bilingual | None:
        """A dotted key of a configuration with its value in words: an answer to a ruling, or the rules taken out. None
        for any other key.
        """
        if key == "rules.without" and isinstance(value, list | tuple) and value:
            out = [one.label for one in self.removables if one.name in value]
            return Bilingual(*(", ".join(label.in_language(language) for label in out) for language in ("en", "fr")))
        answers = {f"rules.{one.name}": one.answers for one in self.rulings}.get(key, ())
        return next((answer.label for answer in answers if answer.value == value), None)

    def event_titles(self, language: str) -> dict[str, str]:
        """What every event is called in "en" or "fr", by its name."""
        return {event.name: event.title.in_language(language) for event in self.events}


@cache
def rule_book(package: str) -> RuleBook:
    """The rules of the game whose package has that name, such as "numbluff_sim.games.num_bluff". Raises ConfigError
    for a file that is missing or malformed.
    """
    from numbluff_sim.contract.rules_file import read_rules

    return read_rules(files(package) / RULES_FILE)
