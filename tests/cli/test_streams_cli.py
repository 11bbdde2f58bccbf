"""Outputs that are narrow, closed or full, and names of files that are no text: the command's own exit code holds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from numbluff_sim.run.store import load_run

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from numbluff_sim.cli.main import run; run()"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
#: A name in Latin-1, which is no text where names are UTF-8.
NO_TEXT = os.fsdecode(b"caf\xe9")


def call(*args: str, shell: str = '"$@"', **environment: str) -> tuple[int, bytes, bytes]:
    """Exit code and what is printed of a command that a shell starts, with some of its outputs led elsewhere."""
    done = subprocess.run(
        ["sh", "-c", shell, "sh", *COMMAND, *args],
        env={**ENVIRONMENT, **environment},
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_output__letters_that_an_encoding_lacks_are_replaced(encoding: str) -> None:
    code, out, err = call("replay", "--seed", "1", "--index", "7", "--lang", "fr", PYTHONIOENCODING=encoding)
    assert (code, err) == (0, b"")
    assert (b"?" in out) == (encoding != "ascii")  # an ASCII one is believed by nobody: click writes UTF-8
    assert len(out.splitlines()) > 10


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&-", ">&- 2>&-"])
def test_output__closed_ones_lead_nowhere(closed: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    code, _, err = call("simulate", "--games", "64", "--rows", "games", "--out", str(out), shell=f'"$@" {closed}')
    assert (code, b"Error" in err) == (0, False)
    assert load_run(out).rows("games").num_rows == 64


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_output__full_ones_are_said_where_they_can_be() -> None:
    code, _, err = call("config", "show", shell='"$@" >/dev/full')
    assert (code, err) == (2, b"Error: standard output cannot be written: No space left on device.\n")
    assert call("config", "show", "--players", "99", shell='"$@" 2>/dev/full')[0] == 2
    assert call("replay", "--index", "3", shell='"$@" 2>/dev/full')[0] == 0


@pytest.mark.skipif(sys.platform == "darwin", reason="its file system takes no such names")
def test_names_of_files_that_are_no_text(tmp_path: Path) -> None:
    folder = tmp_path / NO_TEXT
    args = ("simulate", "--games", "64", "--rows", "games", "--out", str(folder))
    assert call(*args)[0] == 0
    assert load_run(folder).rows("games").num_rows == 64
    assert "caf?" in load_run(folder).meta["command"]
    code, out, _ = call(*args, "--resume", PYTHONIOENCODING="utf-8")
    assert (code, b"caf?" in out) == (0, True)
    code, _, err = call(*args)
    assert (code, b"already holds a run" in err) == (2, True)


def test_end_of_input_in_the_program__is_no_interruption(numbluff: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object, **__: object) -> None:
        raise EOFError("Ran out of input")

    monkeypatch.setattr("numbluff_sim.config.load", ended)
    done = numbluff("config", "show")  # type: ignore[operator]
    assert (done.code, "EOFError: Ran out of input" in done.err) == (70, True)
