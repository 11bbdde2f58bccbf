"""`numbluff warmup`: compiles the kernels, so that the first run does not have to."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.compiling import CompilingNotice
from numbluff_sim.cli.shared.options import (
    WHOLE_NUMBER,
    game_option,
    json_option,
    load_for_command,
    of_game,
    setting_option,
)

if TYPE_CHECKING:
    from numbluff_sim.config import Config


@click.command()
@game_option
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    help="Configuration file: wide decks (values to 99) have kernels of their own.",
)
@click.option("--preset", metavar="NAME", help="Shipped preset or persona.")
@click.option("--players", type=WHOLE_NUMBER, help="Number of players; every number by default.")
@setting_option
@json_option
def warmup(
    game_name: str | None,
    config_file: str | None,
    preset: str | None,
    players: int | None,
    settings: tuple[tuple[str, Any], ...],
    as_json: bool,
) -> None:
    """Compile and cache the kernels of every player count. Once is enough, until a game's kernels change."""
    from numbluff_sim.contract.registry import game

    said = {**of_game(game_name), **dict(settings)}
    first = load_for_command(config_file, preset, said, {"game": "--game"})
    counts = game(first.game).players if players is None else [players]
    configs = [
        load_for_command(config_file, preset, {**said, "table.players": count}, {"table.players": "--players"})
        for count in counts
    ]
    seconds = {}
    for config in configs:
        with CompilingNotice(config.players) as notice:
            seconds[config.players] = _seconds_of_first_call(config)
        how = "compiled" if notice.said else "were compiled before"
        click.echo(f"Kernels for {config.players} players {how} ({seconds[config.players]:.1f} s).", err=True)
    if as_json:
        click.echo(json.dumps({"players": seconds}))


def _seconds_of_first_call(config: Config) -> float:
    from numbluff_sim.contract.registry import game

    start = time.perf_counter()
    engine = game(config.game).engine(config)
    engine.play(0, 1, engine.new_tally())
    return time.perf_counter() - start
