"""Studies through the Python interface, on both games, with few games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
import pytest

from numbluff_sim import (
    Stop,
    calibrate,
    check,
    compare,
    knockout,
    load,
    plan,
    report,
    rulings,
    simulate,
    sweep,
    tune,
    what_if_one,
)
from numbluff_sim.errors import ConfigError, RunError, UserError
from numbluff_sim.run.progress import Progress
from numbluff_sim.run.stop import Interrupted

GAMES = 1280
OWN_BASELINE = Path(__file__).parents[2] / "docs" / "examples" / "perudo_own_baseline.toml"
#: Of each game: a way of playing, a change, a key with values, a metric, a ruling, a kind of knock-outs.
ASKED = {
    "num_bluff": (
        "plays_to_win",
        {"rules.wild_adjusts": "both"},
        {"table.hand_size": [3, 4]},
        "frappe_parfaite_per_round",
        "tie_value",
        "rule",
    ),
    "perudo": (
        "threshold",
        {"table.dice": 3},
        {"table.dice": [3, 4]},
        "rounds_per_game",
        "palifico",
        "rule",
    ),
}
games = pytest.mark.parametrize("game", ASKED)


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """No figure is left to the next test, and no setting of Matplotlib is changed."""
    mpl.use("agg")
    before = dict(mpl.rcParams)
    yield
    assert dict(mpl.rcParams) == before
    plt.close("all")


@games
def test_compare__effects_variants_and_forest(game: str, tmp_path: Path) -> None:
    persona, change, axes, *_ = ASKED[game]
    base = load(persona, game=game, games=GAMES, threads=1)
    key, values = next(iter(axes.items()))
    found = compare(base, change, ("<other>", {key: values[0]}), base, out=tmp_path / "compared")
    variants, effects = found.variants(), found.effects()
    assert len(variants) == 3
    assert variants["variant"].tolist()[1:] == ["<other>", "configuration"]
    assert variants["identical"].tolist()[2]
    assert {str(effects[name].dtype) for name in ("variant", "unit", "method")} == {"category"}
    assert {str(effects[name].dtype) for name in ("difference", "low", "p_value")} == {"float64"}
    assert effects["real"].dtype == bool
    assert (effects["n"].dtype, effects["games"].dtype) == ("int64", "int64")
    one = found.effects("<other>", language="fr")
    assert set(one["variant"]) == {"<other>"}
    assert not effects[effects["variant"] == "configuration"]["real"].any()
    html = found._repr_html_()
    assert "<other>" not in html
    _, given = plt.subplots()
    assert found.plot.forest("<other>", ax=given) is given
    assert isinstance(found.plot.forest(), mpl.axes.Axes)
    with pytest.raises(RunError, match=r'"other" is no variant here.*Did you mean "<other>"'):
        found.effects("other")
    again = compare(base, change, ("<other>", {key: values[0]}), base, out=tmp_path / "compared")
    pd.testing.assert_frame_equal(again.effects(), effects)


def test_compare__names_files_and_configurations(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[table]\nhand_size = 4\n", encoding="utf-8")
    found = compare("documented", path, "nearest", {"table.hand_size": 4}, {"table.hand_size": 4}, games=64, threads=1)
    assert found.folder is None
    hand = "table.hand_size = 4"
    assert found.variants()["variant"].tolist() == ["mine", "nearest", hand, f"{hand} (2)"]
    with pytest.raises(ConfigError, match="no variant"):
        compare("documented", games=64)
    with pytest.raises(ConfigError, match=r"set=.*Did you mean") as refused:
        compare("documented", {"table.hand_sise": 4}, games=64)
    assert refused.value.key == "table.hand_sise"


@games
@pytest.mark.thorough
def test_rulings_and_knockout__one_at_a_time(game: str) -> None:
    persona, *_, ruling, kind = ASKED[game]
    found = rulings(persona, game=game, only=[ruling], games=GAMES, threads=1)
    assert set(found.variants()["kind"]) == {ruling}
    assert set(knockout(persona, game=game, only=[kind], games=GAMES, threads=1).variants()["kind"]) == {kind}
    with pytest.raises(ConfigError, match="none of the rulings"):
        rulings(persona, game=game, only=["no_such_ruling"], games=GAMES)


@games
def test_sweep__points_and_long(game: str, tmp_path: Path) -> None:
    persona, _, axes, metric, *_ = ASKED[game]
    key, values = next(iter(axes.items()))
    wanted = {metric: {"low": 0.0, "high": 1e3}}
    base = load(persona, game=game, threads=1)
    found = sweep(base, axes, targets=wanted, games=GAMES, threads=1, out=tmp_path / "swept")
    points, long = found.points(), found.long()
    assert set(values) <= set(points[key])
    assert points["status"].dtype == "category"
    assert points["games"].tolist() == [GAMES] * len(points)
    assert set(long["metric"]) >= {metric}
    assert set(found.long([metric])["metric"].unique()) == {metric}
    assert str(key) in found._repr_html_()
    named = sweep(persona, {key: tuple(values)}, game=game, games=GAMES, threads=1, metrics=[metric])
    pd.testing.assert_series_equal(named.long([metric])["value"], found.long([metric])["value"])
    assert found.plot.names()
    with pytest.raises(ConfigError, match="there are no axes"):
        sweep(persona, game=game)
    with pytest.raises(ConfigError, match=r"sweep\(\).*not a metric"):
        sweep(persona, axes, game=game, metrics=["no_such_metric"])


def test_sweep__a_file_and_what_is_said_over_it(tmp_path: Path) -> None:
    path = tmp_path / "asked.toml"
    path.write_text('[sweep]\ngames = 64\n[axes]\n"table.hand_size" = [3, 4]\n', encoding="utf-8")
    found = sweep(path, games=128, players=3, threads=1)
    assert found.points()["games"].tolist() == [128] * len(found.points())
    assert found.found.sweep.question.base.players == 3


@games
def test_tune__trials(game: str, tmp_path: Path) -> None:
    persona, _, axes, metric, *_ = ASKED[game]
    met = tune(
        load(persona, game=game, threads=1),
        axes,
        targets={metric: {"low": 0.0, "high": 1e3}},
        trials=4,
        games=GAMES,
        confirm_games=GAMES,
        threads=1,
        out=tmp_path / "tuned",
    )
    trials = met.trials()
    assert met.met
    assert met.change == {}
    assert trials["trial"].iloc[0] == 0
    assert {f"{metric}.value", "distance", "status", *axes} <= set(trials.columns)
    assert "no change needed" in met._repr_html_()


def test_calibrate__cells() -> None:
    found = calibrate(
        "documented", rulings=["tie_value"], personas=["documented"], games=8192, screen_games=2048, threads=1
    )
    cells = found.cells()
    assert set(cells["persona"]) == {"documented"}
    assert "tie_value" in cells.columns
    assert set(cells["verdict"]) <= {"inside", "outside", "open"}
    assert (cells["games"] <= 8192).all()
    assert "combinations" in found._repr_html_()
    with pytest.raises(ConfigError, match="not a way of playing") as refused:
        calibrate("documented", personas=["documentd"])
    assert refused.value.file == "personas="


@games
def test_check__verdicts(game: str) -> None:
    baseline = OWN_BASELINE if game == "perudo" else None  # the shipped one plays every number of players
    found = check(baseline=baseline, game=game, games=GAMES, threads=1)
    verdicts = found.verdicts()
    assert len(verdicts) == len(found.found.verdicts)
    assert set(verdicts["verdict"]) <= {"holds", "differs", "inconclusive"}
    assert verdicts["games"].max() == GAMES
    assert found.as_expected == verdicts["as_expected"].all()
    assert "expected" in found._repr_html_()
    other = load("random" if game == "perudo" else "plays_to_win", game=game)
    changed = check(other, baseline=baseline, games=GAMES, threads=1).verdicts()
    assert not changed["value"].equals(verdicts["value"])
    assert changed["claim"].equals(verdicts["claim"])


@games
def test_plan__table(game: str) -> None:
    persona, change, _, metric, *_ = ASKED[game]
    found = plan(
        persona, game=game, until=[f"{metric}:5%"], detect=[f"{metric}:10%"], variant=change, games=GAMES, threads=1
    )
    table = found.table()
    assert table["kind"].tolist() == ["precision", "detection"]
    assert table["fixed_games"].dtype == "Int64"
    assert table["fixed_games"].iloc[0] > 0
    assert pd.isna(table["fixed_games"].iloc[1])
    assert "asked" in found._repr_html_()
    with pytest.raises(ConfigError, match="until="):
        plan(persona, game=game, until=["no_such:5%"])


def test_stop__a_study_is_continued(tmp_path: Path) -> None:
    stop, told = Stop(), []

    def tell(now: Progress) -> None:
        told.append(now)
        stop.set()

    out = tmp_path / "swept"
    axes = {"table.hand_size": [3, 4]}
    with pytest.raises(Interrupted, match=str(out)):
        sweep("documented", axes, games=10**7, threads=1, out=out, stop=stop, progress=tell)
    assert told
    with pytest.raises(RunError, match="games"):
        sweep("documented", axes, games=64, threads=1, out=out)
    assert sweep("documented", axes, games=64, threads=1, out=out, replace=True).points()["games"].max() == 64


@pytest.mark.parametrize(
    ("game", "habit", "own"),
    [("num_bluff", "fusing", [{"lies.total": 0.7}]), ("perudo", "listening_to_bids", [])],
)
def test_what_if_one__effects_and_a_section_of_the_report(
    game: str, habit: str, own: list[dict[str, object]], tmp_path: Path
) -> None:
    base = load("plays_to_win" if game == "num_bluff" else "bayes", game=game, players=3, games=640, threads=1)
    found = what_if_one(base, habits=[habit], own=own, out=tmp_path / "one")
    effects = found.effects()
    assert set(effects["outcome"]) <= {"points", "win_share"}
    row = effects.iloc[0]
    assert row["difference"] == pytest.approx(row[[f"seat_{p}" for p in range(base.players)]].mean())
    assert row["simultaneous_low"] <= row["low"] <= row["difference"] <= row["high"] <= row["simultaneous_high"]
    assert found.report().parent == tmp_path / "one"
    assert "what if one" in repr(found)
    assert "<table" in found._repr_html_()
    run = simulate(base, out=tmp_path / "run")
    assert 'id="what_if_one' in report(run, found).read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="none of the game's"):
        what_if_one(base, habits=["liying"])


def test_report__comparisons_beside_runs(tmp_path: Path) -> None:
    run = simulate("documented", games=640, threads=1, out=tmp_path / "run")
    compared = compare(run.config, {"table.hand_size": 4}, out=tmp_path / "compared")
    page = report(run, compared, language="fr")
    assert page.parent == tmp_path / "run" / "report"
    assert "table.hand_size" in page.read_text(encoding="utf-8")
    assert compared.report().parent == tmp_path / "compared"
    with pytest.raises(UserError, match="at least one run"):
        report(compared)
    with pytest.raises(UserError, match="'nope' is no result"):
        report("nope")  # type: ignore[arg-type]
    with pytest.raises(UserError, match="no texts in"):
        run.report(language="xx")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: what_if_one(habits=["lyng_on_the_total"]),
            r'^habits=: "lyng_on_the_total" .*Did you mean "lying_on_the',
        ),
        (lambda: what_if_one(habits="fusing"), r"^habits=: 'fusing' is not a list; expected a list"),
        (lambda: what_if_one(companies=["believers"]), r"^companies=: "),
        (lambda: what_if_one(own=[{}]), r"^own=: a habit of your own has no keys"),
        (lambda: what_if_one(own=[{"lies.totl": 1}]), r"^a habit: unknown key lies\.totl "),
        (lambda: rulings(only="tie_value"), r"^only=: 'tie_value' is not a list"),
        (lambda: rulings(only=["tie_valu"]), r'^only=: .*Did you mean "tie_value"'),
        (lambda: calibrate(alpha=2.0), r"^alpha=: "),
        (lambda: check(baseline={"claims": []}), r"^baseline=: .* is not a name or a path"),  # type: ignore[arg-type]
        (lambda: load(set=3), r"^set=: 3 is not a mapping"),  # type: ignore[arg-type]
        (lambda: plan(), r"^plan\(\): there is nothing to plan; expected until="),
        (lambda: plan(until="seat_1_win_share:1%"), r"^until=: 'seat_1_win_share:1%' is not a list"),
        (lambda: sweep("documented", ["table.hand_size"]), r"^axes=: .* is not a mapping"),  # type: ignore[arg-type]
    ],
)
def test_errors__name_the_keyword_and_what_it_takes(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ask()
