"""How far a command that plays is: a bar on a terminal, else a line now and then; and that kernels are compiled."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import click

from numbluff_sim.cli.shared.compiling import CompilingNotice

if TYPE_CHECKING:
    from numbluff_sim.run.progress import Progress

#: Seconds between two lines where there is no terminal.
LINE_EVERY = 5.0
#: Letters of a configuration's name that are shown.
MOST_LETTERS = 40


@dataclass(frozen=True)
class Shown:
    """What is shown of a progress: `done` of `total`; what is being done, the rate, the seconds left (infinite: not
    known) and what more there is to say. `short`: what is being done, beside a bar.
    """

    done: float
    total: float
    what: str
    rate: str = ""
    left: float = math.inf
    more: str = ""
    short: str = ""


class Display:
    """Within `with`, shows the progress that it is called with.

    `bar`: whether stderr is a terminal, found out if not said. `lines`: whether there are lines where it is none.
    """

    def __init__(self, players: int = 0, *, bar: bool | None = None, lines: bool = True) -> None:
        self.compiling = CompilingNotice(players)
        self.bar: Any = _new_bar() if (sys.stderr.isatty() if bar is None else bar) else None
        self.lines = lines
        self.line_at = time.monotonic()
        self._notice = ""

    def __enter__(self) -> Self:
        self.compiling.__enter__()
        if self.bar is not None:
            self.bar.start()
            self.bar.add_task("", total=None, rate="", more="")
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
        self.compiling.__exit__()

    def __call__(self, progress: Progress) -> None:
        """Show this state."""
        if progress.config is not None:
            self.compiling.players = progress.config.players
        if progress.notice != self._notice:
            self._notice = progress.notice
            self.say(progress.notice)
        if self.bar is not None:
            shown = self.shown(progress)
            self.bar.update(
                self.bar.task_ids[0],
                completed=shown.done,
                total=max(shown.total, 1),
                description=shown.short or shown.what,
                rate=shown.rate,
                more=shown.more,
            )
        elif self.lines and time.monotonic() - self.line_at >= LINE_EVERY:
            self.line_at = time.monotonic()
            self.say(_line(self.shown(progress)))

    def say(self, text: str) -> None:
        """A line on stderr, above the bar if there is one."""
        if text and self.bar is not None:
            self.bar.console.print(text, highlight=False, markup=False)
        elif text:
            click.echo(text, err=True)

    def shown(self, progress: Progress) -> Shown:
        """What is shown of a progress: steps done, and what is being done."""
        return Shown(
            progress.share * progress.steps,
            progress.steps,
            progress.what,
            f"{min(progress.steps_done + bool(progress.games), progress.steps):,} of {progress.steps:,}",
        )


class StepsDisplay(Display):
    """Shows the configuration being played, of how many, and the rate."""

    def shown(self, progress: Progress) -> Shown:
        """Such as: 3/20 last_tie = random; 1.2 M games/s."""
        return Shown(
            progress.share * progress.steps,
            progress.steps,
            f"{progress.steps_done + 1}/{progress.steps} {progress.what[:MOST_LETTERS]}",
            games_rate(progress),
            progress.seconds_left,
        )


class RunDisplay(Display):
    """Shows the games done of one configuration, and the rate."""

    def shown(self, progress: Progress) -> Shown:
        """Such as: pilot; 120,000 of 2,000,000 games."""
        games = f"{progress.games_done:,} of {progress.games:,} games"
        return Shown(progress.games_done, progress.games, progress.what, games)


def games_rate(progress: Progress) -> str:
    """Speed in games."""
    return f"{progress.games_per_second / 1e6:.1f} M games/s"


def _line(shown: Shown) -> str:
    from numbluff_sim.run.progress import in_words

    left = f"about {in_words(shown.left)} left" if math.isfinite(shown.left) else ""
    return "; ".join(part for part in (shown.what, shown.rate, left, shown.more) if part)


def _new_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(None),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[more]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )


def echo_json(value: Any) -> None:
    """A result on stdout as JSON (`encoding.json_text`)."""
    from numbluff_sim.encoding import json_text  # what it needs takes longer to load than an error to be told

    click.echo(json_text(value), nl=False)
