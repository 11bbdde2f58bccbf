"""Says that kernels are being compiled, when they are: without a word a command would seem to hang."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Self

import click

from numbluff_sim.run.compiling import told_of_compiling

#: Compiling cannot be interrupted: LLVM does not look for signals.
TEXT = (
    "Compiling kernels for {players} players: 20 s to a minute on most machines (Ctrl-C takes effect when it "
    "is done) ..."
)


class CompilingNotice:
    """Within `with`, one line on stderr when Numba begins to compile; loading compiled kernels from the cache is not
    told.

    `players` may be changed on the way, for a line of its own; `said` holds those told.
    """

    def __init__(self, players: int = 0) -> None:
        self.players = players
        self.said: set[int] = set()
        self._listening = ExitStack()

    def __enter__(self) -> Self:
        self._listening.enter_context(told_of_compiling(self.compiling))
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def compiling(self) -> None:
        """A kernel, or a function in it, begins to be compiled."""
        if self.players not in self.said:
            self.said.add(self.players)
            click.echo(TEXT.format(players=self.players), err=True)
