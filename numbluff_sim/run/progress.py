"""How far something that plays is: one type for runs, comparisons, sweeps, searches, calibrations and pilots."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numbluff_sim.config import Config
    from numbluff_sim.contract.game import Tally
    from numbluff_sim.run.playing import How


@dataclass(frozen=True)
class Progress:
    """How far it is. A work has steps (points, variants, trials, jobs; a run is one), a step has games.

    `what`: what is being done, in a word or the name of the configuration; `steps_done` of `steps`; `games_done` of
    `games` of the present step (0 of 0 where steps are counted alone); `played`: games played by this process since
    `seconds`; `config`: the configuration being played; `notice`: what else there is to say; `nearest`: the smallest
    distance from the targets so far, of a search.
    """

    what: str = ""
    steps_done: int = 0
    steps: int = 1
    games_done: int = 0
    games: int = 0
    played: int = 0
    seconds: float = 0.0
    config: Config | None = None
    notice: str = ""
    nearest: float = math.inf
    #: Copies the sums of the games done of the present step; called when somebody looks, for a copy costs time.
    copy: Callable[[], Tally] | None = field(default=None, repr=False, compare=False)

    @property
    def tally(self) -> Tally | None:
        """The exact tally of the games done of the present step, where it plays towards one."""
        return None if self.copy is None else self.copy()

    @property
    def games_per_second(self) -> float:
        """The rate of this process; 0 before the first games."""
        return self.played / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float:
        """The part of the work that is done, 0 to 1, all steps taken to be equal."""
        return (self.steps_done + (self.games_done / self.games if self.games else 0.0)) / max(self.steps, 1)

    @property
    def seconds_left(self) -> float:
        """At the present rate; infinite before anything is done."""
        if not self.games:
            return self.seconds / self.steps_done * (self.steps - self.steps_done) if self.steps_done else math.inf
        left = (self.steps - self.steps_done) * self.games - self.games_done
        return left / self.games_per_second if self.games_per_second else math.inf


Tell = Callable[[Progress], None]
DURATIONS = ((365 * 86400.0, "years"), (86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (0.0, "seconds"))


def in_words(seconds: float) -> str:
    """A duration with its largest sensible unit: "3 hours", "15 years"."""
    unit, name = next((unit, name) for unit, name in DURATIONS if seconds >= 1.5 * unit)
    return f"{seconds / (unit or 1.0):,.0f} {name}"


class Steps:
    """The progress of a work of several steps: what a step's play tells becomes what the whole tells.

    A step is to be played with `of(how)`.
    """

    def __init__(self, tell: Tell | None, steps: int) -> None:
        self._tell, self._start = tell, time.monotonic()
        self._now = Progress(steps=steps)
        self._before = self._done = 0

    @property
    def played(self) -> int:
        """Games played so far in this process."""
        return self._now.played

    @property
    def done(self) -> int:
        """Steps done."""
        return self._done

    def begin(self, what: str, done: int, steps: int | None = None, *, config: Config | None = None) -> None:
        """The next step begins: what it is, and how many are done."""
        self._before, self._done = self._now.played, done
        self._now = dataclasses.replace(
            self._now,
            what=what,
            steps_done=done,
            steps=self._now.steps if steps is None else steps,
            games_done=0,
            games=0 if config is None else config.run.games,
            config=config,
            copy=None,
        )
        self._show()

    def tell(self, of_step: Progress) -> None:
        """What the present step tells."""
        self._now = dataclasses.replace(
            self._now,
            steps_done=self._done + of_step.steps_done,
            games_done=of_step.games_done,
            games=of_step.games,
            played=self._before + of_step.played,
            config=of_step.config or self._now.config,
            notice=of_step.notice,
            copy=of_step.copy,
        )
        self._show()

    def end(self) -> None:
        """The step is done."""
        self._done += 1

    def of(self, how: How) -> How:
        """How the present step is to be played: as the whole, telling this."""
        return {**how, "progress": self.tell}

    def nearest(self, distance: float) -> None:
        """A search has come so near."""
        self._now = dataclasses.replace(self._now, nearest=distance)

    def _show(self) -> None:
        if self._tell is not None:
            self._tell(dataclasses.replace(self._now, seconds=time.monotonic() - self._start))
