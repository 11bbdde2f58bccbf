"""Memory for kernels."""

from __future__ import annotations

import numpy as np
import pytest

from numbluff_sim.kernels.common import memory


@pytest.mark.parametrize("shape", [(7, 64), (3, 5, 64), (0, 64)])
def test_memory__rows_begin_at_cache_lines(shape: tuple[int, ...]) -> None:
    made = [memory.zeros(shape, np.int16) for _ in range(20)]
    source = np.arange(made[0].size, dtype=np.uint8).reshape(shape)
    made += [memory.copied(source) for _ in range(20)]
    assert all(one.ctypes.data % memory.LINE == 0 and one.flags.c_contiguous for one in made if one.size)
    assert all((one == 0).all() for one in made[:20])
    assert all((one == source).all() and one.dtype == source.dtype for one in made[20:])
