"""`numbluff what-if-one`: what it prints and writes, a section of a report, what it refuses."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Numbluff = Callable[..., Any]
FEW = ("--players", 3, "--games", 2_000)
pytestmark = pytest.mark.usefixtures("undrawn")


def test_what_if_one__json_tables_and_page_tell_the_same(numbluff: Numbluff, tmp_path: Path) -> None:
    asked = ("what-if-one", "--habit", "lying_on_the_total", "--one", "lies.total=0.7;lies.size=12", *FEW)
    done = numbluff(*asked, "--out", tmp_path / "one", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found == json.loads((tmp_path / "one" / "what_if_one.json").read_text(encoding="utf-8"))
    assert list(found["habits"]) == ["lying_on_the_total", "lies.total=0.7, lies.size=12"]
    assert list(found["companies"]) == ["believing", "sceptical", "all_seeing"]
    assert len(found["effects"]) == 2 * 3 * 2
    with (tmp_path / "one" / "effects.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["difference"]) for row in rows] == [one["difference"]["value"] for one in found["effects"]]
    assert [row["verdict"] for row in rows] == found["verdicts"]
    assert "the same deals" in (tmp_path / "one" / "index.html").read_text(encoding="utf-8")


def test_what_if_one__in_french_and_a_section_of_a_report(numbluff: Numbluff, tmp_path: Path) -> None:
    one, run = tmp_path / "one", tmp_path / "run"
    done = numbluff("what-if-one", "--habit", "fusing", *FEW, "--out", one, "--lang", "fr")
    assert done.code == 0, done.err
    assert "Fusionner à sa façon plutôt que jamais" in done.out
    assert numbluff("simulate", "--preset", "plays_to_win", *FEW, "--out", run).code == 0
    done = numbluff("report", run, one, "--lang", "fr", "--out", tmp_path / "report", "--json")
    assert done.code == 0, done.err
    facts = json.loads(done.out)
    assert "data/what_if_one_1_effects.csv" in facts["files"]
    assert "fusing" in [finding.get("habit") for finding in facts["findings"]]
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert f"numbluff what-if-one plays_to_win --players 3 --games 2000 --seed 1 --out {one}" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--habit", "fuzing"), 'Did you mean "fusing"'),
        (("--company", "sceptics"), 'Did you mean "sceptical"'),
        (("--one", "lies.totl=1"), "lies.totl"),
        (("--one", "lies.total=0.9"), "sum of total and family"),
    ],
)
def test_what_if_one__refuses_naming_what_is_nearest(
    numbluff: Numbluff, tmp_path: Path, arguments: tuple[str, str], message: str
) -> None:
    done = numbluff("what-if-one", *arguments, *FEW, "--out", tmp_path / "one")
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "one" / "what_if_one.json").exists()
