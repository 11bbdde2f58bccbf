"""`numbluff bench` as a user calls it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from numbluff_sim.bench import whole
from numbluff_sim.bench.lab import Lab
from numbluff_sim.bench.measuring import Timing
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


def test_bench__interrupt_shows_what_was_measured(
    numbluff: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(lab: Lab) -> Iterator[Timing]:
        signal.raise_signal(signal.SIGINT)
        yield Timing(1.0, {})

    monkeypatch.setattr(whole, "memory_rows", interrupted)
    done = numbluff("bench", "--workload", "help", "--workload", "memory-rows", "--runs", "1")
    assert done.code == 130
    assert "[2/2] memory-rows" in done.err
    assert "Interrupted: this was measured until then." in done.err
    assert "numbluff --help" in done.out
    assert "interrupted" in done.out


def test_figures() -> None:
    assert [figure(value) for value in (10.04, 0.0567, 123.4, 1e6, -0.5)] == [
        "10.0",
        "0.0567",
        "123",
        "1e+06",
        "-0.500",
    ]
    assert [duration(seconds) for seconds in (0.2, 45, 600)] == ["1 s", "45 s", "10 min"]
