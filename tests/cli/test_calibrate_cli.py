"""`numbluff calibrate`: files, JSON, refusals, kills. Every run has one fixed seed."""

from __future__ import annotations

import csv
import json
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.kernels.common.jit import COMPILED
from tests.common.held import ended, held
from tests.conftest import Done, called

pytestmark = [
    pytest.mark.skipif(not COMPILED, reason="plays as many games as a user would"),
    pytest.mark.usefixtures("undrawn"),
]
SMALL = (
    "--personas",
    "documented,sacrificer",
    "--rulings",
    "wild_adjusts,bluffer_wild,master_bonus",
    "--games",
    "1000000",
    "--screen-games",
    "4096",
    "--threads",
    "2",
)
FILES = ("calibration.json", "calibration.csv", "calibration.parquet")


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Done, Path]:
    """A calibration that tests read and nobody changes."""
    out = tmp_path_factory.mktemp("calibrated") / "out"
    return called("calibrate", *SMALL, "--out", out, "--json"), out


def test_calibrate__lists_the_documented_play_with_the_rulings_as_they_are(answered: tuple[Done, Path]) -> None:
    done, out = answered
    assert done.code == 0, done.err
    found = json.loads(done.out)
    first = found["listed"][0]
    assert (first["persona"], first["changes"], first["status"]) == ("documented", {}, "consistent")
    assert first["any_answer_to"] == ["master_bonus"]
    assert first["stands_for"] == 2
    assert found["consistent"] + found["open"] + found["ruled_out"] == found["combinations"] == 24
    for one in found["listed"]:
        for rate in found["rates"]:
            measured = one["rates"][rate["claim"]]
            assert measured["low"] <= rate["high"]
            assert measured["high"] >= rate["low"]
    assert json.loads((out / "calibration.json").read_text(encoding="utf-8")) == {
        k: v for k, v in found.items() if k != "folder"
    }


def test_calibrate__tables_and_page(answered: tuple[Done, Path]) -> None:
    import pyarrow.parquet as pq

    _, out = answered
    rows = list(csv.DictReader((out / "calibration.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 12 * 3
    assert pq.read_table(out / "calibration.parquet").num_rows == len(rows)
    assert {row["master_bonus"] for row in rows} == {"any"}
    assert "reproduces the given rates" in (out / "index.html").read_text(encoding="utf-8")
    assert {path.name for path in (out / "figures").iterdir()} == {
        "rates.png",
        "rates.svg",
        "exclusions.png",
        "exclusions.svg",
    }


@pytest.mark.thorough
def test_calibrate__in_words_and_in_french(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    done = numbluff("calibrate", *SMALL, "--out", tmp_path / "out", "--lang", "fr")
    assert done.code == 0, done.err
    assert "combinaisons sur 24 s'accordent" in done.out
    again = numbluff("calibrate", *SMALL, "--out", tmp_path / "out")
    assert "The rates decide 2 of 3 rulings" in again.out
    assert "Not used: miroir_alone" in again.out


@pytest.mark.thorough
def test_calibrate__killed_and_continued_gives_the_same_bytes(
    numbluff: Callable[..., Any], answered: tuple[Done, Path], tmp_path: Path
) -> None:
    _, whole = answered
    out = tmp_path / "killed"
    command = ("calibrate", *SMALL, "--out", out)
    code, _, err = ended(held(*command, "--threads", "1", games=100_000), signal.SIGINT)
    assert code == 130, err
    assert "the same command continues" in err
    assert (out / "state.json").exists()
    assert ended(held(*command, games=200_000), signal.SIGKILL)[0] == -signal.SIGKILL
    done = numbluff(*command)
    assert done.code == 0, done.err
    for name in FILES:
        assert (out / name).read_bytes() == (whole / name).read_bytes(), name


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--personas", "documentd"), 'Did you mean "documented"'),
        (("--rulings", "wild_adjust"), 'Did you mean "wild_adjusts"'),
        (("--rates", "documentd"), 'Did you mean "documented"'),
        (("--alpha", "0"), "alpha"),
        (("--alpha", "1e-300"), "--alpha: alpha = 1e-300 is too small"),
        (("--games", "many"), "--games"),
        (("--players", "9"), "--players"),
        (("--set", "deck.rainbw.reach=1"), 'Did you mean "rainbow"'),
    ],
)
def test_calibrate__refuses_what_is_wrong_and_writes_nothing(
    numbluff: Callable[..., Any], tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    done = numbluff("calibrate", *options, "--out", tmp_path / "out")
    assert done.code == 2
    assert words in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "which", [("documented", "frappe_exact"), ("documented", "wild_adjusts"), ("documented,nearest", "wild_adjusts")]
)
def test_calibrate__no_ruling_left_that_has_no_effect(
    numbluff: Callable[..., Any], tmp_path: Path, which: tuple[str, str]
) -> None:
    done = numbluff(
        "calibrate",
        "--personas",
        which[0],
        "--rulings",
        which[1],
        "--games",
        "200000",
        "--screen-games",
        "4096",
        "--out",
        tmp_path / "out",
        "--json",
    )
    assert done.code == 0, done.err
    first = json.loads(done.out)["listed"][0]
    assert first["any_answer_to"] == []
    assert first["random_answers"] == {"tried": 0, "changed": 0, "beyond_slack": 0, "largest": [0.0, 0.0, 0.0]}


def test_calibrate__unknown_metric_in_the_rates(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    rates = tmp_path / "rates.toml"
    rates.write_text(
        '[[claims]]\nid = "x"\ntext = { en = "x" }\nmetric = "frappe_parfait_per_round"\nmargin = { low = '
        "0.1, high = 0.2 }\n",
        encoding="utf-8",
    )
    done = numbluff("calibrate", "--rates", rates, "--out", tmp_path / "out")
    assert done.code == 2
    assert 'Did you mean "frappe_parfaite_per_round"' in done.err


@pytest.mark.pictures
@pytest.mark.thorough
def test_calibrate__other_rates_that_nothing_reproduces_show_the_nearest(
    numbluff: Callable[..., Any], tmp_path: Path
) -> None:
    rates = tmp_path / "rates.toml"
    rates.write_text(
        '[[claims]]\nid = "half"\ntext = { en = "half" }\nmetric = "frappe_parfaite_per_round"\n'
        'minus = "miroir_parfait_per_round"\nmargin = { low = 0.5, high = 0.6 }\n',
        encoding="utf-8",
    )
    done = numbluff("calibrate", *SMALL, "--rates", rates, "--out", tmp_path / "out", "--json")
    found = json.loads(done.out)
    assert done.code == 0
    assert found["listed"] == []
    assert len(found["nearest"]) == 5
    assert (tmp_path / "out" / "figures" / "rates.png").exists()


@pytest.mark.thorough
def test_calibrate__another_question_in_the_folder_is_refused(
    answered: tuple[Done, Path], numbluff: Callable[..., Any], tmp_path: Path
) -> None:
    out = shutil.copytree(answered[1], tmp_path / "out")
    done = numbluff("calibrate", *SMALL, "--alpha", "0.2", "--out", out)
    assert done.code == 2
    assert "alpha was 0.05 and is now 0.2" in done.err
    assert numbluff("calibrate", *SMALL, "--alpha", "0.2", "--out", out, "--replace").code == 0
