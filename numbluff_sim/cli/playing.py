"""How commands play: stopped by signals, shown by a display, on threads or on a cluster."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numbluff_sim.cli.display import Display
    from numbluff_sim.run.playing import How
    from numbluff_sim.run.stop import Stop


@contextmanager
def playing(display: Display) -> Iterator[How]:
    """How a command plays: what its functions take as `executor`, `stop` and `progress`."""
    with display, stopped_by_signals() as stop:
        yield {"stop": stop, "progress": display}


@contextmanager
def stopped_by_signals() -> Iterator[Stop]:
    """A token that the first SIGINT or SIGTERM sets while something plays. At any other time, and from the second on, a
    signal acts as it did before.
    """
    from numbluff_sim.run.stop import Stop

    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def handle(number: int, frame: Any) -> None:
        if stop.watched and not stop.asked:
            stop.set()
            return
        former = before[signal.Signals(number)]
        if callable(former):
            former(number, frame)
        else:
            raise KeyboardInterrupt

    for number in before:
        signal.signal(number, handle)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
