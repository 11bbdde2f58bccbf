"""`numbluff bench` as a user calls it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from numbluff_sim.cli.bench import duration, figure
from tests.conftest import Done

ROOT = Path(__file__).parents[2]


def test_bench__table(numbluff: Callable[..., Done]) -> None:
    done = numbluff("bench", "--workload", "help", "--runs", "2")
    assert done.code == 0
    for text in ("help", "<= 0.4 s", "numbluff --help", "2 cores" if os.cpu_count() == 2 else "cores", "numba"):
        assert text in done.out
    assert "met" in done.out or "missed" in done.out
    assert "[1/1] help" in done.err


def test_bench__json(numbluff: Callable[..., Done]) -> None:
    done = numbluff("bench", "--workload", "help", "--runs", "3", "--quick", "--json")
    found = json.loads(done.out)
    assert (done.code, found["quick"], found["interrupted"]) == (0, True, False)
    assert found["machine"]["versions"]["python"].startswith("3.")
    (result,) = found["results"]
    assert (result["workload"], result["unit"], len(result["samples"])) == ("help", "s", 3)
    assert result["value"] == sorted(sample["value"] for sample in result["samples"])[1]


def test_bench__unknown_workload(numbluff: Callable[..., Done]) -> None:
    done = numbluff("bench", "--workload", "tally")
    assert (done.code, done.out) == (2, "")
    assert 'Did you mean "tallies"?' in done.err
    assert "Traceback" not in done.err


def test_bench__says_that_there_is_no_compiler(
    numbluff: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    done = numbluff("bench", "--workload", "tallies", "--quick")
    assert done.code == 0
    assert "not measured" in done.out
    assert "no C compiler found" in done.out


def test_bench__interrupt_shows_what_was_measured() -> None:
    command = [
        sys.executable,
        "-m",
        "numbluff_sim",
        "bench",
        "--workload",
        "help",
        "--workload",
        "memory-rows",
        "--runs",
        "1",
    ]
    process = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    while "[2/2]" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "numbluff --help" in out
    assert "interrupted" in out


def test_figures() -> None:
    assert [figure(value) for value in (10.04, 0.0567, 123.4, 1e6, -0.5)] == [
        "10.0",
        "0.0567",
        "123",
        "1e+06",
        "-0.500",
    ]
    assert [duration(seconds) for seconds in (0.2, 45, 600)] == ["1 s", "45 s", "10 min"]
