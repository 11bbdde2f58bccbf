"""`numbluff report`: one page about one or more runs, with its figures and numbers."""

from __future__ import annotations

from pathlib import Path

import click

from numbluff_sim.cli.shared.display import echo_json
from numbluff_sim.cli.shared.options import FOLDER_NAME, csv_option, json_option
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
    type=FOLDER_NAME,
    help="Folder of the report; by default `report` in the run's folder, or beside the runs' folders.",
)
@click.option(
    "--game",
    "game_name",
    metavar="NAME",
    help="The game that the runs must be of; by default they say it themselves.",
)
@csv_option
@json_option
def report(folders: tuple[Path, ...], lang: str, out: str | None, game_name: str | None, as_json: bool) -> None:
    """Make the report of one or more runs: page, figures and numbers.

    DIR is a folder that `numbluff simulate` wrote, or one of `numbluff rulings`, `compare`, `knockout` or
    `what-if-one`, which becomes a section. OUT gets index.html (whole in itself, works offline), figures/ (PNG and SVG)
    and data/ (CSV and JSON of every number shown).
    """
    from numbluff_sim.studies.report.study import default_folder
    from numbluff_sim.studies.report.study import report as make_report
    from numbluff_sim.studies.report.written import (  # Matplotlib and Jinja load with it
        refuse_over_others,
        write_files,
    )

    target = Path(out) if out is not None else default_folder(folders)
    refuse_over_others(target)
    made = make_report(folders, target, lang, game_name)
    page = write_files(made, target)
    if as_json:
        facts = {
            "page": str(page),
            "language": lang,
            "files": sorted(made.rendered.files),
            "findings": made.findings,
            "claims": made.claims,
        }
        echo_json(facts)
    else:
        for line in made.summary:
            click.echo(line)
        click.echo(page)
