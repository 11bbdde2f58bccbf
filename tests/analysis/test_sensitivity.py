"""The Ishigami function through the very code that sweeps go through: design, evaluation of points, tables, indices.

f(x) = sin x1 + a sin^2 x2 + b x3^4 sin x1 on -pi..pi has known indices (Ishigami and Homma 1990): with a = 7, b = 0.1
the variance is a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2, of which x1 alone has (1 + b pi^4/5)^2 / 2, x2 alone a^2/8, and x1
with x3 8 b^2 pi^8 / 225.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.sensitivity import sobol_indices, strongest
from numbluff_sim.analysis.studies.question.points import Point
from numbluff_sim.run.tables import read_table
from numbluff_sim.studies.question.axes import Axis
from numbluff_sim.studies.question.designs import Design
from numbluff_sim.studies.sweep.study import Evaluated, tabulate

A, B = 7.0, 0.1
VARIANCE = A**2 / 8 + B * math.pi**4 / 5 + B**2 * math.pi**8 / 18 + 0.5
ALONE = {"x1": (1 + B * math.pi**4 / 5) ** 2 / 2 / VARIANCE, "x2": A**2 / 8 / VARIANCE, "x3": 0.0}
TOGETHER = 8 * B**2 * math.pi**8 / 225 / VARIANCE
TOTAL = {"x1": ALONE["x1"] + TOGETHER, "x2": ALONE["x2"], "x3": TOGETHER}
NOISE = 0.5


def ishigami(x1: float, x2: float, x3: float) -> float:
    return math.sin(x1) + A * math.sin(x2) ** 2 + B * x3**4 * math.sin(x1)


def estimator(name: str, value: float, half: float) -> Estimator:
    return Estimator(name, value, 1, "games", "exact", "points", 1, lambda alpha: (value - half, value + half))


def evaluate(point: Point) -> Evaluated:
    """The function, a constant, and the function at points with an error of standard deviation NOISE."""
    value = ishigami(**point.values)
    return Evaluated(
        f"{point.number}",
        1,
        lambda: {
            "f": estimator("f", value, 0.0),
            "constant": estimator("constant", 3.0, 0.1),
            "noisy": estimator("noisy", value, 1.959964 * NOISE),
        },
    )


def design(samples: int = 512, seed: int = 1) -> Design:
    axes = tuple(Axis(name, "decimal", low=-math.pi, high=math.pi) for name in ("x1", "x2", "x3"))
    return Design("sobol", axes, dict.fromkeys(("x1", "x2", "x3"), 0.0), samples, seed)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_indices__of_ishigami_lie_within_their_intervals(tmp_path: Path, seed: int) -> None:
    results = tabulate(design(seed=seed), evaluate, ["f"], None, tmp_path)
    (found,) = results.sensitivities
    assert results.points == 512 * 5 + 1
    assert found.spread**2 == pytest.approx(VARIANCE, rel=0.03)
    for axis in ("x1", "x2", "x3"):
        assert found.first[axis].low <= ALONE[axis] <= found.first[axis].high
        assert found.total[axis].low <= TOTAL[axis] <= found.total[axis].high
    assert found.noise == 0
    assert strongest(found)[0] == "x1"


def test_intervals__miss_about_as_often_as_they_say() -> None:
    misses = 0
    for seed in range(60):
        drawn = design(64, seed)
        values = np.array([ishigami(*row) for row in math.pi * (2 * drawn.matrix - 1)])
        found = sobol_indices(drawn.problem, "f", values, np.zeros(len(values)), seed)
        assert found is not None
        misses += sum(
            not index.low <= known[axis] <= index.high
            for indices, known in ((found.first, ALONE), (found.total, TOTAL))
            for axis, index in indices.items()
        )
    assert misses <= 0.08 * 60 * 6  # 5 % nominal: 18 of 360 expected; six of one sample depend on each other


def test_intervals__are_narrow_enough_to_say_something(tmp_path: Path) -> None:
    (found,) = tabulate(design(2048), evaluate, ["f"], None, tmp_path).sensitivities
    assert all(index.high - index.low < 0.2 for index in (*found.first.values(), *found.total.values()))
    assert found.first["x3"].high < found.total["x3"].low  # x3 acts with x1 alone


def test_noise__is_the_share_of_the_variance_that_is_error(tmp_path: Path) -> None:
    found = {
        one.metric: one
        for one in tabulate(design(), evaluate, ["f", "constant", "noisy"], None, tmp_path).sensitivities
    }
    assert list(found) == ["f", "noisy"]  # a constant has no variance to share out
    assert found["noisy"].noise == pytest.approx(NOISE**2 / found["f"].spread ** 2)


def test_indices__need_every_sample(tmp_path: Path) -> None:
    def refusing(point: Point) -> Evaluated:
        return Evaluated("", 0, dict, refused="no") if point.number == 7 else evaluate(point)

    results = tabulate(design(16), refusing, ["f"], None, tmp_path)
    assert (results.points, results.refused, results.sensitivities) == (81, 1, [])


def test_samples__that_fall_on_one_point_are_one_point() -> None:
    cells = Design(
        "sobol", (Axis("a", "choice", ("x", "y")), Axis("b", "whole", low=1, high=3)), {"a": "x", "b": 1}, 64, 1
    )
    points = [point.values for point in cells.points()]
    rows = cells.rows(points)
    assert (len(points), cells.total, cells.count) == (6, 6, 7)  # the base is one of them, which is not known before
    assert len(rows) == 64 * 4
    shares = np.bincount(rows, minlength=len(points)) / len(rows)
    assert shares == pytest.approx(np.full(6, 1 / 6), abs=0.05)  # equal cells


def test_samples__find_the_base_whatever_way_its_numbers_are_written(tmp_path: Path) -> None:
    cells = Design(
        "sobol", (Axis("a", "whole", low=-1, high=1), Axis("b", "choice", (True, False))), {"a": 0.0, "b": True}, 32, 1
    )
    points = [point.values for point in cells.points()]
    assert len(points) == cells.total == 6
    assert set(cells.rows(points)) == set(range(6))
    tabulate(
        cells,
        lambda point: Evaluated("", 1, lambda: {"f": estimator("f", point.values["a"], 0.0)}),
        ["f"],
        None,
        tmp_path,
    )
    assert read_table(tmp_path / "points.parquet", ["a", "b"])["a"][:2] == [0.0, -1.0]


def test_same_seed__same_indices(tmp_path: Path) -> None:
    first, again = (tabulate(design(64), evaluate, ["f"], None, tmp_path).sensitivities[0].to_json() for _ in range(2))
    assert first == again


def test_sobol_indices__of_nothing() -> None:
    problem = {"num_vars": 1, "names": ["a"], "bounds": [[0.0, 1.0]]}
    assert sobol_indices(problem, "m", np.array([1.0, math.nan, 2.0]), np.zeros(3), 1) is None
    assert sobol_indices(problem, "m", np.ones(3), np.zeros(3), 1) is None
