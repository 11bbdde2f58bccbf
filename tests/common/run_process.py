"""A run in a process of its own, slowed down, so that tests can kill it: python -m tests.common.run_process
'{"config": {...}, "out": ..., ...}'.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from numbluff_sim.cli.shared.playing import stopped_by_signals
from numbluff_sim.config import Config, restore
from numbluff_sim.contract.registry import LOADED, game
from numbluff_sim.run import runner, spans
from numbluff_sim.run.stop import Interrupted
from tests.common.fake_game import FAKE

ROOT = Path(__file__).parents[2]


class SlowEngine:
    """An engine that sleeps before every call."""

    def __init__(self, engine: Any, seconds: float) -> None:
        self.engine, self.seconds, self.new_tally = engine, seconds, engine.new_tally

    def play(self, *args: Any) -> Any:
        time.sleep(self.seconds)
        return self.engine.play(*args)


def start(
    config: Config, out: Path, *, seconds_a_call: float, checkpoint_seconds: float, settings: dict[str, int]
) -> subprocess.Popen[str]:
    """Start the run (resuming what is there) in a process. `settings` are module constants of `run.spans`."""
    task = {
        "config": config.resolved(),
        "out": str(out),
        "seconds_a_call": seconds_a_call,
        "settings": settings,
        "checkpoint_seconds": checkpoint_seconds,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.common.run_process", json.dumps(task)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )


def main() -> int:
    task = json.loads(sys.argv[1])
    LOADED["fake"] = FAKE
    for name, value in task["settings"].items():
        setattr(spans, name, value)
    runner.CHECKPOINT_SECONDS = task["checkpoint_seconds"]
    played = type(game(task["config"]["game"]))
    plain = played.engine
    played.engine = lambda self, config: SlowEngine(plain(self, config), task["seconds_a_call"])  # type: ignore[method-assign]
    try:
        with stopped_by_signals() as stop:
            runner.run_simulation(restore(task["config"]), task["out"], resume=True, stop=stop)
    except Interrupted as interrupted:
        sys.stderr.write(f"{interrupted}\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
