"""How often the winner comes from behind where the rounds of a game stand in random order: what chance alone gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate
from numbluff_sim.analysis.statistics.intervals import proportion

if TYPE_CHECKING:
    from numbluff_sim.analysis.report.measured_runs import ReportedRun

#: Games whose rounds are put in another order: half a percentage point of error.
GAMES = 40_000


def in_random_order(run: ReportedRun) -> Estimate | None:
    """Of games with a sole winner, those in which it is not in the lead after half of the rounds when the games' own
    rounds come in an order drawn at random (by the run's seed). None for a run without rows of rounds.
    """
    rows: Any = getattr(run, "rows", None)
    if rows is None or run.meta.get("rows") != "rounds":
        return None
    seats = [f"points_{seat}" for seat in range(run.config.players)]
    table = rows("rounds", ["game", *seats], range(min(GAMES, int(run.meta["games_done"]))))
    points = np.stack([table.column(seat).to_numpy() for seat in seats], axis=1).astype(np.int64)
    game = table.column("game").to_numpy()
    order = np.lexsort((np.random.default_rng(run.config.run.seed).random(len(game)), game))
    comebacks, sole = count_comebacks(game, points[order], run.config.rounds // 2)
    return proportion("comeback_share_in_random_order", comebacks, sole, denominator="sole winners", games=sole).at(
        ALPHA
    )


def count_comebacks(game: NDArray[np.int64], points: NDArray[np.int64], half: int) -> tuple[int, int]:
    """Comebacks and games with a sole winner: `game` (N,) rising, `points` (N, seats) a round, those of a game in
    their order; the lead is looked at after `half` rounds.
    """
    starts = np.flatnonzero(np.diff(game, prepend=-1))
    number = np.arange(len(game)) - np.repeat(starts, np.diff(starts, append=len(game)))
    total = np.add.reduceat(points, starts)
    early = np.add.reduceat(points * (number < half)[:, None], starts)
    sole = (total == total.max(axis=1, keepdims=True)).sum(axis=1) == 1
    winner = total.argmax(axis=1)
    behind = early.max(axis=1) > early[np.arange(len(early)), winner]
    return int((behind & sole).sum()), int(sole.sum())
