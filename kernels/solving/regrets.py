"""Solves one round between two players: predictive CFR+ over every history of bids and every hand.

A history is a node of a tree in breadth-first order, so that a node's children lie side by side and behind it. Arrays
of N nodes: `first` int64 (N,), its first child; `children` int64 (N,), how many; `bid` int64 (N,), index of the last
bid, -1 at the root; `base` int64 (N,), slot of its first action of hand 0. Players alternate: `depth` int64 (N,) is
even where the opener acts. A hand's actions at a node are its slots `base + hand * actions + a`: the challenge first
(not at the root), then the children. `quantity` int64 (bids,); `matches` int64 (hands, bids): dice of a hand that count
for a bid. A player's value is the chance to win the round. Source: Farina, Kroer, Sandholm, "Faster game solving via
predictive Blackwell approachability" (2021).
"""

import numpy as np

from numbluff_sim.kernels.common.jit import entry, jit

#: More matching dice than any hand here has.
MOST_MATCHES = 8


@jit
def proves(weights, matches, bid, chances):
    """chances[k]: the weight of the hands with at least k dice that count for a bid."""
    chances[:] = 0.0
    for hand in range(weights.shape[0]):
        chances[matches[hand, bid]] += weights[hand]
    for k in range(MOST_MATCHES - 2, -1, -1):
        chances[k] += chances[k + 1]


@jit
def in_proportion(regrets, predicted, slot, actions, policy):
    """Writes the policy of a hand at a node: in proportion to regret plus what is predicted of it, where that is
    above 0; else every action alike.
    """
    total = 0.0
    for a in range(slot, slot + actions):
        policy[a] = max(0.0, regrets[a] + predicted[a])
        total += policy[a]
    for a in range(slot, slot + actions):
        policy[a] = policy[a] / total if total > 0.0 else 1.0 / actions


@entry
def match_regrets(children, depth, base, hands, regrets, predicted, policy):
    """The policy of both players at every node; `hands` (2,) by player."""
    for node in range(children.shape[0]):
        actions = children[node] + (node > 0)
        for hand in range(hands[depth[node] % 2]):
            in_proportion(regrets, predicted, base[node] + hand * actions, actions, policy)


@entry
def follow(first, children, depth, base, player, policy, reach, live):
    """Fills a player's `reach` (N, hands) from its first row, the chances of the hands: their weights where the policy
    leads to a node.

    `live` int64 (N,): 1 where some hand comes, else 0, and the node's row of `reach` means nothing.
    """
    hands = reach.shape[1]
    live[0] = 1
    for node in range(first.shape[0]):
        acts = depth[node] % 2 == player
        actions = children[node] + (node > 0)
        for c in range(children[node]):
            child = first[node] + c
            live[child] = 0
            if not live[node]:
                continue
            for hand in range(hands):
                share = policy[base[node] + hand * actions + c + (node > 0)] if acts else 1.0
                reach[child, hand] = reach[node, hand] * share
                if reach[child, hand] > 0.0:
                    live[child] = 1


@entry
def add_to_average(children, depth, base, player, policy, reach, live, weight, average):
    """Adds a policy to the average, weighted by the player's own reach."""
    for node in range(children.shape[0]):
        if depth[node] % 2 != player or not live[node]:
            continue
        actions = children[node] + (node > 0)
        for hand in range(reach.shape[1]):
            slot = base[node] + hand * actions
            for a in range(slot, slot + actions):
                average[a] += weight * reach[node, hand] * policy[a]


@jit
def learned(gains, actions, slot, mean, regrets, predicted, policy):
    """Regrets grow by what each action would have gained, which is what is predicted of the next time."""
    for a in range(actions):
        predicted[slot + a] = gains[a] - mean
        regrets[slot + a] = max(0.0, regrets[slot + a] + gains[a] - mean)
    in_proportion(regrets, predicted, slot, actions, policy)


@entry
def evaluate(
    first,
    children,
    bid,
    depth,
    base,
    quantity,
    player,
    matches,
    others,
    reach,
    live,
    policy,
    best,
    regrets,
    predicted,
    values,
):
    """Fills `values` (N, own hands): a player's chance to win from each node, weighted by the rival's reach (N, the
    rival's hands).

    `others` are the rival's matches. best 0: the player's policy is played and then improved; best 1: the best
    response, nothing is learned. Nodes that no hand of the rival comes to (`live` 0) are worth nothing and left alone.
    """
    hands, rivals = matches.shape[0], others.shape[0]
    chances, weights = np.zeros(MOST_MATCHES), np.zeros(rivals)
    gains = np.zeros(quantity.shape[0] + 1)
    for node in range(first.shape[0] - 1, -1, -1):
        if not live[node]:
            continue
        actions = children[node] + (node > 0)
        acts = depth[node] % 2 == player
        if node > 0:
            for rival in range(rivals):
                weights[rival] = reach[node, rival] * (1.0 if acts else policy[base[node] + rival * actions])
            proves(weights, others, bid[node], chances)
        for hand in range(hands):
            needed = max(0, quantity[bid[node]] - matches[hand, bid[node]]) if node > 0 else 0
            true = chances[needed] if node > 0 and needed < MOST_MATCHES else 0.0
            if not acts:
                total = true
                for child in range(first[node], first[node] + children[node]):
                    if live[child]:
                        total += values[child, hand]
                values[node, hand] = total
                continue
            slot = base[node] + hand * actions
            highest, mean = -1.0, 0.0
            for a in range(actions):
                gains[a] = chances[0] - true if node > 0 and a == 0 else values[first[node] + a - (node > 0), hand]
                highest = max(highest, gains[a])
                mean += policy[slot + a] * gains[a]
            values[node, hand] = highest if best else mean
            if not best:
                learned(gains, actions, slot, mean, regrets, predicted, policy)
