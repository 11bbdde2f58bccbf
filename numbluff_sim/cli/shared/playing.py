"""How commands play: stopped by signals, shown by a display, on threads or on a cluster."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.signals import ending

if TYPE_CHECKING:
    from numbluff_sim.cli.shared.display import Display
    from numbluff_sim.run.playing import Executor, How
    from numbluff_sim.run.stop import Stop

Command = Callable[..., Any]
#: Where the address of --cluster stands among what belongs to a call.
CLUSTER = "numbluff_sim.cluster"


def cluster_option(command: Command) -> Command:
    """Give a command --cluster, which `playing` looks at."""
    return click.option(
        "--cluster",
        metavar="ADDRESS",
        expose_value=False,
        callback=_keep,
        help="Play on a Dask cluster: tcp://host:8786, or local:4 for 4 processes of this machine (docs/CLUSTER.md).",
    )(command)


def _keep(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    ctx.meta[CLUSTER] = value


@contextmanager
def playing(display: Display) -> Iterator[How]:
    """How a command plays: what its functions take as `executor`, `stop` and `progress`."""
    ctx = click.get_current_context(silent=True)
    address = None if ctx is None else ctx.meta.get(CLUSTER)
    with display, stopped_by_signals() as stop, _executor(address) as executor:
        yield {"executor": executor, "stop": stop, "progress": display}


@contextmanager
def _executor(address: str | None) -> Iterator[Executor | None]:
    if address is None:
        yield None
        return
    from numbluff_sim.run.cluster import Cluster

    with _closed_sockets_are_errors(), Cluster(address) as connected:
        yield connected


@contextmanager
def _closed_sockets_are_errors() -> Iterator[None]:
    """A scheduler that has gone must not end this process, as a reader of its output that has gone does."""
    number = getattr(signal, "SIGPIPE", None)
    if number is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, before)


@contextmanager
def stopped_by_signals() -> Iterator[Stop]:
    """A token that the first SIGINT, SIGTERM or SIGHUP sets while something plays. At any other time, and from the
    second on, a signal acts as it did before.
    """
    from numbluff_sim.run.stop import Stop

    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *ending())}

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
