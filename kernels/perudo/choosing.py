"""What players say, in lanes: the strategies random, threshold and scripted (docs/games/perudo/PLAY.md section 3);
the others are asked lane by lane.
"""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import (
    any_lane,
    full,
    full_u16,
    high_product,
    lane_bits,
    larger,
    load_i8,
    no_lane,
    ones,
    select,
    smaller,
    store,
    take,
    to_i8,
    to_u16,
    wide,
)
from numbluff_sim.kernels.common.streams import below, random_bits
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.bidding import (
    THIRD,
    face_is_locked,
    lowest_number,
    lowest_star,
    nth_opening,
    nth_raise,
    opening_count,
    opening_star_cap,
    own_dice,
    raise_count,
)
from numbluff_sim.kernels.perudo.layout import (
    F_STRATEGY,
    L_BITS,
    L_CAP_NUMBER,
    L_CAP_STAR,
    L_CHOSEN_FACE,
    L_CHOSEN_QUANTITY,
    L_FACE,
    L_HELD,
    L_IN,
    L_OWN,
    L_PALIFICO,
    L_QUANTITY,
    L_TOTAL,
    L_TURN,
    OPENINGS,
    PERSONAS_AT,
    TAILS,
)
from numbluff_sim.kernels.perudo.streams import DECISIONS, PER_ROUND, PER_STEP
from numbluff_sim.kernels.perudo.thinking import think


@jit
def persona_at(p):
    """Where in the plan the persona of seat p stands."""
    return PERSONAS_AT + p * c.PERSONA_FIELDS


@jit
def seated(plan, seats, turn, strategy):
    """Mask: lanes in which a player of this strategy is in turn."""
    found = no_lane()
    for p in range(len(seats)):
        if plan[persona_at(p) + c.P_STRATEGY] == strategy:
            found = found | (turn == p)
    return found


@jit
def random_opening(block, plan, words, counter):
    """P0's opening bid: (quantity, face)."""
    most, starred, number = opening_count(block, plan)
    index = to_i8(below(block, 0, words, counter + 1, to_u16(number)))
    return nth_opening(plan, most, starred, index)


@jit
def random_reply(block, plan, seats, words, counter, quantity, face):
    """P0's answer to a bid: (mask of challenges, quantity, face)."""
    turn = load_i8(block, plan[L_TURN])
    locked = face_is_locked(block, plan, seats)
    counts = raise_count(block, plan, locked, quantity, face)
    number = counts[0] + counts[2] + counts[3]
    one_in = full_u16(1)
    for p in range(len(seats)):
        one_in = select(turn == p, full_u16(plan[persona_at(p) + c.P_CHALLENGE_ONE_IN]), one_in)
    challenges = (below(block, 0, words, counter, one_in) == 0) | (number == 0)
    index = to_i8(below(block, 0, words, counter + 1, to_u16(number)))
    quantity, face = nth_raise(locked, quantity, face, counts, index)
    return challenges, quantity, face


@jit
def chance(tails, wild, unseen, need):
    """U16: chance of at least `need` matches among `unseen` dice, for a number that stars help where `wild` holds;
    I8 each.
    """
    return take(tails, cell(wild, unseen, need))


@jit
def cell(wild, unseen, need):
    """I16: the cell of a table by (wild, dice, need)."""
    at = wide(unseen) * c.NEEDS + wide(larger(smaller(need, c.NEEDS - 1), 0))
    return select(wild, at + (c.DICE_MAX + 1) * c.NEEDS, at)


@jit
def below_units(plan, seats, turn, field, chances):
    """Mask: the chance is below the persona's."""
    found = no_lane()
    for p in range(len(seats)):
        units = plan[persona_at(p) + field]
        if units > 0:
            found = found | ((turn == p) & (chances <= units - 1))
    return found


@jit
def take_hand(block, plan, seats):
    """The dice of the player in turn that show each face, into their rows."""
    turn = load_i8(block, plan[L_TURN])
    for face in range(c.FACES):
        held = full(0)
        for p in range(len(seats)):
            held = select(turn == p, load_i8(block, plan[L_HELD] + p * c.FACES + face), held)
        store(block, plan[L_OWN] + face, held)


@jit
def own(block, plan, face):
    """I8: dice of the player in turn that show this face."""
    return load_i8(block, plan[L_OWN] + face - 1)


@jit
def threshold_opening(block, plan, seats, opens):
    """P1's opening bid: (quantity, face)."""
    turn, palifico = load_i8(block, plan[L_TURN]), load_i8(block, plan[L_PALIFICO])
    unseen, wild = load_i8(block, plan[L_TOTAL]) - own_dice(block, plan, seats), palifico < 0
    at = wide(turn) * (2 * c.NEEDS) + wide(unseen)
    hoped, hoped_stars = to_i8(take(opens, select(wild, at + c.NEEDS, at))), to_i8(take(opens, at))
    stars = own(block, plan, c.STAR)
    joker = select(wild, stars, 0)
    cap, star_cap = load_i8(block, plan[L_CAP_NUMBER]), opening_star_cap(block, plan)
    best, face, single = full(0), full(0), full(0)
    for f in range(1, c.STAR):
        held = own(block, plan, f)
        quantity = smaller(larger(held + joker + hoped, 1), cap)
        face, best, single = select(quantity > best, f, face), larger(best, quantity), select(held > 0, f, single)
    quantity = smaller(larger(stars + hoped_stars, 1), star_cap)
    face, best, single = (
        select(quantity > best, c.STAR, face),
        larger(best, quantity),
        select(stars > 0, c.STAR, single),
    )
    # the Palifico against one rival bids what the own die shows
    alone = ~wild & (load_i8(block, plan[L_IN]) == 2) & ((single < c.STAR) | (star_cap > 0))
    return select(alone, 1, best), select(alone, single, face)


@jit
def likeliest_number(block, plan, tables, quantity, face, unseen, wild, locked):
    """Of the lowest bids on numbers the likeliest: (I8 its need, 127 where there is none, U16 its chance, quantity,
    face).
    """
    on_stars, cap = face == c.STAR, load_i8(block, plan[L_CAP_NUMBER])
    joker = select(wild, own(block, plan, c.STAR), 0)
    over = lowest_number(plan, quantity)
    # one match among very many dice is as certain as none
    certain = ones(wild & (unseen >= c.ONE_IS_CERTAIN))
    least, best_quantity, best_face, is_higher = full(127), full(0), full(0), no_lane()
    lowest_quantity, lowest_face, lowest_is_higher = full(0), full(0), no_lane()
    for f in range(1, c.STAR):
        higher = face < f
        low = select(on_stars, over, select(higher, quantity, quantity + 1))
        need, may = larger(low - own(block, plan, f) - joker, certain), (low <= cap) & (~locked | (face == f))
        # of equally likely ones the first face wins, but a bid that needs no die more is the lower one
        better = may & ((need < least) | (higher & ~is_higher & (need == least)))
        least, best_quantity, best_face = (
            select(better, need, least),
            select(better, low, best_quantity),
            select(better, f, best_face),
        )
        is_higher = (is_higher & ~better) | (higher & better)
        lower = may & ((lowest_face == 0) | (higher & ~lowest_is_higher))
        lowest_quantity, lowest_face = select(lower, low, lowest_quantity), select(lower, f, lowest_face)
        lowest_is_higher = lowest_is_higher | (higher & lower)
    likeliest = chance(tables[TAILS], wild, unseen, least)
    # where the likeliest is hopeless, all are, and the lowest of them wins
    hopeless = likeliest == 0
    return least, likeliest, select(hopeless, lowest_quantity, best_quantity), select(hopeless, lowest_face, best_face)


@jit
def threshold_reply(block, plan, seats, tables, who, quantity, face):
    """P1's answer to a bid: (mask of challenges, quantity, face); only lanes `who` count."""
    turn, wild, on_stars = load_i8(block, plan[L_TURN]), load_i8(block, plan[L_PALIFICO]) < 0, face == c.STAR
    unseen, locked = load_i8(block, plan[L_TOTAL]) - own_dice(block, plan, seats), face_is_locked(block, plan, seats)
    stars = own(block, plan, c.STAR)
    matches = select(wild | on_stars, stars, 0)
    for f in range(1, c.STAR):
        matches = select(face == f, matches + own(block, plan, f), matches)
    current = chance(tables[TAILS], wild & ~on_stars, unseen, quantity - matches)
    least, best, best_quantity, best_face = likeliest_number(block, plan, tables, quantity, face, unseen, wild, locked)
    has_number = least < 127
    low = select(on_stars, quantity + 1, lowest_star(plan, quantity))
    has_star = (low <= load_i8(block, plan[L_CAP_STAR])) & (~locked | on_stars)
    # a chance falls with the need, and is never greater for stars: most bids on stars can be left alone
    of_stars = full_u16(0)
    if any_lane(who & has_star & (~has_number | (best == 0) | (low - stars <= least))):
        of_stars = chance(tables[TAILS], no_lane(), unseen, low - stars)
    lower = (of_stars == best) & (best_quantity >= lowest_number(plan, low))
    star = has_star & (~has_number | (of_stars > best) | lower)
    best, best_quantity, best_face = (
        select(star, of_stars, best),
        select(star, low, best_quantity),
        select(star, c.STAR, best_face),
    )
    unlikely = below_units(plan, seats, turn, c.P_RAISE_AT_LEAST, best) & below_units(
        plan, seats, turn, c.P_DOUBT_BELOW, current
    )
    challenges = below_units(plan, seats, turn, c.P_CHALLENGE_BELOW, current) | unlikely | ~(has_number | has_star)
    return challenges, best_quantity, best_face


@jit
def scripted_opening(block, plan, seats):
    """I8: the quantity of a scripted opening bid."""
    turn, third, found = (
        load_i8(block, plan[L_TURN]),
        to_i8(high_product(to_u16(load_i8(block, plan[L_TOTAL]) + 2), THIRD)),
        full(1),
    )
    for p in range(len(seats)):
        if plan[persona_at(p) + c.P_SCRIPT] == c.SCRIPT_THIRD:
            found = select(turn == p, third, found)
    return found


@jit
def decide(block, state, plan, seats, tables, t, s, bidding):
    """What the players in turn say at step s of round t: (mask of challenges, quantity, face); only lanes `bidding`
    count.
    """
    turn, quantity, face = load_i8(block, plan[L_TURN]), load_i8(block, plan[L_QUANTITY]), load_i8(block, plan[L_FACE])
    counter = DECISIONS + t * PER_ROUND + s * PER_STEP
    challenges, new_quantity, new_face = no_lane(), quantity, face
    if plan[F_STRATEGY + c.SCRIPTED] != 0:
        who = seated(plan, seats, turn, c.SCRIPTED)
        if s == 0:
            new_quantity, new_face = (
                select(who, scripted_opening(block, plan, seats), new_quantity),
                select(who, 1, new_face),
            )
        else:
            challenges = challenges | who
    if plan[F_STRATEGY + c.RANDOM] != 0:
        who = seated(plan, seats, turn, c.RANDOM)
        if s == 0:
            said_quantity, said_face = random_opening(block, plan, state, counter)
        else:
            said, said_quantity, said_face = random_reply(block, plan, seats, state, counter, quantity, face)
            challenges = challenges | (who & said)
        new_quantity, new_face = select(who, said_quantity, new_quantity), select(who, said_face, new_face)
    if plan[F_STRATEGY + c.THRESHOLD] != 0:
        who = seated(plan, seats, turn, c.THRESHOLD)
        take_hand(block, plan, seats)
        if s == 0:
            said_quantity, said_face = threshold_opening(block, plan, seats, tables[OPENINGS])
        else:
            said, said_quantity, said_face = threshold_reply(block, plan, seats, tables, who & bidding, quantity, face)
            challenges = challenges | (who & said)
        new_quantity, new_face = select(who, said_quantity, new_quantity), select(who, said_face, new_face)
    if plan[F_STRATEGY + c.VALUE] + plan[F_STRATEGY + c.BAYES] + plan[F_STRATEGY + c.EQUILIBRIUM] != 0:
        who = (
            seated(plan, seats, turn, c.VALUE)
            | seated(plan, seats, turn, c.BAYES)
            | seated(plan, seats, turn, c.EQUILIBRIUM)
        )
        if plan[F_STRATEGY + c.EQUILIBRIUM] != 0:
            store(block, plan[L_BITS], random_bits(state, counter))
        think(block, plan, seats, tables, s, lane_bits(who & bidding))
        said_quantity, said_face = load_i8(block, plan[L_CHOSEN_QUANTITY]), load_i8(block, plan[L_CHOSEN_FACE])
        challenges = challenges | (who & (said_quantity == 0))
        new_quantity, new_face = select(who, said_quantity, new_quantity), select(who, said_face, new_face)
    return challenges, new_quantity, new_face
