"""Programs held at the point a test means: a process that stops playing after so many games and says so, and a gate
for engines in the test's own process.

A held process plays in calls of 64 games. When it has begun as many games as asked, every further call waits, but for
those of the piece handed out first: only when that one is done is there something to save, however the threads took
turns. After a whole tick from then on (so that its checkpoint is on the disk) it tells the test, which kills it or
sends a signal. The stop that a signal asks for opens the gate again, so that the running calls end as they do in a
program.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config

ROOT = Path(__file__).parents[2]
#: Seconds after which a process that was told to end is given up: generous, for machines that are busy.
LIMIT = 600
HELD = b"held\n"
#: Modules of a command that save what is unfinished from time to time.
SAVING = {
    "compare": ("numbluff_sim.studies.played_in_groups",),
    "calibrate": ("numbluff_sim.studies.calibrate.state",),
}


class Gate:
    """Lets calls into engines pass until so many games were begun; from then on they wait until it is opened.

    A thread that is the gate's `pioneer` passes as long as it is.
    """

    def __init__(self, games: int) -> None:
        self._left, self._lock = games, threading.Lock()
        self._opened, self._shut = threading.Event(), threading.Event()
        self.pioneer: int | None = None

    @property
    def reached(self) -> bool:
        """Whether a call waits, or did, and no thread may still pass."""
        return self._shut.is_set() and self.pioneer is None

    def enter(self, games: int) -> None:
        """Come to the gate with a call of so many games."""
        with self._lock:
            self._left -= games
            passes = self._left >= 0 or self.pioneer == threading.get_ident()
        if not passes:
            self._shut.set()
            self._opened.wait()

    def open(self) -> None:
        """Let all calls pass."""
        self._opened.set()


class Pieces:
    """A source of pieces whose first one makes the thread that takes it the gate's pioneer, until it gives it back."""

    def __init__(self, source: Any, gate: Gate) -> None:
        self._source, self._gate, self._lock, self._first = source, gate, threading.Lock(), True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def take(self, games: int) -> Any:
        with self._lock:
            piece = self._source.take(games)
            if self._first and piece is not None:
                self._first, self._gate.pioneer = False, threading.get_ident()
        return piece

    def give(self, piece: Any, outcome: Any) -> None:
        self._source.give(piece, outcome)
        if self._gate.pioneer == threading.get_ident():
            self._gate.pioneer = None


class GatedEngine:
    """An engine behind a gate."""

    def __init__(self, engine: Any, gate: Gate) -> None:
        self.engine, self.gate, self.new_tally = engine, gate, engine.new_tally

    def play(self, first: int, games: int, *more: Any) -> Any:
        self.gate.enter(games)
        return self.engine.play(first, games, *more)


def held(*args: object, games: int, cwd: Path | None = None) -> subprocess.Popen[str]:
    """`numbluff` with these arguments in a process that is held when it has begun so many games."""
    return _held({"args": [str(arg) for arg in args], "games": games}, cwd)


def held_run(config: Config, out: Path, *, games: int, settings: dict[str, int]) -> subprocess.Popen[str]:
    """A run of a configuration (resuming what is there), likewise. `settings` are module constants of `run.spans`."""
    return _held({"config": config.resolved(), "out": str(out), "games": games, "settings": settings}, None)


def _held(task: dict[str, Any], cwd: Path | None) -> subprocess.Popen[str]:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as told:
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.common.held", json.dumps({**task, "tell": writing})],
                cwd=cwd,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                pass_fds=[writing],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        finally:
            os.close(writing)
        if told.readline() != HELD:
            raise AssertionError(f"ended before it was held: {process.communicate()}")
    return process


def ended(process: subprocess.Popen[str], number: int) -> tuple[int, str, str]:
    """Send a held process a signal: its exit code, and what it printed."""
    process.send_signal(number)
    out, err = process.communicate(timeout=LIMIT)
    return process.returncode, out, err


def _hold(games: int, tell: int) -> None:
    """Put every engine of this process behind a gate; `tell` is the file descriptor that says when it is shut."""
    from numbluff_sim.run import runner, spans, stop, threads

    gate, engine_of, ask, run = Gate(games), spans.Engines.of, stop.Stop.set, threads.Threads.run
    known: dict[int, GatedEngine] = {}
    said = threading.Lock()

    def gated(self: Any, config: Config) -> GatedEngine:
        engine = engine_of(self, config)
        return known.setdefault(id(engine), GatedEngine(engine, gate))

    def ask_and_open(self: stop.Stop, reason: str = "") -> None:
        ask(self, reason)
        gate.open()

    def told(self: Any, source: Any, stop: Any, tick: Callable[[], None]) -> None:
        def look() -> None:
            reached = gate.reached
            tick()
            if reached and said.acquire(blocking=False):
                os.write(tell, HELD)

        run(self, Pieces(source, gate), stop, look)

    spans.FIRST_CALL, spans.CALL_SECONDS = spans.LANES, 0.0
    runner.CHECKPOINT_SECONDS = 0.0
    spans.Engines.of, stop.Stop.set, threads.Threads.run = gated, ask_and_open, told  # type: ignore[assignment, method-assign]


def _run(task: dict[str, Any]) -> int:
    from numbluff_sim.cli.shared.playing import stopped_by_signals
    from numbluff_sim.config import restore
    from numbluff_sim.contract.registry import LOADED
    from numbluff_sim.run import runner, spans
    from numbluff_sim.run.stop import Interrupted
    from tests.common.fake_game import FAKE

    LOADED["fake"] = FAKE
    for name, value in task["settings"].items():
        setattr(spans, name, value)
    try:
        with stopped_by_signals() as stop:
            runner.run_simulation(restore(task["config"]), task["out"], resume=True, stop=stop)
    except Interrupted as interrupted:
        sys.stderr.write(f"{interrupted}\n")
        return 130
    return 0


def main() -> None:
    """What a held process runs."""
    from numbluff_sim.cli.main import run

    task = json.loads(sys.argv[1])
    _hold(task["games"], task["tell"])
    if "config" in task:
        sys.exit(_run(task))
    for module in SAVING.get(task["args"][0], ()):
        importlib.import_module(module).SAVE_SECONDS = 0.0  # type: ignore[attr-defined]
    run(task["args"])


if __name__ == "__main__":
    main()
