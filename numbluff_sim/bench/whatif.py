"""What-ifs against the runs they are made of: a comparison over one run, a sweep over its points. In this process,
kernels warm, 2 threads.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from numbluff_sim.bench.lab import Lab, remove
from numbluff_sim.bench.measuring import Timing

THREADS = 2


def comparison(lab: Lab) -> Iterator[Timing]:
    """Wall time of a comparison of two configurations (every metric, no page) over that of one tally of as many
    games.
    """
    from numbluff_sim.run.playing import simulate_tally
    from numbluff_sim.studies.compare.study import compare
    from numbluff_sim.studies.compare.variants import variant

    run = {"games": -(-lab.sizes.command_rounds // lab.default.rounds), "threads": THREADS}
    base, other = (_with(config, run) for config in (lab.default, lab.plays.compared()))
    few = {"games": 10_000, "threads": THREADS}
    compare(_with(base, few), "base", [variant(_with(base, few), _with(other, few))])  # loads kernels and scipy
    for _ in range(lab.sizes.command_runs):
        start = time.perf_counter()
        simulate_tally(base)
        middle = time.perf_counter()
        compare(base, "base", [variant(base, other)])
        once, both = middle - start, time.perf_counter() - middle
        yield Timing(both / once, {"one run s": once, "comparison s": both, "games": run["games"]})


def sweep(lab: Lab) -> Iterator[Timing]:
    """Wall time of a sweep with its tables (no page) over that of the tallies of its points, each played alone after
    it.
    """
    from numbluff_sim.run.playing import simulate_tally
    from numbluff_sim.studies.sweep.asked import read_sweep
    from numbluff_sim.studies.sweep.study import design_of, run_sweep

    file = lab.folder / "sweep.toml"
    preset = lab.default.resolved()["play"]["seats"][0]
    file.write_text(
        f'game = "{lab.entry.name}"\nbase = "{preset}"\n[sweep]\ngames = {lab.sizes.point_games}\n{lab.plays.swept}',
        encoding="utf-8",
    )
    asked = read_sweep(file, threads=THREADS)
    configs = [asked.question.config(point.values) for point in design_of(asked).points()]
    simulate_tally(configs[0], 10_000)
    for _ in range(max(1, lab.sizes.command_runs - 1)):
        out, start = lab.new_folder(), time.perf_counter()
        run_sweep(asked, out)
        middle = time.perf_counter()
        for config in configs:
            simulate_tally(config)
        whole, kernels = middle - start, time.perf_counter() - middle
        remove(out)
        yield Timing(
            whole / kernels,
            {"sweep s": whole, "kernels s": kernels, "points": len(configs), "games a point": lab.sizes.point_games},
        )


def _with(config: Any, run: dict[str, int]) -> Any:
    return config.model_copy(update={"run": config.run.model_copy(update=run)})
