"""Which draw takes which counter of the random numbers (PLAY.md, section 1)."""

from __future__ import annotations

# Items of the announcement stream.
KIND_OF_LIE, SIZE, DIRECTION, FAMILY = range(4)


def deck_counter(epoch: int, k: int, tops: int) -> int:
    """Counter of the k-th rank of the epoch-th pile: upwards for the planned tops, downwards for the rest."""
    return epoch * 256 + (k if k < tops else 255 - (k - tops))


def choice_counter(round_: int, seat: int, candidate: int) -> int:
    """Counter of a seat's draw for one candidate hidden side."""
    return 2**21 + round_ * 2**14 + seat * 2**11 + candidate


def announcement_counter(round_: int, item: int) -> int:
    """Counter of one item of the bluffer's announcement."""
    return 2 * 2**21 + round_ * 2**14 + item


def tie_counter(round_: int, k: int) -> int:
    """Counter of the k-th rank of the round's random order for last ties."""
    return 3 * 2**21 + round_ * 2**14 + k
