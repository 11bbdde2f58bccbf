"""What all tests share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

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
