"""`numbluff simulate` and `numbluff warmup` as a user calls them."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.cli.shared.compiling import TEXT, CompilingNotice
from numbluff_sim.cli.simulate import SimulateDisplay
from numbluff_sim.config import load
from numbluff_sim.kernels.common import jit
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.run.progress import Progress
from numbluff_sim.run.store import load_run
from tests.common.held import LIMIT, ended, held

COMMAND = [sys.executable, "-c", "from numbluff_sim.cli.main import run; run()"]
ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def numbluff(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *args], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=LIMIT
    )


def test_simulate__table_of_events_in_the_default_folder(tmp_path: Path) -> None:
    done = numbluff("simulate", "--games", "2000", "--seed", "3", "--players", "5", "--preset", "nearest", cwd=tmp_path)
    assert (done.returncode, done.stderr.replace(TEXT.format(players=5) + "\n", "")) == (0, "")
    assert "2,000 games, seed 3" in done.stdout
    assert "coup_de_maitre" in done.stdout
    assert "results/num_bluff-nearest-5p-s3" in done.stdout
    run = load_run(tmp_path / "results/num_bluff-nearest-5p-s3")
    assert (run.meta["games_done"], run.meta["command"].split()[:2]) == (2000, ["numbluff", "simulate"])


@pytest.mark.parametrize("columns", [30, 45, 60, 80])
def test_simulate__names_are_whole_on_narrow_terminals(
    numbluff: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = numbluff("simulate", "--games", "64", "--out", tmp_path / "run")
    lines = done.out.splitlines()
    assert done.code == 0
    assert "…" not in done.out
    for name in ("miroir_parfait", "coup_de_maitre_bonus", "miroir_several"):
        assert [line for line in lines if re.search(rf"\b{name}\b", line)], name
    assert max(map(len, lines[:-1])) <= columns  # the last line is the folder


def test_simulate__json_has_interval_n_and_denominator(tmp_path: Path) -> None:
    done = numbluff("simulate", "--games", "3000", "--rows", "rounds", "--out", "here", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    run = load_run(tmp_path / "here")
    hits = dict(zip(("miroir_parfait", "frappe_parfaite"), run.tally["round_events"].sum(axis=0), strict=False))
    rates = {event["name"]: event for event in summary["events"]}
    for name, count in hits.items():
        rate = rates[f"{name}_per_round"]
        assert rate["value"] == pytest.approx(count / 36000)
        assert rate["low"] <= rate["value"] <= rate["high"] < 1
        assert (rate["n"], rate["denominator"], rate["level"], rate["games"]) == (36000, "rounds", 0.95, 3000)
    assert (summary["folder"], summary["state"], summary["games_done"]) == ("here", "finished", 3000)
    assert run.rows("rounds").num_rows == 36000
    assert run.rows("games").num_rows == 3000


@pytest.mark.thorough
def test_simulate__run_there_already_then_resumed_and_extended(tmp_path: Path) -> None:
    first = numbluff("simulate", "--games", "1000", "--out", "run", cwd=tmp_path)
    again = numbluff("simulate", "--games", "1000", "--out", "run", cwd=tmp_path)
    assert (first.returncode, again.returncode, again.stdout) == (0, 2, "")
    assert again.stderr.startswith("Error: run already holds a run: num_bluff, 4 players, seed 1")
    assert again.stderr.count("\n") == 1
    assert numbluff("simulate", "--games", "1000", "--out", "run", "--resume", cwd=tmp_path).returncode == 0
    assert numbluff("simulate", "--games", "1500", "--out", "run", "--resume", cwd=tmp_path).returncode == 0
    assert load_run(tmp_path / "run").meta["games_done"] == 1500
    other = numbluff(
        "simulate", "--games", "1500", "--out", "run", "--resume", "--set", "rules.wild_adjusts=both", cwd=tmp_path
    )
    assert other.returncode == 2
    assert 'rules.wild_adjusts was "hidden" and is now "both"' in other.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("--games", "0"),
        ("--games", "1e30"),
        ("--seed", "1.5"),
        ("--players", "7"),
        ("--rows", "all"),
        ("--preset", "documentd"),
        ("--threads", "0"),
    ],
)
def test_simulate__refused_configuration_writes_nothing(tmp_path: Path, args: tuple[str, ...]) -> None:
    done = numbluff("simulate", *args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert args[1] in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_simulate__signal_ends_with_130_and_can_be_resumed(tmp_path: Path, number: signal.Signals) -> None:
    process = held("simulate", "--games", 10**11, "--out", "Run", "--threads", "1", games=20_000, cwd=tmp_path)
    code, out, err = ended(process, number)
    assert (code, out) == (130, "")
    assert re.fullmatch(
        r"Interrupted after [\d,]+ of 100,000,000,000 games; continue with --resume .* \(folder Run\)",
        err.splitlines()[-1],
    )
    assert "Traceback" not in err
    run = load_run(tmp_path / "Run")
    assert run.meta["state"] == "interrupted"
    assert run.tally["games"] == run.meta["games_done"] > 0
    expected = simulate_tally(run.config, run.meta["games_done"])
    assert all((expected[name] == values).all() for name, values in run.tally.items())


def test_simulate__progress_bar_on_a_terminal_only(tmp_path: Path) -> None:
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "simulate", "--games", "3000000", "--out", "run"],
        cwd=tmp_path,
        env={**ENVIRONMENT, "COLUMNS": "160"},
        stderr=inner,
        stdout=subprocess.DEVNULL,
    )
    os.close(inner)
    seen = b""
    try:
        while piece := os.read(outer, 65536):
            seen += piece
    except OSError:  # the other side is closed
        pass
    os.close(outer)
    assert process.wait(timeout=LIMIT) == 0
    text = seen.decode()
    assert "/3000000" in text
    assert "rounds/s" in text
    assert "miroir_parfait" in text


def test_display__lines_with_rate_time_left_and_interval(capsys: pytest.CaptureFixture[str]) -> None:
    config = load(overrides={"run.games": 4000})
    tally = simulate_tally(config, 1000)
    display = SimulateDisplay(config, bar=False, lines=True)
    now = Progress(games_done=1000, games=4000, played=1000, seconds=1.0, copy=lambda: tally)
    display(now)
    assert capsys.readouterr().err == ""
    display.line_at -= 10
    display(now)
    line = capsys.readouterr().err
    assert line.startswith("1,000 of 4,000 games; 0.0 M rounds/s; about 3 seconds left; miroir_parfait 0.0")
    assert line.endswith(" %\n")


def test_compiling_notice__says_once_what_is_compiled_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    @jit.numba.njit
    def inner(x: int) -> int:
        return x + 1

    @jit.numba.njit
    def outer(x: int) -> int:
        return int(inner(x))

    with CompilingNotice(4) as notice:
        assert capsys.readouterr().err == ""
        assert outer(1) == 2
        said = TEXT.format(players=4) + "\n" if jit.COMPILED else ""
        assert capsys.readouterr().err == said
        assert outer(2) == 3
    assert notice.said == ({4} if jit.COMPILED else set())
    inner(1.5)  # compiled after it
    assert capsys.readouterr().err == ""


def test_warmup__compiles_one_count_of_players(tmp_path: Path) -> None:
    done = numbluff("warmup", "--players", "4", "--json", cwd=tmp_path)
    assert done.returncode == 0
    assert list(json.loads(done.stdout)["players"]) == ["4"]
    assert "Kernels for 4 players" in done.stderr
    refused = numbluff("warmup", "--players", "9", cwd=tmp_path)
    assert refused.returncode == 2
    assert "--players" in refused.stderr
