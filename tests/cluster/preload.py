"""What a worker of these tests loads before it joins: the fake game, held at a gate; and, if asked, another program."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from numbluff_sim.contract.registry import LOADED
from numbluff_sim.run import provenance
from tests.cluster.environment import GATE, OTHER_DIGEST
from tests.common.fake_game import FAKE, FakeEngine, FakeGame


class HeldEngine:
    """Waits at the gate before every call, unless there is none."""

    def __init__(self, engine: Any, gate: Path) -> None:
        self.engine, self.gate, self.new_tally = engine, gate, engine.new_tally

    def play(self, first: int, games: int, *more: Any) -> Any:
        (self.gate / f"at-{os.getpid()}").touch()
        while not (self.gate / "open").exists() and not self._ticket():
            time.sleep(0.005)
        return self.engine.play(first, games, *more)

    def _ticket(self) -> bool:
        for ticket in self.gate.glob("ticket-*"):
            try:
                ticket.unlink()
            except FileNotFoundError:
                continue
            return True
        return False


LOADED["fake"] = FAKE
if gate := os.environ.get(GATE):
    FakeGame.engine = lambda self, config: HeldEngine(FakeEngine(config), Path(gate))  # type: ignore[method-assign]
if digest := os.environ.get(OTHER_DIGEST):
    provenance.code_digest = lambda entry: digest
