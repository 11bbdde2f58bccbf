"""A toy game that fills every tally field consistently: random events, points and hands, no rules. For tests of the
statistics.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.num_bluff.sample import Sample
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.games.num_bluff.tally import TALLY

MIROIR, FRAPPE, COUP, COUPS, EPARGNE, MAITRE, BONUS = range(7)
RATES = (0.0006, 0.0157, 0.085, 0.004, 0.156, 0.6447, 0.094)
POT_EVENTS = (MIROIR, FRAPPE, BONUS)


def empty_tally(players: int, rounds: int) -> dict[str, NDArray[np.int64]]:
    return {name: np.zeros(shape, dtype=np.int64) for name, shape in TALLY.shapes(players, rounds).items()}


def toy_sample(
    games: int,
    seed: int,
    *,
    players: int = 4,
    turns: int = 3,
    rates: tuple[float, ...] = RATES,
    detail_every: int = 1,
    lying: float = 0.4,
    fusing: float = 0.1,
    honest_bonus: float = 0.0,
    seat_bonus: float = 0.0,
    mood: float = 0.0,
    gate: bool = False,
) -> Sample:
    """`games` toy games; every `detail_every`-th is a detail game. `mood` is the standard deviation of a game's own
    factor on the Frappe rate (rounds of a game depend on each other then); `honest_bonus`: points more for an honest
    bluffer; `seat_bonus`: points a game more for seat 0.
    """
    rounds = players * turns
    tally = empty_tally(players, rounds)
    rng = np.random.default_rng(seed)
    names = TALLY.all_variables(players)
    common = tally["moments"].shape[1]
    for game in range(games):
        x, detail = dict.fromkeys(names, 0), game % detail_every == 0
        play_game(tally, x, rng, detail, players, rounds, rates, lying, fusing, honest_bonus, seat_bonus, mood)
        vector = np.array([x[name] for name in names], dtype=np.int64)
        tally["games"] += 1
        tally["moments"] += np.stack([vector[:common], vector[:common] ** 2, vector[:common] * x["rounds"]])
        tally["games_with"] += np.array([x[event] > 0 for event in EVENT_NAMES], dtype=np.int64)
        if detail:
            tally["detail_games"] += 1
            tally["cross"] += np.outer(vector, vector)
            tally["cross_sums"] += vector
    return Sample(tally, players, rounds, 1, 16, 816, gate)


def play_game(tally, x, rng, detail, players, rounds, rates, lying, fusing, honest_bonus, seat_bonus, mood) -> None:
    factor = np.exp(rng.normal(0, mood) - mood**2 / 2) if mood else 1.0
    chances = np.array(rates)
    chances[FRAPPE] *= factor
    chances[MAITRE] += 1 - chances.sum()
    scores = np.zeros(players, dtype=np.int64)
    scores[0] += round(rng.normal(10 + seat_bonus, 3))
    history, pot, wait = [], 0, 0
    for r in range(rounds):
        bluffer, event = r % players, int(rng.choice(7, p=chances))
        kind = 0 if rng.random() > lying else int(rng.integers(1, 3))
        wait += 1
        gains = rng.integers(0, 12, players)
        if kind == 0 and rng.random() < honest_bonus % 1:
            gains[bluffer] += 1
        gains[bluffer] += int(honest_bonus) if kind == 0 else 0
        fused = rng.random(players) < fusing
        x["rounds"] += 1
        x[EVENT_NAMES[event]] += 1
        x["fusions"] += int(fused.sum())
        x["exact"] += int(event < EPARGNE) + int(event == COUPS)
        x[("honest_rounds", "lies_total", "lies_family")[kind]] += 1
        x["bluffer_honest" if kind == 0 else "bluffer_lying"] += int(gains[bluffer])
        tally["round_events"][r, event] += 1
        pot += int(rng.integers(0, 17)) if event >= EPARGNE else 0
        if event in POT_EVENTS:
            x["pot_won"] += pot
            if detail:
                tally["pot_when_won"][event, pot] += 1
                tally["pot_wait"][wait] += 1
            pot, wait = 0, 0
        x["pot_after"] += pot
        scores += gains
        history.append(scores.copy())
        others = np.arange(players) != bluffer
        x["fusion_points"] += int(gains[others & fused].sum())
        x["fusion_sides"] += int((others & fused).sum())
        x["single_points"] += int(gains[others & ~fused].sum())
        if detail:
            count_round(tally, r, event, kind, pot, gains, fused, bluffer, players, rng)
    finish_game(tally, x, scores, history, pot, detail, players, rounds)


def count_round(tally, r, event, kind, pot, gains, fused, bluffer, players, rng) -> None:
    tally["detail_rounds"][r] += 1
    tally["pot_by_round"][r, pot] += 1
    exact = int(event < EPARGNE) + int(event == COUPS)
    tally["exact_players"][exact] += 1
    tally["mechanism"][event, 1 + int(rng.integers(0, 3))] += exact
    tally["exact_kinds"] += np.array(
        [players - 1, exact, int(event == FRAPPE), exact // 2, 0, int(rng.random() < 0.16)]
    )
    if event >= EPARGNE:
        close, far = sorted(rng.integers(1, 40, 2))
        tally["gap_closest"][close] += 1
        tally["gap_farthest"][far] += 1
        tally["ties"][0, int(rng.choice(3, p=(0.8, 0.15, 0.05)))] += 1
        tally["ties"][1, 0] += 1
    for p in range(players):
        gain = int(gains[p])
        tally["side"][int(p == bluffer), int(fused[p])] += np.array([1, 0, gain, 7, gain**2])
        tally["role_points"][0 if p == bluffer else 4] += np.array([1, gain, gain**2])
    tally["announced"][kind] += np.array([1, int(gains[bluffer]), int(gains[bluffer]) ** 2, int(kind > 0), players - 1])
    tally["hand_size"][r, 3] += players


def finish_game(tally, x, scores, history, pot, detail, players, rounds) -> None:
    x["pot_left"] += pot
    winners = np.flatnonzero(scores == scores.max())
    for p in range(players):
        x[f"score_{p}"] = int(scores[p])
        x[f"win_{p}"] = 60 // len(winners) if p in winners else 0
    if not detail:
        return
    leaders = [tuple(np.flatnonzero(s == s.max())) for s in history]
    changes = sum(a != b for a, b in pairwise(leaders))
    decided = next(r for r in range(rounds) if all(leader == tuple(winners) for leader in leaders[r:])) + 1
    tally["winners"][len(winners)] += 1
    tally["lead_changes"][changes] += 1
    tally["decided"][decided] += 1
    tally["margin"][int(scores.max() - np.sort(scores)[-2])] += 1
    for p in range(players):
        tally["score"][p, int(scores[p])] += 1
    if len(winners) == 1:
        half = history[rounds // 2 - 1]
        tally["half_rank"][1 + int((half > half[winners[0]]).sum())] += 1
        tally["pot_share"][min(100, int(100 * x["pot_won"] / players / scores.max()))] += 1
    tally["hand_unexplained"] += np.array([rounds * players, 0, 0])
