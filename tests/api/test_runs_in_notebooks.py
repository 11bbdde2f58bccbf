"""Runs through the Python interface: configurations, frames, rows, pictures, errors."""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import numbluff_sim
from numbluff_sim import Stop, load, load_run, replay, report, resolve, simulate
from numbluff_sim.errors import CaseError, ConfigError, RunError, UserError
from numbluff_sim.notebook.frames import ESTIMATE
from numbluff_sim.notebook.html import table_html
from numbluff_sim.notebook.run import Run
from numbluff_sim.run import spans
from numbluff_sim.run.progress import Progress
from numbluff_sim.run.stop import Interrupted

GAMES = 640
PRESETS = {"num_bluff": "plays_to_win", "perudo": "threshold"}


@pytest.fixture(scope="module", params=PRESETS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of each game with all rows."""
    folder = tmp_path_factory.mktemp("run") / "of"
    return simulate(PRESETS[request.param], game=request.param, games=GAMES, rows="rounds", threads=1, out=folder)


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """No figure is left to the next test, and no setting of Matplotlib is changed."""
    mpl.use("agg")
    before = dict(mpl.rcParams)
    yield
    assert dict(mpl.rcParams) == before
    plt.close("all")


def test_load__names_files_configurations(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "plays_to_win"\n[table]\nplayers = 5\n', encoding="utf-8")
    of_file = load(path)
    assert (of_file.players, of_file.digest()) == (5, load("plays_to_win", players=5).digest())
    assert load(str(path)).digest() == of_file.digest()
    assert load(of_file) == of_file
    assert load("random", game="perudo").game == "perudo"


def test_load__a_configuration_is_changed_as_a_file_is() -> None:
    base = load("plays_to_win", players=5, games=128)
    changed = load(base, players=3, set={"rules.wild_adjusts": "both", "play.seats": "nearest"})
    assert changed == load("nearest", players=3, games=128, set={"rules.wild_adjusts": "both"})
    mixed = load(base, players=3, set={"play.seats": ["nearest", "plays_to_win", "random"]})
    with pytest.raises(ConfigError, match="seats"):
        load(mixed, players=4)  # nobody says who the fourth one is
    with pytest.raises(ConfigError, match="one game"):
        load(base, game="perudo")


@pytest.mark.parametrize(
    ("keywords", "file", "key", "words"),
    [
        ({"configuration": "plays_to_wim"}, None, "preset", 'Did you mean "plays_to_win"'),
        ({"set": {"rules.wild_adjusts": "boht"}}, "set=", "rules.wild_adjusts", 'Did you mean "both"'),
        ({"players": 12}, "players=", "table.players", "from 3 to 6"),
        ({"seed": -1}, "seed=", "run.seed", "whole number"),
        ({"configuration": Path("nowhere.toml")}, "nowhere.toml", None, "existing TOML file"),
        ({"configuration": 7}, None, "configuration", "a Config, the name"),
    ],
)
def test_load__errors_name_keyword_key_and_what_is_expected(
    keywords: dict[str, object], file: str | None, key: str | None, words: str
) -> None:
    with pytest.raises(ConfigError, match=words) as refused:
        load(**keywords)  # type: ignore[arg-type]
    assert (refused.value.file, refused.value.key) == (file, key)


def test_keywords__are_spelled_out_and_others_refused() -> None:
    with pytest.raises(TypeError, match=r'takes no "sed".*Did you mean "seed"'):
        simulate(sed=1)  # type: ignore[call-arg]
    for name in set(numbluff_sim.__all__) - {"Config", "Stop", "__version__"}:
        function = getattr(numbluff_sim, name)
        assert "Raises" in function.__doc__, name
        assert ">>> " in function.__doc__, name
    assert "progress: True: a line" in (simulate.__doc__ or "")


def test_metrics__columns_and_types(run: Run) -> None:
    found = run.metrics()
    assert {name: str(kind) for name, kind in found.dtypes.items()} == ESTIMATE
    assert found["name"].is_unique
    assert not found["label"].str.contains("_").any()
    known = found.dropna(subset="value")
    assert (known["low"] <= known["value"]).all()
    assert (known["value"] <= known["high"]).all()
    assert found["games"].max() == GAMES
    narrower = run.metrics([known["name"].iloc[0]], level=0.5, language="fr").iloc[0]
    assert narrower["level"] == 0.5
    assert narrower["high"] - narrower["low"] < known["high"].iloc[0] - known["low"].iloc[0]
    with pytest.raises(RunError, match=r"seat_0_win_shar.*Did you mean"):
        run.metrics(["seat_0_win_shar"])


def test_events__those_of_the_game(run: Run) -> None:
    found = run.events()
    assert list(found.columns) == list(ESTIMATE)
    assert len(found) > 3
    assert set(found["name"]) <= set(run.metrics()["name"])


def test_rows__every_kind_with_its_declared_columns(run: Run) -> None:
    assert run.kinds == ["games", "rounds"]
    for kind in run.kinds:
        rows, columns = run.rows(kind), getattr(run, kind).columns
        assert list(rows.columns) == list(columns["name"])
        for name, stored in zip(columns["name"], columns["dtype"], strict=True):
            assert rows[name].dtype == stored, name
    assert isinstance(run.games()["game"].iloc[0].item(), int)
    assert len(run.games()) == GAMES
    with pytest.raises(RunError, match=r'"round" is no kind of rows.*Did you mean "rounds"'):
        run.rows("round")
    with pytest.raises(RunError, match=r'"gam" is no column of games.*Did you mean "game"'):
        run.games(columns=["gam"])


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        (7, [7]),
        (slice(3), [0, 1, 2]),
        (slice(-2, None), [GAMES - 2, GAMES - 1]),
        (range(10, 40, 9), [10, 19, 28, 37]),
        (range(5, 5), []),
    ],
)
def test_rows__games_asked_for(run: Run, games: object, expected: list[int]) -> None:
    whole = run.rounds()
    found = run.rounds(games=games)  # type: ignore[arg-type]
    assert found["game"].drop_duplicates().tolist() == expected
    pd.testing.assert_frame_equal(found, whole[whole["game"].isin(expected)].reset_index(drop=True))


@pytest.mark.parametrize("games", [GAMES, -1, range(GAMES + 1), range(9, 3, -1), "all"])
def test_rows__games_that_are_not_there(run: Run, games: object) -> None:
    with pytest.raises(RunError, match="expected"):
        run.rounds(games=games)  # type: ignore[arg-type]


def test_rows__parts_outside_of_the_games_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load("documented", games=GAMES, threads=1)
    monkeypatch.setattr(spans, "PART_ROWS", 128 * config.rounds)
    run = simulate(config, rows="rounds", out=tmp_path / "run")
    parts = sorted((tmp_path / "run" / "rounds").iterdir())
    assert len(parts) == 5
    whole = run.rounds()
    for path in (parts[0], parts[2], parts[4]):
        path.write_bytes(b"no Parquet")
    read = run.rounds(games=range(128, 256))
    pd.testing.assert_frame_equal(read, whole[whole["game"].between(128, 255)].reset_index(drop=True))
    assert run.rounds(columns=["round"], games=range(130, 500, 256))["round"].size == 2 * config.rounds
    with pytest.raises(RunError, match="not a whole Parquet file"):
        run.rounds(games=range(250, 260))


def test_rows__none_were_written(tmp_path: Path) -> None:
    run = simulate("documented", games=64, threads=1, out=tmp_path / "run")
    with pytest.raises(RunError, match="no rounds rows"):
        run.rounds()


def test_folder__temporary_ones_go_with_the_run_and_named_ones_are_continued(tmp_path: Path) -> None:
    run = simulate("documented", games=64, threads=1)
    folder = run.folder
    assert (folder / "run.json").exists()
    del run
    assert not folder.exists()
    first = simulate("documented", games=64, threads=1, out=tmp_path / "run")
    more = simulate("documented", games=128, threads=1, out=tmp_path / "run")
    assert (first.games_played, more.games_played) == (64, 128)
    pd.testing.assert_frame_equal(load_run(tmp_path / "run").metrics(), more.metrics())
    with pytest.raises(RunError, match="seed was 1 and is now 2"):
        simulate("documented", games=128, seed=2, out=tmp_path / "run")


@pytest.mark.parametrize("why", ["stop", "interrupt"])
def test_stop__leaves_a_folder_that_is_continued(tmp_path: Path, why: str) -> None:
    stop, told = Stop(), []

    def tell(now: Progress) -> None:
        told.append(now.share)
        if why == "interrupt":
            raise KeyboardInterrupt
        stop.set()

    out = tmp_path / "run"
    with pytest.raises(Interrupted, match=str(out)):
        simulate("documented", games=10**9, threads=1, out=out, stop=stop, progress=tell)
    assert told
    done = load_run(out).games_played
    assert done < 10**9
    if done:
        again = simulate("documented", games=max(done, 64), threads=1, out=tmp_path / "again")
        assert (load_run(out).data.tally["moments"] == again.data.tally["moments"]).all()


def test_progress__a_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    simulate("documented", games=64, threads=1, progress=True)
    assert "%" in capsys.readouterr().err
    simulate("documented", games=64, threads=1)
    assert capsys.readouterr().err == ""


def test_until__stops_itself(tmp_path: Path) -> None:
    run = simulate("documented", until=["seat_1_win_share:20%"], games=100_000, threads=1, out=tmp_path / "run")
    assert 64 <= run.games_played < 100_000


def test_html__is_escaped_and_compact(run: Run) -> None:
    html = run._repr_html_()
    assert html.count("<tr>") == min(12, len(run.events())) + 1
    assert len(html) < 20_000
    frame = pd.DataFrame({"a": ["<script>alert(1)</script>", None], "b": [math.nan, 1 / 3]})
    shown = table_html("<b>", frame, ["a", "b"], "<i>", most=1)
    assert "<script>" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "<b>&lt;b&gt;</b>" in shown
    assert "1 more rows. &lt;i&gt;" in shown
    assert "<table" in run.rounds._repr_html_()


def test_plot__axes_of_ones_own_and_given_ones(run: Run) -> None:
    axes = run.plot.events()
    assert isinstance(axes, mpl.axes.Axes)
    assert axes.get_xscale() == "log"
    shown = [label.get_text().replace("\n", " ") for label in axes.get_yticklabels()]  # long ones in lines
    assert shown == list(run.events()["label"])
    figure, given = plt.subplots()
    assert run.plot.events(ax=given, language="fr") is given
    assert plt.get_fignums() == [axes.figure.number, figure.number]


def test_plot__pictures_of_the_report(run: Run) -> None:
    assert "seat_wins" in run.plot.names()
    assert "seat_wins" in dir(run.plot)
    axes = run.plot.seat_wins()
    assert isinstance(axes, mpl.axes.Axes)
    with pytest.raises(UserError, match=r'"seat_win" is no picture.*Did you mean "seat_wins"'):
        run.plot.seat_win()


def test_report__page_of_a_run(run: Run, tmp_path: Path) -> None:
    page = report(run, out=tmp_path / "page", language="fr")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    with pytest.raises(RunError, match="at least one run"):
        report(out=tmp_path)


def test_replay__games_of_the_run(run: Run) -> None:
    found = replay(run.config, index=range(3, 6))
    assert [one["game"] for one in found] == [3, 4, 5]
    assert replay(run.config, index=slice(1, 6, 4))[1]["game"] == 5
    assert "3" in found.text("fr")
    assert found._repr_html_().startswith("<div>")
    with pytest.raises(RunError, match="rising numbers"):
        replay(run.config, index=-1)


def test_resolve__text_data_and_file(tmp_path: Path) -> None:
    text = "bluffer 1 / rouge-7 + vert-3; bleu-4 + bleu-9; jaune-5 + jaune-2"
    found = resolve(text)
    assert len(found["rounds"]) == 1
    assert found.explanation("fr") != found.explanation("en")
    (tmp_path / "round.txt").write_text(text, encoding="utf-8")
    assert dict(resolve(tmp_path / "round.txt")) == dict(found)
    assert dict(resolve(text, set={"rules.wild_adjusts": "both"})).keys() == found.keys()
    with pytest.raises(CaseError, match="nothing in it"):
        resolve("")
    with pytest.raises(CaseError, match="no such file"):
        resolve(tmp_path / "nothing.json")


def test_errors_of_folders__name_arguments_of_python(tmp_path: Path) -> None:
    simulate("documented", games=64, out=tmp_path / "run")
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "letter.txt").write_text("x", encoding="utf-8")
    refused = (
        (
            "run",
            {"resume": False},
            "Continue it with resume=True, put this one in its place with replace=True, or name",
        ),
        ("run", {"seed": 5}, "Name another folder as out=, or put this one in its place with replace=True."),
        ("strange", {}, "Name another folder as out=."),
    )
    for name, keywords, advice in refused:
        with pytest.raises(RunError) as error:
            simulate("documented", out=tmp_path / name, **{"games": 64, **keywords})
        assert advice in str(error.value)
        assert "--" not in str(error.value)


def test_interruption__tells_the_call_that_continues(tmp_path: Path) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Interrupted) as stopped:
        simulate("documented", games=10**7, out=tmp_path / "run", stop=stop)
    assert str(stopped.value) == (
        "interrupted after 0 of 10,000,000 games; the same call with this folder as out= continues "
        f"(folder {tmp_path / 'run'})"
    )


def test_report__no_setting_of_the_user_is_seen_in_it(tmp_path: Path) -> None:
    run = simulate("documented", games=640, out=tmp_path / "run")

    def made() -> dict[str, bytes]:
        folder = report(run).parent
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    plain = made()
    with (
        mpl.rc_context({"lines.linewidth": 9, "axes.facecolor": "#ff0000", "axes.titlelocation": "right"}),
        np.printoptions(precision=1, legacy="1.13"),
        np.errstate(all="raise"),
        pd.option_context("display.precision", 1, "display.max_columns", 2),
        decimal.localcontext(decimal.Context(prec=2)),
    ):
        found = made()
    assert [name for name in plain if found.get(name) != plain[name]] == []
    assert found.keys() == plain.keys()
