"""What all tests share."""

from __future__ import annotations

import io
import signal
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

if threading.current_thread() is threading.main_thread():
    # a shell starts what runs in the background without SIGINT, `nohup` without SIGHUP, and every process that a test
    # starts would inherit it
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (getattr(signal, "SIGHUP", None), signal.SIG_DFL),
    ):
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)

settings.register_profile(
    "numbluff", deadline=None, derandomize=True
)  # the same examples on every machine; compiling takes its time
settings.load_profile("numbluff")


@dataclass(frozen=True)
class Done:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


def called(*args: object) -> Done:
    """Run `numbluff` with arguments in this process, error handling included: for fixtures that several tests share."""
    from numbluff_sim.cli.main import run

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
        run([str(a) for a in args])
    code = end.value.code
    assert isinstance(code, int)
    return Done(code, out.getvalue(), err.getvalue())


@pytest.fixture
def undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without their pictures, which take most of a page's time: for tests of everything else. In a module that
    uses it throughout, tests marked `pictures` draw them.
    """
    if request.node.get_closest_marker("pictures") is None:
        blank = '<svg role="img"></svg>'
        monkeypatch.setattr("numbluff_sim.analysis.report.page._draw", lambda picture: (blank, {}))


@pytest.fixture
def numbluff(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run `numbluff` with arguments in this process, error handling included."""
    from numbluff_sim.cli.main import run

    def call(*args: object) -> Done:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            run([str(a) for a in args])
        out, err = capsys.readouterr()
        code = end.value.code
        assert isinstance(code, int)
        return Done(code, out, err)

    return call
