"""`numbluff simulate --until` as a user calls it: runs that stop themselves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.analysis.studies.until.result import Rule
from numbluff_sim.cli.shared.until import UntilDisplay
from numbluff_sim.config import load
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.run.progress import Progress
from numbluff_sim.run.store import load_run
from numbluff_sim.studies.until.study import MOST_GAMES, simulate_tally_until
from tests.common.held import LIMIT, ended, held

Call = Callable[..., Any]
COMMAND = [sys.executable, "-c", "from numbluff_sim.cli.main import run; run()"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
EASY = ("--until", "frappe_parfaite:20%")


def test_until__stops_at_a_look_and_says_what_it_reached(numbluff: Call, tmp_path: Path) -> None:
    done = numbluff(
        "simulate", "--until", "frappe_parfaite:8%", "--until", "seat_1_win_share:0.02", "--out", tmp_path / "run"
    )
    assert done.code == 0, done.err
    assert done.out.startswith("Stopped itself after ")
    assert "asked 8 %" in done.out
    assert "asked 0.02" in done.out
    assert "confidence sequence" in done.out
    run = load_run(tmp_path / "run")
    until = run.meta["until"]
    assert until["reached"]
    assert until["alpha"] == 0.05
    assert until["precisions"] == ["frappe_parfaite_per_round:8%", "seat_1_win_share:0.02"]
    assert run.meta["games"] == run.meta["games_done"] == run.config.run.games == until["looks"][-1] == until["games"]
    assert 1 < len(until["looks"]) < 60


@pytest.mark.parametrize("threads", [1, 2])
def test_until__json_has_the_sequential_interval_whatever_the_threads(
    numbluff: Call, tmp_path: Path, threads: int
) -> None:
    done = numbluff(
        "simulate", "--until", "frappe_parfaite:8%", "--threads", threads, "--out", tmp_path / "run", "--json"
    )
    answer = json.loads(done.out)
    measured = answer["until"]["measured"][0]
    half = max(measured["high"] - measured["value"], measured["value"] - measured["low"])
    assert half / measured["value"] <= 0.08
    assert (measured["name"], measured["level"], measured["denominator"]) == (
        "frappe_parfaite_per_round",
        0.95,
        "rounds",
    )
    assert measured["method"].startswith("confidence sequence of Clopper-Pearson")
    event = next(event for event in answer["events"] if event["name"] == "frappe_parfaite_per_round")
    assert (event["low"], event["high"]) == (measured["low"], measured["high"])
    config = load(overrides={"run.threads": 1})
    tally, stopped = simulate_tally_until(config, Rule.read(["frappe_parfaite:8%"], config))
    assert answer["games"] == stopped.games == int(tally["games"])


def test_until__most_games_come_first_with_exit_code_3(numbluff: Call, tmp_path: Path) -> None:
    done = numbluff("simulate", "--until", "frappe_parfaite:0.1%", "--games", "20000", "--out", tmp_path / "run")
    assert done.code == 3
    assert done.out.startswith("Not precise enough after 20,000 games")
    assert "Continue with --resume and a larger --games." in done.err
    assert load_run(tmp_path / "run").meta["until"]["reached"] is False


def test_until__a_metric_never_seen_does_not_stop_a_run(numbluff: Call, tmp_path: Path) -> None:
    done = numbluff("simulate", "--until", "lies_per_round:500%", "--games", "20000", "--out", tmp_path / "run")
    assert done.code == 3
    assert "never seen" in done.err


def test_until__resumed_when_done_stays_and_stricter_goes_on(numbluff: Call, tmp_path: Path) -> None:
    first = numbluff("simulate", *EASY, "--out", tmp_path / "run")
    before = (tmp_path / "run/tally.parquet").read_bytes()
    assert numbluff("simulate", *EASY, "--out", tmp_path / "run").code == 2
    again = numbluff("simulate", *EASY, "--out", tmp_path / "run", "--resume")
    assert (again.code, again.out) == (0, first.out)
    assert (tmp_path / "run/tally.parquet").read_bytes() == before
    numbluff("simulate", "--until", "frappe_parfaite:6%", "--out", tmp_path / "run", "--resume")
    numbluff("simulate", "--until", "frappe_parfaite:6%", "--out", tmp_path / "other")
    assert (tmp_path / "run/tally.parquet").read_bytes() == (tmp_path / "other/tally.parquet").read_bytes() != before
    assert load_run(tmp_path / "run").meta["until"] == load_run(tmp_path / "other").meta["until"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--until", "frape_parfaite:5%"), 'Did you mean "frappe_parfaite"?'),
        (("--until", "frappe_parfaite"), "says no precision"),
        (("--until", "frappe_parfaite:0%"), '"0%" is no precision'),
        (("--until", "seat_5_win_share:1%"), '"seat_5_win_share" is not a metric of this configuration'),
    ],
)
def test_until__refused_and_nothing_written(
    numbluff: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = numbluff("simulate", *args)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.startswith("Error: --until: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_until__killed_and_resumed_ends_where_one_never_killed_does(tmp_path: Path) -> None:
    rule = ["--until", "frappe_parfaite:2%", "--threads", "1"]
    code, out, err = ended(held("simulate", *rule, "--out", "killed", games=10_000, cwd=tmp_path), signal.SIGINT)
    assert (code, out) == (130, "")
    assert "continue with --resume" in err
    for folder, more in (("killed", ["--resume"]), ("whole", [])):
        done = subprocess.run(
            [*COMMAND, "simulate", *rule, *more, "--out", folder],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT,
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "killed/tally.parquet").read_bytes() == (tmp_path / "whole/tally.parquet").read_bytes()
    assert load_run(tmp_path / "killed").meta["until"] == load_run(tmp_path / "whole").meta["until"]


def test_until_display__precision_reached_and_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    config = load()
    rule = Rule.read(["frappe_parfaite:1%"], config)
    display = UntilDisplay(config, rule, MOST_GAMES, bar=False, lines=True)
    display.line_at -= 10
    tally = simulate_tally(config, 50_000)
    display(Progress(games_done=50_000, games=53_248, played=50_000, seconds=1.0, copy=lambda: tally))
    line = capsys.readouterr().err
    assert line.startswith("50,000 games; 0.6 M rounds/s; about ")
    assert "frappe_parfaite_per_round within " in line
    assert line.endswith("asked 1 %\n")
    left = float(line.split("about ")[1].split(" seconds left")[0])
    assert 5 < left < 60  # 0.4 to 3 million games at 50,000 a second
