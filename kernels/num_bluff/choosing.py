"""Which hidden side a seat plays: every candidate is scored in fixed-point integers, the best is kept by selects
(docs/games/num_bluff/PLAY.md section 4).
"""

from numbluff_sim.kernels.common.jit import inline, jit
from numbluff_sim.kernels.common.lanes import (
    absolute,
    digit_sum,
    full,
    full_i16,
    load_i8,
    load_number,
    no_lane,
    ones,
    select,
    shift_right,
    smaller,
    to_i8,
    to_u16,
    wide,
)
from numbluff_sim.kernels.common.streams import below, random_bits
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.cards import gap_to
from numbluff_sim.kernels.num_bluff.layout import (
    F_GAP_CAP,
    L_HAND_FAMILY,
    L_HAND_PRINTED,
    L_HAND_SLACK,
    L_SIZE,
    L_VIS_FAMILY,
    L_VIS_PRINTED,
    L_VIS_SLACK,
    PERSONAS_AT,
    RULES_AT,
)
from numbluff_sim.kernels.num_bluff.streams import CHOICES, FIRST_PAIR, PER_ROUND, PER_SEAT

WORST = -32768


@inline
def persona_at(p):
    """Index into the plan of seat p's persona."""
    return PERSONAS_AT + p * c.PERSONA_FIELDS


@jit
def random_term(state, counter, temperature):
    """I16: the random part of a score."""
    return shift_right((digit_sum(random_bits(state, counter)) - 30) * temperature, 3)


@inline
def uniform_slot(block, state, plan, p, r):
    """I8: a slot of seat p's hand, exactly uniform."""
    size = load_i8(block, plan[L_SIZE] + p)
    return to_i8(below(block, 0, state, CHOICES + r * PER_ROUND + p * PER_SEAT, to_u16(size)))


@inline
def bluffer_side(block, state, plan, book, seats, zero, r, b):
    """Slots (I8, I8; -1: no second) that the bluffer plays."""
    if plan[persona_at(b) + c.P_UNIFORM] != 0:
        return uniform_slot(block, state, plan, b, r), full(-1)
    return weighted_bluffer_side(block, state, plan, book, seats, zero, r, b)


@jit
def weighted_bluffer_side(block, state, plan, book, seats, zero, r, b):
    """bluffer_side by weights."""
    at = persona_at(b)
    first, counter = b * plan[c.T_HAND_MAX], CHOICES + r * PER_ROUND + b * PER_SEAT
    size = load_i8(block, plan[L_SIZE] + b)
    family, printed = load_i8(block, plan[L_VIS_FAMILY] + b), load_number(block, plan[L_VIS_PRINTED] + 2 * b, zero)
    best, slot, slot2 = full_i16(WORST), full(0), full(-1)
    for i in range(book[b]):
        side_family, side = (
            load_i8(block, plan[L_HAND_FAMILY] + first + i),
            load_number(block, plan[L_HAND_PRINTED] + 2 * (first + i), zero),
        )
        score = bluffer_score(
            block, state, plan, seats, at, b, family, side_family, printed + side, absolute(side), counter + i
        )
        better = (size > i) & (score > best)
        best, slot = select(better, score, best), select(better, i, slot)
    if plan[at + c.P_MAY_FUSE] != 0 and plan[RULES_AT + c.R_BLUFFER_MAY_FUSE] != 0:
        for j in range(1, book[b]):
            family_j, side_j = (
                load_i8(block, plan[L_HAND_FAMILY] + first + j),
                load_number(block, plan[L_HAND_PRINTED] + 2 * (first + j), zero),
            )
            for i in range(j):
                side_family, side = (
                    load_i8(block, plan[L_HAND_FAMILY] + first + i),
                    load_number(block, plan[L_HAND_PRINTED] + 2 * (first + i), zero),
                )
                score = plan[at + c.P_B_IS_FUSION] + bluffer_score(
                    block,
                    state,
                    plan,
                    seats,
                    at,
                    b,
                    family,
                    family_j,
                    printed + side + side_j,
                    absolute(side) + absolute(side_j),
                    counter + FIRST_PAIR + j * (j - 1) // 2 + i,
                )
                better = (size > j) & (side_family == family_j) & (score > best)
                best, slot, slot2 = select(better, score, best), select(better, i, slot), select(better, j, slot2)
    return slot, slot2


@jit
def bluffer_score(block, state, plan, seats, at, b, family, side_family, total, points, counter):
    """I16: the bluffer's score of one candidate, without the weight of a fusion."""
    off_centre = smaller(absolute(total - plan[c.T_CENTRE]), plan[F_GAP_CAP])
    score = wide(points) * plan[at + c.P_B_POINTS] + wide(off_centre) * plan[at + c.P_B_CENTRE]
    score = score + select(side_family == family, full_i16(plan[at + c.P_B_SAME_FAMILY]), 0)
    if plan[at + c.P_B_SHARED_FAMILIES] != 0:
        n = len(seats)
        shared = full(0)
        for k in range(1, n):
            other = load_i8(block, plan[L_VIS_FAMILY] + (b + k) % n)
            shared = shared + ones((other == family) | (other == side_family))
        score = score + wide(shared) * plan[at + c.P_B_SHARED_FAMILIES]
    if plan[at + c.P_B_TEMPERATURE] != 0:
        score = score + random_term(state, counter, plan[at + c.P_B_TEMPERATURE])
    return score


@inline
def completing_card(family, printed, family_b, value_b, named_family, named_value):
    """(family, value) of the hidden card that makes a Miroir of a visible card, family NO_FAMILY where none does.

    family_b, value_b: the bluffer's visible card, a number where it is classic and -1 elsewhere; named_family is
    NO_FAMILY where no classic card is named.
    """
    fits = (named_family >= 0) & (family_b >= 0)
    need_family = select(family == family_b, named_family, select(family == named_family, family_b, -1))
    need_value = select(printed == value_b, named_value, select(printed == named_value, value_b, -1))
    fits = fits & (need_family >= 0) & (need_value >= 0)
    return select(fits, need_family, -1), need_value


@inline
def other_side(block, state, plan, book, zero, r, p, aim, need_family, need_value):
    """Slots (I8, I8; -1: no second) that non-bluffer p plays, aiming at a total; need_*: the card that would
    complete a Miroir.
    """
    at = persona_at(p)
    if plan[at + c.P_UNIFORM] != 0:
        slot = uniform_slot(block, state, plan, p, r)
        if plan[at + c.P_MIROIR] > 0:
            slot = miroir_slot(block, plan, book, zero, p, need_family, need_value, slot)
        return slot, full(-1)
    return weighted_side(block, state, plan, book, zero, r, p, aim, need_family, need_value)


@jit
def weighted_side(block, state, plan, book, zero, r, p, aim, need_family, need_value):
    """other_side by weights."""
    at = persona_at(p)
    first, counter = p * plan[c.T_HAND_MAX], CHOICES + r * PER_ROUND + p * PER_SEAT
    wild = plan[RULES_AT + c.R_WILD_ADJUSTS]
    size = load_i8(block, plan[L_SIZE] + p)
    family, printed = load_i8(block, plan[L_VIS_FAMILY] + p), load_number(block, plan[L_VIS_PRINTED] + 2 * p, zero)
    room = load_i8(block, plan[L_VIS_SLACK] + p) if wild == c.WILD_BOTH else full(0)
    best, slot, slot2 = full_i16(WORST), full(0), full(-1)
    for i in range(book[p]):
        side_family, side = (
            load_i8(block, plan[L_HAND_FAMILY] + first + i),
            load_number(block, plan[L_HAND_PRINTED] + 2 * (first + i), zero),
        )
        slack = full(0) if wild == c.WILD_NONE else load_i8(block, plan[L_HAND_SLACK] + first + i)
        gap = gap_to(aim, printed + side, room + slack)
        hit = gap == 0
        score = common_score(state, plan, at, gap, side_family == family, absolute(side), counter + i)
        score = score + select(
            hit, select(printed + side == aim, full_i16(plan[at + c.P_HIT_NATURAL]), plan[at + c.P_HIT_ADJUST]), 0
        )
        score = score + select((side_family == need_family) & (side == need_value), full_i16(plan[at + c.P_MIROIR]), 0)
        better = (size > i) & (score > best)
        best, slot = select(better, score, best), select(better, i, slot)
    if plan[at + c.P_MAY_FUSE] != 0:
        for j in range(1, book[p]):
            family_j, side_j = (
                load_i8(block, plan[L_HAND_FAMILY] + first + j),
                load_number(block, plan[L_HAND_PRINTED] + 2 * (first + j), zero),
            )
            slack_j = full(0) if wild == c.WILD_NONE else load_i8(block, plan[L_HAND_SLACK] + first + j)
            for i in range(j):
                side_family, side = (
                    load_i8(block, plan[L_HAND_FAMILY] + first + i),
                    load_number(block, plan[L_HAND_PRINTED] + 2 * (first + i), zero),
                )
                slack = full(0) if wild == c.WILD_NONE else load_i8(block, plan[L_HAND_SLACK] + first + i)
                gap = gap_to(aim, printed + side + side_j, room + slack + slack_j)
                score = common_score(
                    state,
                    plan,
                    at,
                    gap,
                    side_family == family,
                    absolute(side) + absolute(side_j),
                    counter + FIRST_PAIR + j * (j - 1) // 2 + i,
                )
                score = score + plan[at + c.P_IS_FUSION] + select(gap == 0, full_i16(plan[at + c.P_HIT_FUSION]), 0)
                better = (size > j) & (side_family == family_j) & (score > best)
                best, slot, slot2 = select(better, score, best), select(better, i, slot), select(better, j, slot2)
    return slot, slot2


@jit
def common_score(state, plan, at, gap, same, points, counter):
    """I16: what single cards and fusions of a non-bluffer are scored for alike."""
    gap16 = wide(smaller(gap, plan[F_GAP_CAP]))
    if_same = (
        gap16 * plan[at + c.P_SAME_FAMILY_GAP]
        + plan[at + c.P_SAME_FAMILY]
        + select(gap == 0, full_i16(plan[at + c.P_FRAPPE]), 0)
    )
    score = gap16 * plan[at + c.P_GAP] + wide(points) * plan[at + c.P_POINTS] + select(same, if_same, 0)
    if plan[at + c.P_TEMPERATURE] != 0:
        score = score + random_term(state, counter, plan[at + c.P_TEMPERATURE])
    return score


@inline
def miroir_slot(block, plan, book, zero, p, need_family, need_value, otherwise):
    """I8: the first slot with the card that completes a Miroir, else `otherwise`."""
    first = p * plan[c.T_HAND_MAX]
    size = load_i8(block, plan[L_SIZE] + p)
    found, slot = no_lane(), otherwise
    for i in range(book[p]):
        fits = (size > i) & (need_family >= 0) & (load_i8(block, plan[L_HAND_FAMILY] + first + i) == need_family)
        fits = fits & (load_number(block, plan[L_HAND_PRINTED] + 2 * (first + i), zero) == need_value) & ~found
        slot = select(fits, i, slot)
        found = found | fits
    return slot
