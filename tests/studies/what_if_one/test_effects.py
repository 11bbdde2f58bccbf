"""What a habit brings one player: differences game by game, who cannot be fooled, intervals, interruptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numbluff_sim.analysis.statistics.paired import grouped_mean
from numbluff_sim.analysis.studies.what_if_one.result import NEGLIGIBLE, Received, effects
from numbluff_sim.config import Config, load
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, RunError
from numbluff_sim.run.stop import Interrupted, Stop
from numbluff_sim.studies.what_if_one.study import asked_of, table_with, what_if_one

GAMES = 64 * 64


def table(**overrides: Any) -> Config:
    return load(
        preset="plays_to_win",
        overrides={"table.players": 3, "run.games": GAMES, "run.seed": 5, **overrides},
    )


def scores(config: Config) -> np.ndarray:
    """(games, seats): final scores, from the games' rows."""
    engine = game(config.game).engine(config)
    rows = engine.play(0, config.run.games, engine.new_tally(), rows="games")["games"]
    return np.stack([rows[f"score_{p}"] for p in range(config.players)], axis=1).astype(float)


def test_effect__is_the_mean_difference_of_the_same_games_over_all_seats() -> None:
    base = table()
    found = what_if_one(base, "plays_to_win", asked_of(base, ["lying_on_the_total"], ["believing"]))
    believing = {"knowledge": "announcement"}
    apart = []
    for seat in range(3):
        liar = table_with(base, seat, {"lies.total": 1.0, "lies.family": 0.0}, believing)  # type: ignore[arg-type]
        honest = table_with(base, seat, {"lies.total": 0.0, "lies.family": 0.0}, believing)  # type: ignore[arg-type]
        with_it, without_it = scores(liar), scores(honest)
        wins = [
            (s == s.max(axis=1, keepdims=True)) / (s == s.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)
            for s in (with_it, without_it)
        ]
        apart.append(((with_it - without_it)[:, seat].mean(), (wins[0] - wins[1])[:, seat].mean()))
    points, win_share = np.array(apart).T
    told = found.effect("lying_on_the_total", "believing", "points")
    assert told.difference.value == pytest.approx(points.mean())
    assert list(told.by_seat) == pytest.approx(list(points))
    assert found.effect("lying_on_the_total", "believing", "win_share").difference.value == pytest.approx(
        win_share.mean()
    )
    assert told.difference.games == GAMES
    assert told.verdict == "brings"


def test_lies__change_nothing_for_those_who_do_not_listen() -> None:
    """Where no listener can be fooled, lying has no effect, whatever rounds with a lie are seen to bring."""
    base = table()
    found = what_if_one(
        base,
        "plays_to_win",
        asked_of(base, ["lying_on_the_total", "lying_on_the_family"], ["sceptical", "all_seeing"]),
    )
    assert len(found.effects) == 8
    assert {one.verdict for one in found.effects} == {"nothing"}
    assert {one.simultaneous for one in found.effects} == {(0.0, 0.0)}


def test_habits__of_those_who_cannot_have_them_change_nothing() -> None:
    base = load(preset="documented", overrides={"table.players": 3, "run.games": 640})
    found = what_if_one(base, "documented", asked_of(base, ["fusing"]))
    assert {one.verdict for one in found.effects} == {"nothing"}


def test_companies__leave_out_others_as_they_are_where_that_is_one_of_them() -> None:
    base = table()
    assert [one.name for one in asked_of(base).companies] == ["believing", "sceptical", "all_seeing"]
    mixed = table(**{"play.seats": ["plays_to_win", "sceptic", "documented"]})
    assert asked_of(mixed).companies[0].name == "as_they_are"


def test_perudo__its_habits_in_its_own_company() -> None:
    base = load(preset="bayes", overrides={"game": "perudo", "table.players": 3, "run.games": 640})
    found = what_if_one(base, "bayes", asked_of(base))
    assert [(one.company, one.outcome) for one in found.effects] == [("as_they_are", "win_share")]
    threshold = load(preset="threshold", overrides={"game": "perudo", "table.players": 3, "run.games": 640})
    with pytest.raises(ConfigError, match=r"\(threshold\) have none of the choices .*listening_to_bids"):
        what_if_one(threshold, "threshold", asked_of(threshold))


def test_interrupted__goes_on_and_gives_the_same_bytes(tmp_path: Path) -> None:
    base = table(**{"run.games": 640})
    asked = asked_of(base, ["fusing"])
    whole = what_if_one(base, "plays_to_win", asked, tmp_path / "whole")
    stop = Stop()
    told = []

    def after_the_fourth(progress: Any) -> None:
        told.append(progress)
        if progress.what == "table 5":
            stop.set()

    with pytest.raises(Interrupted):
        what_if_one(base, "plays_to_win", asked, tmp_path / "cut", stop=stop, progress=after_the_fourth)
    assert not (tmp_path / "cut" / "what_if_one.json").exists()
    kept = (tmp_path / "cut" / "played.json").read_text()
    assert kept != (tmp_path / "whole" / "played.json").read_text()
    again = what_if_one(base, "plays_to_win", asked, tmp_path / "cut")
    assert again.text() == whole.text()
    assert (tmp_path / "cut" / "played.json").read_bytes() == (tmp_path / "whole" / "played.json").read_bytes()
    with pytest.raises(RunError, match=r"holds another what-if-one.*habits"):
        what_if_one(base, "plays_to_win", asked_of(base, ["taking_the_option"]), tmp_path / "cut")


def test_effects__hold_together_and_leave_out_of_the_family_what_does_not_differ() -> None:
    games, generator = np.full(64, 1000), np.random.default_rng(3)
    noise = generator.normal(0.0, 30.0, (2, 64))
    base = Received(None, np.zeros((2, 64)))
    found = effects(
        {
            ("more", "a"): (Received(None, noise + 100.0), base),
            ("hardly", "a"): (Received(None, noise / 100), base),
            ("same", "a"): (base, base),
        },
        games,
    )
    more, hardly, same = found
    assert [one.verdict for one in found] == ["brings", "negligible", "nothing"]
    assert more.simultaneous[0] < more.difference.low < more.difference.value < more.difference.high
    assert max(map(abs, hardly.simultaneous)) < NEGLIGIBLE["win_share"]
    assert same.simultaneous == (0.0, 0.0)
    alone = effects({("more", "a"): (Received(None, noise + 100.0), base)}, games)[0]
    assert alone.simultaneous == (alone.difference.low, alone.difference.high)  # 95 % and a family of one


def test_grouped_mean__covers_and_says_nothing_of_too_few_groups() -> None:
    """95 % intervals of 2,000 samples: between 93.6 and 96.4 % cover, but for one sample in 300 of such samples."""
    generator = np.random.default_rng(1)
    games = np.full(64, 500)
    hits = 0
    for _ in range(2000):
        sums = generator.normal(2.0, 20.0, 64) + generator.exponential(30.0, 64) - 30.0
        low, high = grouped_mean("x", sums, games, "points").bounds(0.05)
        hits += low <= 2.0 / 500 <= high
    assert 0.936 < hits / 2000 < 0.964
    few = np.zeros(64)
    few[:3] = 5.0
    assert grouped_mean("x", few, games, "points").bounds(0.05) == (-np.inf, np.inf)
    even = np.where(np.arange(64) % 2, 3.0, 7.0)  # every group differs, by much or by less
    assert np.isfinite(grouped_mean("x", even, games, "points").bounds(0.05)).all()
    ten = np.array([1.0, 4.0, 2.0, 3.0, 5.0, 2.0, 1.0, 6.0, 2.0, 3.0])  # few groups, that all differ
    assert np.isfinite(grouped_mean("x", ten, np.full(10, 64), "points").bounds(0.05)).all()
    assert grouped_mean("x", ten[:1], np.full(1, 64), "points").bounds(0.05) == (-np.inf, np.inf)


@pytest.mark.parametrize("groups", [5, 10, 20])
def test_grouped_mean__covers_with_few_groups_whether_many_games_differ_or_few(groups: int) -> None:
    """Of 1,000 samples each, games that differ by 5 with the chance that 5, 15 or a twentieth of them do, at most 9.5 %
    miss at a nominal 5 % (skew costs up to 3 %); a right 8 % would give more in one of 25 such samples, 5 % never.
    """
    generator = np.random.default_rng(7)
    for chance in (5 / (64 * groups), 15 / (64 * groups), 0.05):
        sums = 5.0 * generator.binomial(64, chance, (1000, groups))
        missed = 0
        for one in sums:
            low, high = grouped_mean("x", one, np.full(groups, 64), "points").bounds(0.05)
            missed += bool(one.any()) and not low <= 5.0 * chance <= high
        assert missed <= 95


def test_verdict__of_a_handful_of_games_that_do_not_differ_is_open() -> None:
    for games, verdict in ((1, "open"), (99, "open"), (100, "nothing")):
        none = Received(None, np.zeros((3, 1)))
        (effect,) = effects({("h", "c"): (none, none)}, np.array([games]))
        assert (effect.identical, effect.verdict) == (True, verdict)


@pytest.mark.parametrize("own", [{}, "lies.total=0.3", 3])
def test_habits_of_ones_own__have_keys(own: Any) -> None:
    with pytest.raises(ConfigError, match="no keys"):
        asked_of(load(), own=[own])
