"""Counter-based random numbers (docs/RANDOM_NUMBERS.md): a draw is a function of (seed, game, counter) alone.

`words` is a uint64 array of 16: words[q] + counter * GAMMA is the generator's state for the four games 4q .. 4q+3 of a
block of 64.
"""

import numpy as np

from numbluff_sim.kernels.common.jit import inline, jit
from numbluff_sim.kernels.common.lanes import (
    any_lane,
    first_lane,
    full_u16,
    high_product,
    lane_bits,
    load_i16,
    low_product,
    peek,
    poke,
    random_words,
    store,
    to_u16,
)

GAMMA = np.uint64(0x9E3779B97F4A7C15)
SEED_OFFSET = np.uint64(0x632BE59BD9B4E019)
RETRY = np.uint64(0xD1342543DE82EF95)
#: A game has so many counters; which draw takes which is said in each game's own streams.py.
COUNTERS = np.uint64(1 << 23)
S30, S27, S31, S48, S16, ONE = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(48), np.uint64(16), np.uint64(1)
MIX_1, MIX_2, LOW_16 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0xFFFF)
#: Rows of a block that `below` may use as scratch: two for the products, two for the bounds.
SCRATCH_ROWS = 4


@jit
def mix(z):
    """SplitMix64's finaliser of a uint64."""
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@jit
def start_words(words, seed, first_game):
    """Sets `words` for the block of games first_game .. first_game + 63 (a multiple of 64)."""
    key = mix(np.uint64(seed) + SEED_OFFSET)
    group = np.uint64(first_game // 4)
    for q in range(16):
        words[q] = key + (group + np.uint64(q)) * COUNTERS * GAMMA


@jit
def random_bits(words, counter):
    """U16: 16 random bits a lane."""
    return random_words(words, np.uint64(counter) * GAMMA)


@inline
def below(block, scratch, words, counter, n):
    """U16: exact uniform integers in 0..n-1; n is an integer or U16 lanes, 1..65535 (0 gives 0).

    A low product under n *may* need another try; which of these do is settled one lane at a time (about n lanes in
    65536).
    """
    bits = random_bits(words, counter)
    value = high_product(bits, n)
    suspects = low_product(bits, n) < n
    if any_lane(suspects):
        store(block, scratch, value)
        store(block, scratch + 2, full_u16(n))
        settle(block, scratch, words, np.uint64(counter) * GAMMA, lane_bits(suspects))
        value = to_u16(load_i16(block, scratch))
    return value


@jit
def settle(block, scratch, words, offset, suspects):
    """Redraws those of the suspected lanes whose low product is under 65536 mod n, in the rows `below` has stored."""
    while suspects != np.uint64(0):
        lane = first_lane(suspects)
        suspects &= suspects - ONE
        n = np.uint64(read_u16(block, scratch + 2, lane))
        if n == np.uint64(0):
            continue
        word = mix(words[lane // 4] + offset)
        piece = np.uint64(lane % 4)
        limit = np.uint64(65536) % n
        product = ((word >> (S16 * piece)) & LOW_16) * n
        attempt = word
        while (product & LOW_16) < limit:
            attempt += RETRY
            product = (mix(attempt + piece) >> S48) * n
        write_u16(block, scratch, lane, np.int64(product >> S16))


@jit
def read_u16(block, row, lane):
    """Element `lane` of the 16-bit value at `row`."""
    row, at = row + lane // 32, 2 * (lane % 32)
    return peek(block, row, at) + 256 * peek(block, row, at + 1)


@jit
def write_u16(block, row, lane, value):
    """Sets element `lane` of the 16-bit value at `row`."""
    row, at = row + lane // 32, 2 * (lane % 32)
    poke(block, row, at, value & 255)
    poke(block, row, at + 1, value >> 8)
