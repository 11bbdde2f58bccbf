"""That kernels are being compiled, told while it happens; loading compiled ones from the cache is not told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def told_of_compiling(begins: Callable[[], None]) -> Iterator[None]:
    """Within it, call `begins` whenever a kernel, or a function in it, begins to be compiled in this process."""
    from numbluff_sim.kernels.common import jit

    if not jit.COMPILED:
        yield
        return
    from numba.core import event

    methods = {"on_start": lambda _, __: begins(), "on_end": lambda _, __: None}
    listener: Any = type("Listener", (event.Listener,), methods)()
    with event.install_listener("numba:compile", listener):
        yield
