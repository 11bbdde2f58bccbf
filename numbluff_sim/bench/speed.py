"""Workloads inside this process: what a round costs, of one way of playing against another or against the yardstick."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from numbluff_sim.bench.lab import Lab, remove
from numbluff_sim.bench.measuring import Timing

if TYPE_CHECKING:
    from numbluff_sim.config import Config


def _against_yardstick(lab: Lab, config: Config) -> Iterator[Timing]:
    games = lab.yardstick_games()
    lab.cpu_ns(config)
    for _ in range(lab.sizes.runs):
        theirs, ours = lab.yardstick.run(games)["ns_per_round_cpu"], lab.cpu_ns(config)
        yield Timing(theirs / ours, {"yardstick ns": theirs, "ns": ours})


def tallies(lab: Lab) -> Iterator[Timing]:
    """All tallies of the default play against the yardstick, one thread each: ratio of CPU time a round."""
    yield from _against_yardstick(lab, lab.default)


def tables(lab: Lab) -> Iterator[Timing]:
    """As tallies, for each number of players that the yardstick plays; a sample is the median of its pairs."""
    for players in lab.plays.counts:
        config, yardstick = lab.plays.default(players), lab.yardstick_for(players)
        lab.cpu_ns(config)
        pairs = [
            (yardstick.run(lab.yardstick_games())["ns_per_round_cpu"], lab.cpu_ns(config))
            for _ in range(max(3, lab.sizes.runs // 2))
        ]
        theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
        yield Timing(
            statistics.median(a / b for a, b in pairs), {"yardstick ns": theirs, "ns": ours}, f"{players} players"
        )


def _decisions_against_default(lab: Lab, config: Config) -> tuple[float, float]:
    """CPU nanoseconds a decision of the default play and of another one."""
    usual = lab.default
    return lab.cpu_ns(usual, lab.plays.decisions), lab.cpu_ns(config, lab.plays.decisions)


def ways(lab: Lab) -> Iterator[Timing]:
    """Decisions per second of each way of playing over those of the default play; a sample is the median of its
    pairs.
    """
    for label, config in lab.plays.ways().items():
        _decisions_against_default(lab, config)
        pairs = [_decisions_against_default(lab, config) for _ in range(max(3, lab.sizes.runs // 2))]
        usual, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
        yield Timing(
            statistics.median(a / b for a, b in pairs), {"default ns a decision": usual, "ns a decision": ours}, label
        )


def simplest_way(lab: Lab) -> Iterator[Timing]:
    """Decisions per second of the first of the ways of playing over those of the default play."""
    config = next(iter(lab.plays.ways().values()))
    _decisions_against_default(lab, config)
    for _ in range(lab.sizes.runs):
        usual, ours = _decisions_against_default(lab, config)
        yield Timing(usual / ours, {"default ns a decision": usual, "ns a decision": ours})


def mixed(lab: Lab) -> Iterator[Timing]:
    """The play that uses every feature against the yardstick, which plays the default one."""
    yield from _against_yardstick(lab, lab.mixed)


def threads(lab: Lab) -> Iterator[Timing]:
    """Wall time a round of one thread over that of two."""
    config = lab.default
    lab.cpu_ns(config)
    for _ in range(lab.sizes.runs):
        (one, one_cpu), (two, two_cpu) = lab.wall_ns(config, 1), lab.wall_ns(config, 2)
        yield Timing(
            one / two, {"1 thread wall ns": one, "CPU ns": one_cpu, "2 threads wall ns": two, "CPU ns of both": two_cpu}
        )


def _many(lab: Lab, few: Config, many: Config) -> Iterator[Timing]:
    lab.cpu_ns(few)
    lab.cpu_ns(many)
    for _ in range(lab.sizes.runs):
        a, b = lab.cpu_ns(few), lab.cpu_ns(many)
        yield Timing(b / a, {f"{few.players} players ns": a, f"{many.players} players ns": b})


def many_players(lab: Lab) -> Iterator[Timing]:
    """A round of the default play with the larger table over one with the smaller."""
    yield from _many(lab, lab.plays.default(lab.plays.few), lab.plays.default(lab.plays.many))


def many_players_mixed(lab: Lab) -> Iterator[Timing]:
    """As many_players, in the mixed play."""
    yield from _many(lab, lab.plays.mixed(lab.plays.few), lab.plays.mixed(lab.plays.many))


def rulings(lab: Lab) -> Iterator[Timing]:
    """A round under each alternative of a ruling over one under the usual answers; a sample is the median of an
    alternative's pairs.
    """
    usual = lab.mixed
    lab.cpu_ns(usual)
    for label, config in lab.plays.alternatives().items():
        lab.cpu_ns(config)
        pairs = [(lab.cpu_ns(usual), lab.cpu_ns(config)) for _ in range(max(3, lab.sizes.runs // 2))]
        a, b = (statistics.median(column) for column in zip(*pairs, strict=True))
        yield Timing(
            statistics.median(other / own for own, other in pairs), {"usual ns": a, "alternative ns": b}, label
        )


def _run(lab: Lab, rows: str, threads: int, rounds: int) -> tuple[float, float, int]:
    """Wall and CPU seconds of a run into a folder, and its rounds."""
    from numbluff_sim.run.runner import run_simulation

    usual = lab.default
    config = usual.model_copy(
        update={"run": usual.run.model_copy(update={"games": rounds // usual.rounds, "threads": threads, "rows": rows})}
    )
    out = lab.new_folder()
    wall, cpu = time.perf_counter(), time.process_time()
    run = run_simulation(config, out)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    remove(out)
    return wall, cpu, lab.rounds(run.tally)


def game_rows(lab: Lab) -> Iterator[Timing]:
    """CPU nanoseconds a round that game rows add to a run with one thread, Parquet included."""
    rounds = 2 * lab.sizes.written_rounds
    _run(lab, "games", 1, rounds // 10)
    for _ in range(lab.sizes.runs):
        (_, without, played), (_, with_rows, _) = _run(lab, "none", 1, rounds), _run(lab, "games", 1, rounds)
        yield Timing(
            (with_rows - without) * 1e9 / played,
            {"without ns": without * 1e9 / played, "with ns": with_rows * 1e9 / played},
        )


def round_rows(lab: Lab) -> Iterator[Timing]:
    """Million round rows a second that a run with two threads writes through PyArrow, by wall clock."""
    _run(lab, lab.finest_rows, 2, lab.sizes.written_rounds // 10)
    for _ in range(max(3, lab.sizes.runs // 2)):
        wall, cpu, played = _run(lab, lab.finest_rows, 2, lab.sizes.written_rounds)
        yield Timing(played / wall / 1e6, {"rows in millions": played / 1e6, "CPU seconds": cpu})
