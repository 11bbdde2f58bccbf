"""How the command ends when it does not end by itself: errors in the program, signals, readers that go away."""

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

from numbluff_sim.cli.main import COMMANDS
from numbluff_sim.errors import CheckoutError, refuse_without_links
from tests.common.held import LIMIT

Numbluff = Callable[..., Any]
ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from numbluff_sim.cli.main import run; run()"]
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"},
    "PYTHONPATH": str(ROOT),
}


@pytest.mark.parametrize("debug", [False, True])
def test_run__an_error_in_the_program_is_70_in_one_paragraph(
    numbluff: Numbluff, monkeypatch: pytest.MonkeyPatch, debug: bool
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("lo\nst")

    monkeypatch.setattr("numbluff_sim.config.load", broken)
    monkeypatch.setenv("NUMBLUFF_DEBUG", "1" if debug else "0")
    done = numbluff("config", "show")
    assert (done.code, done.out) == (70, "")
    assert ("Traceback" in done.err) == debug
    assert "ValueError: lo st" in done.err
    assert "please report" in done.err
    assert debug or done.err.count("\n") == 1


def test_run__leaves_the_signals_as_they_were(numbluff: Numbluff) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)]
    assert numbluff("config", "validate").code == 0
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)] == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_run__signal_ends_a_replay_with_130(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*COMMAND, "replay", "--index", "0..200", "--json"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(number)
    _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert err.split() == [b"Interrupted."]


def test_run__nohup_holds() -> None:
    process = subprocess.Popen(
        [*COMMAND, "replay", "--index", "0..3", "--json"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    rest, _ = process.communicate(timeout=60)
    assert (process.returncode, (first + rest).count(b"\n")) == (0, 4)


def test_run__reader_that_goes_away_ends_it_without_a_word() -> None:
    process = subprocess.Popen(
        [*COMMAND, "replay", "--index", "0..200", "--json"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(timeout=LIMIT) == -signal.SIGPIPE  # a shell says 141


@pytest.mark.parametrize("name", COMMANDS)
def test_run__every_command_is_there(numbluff: Numbluff, name: str) -> None:
    done = numbluff(name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: numbluff {name} ")


def test_checkout_without_links__is_told_in_a_sentence(tmp_path: Path) -> None:
    refuse_without_links(ROOT / "numbluff_sim")
    (tmp_path / "kernels").write_text("../kernels", encoding="utf-8")
    with pytest.raises(CheckoutError, match=r"kernels is a text file in the place of a link .* core.symlinks=true"):
        refuse_without_links(tmp_path)


def test_warmup__clear_removes_what_is_kept(
    numbluff: Numbluff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "cache" / "toy-0123456789abcdef" / "a.1.nbc"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"0" * 2_500_000)
    monkeypatch.setenv("NUMBLUFF_CACHE_DIR", str(tmp_path / "cache"))
    done = numbluff("warmup", "--clear", "--json")
    assert (done.code, json.loads(done.out)["bytes"]) == (0, 2_500_000)
    assert done.err == f"2.5 MB were kept in {tmp_path / 'cache'}, and are removed.\n"
    assert not kept.parent.exists()
    assert numbluff("warmup", "--clear").err == "Nothing is kept.\n"


@pytest.mark.parametrize(
    "command", ["simulate", "rulings documented", "what-if-one plays_to_win", "tune x.toml", "sweep x.toml"]
)
def test_out__an_empty_name_is_not_this_folder(numbluff: Numbluff, command: str) -> None:
    done = numbluff(*command.split(), "--out", "")
    assert done.code == 2
    assert "the name of the folder is empty; expected a folder" in " ".join(done.err.split())
