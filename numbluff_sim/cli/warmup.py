"""`numbluff warmup`: compiles the kernels, so that the first run does not have to."""

from __future__ import annotations

import json
import time
from pathlib import Path
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
from numbluff_sim.run.progress import in_words

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
@click.option("--clear", is_flag=True, help="Remove all that is kept, compiled kernels and solved rounds, and end.")
@json_option
def warmup(
    game_name: str | None,
    config_file: str | None,
    preset: str | None,
    players: int | None,
    settings: tuple[tuple[str, Any], ...],
    clear: bool,
    as_json: bool,
) -> None:
    """Compile and cache the kernels of every player count. Once is enough, until a game's kernels change. The first
    count tells how long the others take on this machine. They are kept in ~/.cache/numbluff_sim, or in the folder that
    NUMBLUFF_CACHE_DIR names.
    """
    from numbluff_sim.contract.registry import game

    if clear:
        _clear(as_json)
        return
    said = {**of_game(game_name), **dict(settings)}
    first = load_for_command(config_file, preset, said, {"game": "--game"})
    counts = game(first.game).players if players is None else [players]
    configs = [
        load_for_command(config_file, preset, {**said, "table.players": count}, {"table.players": "--players"})
        for count in counts
    ]
    seconds = {}
    for place, config in enumerate(configs, 1):
        with CompilingNotice(config.players) as notice:
            seconds[config.players] = _seconds_of_first_call(config)
        how = "compiled" if notice.said else "were compiled before"
        left = (len(configs) - place) * seconds[config.players]
        more = f"; {len(configs) - place} more, about {in_words(left)}" if notice.said and left else ""
        click.echo(f"Kernels for {config.players} players {how} ({seconds[config.players]:.1f} s){more}.", err=True)
    if as_json:
        click.echo(json.dumps({"players": seconds}))


def _clear(as_json: bool) -> None:
    from numbluff_sim.kernels import cache
    from numbluff_sim.run.files import disk_errors

    place = cache.place()
    with disk_errors(place or Path()):
        size = cache.emptied()
    if as_json:
        click.echo(json.dumps({"place": None if place is None else str(place), "bytes": size}))
    click.echo(f"{size / 1e6:,.1f} MB were kept in {place}, and are removed." if size else "Nothing is kept.", err=True)


def _seconds_of_first_call(config: Config) -> float:
    from numbluff_sim.contract.registry import game

    start = time.perf_counter()
    engine = game(config.game).engine(config)
    engine.play(0, 1, engine.new_tally())
    return time.perf_counter() - start
