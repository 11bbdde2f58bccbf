"""Pieces played by threads of this process: what plays unless something else is asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable

from numbluff_sim.run.ledger import Source
from numbluff_sim.run.spans import Engines, Player
from numbluff_sim.run.stop import Stop

#: Seconds between two looks at the stop token, progress and checkpoints.
TICK_SECONDS = 0.1


class Threads:
    """So many threads; kernels let them run beside each other."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __str__(self) -> str:
        return f"{self.count} thread{'s' * (self.count > 1)} of this machine"

    def run(self, source: Source, stop: Stop, tick: Callable[[], None]) -> None:
        """Play everything the source hands out, or until stop is asked; `tick` runs in the calling thread meanwhile.

        An error in a thread ends the others and is left in the source.
        """
        engines = Engines()

        def work() -> None:
            try:
                player = Player(engines, lambda: stop.asked or source.halted)
                while not stop.asked and (piece := source.take(player.pace.games)) is not None:
                    outcome = player.play(piece)
                    if outcome is None:
                        return
                    source.give(piece, outcome)
            except BaseException as error:  # noqa: BLE001  raised again in the calling thread
                source.halt(error)

        threads = [threading.Thread(target=work, name=f"games-{i}", daemon=True) for i in range(self.count)]
        for thread in threads:
            thread.start()
        try:
            while not (source.complete or source.halted or stop.asked):
                source.wait(TICK_SECONDS)
                tick()
        finally:
            if not source.complete:
                source.halt()
            for thread in threads:
                thread.join()
