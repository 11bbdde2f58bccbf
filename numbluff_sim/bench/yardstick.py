"""The yardstick: the same game in plain C, compiled on this machine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

#: As a good C programmer would compile it.
FLAGS = ("-O3", "-march=native", "-pthread")
COMPILERS = ("cc", "gcc", "clang")


def find_compiler() -> str | None:
    """$CC, or the first of cc, gcc and clang that is there; None where there is none."""
    return next(
        (path for name in (os.environ.get("CC", ""), *COMPILERS) if name and (path := shutil.which(name))), None
    )


@dataclass(frozen=True)
class Yardstick:
    """The C program of a game for one number of players, compiled into `folder` when it first runs."""

    compiler: str
    source: Path
    folder: Path
    players: int

    @cached_property
    def program(self) -> Path:
        """The compiled program."""
        program = self.folder / f"yardstick-{self.players}"
        subprocess.run(
            [self.compiler, *FLAGS, f"-DN={self.players}", "-o", str(program), str(self.source)],
            check=True,
            capture_output=True,
        )
        return program

    def run(self, games: int, threads: int = 1, seed: int = 1) -> dict[str, Any]:
        """What the program prints: ns a round (CPU of all threads, and wall), shares of events, points by seat."""
        done = subprocess.run(
            [str(self.program), str(games), str(threads), str(seed)], check=True, capture_output=True, text=True
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def compiler_version(compiler: str) -> str:
    """First line of what the compiler says of itself."""
    return subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout.partition("\n")[0]
