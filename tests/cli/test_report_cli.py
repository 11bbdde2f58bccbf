"""`numbluff report` on runs that the real engine played: what it writes, prints and refuses."""

import json

import pytest

from numbluff_sim.config import load
from numbluff_sim.run.runner import run_simulation

pytestmark = pytest.mark.usefixtures("undrawn")
GAMES = 6400


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, preset, overrides in (
        ("documented", "documented", {}),
        ("wins", "plays_to_win", {}),
        ("doubled", "documented", DOUBLED),
    ):
        run_simulation(
            load(preset=preset, overrides={"run.games": GAMES, "run.detail_every": 1, **overrides}), folder / name
        )
    return folder


#: Two copies of few cards: two players may have a Miroir Parfait at once.
DOUBLED = {
    f"deck.{family}.{key}": value
    for family in ("rouge", "vert", "bleu", "jaune")
    for key, value in (("copies", 4), ("values", [0, 3]))
}


@pytest.mark.pictures
def test_report__writes_page_figures_and_numbers(numbluff, runs, tmp_path):
    done = numbluff("report", runs / "documented", runs / "wins", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1] == str(tmp_path / "out" / "index.html")
    assert (tmp_path / "out" / "index.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"event_rates.png", "event_rates.svg", "lying.png", "pot_by_round.svg"} <= figures
    rates = json.loads((tmp_path / "out" / "data" / "event_rates.json").read_text(encoding="utf-8"))
    assert {row["run"] for row in rates} == {"documented", "plays_to_win"}


@pytest.mark.parametrize(
    "overrides",
    [
        {"deck.families": [{"name": "jaune", "kind": "classic", "values": [0, 30]}]},
        {"deck.families": [{"name": "shadow", "kind": "shadow", "values": [0, 40], "reach": 3}]},
    ],
)
def test_report__rules_that_never_fire(numbluff, overrides, tmp_path):
    run_simulation(load(preset="documented", overrides={"run.games": GAMES, **overrides}), tmp_path / "run")
    done = numbluff("report", tmp_path / "run")
    assert done.code == 0, done.err
    assert "did not come up at all" in done.out


def test_report__json_on_stdout(numbluff, runs, tmp_path):
    done = numbluff("report", runs / "documented", "--lang", "fr", "--out", tmp_path, "--json")
    facts = json.loads(done.out)
    assert facts["language"] == "fr"
    assert {"miroir_rate", "rarity_order"} <= {claim["claim"] for claim in facts["claims"]}
    assert all((tmp_path / name).is_file() for name in facts["files"])


def test_report__findings_change_with_the_deck(numbluff, runs, tmp_path):
    usual, doubled = (
        json.loads(numbluff("report", runs / name, "--out", tmp_path / name, "--json").out)["findings"]
        for name in ("documented", "doubled")
    )
    assert "several_miroirs" not in {finding["finding"] for finding in usual}
    assert "rarely_miroir_parfait" in {finding["finding"] for finding in usual}
    assert "several_miroirs" in {finding["finding"] for finding in doubled}
    assert "rarely_miroir_parfait" not in {finding["finding"] for finding in doubled}


def test_report__default_folder_is_in_the_run(numbluff, runs):
    done = numbluff("report", runs / "documented")
    assert done.out.splitlines()[-1] == str(runs / "documented" / "report" / "index.html")


def test_report__default_folder_is_beside_several_runs(numbluff, runs):
    done = numbluff("report", runs / "documented", runs / "wins")
    assert done.out.splitlines()[-1] == str(runs / "report" / "index.html")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("{runs}/documentd",),
            "holds no run: there is no run.json in it; expected a folder that `numbluff simulate` wrote",
        ),
        (("{runs}/documentd",), 'Did you mean "{runs}/documented"?'),
        (("{runs}/documented", "--out", "{runs}/documented/run.json"), "is a file; expected a folder"),
        (("{runs}/documented", "--lang", "de"), "'de' is not one of 'en', 'fr'"),
        ((), "Missing argument 'DIR...'"),
    ],
)
def test_report__refuses_in_one_paragraph(numbluff, runs, tmp_path, arguments, message):
    before = sorted(runs.rglob("*"))
    done = numbluff("report", *(argument.format(runs=runs) for argument in arguments))
    assert done.code == 2
    assert message.format(runs=runs) in done.err
    assert "Traceback" not in done.err
    assert sorted(runs.rglob("*")) == before


def test_report__comparisons_become_sections(numbluff, runs, tmp_path):
    folder = tmp_path / "rulings"
    compared = numbluff("rulings", "documented", "--only", "wild_adjusts", "--games", 20 * GAMES, "--out", folder)
    assert compared.code == 0, compared.err
    done = numbluff("report", runs / "documented", tmp_path / "rulings", "--out", tmp_path / "out", "--lang", "fr")
    assert done.code == 0, done.err
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert 'id="rulings_1"' in page
    assert "les visibles s&#39;ajustent aussi" in page
    assert "numbluff rulings documented --players 4" in page
    rows = json.loads((tmp_path / "out" / "data" / "rulings_1_variants.json").read_text(encoding="utf-8"))
    assert [row["kind"] for row in rows] == ["wild_adjusts", "wild_adjusts"]


def test_report__refuses_comparisons_alone(numbluff, tmp_path):
    (tmp_path / "comparison.json").write_text("{}")
    done = numbluff("report", tmp_path)
    assert done.code == 2
    assert "cannot be read" in done.err


def test_report__goes_over_no_other_files(numbluff, runs, tmp_path):
    """Of a run or study, or of the names of a page's that no report wrote; over an earlier report it does."""
    done = numbluff("report", runs / "documented", "--out", runs / "wins")
    assert (done.code, "holds a run" in done.err) == (2, True)
    compared = tmp_path / "compared"
    numbluff("compare", "documented", "--set", "table.hand_size=4", "--games", "640", "--out", compared)
    page = (compared / "index.html").read_bytes()
    done = numbluff("report", runs / "documented", "--out", compared)
    assert (done.code, "holds a comparison" in done.err) == (2, True)
    assert (compared / "index.html").read_bytes() == page
    own = tmp_path / "own"
    own.mkdir()
    (own / "index.html").write_text("mine", encoding="utf-8")
    assert numbluff("report", runs / "documented", "--out", own).code == 2
    assert (own / "index.html").read_text(encoding="utf-8") == "mine"
    for _ in range(2):
        assert numbluff("report", runs / "documented", "--out", tmp_path / "new").code == 0
