"""Bids and their order (R5), in lanes: what may follow a bid, the lowest bid of a face, a bid by its index
(docs/games/perudo/PLAY.md sections 2 and 3).
"""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import (
    full,
    high_product,
    larger,
    load_i8,
    no_lane,
    ones,
    select,
    shift_right,
    smaller,
    store,
    store_where,
    to_i8,
    to_u16,
)
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.layout import (
    L_CAP_NUMBER,
    L_CAP_STAR,
    L_DICE,
    L_FACE,
    L_PALIFICO,
    L_QUANTITY,
    L_TOTAL,
    L_TURN,
    RULES_AT,
)

# floor(x / n) of a small x is its high product with ceil(65536 / n)
THIRD, FIFTH, SIXTH, ELEVENTH = 21846, 13108, 10923, 5958


@jit
def field(plan, quantity, face):
    """The field of a bid on the board (docs/games/perudo/PLAY.md section 2)."""
    order = plan[RULES_AT + c.R_BID_ORDER]
    if order == c.ORDER_FLAT:
        return quantity
    if order == c.ORDER_TRACK:
        return 3 * quantity - 1 if face == c.STAR else quantity + quantity // 2
    return 3 * quantity if face == c.STAR else quantity + (quantity - 1) // 2


@jit
def rank(plan, quantity, face):
    """The rank of a bid; a raise needs a larger one (R5)."""
    low = face == c.STAR and plan[RULES_AT + c.R_BID_ORDER] != c.ORDER_FLAT
    return 6 * field(plan, quantity, face) + (0 if low else face)


@jit
def set_caps(block, plan):
    """The highest quantities of this round (R20); 0 for stars where they may not be bid at all."""
    total = load_i8(block, plan[L_TOTAL])
    numbers, stars = total, total
    if plan[RULES_AT + c.R_QUANTITY_CAP] == c.CAP_NONE:
        numbers, stars = larger(total, c.BOARD_NUMBERS), larger(total, c.BOARD_STARS)
    store(block, plan[L_CAP_NUMBER], numbers)
    store(block, plan[L_CAP_STAR], stars)
    if plan[RULES_AT + c.R_PALIFICO_STARS] == 0:
        store_where(block, plan[L_CAP_STAR], load_i8(block, plan[L_PALIFICO]) >= 0, full(0))


@jit
def opening_star_cap(block, plan):
    """I8: the highest quantity of an opening bid on stars (R3)."""
    cap = load_i8(block, plan[L_CAP_STAR])
    return cap if plan[RULES_AT + c.R_OPENING_STARS] != 0 else select(load_i8(block, plan[L_PALIFICO]) >= 0, cap, 0)


@jit
def lowest_star(plan, quantity):
    """I8: the lowest quantity of stars above a bid of so many numbers."""
    if plan[RULES_AT + c.R_BID_ORDER] == c.ORDER_TRACK:
        return shift_right(quantity, 1) + 1
    if plan[RULES_AT + c.R_BID_ORDER] == c.ORDER_HALVING:
        return shift_right(quantity + 1, 1)
    return quantity + 0


@jit
def lowest_number(plan, stars):
    """I8: the lowest quantity of numbers above a bid of so many stars."""
    if plan[RULES_AT + c.R_BID_ORDER] == c.ORDER_TRACK:
        return stars + stars
    if plan[RULES_AT + c.R_BID_ORDER] == c.ORDER_HALVING:
        return stars + stars + 1
    return stars + 1


@jit
def star_is_between(plan, quantity):
    """Mask: a field of stars lies between `quantity` numbers and one more."""
    odd = (quantity - shift_right(quantity, 1) - shift_right(quantity, 1)) == 1
    if plan[RULES_AT + c.R_BID_ORDER] == c.ORDER_TRACK:
        return odd
    if plan[RULES_AT + c.R_BID_ORDER] == c.ORDER_HALVING:
        return ~odd
    return quantity > 0


@jit
def own_dice(block, plan, seats):
    """I8: dice of the player in turn."""
    turn, dice = load_i8(block, plan[L_TURN]), full(0)
    for p in range(len(seats)):
        dice = select(turn == p, load_i8(block, plan[L_DICE] + p), dice)
    return dice


@jit
def face_is_locked(block, plan, seats):
    """Mask: the player in turn may not change the face (R18)."""
    palifico, turn = load_i8(block, plan[L_PALIFICO]), load_i8(block, plan[L_TURN])
    free = (own_dice(block, plan, seats) == 1) & ~(turn == palifico)
    if plan[RULES_AT + c.R_PALIFICO_SELF_CHANGE] != 0:
        free = free | (turn == palifico)
    return (palifico >= 0) & ~free


@jit
def may_bid(block, plan, seats, quantity, face):
    """Mask: the player in turn may lay this bid over the one that stands (R5, R6, R18, R20); where none does (quantity
    0), may open with it (R3, R16).
    """
    over, on = load_i8(block, plan[L_QUANTITY]), load_i8(block, plan[L_FACE])
    on_stars, stars, opens = on == c.STAR, face == c.STAR, over == 0
    star = select(on_stars, over + 1, lowest_star(plan, over))
    number = select(on_stars, lowest_number(plan, over), over + ones(face <= on))
    star_cap = select(opens, opening_star_cap(block, plan), load_i8(block, plan[L_CAP_STAR]))
    may = quantity <= select(stars, star_cap, load_i8(block, plan[L_CAP_NUMBER]))
    raises = (quantity >= select(stars, star, number)) & ((face == on) | ~face_is_locked(block, plan, seats))
    return may & (opens | raises)


@jit
def raise_count(block, plan, locked, quantity, face):
    """The bids above (quantity, face) with at most one die more, in four runs of rising rank.

    I8 each: higher faces of this quantity; stars before one number more (0 or 1); numbers of one more; all stars; the
    lowest of these stars.
    """
    cap, star_cap = load_i8(block, plan[L_CAP_NUMBER]), load_i8(block, plan[L_CAP_STAR])
    on_stars = face == c.STAR
    more = quantity + 1
    higher = select(on_stars, 0, 5 - face)
    number = select(on_stars, lowest_number(plan, quantity), more)
    numbers = select((number <= more) & (more <= cap), full(5), 0)
    star = select(on_stars, more, lowest_star(plan, quantity))
    stars = larger(smaller(more, star_cap) - star + 1, 0)
    before = select(on_stars | ~star_is_between(plan, quantity), 0, smaller(stars, 1))
    one = select(more <= select(on_stars, star_cap, cap), full(1), 0)
    # where the face is locked, the one bid is the first number or the first star
    numbers, stars = select(locked, select(on_stars, 0, one), numbers), select(locked, select(on_stars, one, 0), stars)
    return select(locked, 0, higher), select(locked, 0, before), numbers, stars, star


@jit
def nth_raise(locked, quantity, face, counts, index):
    """The bid with this index among those of `raise_count`: (quantity, face)."""
    higher, before, numbers, _, star = counts
    first_star = (index >= higher) & (index < higher + before)
    is_higher = index < higher
    is_number = ~is_higher & ~first_star & (index < higher + before + numbers)
    on_number = select(locked, face, index - higher - before + 1)
    nth_star = select(first_star, star, star + index - higher - numbers)
    return (
        select(is_higher, quantity, select(is_number, quantity + 1, nth_star)),
        select(is_higher, face + 1 + index, select(is_number, on_number, c.STAR)),
    )


@jit
def opening_count(block, plan):
    """The opening bids with at most ceil(D / 3) + 1 dice: (I8 that quantity, mask of lanes with stars, I8 number of
    bids).
    """
    most = to_i8(high_product(to_u16(load_i8(block, plan[L_TOTAL]) + 2), THIRD)) + 1
    starred = opening_star_cap(block, plan) > 0
    five = most + most + most + most + most
    return most, starred, select(starred, five + most, five)


@jit
def nth_opening(plan, most, starred, index):
    """The opening bid with this index in order of rank: (quantity, face)."""
    order = plan[RULES_AT + c.R_BID_ORDER]
    five = most + most + most + most + most
    if order == c.ORDER_FLAT:
        period, reciprocal, early = 6, SIXTH, most - 1
    elif order == c.ORDER_TRACK:
        period, reciprocal, early = 11, ELEVENTH, shift_right(most, 1)
    else:
        period, reciprocal, early = 11, ELEVENTH, shift_right(most - 1, 1)
    plain = to_i8(high_product(to_u16(index), FIFTH))
    turn = select(starred, to_i8(high_product(to_u16(index), reciprocal)), plain)
    rest = index - turn * select(starred, full(period), 5)
    late = starred & (index >= five + early)
    if order == c.ORDER_FLAT:
        second, star = no_lane(), starred & (rest == 5)
        quantity = turn + 1
    elif order == c.ORDER_TRACK:
        second, star = starred & (rest > 5), starred & (rest == 5)
        quantity = select(starred, turn + turn, turn) + 1
    else:
        second, star = starred & (rest >= 5) & (rest < 10), starred & (rest == 10)
        quantity = select(starred, turn + turn, turn) + 1
    skipped = 5 if order == c.ORDER_TRACK else 4
    face = select(second, rest - skipped, rest + 1)
    quantity = select(second, quantity + 1, select(star, turn + 1, quantity))
    return select(late, early + 1 + index - five - early, quantity), select(late | star, c.STAR, face)
