"""`numbluff report`: one page about one or more runs, with its figures and numbers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from numbluff_sim.cli.options import json_option
from numbluff_sim.encoding import json_text
from numbluff_sim.i18n.catalogue import LANGUAGES


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of the page and the figures.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of the report; by default `report` in the run's folder, or beside the runs' folders.",
)
@click.option(
    "--game",
    "game_name",
    metavar="NAME",
    help="The game that the runs must be of (num_bluff, perudo); by default they say it themselves.",
)
@json_option
def report(folders: tuple[Path, ...], lang: str, out: Path | None, game_name: str | None, as_json: bool) -> None:
    """Make the report of one or more runs: page, figures and numbers.

    DIR is a folder that `numbluff simulate` wrote, or one of `numbluff rulings`, `compare` or `knockout`, which becomes
    a section. OUT gets index.html (whole in itself, works offline), figures/ (PNG and SVG) and data/ (CSV and JSON of
    every number shown).
    """
    from numbluff_sim.analysis.report.making import make_report, write_report  # Matplotlib and Jinja load with it
    from numbluff_sim.analysis.studies.compare.result import COMPARISON_FILE, read_comparison
    from numbluff_sim.run.store import load_run

    target = out if out is not None else default_folder(folders)
    compared = [folder for folder in folders if (folder / COMPARISON_FILE).exists()]
    runs = [load_run(folder) for folder in folders if folder not in compared]
    if game_name is not None:
        _refuse_other_games(game_name, runs)
    made = make_report(runs, lang, target, [(folder, read_comparison(folder)) for folder in compared])
    write_report(made, target)
    page = target / "index.html"
    if as_json:
        facts = {
            "page": str(page),
            "language": lang,
            "files": sorted(made.rendered.files),
            "findings": made.findings,
            "claims": made.claims,
        }
        click.echo(json_text(facts), nl=False)
    else:
        for line in made.summary:
            click.echo(line)
        click.echo(page)


def _refuse_other_games(game_name: str, runs: list[Any]) -> None:
    from numbluff_sim.contract.registry import game
    from numbluff_sim.errors import RunError

    name = game(game_name, file="--game").name
    other = next((run for run in runs if run.config.game != name), None)
    if other is not None:
        raise RunError(
            f'{other.folder} is a run of the game "{other.config.game}"; expected runs of "{name}" (--game).'
        )


def default_folder(folders: tuple[Path, ...]) -> Path:
    """Where the report goes when nobody says: into the only run, or beside several."""
    if len(folders) == 1:
        return folders[0] / "report"
    return Path(os.path.commonpath([folder.absolute().parent for folder in folders])) / "report"
