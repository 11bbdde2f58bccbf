"""`numbluff compare`, `rulings` and `knockout`: variants of a base on the same deals, and what differs."""

from __future__ import annotations

import hashlib
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.display import MOST_LETTERS, StepsDisplay
from numbluff_sim.cli.shared.options import (
    FOLDER_NAME,
    THREADS_OPTION,
    WHOLE_NUMBER,
    Command,
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
    from numbluff_sim.analysis.studies.compare.result import Comparison
    from numbluff_sim.config import Config
    from numbluff_sim.config.origin import Origin
    from numbluff_sim.studies.compare.study import Listed
    from numbluff_sim.studies.compare.variants import Variant

#: Games of every configuration unless told otherwise.
GAMES = 1_000_000
#: Variants, and effects of each, that the terminal shows.
SHOWN_VARIANTS, SHOWN_EFFECTS = 12, 8


@dataclass(frozen=True)
class CompareOptions(TableOptions):
    """The options of all three commands."""

    relevant: tuple[tuple[str, float], ...]
    sort: str


RUN_OPTIONS: tuple[Callable[[Command], Command], ...] = (
    game_option,
    click.option("--players", type=WHOLE_NUMBER, help="Number of players, on both sides."),
    click.option("--games", type=WHOLE_NUMBER, default=GAMES, show_default=True, help="Games of every configuration."),
    click.option("--seed", type=WHOLE_NUMBER, help="Seed of all random numbers, on both sides."),
    THREADS_OPTION,
    click.option(
        "--relevant",
        metavar="METRIC:DELTA",
        multiple=True,
        callback=lambda ctx, param, given: tuple(_relevant(text) for text in given),
        help="From this difference on a metric matters, in its unit (frappe_parfaite_per_round:0.005 is half a point); "
        "the game's own differences by default, else a tenth of the spread from game to game. Repeatable.",
    ),
    click.option(
        "--sort",
        metavar="METRIC",
        default="",
        help='Sort tables by the change of this metric, or by "relevance"; by the size of effects by default.',
    ),
    lang_option(),
    csv_option,
    click.option(
        "--out",
        type=FOLDER_NAME,
        help="Folder of the comparison, in results/ and named after command, base and variants by default. "
        "What it holds is not played again.",
    ),
    click.option(
        "--replace",
        is_flag=True,
        help="Put this comparison in the place of another one in the folder; what was played is kept.",
    ),
    cluster_option,
    json_option,
)


def run_options(command: Command) -> Command:
    """Give a command the options of all three, as one `options`."""
    command = gathered(CompareOptions)(command)
    for option in reversed(RUN_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("base")
@click.argument("variants", nargs=-1)
@click.option(
    "--set",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    help="One more variant: BASE with this key changed; several keys of one variant are parted by ; . Repeatable.",
)
@run_options
def compare(base: str, variants: tuple[str, ...], settings: tuple[str, ...], options: CompareOptions) -> int:
    """Compare BASE with VARIANTs on the same deals: every metric's difference, with intervals.

    BASE and VARIANT are files or presets' names; a variant file says base = "documented" and only what changes. All
    play the same games with the same seed; differences are paired, and held together with Holm's procedure.

    \b
    Example: what do two copies of a family, and four cards in hand, do?
      numbluff compare documented --set deck.rouge.copies=2 --set table.hand_size=4
    """

    def listed(config: Config, origin: Origin, run: dict[str, Any]) -> Listed:
        from numbluff_sim.studies.compare.study import named_variants

        return named_variants(config, origin, variants, [settings_in(text) for text in settings], run), []

    if not variants and not settings:
        raise click.UsageError(
            "there is nothing to compare with; expected a VARIANT (file or preset) or --set KEY=VALUE."
        )
    return _run("compare", base, listed, options)


@click.command()
@click.argument("base", default="documented")
@click.option("--only", metavar="RULING", multiple=True, help="This ruling alone; repeatable.")
@run_options
def rulings(base: str, only: tuple[str, ...], options: CompareOptions) -> int:
    """Which open question of the rulebook matters: every other answer to every ruling, against BASE.

    BASE is a file or a preset's name. One ruling is changed at a time, on the same deals.

    \b
    Example:
      numbluff rulings plays_to_win --games 2000000
    """
    return _run("rulings", base, _from_game("rulings", only), options)


@click.command()
@click.argument("base", default="documented")
@click.option("--only", metavar="KIND", multiple=True, help="One kind alone, such as card, family or rule; repeatable.")
@run_options
def knockout(base: str, only: tuple[str, ...], options: CompareOptions) -> int:
    """What each card, family and rule contributes: BASE without it, one at a time, on the same deals.

    BASE is a file or a preset's name.

    \b
    Example:
      numbluff knockout documented --only rule --only family
    """
    return _run("knockout", base, _from_game("knockouts", only), options)


def _from_game(which: str, only: Sequence[str]) -> Callable[[Config, Origin, dict[str, Any]], Listed]:
    def listed(config: Config, origin: Origin, run: dict[str, Any]) -> Listed:
        from numbluff_sim.studies.compare import study as comparing

        return comparing.listed(config, origin, which, only)

    return listed


def _run(
    study: str,
    base: str,
    listed: Callable[[Config, Origin, dict[str, Any]], Listed],
    options: CompareOptions,
) -> int:
    from numbluff_sim.cli.shared.options import naming_overrides, results_folder
    from numbluff_sim.config.origin import Origin
    from numbluff_sim.contract.registry import game
    from numbluff_sim.studies.compare.study import check_relevance, with_relevance
    from numbluff_sim.studies.compare.study import compare as compare_all
    from numbluff_sim.studies.compare.written import write_files

    run, flags = options.keys()
    with naming_overrides(flags):
        origin = Origin.named(base, run)
        config = origin.load()
        variants, refused = listed(config, origin, run)
    check_relevance(config.game, game(config.game).metrics.known(config), dict(options.relevant), options.sort)
    name = f"{origin.name}{_with(variants) if study == 'compare' else ''}"
    folder = options.folder(results_folder(study, config.game, name))
    with playing(StepsDisplay(config.players)) as how:
        comparison = compare_all(
            config, origin.name, variants, folder, study=study, refused=refused, replace=options.replace, **how
        )
    comparison = with_relevance(comparison, config, dict(options.relevant), options.sort)
    page = write_files(comparison, folder, options.lang, shlex.join(["numbluff", *sys.argv[1:]]))
    if options.as_json:
        click.echo(comparison.text(), nl=False)
    else:
        print_comparison(comparison, options.lang)
        click.echo(page)
    return 0


def _relevant(text: str) -> tuple[str, float]:
    metric, _, smallest = text.rpartition(":")
    try:
        return metric.strip(), float(smallest)
    except ValueError:
        raise click.BadParameter(
            f'"{text}" is not METRIC:DELTA; expected something like seat_points_gap:1 or comeback_share:0.02.',
            param_hint="--relevant",
        ) from None


def _with(variants: Sequence[Variant]) -> str:
    """The part of a folder's name that tells with what the base is compared."""
    name = "-".join(re.sub(r"[^A-Za-z0-9_.]+", "-", one.name).strip("-") for one in variants)
    return (
        f"-{name}"
        if len(name) <= MOST_LETTERS
        else f"-{len(variants)}-variants-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
    )


def print_comparison(comparison: Comparison, language: str) -> None:
    """The variants that change most, with their largest effects."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from numbluff_sim.analysis.statistics.estimates import ALPHA
    from numbluff_sim.analysis.studies.compare.words import ComparisonWords, by_impact, headline

    words = ComparisonWords.of(comparison, language, ALPHA)
    console = Console(width=None if sys.stdout.isatty() else 140)
    for line in words.seat_lines(comparison.seating):
        console.print(Text(line), highlight=False)
    ordered = by_impact(comparison)
    for one in ordered[:SHOWN_VARIANTS]:
        table = Table(
            title=f"{words.variant(one)}: {words.text('overview.real', real=len(one.real), all=len(one.effects))} "
            f"{words.text('overview.head_real')}; {words.text('overview.head_part')}: {words.parting(one)}",
            title_justify="left",
            title_style="bold",
            box=None,
            pad_edge=False,
        )
        for name in ("metric", "base", "variant", "difference", "relative", "verdict", "relevance"):
            table.add_column(
                words.text(f"effects.head_{name}"),
                justify="left" if name in ("metric", "verdict", "relevance") else "right",
            )
        count = SHOWN_EFFECTS if len(ordered) <= 4 else 3
        for effect in headline(comparison, one)[:count]:
            verdict = (
                words.p_value(effect) if effect.real else words.text("effects.not_real", bound=words.bound(effect))
            )
            table.add_row(
                words.metric(effect.metric),
                words.value(effect.base),
                words.value(effect.variant),
                words.with_interval(effect),
                words.relative(effect),
                verdict,
                words.relevance(effect),
            )
        console.print(table)
        console.print()
    if len(ordered) > SHOWN_VARIANTS:
        console.print(words.text("terminal.more", more=len(ordered) - SHOWN_VARIANTS))
