"""Distributions, covariances and game rows, read off the trace of a block in plain scalar code.

Runs on every `detail_every`-th block (and on every block when game rows are asked), so it may take its time; loops run over the lanes inside, as
the trace lies in memory. `d` is one flat int64 array; where each tally field starts in it is in the plan (D_*). What the fields hold is said in
numbluff_sim.games.num_bluff.tally. `v` and `game` are flat int64 arrays of rows of 64: per-game variables, and what is followed through a game.
"""
from numbluff_sim.kernels.jit import jit
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.layout import (CHANGES, D_ANNOUNCED, D_CROSS, D_CROSS_SUMS, D_DECIDED, D_DETAIL_GAMES, D_DETAIL_ROUNDS, D_EXACT_KINDS,
                                                   D_EXACT_PLAYERS, D_GAP_CLOSEST, D_GAP_FARTHEST, D_HALF_RANK, D_HAND_SIZE, D_HAND_UNEXPLAINED,
                                                   D_LEAD_CHANGES, D_MARGIN, D_MECHANISM, D_POT_BY_ROUND, D_POT_SHARE, D_POT_WAIT, D_POT_WHEN_WON,
                                                   D_ROLE_POINTS, D_SCORE, D_SIDE, D_TIES, D_WINNERS, EXTRA_VARIABLES, F_POINTS, FOLLOWED, LAST_WIN,
                                                   LEADERS, ODD_HANDS, SINCE, X_CLOSEST_POINTS, X_FUSION_POINTS, X_FUSION_SIDES, X_HONEST_ROUNDS,
                                                   X_POT_AFTER, X_SINGLE_POINTS)

BASE = c.TRACE_SCALARS


@jit
def at(rows, row, lane):
    """Element `lane` of a row of 64, as int64."""
    return int(rows[row * 64 + lane])


@jit
def tell(d, plan, field, index, amount):
    """Adds to one cell of a tally field."""
    d[plan[field] + index] += amount


@jit
def add_details(t, plan, n, low, high, detailed, d, work, game_rows, first_row):
    """Adds lanes low .. high - 1 of a block's trace to the details d when `detailed`; fills game_rows (int32, flat) from row first_row on unless that is negative.

    t: int16, the block's trace as rows of 64; work: int64, WORK_ROWS(n) rows of 64, overwritten.
    """
    rounds, fields = plan[c.T_ROUNDS], c.TRACE_SCALARS + c.TRACE_BLOCKS * n
    variables = c.VARIABLES + 2 * n + EXTRA_VARIABLES
    game, half = variables, variables + FOLLOWED + 3 * n
    for i in range((half + n) * 64):
        work[i] = plan[c.T_HAND] if (game + FOLLOWED + 2 * n) * 64 <= i < half * 64 else 0
    for r in range(rounds):
        if r == rounds // 2:
            for i in range(n * 64):
                work[half * 64 + i] = work[(game + FOLLOWED) * 64 + i]
        row = r * fields
        follow_round(t, row, n, low, high, r, work, game)
        if detailed:
            add_round(t, row, plan, n, low, high, r, work, game, d)
            add_sides(t, row, plan, n, low, high, d)
            add_positions(t, row, plan, n, low, high, r, work, game, d)
    finish_games(n, low, high, work, game)
    if detailed:
        add_games(plan, n, low, high, work, game, half, d)
        add_products(plan, work, variables, low, high, d)
    if first_row >= 0:
        write_game_rows(t, n, low, high, rounds, fields, work, game, half, game_rows, first_row)


@jit
def follow_round(t, row, n, low, high, r, v, game):
    """Adds one round to the per-game variables v and, behind them from row `game` on, to what is followed: scores, leaders, expected hands."""
    extra = c.VARIABLES + 2 * n
    seat = row + BASE
    for lane in range(low, high):
        if at(t, row + c.TR_PLAYED, lane) == 0:
            continue
        event, b, lie = at(t, row + c.TR_EVENT, lane), at(t, row + c.TR_BLUFFER, lane), at(t, row + c.TR_LIE, lane)
        v[c.V_ROUNDS * 64 + lane] += 1
        v[(c.V_MIROIR + event) * 64 + lane] += 1
        v[c.V_RECYCLES * 64 + lane] += at(t, row + c.TR_RECYCLED, lane)
        v[c.V_POT_WON * 64 + lane] += at(t, row + c.TR_POT_WON, lane)
        v[c.V_POT_LEFT * 64 + lane] = at(t, row + c.TR_POT_AFTER, lane)
        v[c.V_LIES_TOTAL * 64 + lane] += lie == c.LIE_TOTAL
        v[c.V_LIES_FAMILY * 64 + lane] += lie == c.LIE_FAMILY
        v[c.V_MIROIR_SEVERAL * 64 + lane] += at(t, row + c.TR_MIROIRS, lane) > 1
        v[(extra + X_POT_AFTER) * 64 + lane] += at(t, row + c.TR_POT_AFTER, lane)
        v[(extra + X_HONEST_ROUNDS) * 64 + lane] += lie == c.TRUTH
        v[(c.V_BLUFFER_HONEST if lie == c.TRUTH else c.V_BLUFFER_LYING) * 64 + lane] += at(t, seat + c.TS_GAIN * n + b, lane)
        best, leaders = 0, 0
        for p in range(n):
            gain = at(t, seat + c.TS_GAIN * n + p, lane)
            fused = at(t, seat + c.TS_HIDDEN2 * n + p, lane) != c.NO_CARD
            v[c.V_FUSIONS * 64 + lane] += fused
            v[c.V_EXACT * 64 + lane] += at(t, seat + c.TS_MECHANISM * n + p, lane) != c.NOT_EXACT
            v[c.V_REFILLS * 64 + lane] += at(t, seat + c.TS_REFILL_DRAW * n + p, lane) != c.NO_CARD
            took_option = at(t, seat + c.TS_OPTION_DRAW * n + p, lane) != c.NO_CARD
            v[c.V_OPTIONS * 64 + lane] += took_option
            drew = (at(t, row + c.TR_EMPTY_DRAWS, lane) >> p) & 1 == 1
            v[c.V_EMPTY_HANDS * 64 + lane] += drew or at(t, seat + c.TS_FATE * n + p, lane) == c.NOTHING
            if p != b and fused:
                v[(extra + X_FUSION_POINTS) * 64 + lane] += gain
                v[(extra + X_FUSION_SIDES) * 64 + lane] += 1
            elif p != b:
                v[(extra + X_SINGLE_POINTS) * 64 + lane] += gain
            if at(t, row + c.TR_CLOSEST, lane) == p:
                v[(extra + X_CLOSEST_POINTS) * 64 + lane] += gain
            mine = (game + FOLLOWED + p) * 64 + lane
            v[mine] += gain
            if at(t, row + c.TR_POT_TAKER, lane) == p:
                v[mine + n * 64] += at(t, row + c.TR_POT_WON, lane)
            v[mine + 2 * n * 64] += took_option
            v[mine + 2 * n * 64] -= event == c.MIROIR and at(t, seat + c.TS_BACK * n + p, lane) == 0
            score = v[mine]
            if score > best:
                best, leaders = score, 1 << p
            elif score == best and best > 0:
                leaders |= 1 << p
        if leaders != at(v, game + LEADERS, lane):
            v[(game + CHANGES) * 64 + lane] += at(v, game + LEADERS, lane) != 0
            v[(game + LEADERS) * 64 + lane] = leaders
            v[(game + SINCE) * 64 + lane] = r + 1


@jit
def add_round(t, row, plan, n, low, high, r, v, game, d):
    """Histograms of one round: pot, gaps, ties, exact players."""
    width, seat = plan[c.T_HIST_WIDTH], row + BASE
    for lane in range(low, high):
        if at(t, row + c.TR_PLAYED, lane) == 0:
            continue
        event = at(t, row + c.TR_EVENT, lane)
        tell(d, plan, D_DETAIL_ROUNDS, r, 1)
        tell(d, plan, D_POT_BY_ROUND, r * c.BINS + min(at(t, row + c.TR_POT_AFTER, lane) // width, c.BINS - 1), 1)
        if at(t, row + c.TR_POT_TAKER, lane) >= 0:
            tell(d, plan, D_POT_WHEN_WON, event * c.BINS + min(at(t, row + c.TR_POT_WON, lane) // width, c.BINS - 1), 1)
            tell(d, plan, D_POT_WAIT, r + 1 - at(v, game + LAST_WIN, lane), 1)
            v[(game + LAST_WIN) * 64 + lane] = r + 1
        if event >= c.EPARGNE:
            closest, farthest = at(t, row + c.TR_CLOSEST, lane), at(t, row + c.TR_FARTHEST, lane)
            if closest >= 0:
                tell(d, plan, D_GAP_CLOSEST, min(at(t, seat + c.TS_GAP * n + closest, lane), 255), 1)
                tell(d, plan, D_TIES, at(t, row + c.TR_CLOSEST_TIE, lane), 1)
            tell(d, plan, D_GAP_FARTHEST, min(at(t, seat + c.TS_GAP * n + farthest, lane), 255), 1)
            tell(d, plan, D_TIES, 3 + at(t, row + c.TR_FARTHEST_TIE, lane), 1)
        exact = 0
        for p in range(n):
            exact += at(t, seat + c.TS_MECHANISM * n + p, lane) != c.NOT_EXACT
        tell(d, plan, D_EXACT_PLAYERS, exact, 1)


@jit
def add_sides(t, row, plan, n, low, high, d):
    """What hidden sides did: mechanisms, exact kinds, fusions, points at risk and gained."""
    for p in range(n):
        seat = row + BASE + p
        for lane in range(low, high):
            if at(t, row + c.TR_PLAYED, lane) == 0:
                continue
            bluffs, how = at(t, row + c.TR_BLUFFER, lane) == p, at(t, seat + c.TS_MECHANISM * n, lane)
            same, exact = at(t, seat + c.TS_SAME_FAMILY * n, lane), int(how != c.NOT_EXACT)
            if bluffs:
                tell(d, plan, D_EXACT_KINDS, 5, same)
            else:
                tell(d, plan, D_EXACT_KINDS, 0, 1)
                tell(d, plan, D_MECHANISM, at(t, row + c.TR_EVENT, lane) * 4 + how, exact)
                tell(d, plan, D_EXACT_KINDS, 1, exact)
                tell(d, plan, D_EXACT_KINDS, 2, exact * same)
                tell(d, plan, D_EXACT_KINDS, 3, int(how == c.NATURAL))
                tell(d, plan, D_EXACT_KINDS, 4, int(how == c.NATURAL) * same)
            first, second = at(t, seat + c.TS_HIDDEN1 * n, lane), at(t, seat + c.TS_HIDDEN2 * n, lane)
            if first != c.NO_CARD:
                fused, gain = int(second != c.NO_CARD), at(t, seat + c.TS_GAIN * n, lane)
                cell = (int(bluffs) * 2 + fused) * 5
                tell(d, plan, D_SIDE, cell, 1)
                tell(d, plan, D_SIDE, cell + 1, exact)
                tell(d, plan, D_SIDE, cell + 2, gain)
                tell(d, plan, D_SIDE, cell + 3, plan[plan[F_POINTS] + first] + (plan[plan[F_POINTS] + second] if fused == 1 else 0))
                tell(d, plan, D_SIDE, cell + 4, gain * gain)


@jit
def add_positions(t, row, plan, n, low, high, r, v, game, d):
    """Points by position of the round, by announcement, and hand sizes."""
    seat = row + BASE
    for lane in range(low, high):
        if at(t, row + c.TR_PLAYED, lane) == 0:
            continue
        b, lie = at(t, row + c.TR_BLUFFER, lane), at(t, row + c.TR_LIE, lane)
        closest, farthest = at(t, row + c.TR_CLOSEST, lane), at(t, row + c.TR_FARTHEST, lane)
        winners, disproved, heard = at(t, row + c.TR_WINNERS, lane), at(t, row + c.TR_DISPROVED, lane), 0
        for p in range(n):
            gain = at(t, seat + c.TS_GAIN * n + p, lane)
            heard += (disproved >> p) & 1
            position = 4
            if p == b:
                position = 0
                tell(d, plan, D_ANNOUNCED, lie * 5, 1)
                tell(d, plan, D_ANNOUNCED, lie * 5 + 1, gain)
                tell(d, plan, D_ANNOUNCED, lie * 5 + 2, gain * gain)
            elif closest == p:
                position = 1
            elif farthest == p:
                position = 2
            elif (winners >> p) & 1 == 1:
                position = 3
            tell(d, plan, D_ROLE_POINTS, position * 3, 1)
            tell(d, plan, D_ROLE_POINTS, position * 3 + 1, gain)
            tell(d, plan, D_ROLE_POINTS, position * 3 + 2, gain * gain)
            hand = at(t, seat + c.TS_HAND * n + p, lane)
            tell(d, plan, D_HAND_SIZE, r * 64 + min(hand, 63), 1)
            tell(d, plan, D_HAND_UNEXPLAINED, 0, 1)
            if hand != at(v, game + FOLLOWED + 2 * n + p, lane):
                tell(d, plan, D_HAND_UNEXPLAINED, 1, 1)
                v[(game + ODD_HANDS) * 64 + lane] = 1
        tell(d, plan, D_ANNOUNCED, lie * 5 + 3, heard)
        tell(d, plan, D_ANNOUNCED, lie * 5 + 4, n - 1)


@jit
def finish_games(n, low, high, v, game):
    """Scores and win shares as per-game variables."""
    for lane in range(low, high):
        best, sharing = -1, 0
        for p in range(n):
            score = at(v, game + FOLLOWED + p, lane)
            v[(c.VARIABLES + p) * 64 + lane] = score
            sharing = 1 if score > best else sharing + int(score == best)
            best = max(best, score)
        for p in range(n):
            v[(c.VARIABLES + n + p) * 64 + lane] = c.SHARE // sharing if at(v, game + FOLLOWED + p, lane) == best else 0


@jit
def sole_winner(n, lane, v):
    """The seat that won alone, -1 when the win is shared."""
    for p in range(n):
        if at(v, c.VARIABLES + n + p, lane) == c.SHARE:
            return p
    return -1


@jit
def half_time_rank(n, lane, v, half, winner):
    """Rank of a seat at half time: 1 + seats that had more points."""
    rank = 1
    for p in range(n):
        rank += at(v, half + p, lane) > at(v, half + winner, lane)
    return rank


@jit
def add_games(plan, n, low, high, v, game, half, d):
    """Histograms of whole games."""
    width = plan[c.T_HIST_WIDTH]
    tell(d, plan, D_DETAIL_GAMES, 0, high - low)
    for lane in range(low, high):
        best, second, sharing = 0, 0, 0
        for p in range(n):
            score = at(v, game + FOLLOWED + p, lane)
            tell(d, plan, D_SCORE, p * c.BINS + min(score // width, c.BINS - 1), 1)
            sharing += at(v, c.VARIABLES + n + p, lane) != 0
            if score > best:
                best, second = score, best
            elif score > second:
                second = score
        tell(d, plan, D_MARGIN, min((best - second) // width, c.BINS - 1), 1)
        tell(d, plan, D_WINNERS, sharing, 1)
        tell(d, plan, D_LEAD_CHANGES, at(v, game + CHANGES, lane), 1)
        tell(d, plan, D_DECIDED, at(v, game + SINCE, lane), 1)
        tell(d, plan, D_HAND_UNEXPLAINED, 2, at(v, game + ODD_HANDS, lane))
        winner = sole_winner(n, lane, v)
        if winner >= 0:
            tell(d, plan, D_HALF_RANK, half_time_rank(n, lane, v, half, winner), 1)
            tell(d, plan, D_POT_SHARE, 100 * at(v, game + FOLLOWED + n + winner, lane) // max(best, 1), 1)


@jit
def add_products(plan, v, variables, low, high, d):
    """Sums and sums of products of all pairs of per-game variables."""
    for a in range(variables):
        sum_of = 0
        for lane in range(low, high):
            sum_of += at(v, a, lane)
        if sum_of == 0:
            continue
        tell(d, plan, D_CROSS_SUMS, a, sum_of)
        for b in range(a + 1):
            products = 0
            for lane in range(low, high):
                products += at(v, a, lane) * at(v, b, lane)
            tell(d, plan, D_CROSS, a * variables + b, products)
            if a != b:
                tell(d, plan, D_CROSS, b * variables + a, products)


@jit
def write_game_rows(t, n, low, high, rounds, fields, v, game, half, out, first_row):
    """Game rows (fields G_*, GS_*) of lanes low .. high - 1."""
    columns = c.GAME_SCALARS + c.GAME_BLOCKS * n
    for lane in range(low, high):
        row = (first_row + lane - low) * columns
        out[row + c.G_ROUNDS] = at(v, c.V_ROUNDS, lane)
        for e in range(c.EVENTS):
            out[row + c.G_MIROIR + e] = at(v, c.V_MIROIR + e, lane)
        out[row + c.G_POT_WON] = at(v, c.V_POT_WON, lane)
        out[row + c.G_POT_LEFT] = at(v, c.V_POT_LEFT, lane)
        out[row + c.G_LEAD_CHANGES] = at(v, game + CHANGES, lane)
        out[row + c.G_DECIDED] = at(v, game + SINCE, lane)
        winner = sole_winner(n, lane, v)
        out[row + c.G_HALF_RANK] = half_time_rank(n, lane, v, half, winner) if winner >= 0 else 0
        out[row + c.G_FUSIONS] = at(v, c.V_FUSIONS, lane)
        out[row + c.G_OPTIONS] = at(v, c.V_OPTIONS, lane)
        out[row + c.G_RECYCLES] = at(v, c.V_RECYCLES, lane)
        out[row + c.G_LIES] = at(v, c.V_LIES_TOTAL, lane) + at(v, c.V_LIES_FAMILY, lane)
        last = max(at(v, c.V_ROUNDS, lane) - 1, 0) * fields
        for p in range(n):
            seat = row + c.GAME_SCALARS + p
            out[seat + c.GS_SCORE * n] = at(v, game + FOLLOWED + p, lane)
            out[seat + c.GS_WIN * n] = at(v, c.VARIABLES + n + p, lane)
            out[seat + c.GS_HAND * n] = at(t, last + BASE + c.TS_HAND * n + p, lane)
            out[seat + c.GS_POT * n] = at(v, game + FOLLOWED + n + p, lane)
