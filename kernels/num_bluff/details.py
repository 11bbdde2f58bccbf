"""Distributions, covariances and game rows, read off the trace of a block in plain scalar code.

Runs on every `detail_every`-th block (and on every block when game rows are asked), so it may take its time; loops run
over the lanes inside, as the trace lies in memory. `d` is one flat int64 array; where each tally field starts in it is
in the plan (D_*). What the fields hold is said in numbluff_sim.games.num_bluff.tally. `v` and `game` are flat int64
arrays of rows of 64: per-game variables, and what is followed through a game.
"""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.layout import (
    CHANGES,
    D_ANNOUNCED,
    D_CROSS,
    D_CROSS_SUMS,
    D_DECIDED,
    D_DETAIL_GAMES,
    D_DETAIL_ROUNDS,
    D_EXACT_KINDS,
    D_EXACT_PLAYERS,
    D_GAP_CLOSEST,
    D_GAP_FARTHEST,
    D_HALF_RANK,
    D_HAND_SIZE,
    D_HAND_UNEXPLAINED,
    D_LEAD_CHANGES,
    D_MARGIN,
    D_MECHANISM,
    D_POT_BY_ROUND,
    D_POT_SHARE,
    D_POT_WAIT,
    D_POT_WHEN_WON,
    D_ROLE_POINTS,
    D_SCORE,
    D_SIDE,
    D_TIES,
    D_WINNERS,
    EXTRA_VARIABLES,
    F_POINTS,
    FOLLOWED,
    LAST_WIN,
    LEADERS,
    ODD_HANDS,
    SINCE,
    X_CLOSEST_POINTS,
    X_FUSION_POINTS,
    X_FUSION_SIDES,
    X_HONEST_ROUNDS,
    X_POT_AFTER,
    X_SINGLE_POINTS,
)

BASE = c.TRACE_SCALARS


@jit
def at(rows, row, lane):
    """Element `lane` of a row of 64, as int64."""
    return int(rows[row * 64 + lane])


@jit
def add_details(t, plan, n, low, high, detailed, d, work, game_rows, first_row):
    """Adds lanes low .. high - 1 of a block's trace to the details d when `detailed`; fills game_rows from row
    first_row on unless that is negative.

    t: int16, the block's trace as rows of 64; work: int64, work_rows(n) rows of 64, whose first VARIABLES hold the
    games' counts; game_rows: int32.
    """
    rounds, fields = plan[c.T_ROUNDS], c.TRACE_SCALARS + c.TRACE_BLOCKS * n
    variables = c.VARIABLES + 2 * n + EXTRA_VARIABLES
    game, half = variables, variables + FOLLOWED + 3 * n
    for i in range(c.VARIABLES * 64, (half + n) * 64):
        work[i] = plan[c.T_HAND] if (game + FOLLOWED + 2 * n) * 64 <= i < half * 64 else 0
    for r in range(rounds):
        if r == rounds // 2:
            for i in range(n * 64):
                work[half * 64 + i] = work[(game + FOLLOWED) * 64 + i]
        row = r * fields
        follow_round(t, row, n, r % n, detailed, work, game)
        follow_lead(n, r, work, game)
        if detailed:
            add_round(t, row, plan, n, low, high, r, work, game, d)
            for p in range(n):
                add_side(t, row, plan, n, p, p == r % n, low, high, d)
                add_position(t, row, plan, n, p, p == r % n, low, high, d)
                add_hand(t, row, plan, n, p, low, high, r, work, game, d)
    finish_games(n, low, high, work, game)
    if detailed:
        add_games(plan, n, low, high, work, game, half, d)
        add_products(plan, work, variables, low, high, d)
    if first_row >= 0:
        write_game_rows(t, n, low, high, fields, work, game, half, game_rows, first_row)


@jit
def follow_round(t, row, n, b, detailed, v, game):
    """Adds one round to the extra variables and to what is followed: scores, points from the pot, expected hands.

    The last and the extra variables serve details alone. Runs over all lanes: a round that was not played has no gains.
    """
    extra, seat = c.VARIABLES + 2 * n, row + BASE
    for p in range(n):
        mine = (game + FOLLOWED + p) * 64
        for lane in range(64):
            v[mine + lane] += at(t, seat + c.TS_GAIN * n + p, lane)
            v[mine + n * 64 + lane] += at(t, row + c.TR_POT_WON, lane) * int(at(t, row + c.TR_POT_TAKER, lane) == p)
    if not detailed:
        return
    for lane in range(64):
        played = at(t, row + c.TR_PLAYED, lane)
        v[(extra + X_POT_AFTER) * 64 + lane] += at(t, row + c.TR_POT_AFTER, lane) * played
        v[(extra + X_HONEST_ROUNDS) * 64 + lane] += int(at(t, row + c.TR_LIE, lane) == c.TRUTH) * played
    for p in range(n):
        mine = (game + FOLLOWED + p) * 64
        other = int(p != b)
        for lane in range(64):
            played, gain = at(t, row + c.TR_PLAYED, lane), at(t, seat + c.TS_GAIN * n + p, lane)
            fused = int(at(t, seat + c.TS_HIDDEN2 * n + p, lane) != c.NO_CARD) * other
            v[(extra + X_FUSION_POINTS) * 64 + lane] += gain * fused
            v[(extra + X_FUSION_SIDES) * 64 + lane] += fused * played
            single = int(at(t, seat + c.TS_HIDDEN1 * n + p, lane) != c.NO_CARD) * other - fused
            v[(extra + X_SINGLE_POINTS) * 64 + lane] += gain * single
            v[(extra + X_CLOSEST_POINTS) * 64 + lane] += gain * int(at(t, row + c.TR_CLOSEST, lane) == p)
            suffered = int(at(t, row + c.TR_EVENT, lane) == c.MIROIR) * (1 - at(t, seat + c.TS_BACK * n + p, lane))
            v[mine + 2 * n * 64 + lane] += (
                int(at(t, seat + c.TS_OPTION_DRAW * n + p, lane) != c.NO_CARD) - suffered
            ) * played


@jit
def follow_lead(n, r, v, game):
    """Who leads after round r, in all lanes; a lead change is a round that leaves other leaders than the one before
    (docs/games/num_bluff/PLAY.md section 8).
    """
    for lane in range(64):
        best, leaders = 0, 0
        for p in range(n):
            score = at(v, game + FOLLOWED + p, lane)
            leaders = (1 << p) if score > best else (leaders | (1 << p) if score == best and best > 0 else leaders)
            best = max(best, score)
        before = at(v, game + LEADERS, lane)
        changed = int(leaders != before)
        v[(game + CHANGES) * 64 + lane] += changed * int(before != 0)
        v[(game + LEADERS) * 64 + lane] = leaders
        v[(game + SINCE) * 64 + lane] = r + 1 if changed == 1 else at(v, game + SINCE, lane)


@jit
def add_round(t, row, plan, n, low, high, r, v, game, d):
    """Histograms of one round: pot, gaps, ties, exact players."""
    width, seat = plan[c.T_HIST_WIDTH], row + BASE
    for lane in range(low, high):
        if at(t, row + c.TR_PLAYED, lane) == 0:
            continue
        event = at(t, row + c.TR_EVENT, lane)
        d[plan[D_DETAIL_ROUNDS] + r] += 1
        d[plan[D_POT_BY_ROUND] + r * c.BINS + min(at(t, row + c.TR_POT_AFTER, lane) // width, c.BINS - 1)] += 1
        if at(t, row + c.TR_POT_TAKER, lane) >= 0:
            d[plan[D_POT_WHEN_WON] + event * c.BINS + min(at(t, row + c.TR_POT_WON, lane) // width, c.BINS - 1)] += 1
            d[plan[D_POT_WAIT] + r + 1 - at(v, game + LAST_WIN, lane)] += 1
            v[(game + LAST_WIN) * 64 + lane] = r + 1
        if event >= c.EPARGNE:
            closest, farthest = at(t, row + c.TR_CLOSEST, lane), at(t, row + c.TR_FARTHEST, lane)
            if closest >= 0:
                d[plan[D_GAP_CLOSEST] + min(at(t, seat + c.TS_GAP * n + closest, lane), 255)] += 1
                d[plan[D_TIES] + at(t, row + c.TR_CLOSEST_TIE, lane)] += 1
            d[plan[D_GAP_FARTHEST] + min(at(t, seat + c.TS_GAP * n + farthest, lane), 255)] += 1
            d[plan[D_TIES] + 3 + at(t, row + c.TR_FARTHEST_TIE, lane)] += 1
        exact = 0
        for p in range(n):
            exact += at(t, seat + c.TS_MECHANISM * n + p, lane) != c.NOT_EXACT
        d[plan[D_EXACT_PLAYERS] + exact] += 1


@jit
def add_side(t, row, plan, n, p, bluffs, low, high, d):
    """What seat p's hidden sides did: mechanisms, exact kinds, fusions, points at risk and gained."""
    seat = row + BASE + p
    everyone, one_family, exact, exact_family, natural, natural_family = 0, 0, 0, 0, 0, 0
    fusions, exact_fusions, gain_fused, risk_fused, square_fused = 0, 0, 0, 0, 0
    singles, exact_singles, gain_single, risk_single, square_single = 0, 0, 0, 0, 0
    for lane in range(low, high):
        played, how = at(t, row + c.TR_PLAYED, lane), at(t, seat + c.TS_MECHANISM * n, lane)
        same, hit, by_print = (
            at(t, seat + c.TS_SAME_FAMILY * n, lane) * played,
            int(how != c.NOT_EXACT) * played,
            int(how == c.NATURAL) * played,
        )
        everyone += played
        one_family += same
        exact += hit
        exact_family += hit * same
        natural += by_print
        natural_family += by_print * same
        first, second = at(t, seat + c.TS_HIDDEN1 * n, lane), at(t, seat + c.TS_HIDDEN2 * n, lane)
        gain = at(t, seat + c.TS_GAIN * n, lane)
        fused = int(second != c.NO_CARD) * played
        single = int(first != c.NO_CARD) * played - fused
        value = plan[plan[F_POINTS] + first]
        fusions += fused
        exact_fusions += hit * fused
        gain_fused += gain * fused
        risk_fused += (value + plan[plan[F_POINTS] + second]) * fused
        square_fused += gain * gain * fused
        singles += single
        exact_singles += hit * single
        gain_single += gain * single
        risk_single += value * single
        square_single += gain * gain * single
    if bluffs:
        d[plan[D_EXACT_KINDS] + 5] += one_family
    else:
        d[plan[D_EXACT_KINDS]] += everyone
        d[plan[D_EXACT_KINDS] + 1] += exact
        d[plan[D_EXACT_KINDS] + 2] += exact_family
        d[plan[D_EXACT_KINDS] + 3] += natural
        d[plan[D_EXACT_KINDS] + 4] += natural_family
        if exact > 0:
            for lane in range(low, high):
                how = at(t, seat + c.TS_MECHANISM * n, lane) * at(t, row + c.TR_PLAYED, lane)
                if how != c.NOT_EXACT:
                    d[plan[D_MECHANISM] + at(t, row + c.TR_EVENT, lane) * 4 + how] += 1
    cell = plan[D_SIDE] + 10 * int(bluffs)
    d[cell] += singles
    d[cell + 1] += exact_singles
    d[cell + 2] += gain_single
    d[cell + 3] += risk_single
    d[cell + 4] += square_single
    d[cell + 5] += fusions
    d[cell + 6] += exact_fusions
    d[cell + 7] += gain_fused
    d[cell + 8] += risk_fused
    d[cell + 9] += square_fused


@jit
def add_position(t, row, plan, n, p, bluffs, low, high, d):
    """Seat p's points by position in the round and, for the bluffer, by announcement; how often announcements were
    disproved.
    """
    seat = row + BASE + p
    for kind in range(3):
        rounds, gains, squares, disproved = 0, 0, 0, 0
        for lane in range(low, high):
            counts = int(at(t, row + c.TR_LIE, lane) == kind) * at(t, row + c.TR_PLAYED, lane)
            gain = at(t, seat + c.TS_GAIN * n, lane) * counts
            rounds += counts
            gains += gain
            squares += gain * gain
            disproved += ((at(t, row + c.TR_DISPROVED, lane) >> p) & 1) * counts
        cell = plan[D_ANNOUNCED] + kind * 5
        if bluffs:
            d[cell] += rounds
            d[cell + 1] += gains
            d[cell + 2] += squares
        else:
            d[cell + 3] += disproved
            d[cell + 4] += rounds
    for position in range(5):
        if bluffs != (position == 0):
            continue
        rounds, gains, squares = 0, 0, 0
        for lane in range(low, high):
            closest, farthest = int(at(t, row + c.TR_CLOSEST, lane) == p), int(at(t, row + c.TR_FARTHEST, lane) == p)
            won = (at(t, row + c.TR_WINNERS, lane) >> p) & 1
            mine = closest + 2 * farthest + 3 * won + 4 * (1 - closest - farthest - won)
            counts = int(bluffs or mine == position) * at(t, row + c.TR_PLAYED, lane)
            gain = at(t, seat + c.TS_GAIN * n, lane) * counts
            rounds += counts
            gains += gain
            squares += gain * gain
        cell = plan[D_ROLE_POINTS] + position * 3
        d[cell] += rounds
        d[cell + 1] += gains
        d[cell + 2] += squares


@jit
def add_hand(t, row, plan, n, p, low, high, r, v, game, d):
    """Seat p's hand sizes after the round, and those that options and Miroirs do not explain."""
    seat = row + BASE + p
    everyone, odd_hands = 0, 0
    for lane in range(low, high):
        played, hand = at(t, row + c.TR_PLAYED, lane), at(t, seat + c.TS_HAND * n, lane)
        odd = int(hand != at(v, game + FOLLOWED + 2 * n + p, lane)) * played
        everyone += played
        odd_hands += odd
        v[(game + ODD_HANDS) * 64 + lane] |= odd
        d[plan[D_HAND_SIZE] + r * 64 + min(hand, 63)] += played
    d[plan[D_HAND_UNEXPLAINED]] += everyone
    d[plan[D_HAND_UNEXPLAINED] + 1] += odd_hands


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
    d[plan[D_DETAIL_GAMES]] += high - low
    for lane in range(low, high):
        best, second, sharing = 0, 0, 0
        for p in range(n):
            score = at(v, game + FOLLOWED + p, lane)
            d[plan[D_SCORE] + p * c.BINS + min(score // width, c.BINS - 1)] += 1
            sharing += at(v, c.VARIABLES + n + p, lane) != 0
            if score > best:
                best, second = score, best
            elif score > second:
                second = score
        d[plan[D_MARGIN] + min((best - second) // width, c.BINS - 1)] += 1
        d[plan[D_WINNERS] + sharing] += 1
        d[plan[D_LEAD_CHANGES] + at(v, game + CHANGES, lane)] += 1
        d[plan[D_DECIDED] + at(v, game + SINCE, lane)] += 1
        d[plan[D_HAND_UNEXPLAINED] + 2] += at(v, game + ODD_HANDS, lane)
        winner = sole_winner(n, lane, v)
        if winner >= 0:
            d[plan[D_HALF_RANK] + half_time_rank(n, lane, v, half, winner)] += 1
            d[plan[D_POT_SHARE] + 100 * at(v, game + FOLLOWED + n + winner, lane) // max(best, 1)] += 1


@jit
def add_products(plan, v, variables, low, high, d):
    """Sums and sums of products of all pairs of per-game variables."""
    for a in range(variables):
        sum_of = 0
        for lane in range(low, high):
            sum_of += at(v, a, lane)
        if sum_of == 0:
            continue
        d[plan[D_CROSS_SUMS] + a] += sum_of
        for b in range(a + 1):
            products = 0
            for lane in range(low, high):
                products += at(v, a, lane) * at(v, b, lane)
            d[plan[D_CROSS] + a * variables + b] += products
            if a != b:
                d[plan[D_CROSS] + b * variables + a] += products


@jit
def write_game_rows(t, n, low, high, fields, v, game, half, out, first_row):
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
