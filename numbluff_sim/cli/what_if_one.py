"""`numbluff what-if-one`: what it brings one player to do something or to leave it."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from numbluff_sim.cli.shared.display import StepsDisplay
from numbluff_sim.cli.shared.options import (
    FOLDER_NAME,
    THREADS_OPTION,
    WHOLE_NUMBER,
    TableOptions,
    csv_option,
    game_option,
    gathered,
    json_option,
    lang_option,
    settings_in,
)
from numbluff_sim.cli.shared.playing import cluster_option, playing

if TYPE_CHECKING:
    from numbluff_sim.analysis.studies.what_if_one.result import WhatIfOne

#: Games of every table unless told otherwise.
GAMES = 200_000


@dataclass(frozen=True)
class WhatIfOneOptions(TableOptions):
    """What is asked of one player, and at which table."""

    habits: tuple[str, ...]
    companies: tuple[str, ...]
    own: tuple[str, ...]


@click.command("what-if-one")
@click.argument("base", default="plays_to_win")
@click.option(
    "--habit", "habits", metavar="NAME", multiple=True, help="This habit alone; repeatable. A wrong name gets the list."
)
@click.option(
    "--one",
    "own",
    metavar="KEY=VALUE",
    multiple=True,
    help="A habit of your own: the one player with this key of a persona, such as lies.total=0.3, rather than as it "
    "plays; several keys are parted by ; . Repeatable.",
)
@click.option("--company", "companies", metavar="NAME", multiple=True, help="With these others alone; repeatable.")
@game_option
@click.option("--players", type=WHOLE_NUMBER, help="Number of players.")
@click.option("--games", type=WHOLE_NUMBER, default=GAMES, show_default=True, help="Games of every table.")
@click.option("--seed", type=WHOLE_NUMBER, help="Seed of all random numbers.")
@THREADS_OPTION
@lang_option()
@csv_option
@click.option("--out", type=FOLDER_NAME, help="Folder, in results/ by default. What it holds is not played again.")
@click.option("--replace", is_flag=True, help="Put this in the place of another one in the folder.")
@cluster_option
@json_option
@gathered(WhatIfOneOptions)
def what_if_one(base: str, options: WhatIfOneOptions) -> int:
    """What it brings ONE player to lie, to fuse, ...: the same deals with and without, all others as they are.

    BASE is a file or a preset's name. Each seat is the one in turn; effects are means over the seats, on win share and
    points a game, with others as they are and as the game's companies (who believes what).

    \b
    Example: does lying pay, whoever listens? Does a bolder liar gain?
      numbluff what-if-one plays_to_win --habit lying_on_the_total
      numbluff what-if-one plays_to_win --one "lies.total=0.7;lies.size=12"
    """
    from numbluff_sim.cli.shared.options import naming_overrides, results_folder
    from numbluff_sim.config.origin import Origin
    from numbluff_sim.studies.what_if_one.study import asked_of
    from numbluff_sim.studies.what_if_one.study import what_if_one as play_what_if_one
    from numbluff_sim.studies.what_if_one.written import write_files

    run, flags = options.keys()
    with naming_overrides(flags):
        origin = Origin.named(base, run)
        config = origin.load()
    asked = asked_of(config, options.habits, options.companies, [settings_in(text) for text in options.own])
    folder = options.folder(results_folder("what-if-one", config.game, origin.name))
    with playing(StepsDisplay(config.players)) as how:
        found = play_what_if_one(config, origin.name, asked, folder, replace=options.replace, **how)
    page = write_files(found, folder, options.lang, shlex.join(["numbluff", *sys.argv[1:]]))
    if options.as_json:
        click.echo(found.text(), nl=False)
    else:
        print_what_if_one(found, options.lang)
        click.echo(page)
    return 0


def print_what_if_one(found: WhatIfOne, language: str) -> None:
    """A table a habit: a row a company."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from numbluff_sim.analysis.statistics.estimates import ALPHA
    from numbluff_sim.analysis.studies.what_if_one.findings import finding, outcomes
    from numbluff_sim.analysis.studies.what_if_one.words import WhatIfOneWords

    words = WhatIfOneWords.of(found, language, ALPHA)
    console = Console(width=None if sys.stdout.isatty() else 140)
    for line in words.seat_lines(found.seating):
        console.print(Text(line), highlight=False)
    for habit in found.habits:
        table = Table(
            title=finding(words, habit).title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        table.add_column(words.text("head.company"))
        for outcome in outcomes(words):
            table.add_column(words.text(f"head.{outcome}"), justify="right")
        table.add_column(words.text("head.verdict"))
        for company in found.companies:
            effects = [found.effect(habit, company, outcome) for outcome in outcomes(words)]
            table.add_row(
                words.company(company), *(words.with_interval(one) for one in effects), words.verdict(effects[0])
            )
        console.print(table)
        console.print()
    for habit, why in found.refused.items():
        console.print(words.text("making.refused", habit=habit, why=why))
