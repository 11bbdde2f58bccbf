"""`numbluff config`: the resolved configuration, whether one is valid, what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from numbluff_sim.cli.shared.options import config_options, game_option, json_option, load_for_command, of_game
from numbluff_sim.errors import shown_value

if TYPE_CHECKING:
    from numbluff_sim.config import Config


@click.group()
def config() -> None:
    """Show, validate or compare configurations."""


@config.command()
@config_options()
@json_option
def show(config: Config, as_json: bool) -> None:
    """Print the whole resolved configuration as TOML that can be read back, and its digest."""
    if as_json:
        click.echo(json.dumps({"digest": config.digest(), "config": config.resolved()}, indent=2))
        return
    import tomlkit  # only here: other commands do without

    click.echo(f"# digest {config.digest()}\n{tomlkit.dumps(config.resolved())}", nl=False)


@config.command()
@config_options()
@json_option
def validate(config: Config, as_json: bool) -> None:
    """Check a configuration: exit code 0 and one line when it is valid, 2 and what is wrong otherwise."""
    facts = {
        "valid": True,
        "game": config.game,
        "players": config.players,
        "rounds": config.rounds,
        "digest": config.digest(),
    }
    click.echo(
        json.dumps(facts)
        if as_json
        else f"valid: {config.game}, {config.players} players, {config.rounds} rounds, digest {config.digest()}"
    )


@config.command()
@click.argument("a")
@click.argument("b", required=False)
@game_option
@json_option
def diff(a: str, b: str | None, game_name: str | None, as_json: bool) -> None:
    """What differs from A to B, each a file or a preset's name (of --game); with one alone, what differs from the
    preset "documented" to it.
    """
    from numbluff_sim.config.compare import differences
    from numbluff_sim.config.loading import DEFAULT_PRESET

    before, after = (a, b) if b is not None else (DEFAULT_PRESET, a)
    found = differences(*(_named(name, game_name) for name in (before, after)))
    if as_json:
        click.echo(
            json.dumps(
                {"a": before, "b": after, "differences": [{"key": d.key, "a": d.before, "b": d.after} for d in found]},
                indent=2,
            )
        )
        return
    for d in found:
        click.echo(f"{d.key}: {_side(d.before)} -> {_side(d.after)}")
    if not found:
        click.echo(f"{before} and {after} are the same configuration.")


def _side(value: object) -> str:
    return "nothing" if value is None else shown_value(value)


def _named(name: str, game_name: str | None) -> Config:
    """A file or a preset, told apart as `base` does it."""
    is_file = name.endswith(".toml") or len(Path(name).parts) > 1
    flags = {"game": "--game"}
    return load_for_command(name, None, {}) if is_file else load_for_command(None, name, of_game(game_name), flags)
