"""`numbluff resolve`: the rules calculator."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from numbluff_sim.cli.replay import play_without_compiler
from numbluff_sim.cli.shared.options import json_option, load_for_command


@click.command()
@click.argument("file", required=False, default="-")
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    help="Configuration file (TOML): its deck and rulings instead of the usual ones.",
)
@click.option(
    "--game",
    "game_name",
    metavar="NAME",
    help="The game, unless the file or the configuration names it.",
)
@click.option(
    "--lang",
    "language",
    type=click.Choice(["en", "fr"]),
    default="en",
    show_default=True,
    help="Language of the explanation.",
)
@json_option
def resolve(file: str, config_file: str | None, game_name: str | None, language: str, as_json: bool) -> None:
    """Resolve given rounds or cases: who wins what, and why.

    FILE holds rounds as JSON ({"rounds": [...]}, seats from 0) or as plain text; without FILE, or with "-", they are
    read from standard input.

    \b
    Plain text (seats from 1; a new line, ";" and " / " end a statement, a blank line ends the round):
      bluffer 1 / rouge-7 + vert-3; bleu-4 + bleu-9; jaune-5 + jaune-2 + jaune-8
      pot: jaune-3, shadow-2
      rules: wild_adjusts = both, tie_value = signed
    A seat is its visible card + the hidden one, or two of one family for a fusion, or "nothing".

    Perudo: {"game": "perudo", "cases": [{"id", "kind", "cfg", "in"}, ...]}, as in
    tests/games/perudo/cases/perudo_cases.json.
    """
    from numbluff_sim.single.resolving import asked_game, explain_text, read_text, resolve_text

    name = "standard input" if file == "-" else file
    text = read_text(sys.stdin.buffer.read if file == "-" else Path(file).read_bytes, name)
    config = (
        load_for_command(config_file, None, {"game": game_name} if game_name else {}, {"game": "--game"})
        if config_file or game_name
        else None
    )
    if not asked_game(text, config, file=name).calculator.compiles:
        play_without_compiler()
    if as_json:
        click.echo(json.dumps(resolve_text(text, config, file=name), ensure_ascii=False))
    else:
        click.echo(explain_text(text, config, language=language, file=name))
