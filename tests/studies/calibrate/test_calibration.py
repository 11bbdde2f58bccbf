"""Calibration: which rulings act, cells that stand for combinations, verdicts with slack, what tells apart.

Tests on random results have one fixed seed, so that their outcome is fixed too.
"""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import proportion
from numbluff_sim.analysis.statistics.verdicts import Margin, Status
from numbluff_sim.analysis.studies.calibrate.cells import Rated, cells, judged
from numbluff_sim.analysis.studies.calibrate.findings import findings
from numbluff_sim.analysis.studies.calibrate.rates import GivenRates, read_rates
from numbluff_sim.analysis.studies.calibrate.result import Calibration, table_rows
from numbluff_sim.analysis.studies.calibrate.screening import Power, Replicated, screen
from numbluff_sim.analysis.studies.calibrate.space import Assignment, Space
from numbluff_sim.analysis.studies.calibrate.telling_apart import Apart, separation, tell_apart
from numbluff_sim.analysis.studies.calibrate.words import CalibrationWords
from numbluff_sim.analysis.studies.check.claims import Claim, ClaimText, Ends
from numbluff_sim.config import load
from numbluff_sim.config.origin import Origin
from numbluff_sim.config.personas import personas
from numbluff_sim.errors import ConfigError, RunError
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.run.progress import Progress
from numbluff_sim.studies.calibrate.asked import Task
from numbluff_sim.studies.calibrate.study import calibrate, completed

SPACE = Space(("a", "b", "c"), (("x", "y", "z"), (True, False), ("p", "q")))
RATES = GivenRates(
    (Claim(id="rate", text=ClaimText(en="rate"), metric="m", margin=Ends(low=0.4, high=0.6)),), "test", {}
)
ACTING = ["wild_adjusts", "bluffer_wild", "master_bonus"]


def replicated(value: float, spread: float = 0.0) -> Replicated:
    """A rate on 8 groups of games whose leave-one-out values scatter by `spread`."""
    return np.array([value, *(value + spread * (-1) ** g for g in range(8))]).reshape(-1, 1)


def rate(value: float, n: int = 10_000, name: str = "m") -> Estimator:
    return proportion(name, value * n, n, denominator="rounds", games=n, gate=True)


def test_space__contexts_are_all_single_changes_and_pairs_of_two_rulings() -> None:
    contexts = SPACE.contexts()
    assert SPACE.combinations == 12
    assert contexts[0] == ()
    assert len(contexts) == 1 + 4 + 2 * 2 + 1
    assert all(len({ruling for ruling, _ in context}) == len(context) for context in contexts)
    assert SPACE.rules(SPACE.changed(((0, 2), (2, 1)))) == {"a": "z", "b": True, "c": "q"}
    assert SPACE.changes(SPACE.changed(((0, 2),))) == {"a": "z"}


def test_screen__a_ruling_that_acts_in_one_pair_alone_is_found() -> None:
    played = {context: replicated(0.5) for context in SPACE.contexts()}
    played[((0, 1),)] = replicated(0.55)
    for context in played:
        if len(context) == 2 and (0, 1) in context:
            played[context] = replicated(0.55)
    played[((1, 1), (2, 1))] = replicated(0.5005, 0.0001)
    powers = screen("p", SPACE, played, 1000, 0.05).powers(SPACE, RATES.halves)
    assert powers == (Power.ACTS, Power.SLIGHT, Power.SLIGHT)
    found = screen("p", SPACE, played, 1000, 0.05)
    slack = found.slack(powers, 1)
    assert 2 * 0.0005 < slack[0] < 2 * 0.1 * RATES.halves[0]
    assert type(found).from_json(json.loads(json.dumps(found.to_json()))) == found


def test_screen__nothing_changed_is_no_power() -> None:
    played = {context: replicated(math.inf) for context in SPACE.contexts()}
    assert set(screen("p", SPACE, played, 1000, 0.05).powers(SPACE, RATES.halves)) == {Power.NONE}


def test_screen__a_rate_that_becomes_undefined_acts() -> None:
    played = {context: replicated(math.nan if (1, 1) in context else 0.5) for context in SPACE.contexts()}
    assert screen("p", SPACE, played, 1000, 0.05).powers(SPACE, RATES.halves) == (Power.NONE, Power.ACTS, Power.NONE)


def test_cells__stand_for_all_combinations_together() -> None:
    found = list(cells("p", SPACE, (Power.ACTS, Power.NONE, Power.SLIGHT)))
    assert [cell.assignment for cell in found] == [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
    assert sum(cell.stands_for for cell in found) == SPACE.combinations


def test_completed__other_answers_to_the_rulings_that_do_not_act_alone() -> None:
    cell = list(cells("p", SPACE, (Power.ACTS, Power.NONE, Power.NONE)))[1]
    found = completed(SPACE, cell, (True, False, False), seed=1)
    assert sorted(found) == [(1, 0, 1), (1, 1, 0), (1, 1, 1)]
    assert found == completed(SPACE, cell, (True, False, False), seed=1)


@pytest.mark.parametrize(
    ("value", "slack", "status"),
    [
        (0.5, 0.0, Status.HOLDS),
        (0.5, 0.095, Status.INCONCLUSIVE),
        (0.7, 0.0, Status.DIFFERS),
        (0.7, 0.1, Status.INCONCLUSIVE),
        (0.6, 0.0, Status.INCONCLUSIVE),
        (math.nan, 0.0, Status.INCONCLUSIVE),
    ],
)
def test_judged__slack_narrows_the_margin_to_agree_and_widens_it_to_be_ruled_out(
    value: float, slack: float, status: Status
) -> None:
    estimator = rate(value) if not math.isnan(value) else dataclasses.replace(rate(0.5), value=math.nan)
    assert judged(estimator, Margin(0.4, 0.6), slack, 0.05) is status


def test_tell_apart__chooses_the_metric_that_separates_most_and_groups_the_rest() -> None:
    measured = [
        {"m": rate(m), "k": rate(k, name="k"), "same": rate(0.5, name="same")}
        for m, k in ((0.1, 0.3), (0.1, 0.4), (0.5, 0.4), (0.5, 0.4))
    ]
    found = tell_apart(measured, 0.05)
    assert [(one.metric, one.pairs) for one in found.metrics] == [
        ("m", ((0, 2), (0, 3), (1, 2), (1, 3))),
        ("k", ((0, 1),)),
    ]
    assert found.groups == ((0,), (1,), (2, 3))
    assert found.metrics[0].observed < found.metrics[1].observed < 10_000


def test_separation__above_one_exactly_when_intervals_do_not_touch() -> None:
    first, second = rate(0.5).at(0.05), rate(0.52).at(0.05)
    assert (separation(first, second) > 1) == (first.high < second.low)
    assert separation(first, second) == separation(second, first)
    assert separation(first, dataclasses.replace(second, value=math.inf, high=math.inf)) == 0


def test_read_rates__documented_ones_have_margins_with_two_ends() -> None:
    found = read_rates(None, load())
    assert [claim.id for claim in found.claims] == ["miroir_rate", "miroir_games", "frappe_rate"]
    assert found.left_out["bonus_favours_honesty"] == "one_sided"


def rates_file(tmp_path: Path, claims: str) -> str:
    path = tmp_path / "rates.toml"
    path.write_text(claims, encoding="utf-8")
    return str(path)


CLAIM = '[[claims]]\nid = "{id}"\ntext = {{ en = "t" }}\nmetric = "{metric}"\nmargin = {{ {margin} }}\n{more}\n'


def test_read_rates__claims_for_other_players_and_settings_are_left_out(tmp_path: Path) -> None:
    both = "low = 0.01, high = 0.02"
    text = "".join(
        CLAIM.format(id=name, metric="frappe_parfaite_per_round", margin=both, more=more)
        for name, more in (
            ("good", "players = 4"),
            ("five", "players = 5"),
            ("without", 'overrides = { "rules.master_bonus" = false }'),
        )
    )
    found = read_rates(rates_file(tmp_path, text), load())
    assert [claim.id for claim in found.claims] == ["good"]
    assert dict(found.left_out) == {"five": "other_players", "without": "other_settings"}


def test_read_rates__refuses_unknown_metrics_and_files_without_rates(tmp_path: Path) -> None:
    unknown = CLAIM.format(id="x", metric="frape_parfaite_per_round", margin="low = 0.1, high = 0.2", more="")
    with pytest.raises(ConfigError, match='Did you mean "frappe_parfaite_per_round"'):
        read_rates(rates_file(tmp_path, unknown), load())
    one_sided = CLAIM.format(id="x", metric="frappe_parfaite_per_round", margin="low = 0.1", more="")
    with pytest.raises(ConfigError, match="no claim states a rate"):
        read_rates(rates_file(tmp_path, one_sided), load())


def test_space__refuses_an_unknown_ruling() -> None:
    with pytest.raises(ConfigError, match='Did you mean "wild_adjusts"'):
        Space.of(load(), ["wild_adjust"])


def test_personas__of_the_file_join_the_shipped_ones_and_equal_plays_count_once(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        '[personas.mine]\nbase = "nearest"\nmay_fuse = true\n[personas.twin]\nbase = "random"\n', encoding="utf-8"
    )
    origin = Origin(str(path), None, {})
    found = personas(origin, origin.load())
    assert "mine" in found.configs
    assert found.configs["mine"].resolved()["play"]["seats"] == ["mine"] * 4
    assert found.same["twin"] == "random"
    assert found.same["honest"] == "nearest"
    with pytest.raises(ConfigError, match='Did you mean "nearest"'):
        personas(origin, origin.load(), ["nearst"])


def task(games: int = 40_000, names: list[str] | None = None, seed: int = 1, threads: int = 2) -> Task:
    origin = Origin(None, "documented", {"run.games": games, "run.seed": seed, "run.threads": threads})
    base = origin.load()
    return Task(
        Space.of(base, ACTING),
        personas(origin, base, names or ["documented", "nearest"]),
        read_rates(None, base),
        games,
        16_384,
        0.05,
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    if not COMPILED:
        pytest.skip("plays millions of games")
    return calibrate(task(), tmp_path_factory.mktemp("calibration") / "out")


def by_rules(found: Calibration, persona: str, **answers: object) -> Rated:
    """The cell with these answers, the others as they are."""
    return next(
        one
        for one in found.rated
        if one.cell.persona == persona and found.space.changes(one.cell.assignment) == answers
    )


def test_calibrate__documented_agrees_and_any_answer_that_gives_more_frappes_does_not(found: Calibration) -> None:
    assert by_rules(found, "documented").status != "ruled_out"
    assert by_rules(found, "documented", wild_adjusts="both").status == "ruled_out"
    assert by_rules(found, "documented", bluffer_wild="printed").status == "ruled_out"
    assert all(one.status == "ruled_out" for one in found.rated if one.cell.persona == "nearest")


def test_calibrate__no_listed_interval_lies_outside_its_margin(found: Calibration) -> None:
    assert found.listed
    for one in found.listed:
        for estimate, claim in zip(one.estimates, found.rates.claims, strict=True):
            assert estimate.low <= claim.range.high
            assert estimate.high >= claim.range.low


def test_calibrate__every_combination_is_accounted_for(found: Calibration) -> None:
    assert found.combinations == 2 * 3 * 2 * 2
    assert sum(found.counted(status) for status in ("consistent", "open", "ruled_out")) == found.combinations
    assert len(table_rows(found)) == len(found.rated) * len(found.rates.claims)


def test_calibrate__the_bonus_does_not_act_and_random_answers_to_it_agree(found: Calibration) -> None:
    cell = by_rules(found, "documented").cell
    assert found.free(cell) == ["master_bonus"]
    assert found.vouched(cell)
    assert found.completions[cell.key].tried == 1
    silent = {(one.ruling, one.answer): one.metric for one in found.silent["documented"]}
    assert silent["master_bonus", False] is not None
    assert "bonus" in str(silent["master_bonus", False])
    assert all(not audit.beyond for audit in found.audits.values())


def with_statuses(found: Calibration, *open_ones: tuple[Assignment, str]) -> Calibration:
    """The calibration as if these cells were open and nothing told anything apart; all others ruled out."""

    def judged(one: Rated) -> Rated:
        status = Status.INCONCLUSIVE if (one.cell.assignment, one.cell.persona) in open_ones else Status.DIFFERS
        return dataclasses.replace(one, statuses=(status,) * len(one.statuses))

    count = len(open_ones)
    changed = dataclasses.replace(
        found, rated=tuple(map(judged, found.rated)), apart=Apart((), (tuple(range(count)),), 0.05)
    )
    some = next(iter(found.completions.values()))
    return dataclasses.replace(changed, completions={one.cell.key: some for one in changed.listed})


def test_findings__an_open_case_is_not_told_as_a_no(found: Calibration) -> None:
    reference = found.space.reference
    told = {
        finding.name: finding
        for finding in findings(CalibrationWords.of(with_statuses(found, (reference, "documented")), "num_bluff", "en"))
    }
    assert told["agreeing"].title == "No combination certainly agrees with all 3 rates; 2 of 24 are open"
    assert (
        told["own_rulings"].title
        == "With the rulings as they are, no way of playing certainly gives the rates; documented is open"
    )
    assert told["own_rulings"].record["open"] == ["documented"]
    assert "this is one case" in told["agreeing"].text


def test_findings__what_nothing_tells_apart_is_told_with_the_games(found: Calibration) -> None:
    cases = [(one.cell.assignment, one.cell.persona) for one in found.rated][:2]
    for language, words in (
        ("en", "With 40,000 games of each, no metric tells apart what is left"),
        ("fr", "Avec 40\u202f000 parties de chacun"),
    ):
        told = {
            finding.name: finding
            for finding in findings(CalibrationWords.of(with_statuses(found, *cases), "num_bluff", language))
        }
        assert told["next"].title.startswith(words)


@pytest.mark.skipif(not COMPILED, reason="plays a million games")
@pytest.mark.thorough
def test_calibrate__interrupted_and_continued_on_other_threads_is_the_same(found: Calibration, tmp_path: Path) -> None:
    stops = (8, 12, 5)
    for stop in stops:
        told = iter(range(stop))

        def interrupt(now: Progress, told: object = told) -> None:
            if next(told, None) is None:  # type: ignore[call-overload]
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            calibrate(task(threads=1), tmp_path / "out", progress=interrupt)
    again = calibrate(task(threads=1), tmp_path / "out")
    assert json.dumps(again.to_json()) == json.dumps(found.to_json())
    assert table_rows(again) == table_rows(found)


@pytest.mark.skipif(not COMPILED, reason="plays many games")
def test_calibrate__another_task_in_the_folder_is_refused_with_what_differs(tmp_path: Path) -> None:
    small = dataclasses.replace(task(8_000, ["documented"]), screen_games=2048)
    calibrate(small, tmp_path / "out")
    with pytest.raises(RunError, match=r"alpha was 0\.05 and is now 0\.1"):
        calibrate(dataclasses.replace(small, alpha=0.1), tmp_path / "out")
    with pytest.raises(RunError, match="configurations"):
        calibrate(dataclasses.replace(task(8_000, ["documented"], seed=2), screen_games=2048), tmp_path / "out")
    other = calibrate(dataclasses.replace(small, alpha=0.1), tmp_path / "out", replace=True)
    assert other.levels.alpha == 0.1
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / "state.json.partial").write_text("{", encoding="utf-8")
    assert calibrate(small, tmp_path / "killed").levels.alpha == 0.05
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "diary.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RunError, match=r"not a calibration \(diary\.txt\)"):
        calibrate(small, tmp_path / "strange")
