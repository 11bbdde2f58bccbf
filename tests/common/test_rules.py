"""The rules of every game are declared once: what is generated says the same, and a malformed file is refused with its
place.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from numbluff_sim.contract.registry import game, shipped
from numbluff_sim.contract.rule_sources import codes_source, section_source
from numbluff_sim.contract.rules import RuleBook, rule_book
from numbluff_sim.contract.rules_file import parse_rules
from numbluff_sim.errors import ConfigError
from numbluff_sim.i18n import Bilingual

every_game = pytest.mark.parametrize("name", shipped())
#: The longest label of an answer that fits a row of a figure.
LONGEST_ANSWER = 48
#: A whole file of a small game: one clause, one ruling.
SMALL = """
[clauses.H1]
section = "Hands"
status = "ruling"
meaning = "Who wins with equal cards."

[rulings.tie]
clause = "H1"
default = "both"
subject.en = "equal cards"
subject.fr = "cartes égales"
question.en = "Who wins with equal cards?"
question.fr = "Qui gagne à cartes égales ?"
[[rulings.tie.answers]]
value = "nobody"
meaning.en = "Nobody."
meaning.fr = "Personne."
label.en = "ties win nothing"
label.fr = "l'égalité ne gagne rien"
[[rulings.tie.answers]]
value = "both"
meaning.en = "Both."
meaning.fr = "Les deux."
label.en = "ties win"
label.fr = "l'égalité gagne"
"""
REMOVABLES = """
[removables.pot]
clause = "H1"
label.en = "without the pot"
label.fr = "sans cagnotte"
meaning.en = "No pot."
meaning.fr = "Pas de cagnotte."
[removables.deal]
clause = "H1"
label.en = "without a deal"
label.fr = "sans donne"
meaning.en = "No deal."
meaning.fr = "Pas de donne."
"""


def book(text: str = SMALL) -> RuleBook:
    return parse_rules(text, "rules.toml")


def section_of(text: str) -> Any:
    """The generated section of a file, as Python."""
    names: dict[str, Any] = {"__name__": "generated"}
    exec(section_source("a game", "rules.toml", book(text)), names)  # the code is what is tested
    names["Rules"].model_rebuild(_types_namespace=names)
    return names["Rules"]


@every_game
def test_section__has_the_rulings_with_their_answers_and_defaults(name: str) -> None:
    module = importlib.import_module(f"numbluff_sim.games.{name}.rules_section")
    rulings = game(name).rules.rulings
    assert {ruling.name: ruling.values for ruling in rulings} == module.RULING_VALUES
    assert [*module.RULING_VALUES] == [key for key in module.Rules.model_fields if key != "without"]
    for ruling in rulings:
        field = module.Rules.model_fields[ruling.name]
        assert ruling.values == ((False, True) if field.annotation is bool else get_args(field.annotation))
        assert ruling.default == field.default
    own = [event.name for event in game(name).rules.events if not event.of]
    assert list(module.EVENT_NAMES) == own
    removable = [rule.name for rule in game(name).rules.removables]
    assert list(getattr(module, "REMOVABLE_RULES", ())) == removable
    assert list(get_args(getattr(module, "Removable", None))) == removable


@every_game
def test_codes__are_the_places_in_the_book(name: str) -> None:
    codes, rules = importlib.import_module(f"numbluff_sim.kernels.{name}.codes"), game(name).rules
    lists = [[one.code for one in rules.rulings], *([a.code for a in one.answers] for one in rules.rulings)]
    lists += [[event.code for event in rules.events if not event.of]]
    for place, code in ((place, code) for one in lists for place, code in enumerate(one) if code):
        assert getattr(codes, code) == place
    assert len(rules.rulings) == codes.RULINGS
    for place, rule in enumerate(rules.removables, codes.RULINGS):
        assert not rule.code or getattr(codes, rule.code) == place


@every_game
def test_words__sentences_and_labels_in_both_languages(name: str) -> None:
    rules = game(name).rules
    for ruling in rules.rulings:
        sentences = [ruling.question, *(answer.meaning for answer in ruling.answers)]
        texts = [text for one in sentences for text in (one.en, one.fr)]
        assert [text for text in texts if not text.endswith((".", "?"))] == []
        assert len(set(texts)) == len(texts)
    labels = [answer.label for ruling in rules.rulings for answer in ruling.answers]
    for language in ("en", "fr"):
        told = [label.in_language(language) for label in labels]
        assert len(set(told)) == len(told)
        assert max(map(len, told)) <= LONGEST_ANSWER
        assert len(set(rules.event_titles(language).values())) == len(rules.events)


def test_book__small_game() -> None:
    ruling = book().ruling("tie")
    assert (ruling.values, ruling.default, ruling.code) == (("nobody", "both"), "both", "")
    assert ruling.question == Bilingual("Who wins with equal cards?", "Qui gagne à cartes égales\u202f?")
    assert ruling.answer("both").label.in_language("fr") == "l'égalité gagne"
    assert book().clause("H1").status == "ruling"
    with pytest.raises(KeyError):
        ruling.answer("neither")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'status = "ruling"',
            'status = "rulling"',
            'clauses.H1.status = "rulling" cannot be used; expected one of "stated", "base", "reading", "ruling", ',
        ),
        (
            'clause = "H1"',
            'clause = "H2"',
            'rulings.tie.clause = "H2" cannot be used; expected "H1".',
        ),
        (
            'default = "both"',
            'default = "bot"',
            'rulings.tie.default = "bot" cannot be used; expected one of "nobody", "both". Did you mean "both"?',
        ),
        ('default = "both"\n', "", 'key rulings.tie.default is missing; expected one of "nobody", "both".'),
        ('label.fr = "l\'égalité gagne"', "", "key rulings.tie.answers.1.label.fr is missing; expected a text."),
        (
            'meaning.en = "Both."',
            'meaning.en = "Both."\nmeanin.de = "Beide."',
            "unknown key rulings.tie.answers.1.meanin (value a table); expected one of",
        ),
        (
            'value = "both"',
            "value = 2",
            "rulings.tie.answers.1.value = 2 cannot be used; expected true, false or a text",
        ),
        (
            'value = "both"',
            'value = "nobody"',
            'rulings.tie.answers = "nobody" cannot be used; expected every value once',
        ),
        ('value = "both"', "value = true", "expected the values false and true, in this order, or texts"),
        ("[rulings.tie]", "[rulings.Tie]", "rulings.Tie cannot be a name; expected small letters, digits and _"),
        (
            "[clauses.H1]",
            "[clause.H1]",
            'unknown table clause; expected one of "clauses", "events", "rulings", "removables"',
        ),
        (
            'value = "both"',
            'value = "both"\ncode = "BOTH"',
            "rulings.tie.answers cannot be numbered; expected a code for each",
        ),
        (
            'value = "both"',
            'value = "both"\ncode = "both"',
            'code = "both" cannot be used; expected a name of capital letters',
        ),
        ('meaning.en = "Both."', "meaning.en = Both", "this is not TOML"),
    ],
)
def test_malformed__refused_with_its_place(old: str, new: str, message: str) -> None:
    assert old in SMALL
    with pytest.raises(ConfigError) as refusal:
        book(SMALL.replace(old, new))
    assert message in str(refusal.value)
    assert str(refusal.value).startswith("rules.toml: ")


def test_missing__refused() -> None:
    with pytest.raises(ConfigError, match=r"i18n.*rules\.toml: the game has no such file"):
        rule_book("numbluff_sim.i18n")


def test_section__of_a_game_without_codes() -> None:
    rules = section_of(SMALL)
    assert rules().model_dump() == {"tie": "both"}
    with pytest.raises(ValidationError):
        rules(tie="neither")
    assert "BOTH" not in codes_source("a game", "rules.toml", book())


def test_section__rules_taken_out_in_the_order_of_the_file() -> None:
    rules = section_of(SMALL + REMOVABLES)
    assert rules(without="deal").without == ("deal",)
    assert rules(without=["deal", "pot"]).without == ("pot", "deal")
    assert "without" not in rules().model_dump()


def test_command__writes_into_the_package_of_a_game(tmp_path: Path) -> None:
    package = tmp_path / "some_game"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.toml").write_text(SMALL, encoding="utf-8")
    command = [sys.executable, "-m", "numbluff_sim.contract.rule_sources", "some_game"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert 'tie: Literal["nobody", "both"] = "both"' in (package / "rules_section.py").read_text(encoding="utf-8")
    assert not (package / "rule_codes.py").exists()


@every_game
@pytest.mark.kernels
def test_simulate__reads_no_rules_file(
    name: str, numbluff: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answers and codes are in the generated modules: a run starts without the words."""
    rule_book.cache_clear()
    monkeypatch.setattr("numbluff_sim.contract.rules_file.read_rules", lambda place: pytest.fail(f"{place} was read"))
    assert numbluff("simulate", "--game", name, "--games", 64, "--out", tmp_path / "run").code == 0
