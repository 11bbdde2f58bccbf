"""Made-up runs with the shape and the sums of real ones, quick to draw: input for tests of the report. No rule of
the game is in here.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from numbluff_sim.config import load
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.games.num_bluff.tally import TALLY

RATES = (0.0006, 0.016, 0.085, 0.004, 0.156, 0.6444, 0.094)
Tally = dict[str, np.ndarray]


def made_up_run(
    preset: str = "documented",
    players: int = 4,
    games: int = 3000,
    overrides: dict[str, Any] | None = None,
    **play: Any,
) -> SimpleNamespace:
    """A run (config, tally, meta) of a preset; `play` goes to `made_up_tally`."""
    config = load(preset=preset, overrides={"table.players": players, **(overrides or {})})
    return SimpleNamespace(config=config, tally=made_up_tally(players, games, **play), meta={})


def made_up_tally(
    players: int = 4,
    games: int = 3000,
    *,
    seed: int = 1,
    rates: tuple[float, ...] = RATES,
    pot: float = 12.0,
    fuse: float = 0.0,
    lie: float = 0.0,
    lie_points: float = 9.0,
    recycles: float = 0.0,
    strong_seat: int | None = None,
    detail: int | None = None,
) -> Tally:
    """A tally of `games` made-up games, `detail` of them detail games (all unless said).

    `rates`: chances of the seven events of a round; `pot`: mean points fed into the pot a round; `fuse`, `lie`: chances
    a side or round; `lie_points`: the bluffer's mean points when lying (8 when honest); `recycles`: piles a game;
    `strong_seat`: one that scores half as much again.
    """
    random = np.random.default_rng(seed)
    rounds = 3 * players
    tally = {name: np.zeros(shape, dtype=np.int64) for name, shape in TALLY.shapes(players, rounds).items()}
    event = random.choice(len(EVENT_NAMES), p=np.array(rates) / sum(rates), size=(games, rounds))
    pots, won, waits = _pots(random.poisson(pot, size=(games, rounds)), event)
    strength = np.ones(players)
    if strong_seat is not None:
        strength[strong_seat] = 1.5
    score = random.poisson(40 * strength, size=(games, players))
    best = score.max(axis=1, keepdims=True)
    fusions = random.binomial(rounds * (players - 1), fuse, size=games)
    lies = random.binomial(rounds, lie, size=games)
    values: dict[str, Any] = dict.fromkeys(TALLY.all_variables(players), np.zeros(games, dtype=np.int64))
    values |= {
        "rounds": np.full(games, rounds),
        **{name: (event == k).sum(axis=1) for k, name in enumerate(EVENT_NAMES)},
        "exact": (event <= 3).sum(axis=1),
        "fusions": fusions,
        "recycles": random.poisson(recycles, games),
        "pot_left": pots[:, -1],
        "pot_won": won.sum(axis=1),
        "lies_total": lies,
        "bluffer_honest": random.poisson(8 * (rounds - lies)),
        "bluffer_lying": random.poisson(lie_points * lies),
        "pot_after": pots.sum(axis=1),
        "closest_points": random.poisson(7 * rounds, games),
        "fusion_points": random.poisson(5 * fusions),
        "fusion_sides": fusions,
        "single_points": random.poisson(3 * (rounds * (players - 1) - fusions)),
        "honest_rounds": rounds - lies,
    }
    for p in range(players):
        values |= {
            f"score_{p}": score[:, p],
            f"win_{p}": (score[:, p] == best[:, 0]) * (60 // (score == best).sum(axis=1)),
        }
    matrix = np.stack([np.asarray(values[name], dtype=np.int64) for name in TALLY.variables(players)], axis=1)
    tally["games"][()] = games
    tally["moments"][:] = [matrix.sum(axis=0), (matrix**2).sum(axis=0), (matrix * matrix[:, :1]).sum(axis=0)]
    tally["games_with"][:] = [(event == k).any(axis=1).sum() for k in range(len(EVENT_NAMES))]
    for k in range(len(EVENT_NAMES)):
        tally["round_events"][:, k] = (event == k).sum(axis=0)
    n = games if detail is None else detail
    tally["detail_games"][()] = n
    if n:
        wide = np.stack([np.asarray(values[name], dtype=np.int64)[:n] for name in TALLY.all_variables(players)], axis=1)
        tally["cross"][:], tally["cross_sums"][:] = wide.T @ wide, wide.sum(axis=0)
        _pot_details(tally, event[:n], pots[:n], won[:n], waits[:n])
        _game_details(tally, players, rounds, score[:n], random)
        _round_details(
            tally, players, rounds, event[:n], int(fusions[:n].sum()), int(lies[:n].sum()), lie_points, random
        )
    return tally


def _pots(fed: np.ndarray, event: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    pots, won, waits = (np.zeros_like(fed) for _ in range(3))
    purse, waited = np.zeros(len(fed), dtype=int), np.zeros(len(fed), dtype=int)
    for r in range(fed.shape[1]):
        purse, waited = purse + fed[:, r], waited + 1
        winning = np.isin(event[:, r], (0, 1, 6))
        won[:, r], waits[:, r] = np.where(winning, purse, 0), np.where(winning, waited, 0)
        purse, waited = np.where(winning, 0, purse), np.where(winning, 0, waited)
        pots[:, r] = purse
    return pots, won, waits


def _pot_details(tally: Tally, event: np.ndarray, pots: np.ndarray, won: np.ndarray, waits: np.ndarray) -> None:
    tally["detail_rounds"][:] = len(event)
    for r in range(event.shape[1]):
        np.add.at(tally["pot_by_round"][r], pots[:, r], 1)
    taken = np.isin(event, (0, 1, 6))
    np.add.at(tally["pot_when_won"], (event[taken], won[taken]), 1)
    np.add.at(tally["pot_wait"], waits[taken], 1)


def _game_details(tally: Tally, players: int, rounds: int, score: np.ndarray, random: np.random.Generator) -> None:
    n, top = len(score), np.sort(score, axis=1)
    sole = int((top[:, -1] > top[:, -2]).sum())
    np.add.at(tally["pot_share"], random.integers(0, 60, sole), 1)
    for p in range(players):
        np.add.at(tally["score"][p], score[:, p], 1)
    np.add.at(tally["margin"], top[:, -1] - top[:, -2], 1)
    np.add.at(tally["winners"], (score == top[:, -1:]).sum(axis=1), 1)
    np.add.at(tally["lead_changes"], random.binomial(rounds, 0.25, n), 1)
    np.add.at(tally["decided"], random.binomial(rounds - 1, 0.7, n) + 1, 1)
    np.add.at(tally["half_rank"], random.integers(1, players + 1, sole), 1)


def _round_details(
    tally: Tally,
    players: int,
    rounds: int,
    event: np.ndarray,
    fused: int,
    lying: int,
    lie_points: float,
    random: np.random.Generator,
) -> None:
    n, settled, exact = len(event), int((event >= 4).sum()), (event <= 3).astype(int)
    np.add.at(tally["gap_closest"], np.minimum(random.geometric(0.25, settled), 255), 1)
    np.add.at(tally["gap_farthest"], np.minimum(random.geometric(0.08, settled) + 3, 255), 1)
    np.add.at(tally["exact_players"], exact.ravel(), 1)
    hits, sides = int(exact.sum()), n * rounds * (players - 1)
    np.add.at(tally["mechanism"], (event[event <= 3], random.choice([1, 3], size=hits)), 1)
    tally["exact_kinds"][:] = [sides, hits, hits // 9, hits // 2, hits // 10, n * rounds // 6]
    tally["ties"][:] = [[settled - settled // 8, settled // 9, settled // 8 - settled // 9]] * 2
    singles, honest = sides - fused, n * rounds - lying
    tally["side"][0] = [
        [singles, hits, 3 * singles, 8 * singles, 60 * singles],
        [fused, fused // 4, 5 * fused, 16 * fused, 150 * fused],
    ]
    tally["side"][1, 0] = [n * rounds, 0, 9 * n * rounds, 8 * n * rounds, 200 * n * rounds]
    tally["announced"][:] = [
        [honest, 8 * honest, 150 * honest, 0, honest * (players - 1)],
        [lying, round(lie_points * lying), 180 * lying, lying // 5, lying * (players - 1)],
        [0] * 5,
    ]
    tally["role_points"][:] = [
        [n * rounds, 9 * n * rounds, 200 * n * rounds],
        [settled, 7 * settled, 80 * settled],
        [settled, settled, 12 * settled],
        [hits, 20 * hits, 600 * hits],
        [max(players - 3, 0) * settled, 0, 0],
    ]
    small = (n * players) // 50 + min(fused // 8, (n * players) // 2)  # a fusion leaves a smaller hand
    tally["hand_size"][:, 3], tally["hand_size"][:, 2] = n * players - small, small
    tally["hand_unexplained"][:] = [n * rounds * players, fused, min(n, fused)]
