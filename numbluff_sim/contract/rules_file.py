"""Reads a game's `rules.toml` into a `RuleBook`. Whoever writes a game reads these errors: each names file, key, value,
what is expected and the nearest valid name.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from importlib.resources.abc import Traversable
from typing import NoReturn

from numbluff_sim.contract.rules import Answer, Clause, Event, Removable, RuleBook, Ruling
from numbluff_sim.errors import ConfigError, nearest_name, one_of, shown_value
from numbluff_sim.i18n import Bilingual
from numbluff_sim.i18n.catalogue import french_spacing

STATUSES = ("stated", "base", "reading", "ruling", "consequence")
TABLES = ("clauses", "events", "rulings", "removables")
#: Names of events, rulings and removable rules: keys of a configuration.
NAME, CODE = re.compile(r"[a-z][a-z0-9_]*"), re.compile(r"[A-Z][A-Z0-9_]*")


def read_rules(place: Traversable) -> RuleBook:
    """The book of a file. Raises ConfigError for one that is missing or malformed."""
    file = str(place)
    try:
        text = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(
            "the game has no such file", file=file, expected="its rules as numbluff_sim/contract/rules.py describes"
        ) from None
    return parse_rules(text, file)


def parse_rules(text: str, file: str) -> RuleBook:
    """The book that a text of TOML declares; errors name it `file`. Raises ConfigError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"this is not TOML ({error})", file=file) from None
    for name in data:
        if name not in TABLES:
            raise ConfigError(
                f"unknown table {name}",
                file=file,
                key=name,
                value=data[name],
                expected=one_of(TABLES),
                nearest=nearest_name(name, TABLES),
            )
    clauses = tuple(map(_clause, _entries(data, "clauses", file, None)))
    known = [clause.name for clause in clauses]
    names = list(data.get("events", ()))
    book = RuleBook(
        clauses,
        tuple(_event(entry, known, names) for entry in _entries(data, "events", file)),
        tuple(_ruling(entry, known) for entry in _entries(data, "rulings", file)),
        tuple(_removable(entry, known) for entry in _entries(data, "removables", file)),
    )
    _check_codes(book, file)
    return book


class _Entry:
    """One table of the file: what it must hold is taken out of it, and `done` refuses what is left."""

    def __init__(self, file: str, key: str, name: str, table: object) -> None:
        self.file, self.key, self.name = file, key, name
        if not isinstance(table, Mapping):
            self.refuse("", table, "a table")
        self.table, self.asked = table, list[str]()

    def refuse(self, name: str, value: object, expected: str, known: Iterable[object] = ()) -> NoReturn:
        """A value that cannot be used, or a missing one (None)."""
        key = ".".join(filter(None, (self.key, name)))
        raise ConfigError(
            f"key {key} is missing" if value is None else f"{key} = {shown_value(value)} cannot be used",
            file=self.file,
            key=key,
            value=value,
            expected=expected,
            nearest=nearest_name(value, known),
        )

    def take(self, name: str) -> object:
        """The value of a key, None where there is none."""
        self.asked.append(name)
        return self.table.get(name)

    def text(self, name: str) -> str:
        """A text that is not empty."""
        value = self.take(name)
        if not isinstance(value, str) or not value.strip():
            self.refuse(name, value, "a text")
        return value

    def one_of(self, name: str, known: Collection[str]) -> str:
        """One of the known names."""
        value = self.take(name)
        if value not in known:
            self.refuse(name, value, one_of(known), known)
        return str(value)

    def some_of(self, name: str, known: Collection[str]) -> tuple[str, ...]:
        """A list of known names, at least one."""
        values = self.take(name)
        if not isinstance(values, list) or not values:
            self.refuse(name, values, f"a list of names, each {one_of(known)}")
        for value in values:
            if value not in known:
                self.refuse(name, value, f"names, each {one_of(known)}", known)
        return tuple(values)

    def words(self, name: str) -> Bilingual:
        """A text in both languages, French typeset."""
        inner = _Entry(self.file, f"{self.key}.{name}", name, self.take(name) or {})
        found = Bilingual(inner.text("en"), french_spacing(inner.text("fr")))
        inner.done()
        return found

    def code(self) -> str:
        """The name in the kernels, "" for none."""
        value = self.take("code")
        if value is None:
            return ""
        if not isinstance(value, str) or not CODE.fullmatch(value):
            self.refuse("code", value, "a name of capital letters, digits and _")
        return value

    def done(self) -> None:
        """Refuses keys that nothing has asked for."""
        for name in self.table:
            if name not in self.asked:
                raise ConfigError(
                    f"unknown key {self.key}.{name} (value {shown_value(self.table[name])})",
                    file=self.file,
                    key=f"{self.key}.{name}",
                    value=self.table[name],
                    expected=one_of(self.asked),
                    nearest=nearest_name(name, self.asked),
                )


def _entries(
    data: Mapping[str, object], kind: str, file: str, pattern: re.Pattern[str] | None = NAME
) -> Iterable[_Entry]:
    """The entries of a table by name; `pattern`: what their names must look like, if anything."""
    for name, table in _Entry(file, "", kind, data.get(kind, {})).table.items():
        if pattern and not pattern.fullmatch(name):
            raise ConfigError(
                f"{kind}.{name} cannot be a name",
                file=file,
                key=f"{kind}.{name}",
                value=name,
                expected="small letters, digits and _",
            )
        yield _Entry(file, f"{kind}.{name}", name, table)


def _clause(entry: _Entry) -> Clause:
    found = Clause(entry.name, entry.text("section"), entry.one_of("status", STATUSES), entry.text("meaning"))
    entry.done()
    return found


def _event(entry: _Entry, clauses: Collection[str], names: Collection[str]) -> Event:
    of = entry.some_of("of", names) if "of" in entry.table else ()
    found = Event(
        entry.name,
        entry.some_of("clauses", clauses),
        entry.text("metric"),
        entry.words("title"),
        of,
        "" if of else entry.code(),
    )
    entry.done()
    return found


def _ruling(entry: _Entry, clauses: Collection[str]) -> Ruling:
    tables = entry.take("answers")
    if not isinstance(tables, list) or len(tables) < 2:
        entry.refuse("answers", tables, f"at least two tables [[{entry.key}.answers]]")
    answers = tuple(
        _answer(_Entry(entry.file, f"{entry.key}.answers.{i}", "", table)) for i, table in enumerate(tables)
    )
    values = [answer.value for answer in answers]
    if True in values or False in values:  # a boolean's code is 0 or 1
        if values != [False, True]:
            entry.refuse("answers", values, "the values false and true, in this order, or texts")
    elif repeated := [value for value, count in Counter(values).items() if count > 1]:
        entry.refuse("answers", repeated[0], "every value once")
    default = entry.take("default")
    if not isinstance(default, bool | str) or default not in values:
        entry.refuse("default", default, one_of(values), values)
    found = Ruling(
        entry.name,
        entry.one_of("clause", clauses),
        entry.words("subject"),
        entry.words("question"),
        answers,
        default,
        entry.code(),
    )
    entry.done()
    return found


def _answer(entry: _Entry) -> Answer:
    value = entry.take("value")
    if not isinstance(value, bool) and not (isinstance(value, str) and NAME.fullmatch(value)):
        entry.refuse("value", value, "true, false or a text of small letters, digits and _")
    found = Answer(value, entry.words("meaning"), entry.words("label"), entry.code())
    entry.done()
    return found


def _removable(entry: _Entry, clauses: Collection[str]) -> Removable:
    found = Removable(
        entry.name, entry.one_of("clause", clauses), entry.words("label"), entry.words("meaning"), entry.code()
    )
    entry.done()
    return found


def _check_codes(book: RuleBook, file: str) -> None:
    """A code is a place in a list: all of a list have one or none, removable rules those at the front; none twice."""
    single = [event for event in book.events if not event.of]
    if single != list(book.events[: len(single)]):
        _refuse_codes(file, "events", "those with `of` behind all others")
    for key, codes in (
        ("events", [event.code for event in single]),
        ("rulings", [ruling.code for ruling in book.rulings]),
        *((f"rulings.{one.name}.answers", [answer.code for answer in one.answers]) for one in book.rulings),
    ):
        if any(codes) and not all(codes):
            _refuse_codes(file, key, f"a code for each or for none (entry {codes.index('') + 1} has none)")
    removed = [rule.code for rule in book.removables]
    if removed != sorted(removed, key=lambda code: not code):
        _refuse_codes(file, "removables", "those with a code before those without")
    every = [
        *(event.code for event in single),
        *(ruling.code for ruling in book.rulings),
        *(answer.code for ruling in book.rulings for answer in ruling.answers),
        *removed,
    ]
    for code, count in Counter(filter(None, every)).items():
        if count > 1:
            _refuse_codes(file, f'code = "{code}"', f"every code once, not {count} times")


def _refuse_codes(file: str, key: str, expected: str) -> NoReturn:
    raise ConfigError(f"{key} cannot be numbered", file=file, key=key, expected=expected)
