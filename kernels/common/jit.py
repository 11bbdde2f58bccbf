"""One owner of the JIT options. Where compiled code is kept is the matter of `numbluff_sim.kernels.cache`."""

import contextlib
import gc

import numba
from numba.core import config as numba_config

from numbluff_sim.kernels import cache

#: False under NUMBA_DISABLE_JIT=1: every kernel is then plain Python over NumPy arrays.
COMPILED = not numba_config.DISABLE_JIT


@contextlib.contextmanager
def compiling():
    """Holds Python's cyclic garbage collector back: compiling makes millions of long-lived objects, and searching
    them takes a sixth of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


#: Kernels called from kernels.
jit = numba.njit(error_model="numpy", nogil=True)
#: Small kernels that are worth a copy at every call: values stay in registers.
inline = numba.njit(error_model="numpy", nogil=True, forceinline=True)


def entry(kernel):
    """One of the few kernels that Python calls: compiled code is kept on disk."""
    return cache.kept(numba.njit(error_model="numpy", nogil=True)(kernel)) if COMPILED else kernel
