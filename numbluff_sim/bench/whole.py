"""Workloads in processes of their own: start-up, compiling, whole commands, memory."""

from __future__ import annotations

from collections.abc import Iterator

from numbluff_sim.bench.children import Child, numbluff, run_command
from numbluff_sim.bench.lab import Lab
from numbluff_sim.bench.measuring import Timing


def command(lab: Lab) -> Iterator[Timing]:
    """Wall time of the yardstick over that of `numbluff simulate --rows none`, the same games, 2 threads each,
    start-up included.
    """
    rounds = lab.sizes.command_rounds
    games = -(-rounds // lab.default.rounds)
    lab.simulate("none", lab.sizes.small_rounds)
    for _ in range(lab.sizes.command_runs):
        theirs, ours = (
            run_command([str(lab.yardstick.program), str(games), "2"], lab.folder),
            lab.simulate("none", rounds),
        )
        parts = {"yardstick s": theirs.seconds, "s": ours.seconds, "yardstick CPU s": theirs.cpu, "CPU s": ours.cpu}
        yield Timing(theirs.seconds / ours.seconds, parts)


def cold(lab: Lab) -> Iterator[Timing]:
    """Seconds of `numbluff warmup` for one number of players with an empty cache folder."""
    for _ in range(max(1, lab.sizes.command_runs - 1)):
        cache = lab.new_folder()
        command = ("warmup", "--game", lab.entry.name, "--players", str(lab.plays.players))
        child = numbluff(*command, cwd=lab.folder, environment={"NUMBLUFF_CACHE_DIR": str(cache)})
        yield Timing(child.seconds, {"CPU s": child.cpu, "peak MB": child.peak_mb})


def cold_memory(lab: Lab) -> Iterator[Timing]:
    """Peak memory of compiling, in MB."""
    for sample in cold(lab):
        yield Timing(sample.parts["peak MB"], {"s": sample.value})
        return


def start(lab: Lab) -> Iterator[Timing]:
    """Seconds of `numbluff --help`."""
    for _ in range(lab.sizes.runs):
        child = numbluff("--help", cwd=lab.folder)
        yield Timing(child.seconds, {"CPU s": child.cpu, "peak MB": child.peak_mb})


def first_games(lab: Lab) -> Iterator[Timing]:
    """Seconds of `numbluff simulate --games 1000` with compiled kernels."""
    _simulate(lab)
    for _ in range(lab.sizes.runs):
        child = _simulate(lab)
        yield Timing(child.seconds, {"CPU s": child.cpu, "peak MB": child.peak_mb})


def tweak(lab: Lab) -> Iterator[Timing]:
    """Seconds that a deck of other cards adds to the first game: a compilation would show."""
    _simulate(lab)
    for _ in range(lab.sizes.runs):
        usual, tweaked = _simulate(lab), _simulate(lab, *lab.plays.tweak)
        yield Timing(
            tweaked.seconds - usual.seconds,
            {"usual s": usual.seconds, "tweaked s": tweaked.seconds, "CPU s more": tweaked.cpu - usual.cpu},
        )


def _simulate(lab: Lab, *more: str) -> Child:
    return numbluff(
        "simulate", "--games", "1000", *lab.plays.options, *more, "--out", str(lab.new_folder()), cwd=lab.folder
    )


def memory(lab: Lab) -> Iterator[Timing]:
    """Peak memory of a long run without rows, in MB."""
    yield _peak(lab, "none", lab.sizes.command_rounds)


def memory_rows(lab: Lab) -> Iterator[Timing]:
    """Peak memory of a long run with round rows, in MB."""
    yield _peak(lab, lab.finest_rows, lab.sizes.row_rounds)


def growth(lab: Lab) -> Iterator[Timing]:
    """Peak memory of a long run over that of a short one, without rows."""
    yield _growth(lab, "none", lab.sizes.command_rounds)


def growth_rows(lab: Lab) -> Iterator[Timing]:
    """Peak memory of a long run over that of a short one, with round rows."""
    yield _growth(lab, lab.finest_rows, lab.sizes.row_rounds)


def _peak(lab: Lab, rows: str, rounds: int) -> Timing:
    child = lab.simulated(rows, rounds)
    return Timing(child.peak_mb, {"rounds": rounds, "s": child.seconds})


def _growth(lab: Lab, rows: str, rounds: int) -> Timing:
    small, large = lab.simulated(rows, lab.sizes.small_rounds), lab.simulated(rows, rounds)
    return Timing(large.peak_mb / small.peak_mb, {"MB short": small.peak_mb, "MB long": large.peak_mb})
