"""`numbluff compare`: what it prints and writes, what it plays again, what it refuses."""

from __future__ import annotations

import csv
import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.common.held import ended, held

Numbluff = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("undrawn")
FEW = ("--games", 20_000)


def compared(numbluff: Numbluff, out: Path, *args: object) -> dict[str, Any]:
    done = numbluff("compare", *args, "--out", out, *FEW, "--json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    assert found == json.loads((out / "comparison.json").read_text())
    return found


def effects(variant: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {effect["metric"]: effect for effect in variant["effects"]}


def test_compare__the_same_games_differ_by_exactly_nothing(numbluff: Numbluff, tmp_path: Path) -> None:
    [variant] = compared(numbluff, tmp_path / "c", "documented", "documented")["variants"]
    assert len(variant["effects"]) > 200
    assert {
        (e["difference"]["value"], e["difference"]["low"], e["difference"]["high"]) for e in variant["effects"]
    } == {(0.0, 0.0, 0.0)}
    assert not any(effect["real"] for effect in variant["effects"])
    assert sum(variant["parting"]["rounds"]) == 0


def test_compare__variants_as_files_presets_and_settings(numbluff: Numbluff, tmp_path: Path) -> None:
    file = tmp_path / "both.toml"
    file.write_text('base = "documented"\n[rules]\nwild_adjusts = "both"\n')
    settings = ("--set", "rules.wild_adjusts=both", "--set", "table.hand_size=4; run.seed=2")
    found = compared(numbluff, tmp_path / "c", "documented", file, "nearest", *settings)
    names = [variant["name"] for variant in found["variants"]]
    assert names == ["both", "nearest", 'rules.wild_adjusts = "both"', "table.hand_size = 4, run.seed = 2"]
    first, _, third, fourth = found["variants"]
    assert first["effects"] == third["effects"]
    assert first["changes"] == [{"key": "rules.wild_adjusts", "before": "hidden", "after": "both"}]
    exact = effects(first)["exact_per_player_round"]
    assert exact["real"]
    assert exact["difference"]["low"] > 0.004
    assert exact["saved"] > 1.5
    assert fourth["parting"] is None  # another seed: other deals
    assert first["parting"]["median"] <= 3


@pytest.mark.pictures
def test_compare__page_table_and_effects_file(numbluff: Numbluff, tmp_path: Path) -> None:
    out = tmp_path / "c"
    done = numbluff("compare", "documented", "--set", "rules.wild_adjusts=both", "--out", out, *FEW, "--lang", "fr")
    assert done.code == 0
    assert "parties qui se séparent" in done.out
    page = (out / "index.html").read_text()
    assert '<html lang="fr">' in page
    assert "<svg" in page
    rows = list(csv.DictReader((out / "effects.csv").read_text().splitlines()))
    assert {row["variant"] for row in rows} == {'rules.wild_adjusts = "both"'}
    assert all(row["method"] and row["n"] and row["denominator"] for row in rows)
    assert (out / "figures" / "forest_1.png").stat().st_size > 1000


def test_compare__what_matters_and_how_tables_are_sorted(numbluff: Numbluff, tmp_path: Path) -> None:
    out, wanted = tmp_path / "c", ("--relevant", "exact_per_player_round:0.001", "--sort", "relevance")
    settings = ("--set", "rules.last_tie=random", "--set", "rules.wild_adjusts=both")
    found = compared(numbluff, out, "documented", *settings, *wanted)
    assert (found["relevant"]["exact_per_player_round"], found["relevant"]["seat_points_gap"]) == (0.001, 1.0)
    assert json.loads((out / "comparison.json").read_text(encoding="utf-8")) == found
    rows = list(csv.DictReader((out / "effects.csv").read_text(encoding="utf-8").splitlines()))
    exact = {row["variant"]: row for row in rows if row["metric"] == "exact_per_player_round"}
    assert {row["smallest_relevant"] for row in exact.values()} == {"0.001"}
    assert exact['rules.wild_adjusts = "both"']["relevance"] == "relevant"
    again = numbluff("compare", "documented", *settings, *wanted, "--out", out, *FEW)
    assert again.code == 0
    assert again.out.index("visible cards adjust too") < again.out.index("last ties by chance")
    assert "(matters from 0.5" in (out / "index.html").read_text(encoding="utf-8")


def test_compare__what_was_played_is_not_played_again(
    numbluff: Numbluff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "c"
    first = compared(numbluff, out, "documented", "nearest")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("played again")

    monkeypatch.setattr("numbluff_sim.studies.played_in_groups.play", refuse)
    assert compared(numbluff, out, "documented", "nearest") == first


@pytest.mark.thorough
def test_compare__interrupted_goes_on_where_it_was(numbluff: Numbluff, tmp_path: Path) -> None:
    args = ["compare", "documented", "--set", "rules.wild_adjusts=both", *FEW, "--threads", "1"]
    process = held(*args, "--out", tmp_path / "a", games=30_000)
    assert list((tmp_path / "a").glob("points/*-groups.npz"))
    code, out, err = ended(process, signal.SIGINT)
    assert (code, out) == (130, ""), err
    assert "same command" in err
    for name in ("a", "b"):
        assert numbluff(*args, "--out", tmp_path / name).code == 0
    assert (tmp_path / "a" / "comparison.json").read_bytes() == (tmp_path / "b" / "comparison.json").read_bytes()
    assert not list((tmp_path / "a").glob("points/*-groups.npz"))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["documented"], "nothing to compare with"),
        (["documented", "nearst"], 'Did you mean "nearest"'),
        (["documented", "--set", "rules.wild_adjust=both"], 'Did you mean "wild_adjusts"'),
        (["documented", "--set", "rules.wild_adjusts=bth"], 'Did you mean "both"'),
        (["documented", "missing.toml"], "there is no such file"),
        (["documented", "nearest", "--players", "9"], "--players"),
        (["documented", "nearest", "--relevant", "seat_point_gap:1"], 'Did you mean "seat_points_gap"'),
        (["documented", "nearest", "--relevant", "seat_points_gap"], "is not METRIC:DELTA"),
        (["documented", "nearest", "--relevant", "seat_points_gap:-1"], "expected a number above 0"),
        (["documented", "nearest", "--sort", "relevanse"], "is no metric of num_bluff"),
        (["documented", "nearest", "--games", "many"], "--games"),
    ],
)
def test_compare__refuses(numbluff: Numbluff, tmp_path: Path, args: list[str], message: str) -> None:
    done = numbluff("compare", *args, "--out", tmp_path / "c")
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "c").exists()


def test_compare__a_variant_whose_base_is_missing_or_circular(numbluff: Numbluff, tmp_path: Path) -> None:
    lost, a, b = tmp_path / "lost.toml", tmp_path / "a.toml", tmp_path / "b.toml"
    lost.write_text('base = "documnted"\n')
    a.write_text('base = "b.toml"\n')
    b.write_text('base = "a.toml"\n')
    assert 'Did you mean "documented"' in numbluff("compare", "documented", lost, "--out", tmp_path / "c").err
    assert "runs in a circle" in numbluff("compare", "documented", a, "--out", tmp_path / "c").err


def test_compare__keeps_out_of_a_folder_that_holds_something_else(numbluff: Numbluff, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = numbluff("compare", "documented", "nearest", "--out", tmp_path, *FEW)
    assert done.code == 2
    assert "notes.txt" in done.err


def test_compare__another_comparison_is_replaced_only_when_asked(numbluff: Numbluff, tmp_path: Path) -> None:
    compared(numbluff, tmp_path / "c", "documented", "nearest")
    before = (tmp_path / "c" / "comparison.json").read_bytes()
    done = numbluff("compare", "documented", "random", "--out", tmp_path / "c", *FEW)
    assert done.code == 2
    assert "holds another comparison, which cannot be continued: variants.nearest was " in done.err
    assert "--replace" in done.err
    assert (tmp_path / "c" / "comparison.json").read_bytes() == before
    assert numbluff("compare", "documented", "random", "--out", tmp_path / "c", *FEW, "--replace").code == 0
    assert (tmp_path / "c" / "comparison.json").read_bytes() != before


def test_compare__keeps_out_of_the_folder_of_a_sweep(numbluff: Numbluff, tmp_path: Path) -> None:
    (tmp_path / "points").mkdir()
    (tmp_path / "sweep.json").write_text("{}")
    done = numbluff("compare", "documented", "nearest", "--out", tmp_path, *FEW)
    assert done.code == 2
    assert "sweep.json" in done.err


def test_compare__folder_is_named_after_what_is_compared(
    numbluff: Numbluff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        numbluff("compare", "documented", "--set", "table.hand_size=4", *FEW).out.splitlines()[-1]
        == "results/compare-documented-table.hand_size-4/index.html"
    )


def test_compare__a_setting_without_a_value_is_named_after_its_option(numbluff: Numbluff) -> None:
    done = numbluff("compare", "documented", "--set", "rules.wild_adjusts=both; table.hand_size")
    assert done.code == 2
    assert "--set" in done.err
