"""Memory that kernels work in, at addresses that are multiples of a cache line: a row of 64 bytes then never lies
across two, which costs up to 17 % of a run (docs/PERFORMANCE.md).
"""

import math

import numpy as np

LINE = 64


def zeros(shape, dtype):
    """As np.zeros, at a multiple of LINE bytes."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    raw = np.zeros(size + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + size].view(dtype).reshape(shape)


def copied(array):
    """A C-contiguous copy of an array, likewise."""
    found = zeros(array.shape, array.dtype)
    found[...] = array
    return found
