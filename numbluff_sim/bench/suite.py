"""Every workload with its target, in the order they run: the speed and memory that the project promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from numbluff_sim.bench import open_spiel, speed, whatif, whole
from numbluff_sim.bench.lab import Sizes, workloads_of
from numbluff_sim.bench.measuring import Threshold, Workload
from numbluff_sim.errors import UserError, nearest_name

if TYPE_CHECKING:
    from numbluff_sim.config import Config
    from numbluff_sim.contract.game import Game

#: How much larger a long run's peak memory may be than a short one's and still count as the same.
SAME_MEMORY = 1.1


def suite(sizes: Sizes, entry: Game[Config]) -> list[Workload]:
    """A game's workloads. Whole commands shorter than 10^9 rounds are measured but not judged: start-up would
    decide.
    """
    plays = workloads_of(entry)
    found = [
        *_rounds(sizes),
        *(_ways(sizes) if plays.ways() else []),
        *(_public(sizes) if plays.open_spiel and open_spiel.installed() else []),
        *_rows(sizes),
        *_commands(sizes),
        *_whatifs(sizes),
        *_memory(sizes),
    ]
    return [_bounded(workload, plays.bounds) for workload in found]


def _bounded(workload: Workload, bounds: Mapping[str, float | None]) -> Workload:
    """The workload with the game's own bound, if it has one."""
    if workload.name not in bounds:
        return workload
    bound = bounds[workload.name]
    return (
        replace(workload, judged=False)
        if bound is None
        else replace(workload, target=replace(workload.target, bound=bound, aim=None))
    )


def _ways(sizes: Sizes) -> list[Workload]:
    pairs = 2 * 5 * max(3, sizes.runs // 2) * sizes.seconds
    return [
        Workload(
            "tables",
            "default play, 1 thread, each number of players: times the yardstick's rounds per CPU second",
            "x",
            at_least(4),
            pairs + 10,
            speed.tables,
            needs_yardstick=True,
            worst=True,
        ),
        Workload(
            "threshold",
            "threshold play, 1 thread: decisions per second as a share of the default play's",
            "x",
            at_least(1 / 3),
            pairs / 5,
            speed.simplest_way,
        ),
        Workload(
            "ways",
            "each way of playing, 1 thread: decisions per second as a share of the default play's",
            "x",
            at_least(0),
            pairs,
            speed.ways,
            worst=True,
            judged=False,
        ),
    ]


def _public(sizes: Sizes) -> list[Workload]:
    return [
        Workload(
            "open-spiel",
            "random play, 1 thread: decisions per second, times those of OpenSpiel's game from its Python loop",
            "x",
            at_least(100),
            2 * max(3, sizes.runs // 2) * sizes.seconds + 5,
            open_spiel.random_play,
        )
    ]


def _rounds(sizes: Sizes) -> list[Workload]:
    pairs = sizes.runs * 2 * sizes.seconds
    return [
        Workload(
            "tallies",
            "default play, all tallies, 1 thread: times the yardstick's rounds per CPU second",
            "x",
            at_least(9, aim=13),
            pairs + 3,
            speed.tallies,
            needs_yardstick=True,
        ),
        Workload("threads", "2 threads: times the rounds per second of 1", "x", at_least(1.85), pairs, speed.threads),
        Workload(
            "mixed",
            "every persona feature, 1 thread: times the yardstick's rounds per CPU second",
            "x",
            at_least(2.5),
            pairs + 2,
            speed.mixed,
            needs_yardstick=True,
        ),
        Workload(
            "rulings",
            "mixed play, each ruling's alternative: cost of a round over the usual rules'",
            "x",
            at_most(1.5),
            140 * sizes.seconds,
            speed.rulings,
            worst=True,
        ),
        Workload(
            "players",
            "default play, 6 players: cost of a round over 5 players'",
            "x",
            at_most(2),
            pairs + 3,
            speed.many_players,
        ),
        Workload(
            "players-mixed",
            "mixed play, 6 players: cost of a round over 5 players'",
            "x",
            at_most(2),
            pairs + 3,
            speed.many_players_mixed,
        ),
    ]


def _rows(sizes: Sizes) -> list[Workload]:
    written = sizes.runs * sizes.written_rounds
    return [
        Workload(
            "rows-games",
            "--rows games, 1 thread: CPU time it adds to a round",
            "ns",
            at_most(30),
            written * 1e-7,
            speed.game_rows,
        ),
        Workload(
            "rows-rounds",
            "--rows rounds, 2 threads: rows written per second through PyArrow",
            "M/s",
            at_least(2),
            written * 3e-7,
            speed.round_rows,
        ),
    ]


def _commands(sizes: Sizes) -> list[Workload]:
    rounds, compilations = sizes.command_rounds, max(1, sizes.command_runs - 1)
    return [
        Workload(
            "command",
            f"whole command, {rounds:.0e} rounds, 2 threads: times faster than the yardstick by wall clock",
            "x",
            at_least(7),
            sizes.command_runs * rounds * 5.2e-8,
            whole.command,
            needs_yardstick=True,
            judged=rounds >= 10**9,
        ),
        Workload("cold", "compiling the kernels of one player count", "s", at_most(20), 25 * compilations, whole.cold),
        Workload("cold-memory", "peak memory of compiling", "MB", at_most(600), 25, whole.cold_memory),
        Workload("help", "numbluff --help", "s", at_most(0.4), 0.1 * sizes.runs, whole.start),
        Workload(
            "start",
            "numbluff simulate --games 1000, warm cache",
            "s",
            at_most(1.5),
            1.5 * sizes.runs,
            whole.first_games,
        ),
        Workload("tweak", "first game with another deck: time it adds", "s", at_most(1), 3 * sizes.runs, whole.tweak),
    ]


def _whatifs(sizes: Sizes) -> list[Workload]:
    rounds, games = sizes.command_rounds, sizes.point_games
    return [
        Workload(
            "compare",
            f"comparing two configurations, {rounds:.0e} rounds each, 2 threads: times the tally of one",
            "x",
            at_most(2.3),
            sizes.command_runs * rounds * 1.5e-8,
            whatif.comparison,
            judged=rounds >= 10**9,
        ),
        Workload(
            "sweep",
            f"sweep of 100 points of {games:.0e} games, tables included, 2 threads: times its points' tallies",
            "x",
            at_most(1.15),
            sizes.command_runs * games * 8e-6,
            whatif.sweep,
            judged=games >= 5_000_000,
        ),
    ]


def _memory(sizes: Sizes) -> list[Workload]:
    short, long, rows = (f"{rounds:.0e}" for rounds in (sizes.small_rounds, sizes.command_rounds, sizes.row_rounds))
    same = at_most(SAME_MEMORY)
    return [
        Workload("memory", f"peak memory, {long} rounds without rows", "MB", at_most(600), 1, whole.memory),
        Workload("memory-same", f"peak memory, {long} over {short} rounds, without rows", "x", same, 2, whole.growth),
        Workload(
            "memory-rows",
            f"peak memory, {rows} rounds with round rows",
            "MB",
            at_most(600),
            sizes.row_rounds * 5e-7,
            whole.memory_rows,
        ),
        Workload(
            "memory-rows-same",
            f"peak memory, {rows} over {short} rounds, with round rows",
            "x",
            same,
            3,
            whole.growth_rows,
        ),
    ]


def at_least(bound: float, aim: float | None = None) -> Threshold:
    """A target that values must reach."""
    return Threshold(bound, aim=aim)


def at_most(bound: float) -> Threshold:
    """A target that values must not exceed."""
    return Threshold(bound, at_most=True)


def chosen(workloads: Sequence[Workload], names: Sequence[str]) -> list[Workload]:
    """The workloads of these names, in the suite's order; all for none. Raises UserError for a name that is none."""
    known = [workload.name for workload in workloads]
    for name in names:
        if name not in known:
            near = nearest_name(name, known)
            raise UserError(
                f'"{name}" is not a workload; expected one of {", ".join(known)}.'
                + (f' Did you mean "{near}"?' if near else "")
            )
    return [workload for workload in workloads if not names or workload.name in names]
