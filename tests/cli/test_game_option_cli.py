"""`--game` on every command: what works for one registered game works for all, and the others' names are refused
with the nearest.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.contract.registry import DEFAULT_GAME, game, names
from numbluff_sim.kernels.common.jit import COMPILED

every_game = pytest.mark.parametrize("name", names())
pytestmark = [pytest.mark.skipif(not COMPILED, reason="plays thousands of games"), pytest.mark.usefixtures("undrawn")]
#: A ruling and an answer that is not the usual one, by game.
CHANGE = {"num_bluff": "rules.master_bonus=false", "perudo": "rules.palifico=false"}
#: A metric of which both ends are asked in a sweep, an axis with two values.
AXIS = {"num_bluff": '"table.turns_as_bluffer" = [2, 3]', "perudo": '"table.dice" = [4, 5]'}


@pytest.fixture
def run_folder(numbluff: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A run of the game that the test is about."""
    folder = tmp_path / "run"
    name = request.node.callspec.params["name"]
    done = numbluff(
        "simulate", "--game", name, "--games", "2000", "--set", "run.detail_every=1", "--out", str(folder), "--json"
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["game"] == name
    return folder


@every_game
def test_simulate_and_report__a_page_about_the_game(numbluff: Any, name: str, run_folder: Path) -> None:
    done = numbluff("report", str(run_folder), "--game", name, "--lang", "fr", "--json")
    assert done.code == 0, done.err
    assert game(name).title in (run_folder / "report" / "index.html").read_text(encoding="utf-8")


@every_game
def test_report__runs_of_another_game_are_refused(numbluff: Any, name: str, run_folder: Path) -> None:
    other = next(one for one in names() if one != name)
    done = numbluff("report", str(run_folder), "--game", other)
    assert (done.code, done.out) == (2, "")
    assert f'is a run of the game "{name}"; expected runs of "{other}" (--game).' in done.err


@every_game
def test_config__show_validate_and_diff(numbluff: Any, name: str) -> None:
    shown = json.loads(numbluff("config", "show", "--game", name, "--json").out)
    assert shown["config"]["game"] == name
    assert json.loads(numbluff("config", "validate", "--game", name, "--json").out)["digest"] == shown["digest"]
    differences = json.loads(numbluff("config", "diff", "documented", "random", "--game", name, "--json").out)[
        "differences"
    ]
    assert "play.seats" in [difference["key"] for difference in differences]


@every_game
def test_check__lists_metrics_writes_and_holds_a_baseline(numbluff: Any, name: str, tmp_path: Path) -> None:
    listed = json.loads(numbluff("check", "--game", name, "--list-metrics", "--json").out)
    assert [row["name"] for row in listed] == list(game(name).metrics.known(load(overrides={"game": name})))
    written = tmp_path / "mine.toml"
    assert (
        numbluff(
            "check", "--game", name, "--games", "3000", "--set", "run.detail_every=1", "--write-baseline", str(written)
        ).code
        == 0
    )
    assert f'game = "{name}"' in written.read_text(encoding="utf-8")
    done = numbluff("check", "--baseline", str(written), "--seed", "5", "--json")  # the file says its game
    assert done.code in (0, 3), done.err
    assert json.loads(done.out)["game"] == name
    other = next(one for one in names() if one != name)
    refused = numbluff("check", "--game", other, "--baseline", str(written))
    assert refused.code == 2
    assert (
        f'the claims are about the game "{name}"; expected a baseline of "{other}", the game asked for.' in refused.err
    )


@every_game
def test_check__the_shipped_baseline_is_the_games_own(numbluff: Any, name: str) -> None:
    done = numbluff("check", "--game", name, "--games", "2000", "--json")
    found = json.loads(done.out)
    assert (done.code, found["game"], found["baseline"]) == (done.code, name, "baseline documented")
    assert done.code in (0, 3)  # 2,000 games decide little, and nothing wrongly


@every_game
@pytest.mark.parametrize("command", ["compare", "rulings", "knockout"])
def test_what_ifs__play_the_game(numbluff: Any, name: str, command: str, tmp_path: Path) -> None:
    more = {
        "compare": ["documented", "random", "--set", CHANGE[name]],
        "rulings": ["--only", CHANGE[name].split(".")[1].split("=")[0]],
        "knockout": ["--only", "rule"],
    }[command]
    done = numbluff(command, *more, "--game", name, "--games", "640", "--out", str(tmp_path / "out"), "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["game"] == name
    assert len(found["variants"]) >= 1
    assert (tmp_path / "out" / "index.html").exists()


@every_game
def test_sweep_and_plan__take_the_games_keys_and_metrics(numbluff: Any, name: str, tmp_path: Path) -> None:
    file = tmp_path / "sweep.toml"
    file.write_text(f"[sweep]\ngames = 2000\n[axes]\n{AXIS[name]}\n", encoding="utf-8")
    done = numbluff("sweep", str(file), "--game", name, "--out", str(tmp_path / "swept"), "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["games_played"] == 4000
    planned = numbluff("plan", "--game", name, "--until", "seat_0_win_share:0.01", "--pilot", "2000", "--json")
    assert planned.code == 0, planned.err


@every_game
def test_tune_and_calibrate__take_the_games_keys_and_metrics(numbluff: Any, name: str, tmp_path: Path) -> None:
    file = tmp_path / "tune.toml"
    file.write_text(
        "[tune]\ngames = 2000\ntrials = 2\nconfirm_games = "
        f"2000\n[axes]\n{AXIS[name]}\n[targets]\nrounds_per_game = {{ low = 1 }}\n",
        encoding="utf-8",
    )
    done = numbluff("tune", str(file), "--game", name, "--out", str(tmp_path / "tuned"), "--json")
    assert done.code in (0, 3), done.err
    rates = tmp_path / "rates.toml"
    rates.write_text(
        f'game = "{name}"\n[[claims]]\nid = "length"\ntext = {{ en = "rounds" }}\nmetric = "rounds_per_game"\n'
        "margin = { low = 1, high = 100 }\n",
        encoding="utf-8",
    )
    done = numbluff(
        "calibrate",
        "--game",
        name,
        "--rates",
        str(rates),
        "--personas",
        "random",
        "--rulings",
        CHANGE[name].split(".")[1].split("=")[0],
        "--games",
        "4096",
        "--screen-games",
        "2048",
        "--out",
        str(tmp_path / "calibrated"),
        "--json",
    )
    assert done.code == 0, done.err


@every_game
def test_replay_and_warmup__of_the_game(numbluff: Any, name: str) -> None:
    done = numbluff("replay", "--game", name, "--index", "3", "--json")
    assert (done.code, json.loads(done.out)["game"]) == (0, 3)
    warm = numbluff("warmup", "--game", name, "--players", str(game(name).players[1]), "--json")
    assert list(json.loads(warm.out)["players"]) == [str(game(name).players[1])]


def test_game__a_wrong_name_is_refused_everywhere(numbluff: Any, tmp_path: Path) -> None:
    for command in (
        ["simulate"],
        ["check"],
        ["compare", "documented", "random"],
        ["rulings"],
        ["plan", "--until", "seat_0_win_share:0.1"],
        ["warmup"],
        ["calibrate"],
        ["config", "show"],
        ["replay", "--index", "1"],
    ):
        done = numbluff(
            *command,
            "--game",
            "perrudo",
            *(["--out", str(tmp_path / "x")] if command[0] in ("simulate", "compare", "rulings") else []),
        )
        assert (done.code, done.out) == (2, ""), command
        assert (
            'game = "perrudo" is not a game; expected one of "num_bluff", "perudo". Did you mean "perudo"?' in done.err
        ), command


def test_game__the_usual_one_needs_no_name() -> None:
    assert load().game == DEFAULT_GAME


def test_game_option__must_not_contradict_the_file(numbluff, tmp_path) -> None:
    file = tmp_path / "p.toml"
    file.write_text('game = "perudo"\n[table]\nplayers = 3\n')
    done = numbluff("config", "show", "--game", "num_bluff", "--config", file)
    assert done.code == 2
    assert '--game: game = "num_bluff", but' in done.err
    assert 'is of the game "perudo"' in done.err


def test_game_option__a_preset_of_the_other_game_is_named_as_such(numbluff) -> None:
    done = numbluff("config", "show", "--preset", "threshold")
    assert done.code == 2
    assert "one of perudo (--game perudo" in done.err


def test_game_option__must_not_contradict_a_sweep(numbluff, tmp_path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('game = "perudo"\nbase = "random"\n[axes]\n"table.dice" = [1, 2]\n')
    done = numbluff("sweep", file, "--game", "num_bluff", "--out", tmp_path / "out")
    assert done.code == 2
    assert 'the file is of the game "perudo"' in done.err
    assert not (tmp_path / "out").exists()
