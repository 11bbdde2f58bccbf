"""Counterfactual regrets in two-player zero-sum games in sequence form: predictive CFR+, and best responses.

A *point* is where a player decides, and all that the player knows there but for a *hand*, dealt at the start and never
shown; a game without hands has one of each. The points of both players stand in one order, each behind the point at
which its player acted before. Arrays of N points: `player` int64 (N,), 0 or 1; `actions` int64 (N,), how many; `came`
int64 (N, 2), the player's own last point and its action there, -1 where it has not acted; `base` int64 (N,), slot of
hand 0's first action: a hand's actions are its slots `base + hand * actions + a`.

E endings: `ends` int64 (E, 2, 2), each player's last point and action, -1 where it never acted; `payoff` int64 (E,),
which of `payoffs` float64 (M, own hands, rival's hands) it is: what the player wins, times the chance of the deal.

`policy` float64 (slots,): chance of each action, of both players. `plan` float64 (slots,): chance that a player does
all that leads to an action, and it, given the hand; `live` uint8 (slots,), at hand 0's slot: whether any hand does.

Source: Farina, Kroer, Sandholm, "Faster game solving via predictive Blackwell approachability" (2021); von Stengel,
"Efficient computation of behavior strategies" (1996).
"""

import numpy as np

from numbluff_sim.kernels.common.jit import entry, jit


@jit
def in_proportion(regrets, predicted, slot, actions, policy):
    """Writes the policy of a hand at a point: in proportion to regret plus what is predicted of it, where that is
    above 0; else every action alike.
    """
    total = 0.0
    for a in range(slot, slot + actions):
        policy[a] = max(0.0, regrets[a] + predicted[a])
        total += policy[a]
    for a in range(slot, slot + actions):
        policy[a] = policy[a] / total if total > 0.0 else 1.0 / actions


@entry
def match_regrets(points, hands, regrets, predicted, policy):
    """The policy of both players at every point (player, actions, came, base); `hands` int64 (2,) by player."""
    player, actions, _, base = points
    for point in range(player.shape[0]):
        for hand in range(hands[player[point]]):
            in_proportion(regrets, predicted, base[point] + hand * actions[point], actions[point], policy)


@entry
def follow(points, who, hands, policy, plan, live):
    """Fills the plan of player `who`, who has so many hands; behind what no hand does, the plan means nothing."""
    player, actions, came, base = points
    for point in range(player.shape[0]):
        if player[point] != who:
            continue
        first, count, last = base[point], actions[point], came[point, 0]
        before, stride = (base[last] + came[point, 1], actions[last]) if last >= 0 else (0, 0)
        for a in range(first, first + count):
            live[a] = 0
        if last >= 0 and not live[before]:
            continue
        for hand in range(hands):
            reach = plan[before + hand * stride] if last >= 0 else 1.0
            for a in range(count):
                share = reach * policy[first + hand * count + a]
                plan[first + hand * count + a] = share
                if share > 0.0:
                    live[first + a] = 1


@entry
def add_to_average(points, who, hands, plan, live, weight, average):
    """Adds the plan of player `who`, weighted, to an average over many.

    plan and average: float64, a value a slot (point by point, hand by hand, action by action); live: bool, a value a
    slot; average is added to in place.
    """
    player, actions, came, base = points
    for point in range(player.shape[0]):
        last = came[point, 0]
        if player[point] == who and (last < 0 or live[base[last] + came[point, 1]]):
            for slot in range(base[point], base[point] + hands * actions[point]):
                average[slot] += weight * plan[slot]


@jit
def learned(gains, slot, actions, mean, regrets, predicted, policy):
    """Regrets grow by what each action would have gained, which is what is predicted of the next time."""
    for a in range(slot, slot + actions):
        predicted[a] = gains[a] - mean
        regrets[a] = max(0.0, regrets[a] + gains[a] - mean)
    in_proportion(regrets, predicted, slot, actions, policy)


@jit
def add_endings(points, endings, who, payoffs, plan, live, memory):
    """Adds what player `who` wins in the endings that the rival's plan leads to, to what the player's actions gain;
    `memory`: see `evaluate`.
    """
    _, actions, _, base = points
    ends, payoff = endings
    touched, gains, worth = memory
    weights = np.empty(payoffs.shape[2])
    for e in range(payoff.shape[0]):
        there, mine = ends[e, 1 - who, 0], ends[e, who, 0]
        slot, stride = (base[there] + ends[e, 1 - who, 1], actions[there]) if there >= 0 else (0, 0)
        if there >= 0 and not live[slot]:
            continue
        for hand in range(payoffs.shape[2]):
            weights[hand] = plan[slot + hand * stride] if there >= 0 else 1.0
        if mine >= 0:
            touched[mine] = 1
        for hand in range(payoffs.shape[1]):
            won = 0.0
            for other in range(payoffs.shape[2]):
                won += payoffs[payoff[e], hand, other] * weights[other]
            if mine >= 0:
                gains[base[mine] + ends[e, who, 1] + hand * actions[mine]] += won
            else:
                worth[hand] += won


@entry
def evaluate(points, endings, who, payoffs, plan, live, policy, learns, memory):
    """What player `who` wins with each hand against the rival's plan, into `worth` of `memory`.

    points: (player, actions, came, base); endings: (ends, payoff). learns: (regrets, predicted) float64 (slots,) each;
    the player's policy is played and then improved by them; empty arrays: the best response, nothing is learned. Points
    that no hand of the rival comes to are worth nothing and left alone. memory: (touched uint8 (N,), gains float64
    (slots,), worth float64 (hands,)), the first two zeros before and after.
    """
    player, actions, came, base = points
    touched, gains, worth = memory
    regrets, predicted = learns
    best = regrets.shape[0] == 0
    worth[:] = 0.0
    add_endings(points, endings, who, payoffs, plan, live, memory)
    for point in range(player.shape[0] - 1, -1, -1):
        if not touched[point]:
            continue
        touched[point] = 0
        count, last = actions[point], came[point, 0]
        if last >= 0:
            touched[last] = 1
        for hand in range(payoffs.shape[1]):
            slot = base[point] + hand * count
            highest, mean = gains[slot], 0.0
            for a in range(slot, slot + count):
                highest = max(highest, gains[a])
                mean += policy[a] * gains[a]
            if not best:
                learned(gains, slot, count, mean, regrets, predicted, policy)
            for a in range(slot, slot + count):
                gains[a] = 0.0
            if last >= 0:
                gains[base[last] + came[point, 1] + hand * actions[last]] += highest if best else mean
            else:
                worth[hand] += highest if best else mean
