"""Random numbers are those of docs/RANDOM_NUMBERS.md, rejected attempts included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from numbluff_sim.kernels.common import streams
from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import (
    WIDTH,
    high_product,
    load_i16,
    load_u8,
    low_product,
    pointer,
    store,
    to_u16,
)
from tests.common.randomness import Randomness

OUT, BOUNDS, ROWS = streams.SCRATCH_ROWS, streams.SCRATCH_ROWS + 2, streams.SCRATCH_ROWS + 4
LARGEST_SEED = 2**63 - 1


@jit
def below_number(array: Any, words: Any, seed: Any, first: Any, counter: Any, n: Any) -> None:
    block, state = pointer(array), pointer(words)
    streams.start_words(state, seed, first)
    store(block, OUT, streams.below(block, 0, state, counter, n))


@jit
def below_lanes(array: Any, words: Any, seed: Any, first: Any, counter: Any) -> None:
    block, state = pointer(array), pointer(words)
    streams.start_words(state, seed, first)
    store(block, OUT, streams.below(block, 0, state, counter, to_u16(load_i16(block, BOUNDS))))


@jit
def bits(array: Any, words: Any, seed: Any, first: Any, counter: Any) -> None:
    block, state = pointer(array), pointer(words)
    streams.start_words(state, seed, first)
    store(block, OUT, streams.random_bits(state, counter))


@jit
def products(array: Any, n: Any) -> None:
    block = pointer(array)
    value = to_u16(load_i16(block, 0))
    store(block, 2, high_product(value, n))
    store(block, 4, low_product(value, n))


def drawn(kernel: Any, *arguments: Any, bounds: Any = 0) -> list[int]:
    """The 64 numbers that a kernel stores."""
    block = np.zeros((ROWS, WIDTH), np.uint8)
    block[BOUNDS:] = np.full(WIDTH, bounds, np.uint16).view(np.uint8).reshape(2, WIDTH)
    with np.errstate(over="ignore"):
        kernel(block, np.zeros(16, np.uint64), *arguments)
    return block[OUT : OUT + 2].reshape(-1).view(np.uint16).tolist()


def cases() -> list[tuple[int, int, int]]:
    """Seeds, first games and counters, ends included."""
    rng = np.random.default_rng(7)
    drawn = [(int(rng.integers(2**63)), 64 * int(rng.integers(2**40)), int(rng.integers(2**23))) for _ in range(30)]
    return [(0, 0, 0), (1, 0, 2**23 - 1), (LARGEST_SEED, 2**45, 3 * 2**21), *drawn]


@pytest.mark.kernels
@pytest.mark.parametrize("n", [1, 2, 3, 7, 102, 250, 33333, 40000, 65535])
def test_below__is_the_definition(n: int) -> None:
    for seed, first, counter in cases():
        expected = [Randomness(seed, game).below(counter, n) for game in range(first, first + WIDTH)]
        assert drawn(below_number, seed, first, counter, n) == expected
        assert drawn(below_lanes, seed, first, counter, bounds=n) == expected


@pytest.mark.kernels
def test_below__every_lane_its_own_bound() -> None:
    for number, (seed, first, counter) in enumerate(cases()):
        bounds = np.random.default_rng(number).integers(1, 65536, WIDTH)
        expected = [Randomness(seed, first + lane).below(counter, int(n)) for lane, n in enumerate(bounds)]
        assert drawn(below_lanes, seed, first, counter, bounds=bounds) == expected


@pytest.mark.kernels
def test_below__cases_meet_several_rejections_in_a_row() -> None:
    """What the tests above compare: an attempt of n = 33333 is rejected in about half of the lanes."""
    attempts = []
    for seed, first, counter in cases():
        for game in range(first, first + WIDTH):
            first_try = Randomness(seed, game).bits(counter) * 33333 % 65536
            attempts.append(first_try < 65536 % 33333)
    assert 0.4 < np.mean(attempts) < 0.6


@pytest.mark.kernels
def test_below__nothing_to_choose_from_gives_0() -> None:
    assert drawn(below_lanes, 3, 0, 0, bounds=0) == [0] * WIDTH


@pytest.mark.kernels
def test_random_bits__are_the_definition() -> None:
    for seed, first, counter in cases():
        assert drawn(bits, seed, first, counter) == [
            Randomness(seed, game).bits(counter) for game in range(first, first + WIDTH)
        ]


@pytest.mark.kernels
@pytest.mark.parametrize("n", [3, 102, 33333])
def test_below__is_exactly_uniform(n: int) -> None:
    """Over all 65536 values of the bits, those not rejected give every number equally often."""
    counts = np.zeros(n, np.int64)
    for start in range(0, 65536, WIDTH):
        block = np.zeros((6, WIDTH), np.uint8)
        block[:2] = np.arange(start, start + WIDTH).astype(np.uint16).view(np.uint8).reshape(2, WIDTH)
        products(block, n)
        value, rest = (block[row : row + 2].reshape(-1).view(np.uint16) for row in (2, 4))
        np.add.at(counts, value[rest >= 65536 % n], 1)
    assert (counts == 65536 // n).all()


@jit
def pair_of_bytes(array: Any, lane: Any, value: Any) -> Any:
    block = pointer(array)
    streams.write_u16(block, 0, lane, value)
    return streams.read_u16(block, 0, lane)


@pytest.mark.kernels
def test_16_bit_elements__are_written_and_read_in_place() -> None:
    block = np.zeros((2, WIDTH), np.uint8)
    for lane in range(WIDTH):
        assert pair_of_bytes(block, lane, 1000 * lane + 255) == 1000 * lane + 255
    assert block.reshape(-1).view(np.uint16).tolist() == [1000 * lane + 255 for lane in range(WIDTH)]
    assert load_u8(block, 0)[0] == 255
