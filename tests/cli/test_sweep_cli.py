"""`numbluff sweep` as a user calls it: killed, continued, changed, refused, too large; what it prints and writes."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.studies.question.points import Point
from numbluff_sim.cli.shared import display as cli_display
from numbluff_sim.cli.shared.compiling import CompilingNotice
from numbluff_sim.cli.sweep import SweepDisplay
from numbluff_sim.config import load
from numbluff_sim.run import tables as run_tables
from numbluff_sim.run.progress import Progress
from numbluff_sim.run.tables import read_table
from numbluff_sim.studies.question.axes import Axis
from numbluff_sim.studies.question.designs import Design
from numbluff_sim.studies.sweep import study as sweeping
from numbluff_sim.studies.sweep.asked import read_sweep
from numbluff_sim.studies.sweep.study import run_sweep
from tests.common.held import ended, held
from tests.conftest import called

Numbluff = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("undrawn")
ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from numbluff_sim.cli.main import run; run()", "sweep"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
TABLES = ("sweep.parquet", "sweep.csv", "points.parquet", "points.csv")
FILE = """
base = "documented"
[sweep]
games = 3000
metrics = ["pot_after_mean", "miroir_parfait_per_round"]
[axes]
"deck.rainbow.reach" = [1, 3, 5]
"table.hand_size" = { low = 2, high = 3 }
[targets]
frappe_parfaite_per_round = { low = 0.018, high = 0.03 }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sweep.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def swept_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of FILE's sweep; tests change copies of it."""
    folder = tmp_path_factory.mktemp("swept")
    (folder / "sweep.toml").write_text(FILE, encoding="utf-8")
    done = called("sweep", folder / "sweep.toml", "--out", folder / "out", "--no-page")
    assert done.code == 0, done.err
    return folder / "out"


def swept(numbluff: Numbluff, *args: object) -> dict[str, Any]:
    done = numbluff("sweep", *args, "--json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def tables(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES}


@pytest.mark.pictures
def test_sweep__tables_results_and_page(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = swept(numbluff, file, "--out", out)
    assert (found["points"], found["refused"], found["games_played"]) == (6, 0, 18_000)
    rows = csv_rows(out / "sweep.csv")
    assert len(rows) == 6 * 3
    assert list(rows[0]) == [
        "point",
        "digest",
        "deck.rainbow.reach",
        "table.hand_size",
        "metric",
        "value",
        "low",
        "high",
        "level",
        "n",
        "denominator",
        "method",
        "unit",
        "games",
    ]
    assert {row["metric"] for row in rows} == {
        "frappe_parfaite_per_round",
        "pot_after_mean",
        "miroir_parfait_per_round",
    }
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in rows)
    assert {path.name for path in (out / "points").iterdir()} == {row["digest"] for row in rows}
    long = read_table(out / "sweep.parquet")
    assert list(long) == list(rows[0])
    assert long["value"] == [float(row["value"]) for row in rows]
    points = csv_rows(out / "points.csv")
    assert [int(row["changes"]) for row in points] == [0, 2, 1, 1, 2, 1]
    nearest = {row["changes"]: row for row in sorted(points, key=lambda row: -float(row["distance"]))}
    assert [(one["changes"], one["distance"]) for one in found["front"]] == [
        (0, float(points[0]["distance"])),
        (1, float(nearest["1"]["distance"])),
    ]
    assert found["smallest_change"]["by_value"]["changed"] == {"deck.rainbow.reach": 5}
    assert (out / "index.html").exists()
    assert {path.stem for path in (out / "figures").glob("*.png")} >= {
        "pareto",
        "map_distance",
        "lines_1",
        "map_1",
        "tornado_1",
    }


def test_sweep__writes_the_best_point_and_its_targets(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = swept(numbluff, file, "--out", out)
    assert load(out / "best.toml").digest() == found["smallest_change"]["by_value"]["digest"]
    checked = numbluff(
        "check", "--config", out / "best.toml", "--baseline", out / "targets.toml", "--games", 200_000, "--seed", 7
    )
    assert checked.code == 0, checked.out + checked.err
    printed = numbluff("sweep", file, "--out", out)
    assert f"numbluff check --config {out}/best.toml --baseline {out}/targets.toml --seed 7" in printed.out
    file.write_text(FILE[: FILE.index("[targets]")], encoding="utf-8")
    swept(numbluff, file, "--out", out)
    assert not (out / "best.toml").exists()
    assert not (out / "targets.toml").exists()


def test_sweep__nearest_point_is_written_where_nothing_meets(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace("low = 0.018, high = 0.03", "low = 0.5"), encoding="utf-8")
    found = swept(numbluff, file, "--out", tmp_path / "out", "--no-page")
    assert load(tmp_path / "out" / "best.toml").digest() == found["front"][-1]["digest"]
    checked = numbluff(
        "check",
        "--config",
        tmp_path / "out" / "best.toml",
        "--baseline",
        tmp_path / "out" / "targets.toml",
        "--games",
        3000,
    )
    assert checked.code not in (0, 2, 70), checked.out + checked.err


def test_sweep__played_again_plays_nothing_and_writes_the_same(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    swept(numbluff, file, "--out", out, "--threads", 1)
    before = tables(out)
    found = swept(numbluff, file, "--out", out, "--threads", 2)
    assert found["games_played"] == 0
    assert tables(out) == before


def test_sweep__points_are_the_runs_that_simulate_makes(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    swept(numbluff, file, "--out", out)
    done = numbluff(
        "simulate",
        "--set",
        "deck.rainbow.reach=5",
        "--set",
        "table.hand_size=2",
        "--games",
        3000,
        "--out",
        tmp_path / "run",
        "--json",
    )
    digest = json.loads(done.out)["identity"]["config_digest"]
    assert (out / "points" / digest / "tally.parquet").read_bytes() == (tmp_path / "run" / "tally.parquet").read_bytes()


def test_sweep__killed_and_continued_gives_the_same_bytes(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace("games = 3000", "games = 30000"), encoding="utf-8")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    swept(numbluff, file, "--out", whole)
    for games in (70_000, 50_000):
        assert ended(held("sweep", file, "--out", killed, games=games), signal.SIGKILL)[0] == -signal.SIGKILL
        assert list(killed.glob("points/*/tally.parquet"))
        assert not (killed / "sweep.parquet").exists()
    found = swept(numbluff, file, "--out", killed)
    assert 0 < found["games_played"] < 6 * 30_000
    assert tables(killed) == tables(whole)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_sweep__signal_ends_with_130_and_says_how_to_continue(
    file: Path, tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "out"
    process = held("sweep", file, "--games", 10**8, "--yes", "--out", out, games=20_000)
    code, stdout, stderr = ended(process, number)
    assert (code, stdout) == (130, "")
    assert re.fullmatch(
        r"Interrupted after 0 of 6 points; the same command continues \(folder .*out\)", stderr.splitlines()[-1]
    )


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("[1, 3, 5]", "[1, 3, 4]", "axes.deck.rainbow.reach was [1, 3, 5] and is now [1, 3, 4]"),
        (
            "low = 2",
            "low = 1",
            "axes.table.hand_size was { low = 2, high = 3, step = 1 } and is now { low = 1, high = 3, step = 1 }",
        ),
        ("games = 3000", "games = 4000", "games was 3000 and is now 4000"),
        ("games = 3000", "games = 3000\nseed = 2", "seed was 1 and is now 2"),
        ("[sweep]", '[sweep]\ndesign = "one_at_a_time"', 'design was "grid" and is now "one_at_a_time"'),
        ("[axes]", '[set]\n"table.players" = 3\n[axes]', "set.table.players was not there and is now 3"),
        ('"documented"', '"nearest"', 'base was "documented" and is now "nearest"'),
    ],
)
def test_sweep__of_a_changed_file_is_refused(
    numbluff: Numbluff, file: Path, swept_once: Path, tmp_path: Path, before: str, after: str, words: str
) -> None:
    out = shutil.copytree(swept_once, tmp_path / "out")
    kept = tables(out)
    file.write_text(FILE.replace(before, after), encoding="utf-8")
    done = numbluff("sweep", file, "--out", out)
    assert done.code == 2
    assert words in done.err
    assert "--replace" in done.err
    assert tables(out) == kept


def test_sweep__replace_starts_over(numbluff: Numbluff, file: Path, swept_once: Path, tmp_path: Path) -> None:
    out = shutil.copytree(swept_once, tmp_path / "out")
    file.write_text(FILE.replace("[1, 3, 5]", "[3, 4]").replace("games = 3000", "games = 2000"), encoding="utf-8")
    found = swept(numbluff, file, "--out", out, "--replace")
    assert found["games_played"] == found["points"] * 2000
    assert len(list((out / "points").iterdir())) == found["points"] == 4


def test_sweep__of_a_changed_base_file_is_refused(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('base = "documented"\n')
    file.write_text(FILE.replace('"documented"', '"own.toml"'), encoding="utf-8")
    swept(numbluff, file, "--out", tmp_path / "out")
    (tmp_path / "own.toml").write_text('base = "documented"\n[rules]\nmaster_bonus = false\n')
    done = numbluff("sweep", file, "--out", tmp_path / "out")
    assert done.code == 2
    assert "rules.master_bonus was true and is now false" in done.err


def test_sweep__other_targets_are_judged_without_playing(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = swept(numbluff, file, "--out", out)
    file.write_text(
        FILE.replace("low = 0.018, high = 0.03", "low = 0.0, high = 0.1").replace('"pot_after_mean", ', ""),
        encoding="utf-8",
    )
    again = swept(numbluff, file, "--out", out)
    assert again["games_played"] == 0
    assert first["smallest_change"]["by_value"]["changes"] == 1
    assert again["smallest_change"]["by_interval"]["changes"] == 0
    assert set(again["metrics"]) == {"frappe_parfaite_per_round", "miroir_parfait_per_round"}


def test_sweep__a_folder_of_something_else_is_refused(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("mine")
    done = numbluff("sweep", file, "--out", tmp_path / "other", "--replace")
    assert done.code == 2
    assert "something that is not a sweep (letter.txt)" in done.err
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["letter.txt"]


def test_sweep__of_a_thousand_million_points_is_refused_at_once(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    axes = "\n".join(
        f'"deck.{family}.values" = {[[0, high] for high in range(11, 21)]}'
        for family in ("rouge", "vert", "bleu", "jaune")
    )
    more = "\n".join(
        f'"personas.nearest.weights.{name}" = {{ low = 0.0, high = 1.0, steps = 10 }}'
        for name in ("gap", "points", "frappe", "miroir", "same_family")
    )
    file.write_text(f'base = "nearest"\n[sweep]\ngames = 1000000\n[axes]\n{axes}\n{more}\n', encoding="utf-8")
    done = numbluff("sweep", file, "--out", tmp_path / "out")  # counted: to make them all would take hours
    assert done.code == 2
    assert "1,000,000,001 points to play with 1,000,000 games each: about" in done.err
    assert "years" in done.err
    assert "Give --yes" in done.err
    assert not (tmp_path / "out").exists()


def test_sweep__combinations_that_do_not_fit_are_told_and_the_others_played(
    numbluff: Numbluff, file: Path, tmp_path: Path
) -> None:
    families = "\n".join(f'"deck.{family}.values" = [[0, 16], [0, 0]]' for family in ("rouge", "vert", "bleu"))
    file.write_text(
        'base = "documented"\n[sweep]\ngames = 640\nmetrics = ["pot_after_mean"]\n[set]\n"table.players" = 6\n[axes]\n'
        f'"table.hand_size" = [3, 12]\n{families}\n',
        encoding="utf-8",
    )
    found = swept(numbluff, file, "--out", tmp_path / "out")
    assert found["points"] == 16
    assert 1 <= found["refused"] == len(found["refusals"]) < 8
    assert {one["changed"]["table.hand_size"] for one in found["refusals"]} == {12}
    refused = [row for row in csv_rows(tmp_path / "out/points.csv") if row["refused"]]
    assert [int(row["point"]) for row in refused] == [one["point"] for one in found["refusals"]]
    assert [row["refused"] for row in refused] == [one["reason"] for one in found["refusals"]]
    assert found["games_played"] == 640 * (16 - found["refused"])


@pytest.mark.pictures
def test_sweep__sobol_indices(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace("games = 3000", 'games = 1000\ndesign = "sobol"\npoints = 16'), encoding="utf-8")
    found = swept(numbluff, file, "--out", tmp_path / "out", "--lang", "fr")
    assert found["points"] == 6
    indices = {one["metric"]: one for one in found["sensitivities"]}
    frappe = indices["frappe_parfaite_per_round"]
    assert frappe["axes"]["deck.rainbow.reach"]["total"]["value"] > frappe["axes"]["table.hand_size"]["total"]["value"]
    assert frappe["samples"] == 16
    assert (tmp_path / "out/figures/indices.svg").exists()
    assert "Parts de variance" in (tmp_path / "out/index.html").read_text(encoding="utf-8")


def test_sweep__compiles_nothing_after_the_first_point(file: Path, tmp_path: Path) -> None:
    sweep, told = read_sweep(file), []
    with CompilingNotice(4) as notice:
        run_sweep(
            sweep,
            tmp_path / "out",
            progress=lambda now: told.append((now.steps_done, now.games_done, len(notice.said))),
        )
        compiled = {said for done, _, said in told if done == 0}
        assert {said for _, _, said in told} == compiled  # whatever was compiled was compiled for the base
    assert {done for done, _, _ in told} == set(range(6))


def test_display__lines_without_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cli_display, "LINE_EVERY", 0.0)
    with SweepDisplay(4, bar=False) as display:
        display(Progress("points", 0, 6, 0, 1_000_000, 0, 0.0))
        display(Progress("points", 2, 6, 500_000, 1_000_000, 2_500_000, 1.25))
    assert capsys.readouterr().err.splitlines() == [
        "0 of 6 points; 0.0 M games/s",
        "2 of 6 points; 2.0 M games/s; about 2 seconds left",
    ]


def test_display__a_bar_on_a_terminal() -> None:
    with SweepDisplay(4, bar=True) as display:
        display(Progress("points", 2, 6, 500_000, 1_000_000, 2_500_000, 1.25))
        (task,) = display.bar.tasks
        assert (task.completed, task.total, task.description) == (2.5, 6, "2 of 6 points")


def test_sweep__no_page(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    found = swept(numbluff, file, "--out", tmp_path / "out", "--no-page")
    assert found["page"] is None
    assert not (tmp_path / "out/index.html").exists()
    assert all(Path(table).exists() for table in found["tables"])


def test_sweep__text_in_both_languages(numbluff: Numbluff, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    english, french = (numbluff("sweep", file, "--out", out, "--lang", language) for language in ("en", "fr"))
    assert english.code == french.code == 0
    assert "rainbow.reach = 5" in english.out
    assert "keys changed" in english.out
    assert "réglages changés" in french.out
    assert english.out.splitlines()[-1] == str(out / "index.html")


@pytest.mark.thorough
def test_sweep__memory_does_not_grow_with_the_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the points, all estimates of all written, take as much memory: once more than a group of rows is there,
    groups are written.
    """
    monkeypatch.setattr(run_tables, "GROUP", 2**14)  # small ones: all memory is counted, which takes its time
    first, second = (_peak(tmp_path, side) for side in (18, 36))
    assert 18 * 50 * METRICS > run_tables.GROUP
    assert second < 1.1 * first


METRICS = 20


def _peak(folder: Path, side: int) -> int:
    """Most memory that a sweep of a function over side x 50 points takes at once, in bytes."""
    axes = (Axis("a", "whole", low=1, high=side), Axis("b", "whole", low=1, high=50))
    design, names = Design("grid", axes, {"a": 1, "b": 1}), [f"m{i}" for i in range(METRICS)]

    def evaluate(point: Point) -> sweeping.Evaluated:
        value = float(point.values["a"] + point.values["b"])
        return sweeping.Evaluated(
            f"{point.number:016x}",
            1,
            lambda: {
                name: Estimator(name, value, 1, "games", "exact", "points", 1, lambda alpha: (value, value))
                for name in names
            },
        )

    tracemalloc.start()
    results = sweeping.tabulate(design, evaluate, names, None, folder)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert results.points == side * 50
    assert read_table(folder / "points.parquet", ["point"])["point"] == list(range(side * 50))
    return peak


def test_example__the_bonus_keeps_the_seats_apart(numbluff: Numbluff, tmp_path: Path) -> None:
    found = swept(numbluff, ROOT / "docs/examples/sweeps/frappe.toml", "--games", 100_000, "--out", tmp_path / "out")
    assert found["smallest_change"]["by_value"]["changed"] == {"rules.master_bonus": False}
    with_bonus = [row for row in csv_rows(tmp_path / "out/points.csv") if row["rules.master_bonus"] == "true"]
    assert len(with_bonus) == 12
    assert {row["status.seat_points_gap"] for row in with_bonus} == {"missed"}
