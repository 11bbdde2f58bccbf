"""Distributions, covariances and game rows, read off the trace of a block in plain scalar code.

Runs on every `detail_every`-th block (and on every block when game rows are asked), so it may take its time; loops run over the lanes inside, as
the trace lies in memory. What each array holds is said in numbluff_sim.games.num_bluff.tally.
"""
from collections import namedtuple

import numpy as np

from numbluff_sim.kernels.jit import jit
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.layout import POINTS

#: The tally fields that are filled from detail blocks, all int64.
Details = namedtuple("Details", ("detail_games", "detail_rounds", "cross", "cross_sums", "pot_by_round", "pot_when_won", "pot_wait", "pot_share", "score",
                                 "margin", "winners", "lead_changes", "decided", "half_rank", "gap_closest", "gap_farthest", "exact_players", "mechanism",
                                 "exact_kinds", "ties", "side", "announced", "role_points", "hand_size", "hand_unexplained"))
# Variables of `cross` behind the per-game ones: see DETAIL_VARIABLES of the tally registry.
X_POT_AFTER, X_CLOSEST_POINTS, X_FUSION_POINTS, X_FUSION_SIDES, X_SINGLE_POINTS, X_HONEST_ROUNDS = range(6)
EXTRA_VARIABLES = 6
# What is followed through a game, a row each (int64, 64 lanes), before one row a seat for score, points from the pot and expected hand.
LEADERS, CHANGES, SINCE, LAST_WIN, ODD_HANDS = range(5)
FOLLOWED = 5


@jit
def add_details(t, plan, n, low, high, detailed, d, game_rows):
    """Adds lanes low .. high - 1 of a block's trace t (int16 (rounds, fields, 64)) to the details d when `detailed`; fills game_rows if it has rows."""
    rounds = plan[c.T_ROUNDS]
    variables = np.zeros((c.VARIABLES + 2 * n + EXTRA_VARIABLES, 64), np.int64)
    game = np.zeros((FOLLOWED + 3 * n, 64), np.int64)
    half_scores = np.zeros((n, 64), np.int64)
    game[FOLLOWED + 2 * n:] = plan[c.T_HAND]
    for r in range(rounds):
        if r == rounds // 2:
            half_scores[:] = game[FOLLOWED:FOLLOWED + n]
        follow_round(t[r], n, low, high, r, variables, game)
        if detailed:
            add_round(t[r], plan, n, low, high, r, game, d)
            add_sides(t[r], plan, n, low, high, d)
            add_positions(t[r], n, low, high, r, game, d)
    finish_games(n, low, high, variables, game)
    if detailed:
        add_games(plan, n, low, high, variables, game, half_scores, d)
        add_products(variables, low, high, d)
    if len(game_rows) > 0:
        write_game_rows(t, n, low, high, variables, game, half_scores, game_rows)


@jit
def follow_round(t, n, low, high, r, v, game):
    """Adds one round (fields, 64) to the per-game variables v and to what is followed: scores, leaders, expected hands."""
    base = c.TRACE_SCALARS
    for lane in range(low, high):
        if t[c.TR_PLAYED, lane] == 0:
            continue
        event, b, lie = t[c.TR_EVENT, lane], t[c.TR_BLUFFER, lane], t[c.TR_LIE, lane]
        v[c.V_ROUNDS, lane] += 1
        v[c.V_MIROIR + event, lane] += 1
        v[c.V_RECYCLES, lane] += t[c.TR_RECYCLED, lane]
        v[c.V_POT_WON, lane] += t[c.TR_POT_WON, lane]
        v[c.V_POT_LEFT, lane] = t[c.TR_POT_AFTER, lane]
        v[c.V_LIES_TOTAL, lane] += lie == c.LIE_TOTAL
        v[c.V_LIES_FAMILY, lane] += lie == c.LIE_FAMILY
        v[c.V_MIROIR_SEVERAL, lane] += t[c.TR_MIROIRS, lane] > 1
        extra = c.VARIABLES + 2 * n
        v[extra + X_POT_AFTER, lane] += t[c.TR_POT_AFTER, lane]
        v[extra + X_HONEST_ROUNDS, lane] += lie == c.TRUTH
        bluffer_gain = t[base + c.TS_GAIN * n + b, lane]
        v[c.V_BLUFFER_HONEST if lie == c.TRUTH else c.V_BLUFFER_LYING, lane] += bluffer_gain
        best, leaders = 0, 0
        for p in range(n):
            gain = t[base + c.TS_GAIN * n + p, lane]
            fused = t[base + c.TS_HIDDEN2 * n + p, lane] != c.NO_CARD
            v[c.V_FUSIONS, lane] += fused
            v[c.V_EXACT, lane] += t[base + c.TS_MECHANISM * n + p, lane] != c.NOT_EXACT
            v[c.V_REFILLS, lane] += t[base + c.TS_REFILL_DRAW * n + p, lane] != c.NO_CARD
            took_option = t[base + c.TS_OPTION_DRAW * n + p, lane] != c.NO_CARD
            v[c.V_OPTIONS, lane] += took_option
            empty = (t[c.TR_EMPTY_DRAWS, lane] >> p) & 1 == 1 or t[base + c.TS_FATE * n + p, lane] == c.NOTHING
            v[c.V_EMPTY_HANDS, lane] += empty
            if p != b and fused:
                v[extra + X_FUSION_POINTS, lane] += gain
                v[extra + X_FUSION_SIDES, lane] += 1
            elif p != b:
                v[extra + X_SINGLE_POINTS, lane] += gain
            if t[c.TR_CLOSEST, lane] == p:
                v[extra + X_CLOSEST_POINTS, lane] += gain
            game[FOLLOWED + p, lane] += gain
            if t[c.TR_POT_TAKER, lane] == p:
                game[FOLLOWED + n + p, lane] += t[c.TR_POT_WON, lane]
            game[FOLLOWED + 2 * n + p, lane] += took_option
            game[FOLLOWED + 2 * n + p, lane] -= event == c.MIROIR and t[base + c.TS_BACK * n + p, lane] == 0
            score = game[FOLLOWED + p, lane]
            if score > best:
                best, leaders = score, 1 << p
            elif score == best and best > 0:
                leaders |= 1 << p
        if leaders != game[LEADERS, lane]:
            game[CHANGES, lane] += game[LEADERS, lane] != 0
            game[LEADERS, lane] = leaders
            game[SINCE, lane] = r + 1


@jit
def add_round(t, plan, n, low, high, r, game, d):
    """Histograms of one round: pot, gaps, ties, exact players."""
    width, base = plan[c.T_HIST_WIDTH], c.TRACE_SCALARS
    for lane in range(low, high):
        if t[c.TR_PLAYED, lane] == 0:
            continue
        event = t[c.TR_EVENT, lane]
        d.detail_rounds[r] += 1
        d.pot_by_round[r, min(t[c.TR_POT_AFTER, lane] // width, c.BINS - 1)] += 1
        if t[c.TR_POT_TAKER, lane] >= 0:
            d.pot_when_won[event, min(t[c.TR_POT_WON, lane] // width, c.BINS - 1)] += 1
            d.pot_wait[r + 1 - game[LAST_WIN, lane]] += 1
            game[LAST_WIN, lane] = r + 1
        if event >= c.EPARGNE:
            if t[c.TR_CLOSEST, lane] >= 0:
                d.gap_closest[min(t[base + c.TS_GAP * n + t[c.TR_CLOSEST, lane], lane], 255)] += 1
                d.ties[0, t[c.TR_CLOSEST_TIE, lane]] += 1
            d.gap_farthest[min(t[base + c.TS_GAP * n + t[c.TR_FARTHEST, lane], lane], 255)] += 1
            d.ties[1, t[c.TR_FARTHEST_TIE, lane]] += 1
        exact = 0
        for p in range(n):
            exact += t[base + c.TS_MECHANISM * n + p, lane] != c.NOT_EXACT
        d.exact_players[exact] += 1


@jit
def add_sides(t, plan, n, low, high, d):
    """What hidden sides did: mechanisms, exact kinds, fusions, points at risk and gained."""
    base = c.TRACE_SCALARS
    for p in range(n):
        for lane in range(low, high):
            if t[c.TR_PLAYED, lane] == 0:
                continue
            b, how = t[c.TR_BLUFFER, lane], t[base + c.TS_MECHANISM * n + p, lane]
            same = t[base + c.TS_SAME_FAMILY * n + p, lane] == 1
            if p == b:
                d.exact_kinds[5] += same
            else:
                d.exact_kinds[0] += 1
                d.mechanism[t[c.TR_EVENT, lane], how] += how != c.NOT_EXACT
                d.exact_kinds[1] += how != c.NOT_EXACT
                d.exact_kinds[2] += how != c.NOT_EXACT and same
                d.exact_kinds[3] += how == c.NATURAL
                d.exact_kinds[4] += how == c.NATURAL and same
            first, second = t[base + c.TS_HIDDEN1 * n + p, lane], t[base + c.TS_HIDDEN2 * n + p, lane]
            if first != c.NO_CARD:
                role, fused = int(p == b), int(second != c.NO_CARD)
                gain = np.int64(t[base + c.TS_GAIN * n + p, lane])
                d.side[role, fused, 0] += 1
                d.side[role, fused, 1] += how != c.NOT_EXACT
                d.side[role, fused, 2] += gain
                d.side[role, fused, 3] += card_points(plan, first) + (card_points(plan, second) if fused else 0)
                d.side[role, fused, 4] += gain * gain


@jit
def card_points(plan, card):
    """Printed value of a card id: see POINTS in layout.py."""
    return plan[len(plan) - POINTS + card]


@jit
def add_positions(t, n, low, high, r, game, d):
    """Points by position of the round, by announcement, and hand sizes."""
    base = c.TRACE_SCALARS
    for lane in range(low, high):
        if t[c.TR_PLAYED, lane] == 0:
            continue
        b, lie, event = t[c.TR_BLUFFER, lane], t[c.TR_LIE, lane], t[c.TR_EVENT, lane]
        disproved, heard = t[c.TR_DISPROVED, lane], 0
        for p in range(n):
            gain = np.int64(t[base + c.TS_GAIN * n + p, lane])
            heard += (disproved >> p) & 1
            position = 4
            if p == b:
                position = 0
                d.announced[lie, 0] += 1
                d.announced[lie, 1] += gain
                d.announced[lie, 2] += gain * gain
            elif t[c.TR_CLOSEST, lane] == p:
                position = 1
            elif t[c.TR_FARTHEST, lane] == p:
                position = 2
            elif (t[c.TR_WINNERS, lane] >> p) & 1 == 1:
                position = 3
            d.role_points[position, 0] += 1
            d.role_points[position, 1] += gain
            d.role_points[position, 2] += gain * gain
            hand = t[base + c.TS_HAND * n + p, lane]
            d.hand_size[r, min(hand, 63)] += 1
            d.hand_unexplained[0] += 1
            if hand != game[FOLLOWED + 2 * n + p, lane]:
                d.hand_unexplained[1] += 1
                game[ODD_HANDS, lane] = 1
        d.announced[lie, 3] += heard
        d.announced[lie, 4] += n - 1


@jit
def finish_games(n, low, high, v, game):
    """Scores and win shares as per-game variables."""
    for lane in range(low, high):
        best, sharing = -1, 0
        for p in range(n):
            score = game[FOLLOWED + p, lane]
            v[c.VARIABLES + p, lane] = score
            sharing = 1 if score > best else sharing + (score == best)
            best = max(best, score)
        for p in range(n):
            v[c.VARIABLES + n + p, lane] = c.SHARE // sharing if game[FOLLOWED + p, lane] == best else 0


@jit
def sole_winner(n, lane, v):
    """The seat that won alone, -1 when the win is shared."""
    for p in range(n):
        if v[c.VARIABLES + n + p, lane] == c.SHARE:
            return p
    return -1


@jit
def half_time_rank(n, lane, half_scores, winner):
    """Rank of a seat at half time: 1 + seats that had more points."""
    rank = 1
    for p in range(n):
        rank += half_scores[p, lane] > half_scores[winner, lane]
    return rank


@jit
def add_games(plan, n, low, high, v, game, half_scores, d):
    """Histograms of whole games."""
    width = plan[c.T_HIST_WIDTH]
    d.detail_games[0] += high - low
    for lane in range(low, high):
        best, second, sharing = 0, 0, 0
        for p in range(n):
            score = game[FOLLOWED + p, lane]
            d.score[p, min(score // width, c.BINS - 1)] += 1
            sharing += v[c.VARIABLES + n + p, lane] != 0
            if score > best:
                best, second = score, best
            elif score > second:
                second = score
        d.margin[min((best - second) // width, c.BINS - 1)] += 1
        d.winners[sharing] += 1
        d.lead_changes[game[CHANGES, lane]] += 1
        d.decided[game[SINCE, lane]] += 1
        d.hand_unexplained[2] += game[ODD_HANDS, lane]
        winner = sole_winner(n, lane, v)
        if winner >= 0:
            d.half_rank[half_time_rank(n, lane, half_scores, winner)] += 1
            d.pot_share[100 * game[FOLLOWED + n + winner, lane] // max(best, 1)] += 1


@jit
def add_products(v, low, high, d):
    """Sums and sums of products of all pairs of per-game variables."""
    k = len(v)
    for a in range(k):
        sum_of = v[a, low:high].sum()
        d.cross_sums[a] += sum_of
        if sum_of != 0:
            for b in range(a + 1):
                products = np.int64(0)
                for lane in range(low, high):
                    products += v[a, lane] * v[b, lane]
                d.cross[a, b] += products
                if a != b:
                    d.cross[b, a] += products


@jit
def write_game_rows(t, n, low, high, v, game, half_scores, rows):
    """Game rows (fields G_*, GS_*) of lanes low .. high - 1."""
    for lane in range(low, high):
        row = rows[lane - low]
        row[c.G_ROUNDS] = v[c.V_ROUNDS, lane]
        for e in range(c.EVENTS):
            row[c.G_MIROIR + e] = v[c.V_MIROIR + e, lane]
        row[c.G_POT_WON], row[c.G_POT_LEFT] = v[c.V_POT_WON, lane], v[c.V_POT_LEFT, lane]
        row[c.G_LEAD_CHANGES], row[c.G_DECIDED] = game[CHANGES, lane], game[SINCE, lane]
        winner = sole_winner(n, lane, v)
        row[c.G_HALF_RANK] = half_time_rank(n, lane, half_scores, winner) if winner >= 0 else 0
        row[c.G_FUSIONS], row[c.G_OPTIONS], row[c.G_RECYCLES] = v[c.V_FUSIONS, lane], v[c.V_OPTIONS, lane], v[c.V_RECYCLES, lane]
        row[c.G_LIES] = v[c.V_LIES_TOTAL, lane] + v[c.V_LIES_FAMILY, lane]
        last = max(v[c.V_ROUNDS, lane] - 1, 0)
        for p in range(n):
            row[c.GAME_SCALARS + c.GS_SCORE * n + p] = game[FOLLOWED + p, lane]
            row[c.GAME_SCALARS + c.GS_WIN * n + p] = v[c.VARIABLES + n + p, lane]
            row[c.GAME_SCALARS + c.GS_HAND * n + p] = t[last, c.TRACE_SCALARS + c.TS_HAND * n + p, lane]
            row[c.GAME_SCALARS + c.GS_POT * n + p] = game[FOLLOWED + n + p, lane]
