"""How far a command of many configurations is: a bar on a terminal, else a line now and then; and that kernels are
compiled.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Self

import click

from numbluff_sim.cli.compiling import CompilingNotice

#: Seconds between two lines where there is no terminal.
LINE_EVERY = 5.0


class Display:
    """Within `with`, shows what `show` is told. `bar`: whether stderr is a terminal, found out if not said."""

    def __init__(self, players: int = 0, *, bar: bool | None = None) -> None:
        self.compiling = CompilingNotice(players)
        self._bar: Any = _new_bar() if (sys.stderr.isatty() if bar is None else bar) else None
        self._line_at = time.monotonic()

    def __enter__(self) -> Self:
        self.compiling.__enter__()
        if self._bar is not None:
            self._bar.start()
            self._bar.add_task("", total=None, more="")
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.compiling.__exit__()

    def stop(self) -> None:
        """End the display."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def show(self, done: float, total: float, what: str, more: str = "") -> None:
        """Show that `done` of `total` is done: what is being done, and more about it."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=max(total, 1), description=what, more=more)
        elif time.monotonic() - self._line_at >= LINE_EVERY:
            self._line_at = time.monotonic()
            click.echo("; ".join(part for part in (what, more) if part), err=True)


def _new_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(None),
        TextColumn("{task.fields[more]}"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
    )
