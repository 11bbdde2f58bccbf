"""Commands measured as a user meets them: in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SPAWN = Path(__file__).with_name("spawn.py")
#: Measured commands have a group of their own, so that they can be ended with all that they have started.
OWN_GROUP: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}


class ChildError(RuntimeError):
    """A measured command did not end with 0."""


@dataclass(frozen=True)
class Child:
    """What a command took: wall and CPU seconds (of all its threads), peak memory in MB, what it wrote to stderr. CPU
    and memory are nan on Windows, which does not count them.
    """

    seconds: float
    cpu: float
    peak_mb: float
    err: str


def numbluff(*args: str, cwd: Path, environment: Mapping[str, str] | None = None) -> Child:
    """Run `numbluff` with arguments in the folder `cwd`."""
    return run_command([sys.executable, "-m", "numbluff_sim", *args], cwd, environment)


def run_command(command: Sequence[str], cwd: Path, environment: Mapping[str, str] | None = None) -> Child:
    """Run and measure a command; whatever interrupts the waiting ends the command too. Raises ChildError where it
    fails.
    """
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(SPAWN), *command],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        text=True,
        **OWN_GROUP,
    )
    try:
        out, _ = process.communicate()
    except BaseException:
        _end(process)
        process.wait()
        raise
    facts = json.loads(out)
    if facts.pop("code") != 0:
        raise ChildError(f"{' '.join(command)} failed: {facts['err'].strip()[-500:]}")
    return Child(**facts)


def _end(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        if OWN_GROUP:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
