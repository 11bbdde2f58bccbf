"""What is generated from a game's `rules.toml` as code: the section `rules` of its configuration, and the codes that
its kernels name.

`make docs` writes those of the games of this tree. Anybody else's: `python -m numbluff_sim.contract.rule_sources
PACKAGE` writes `rules_section.py` into the package, and `rule_codes.py` where its rules name codes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import as_file, files
from pathlib import Path

from numbluff_sim.contract.rules import RuleBook, Ruling, Value, rule_book

#: Lines to this many letters, as the formatter has them.
WIDTH = 120
SECTION, CODES = "rules_section.py", "rule_codes.py"


def section_source(title: str, origin: str, book: RuleBook) -> str:
    """`rules_section.py`: the pydantic section with a field a ruling, and names in code order. `title`: the game's;
    `origin`: the
    file that the book is from, and what generates from it.
    """
    helpers = "Section, in_order, one_or_many" if book.removables else "Section"
    pydantic = ["from pydantic import Field, field_validator", ""] if book.removables else []
    typing = ["from typing import Literal", ""] if book.removables or _has_texts(book) else []
    lines = [
        f'"""The section `rules` of the configuration of {title}, and names of its events and rulings in code order.',
        *_generated(origin),
        "from __future__ import annotations",
        "",
        *typing,
        *pydantic,
        f"from numbluff_sim.config.model import {helpers}",
        "",
        *_names("EVENT_NAMES", "The events of a round.", (event.name for event in book.events if not event.of)),
        *_table(
            "EVENT_GROUPS: dict[str, tuple[str, ...]]",
            "Any of several events: name -> events.",
            [(event.name, event.of) for event in book.events if event.of],
        ),
        *_table("EVENT_METRICS: dict[str, str]", "The rates of all of them: event -> metric.", _metrics(book)),
        *_table(
            "RULING_VALUES: dict[str, tuple[str | bool, ...]]",
            "Rulings: name -> answers.",
            [(ruling.name, ruling.values) for ruling in book.rulings],
        ),
        *(_removables(book) if book.removables else []),
        "",
        "",
        "class Rules(Section):",
        *_docstring(book),
        "",
        *(line for ruling in book.rulings for line in _field(ruling)),
        *(WITHOUT if book.removables else []),
    ]
    return "\n".join(lines).rstrip() + "\n"


def codes_source(title: str, origin: str, book: RuleBook) -> str:
    """`rule_codes.py`: the integer codes that kernels name, in the order of the book. It holds no words, so that
    kernels are compiled anew only when a code changes.
    """
    events = [event.code for event in book.events if event.code]
    rulings = [ruling.code for ruling in book.rulings if ruling.code]
    removed = [rule.code for rule in book.removables if rule.code]
    lines = [f'"""Codes of the rules of {title}, as kernels name them.', *_generated(origin)]
    if events:
        lines += ["# Events of a round, rarest first.", *_numbered(events), f"EVENTS = {len(events)}", ""]
    if rulings:
        lines += ["# Rulings: index into the `rules` array.", *_numbered(rulings), f"RULINGS = {len(rulings)}", ""]
    if removed:
        fields = len(rulings) + len(removed)
        lines += ["# Behind the rulings: 1 where a rule is taken out (`rules.without`)."]
        lines += [*_numbered(removed, len(rulings)), f"RULE_FIELDS = {fields}", ""]
    lines += ["# Answers: what stands in the `rules` array (booleans: 0 false, 1 true)."]
    for ruling in book.rulings:
        codes = [answer.code for answer in ruling.answers if answer.code]
        lines += [f"# {ruling.name}", *_numbered(codes)] if codes else []
    return "\n".join(lines).rstrip() + "\n"


def has_codes(book: RuleBook) -> bool:
    """Whether kernels name anything of a book."""
    return any(ruling.code for ruling in book.rulings) or any(event.code for event in book.events)


#: The rules taken out, as a field of the section: left out of what is written where there are none, so that such a
#: configuration and its digest are as if there were no such key.
WITHOUT = (
    "    without: tuple[Removable, ...] = Field((), strict=False, exclude_if=lambda names: not names)",
    "",
    '    _one = field_validator("without", mode="before")(one_or_many)',
    '    _in_order = field_validator("without")(in_order(REMOVABLE_RULES))',
)


def _has_texts(book: RuleBook) -> bool:
    return any(not isinstance(ruling.default, bool) for ruling in book.rulings)


def _generated(origin: str) -> Iterator[str]:
    yield from ("", f"Generated from {origin}; edit that instead.", '"""', "")


def _docstring(book: RuleBook) -> list[str]:
    what = "The rulings, and the rules taken out" if book.removables else "The rulings"
    return [f'    """{what}; `rules.toml` says what each asks and what each answer means."""']


def _numbered(codes: Iterable[str], first: int = 0) -> list[str]:
    return [f"{code} = {number}" for number, code in enumerate(codes, first)]


def _names(name: str, meaning: str, names: Iterable[str]) -> list[str]:
    return [f"#: {meaning}", f"{name} = {_listed(names, name)}"]


def _metrics(book: RuleBook) -> list[tuple[str, str]]:
    return [(event.name, event.metric) for event in book.events]


def _table(name: str, meaning: str, rows: Sequence[tuple[str, Value | tuple[Value, ...]]]) -> list[str]:
    inside = [f"    {_text(key)}: {_row(row) if isinstance(row, tuple) else _text(row)}," for key, row in rows]
    return [f"#: {meaning}", *([f"{name} = {{", *inside, "}"] if rows else [f"{name} = {{}}"])]


def _removables(book: RuleBook) -> list[str]:
    names = [rule.name for rule in book.removables]
    return [
        *_names("REMOVABLE_RULES", "Rules that a configuration may take out.", names),
        f"Removable = Literal{_listed(names, 'Removable = Literal', '[', ']')}",
    ]


def _listed(names: Iterable[str], before: str, opening: str = "(", closing: str = ")") -> str:
    """A list in one line where it fits, else a line an entry."""
    texts = list(map(_text, names))
    short = opening + ", ".join(texts) + ("," if len(texts) == 1 and opening == "(" else "") + closing
    if len(before) + len(" = ") + len(short) <= WIDTH:
        return short
    return "\n".join([opening, *(f"    {text}," for text in texts), closing])


def _field(ruling: Ruling) -> Iterator[str]:
    default = _text(ruling.default)
    if isinstance(ruling.default, bool):
        yield f"    {ruling.name}: bool = {default}"
        return
    kinds = [f'"{value}"' for value in ruling.values]
    line = f"    {ruling.name}: Literal[{', '.join(kinds)}] = {default}"
    if len(line) <= WIDTH:
        yield line
    else:
        yield from (f"    {ruling.name}: Literal[", *(f"        {kind}," for kind in kinds), f"    ] = {default}")


def _row(values: tuple[Value, ...]) -> str:
    return "(" + ", ".join(map(_text, values)) + ("," if len(values) == 1 else "") + ")"


def _text(value: Value) -> str:
    return str(value) if isinstance(value, bool) else f'"{value}"'


def main(package: str) -> None:
    """Writes what is generated into the folder of a game's package."""
    book = rule_book(package)
    with as_file(files(package)) as folder:
        sources = {SECTION: section_source} | ({CODES: codes_source} if has_codes(book) else {})
        for name, source in sources.items():
            Path(folder, name).write_text(
                source(package, f"rules.toml by `python -m {__spec__.name} {package}`", book), encoding="utf-8"
            )


if __name__ == "__main__":
    main(sys.argv[1])
