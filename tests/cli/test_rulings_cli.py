"""`numbluff rulings` and `numbluff knockout`: the game's lists, one change at a time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.contract.registry import game, names

Numbluff = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("undrawn")
GAMES = 64_000


def run(numbluff: Numbluff, out: Path, *args: object, games: int = GAMES) -> dict[str, dict[str, Any]]:
    done = numbluff(*args, "--out", out, "--games", games, "--json")
    assert done.code == 0, done.err
    return {variant["name"]: variant for variant in json.loads(done.out)["variants"]}


def effect(variant: dict[str, Any], metric: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in variant["effects"] if one["metric"] == metric)
    return found


def test_rulings__say_which_answers_matter(numbluff: Numbluff, tmp_path: Path) -> None:
    found = run(
        numbluff,
        tmp_path / "r",
        "rulings",
        "--only",
        "wild_adjusts",
        "--only",
        "master_bonus",
        "--only",
        "fusion_scope",
    )
    assert list(found) == ["wild_adjusts=both", "wild_adjusts=none", "fusion_scope=exact_only", "master_bonus=false"]
    assert effect(found["wild_adjusts=both"], "frappe_parfaite_per_round")["real"]
    assert found["fusion_scope=exact_only"]["identical"]  # nobody fuses
    assert effect(found["master_bonus=false"], "coup_de_maitre_bonus_per_round")["variant"]["value"] == 0
    page = (tmp_path / "r" / "index.html").read_text()
    assert "no game differs" in page


@pytest.mark.pictures
@pytest.mark.thorough
def test_knockout__rules_families_and_what_they_contribute(numbluff: Numbluff, tmp_path: Path) -> None:
    found = run(numbluff, tmp_path / "k", "knockout", "--only", "rule", "--only", "family", games=1024)
    kinds = {variant["kind"] for variant in found.values()}
    assert kinds == {"rule", "family"}
    gone = next(
        variant for variant in found.values() if [c["after"] for c in variant["changes"]] == [["miroir_parfait"]]
    )
    assert effect(gone, "miroir_parfait_per_round")["variant"]["value"] == 0
    assert (tmp_path / "k" / "figures" / "impacts_family.png").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["rulings", "--only", "wild_adjust"], 'Did you mean "wild_adjusts"'),
        (["knockout", "--only", "cards"], 'Did you mean "card"'),
        (["rulings", "documentd"], 'Did you mean "documented"'),
    ],
)
def test_lists__refuse_unknown_names(numbluff: Numbluff, tmp_path: Path, args: list[str], message: str) -> None:
    done = numbluff(*args, "--out", tmp_path / "x")
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", names())
def test_lists__every_game_has_both_in_both_languages(name: str) -> None:
    config = load(overrides={"game": name})
    whatifs = game(name).changes
    for changes in (whatifs.rulings(config), whatifs.knockouts(config)):
        assert changes
        assert len({change.name for change in changes}) == len(changes)
        assert all(change.label.en and change.label.fr and change.overrides for change in changes)
