"""Claims, verdicts and baseline files."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import pytest
from statsmodels.stats.multitest import multipletests

from numbluff_sim.analysis.num_bluff.metrics import BASELINE_METRICS, METRICS
from numbluff_sim.analysis.statistics.clusters import ValueWithError
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.hypotheses import holm_levels
from numbluff_sim.analysis.statistics.intervals import mean, proportion
from numbluff_sim.analysis.statistics.verdicts import (
    SMALLEST_ALPHA,
    Margin,
    Status,
    deciding_alpha,
    games_needed,
    rounded_up,
    status_at,
)
from numbluff_sim.analysis.studies.check.baselines import (
    check_names,
    claim_config,
    ledger,
    load_baseline,
    shipped_baselines,
    written_baseline,
)
from numbluff_sim.analysis.studies.check.claims import Claim, Verdict, judge
from numbluff_sim.config import load
from numbluff_sim.errors import ConfigError
from numbluff_sim.studies.check.study import run_check
from tests.games.num_bluff.synthetic import toy_sample

TEXT = {"en": "A claim", "fr": "Une affirmation"}


def value(x: float, error: float, games: int = 10_000) -> Estimator:
    return mean(
        "x",
        ValueWithError(x, error),
        n=games,
        denominator="games",
        games=games,
        unit="points",
        within=(-math.inf, math.inf),
    )


def claim(**keys: object) -> Claim:
    return Claim.model_validate({"id": "c", "text": TEXT, "metric": "x", "margin": {"low": 0.0, "high": 1.0}, **keys})


@pytest.mark.parametrize(
    ("x", "status"),
    [
        (0.5, Status.HOLDS),
        (0.99, Status.INCONCLUSIVE),
        (1.01, Status.INCONCLUSIVE),
        (1.5, Status.DIFFERS),
        (-0.5, Status.DIFFERS),
    ],
)
def test_status_at__three_verdicts(x: float, status: Status) -> None:
    assert status_at(value(x, 0.1), Margin(0, 1), 0.05) is status


def test_deciding_alpha__is_where_the_interval_touches_the_margin() -> None:
    estimator = value(0.8, 0.1)
    alpha = deciding_alpha(estimator, Margin(high=1.0))
    assert estimator.at(alpha).high == pytest.approx(1.0, abs=1e-4)
    assert status_at(estimator, Margin(high=1.0), alpha) is Status.HOLDS
    assert status_at(estimator, Margin(high=1.0), alpha / 1.01) is Status.INCONCLUSIVE


def test_deciding_alpha__ends_of_the_scale() -> None:
    assert deciding_alpha(value(0.5, 1e-6), Margin(0, 1)) == SMALLEST_ALPHA
    assert deciding_alpha(value(1.0, 0.1), Margin(high=1.0)) == 1.0
    assert deciding_alpha(value(math.nan, 0.1), Margin(high=1.0)) == 1.0


def test_games_needed__falls_with_the_square_of_the_distance() -> None:
    near, far = (games_needed(value(x, 0.1), Margin(high=1.0), 0.01, 0.9) for x in (0.95, 0.9))
    assert near is not None
    assert far is not None
    assert near / far == pytest.approx(4, rel=0.05)
    # (2.576 + 1.282) * 0.1 / 0.1 = 3.86 half-widths: 14.9 times the 10,000 games
    assert far == pytest.approx(149_000, rel=0.02)


def test_games_needed__no_hits_shrink_with_the_games_themselves() -> None:
    none = proportion("m", 0, 12_000, denominator="rounds", games=1000, gate=True)
    games = games_needed(none, Margin(high=1e-6), 0.01, 0.9)
    assert games is not None
    assert (
        status_at(proportion("m", 0, games * 12, denominator="rounds", games=games, gate=True), Margin(high=1e-6), 0.01)
        is Status.HOLDS
    )
    assert games == rounded_up(-math.log(0.005) / 1e-6 / 12)


def test_games_needed__outside_only_the_near_edge_matters() -> None:
    inside, outside = (
        games_needed(value(0.5, 0.1), Margin(0, 1), 0.01, 0.9),
        games_needed(value(1.5, 0.1), Margin(0, 1), 0.01, 0.9),
    )
    assert inside == outside


def test_games_needed__on_an_edge_no_number_settles_it() -> None:
    assert games_needed(value(1.0, 0.1), Margin(high=1.0), 0.01, 0.9) is None
    assert games_needed(value(math.nan, 0.1), Margin(high=1.0), 0.01, 0.9) is None


@pytest.mark.parametrize(("number", "up"), [(0.2, 1), (7.1, 8), (123.0, 130), (130.0, 130), (1_234_567.0, 1_300_000)])
def test_rounded_up(number: float, up: int) -> None:
    assert rounded_up(number) == up


@pytest.mark.parametrize("p_values", [[0.001, 0.2, 0.012, 0.03], [0.04, 0.04, 0.001], [1.0, 1.0], [0.001]])
def test_holm_levels__reject_what_statsmodels_rejects(p_values: list[float]) -> None:
    rejected = multipletests(p_values, alpha=0.05, method="holm")[0]
    assert [p <= level for p, level in zip(p_values, holm_levels(p_values, 0.05), strict=True)] == list(rejected)


def test_judge__holds_differs_and_inconclusive() -> None:
    claims = [claim(id="inside"), claim(id="outside"), claim(id="across", expected="differs")]
    verdicts = judge(claims, [{"x": value(x, 0.05)} for x in (0.5, 2.0, 1.02)], 0.01)
    assert [verdict.status for verdict in verdicts] == [Status.HOLDS, Status.DIFFERS, Status.INCONCLUSIVE]
    assert [verdict.as_expected for verdict in verdicts] == [True, False, False]
    assert [verdict.against for verdict in verdicts] == [False, True, False]
    assert verdicts[0].games_to_settle is None
    assert verdicts[2].games_to_settle is not None
    assert verdicts[2].games_to_settle > 10_000


def test_judge__verdict_and_shown_interval_agree() -> None:
    claims = [claim(id=f"c{i}") for i in range(8)]
    for verdict in judge(claims, [{"x": value(0.5 + i / 10, 0.05)} for i in range(8)], 0.05):
        estimate = verdict.estimate
        inside, outside = estimate.low >= 0 and estimate.high <= 1, estimate.low > 1 or estimate.high < 0
        assert verdict.status == (Status.HOLDS if inside else Status.DIFFERS if outside else Status.INCONCLUSIVE)


def test_judge__more_claims_ask_for_more() -> None:
    one = judge([claim()], [{"x": value(0.85, 0.05)}], 0.01)[0]
    many = judge([claim(id=f"c{i}") for i in range(9)], [{"x": value(0.85, 0.05)}] * 9, 0.01)[0]
    assert one.status is Status.HOLDS
    assert many.status is Status.INCONCLUSIVE


def order_verdict(*rates: int) -> Verdict:
    names = ("a", "b", "c")
    measured = {
        name: proportion(name, rate, 10_000, denominator="rounds", games=1000)
        for name, rate in zip(names, rates, strict=True)
    }
    return judge([Claim.model_validate({"id": "c", "text": TEXT, "order": names})], [measured], 0.01)[0]


def test_judge__order_holds_when_every_step_does() -> None:
    verdict = order_verdict(100, 1000, 1500)
    assert (verdict.status, verdict.estimate.name) == (Status.HOLDS, "c - b")  # shows the harder step
    assert order_verdict(100, 1000, 1010).status is Status.INCONCLUSIVE


def test_judge__order_differs_when_one_step_does() -> None:
    verdict = order_verdict(100, 5000, 1000)
    assert (verdict.status, verdict.estimate.name) == (Status.DIFFERS, "c - b")
    assert verdict.estimate.high < 0


def test_judge__difference_of_two_metrics() -> None:
    measured = {"x": value(0.9, 0.01), "y": value(0.2, 0.01)}
    verdict = judge([claim(minus="y", margin={"low": 0.5})], [measured], 0.01)[0]
    assert (verdict.status, verdict.estimate.value) == (Status.HOLDS, pytest.approx(0.7))


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"margin": None}, "metric or margin is missing"),
        ({"margin": {}}, "metric or margin is missing"),
        ({"metric": None}, "metric or margin is missing"),
        ({"margin": {"low": 2.0, "high": 1.0}}, "margin.low lies above margin.high"),
        ({"order": ["a", "b"]}, "order stands alone"),
        ({"metric": None, "margin": None, "order": ["a"]}, "order stands alone"),
        ({"minus": "y", "minus_overrides": {"a": 1}}, "exclude each other"),
    ],
)
def test_claim__refuses_what_cannot_be_judged(keys: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        claim(**keys)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


ENTRY = '[[claims]]\nid = "a"\ntext = { en = "A" }\nmetric = "epargne_per_round"\nmargin = { low = 0.1 }\n'


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (ENTRY + "limit = 3\n", ["unknown key claims[0].limit", '"metric"']),
        (ENTRY + 'expected = "hold"\n', ["claims[0].expected", '"hold"', 'Did you mean "holds"?']),
        ('[check]\ngames = "many"\n' + ENTRY, ["check.games", "a whole number from 2"]),
        ("[check]\nfamily_alpha = 1.5\n" + ENTRY, ["check.family_alpha"]),
        (ENTRY + ENTRY, ['two claims have the id "a"']),
        ("claims = []\n", ["claims"]),
        ('game = "num_blof"\n' + ENTRY, ["num_blof", 'Did you mean "num_bluff"?']),
        ("[[claims\n", ["not TOML"]),
    ],
)
def test_load_baseline__refusals_name_file_key_and_what_is_expected(
    tmp_path: Path, text: str, parts: list[str]
) -> None:
    path = write(tmp_path / "own.toml", text)
    with pytest.raises(ConfigError) as error:
        load_baseline(path)
    assert str(path) in str(error.value)
    for part in parts:
        assert part in str(error.value)


def test_load_baseline__unknown_name_and_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match='Did you mean "documented"'):
        load_baseline("documentd")
    with pytest.raises(ConfigError, match="there is no such file"):
        load_baseline(tmp_path / "none.toml")


def test_check_names__names_the_nearest_metric(tmp_path: Path) -> None:
    baseline, origin = load_baseline(write(tmp_path / "own.toml", ENTRY.replace("epargne_per", "epargnee_per")))
    with pytest.raises(ConfigError, match=r'"epargnee_per_round" is not a metric.*Did you mean "epargne_per_round"'):
        check_names(baseline, origin, baseline.claims[0], METRICS.known(load()))


def test_claim_config__lays_the_claim_over_the_change_over_the_preset() -> None:
    config = claim_config(
        claim(preset="plays_to_win", players=5, overrides={"rules.master_bonus": False}),
        "b",
        overrides={"rules.master_bonus": True, "rules.wild_adjusts": "both"},
        run={"run.games": 7},
    )
    assert (config.players, config.rules.master_bonus, config.rules.wild_adjusts, config.run.games) == (
        5,
        False,
        "both",
        7,
    )
    assert set(config.seats) == {"plays_to_win"}


@pytest.mark.parametrize("keys", [{"preset": "documentd"}, {"overrides": {"rules.master_bonos": True}}, {"players": 9}])
def test_claim_config__errors_name_the_claim(keys: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"own\.toml, claim c"):
        claim_config(claim(**keys), "own.toml")


@pytest.mark.parametrize("name", shipped_baselines())
def test_shipped_baselines__name_metrics_and_configurations_that_exist(name: str) -> None:
    baseline, origin = load_baseline(name)
    for entry in baseline.claims:
        check_names(baseline, origin, entry, METRICS.known(claim_config(entry, origin)))
        assert entry.source
        assert entry.text.fr
        assert entry.text.in_language("fr") != entry.text.in_language("en")


def test_ledger__judges_what_the_runs_measure_and_names_the_rest() -> None:
    run = SimpleNamespace(config=load(overrides={"run.seed": 9, "run.games": 300}), tally=toy_sample(300, 1).tally)
    verdicts, missing = ledger([run])
    assert [verdict.claim.id for verdict in verdicts] == [
        "miroir_rate",
        "miroir_games",
        "frappe_rate",
        "miroir_alone",
        "rarity_order",
    ]
    assert [entry.preset for entry in missing] == ["plays_to_win"] * 2
    assert next(v for v in verdicts if v.claim.id == "rarity_order").status is Status.DIFFERS


@pytest.mark.thorough
def test_written_baseline__holds_for_other_games_of_the_same_kind(tmp_path: Path) -> None:
    settings = load_baseline()[0].check
    text = written_baseline(
        METRICS.of(toy_sample(1500, 1)),
        BASELINE_METRICS,
        game_name="num_bluff",
        preset="nearest",
        overrides={"rules.wild_adjusts": "both"},
        settings=settings,
    )
    baseline, origin = load_baseline(write(tmp_path / "own.toml", text))
    assert len(baseline.claims) > 20
    assert baseline.check == settings
    assert claim_config(baseline.claims[0], origin).rules.wild_adjusts == "both"
    again = METRICS.of(toy_sample(1500, 2))
    changed = METRICS.of(toy_sample(1500, 2, rates=(0.0006, 0.05, 0.085, 0.004, 0.156, 0.6, 0.094)))
    verdicts = judge(baseline.claims, [again] * len(baseline.claims), 0.01)
    assert not any(verdict.against for verdict in verdicts)
    assert sum(verdict.as_expected for verdict in verdicts) > len(verdicts) - 3
    assert [v.claim.id for v in judge(baseline.claims, [changed] * len(baseline.claims), 0.01) if v.against][:1] == [
        "frappe_parfaite_per_round"
    ]


def test_check__a_claim_about_what_keys_change_where_its_metric_is_undefined() -> None:
    """Nobody lies among `nearest`: honest minus lying has no value on either side."""
    checked = run_check(preset="nearest", overrides={"run.games": 640})
    verdict = next(one for one in checked.verdicts if one.claim.minus_overrides)
    assert verdict.status is Status.INCONCLUSIVE
    assert not verdict.estimate.defined
