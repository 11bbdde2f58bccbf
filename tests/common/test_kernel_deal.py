"""Decoded ranks are the cards of docs/games/num_bluff/PLAY.md section 2; sorting sorts."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from numbluff_sim.kernels.common.deal import PASS, decode_one, decode_pass, sort_rows
from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import WIDTH, load_u8, pointer, store

Rows = NDArray[np.uint8]


@jit
def decode_all(array: Any, ranks: Any, excluded: Any, excluded_rows: Any, cards: Any, passes: Any) -> None:
    block = pointer(array)
    for number in range(passes):
        k = PASS * number
        x0, x1, x2, x3, x4, x5, x6, x7 = decode_pass(block, ranks, k, excluded, excluded_rows)
        store(block, cards + k, x0)
        store(block, cards + k + 1, x1)
        store(block, cards + k + 2, x2)
        store(block, cards + k + 3, x3)
        store(block, cards + k + 4, x4)
        store(block, cards + k + 5, x5)
        store(block, cards + k + 6, x6)
        store(block, cards + k + 7, x7)


@jit
def decode_singly(
    array: Any, ranks: Any, excluded: Any, excluded_rows: Any, cards: Any, count: Any, split: Any
) -> None:
    """As decode_all; ranks from `split` on count as `later` ones."""
    block = pointer(array)
    for k in range(count):
        earlier = min(k, split)
        x = decode_one(
            block, load_u8(block, ranks + k), ranks + split, k - earlier, ranks, earlier, excluded, excluded_rows
        )
        store(block, cards + k, x)


@jit
def sort_block(array: Any, first: Any, rows: Any) -> None:
    sort_rows(pointer(array), first, rows)


def taken(ranks: Rows, excluded: Rows, size: int) -> Rows:
    """The definition: rank k takes the rank-th smallest id of those left, lane by lane."""
    cards = np.zeros_like(ranks)
    for lane in range(WIDTH):
        left = [i for i in range(size + len(excluded)) if i not in set(excluded[:, lane].tolist())]
        for k, rank in enumerate(ranks[:, lane]):
            cards[k, lane] = left.pop(rank)
    return cards


def random_ranks(rng: np.random.Generator, size: int, count: int) -> Rows:
    return np.array([rng.integers(0, size - k, WIDTH) for k in range(count)], np.uint8)


def random_excluded(rng: np.random.Generator, ids: int, rows: int) -> Rows:
    return np.sort(
        np.array([rng.permutation(ids)[:rows] for _ in range(WIDTH)], np.uint8).T.reshape(rows, WIDTH), axis=0
    )


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("size", "count", "excluded_rows"),
    [(8, 8, 0), (102, 64, 0), (102, 102, 0), (250, 128, 0), (60, 40, 42), (200, 96, 50)],
)
def test_decode__is_the_definition(size: int, count: int, excluded_rows: int) -> None:
    rng = np.random.default_rng(size + count)
    ranks, excluded = random_ranks(rng, size, count), random_excluded(rng, size + excluded_rows, excluded_rows)
    ranks[:, 0] = 0  # always the smallest id left, always the largest
    ranks[:, 1] = size - 1 - np.arange(count)
    expected = taken(ranks, excluded, size)
    assert all(len(set(expected[:, lane])) == count for lane in range(WIDTH))
    passes = -(-count // PASS)
    out = passes * PASS
    block = np.zeros((2 * out + excluded_rows, WIDTH), np.uint8)
    block[:count], block[out : out + excluded_rows] = ranks, excluded
    singly = block.copy()
    decode_all(block, 0, out, excluded_rows, out + excluded_rows, passes)
    decode_singly(singly, 0, out, excluded_rows, out + excluded_rows, count, count // 2)
    at = slice(out + excluded_rows, out + excluded_rows + count)
    assert np.array_equal(block[at], expected)
    assert np.array_equal(singly[at], expected)


@pytest.mark.kernels
@pytest.mark.parametrize("size", [3, 4, 5])
def test_decode__every_order_once(size: int) -> None:
    """All rank tuples give all permutations, each once: uniform ranks are uniform orders."""
    tuples = list(product(*(range(size - k) for k in range(size))))
    seen: Counter[tuple[int, ...]] = Counter()
    for start in range(0, len(tuples), WIDTH):
        part = tuples[start : start + WIDTH]
        block = np.zeros((2 * PASS, WIDTH), np.uint8)
        block[:size, : len(part)] = np.array(part).T
        decode_all(block, 0, PASS, 0, PASS, 1)
        seen.update(tuple(block[PASS : PASS + size, lane].tolist()) for lane in range(len(part)))
    assert seen == Counter(permutations(range(size)))


@pytest.mark.kernels
@pytest.mark.parametrize("rows", [*range(20), 33, 64, 100])
def test_sort_rows__sorts_every_lane_and_nothing_else(rows: int) -> None:
    block = np.random.default_rng(rows).integers(0, 256, (rows + 4, WIDTH), np.uint8)
    before = block.copy()
    sort_block(block, 2, rows)
    assert np.array_equal(block[2 : 2 + rows], np.sort(before[2 : 2 + rows], axis=0))
    assert np.array_equal(block[[0, 1, -2, -1]], before[[0, 1, -2, -1]])


@pytest.mark.kernels
@pytest.mark.parametrize("rows", [2, 3, 5, 6, 7, 9, 12])
def test_sort_rows__sorts_all_orders_of_two_values(rows: int) -> None:
    """A network of compares sorts everything if it sorts every sequence of 0 and 1."""
    sequences = np.array(list(product((0, 1), repeat=rows)), np.uint8).T
    for start in range(0, sequences.shape[1], WIDTH):
        part = sequences[:, start : start + WIDTH]
        block = np.zeros((rows, WIDTH), np.uint8)
        block[:, : part.shape[1]] = part
        sort_block(block, 0, rows)
        assert (np.diff(block.astype(int), axis=0) >= 0).all()
        assert np.array_equal(block[:, : part.shape[1]].sum(axis=0), part.sum(axis=0))
