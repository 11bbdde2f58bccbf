"""Commands about a table say who sits where, on the terminal and on their pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Numbluff = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("undrawn")
TABLE = """
base = "documented"
[play]
seats = ["nearest", "sacrificer", "nearest", "nearest"]
"""
AXES = (
    '[axes]\n"rules.master_bonus" = [true, false]\n[targets]\nfrappe_parfaite_per_round = { low = 0.01, high = 0.5 }\n'
)
TUNE = "[tune]\ntrials = 2\ngames = 2000\nconfirm_games = 4000\n"
BASELINE = """
[check]
games = 1000
[[claims]]
id = "epargne"
source = "rule 5"
text = { en = "Somebody is spared" }
metric = "epargne_per_round"
margin = { low = 0.0001 }
"""
LINES = {
    "en": "Who sits where: nearest in seats 1, 3 and 4; sacrificer in seat 2",
    "fr": "À la table : nearest aux places 1, 3 et 4 ; sacrificer à la place 2",
}
#: Command -> its arguments, {files} to be filled in, and whether it writes a page.
COMMANDS = {
    "simulate": (["--config", "{table}", "--games", 2000], False),
    "compare": (["{table}", "--set", "rules.master_bonus=false", "--games", 2000], True),
    "rulings": (["{table}", "--games", 640, "--only", "master_bonus"], True),
    "what-if-one": (["{table}", "--habit", "lying_on_the_total", "--company", "as_they_are", "--games", 640], True),
    "sweep": (["{question}", "--games", 2000], True),
    "tune": (["{question}"], True),
    "check": (["--baseline", "{baseline}", "--config", "{table}", "--games", 2000], False),
    "plan": (["--config", "{table}", "--pilot", 2000, "--until", "epargne:5%"], False),
}


def plain(text: str) -> str:
    """One line, with ordinary spaces."""
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ").split())


def filled(arguments: Sequence[object], folder: Path, command: str) -> list[object]:
    table, question, baseline = (folder / f"{name}.toml" for name in ("table", "question", "baseline"))
    table.write_text(TABLE, encoding="utf-8")
    question.write_text(f'base = "{table}"\n' + (TUNE if command == "tune" else "") + AXES, encoding="utf-8")
    baseline.write_text(BASELINE, encoding="utf-8")
    return [str(one).format(table=table, question=question, baseline=baseline) for one in arguments]


@pytest.mark.parametrize("command", COMMANDS)
def test_command__says_who_sits_where(numbluff: Numbluff, tmp_path: Path, command: str) -> None:
    arguments, page = COMMANDS[command]
    out = [] if command in ("check", "plan") else ["--out", tmp_path / "out"]
    done = numbluff(command, *filled(arguments, tmp_path, command), *out)
    assert done.code in (0, 3), done.err
    assert LINES["en"] in plain(done.out)
    if page:
        assert LINES["en"] in plain((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("command", [command for command, (_, page) in COMMANDS.items() if page])
def test_page__says_so_in_french(numbluff: Numbluff, tmp_path: Path, command: str) -> None:
    arguments = filled(COMMANDS[command][0], tmp_path, command)
    done = numbluff(command, *arguments, "--lang", "fr", "--out", tmp_path / "out")
    assert done.code in (0, 3), done.err
    assert LINES["fr"] in plain((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "nearest in all seats → nearest in seats 1, 3 and 4; sacrificer in seat 2 (play.seats)"),
        ("fr", "nearest à toutes les places → nearest aux places 1, 3 et 4 ; sacrificer à la place 2 (play.seats)"),
    ],
)
def test_compare__a_variant_with_other_seats_says_who_sits_where(
    numbluff: Numbluff, tmp_path: Path, language: str, said: str
) -> None:
    (table,) = filled(["{table}"], tmp_path, "compare")
    options = ("--games", 640, "--lang", language, "--out", tmp_path / "out")
    assert numbluff("compare", "nearest", table, *options).code == 0
    assert said in plain((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))


def test_report__of_runs_and_studies_says_it_of_each(numbluff: Numbluff, tmp_path: Path) -> None:
    (table,) = filled(["{table}"], tmp_path, "report")
    runs = tmp_path / "run", tmp_path / "compared", tmp_path / "one"
    assert numbluff("simulate", "--games", 2000, "--out", runs[0]).code == 0
    change = ("--set", "rules.master_bonus=false", "--games", 640)
    assert numbluff("compare", table, *change, "--out", runs[1]).code == 0
    assert numbluff("what-if-one", table, "--habit", "lying_on_the_total", "--games", 640, "--out", runs[2]).code == 0
    done = numbluff("report", *runs, "--out", tmp_path / "report", "--json")
    assert done.code == 0, done.err
    html = plain((tmp_path / "report" / "index.html").read_text(encoding="utf-8"))
    assert "Who sits where: documented in all seats" in html
    assert html.count(LINES["en"]) == 2


def test_files__hold_the_seats_by_persona(numbluff: Numbluff, tmp_path: Path) -> None:
    seating = {"nearest": [0, 2, 3], "sacrificer": [1]}
    found = numbluff("compare", *filled(COMMANDS["compare"][0], tmp_path, "compare"), "--out", tmp_path / "c", "--json")
    assert json.loads(found.out)["seating"] == seating
    found = numbluff("check", *filled(COMMANDS["check"][0], tmp_path, "check"), "--json")
    assert json.loads(found.out)["seatings"] == [seating]
