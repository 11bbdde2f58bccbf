"""Every persona feature changes a stated statistic of the fast engine by more than its 99.9 % interval.

All four seats play a plain persona, then the same persona with one key changed; common seeds, means per game. The interval of the difference is
that of independent runs, which is too wide for common deals, never too narrow.
"""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from numbluff_sim.config import load
from numbluff_sim.games.num_bluff.config import BlufferWeights, Lies, Option, Persona, Weights
from numbluff_sim.games.num_bluff.engine import Engine
from numbluff_sim.games.num_bluff.tally import variables
from numbluff_sim.kernels.jit import COMPILED

Z = float(stats.norm.isf(0.0005))
GAMES, GAMES_FOR_MIROIR = 4096, 131072
ANY_CARD = {"weights": {"temperature": 1.0}, "bluffer": {"temperature": 1.0}}
ANY_SIDE = {**ANY_CARD, "may_fuse": True}
NEAREST = {"weights": {"gap": -1.0}, "bluffer": {"temperature": 1.0}}
#: Changed key: the plain persona, the new value, the statistic and the sign of its change.
FEATURES: dict[str, tuple[dict[str, Any], Any, str, int]] = {
    "knowledge": ({**NEAREST, "lies": {"total": 1.0, "size": 20}}, "true_cards", "exact", 1),
    "choice": (NEAREST, "uniform", "exact", -1),
    "may_fuse": (ANY_CARD, True, "fusions", 1),
    "weights.gap": (ANY_CARD, -1.0, "exact", 1),
    "weights.hit_natural": (ANY_CARD, 9.0, "exact", 1),
    "weights.hit_fusion": (ANY_SIDE, 9.0, "exact", 1),
    "weights.hit_adjust": (ANY_CARD, 9.0, "exact", 1),
    "weights.same_family": (ANY_CARD, 9.0, "epargne", 1),
    "weights.same_family_gap": (ANY_CARD, 1.0, "epargne", 1),
    "weights.miroir": (ANY_CARD, 100.0, "miroir_parfait", 1),
    "weights.frappe": (ANY_CARD, 9.0, "frappe_parfaite", 1),
    "weights.points": (ANY_CARD, -1.0, "pot_left", -1),
    "weights.is_fusion": (ANY_SIDE, -9.0, "fusions", -1),
    "weights.temperature": (NEAREST, 20.0, "exact", -1),
    "bluffer.points": (ANY_CARD, 1.0, "bluffer_honest", 1),
    "bluffer.centre": (NEAREST, -1.0, "exact", 1),
    "bluffer.same_family": (ANY_CARD, 9.0, "coup_de_maitre_bonus", 1),
    "bluffer.shared_families": (ANY_CARD, -9.0, "coup_de_maitre_bonus", 1),
    "bluffer.is_fusion": (ANY_SIDE, -9.0, "fusions", -1),
    "bluffer.temperature": ({**NEAREST, "bluffer": {"points": 1.0}}, 20.0, "bluffer_honest", -1),
    "lies.total": (NEAREST, 0.5, "exact", -1),
    "lies.family": ({**NEAREST, "weights": {"gap": -1.0, "miroir": 9.0}}, 1.0, "exact", -1),
    "lies.size": ({**NEAREST, "lies": {"total": 1.0, "size": 1}}, 30, "bluffer_lying", 1),
    "option.points_at_most": (NEAREST, 200, "options", 1),
    "option.rounds_left_at_least": ({**NEAREST, "option": {"points_at_most": 200}}, 6, "options", -1),
}


def test_features__every_key_of_a_persona_is_here() -> None:
    tables = {"weights": Weights, "bluffer": BlufferWeights, "lies": Lies, "option": Option}
    inner = {f"{name}.{key}" for name, table in tables.items() for key in table.model_fields}
    assert set(FEATURES) == inner | {key for key in Persona.model_fields if key not in tables}


def mean_per_game(persona: dict[str, Any], statistic: str, games: int) -> tuple[float, float]:
    """Mean of a per-game variable and the variance of that mean."""
    config = load(overrides={"personas.plain": persona, "play.seats": ["plain"], "run.seed": 17})
    engine = Engine(config)
    tally = engine.new_tally()
    engine.play(0, games, tally)
    total, squares = (int(x) for x in tally["moments"][:2, variables(4).index(statistic)])
    return total / games, (squares / games - (total / games)**2) / games


@pytest.mark.skipif(not COMPILED, reason="plays too many games for plain Python")
@pytest.mark.parametrize("key", FEATURES)
def test_feature__changes_a_statistic(key: str) -> None:
    plain, value, statistic, sign = FEATURES[key]
    table, _, inner = key.rpartition(".")
    changed = {**plain, table: {**plain.get(table, {}), inner: value}} if table else {**plain, inner: value}
    games = GAMES_FOR_MIROIR if statistic == "miroir_parfait" else GAMES
    (a, variance_a), (b, variance_b) = (mean_per_game(persona, statistic, games) for persona in (plain, changed))
    assert sign * (b - a) > Z * np.sqrt(variance_a + variance_b), f"{statistic}: {a:.4f} became {b:.4f} a game"
