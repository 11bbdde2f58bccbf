"""How large a sweep is, before it is played: points, games, time on this machine; very large ones are refused."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from numbluff_sim.config import Config
from numbluff_sim.errors import RunError
from numbluff_sim.run.playing import How, simulate_tally
from numbluff_sim.run.progress import in_words
from numbluff_sim.studies.question.designs import Design
from numbluff_sim.studies.sweep.asked import Sweep
from numbluff_sim.studies.sweep.folder import POINTS_FOLDER

#: More points than this, or more seconds, need a yes.
MOST_POINTS, MOST_SECONDS = 2_000, 3600.0
#: Games that no machine needs an hour for: below them nothing is measured.
SURELY_QUICK = 1_000_000_000
#: Seconds of play that the rate is measured in, and games played before, which load or compile the kernels.
PILOT_SECONDS, FIRST_GAMES = 0.4, 6_400


@dataclass(frozen=True)
class Size:
    """What is left of a sweep: points (none of them built), games of each, and games a second on this machine (0:
    not measured).
    """

    points: int
    games: int
    games_per_second: float

    @property
    def seconds(self) -> float:
        """Time it takes; 0 if the rate was not measured."""
        return self.points * self.games / self.games_per_second if self.games_per_second else 0.0

    @property
    def large(self) -> bool:
        """Whether somebody should be asked first."""
        return self.points > MOST_POINTS or self.seconds > MOST_SECONDS


def size_of(sweep: Sweep, design: Design, out: Path, **how: Unpack[How]) -> Size:
    """The size of what is left to play of a sweep; the rate is measured by a short pilot where it may matter."""
    folder = out / POINTS_FOLDER
    left = max(design.count - (sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0), 0)
    games = sweep.settings.games
    rate = pilot(sweep.question.base, how) if left > MOST_POINTS or left * games > SURELY_QUICK else 0.0
    return Size(left, games, rate)


def pilot(config: Config, how: How) -> float:
    """Games a second of a configuration where it is to be played, measured in about half a second."""
    executor, stop = how.get("executor"), how.get("stop")
    simulate_tally(config, FIRST_GAMES, executor=executor, stop=stop)
    games, played, start = FIRST_GAMES, 0, time.perf_counter()
    while time.perf_counter() - start < PILOT_SECONDS:
        simulate_tally(config, games, executor=executor, stop=stop)
        played += games
        games *= 2
    return played / (time.perf_counter() - start)


def refuse_large(size: Size, where: str) -> None:
    """Raise RunError for a large sweep, saying how many points and how long it takes there."""
    if size.large:
        raise RunError(
            f"this sweep has {size.points:,} points to play with {size.games:,} games each: about "
            f"{in_words(size.seconds)} at "
            f"{size.games_per_second / 1e6:.2g} million games a second ({where}). "
            'Give --yes to play it, or fewer values, a coarser step, design = "sobol" with few points, or '
            "fewer --games."
        )
