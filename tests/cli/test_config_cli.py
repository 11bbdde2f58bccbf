"""`numbluff config`, the shared options and the group of commands."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from numbluff_sim import __version__
from numbluff_sim.cli import main
from numbluff_sim.cli.shared.options import config_options
from numbluff_sim.config import load
from numbluff_sim.errors import UserError

Numbluff = Callable[..., Any]


def test_show__toml_reads_back(numbluff: Numbluff, tmp_path: Path) -> None:
    done = numbluff("config", "show", "--preset", "plays_to_win", "--players", 5, "--set", "deck.rainbow.reach=2")
    config = load(preset="plays_to_win", overrides={"table.players": 5, "deck.rainbow.reach": 2})
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"# digest {config.digest()}\n")
    assert tomllib.loads(done.out) == config.resolved()
    (tmp_path / "shown.toml").write_text(done.out)
    assert load(tmp_path / "shown.toml") == config


def test_show__json(numbluff: Numbluff) -> None:
    done = numbluff("config", "show", "--json", "--seed", 7, "--games", 10, "--threads", 1)
    shown = json.loads(done.out)
    assert shown == {"digest": load(overrides={"run.seed": 7}).digest(), "config": shown["config"]}
    assert (shown["config"]["run"]["games"], shown["config"]["run"]["seed"], shown["config"]["run"]["threads"]) == (
        10,
        7,
        1,
    )


def test_validate__valid(numbluff: Numbluff, tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    file.write_text("[table]\nplayers = 6\n")
    done = numbluff("config", "validate", "--config", file)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"valid: num_bluff, 6 players, 18 rounds, digest {load(file).digest()}\n"
    assert json.loads(numbluff("config", "validate", "--config", file, "--json").out) == {
        "valid": True,
        "game": "num_bluff",
        "players": 6,
        "rounds": 18,
        "digest": load(file).digest(),
    }


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["--players", "7"],
            "Error: --players: table.players = 7 cannot be used; expected a whole number from 3 to 6.\n",
        ),
        (
            ["--games", "0"],
            "Error: --games: run.games = 0 cannot be used; expected a whole number from 1 to 100000000000.\n",
        ),
        (
            ["--set", "rules.last_tie=coin"],
            'Error: --set: rules.last_tie = "coin" cannot be used; expected one of "clockwise", "random".\n',
        ),
        (
            ["--game", "num_blufff"],
            (
                'Error: --game: game = "num_blufff" is not a game; expected one of "num_bluff", "perudo". Did '
                'you mean "num_bluff"?\n'
            ),
        ),
        (
            ["--config", "no.toml", "--preset", "liar"],
            (
                'Error: a file (no.toml) and a preset ("liar") are both given; expected one of the two (a file '
                'names its preset as base = "...").\n'
            ),
        ),
        (["--config", "no.toml"], "Error: no.toml: there is no such file; expected an existing TOML file.\n"),
    ],
)
def test_validate__refused(
    numbluff: Numbluff, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, args: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = numbluff("config", "validate", "--json", *args)
    assert (done.code, done.out, done.err) == (2, "", message)
    assert list(tmp_path.iterdir()) == []


def test_set__values(numbluff: Numbluff) -> None:
    done = numbluff(
        "config",
        "show",
        "--json",
        "--set",
        "rules.master_bonus=false",
        "--set",
        "rules.last_tie=random",
        "--set",
        'play.seats=["liar"]',
        "--set",
        "personas.liar.lies.total=0.25",
        "--set",
        "personas.liar.lies.family = 0.5",
    )
    config = json.loads(done.out)["config"]
    assert (config["rules"]["master_bonus"], config["rules"]["last_tie"], config["play"]["seats"]) == (
        False,
        "random",
        ["liar"] * 4,
    )
    assert (config["personas"]["liar"]["lies"]["total"], config["personas"]["liar"]["lies"]["family"]) == (0.25, 0.5)


def test_set__without_value(numbluff: Numbluff) -> None:
    done = numbluff("config", "show", "--set", "rules.last_tie")
    assert (done.code, done.out) == (2, "")
    assert '"rules.last_tie" is not KEY=VALUE' in done.err


def test_diff__from_the_default(numbluff: Numbluff, tmp_path: Path) -> None:
    file = tmp_path / "tweak.toml"
    file.write_text('[rules]\nwild_adjusts = "both"\n[deck.rainbow]\nreach = 2\n')
    assert (
        numbluff("config", "diff", file).out == 'rules.wild_adjusts: "hidden" -> "both"\ndeck.rainbow.reach: 3 -> 2\n'
    )
    done = numbluff("config", "diff", "documented", file, "--json")
    assert json.loads(done.out) == {
        "a": "documented",
        "b": str(file),
        "differences": [
            {"key": "rules.wild_adjusts", "a": "hidden", "b": "both"},
            {"key": "deck.rainbow.reach", "a": 3, "b": 2},
        ],
    }


def test_diff__same(numbluff: Numbluff) -> None:
    assert numbluff("config", "diff", "documented").out == "documented and documented are the same configuration.\n"
    assert json.loads(numbluff("config", "diff", "liar", "liar", "--json").out)["differences"] == []


def test_diff__personas(numbluff: Numbluff) -> None:
    lines = numbluff("config", "diff", "honest", "liar").out.splitlines()
    assert lines[1:] == ["personas.honest: a table -> nothing", "personas.liar: nothing -> a table"]


def test_group__help_lists_commands_without_loading_them() -> None:
    heavy = {"numba", "numpy", "pydantic", "matplotlib", "pandas", "scipy", "pyarrow", "rich"}
    code = (
        "import sys; from numbluff_sim.cli.main import main; main.main(['--help'], standalone_mode=False); "
        f"print(sorted({{m.split('.')[0] for m in sys.modules}} & {heavy}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    for name, (_, _, text) in main.COMMANDS.items():
        assert any(line.split() == [name, *text.split()] for line in done.stdout.splitlines())


def test_group__every_command_loads_and_says_what_the_table_says() -> None:
    for name in main.COMMANDS:
        command = main.main.get_command(click.Context(main.main), name)
        assert isinstance(command, click.Command)
        assert command.name == name


def test_group__version_and_unknown_command(numbluff: Numbluff) -> None:
    assert numbluff("--version").out == f"numbluff, version {__version__}\n"
    done = numbluff("simulat")
    assert done.code == 2
    assert '"simulat" is not a command' in done.err
    assert 'Did you mean "simulate"?' in done.err


@pytest.mark.parametrize(
    ("raised", "code", "err"),
    [
        (UserError("This cannot be done; expected that."), 2, "Error: This cannot be done; expected that.\n"),
        (KeyboardInterrupt(), 130, "\nInterrupted.\n"),
        (click.exceptions.Exit(3), 3, ""),
    ],
)
def test_run__errors_become_exit_codes(
    numbluff: Numbluff, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, err: str
) -> None:
    def broken() -> None:
        raise raised

    monkeypatch.setattr(main.LazyGroup, "get_command", lambda self, ctx, name: click.Command(name, callback=broken))
    done = numbluff("bench")
    assert (done.code, done.out, done.err) == (code, "", err)


def test_run__a_command_may_return_its_exit_code(numbluff: Numbluff, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main.LazyGroup, "get_command", lambda self, ctx, name: click.Command(name, callback=lambda: 1))
    assert numbluff("check").code == 1


def test_config_options__extra_and_without() -> None:
    seen = []

    @click.command()
    @click.option("--rows")
    @config_options(without=("games", "threads"), extra={"rows": "run.rows"})
    def command(config: Any, **rest: Any) -> None:
        seen.append((config.run.rows, config.players, rest))

    command.main(["--rows", "games", "--players", "3"], standalone_mode=False)
    assert seen == [("games", 3, {})]
    assert not {"games", "threads"} & {p.name for p in command.params}
    with pytest.raises(UserError, match=r'--rows: run\.rows = "all" cannot be used'):
        command.main(["--rows", "all"], standalone_mode=False)
