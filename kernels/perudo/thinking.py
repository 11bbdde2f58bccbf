"""The strategies value, bayes and equilibrium, one lane at a time (docs/games/perudo/PLAY.md section 3)."""

import numpy as np

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import first_lane, peek, poke
from numbluff_sim.kernels.common.streams import read_u16, write_u16
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.bidding import field, rank
from numbluff_sim.kernels.perudo.layout import (
    CHILD,
    DOUBTS,
    HANDS,
    L_BITS,
    L_CAP_NUMBER,
    L_CAP_STAR,
    L_CHOSEN_FACE,
    L_CHOSEN_QUANTITY,
    L_DICE,
    L_FACE,
    L_FACES,
    L_HEARD,
    L_HELD,
    L_IN,
    L_OPENER,
    L_PALIFICO,
    L_QUANTITY,
    L_TOTAL,
    L_TURN,
    MIND,
    MOVE,
    NODES,
    PERSONAS_AT,
    POSTERIORS,
    ROOTS,
    ROW,
    RULES_AT,
    START,
    TAILS,
    UNTIL,
)

ONE = np.uint64(1)
#: A table of chances has this many cells for each of (stars do not help, stars help).
CELLS = (c.DICE_MAX + 1) * c.NEEDS
#: Cells of `mind` float64: the rivals' matches so far, those with one rival more, then the chance of every need by
#: face.
SUMS, CHANCES, MIND_SIZE = c.NEEDS, 2 * c.NEEDS, (2 + c.FACES + 1) * c.NEEDS


@jit
def think(block, plan, seats, tables, s, lanes):
    """The bids of the players in turn in these lanes (bits) at step s, into the rows of chosen bids; quantity 0: a
    challenge.
    """
    while lanes != np.uint64(0):
        lane = first_lane(lanes)
        lanes &= lanes - ONE
        bid = choose(block, plan, len(seats), tables, s, lane)
        poke(block, plan[L_CHOSEN_QUANTITY], lane, bid // c.BID_BASE)
        poke(block, plan[L_CHOSEN_FACE], lane, bid % c.BID_BASE)


@jit
def choose(block, plan, players, tables, s, lane):
    """One player's bid as quantity * 8 + face, 0 for a challenge."""
    turn = peek(block, plan[L_TURN], lane)
    persona = PERSONAS_AT + turn * c.PERSONA_FIELDS
    palifico = peek(block, plan[L_PALIFICO], lane)
    node = tables[NODES][lane]
    if plan[persona + c.P_STRATEGY] == c.EQUILIBRIUM and node != c.UNSOLVED:
        return solved_bid(block, plan, tables, lane, turn, node)
    if s == 0 and palifico == turn and peek(block, plan[L_IN], lane) == 2:
        for f in range(1, c.FACES + 1):
            may = f < c.STAR or peek(block, plan[L_CAP_STAR], lane) > 0
            if may and peek(block, plan[L_HELD] + turn * c.FACES + f - 1, lane) > 0:
                return c.BID_BASE + f
    if plan[persona + c.P_STRATEGY] != c.VALUE:
        weigh_rivals(block, plan, players, tables, lane, turn, palifico > 127)
    return best_value(block, plan, tables, s, lane, turn, persona)


@jit
def matches(block, plan, lane, turn, face, normal):
    """The player's own dice that match a face; `normal`: stars help numbers."""
    held = peek(block, plan[L_HELD] + turn * c.FACES + face - 1, lane)
    if normal and face < c.STAR:
        held += peek(block, plan[L_HELD] + turn * c.FACES + c.STAR - 1, lane)
    return held


@jit
def seen_chance(block, plan, tables, lane, turn, quantity, face, normal, blind):
    """The chance of a bid as this player sees it, in 1/65536; `blind`: without a thought about what rivals have
    said.
    """
    need = quantity - matches(block, plan, lane, turn, face, normal)
    unseen = peek(block, plan[L_TOTAL], lane) - peek(block, plan[L_DICE] + turn, lane)
    if need <= 0:
        return c.CERTAIN
    if need > unseen:
        return 0
    if blind:
        return np.int64(tables[TAILS][(CELLS if normal and face < c.STAR else 0) + unseen * c.NEEDS + need])
    return np.int64(tables[MIND][CHANCES + face * c.NEEDS + need])


@jit
def best_value(block, plan, tables, s, lane, turn, persona):
    """The bid of the largest value among those a few fields on, or 0 where a challenge is worth more."""
    quantity, face = peek(block, plan[L_QUANTITY], lane), peek(block, plan[L_FACE], lane)
    total, own = peek(block, plan[L_TOTAL], lane), peek(block, plan[L_DICE] + turn, lane)
    palifico = peek(block, plan[L_PALIFICO], lane)
    normal, blind = palifico > 127, plan[persona + c.P_STRATEGY] == c.VALUE
    changes = normal or s == 0 or (plan[RULES_AT + c.R_PALIFICO_SELF_CHANGE] != 0 if turn == palifico else own == 1)
    star_cap = peek(block, plan[L_CAP_STAR], lane)
    if s == 0 and normal and plan[RULES_AT + c.R_OPENING_STARS] == 0:
        star_cap = 0
    if s == 0:
        quantity = max(1, total // (3 if normal else 6))
        over, last = rank(plan, quantity, 1) - 1, field(plan, quantity, 1) + plan[persona + c.P_FIELDS_BEYOND]
    else:
        over, last = rank(plan, quantity, face), field(plan, quantity, face) + plan[persona + c.P_FIELDS_BEYOND]
    best, best_rank, found = -1, 0, 0
    for f in range(1, c.FACES + 1):
        if not changes and f != face:
            continue
        q = max(1, quantity // 2) if f == c.STAR else quantity
        while rank(plan, q, f) <= over:
            q += 1
        cap = star_cap if f == c.STAR else peek(block, plan[L_CAP_NUMBER], lane)
        doubts = ((turn * 2 + (1 if normal and f < c.STAR else 0)) * (c.DICE_MAX + 1) + total) * c.NEEDS
        while q <= cap and field(plan, q, f) <= last:
            p = seen_chance(block, plan, tables, lane, turn, q, f, normal, blind)
            value = p + ((c.CHANCE_ONE - p) * (c.CHANCE_ONE - np.int64(tables[DOUBTS][doubts + q]))) // c.CHANCE_ONE
            here = rank(plan, q, f)
            if value > best or (value == best and here < best_rank):
                best, best_rank, found = value, here, q * c.BID_BASE + f
            q += 1
    if s > 0 and c.CHANCE_ONE - seen_chance(block, plan, tables, lane, turn, quantity, face, normal, blind) > best:
        return 0
    return found


@jit
def solved_bid(block, plan, tables, lane, turn, node):
    """The move of a solved round at a node, as quantity * 8 + face, 0 for a challenge."""
    row = tables[ROW][node] if node >= 0 else c.NOWHERE
    if row < 0:
        return 0
    dice, code, weight = peek(block, plan[L_DICE] + turn, lane), 0, 1
    for die in range(dice):
        code += (peek(block, plan[L_FACES] + turn * plan[c.T_DICE] + die, lane) - 1) * weight
        weight *= c.FACES
    at = row + tables[HANDS][dice * c.HANDS + code]
    bits = read_u16(block, plan[L_BITS], lane)
    for i in range(tables[START][at], tables[START][at + 1]):
        if tables[UNTIL][i] > bits:
            move = tables[MOVE][i]
            return 0 if move == c.CHALLENGE else (move // c.FACES + 1) * c.BID_BASE + move % c.FACES + 1
    return 0


@jit
def enter_solved(block, plan, tables):
    """Each lane's place in the solved rounds at the start of a round."""
    for lane in range(64):
        own = peek(block, plan[L_DICE] + peek(block, plan[L_OPENER], lane), lane)
        other, node = peek(block, plan[L_TOTAL], lane) - own, c.UNSOLVED
        if peek(block, plan[L_IN], lane) == 2 and own < 3 and other < 4:
            normal = peek(block, plan[L_PALIFICO], lane) > 127
            root = tables[ROOTS][((0 if normal else 1) * 3 + own) * 4 + other]
            node = root if root >= 0 else c.UNSOLVED
        tables[NODES][lane] = node


@jit
def hear(block, plan, tables, lanes):
    """In these lanes (bits) the player in turn is about to lay the chosen bid over the current one: what bayes and
    equilibrium make of it.
    """
    while lanes != np.uint64(0):
        lane = first_lane(lanes)
        lanes &= lanes - ONE
        row = plan[L_HEARD] + 2 * peek(block, plan[L_TURN], lane)
        node, quantity = tables[NODES][lane], peek(block, plan[L_CHOSEN_QUANTITY], lane)
        if node >= 0:
            at = node * c.BID_CODES + c.FACES * (quantity - 1) + peek(block, plan[L_CHOSEN_FACE], lane) - 1
            tables[NODES][lane] = tables[CHILD][at] if c.FACES * quantity <= c.BID_CODES else c.NOWHERE
        face, before = peek(block, plan[L_CHOSEN_FACE], lane), peek(block, plan[L_FACE], lane)
        digit, pattern = 3 ** (face - 1), read_u16(block, row, lane)
        if pattern // digit % 3 == c.UNHEARD:
            write_u16(block, row, lane, pattern + digit * (c.HEARD_RAISE if face == before else c.HEARD_FIRST))


@jit
def weigh_rivals(block, plan, players, tables, lane, turn, normal):
    """The chance of every need for every face, from what the rivals have said in this round, into `mind`."""
    mind, which = tables[MIND], plan[PERSONAS_AT + turn * c.PERSONA_FIELDS + c.P_MIND]
    for f in range(1, c.FACES + 1):
        mind[0] = 1.0
        known = 0
        for k in range(1, players):
            p = (turn + k) % players
            dice = peek(block, plan[L_DICE] + p, lane)
            if dice == 0:
                continue
            at = (
                (
                    ((which * c.MATCHES + dice) * c.PATTERNS + read_u16(block, plan[L_HEARD] + 2 * p, lane)) * 2
                    + (1 if normal else 0)
                )
                * c.FACES
                + f
                - 1
            ) * c.MATCHES
            for i in range(known + dice + 1):
                total = 0.0
                for j in range(min(dice, i) + 1):
                    if i - j <= known:
                        total += mind[i - j] * tables[POSTERIORS][at + j]
                mind[SUMS + i] = total
            known += dice
            for i in range(known + 1):
                mind[i] = mind[SUMS + i]
        total = 0.0
        for need in range(known, 0, -1):
            total += mind[need]
            mind[CHANCES + f * c.NEEDS + need] = min(float(c.CERTAIN), np.floor(65536.0 * total))
