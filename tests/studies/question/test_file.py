"""Sweep files: what they may say, what is refused and how, and designs counted without being built."""

from __future__ import annotations

import tracemalloc
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.errors import ConfigError, RunError
from numbluff_sim.studies.question.asked import content_digest, value_at
from numbluff_sim.studies.question.axes import Axis
from numbluff_sim.studies.question.designs import Design, step_size
from numbluff_sim.studies.sweep.asked import Sweep, read_sweep
from numbluff_sim.studies.sweep.size import Size, in_words, refuse_large
from numbluff_sim.studies.sweep.study import design_of

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "sweeps" / "frappe.toml"
GOOD = """
base = "documented"
[sweep]
games = 1000
[set]
"table.players" = 4
[axes]
"deck.rainbow.reach" = [1, 2, 3, 4]
table.hand_size = { low = 2, high = 5 }
"rules.wild_adjusts" = ["hidden", "both"]
[targets]
frappe_parfaite_per_round = { low = 0.015, high = 0.02 }
"""


def read(folder: Path, text: str, **given: Any) -> Sweep:
    path = folder / "sweep.toml"
    path.write_text(text, encoding="utf-8")
    return read_sweep(path, **given)


def design(sweep: Sweep, kind: str, samples: int = 0) -> Design:
    return Design(kind, sweep.question.axes, sweep.question.base_values(), samples, 1)


def test_read__a_good_file(tmp_path: Path) -> None:
    sweep = read(tmp_path, GOOD, threads=1)
    question = sweep.question
    assert [axis.key for axis in question.axes] == ["deck.rainbow.reach", "table.hand_size", "rules.wild_adjusts"]
    assert [list(axis.values()) for axis in question.axes] == [[1, 2, 3, 4], [2, 3, 4, 5], ["hidden", "both"]]
    assert question.base_values() == {"deck.rainbow.reach": 3, "table.hand_size": 3, "rules.wild_adjusts": "hidden"}
    config = question.config({"deck.rainbow.reach": 1})
    assert (config.run.games, config.run.threads, config.run.rows, config.players) == (1000, 1, "none", 4)
    assert sweep.metrics[0] == "frappe_parfaite_per_round"
    assert {"miroir_parfait_per_round", "seat_points_gap"} <= set(sweep.metrics)
    assert question.targets is not None


def test_read__a_base_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('base = "nearest"\n[table]\nhand_size = 4\n')
    sweep = read(tmp_path, GOOD.replace('"documented"', '"own.toml"'))
    assert sweep.question.base_values()["table.hand_size"] == 4
    assert value_at(sweep.question.base, "play.seats") == "nearest"


def test_read__the_example() -> None:
    sweep = read_sweep(EXAMPLE)
    assert design_of(sweep).count == len(list(design_of(sweep).points())) == 24


def test_read__the_file_of_the_documentation(tmp_path: Path) -> None:
    page = (EXAMPLE.parents[2] / "SWEEPS.md").read_text(encoding="utf-8")
    sweep = read(tmp_path, page.split("```toml\n")[1].split("```")[0])
    assert design_of(sweep).count == 4 * 4 * 2
    assert sweep.metrics == ("frappe_parfaite_per_round", "pot_after_mean", "seat_points_gap")
    assert sweep.question.base.players == 5


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('reach" = [1', 'reahc" = [1', "unknown key deck.rainbow.reahc (value 1)"),
        ("hand_size = {", "hand_sze = {", 'Did you mean "hand_size"?'),
        ("high = 5", "high = 1", "axis table.hand_size: no value lies between low = 2 and high = 1"),
        ("high = 5", "high = 50", "table.hand_size = 13 cannot be used; expected a whole number from 1 to 12"),
        ("high = 5", "hihg = 5", "unknown key hihg"),
        ("low = 2, high = 5", "low = 2", "high not given"),
        ("low = 2, high = 5", "low = 2, high = 5, step = 0", "step = 0 cannot be used"),
        ("low = 2, high = 5", "low = 2, high = 5, step = 1, steps = 2", "step and steps are both given"),
        ("low = 2, high = 5", 'low = 2, high = "5"', '"5" is no number'),
        ('"both"]', '"booth"]', 'Did you mean "both"?'),
        ("[1, 2, 3, 4]", "[]", "no values"),
        ("[1, 2, 3, 4]", "3", "3 is one value, not several"),
        ("[1, 2, 3, 4]", "[1, 1]", "1 is given twice"),
        ("[1, 2, 3, 4]", "[1.5]", "deck.rainbow.reach = 1.5 cannot be used; expected a whole number"),
        ("[1, 2, 3, 4]", "[-1]", "expected a whole number from 0 to 20"),
        ("[axes]", '[axes]\n"table.players" = [3]', "table.players is an axis, and table.players is given too"),
        ("[axes]", '[axes]\n"table.hand_size" = [3]', "[axes] says table.hand_size twice"),
        ("[axes]", '[axes]\n"rules" = ["x"]', "rules is an axis, and rules.wild_adjusts is given too"),
        ("[axes]", '[axes]\n"deck.rainbow.name" = ["a", "b"]', "a text of one's own"),
        ("[axes]", '[axes]\n"run.seed" = [1]', "run.seed says how games are played"),
        ("[axes]", '[axes]\n"game" = ["num_bluff"]', "the game is no axis"),
        ("[axes]", '[axes]\n"personas.nearest.weights.gap" = { low = -2, high = 1 }', "changes nothing"),
        ("[axes]", '[axes]\n"play.seats" = ["nearst"]', 'Did you mean "nearest"?'),
        ("[set]", "[set]\ntable.players = 3", "[set] says table.players twice"),
        ('"table.players" = 4', '"table.players" = 9', "[set]: table.players = 9 cannot be used"),
        ('"documented"', '"documnted"', 'Did you mean "documented"?'),
        ('"documented"', '"nix.toml"', "there is no such file (the base of"),
        ("[sweep]", "[swep]", "unknown key swep"),
        ("games = 1000", "gmes = 1", 'Did you mean "games"?'),
        ("games = 1000", "games = 1", "sweep.games = 1 cannot be used"),
        ("games = 1000", "points = 64", 'goes with design = "sobol"'),
        ("games = 1000", 'design = "sobol"\npoints = 48', "a power of 2, such as 32 or 64"),
        ("games = 1000", 'design = "sobl"', 'Did you mean "sobol"?'),
        ("games = 1000", 'metrics = ["pot_after_men"]', 'Did you mean "pot_after_mean"?'),
        ("frappe_parfaite_per_round =", "frappe =", '"frappe" is not a metric'),
    ],
)
def test_read__refuses(tmp_path: Path, before: str, after: str, words: str) -> None:
    assert before in GOOD
    with pytest.raises(ConfigError) as refused:
        read(tmp_path, GOOD.replace(before, after))
    assert words in str(refused.value)


def test_read__games_of_the_option_are_checked(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD, games=50).question.base.run.games == 50
    with pytest.raises(ConfigError, match="--games"):
        read(tmp_path, GOOD, games=0)


def test_read__no_axes(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there are no axes"):
        read(tmp_path, 'base = "documented"\n')


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ({"low": 0, "high": 6, "step": 3}, [0, 3, 6]),
        ({"low": 0, "high": 5, "step": 3}, [0, 3]),
        ({"low": 0.0, "high": 1.0, "steps": 3}, [0.0, 0.5, 1.0]),
        ({"low": 0.0, "high": 0.4}, [0.0, 0.1, 0.2, 0.3, 0.4]),
    ],
)
def test_axis__values_of_a_range(tmp_path: Path, said: dict[str, Any], values: list[float]) -> None:
    text = ", ".join(f"{key} = {value}" for key, value in said.items())
    sweep = read(
        tmp_path, f'[set]\n"play.seats" = "nearest"\n[axes]\n"personas.nearest.weights.temperature" = {{ {text} }}\n'
    )
    assert list(sweep.question.axes[0].values()) == values


def test_axis__equal_cells_for_places() -> None:
    axis = Axis("a", "whole", low=1, high=4)
    assert [axis.at(place) for place in (0.0, 0.24, 0.25, 0.74, 0.75, 0.999, 1.0)] == [1, 1, 2, 3, 4, 4, 4]
    assert Axis("a", "decimal", low=2.0, high=4.0).at(0.25) == 2.5
    assert Axis("a", "decimal", low=2.0, high=4.0, steps=3).at(0.5) == 3.0


def test_design__grid_has_the_base_first_and_once(tmp_path: Path) -> None:
    made = design(read(tmp_path, GOOD), "grid")
    points = list(made.points())
    assert made.count == len(points) == 32
    assert (points[0].changes, points[0].values) == (0, made.base)
    assert [point.number for point in points] == list(range(32))
    assert len({repr(point.values) for point in points}) == 32


def test_design__grid_without_the_base_value_has_it_besides(tmp_path: Path) -> None:
    made = design(read(tmp_path, GOOD.replace("[1, 2, 3, 4]", "[5, 6]")), "grid")
    points = list(made.points())
    assert made.count == len(points) == 2 * 4 * 2 + 1
    assert points[0].changes == 0
    assert all(point.changes >= 1 for point in points[1:])


def test_design__one_at_a_time(tmp_path: Path) -> None:
    made = design(read(tmp_path, GOOD), "one_at_a_time")
    points = list(made.points())
    assert made.count == len(points) == 1 + 3 + 3 + 1
    assert {point.changes for point in points[1:]} == {1}


def test_design__sobol_is_the_same_every_time(tmp_path: Path) -> None:
    sweep = read(tmp_path, GOOD)
    first, again = (design(sweep, "sobol", 16) for _ in range(2))
    assert [point.values for point in first.points()] == [point.values for point in again.points()]
    assert (
        len(list(first.points())) <= first.count == 33
    )  # 16 x (3 + 2) samples, and no more points than the grid has, and the base


def test_design__huge_ones_are_counted_at_once_in_bounded_memory() -> None:
    axes = tuple(Axis(f"k{i}", "whole", low=1, high=1000) for i in range(5))
    made = Design("grid", axes, dict.fromkeys((axis.key for axis in axes), 0))
    tracemalloc.start()
    assert made.count == 10**15 + 1
    first = [point.values["k4"] for point in islice(made.points(), 4)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert first == [0, 1, 2, 3]
    assert peak < 10**6


def test_step_size__shares_of_the_width_and_1_for_words() -> None:
    axes = (Axis("a", "whole", low=1, high=5), Axis("b", "choice", ("x", "y")), Axis("c", "choice", (0.0, 2.0)))
    base = {"a": 3, "b": "x", "c": 0.0}
    assert step_size(base, base, axes) == 0
    assert step_size({"a": 4, "b": "x", "c": 0.0}, base, axes) == pytest.approx(0.25)
    assert step_size({"a": 1, "b": "y", "c": 1.0}, base, axes) == pytest.approx(0.5 + 1 + 0.5)


@pytest.mark.parametrize(
    ("size", "large"),
    [
        (Size(2000, 1000, 0.0), False),
        (Size(2001, 1000, 1e6), True),
        (Size(100, 5_000_000, 1e6), False),
        (Size(100, 5_000_000, 1e5), True),
    ],
)
def test_size__many_points_or_an_hour_need_a_yes(size: Size, large: bool) -> None:
    assert size.large == large
    if large:
        with pytest.raises(RunError, match="--yes"):
            refuse_large(size, "2 threads of this machine")
    else:
        refuse_large(size, "2 threads of this machine")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5.0, "5 seconds"), (120, "2 minutes"), (7200, "2 hours"), (3 * 86400, "3 days"), (1e9, "32 years")],
)
def test_in_words__durations(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


def test_content__ignores_comments_and_layout(tmp_path: Path) -> None:
    plain, commented = (
        read(tmp_path, GOOD).question.content,
        read(tmp_path, "# a comment\n" + GOOD + "\n\n").question.content,
    )
    assert plain == commented
    assert content_digest({"a": 1}) != content_digest({"a": 2})
