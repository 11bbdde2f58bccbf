"""What every game's registries of rules hold: clauses, rulings, rules that may be taken out. Knows no game."""

from __future__ import annotations

from dataclasses import dataclass

from numbluff_sim.contract.changes import Text

Answer = str | bool


@dataclass(frozen=True)
class Clause:
    """One rule by its identifier, as this program plays it. `section` is a heading of docs/RULES.md.

    `status`: "stated" - the rulebook says so; "base" - a rulebook that it points to does; "reading" - what its text
    must mean to work; "ruling" - it is silent or says two things, and a configuration chooses; "consequence" - follows
    from others.
    """

    name: str
    section: str
    status: str
    meaning: str


@dataclass(frozen=True)
class Ruling:
    """A question that the rulebook leaves open, what each answer to it means, and the answers in the order of the
    kernels' codes.

    `clause`: the rule's identifier in docs/RULES.md; `default`: the answer of a configuration that says nothing.
    """

    name: str
    clause: str
    question: Text
    meanings: tuple[Text, ...]
    alternatives: tuple[Answer, ...]
    default: Answer


@dataclass(frozen=True)
class Removable:
    """A rule that `rules.without` may name: what a game without it is called, and what it is."""

    name: str
    clause: str
    label: Text
    meaning: Text


@dataclass(frozen=True)
class RuleBook:
    """A game's rules: every clause, the rulings in the order of the configuration, what may be taken out."""

    clauses: tuple[Clause, ...]
    rulings: tuple[Ruling, ...] = ()
    removables: tuple[Removable, ...] = ()
