"""`numbluff replay`: single games as transcripts, to read or as JSON lines."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING

import click

from numbluff_sim.cli.shared.compiling import CompilingNotice
from numbluff_sim.cli.shared.options import config_options, json_option

if TYPE_CHECKING:
    from numbluff_sim.config import Config

#: Game indices end where those of a run end.
MOST_GAMES = 2**40


class IndexRange(click.ParamType[tuple[int, int]]):
    """G or G..H (H included)."""

    name = "G[..H]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """The first and the last index."""
        match = re.fullmatch(r"\s*(\d{1,13})(?:\.\.(\d{1,13}))?\s*", str(value))
        if not match:
            self.fail(f'"{value}" is no game index; expected G or G..H, such as 7 or 7..9.', param, ctx)
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < MOST_GAMES:
            self.fail(
                f'"{value}" names no games; expected G..H with G at most H, and H below {MOST_GAMES}.', param, ctx
            )
        return first, last


@click.command()
@config_options(without=("games", "threads"))
@click.option(
    "--index", "indices", type=IndexRange(), required=True, help="Game index, or first and last one (H included)."
)
@click.option(
    "--lang", "language", type=click.Choice(["en", "fr"]), default="en", show_default=True, help="Language of the text."
)
@json_option
def replay(config: Config, indices: tuple[int, int], language: str, as_json: bool) -> None:
    """Show single games as readable transcripts; with --json, one object a line.

    Game G is what it is in a run with the same configuration and seed. In the text seats count from 1, in JSON from 0.
    """
    from numbluff_sim.single.replaying import FEW_GAMES, worded
    from numbluff_sim.single.replaying import replay as replayed

    first, last = indices
    if last - first < FEW_GAMES:
        play_without_compiler()
    with CompilingNotice(config.players):
        for transcript in replayed(config, first, last):
            if as_json:
                click.echo(json.dumps(transcript, ensure_ascii=False, separators=(",", ":")))
            else:
                click.echo(worded(config, transcript, language) + "\n")


def play_without_compiler() -> None:
    """Let the kernels run as plain Python in this process: starting them compiled takes longer than a few games."""
    if "numba" not in sys.modules:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
