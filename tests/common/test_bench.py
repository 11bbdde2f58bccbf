"""The benchmark's judgement, its yardstick, and every in-process workload at a small size."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from numbluff_sim.bench import speed, whole
from numbluff_sim.bench.assembly import short_name
from numbluff_sim.bench.children import ChildError, run_command
from numbluff_sim.bench.lab import Lab, Sizes
from numbluff_sim.bench.measuring import BenchProgress, BenchResult, Timing, Workload, measure
from numbluff_sim.bench.suite import at_least, at_most, chosen, suite
from numbluff_sim.bench.yardstick import find_compiler
from numbluff_sim.config import load
from numbluff_sim.contract.game import Played
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import UserError
from numbluff_sim.games.num_bluff.config import BlufferWeights, Weights
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES, RULING_VALUES
from numbluff_sim.games.num_bluff.workloads import WORKLOADS, mixed
from numbluff_sim.run.playing import simulate_tally

TINY = Sizes(
    runs=1,
    seconds=0.001,
    command_runs=1,
    command_rounds=10**5,
    small_rounds=10**4,
    row_rounds=10**5,
    written_rounds=12_000,
)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(game("num_bluff"), TINY, tmp_path)


def fixed(*values: float, **options: object) -> Workload:
    def samples(_: Lab) -> Iterator[Timing]:
        for number, value in enumerate(values):
            yield Timing(value, {"ns": 10 * value}, f"sample {number}")

    return Workload("fixed", "made up", "x", options.pop("target", at_least(2)), 1.0, samples, **options)


def quiet(_: BenchProgress) -> None:
    return None


def measured(workload: Workload, lab: Lab) -> BenchResult:
    results: list[BenchResult] = []
    measure([workload], lab, results, quiet)
    return results[0]


def test_target__sides() -> None:
    assert at_least(2).met(2)
    assert not at_least(2).met(1.99)
    assert at_most(2).met(2)
    assert not at_most(2).met(2.01)
    assert (str(at_least(9, aim=13)), str(at_most(0.4))) == (">= 9 (aim 13)", "<= 0.4")


def test_result__median_decides(lab: Lab) -> None:
    result = measured(fixed(3.0, 1.0, 2.5), lab)
    assert (result.value, result.verdict, result.parts, result.label) == (2.5, "met", {"ns": 25.0}, "")
    assert measured(fixed(3.0, 1.0, 1.5), lab).verdict == "missed"


def test_result__worst_decides_where_samples_differ_in_kind(lab: Lab) -> None:
    result = measured(fixed(1.0, 1.6, 1.2, target=at_most(1.5), worst=True), lab)
    assert (result.value, result.verdict, result.parts, result.label) == (1.6, "missed", {"ns": 16.0}, "sample 1")
    assert measured(fixed(3.0, 1.0, worst=True), lab).value == 1.0


def test_result__json(lab: Lab) -> None:
    found = measured(fixed(3.0, 4.0), lab).to_json()
    assert (found["workload"], found["bound"], found["at_most"], found["value"], found["verdict"]) == (
        "fixed",
        2,
        False,
        3.5,
        "met",
    )
    assert [sample["value"] for sample in found["samples"]] == [3.0, 4.0]


def test_measure__without_compiler_the_yardstick_is_left_out(tmp_path: Path) -> None:
    lab = Lab(game("num_bluff"), TINY, tmp_path, compiler=None)
    result = measured(fixed(3.0, needs_yardstick=True), lab)
    assert (result.verdict, result.samples) == ("not measured", [])
    assert "no C compiler" in result.note
    assert result.to_json()["value"] is None


def test_measure__keeps_what_was_measured_until_an_interrupt(lab: Lab) -> None:
    def samples(_: Lab) -> Iterator[Timing]:
        yield Timing(5.0, {})
        raise KeyboardInterrupt

    results: list[BenchResult] = []
    interrupted = Workload("interrupted", "", "x", at_least(2), 1.0, samples)
    with pytest.raises(KeyboardInterrupt):
        measure([fixed(3.0), interrupted, fixed(4.0)], lab, results, quiet)
    assert [(result.values, result.note) for result in results] == [([3.0], ""), ([5.0], "interrupted")]


def test_measure__a_command_that_fails_is_noted(lab: Lab) -> None:
    def samples(lab: Lab) -> Iterator[Timing]:
        run_command([sys.executable, "-c", "import sys; sys.exit('no such thing')"], lab.folder)
        yield Timing(1.0, {})

    result = measured(Workload("failing", "", "x", at_least(2), 1.0, samples), lab)
    assert result.verdict == "not measured"
    assert "no such thing" in result.note


def test_measure__tells_where_it_is(lab: Lab) -> None:
    seen: list[BenchProgress] = []
    measure([fixed(1.0, 2.0), fixed(3.0)], lab, [], seen.append)
    assert [(p.number, p.workloads, p.samples) for p in seen] == [(1, 2, 0), (1, 2, 1), (1, 2, 2), (2, 2, 0), (2, 2, 1)]
    assert all(p.seconds_left >= 0 for p in seen)


def test_suite__names_and_choice() -> None:
    names = [workload.name for workload in suite(Sizes(), game("num_bluff"))]
    assert len(set(names)) == len(names)
    assert [workload.name for workload in chosen(suite(Sizes(), game("num_bluff")), ["start", "mixed"])] == [
        "mixed",
        "start",
    ]
    with pytest.raises(UserError, match=r'"rullings" is not a workload; .*Did you mean "rulings"'):
        chosen(suite(Sizes(), game("num_bluff")), ["rullings"])


def test_suite__short_commands_are_not_judged() -> None:
    for sizes, judged in ((Sizes(), True), (Sizes.quick(), False)):
        assert [w.judged for w in suite(sizes, game("num_bluff")) if w.name == "command"] == [judged]


def test_children__peak_memory_is_the_commands_own(tmp_path: Path) -> None:
    ballast = np.ones(30_000_000)  # 240 MB here must not show there
    child = run_command([sys.executable, "-S", "-c", "print('x')"], tmp_path)
    larger = run_command([sys.executable, "-S", "-c", "x = b'x' * 100_000_000"], tmp_path)
    assert ballast[0] == 1
    assert child.peak_mb < 60
    assert larger.peak_mb > child.peak_mb + 90
    assert child.seconds > 0
    with pytest.raises(ChildError, match="failed: broken"):
        run_command([sys.executable, "-c", "import sys; sys.exit('broken')"], tmp_path)


def test_workloads__mixed_play_uses_every_feature() -> None:
    for players in game("num_bluff").players:
        personas = mixed(players).seat_personas
        assert all(p.may_fuse for p in personas)
        assert {p.knowledge for p in personas} == {"announcement", "true_cards"}
        assert all(any(getattr(p.weights, name) for p in personas) for name in Weights.model_fields)
        assert all(any(getattr(p.bluffer, name) for p in personas) for name in BlufferWeights.model_fields)
        assert any(p.lies.total > 0 and p.lies.family > 0 for p in personas)
    tally = simulate_tally(mixed(), 2000)
    assert (tally["round_events"].sum(axis=0) > 0).sum() >= len(EVENT_NAMES) - 1
    assert game("num_bluff").played(tally) == Played(2000 * 12, "rounds")


def test_workloads__every_alternative_of_every_ruling() -> None:
    found = WORKLOADS.alternatives()
    assert len(found) == sum(len(answers) - 1 for answers in RULING_VALUES.values())
    assert len({config.digest() for config in found.values()} | {mixed().digest()}) == len(found) + 1


def test_workloads__tweak_is_another_deck() -> None:
    from numbluff_sim.cli.shared.options import _setting

    tweaked = load(overrides=dict(_setting(text) for text in WORKLOADS.tweak[1::2]))
    assert len(tweaked.deck.families) == 7
    assert {family.copies for family in tweaked.deck.families} == {1, 2}
    assert tweaked.deck.families[0].values == (2, 14)


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_yardstick__plays_the_same_game(tmp_path: Path, players: int) -> None:
    """Its event rates agree with the engine's: two-sided tests of 7 events at 3 player counts, 5.5 standard errors
    (alpha below 1e-6).
    """
    from numbluff_sim.bench.yardstick import Yardstick

    games = 100_000
    yardstick = Yardstick(find_compiler() or "", WORKLOADS.yardstick, tmp_path, players)
    theirs = yardstick.run(games, threads=2, seed=7)
    tally = simulate_tally(WORKLOADS.default(players), games)
    rounds = games * players * 3
    ours = tally["round_events"].sum(axis=0) / rounds
    assert theirs["games"] == games
    assert sum(theirs[name] for name in EVENT_NAMES) == pytest.approx(1, abs=1e-5)
    for name, rate in zip(EVENT_NAMES, ours, strict=True):
        assert abs(theirs[name] - rate) < 5.5 * (2 * max(rate, 1e-6) / rounds) ** 0.5 * 1.5, (
            name
        )  # errors clustered by game: up to 1.5 times
    assert sum(theirs["win_share"]) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    "samples", [speed.threads, speed.many_players, speed.many_players_mixed, speed.game_rows, speed.round_rows]
)
def test_speed__every_workload_runs(lab: Lab, samples: object) -> None:
    found = list(samples(lab))  # type: ignore[operator]
    assert found
    assert all(np.isfinite(sample.value) and all(np.isfinite(v) for v in sample.parts.values()) for sample in found)


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("samples", [speed.tallies, speed.mixed])
def test_speed__against_the_yardstick(lab: Lab, samples: object) -> None:
    (sample,) = samples(lab)  # type: ignore[operator]
    assert sample.value == pytest.approx(sample.parts["yardstick ns"] / sample.parts["ns"])


def test_speed__rulings_are_named(lab: Lab) -> None:
    found = list(speed.rulings(lab))
    assert [sample.label for sample in found] == list(WORKLOADS.alternatives())


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.thorough
def test_whole__commands_and_memory(lab: Lab) -> None:
    (sample,) = whole.command(lab)
    assert sample.value == pytest.approx(sample.parts["yardstick s"] / sample.parts["s"])
    (peak,), (growth,) = whole.memory(lab), whole.growth(lab)
    assert 50 < peak.value < 1000
    assert growth.parts["MB long"] == peak.value
    assert growth.value == pytest.approx(growth.parts["MB long"] / growth.parts["MB short"])
    assert list(lab.folder.glob("run-*")) == []


def test_assembly__names_of_compiled_functions() -> None:
    assert (
        short_name("_ZN12numbluff_sim7kernels9num_bluff7playing11start_blockB2v5B56c8tJTIeFIjxB2")
        == "playing.start_block"
    )
    assert short_name("_ZN7cpython12numbluff_sim7kernels4deal9sort_rowsB3v23B56c8") == "deal.sort_rows"
    assert WORKLOADS.kernel().__name__ == "play"


PERUDO = game("perudo").workloads
assert PERUDO is not None


def test_perudo_suite__has_bounds_and_workloads_of_its_own() -> None:
    found = {workload.name: workload for workload in suite(Sizes(), game("perudo"))}
    assert (found["tallies"].target.bound, found["tables"].target.bound, found["mixed"].judged) == (4, 4, False)
    assert found["threshold"].target.bound == pytest.approx(1 / 3)
    assert {"tables", "threshold", "ways"} & {workload.name for workload in suite(Sizes(), game("num_bluff"))} == set()


def test_perudo_workloads__every_alternative_of_every_ruling() -> None:
    found = PERUDO.alternatives()
    assert len({config.digest() for config in found.values()} | {PERUDO.mixed(4).digest()}) == len(found) + 1 == 16


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("players", [2, 3, 6])
def test_perudo_yardstick__plays_the_same_game(tmp_path: Path, players: int) -> None:
    """Its means a game agree with the engine's: 4 means at 3 player counts, 5.5 standard errors (alpha below 1e-6)."""
    from numbluff_sim.bench.yardstick import Yardstick
    from numbluff_sim.games.perudo.tally import TALLY

    games = 100_000
    theirs = Yardstick(find_compiler() or "", PERUDO.yardstick, tmp_path, players).run(games, threads=2, seed=7)
    tally = simulate_tally(PERUDO.default(players), games)
    mean, square = (dict(zip(TALLY.variables(players), moment / games, strict=True)) for moment in tally["moments"][:2])
    for name, key in (
        ("bids", "bids"),
        ("bid_true", "bid_true"),
        ("palifico_rounds", "palifico"),
        ("cups_lifted", "cups"),
    ):
        error = (2 * (square[name] - mean[name] ** 2) / games) ** 0.5
        assert abs(theirs[key] * theirs["rounds"] - mean[name]) < 5.5 * error, name
    assert sum(theirs["win_share"]) == pytest.approx(1, abs=1e-3)
