"""64 games at once as ordinary values, with operators, for Numba and for plain Python.

A lane value holds one small integer for each of 64 games: `U8` (cards, ranks), `I8` and `I16` (numbers), `U16` (random
bits); a `Mask` holds one truth value for each. Compiled, each is one LLVM vector; without JIT the same code runs on
NumPy arrays of 64, so rules are written once, read like scalar code and can be stepped through. `select(mask, a, b)`
replaces `if`.

Memory: a `block` is a C-contiguous uint8 array (rows, 64). A U8 or I8 value takes one row; an I16 or U16 value takes
two rows, and so does a `number`, whose width (I8 or I16) is that of the witness `zero` (np.int8(0) or np.int16(0)):
decks with wide totals compile the same source once more. Integers mix with lane values and are repeated; of two lane
widths the wider wins.
"""

import numpy as np

from numbluff_sim.kernels.common import jit as _jit

WIDTH = 64
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def pointer(array):
    """Memory of a C-contiguous array as kernels pass it on: compiled, a bare pointer, indexed by one integer or by
    load and store, else the array.
    """
    return array


def peek(block, row, lane):
    """Byte `lane` of a row."""
    return int(block[row, lane])


def poke(block, row, lane, value):
    """Sets byte `lane` of a row."""
    block[row, lane] = value


def load_u8(block, row):
    """Row as U8."""
    return block[row].copy()


def load_i8(block, row):
    """Row as I8."""
    return block[row].view(np.int8).copy()


def load_i16(block, row):
    """Rows row, row + 1 as I16."""
    return block[row : row + 2].reshape(-1).view(np.int16).copy()


def load_number(block, row, zero):
    """A number of the witness's width."""
    return load_i8(block, row) if zero.dtype.itemsize == 1 else load_i16(block, row)


def store(block, row, value):
    """Writes a lane value at `row` (one row, or two for 16-bit values)."""
    rows = value.dtype.itemsize
    block[row : row + rows] = value.view(np.uint8).reshape(rows, WIDTH)


def store_where(block, row, mask, value):
    """As `store`, in the lanes of `mask` only."""
    rows = value.dtype.itemsize
    target = block[row : row + rows].reshape(-1).view(value.dtype)
    target[mask] = value[mask]


def select(mask, a, b):
    """a where the mask holds, else b."""
    return np.where(mask, a, b)


def smaller(a, b):
    """The smaller of two values, lane by lane."""
    return np.minimum(a, b)


def larger(a, b):
    """The larger of two values, lane by lane."""
    return np.maximum(a, b)


def count(mask):
    """Number of lanes in the mask."""
    return int(np.count_nonzero(mask))


def any_lane(mask):
    """Whether any lane is in the mask."""
    return bool(np.any(mask))


def lane_bits(mask):
    """The mask as uint64, lane 0 lowest."""
    return np.packbits(mask, bitorder="little").view(np.uint64)[0]


def as_mask(bits):
    """The mask of a uint64."""
    return np.unpackbits(np.array([bits], np.uint64).view(np.uint8), bitorder="little").astype(bool)


def first_lane(bits):
    """Index of the lowest set bit of a non-zero uint64."""
    return (int(bits) & -int(bits)).bit_length() - 1


def ones(mask):
    """I8: 1 where the mask holds, else 0."""
    return np.asarray(mask).astype(np.int8)


def full(x):
    """I8: x everywhere."""
    return np.full(WIDTH, x, np.int8)


def full_u8(x):
    """U8: x everywhere."""
    return np.full(WIDTH, x, np.uint8)


def full_i16(x):
    """I16: x everywhere."""
    return np.full(WIDTH, x, np.int16)


def full_u16(x):
    """U16: x everywhere, or x itself if it is U16."""
    return x if isinstance(x, np.ndarray) else np.full(WIDTH, x, np.uint16)


def full_number(x, zero):
    """A number of the witness's width: x everywhere."""
    return np.full(WIDTH, x, zero.dtype)


def no_lane():
    """The empty mask."""
    return np.zeros(WIDTH, bool)


def wide(a):
    """I16 of any 8-bit or 16-bit value (U8 and U16 are taken as unsigned, I8 as signed)."""
    return a.astype(np.int16)


def to_u8(a):
    """The low 8 bits as U8."""
    return a.astype(np.uint8)


def to_u16(a):
    """U16 of an I8, U8 or I16 value that is not negative."""
    return a.astype(np.uint16)


def to_i8(a):
    """The low 8 bits as I8."""
    return a.astype(np.int8)


def to_number(a, zero):
    """A value of at most the witness's range as a number."""
    return a.astype(zero.dtype)


def shift_right(a, bits):
    """Arithmetic shift of signed, logical shift of unsigned lanes by a constant number of bits."""
    return a >> bits


def digit_sum(bits):
    """I16: sum of the four 4-bit digits of U16."""
    pairs = (bits & 0x0F0F) + ((bits >> 4) & 0x0F0F)
    return ((pairs & 0xFF) + (pairs >> 8)).astype(np.int16)


def within(a, top):
    """Mask: 0 <= a <= top, for signed lanes of one width and a top that is not negative."""
    return (a >= 0) & (a <= top)


def absolute(a):
    """|a| of signed lanes."""
    return np.maximum(a, -a)


def high_product(bits, n):
    """U16: floor(bits * n / 65536) for U16 bits and an integer or U16 n."""
    return ((bits.astype(np.uint32) * _as_u32(n)) >> np.uint32(16)).astype(np.uint16)


def low_product(bits, n):
    """U16: bits * n modulo 65536 for U16 bits and an integer or U16 n."""
    return (bits.astype(np.uint32) * _as_u32(n)).astype(np.uint16)


def take(table, index):
    """table[index], lane by lane: I16 of an int16 table, U16 of a uint16 table, for I16 or U16 indices."""
    return table[index.astype(np.uint16)]


def _as_u32(n):
    return n.astype(np.uint32) if isinstance(n, np.ndarray) else np.uint32(n)


def total(a):
    """int64: sum over the lanes."""
    return int(a.astype(np.int64).sum())


def total_product(a, b):
    """int64: sum over the lanes of a * b (both signed)."""
    return int((a.astype(np.int64) * b.astype(np.int64)).sum())


def random_words(words, offset):
    """U16: 16 counters words[q] + offset (mod 2**64) through the SplitMix64 finaliser, four lanes a word, lowest
    bits first.
    """
    with np.errstate(over="ignore"):
        z = words[:16] + offset
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return z.view(np.uint16).copy()


if _jit.COMPILED:
    from numbluff_sim.kernels.common import lanes_llvm  # noqa: F401  teaches Numba the functions above
