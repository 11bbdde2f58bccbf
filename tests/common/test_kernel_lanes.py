"""Compiled lane values do what their NumPy twins do, on random values and on the ends of every width."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from numbluff_sim.kernels.common import lanes
from numbluff_sim.kernels.common.jit import COMPILED, jit
from numbluff_sim.kernels.common.lanes import (
    absolute,
    any_lane,
    as_mask,
    count,
    digit_sum,
    first_lane,
    full,
    full_i16,
    full_number,
    full_u8,
    full_u16,
    high_product,
    lane_bits,
    larger,
    load_i8,
    load_i16,
    load_number,
    load_u8,
    low_product,
    no_lane,
    ones,
    peek,
    pointer,
    poke,
    random_words,
    select,
    shift_right,
    smaller,
    store,
    store_where,
    take,
    to_i8,
    to_number,
    to_u8,
    to_u16,
    total,
    total_product,
    wide,
    within,
)

# Rows of the operands, and the first row that results go to.
A_U8, B_U8, A_I8, B_I8, A_I16, B_I16, A_U16, B_U16, OUT, ROWS = 0, 1, 2, 3, 4, 6, 8, 10, 12, 60
#: Tables for every byte.
SIGNED, UNSIGNED = np.linspace(-32768, 32767, 256).astype(np.int16), np.linspace(65535, 0, 256).astype(np.uint16)
ENDS = np.array([0, 1, 2, 126, 127, 128, 129, 254, 255], np.uint8)


@jit
def memory(array: Any, words: Any, zero: Any) -> Any:
    block = pointer(array)
    store(block, OUT, load_u8(block, A_U8))
    store(block, OUT + 1, load_i8(block, A_I8))
    store(block, OUT + 2, load_i16(block, A_I16))
    store(block, OUT + 4, load_number(block, A_I16, zero))
    store(block, OUT + 6, to_number(load_i8(block, B_I8), zero))
    store_where(block, OUT + 8, load_u8(block, A_U8) < load_u8(block, B_U8), load_u8(block, A_U8))
    store_where(block, OUT + 9, load_i16(block, A_I16) < load_i16(block, B_I16), load_i16(block, A_I16))
    poke(block, OUT + 11, 5, peek(block, B_U8, 63))
    poke(block, OUT + 11, 0, 255)
    store(block, OUT + 12, full(-128))
    store(block, OUT + 13, full_u8(255))
    store(block, OUT + 14, full_i16(-32768))
    store(block, OUT + 16, full_u16(65535))
    store(block, OUT + 18, full_u16(to_u16(load_i16(block, A_I16))))
    store(block, OUT + 20, full_number(-127, zero))
    store(block, OUT + 22, ones(no_lane()))
    return peek(block, A_U8, 0), peek(block, B_U8, 63)


@jit
def bytes_signed_and_not(array: Any, words: Any, zero: Any) -> Any:
    block = pointer(array)
    a, b, c, d = load_u8(block, A_U8), load_u8(block, B_U8), load_i8(block, A_I8), load_i8(block, B_I8)
    store(block, OUT, a + b)
    store(block, OUT + 1, a - b)
    store(block, OUT + 2, a * b)
    store(block, OUT + 3, smaller(a, b))
    store(block, OUT + 4, larger(a, 128))
    store(block, OUT + 5, shift_right(a, 3))
    store(block, OUT + 6, c + d)
    store(block, OUT + 7, 7 - c)
    store(block, OUT + 8, c * d)
    store(block, OUT + 9, smaller(c, -3))
    store(block, OUT + 10, larger(c, d))
    store(block, OUT + 11, shift_right(c, 2))
    store(block, OUT + 12, -c)
    store(block, OUT + 13, absolute(c))
    store(block, OUT + 14, to_i8(a))
    store(block, OUT + 15, to_u8(c))
    store(block, OUT + 16, wide(a))
    store(block, OUT + 18, wide(c))
    store(block, OUT + 20, to_u16(a))
    return total(c), total(d), total_product(c, d), total_product(c, c)


@jit
def sixteen_bits(array: Any, words: Any, zero: Any) -> Any:
    block = pointer(array)
    a, b, c, u = load_i16(block, A_I16), load_i16(block, B_I16), load_i8(block, A_I8), load_u8(block, A_U8)
    store(block, OUT, a + b)
    store(block, OUT + 2, a - c)
    store(block, OUT + 4, u * a)
    store(block, OUT + 6, smaller(a, c))
    store(block, OUT + 8, larger(b, 1000))
    store(block, OUT + 10, shift_right(a, 5))
    store(block, OUT + 12, -a)
    store(block, OUT + 14, absolute(a))
    store(block, OUT + 16, to_i8(a))
    store(block, OUT + 17, to_u8(b))
    store(block, OUT + 18, select(a < b, a, c))
    store(block, OUT + 20, select(c <= 3, u, 7))
    return total(a), total(b), total_product(a, b), total_product(a, a), total_product(a, c)


@jit
def masks(array: Any, words: Any, zero: Any) -> Any:
    block = pointer(array)
    a, b, c, d = load_u8(block, A_U8), load_u8(block, B_U8), load_i8(block, A_I8), load_i8(block, B_I8)
    w, x = load_i16(block, A_I16), load_i16(block, B_I16)
    m, n = a < b, c < d
    return (
        lane_bits(m),
        lane_bits(a <= b),
        lane_bits(a > 128),
        lane_bits(a >= b),
        lane_bits(a == b),
        lane_bits(a != 0),
        lane_bits(n),
        lane_bits(c <= d),
        lane_bits(c > -128),
        lane_bits(c >= d),
        lane_bits(c == d),
        lane_bits(c != -1),
        lane_bits(w < x),
        lane_bits(w <= c),
        lane_bits(w > 300),
        lane_bits(w >= x),
        lane_bits(w == x),
        lane_bits(w != x),
        lane_bits(m & n),
        lane_bits(m | n),
        lane_bits(~m),
        count(m),
        count(no_lane()),
        any_lane(n),
        any_lane(no_lane()),
        lane_bits(as_mask(words[3])),
        lane_bits(as_mask(lane_bits(m))),
        first_lane(words[4]),
        total(ones(m)),
        lane_bits(within(c, larger(d, 0))),
        lane_bits(within(w, larger(x, 0))),
    )


@jit
def random_bits(array: Any, words: Any, zero: Any) -> Any:
    block, start = pointer(array), pointer(words)
    a, b = random_words(start, np.uint64(0xFFFFFFFFFFFFFFFF)), to_u16(load_i16(block, A_U16))
    store(block, OUT, a)
    store(block, OUT + 2, random_words(start, np.uint64(12345)))
    store(block, OUT + 4, high_product(a, 102))
    store(block, OUT + 6, low_product(a, 102))
    store(block, OUT + 8, high_product(a, b))
    store(block, OUT + 10, low_product(b, a))
    store(block, OUT + 12, high_product(b, 65535))
    store(block, OUT + 14, low_product(b, 65535))
    store(block, OUT + 16, digit_sum(a))
    store(block, OUT + 18, digit_sum(b))
    store(block, OUT + 20, shift_right(b, 7))
    store(block, OUT + 22, ones(a < b))
    store(block, OUT + 23, ones(a >= 65535))
    return 0


@jit
def tables(array: Any, words: Any, zero: Any) -> Any:
    block, signed, unsigned = pointer(array), pointer(SIGNED), pointer(UNSIGNED)
    store(block, OUT, take(signed, to_u16(load_u8(block, A_U8))))
    store(block, OUT + 2, take(unsigned, wide(load_u8(block, B_U8))))
    return 0


GROUPS: tuple[Callable[..., Any], ...] = (memory, bytes_signed_and_not, sixteen_bits, masks, random_bits, tables)


def samples() -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint64]]]:
    """Blocks with random operands; in all but the first few a third of the bytes are ends of the widths."""
    rng = np.random.default_rng(2026)
    for number in range(60):
        block = rng.integers(0, 256, (ROWS, lanes.WIDTH), np.uint8)
        at_end = rng.random(block.shape) < (number > 5) / 3
        block[at_end] = rng.choice(ENDS, int(at_end.sum()))
        if number % 4 == 3:  # every lane alike: masks that hold everywhere or nowhere
            block[:] = block[:, :1]
        yield block, rng.integers(1, 2**64, 16, np.uint64)


@pytest.mark.skipif(not COMPILED, reason="compares compiled code with its twin")
@pytest.mark.parametrize("zero", [np.int8(0), np.int16(0)])
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_lanes__compiled_equal_their_twins(group: Any, zero: Any) -> None:
    for block, words in samples():
        plain = block.copy()
        compiled_result, plain_result = group(block, words, zero), group.py_func(plain, words, zero)
        assert compiled_result == plain_result
        assert np.array_equal(block, plain), f"rows {np.flatnonzero((block != plain).any(axis=1))}"


def test_lanes__every_function_is_compared() -> None:
    source = "".join(inspect.getsource(getattr(group, "py_func", group)) for group in GROUPS)
    public = {name for name, value in vars(lanes).items() if inspect.isfunction(value) and not name.startswith("_")}
    assert len(public) > 35
    assert public - set(re.findall(r"\w+", source)) == set()


@pytest.mark.kernels
def test_lanes__mean_what_they_say() -> None:
    """A few values that do not come from either implementation."""
    block = np.zeros((4, lanes.WIDTH), np.uint8)
    block[0], block[1] = np.arange(lanes.WIDTH), 10
    mask = load_u8(block, 0) < load_u8(block, 1)
    assert (count(mask), lane_bits(mask), any_lane(~mask), first_lane(0b1000)) == (10, 0x3FF, True, 3)
    assert absolute(full(-7)).tolist() == [7] * lanes.WIDTH
    assert digit_sum(full_u16(0x1234)).tolist() == [10] * lanes.WIDTH
    assert high_product(full_u16(0x8000), 102).tolist() == [51] * lanes.WIDTH
    assert low_product(full_u16(0x8001), 2).tolist() == [2] * lanes.WIDTH
    assert shift_right(full(-5), 1).tolist() == [-3] * lanes.WIDTH
    assert total_product(full(-3), full_i16(1000)) == -3000 * lanes.WIDTH
