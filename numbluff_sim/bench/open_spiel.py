"""A public reference, where it is installed (`pip install open_spiel`, no dependency of this project): a game of
OpenSpiel played at random.
"""

from __future__ import annotations

import importlib.util
import random
import statistics
import time
from collections.abc import Iterator, Mapping
from typing import Any

from numbluff_sim.bench.lab import Lab
from numbluff_sim.bench.measuring import Timing


def installed() -> bool:
    """Whether there is something to compare with."""
    return importlib.util.find_spec("pyspiel") is not None


def random_play(lab: Lab) -> Iterator[Timing]:
    """Decisions per CPU second of our random play over those of OpenSpiel's, from its own Python loop; the same
    players and dice, one thread each.
    """
    assert lab.plays.open_spiel is not None
    game, parameters = lab.plays.open_spiel
    ours = lab.plays.default(parameters["players"])
    lab.cpu_ns(ours, lab.plays.decisions)
    for seed in range(max(3, lab.sizes.runs // 2)):
        theirs, mine = _ns_a_decision(game, parameters, lab.sizes.seconds, seed), lab.cpu_ns(ours, lab.plays.decisions)
        yield Timing(theirs / mine, {"OpenSpiel ns a decision": theirs, "ns a decision": mine})


def _ns_a_decision(name: str, parameters: Mapping[str, Any], seconds: float, seed: int) -> float:
    """CPU nanoseconds a decision, the dice included, of random play; the median over batches of matches."""
    import pyspiel

    game, choose = pyspiel.load_game(name, dict(parameters)), random.Random(seed)
    times: list[float] = []
    start = time.thread_time()
    while time.thread_time() - start < seconds or len(times) < 5:
        before, decisions = time.thread_time(), 0
        for _ in range(200):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(choose.choices(outcomes, weights)[0])
                else:
                    state.apply_action(choose.choice(state.legal_actions()))
                    decisions += 1
        times.append((time.thread_time() - before) * 1e9 / decisions)
    return statistics.median(times)
