"""The Python interface: what the commands do, as functions for notebooks and programs (docs/PYTHON.md).

Every function takes a configuration as a `Config` (what `load` gives), as the name of a preset or of a way of playing
that comes with the game (all seats play it), or as the path of a TOML file; a path is told apart from a name by its
ending .toml or a separator. What a user can get wrong raises a `numbluff_sim.errors.UserError` of one paragraph that
names file or keyword, key, value, what is expected and the nearest valid name; nothing is played or written then.
Something that plays and is interrupted (Ctrl-C, the notebook's stop button, a `Stop` token) raises
`numbluff_sim.run.stop.Interrupted`, a KeyboardInterrupt; with `out` the same call continues.
All intervals are two-sided, 95 % unless a column `level` says otherwise, with errors clustered by game.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from numbluff_sim.config import Config
from numbluff_sim.errors import ConfigError
from numbluff_sim.notebook.asking import (
    ChangeKeywords,
    Options,
    Source,
    asked,
    asked_how,
    kept,
    named_keywords,
    origin_of,
    spelled_out,
)

if TYPE_CHECKING:
    from numbluff_sim.notebook.answers import CheckResult, PlanResult, Resolution, Transcripts
    from numbluff_sim.notebook.comparing import Other
    from numbluff_sim.notebook.results import (
        CalibrationResult,
        ComparisonResult,
        StudyResult,
        SweepResult,
        TuneResult,
        WhatIfOneResult,
    )
    from numbluff_sim.notebook.run import Run

#: Games where nobody says how many and the configuration is a name or a file: as the commands have them.
COMPARED_GAMES, CALIBRATED_GAMES, PILOT_GAMES, GAMES_OF_ONE = 1_000_000, 4_000_000, 2_000_000, 200_000
#: Indices of games end where those of a run end.
MOST_GAMES = 2**40


@spelled_out(ChangeKeywords)
def load(configuration: Source = "documented", **changes: Unpack[ChangeKeywords]) -> Config:
    """A configuration, checked and frozen.

    Returns a `Config`: `.players`, `.rounds`, `.run`, the sections of its game, `.resolved()` (all of it, JSON-able),
    `.digest()` (16 hexadecimal digits of all that can change a game). Raises ConfigError.

    >>> load("plays_to_win", players=5, set={"rules.wild_adjusts": "both"}).players
    5
    """
    with named_keywords():
        return origin_of(configuration, changes).load()


@spelled_out(Options)
def simulate(
    configuration: Source = "documented",
    *,
    rows: str | None = None,
    until: Sequence[str] = (),
    resume: bool = True,
    replace: bool = False,
    **options: Unpack[Options],
) -> Run:
    """Play many games: their metrics, events and rows.

    `rows`: kinds of rows to write, "none", or a kind that the game declares, with all coarser ones ("games", "rounds").
    `until`: precisions such as "frappe_parfaite:5%" or "seat_1_win_share:0.001": the run stops itself when it has them,
    after `games` (10^9 unless said) at the latest, and its intervals pay for that. `resume`: continue what `out` holds,
    where it is the same run; `replace`: put this run in the place of another one there. The numbers depend on
    configuration, seed and number of games alone. Raises ConfigError, RunError (folder, disk), Interrupted.

    >>> run = simulate("plays_to_win", players=5, games=20_000, rows="rounds")
    >>> run.events()
    >>> run.rounds(columns=["game", "pot_after"], games=range(1000))
    """
    from numbluff_sim.notebook.run import Run, run_until
    from numbluff_sim.run.runner import run_simulation

    if rows is not None:
        options["set"] = {**(options.get("set") or {}), "run.rows": rows}
    with asked(configuration, options) as task:
        if until:
            limited = options.get("games") is not None or "run.games" in (options.get("set") or {})
            most = task.config.run.games if limited else None
            return kept(task.out, lambda to: run_until(task, to, until, most, resume=resume, replace=replace))
        how = task.how
        return kept(task.out, lambda to: Run(run_simulation(task.config, to, resume=resume, replace=replace, **how)))


def load_run(folder: str | os.PathLike[str]) -> Run:
    """A run that `simulate` or `numbluff simulate` wrote into `folder`, finished or not. Raises RunError.

    >>> load_run("results/num_bluff-documented-4p-s1").metrics()
    """
    from numbluff_sim.notebook.run import Run
    from numbluff_sim.run.store import load_run as read

    return Run(read(folder))


@spelled_out(Options)
def compare(base: Source, *others: Other, replace: bool = False, **options: Unpack[Options]) -> ComparisonResult:
    """Play a base and others on the same deals: every metric's difference, with intervals held together.

    Each of `others` is a mapping of dotted keys to values (the base with these changed), a configuration, or a pair
    (name, one of these). `games`: of every configuration (1,000,000, or what a Config says); `set`, `players`, `seed`
    count for base and others. Differences are paired game by game; `real` ones are so by Holm's procedure at 5 % over
    all of them. With `out`, what was played is kept and continued. Raises ConfigError, RunError, Interrupted.

    >>> compared = compare("documented", {"rules.wild_adjusts": "both"}, ("four cards", {"table.hand_size": 4}))
    >>> compared.effects("four cards").query("real")
    >>> compared.plot.forest("four cards")
    """
    from numbluff_sim.notebook.comparing import compared, variants_of

    with asked(base, options, COMPARED_GAMES) as task:
        return compared("compare", task, (variants_of(task, others, options), []), replace=replace)


@spelled_out(Options)
def rulings(
    base: Source = "documented", *, only: Sequence[str] = (), replace: bool = False, **options: Unpack[Options]
) -> ComparisonResult:
    """Which open question of the rulebook matters: every other answer to every ruling, one at a time, against the base
    on the same deals. `only`: names of rulings. The rest as for `compare`. Raises ConfigError, RunError, Interrupted.

    >>> rulings("plays_to_win", only=["tie_value"], games=200_000).variants()
    """
    from numbluff_sim.notebook.comparing import compared, listed

    with asked(base, options, COMPARED_GAMES) as task:
        return compared("rulings", task, listed(task.config, task.origin, "rulings", only), replace=replace)


@spelled_out(Options)
def knockout(
    base: Source = "documented", *, only: Sequence[str] = (), replace: bool = False, **options: Unpack[Options]
) -> ComparisonResult:
    """What each card, family and rule contributes: the base without it, one at a time, on the same deals. `only`: kinds
    such as "family" or "rule". The rest as for `compare`. Raises ConfigError, RunError, Interrupted.

    >>> knockout("documented", only=["rule"], games=200_000).effects()
    """
    from numbluff_sim.notebook.comparing import compared, listed

    with asked(base, options, COMPARED_GAMES) as task:
        return compared("knockout", task, listed(task.config, task.origin, "knockouts", only), replace=replace)


@spelled_out(Options)
def what_if_one(
    base: Source = "plays_to_win",
    *,
    habits: Sequence[str] = (),
    own: Sequence[Mapping[str, Any]] = (),
    companies: Sequence[str] = (),
    replace: bool = False,
    **options: Unpack[Options],
) -> WhatIfOneResult:
    """What it brings ONE player to lie, to fuse, ...: the same deals with and without, all others as they are; a mean
    over the seats, each of which is the one in turn.

    `habits`, `companies`: names of the game's (all of them by default); `own`: habits of your own, dotted keys of a
    persona each, held against how the one plays. `games`: of every table (200,000, or what a Config says). Raises
    ConfigError, RunError, Interrupted.

    >>> found = what_if_one("plays_to_win", habits=["fusing"], own=[{"lies.total": 0.7, "lies.size": 12}])
    >>> found.effects().query("outcome == 'win_share'")
    """
    from numbluff_sim.notebook.results import WhatIfOneResult
    from numbluff_sim.studies.what_if_one.study import asked_of
    from numbluff_sim.studies.what_if_one.study import what_if_one as play

    with asked(base, options, GAMES_OF_ONE) as task:
        question = asked_of(task.config, habits, companies, own)
        found = play(task.config, task.origin.name, question, task.out, replace=replace, **task.how)
    return WhatIfOneResult(found, task.out, "what_if_one(...)")


@spelled_out(Options)
def sweep(
    base: Source,
    axes: Mapping[str, Any] | None = None,
    *,
    targets: Mapping[str, Any] | None = None,
    design: str | None = None,
    points: int | None = None,
    metrics: Sequence[str] | None = None,
    replace: bool = False,
    **options: Unpack[Options],
) -> SweepResult:
    """Play the points of a design over keys of a configuration, and say which meet targets with the smallest change.

    `axes`: key -> values ([1, 2, 3]) or a range ({"low": 2, "high": 5}); `targets`: metric -> {"low": ..., "high":
    ...}, `design`: "grid" (default), "one_at_a_time" or "sobol" with `points` base samples; `metrics`: those kept (the
    game's headline metrics by default). Without `axes`, `base` is a sweep's file, and the rest goes over what it says
    (docs/SWEEPS.md). `games`: of every point (1,000,000). All points play the same deals. Raises ConfigError, RunError,
    Interrupted.

    >>> swept = sweep("documented", {"table.hand_size": [3, 4, 5]}, targets={"pot_after_mean": {"high": 3}})
    >>> swept.points()
    """
    from numbluff_sim.notebook.questions import asked_question
    from numbluff_sim.notebook.results import SweepResult
    from numbluff_sim.studies.sweep.asked import sweep_of
    from numbluff_sim.studies.sweep.study import run_sweep

    said = {"design": design, "points": points, "metrics": metrics, "games": options.get("games")}
    with asked_question("sweep", base, axes, targets, {**said, "seed": options.get("seed")}, options) as (task, how):
        question = sweep_of(*task, threads=options.get("threads"))
        out = options.get("out")
        return kept(
            None if out is None else Path(out),
            lambda folder: SweepResult(run_sweep(question, folder, replace=replace, **how), folder, "sweep(...)"),
        )


@spelled_out(Options)
def tune(
    base: Source,
    axes: Mapping[str, Any] | None = None,
    *,
    targets: Mapping[str, Any] | None = None,
    trials: int | None = None,
    confirm_games: int | None = None,
    replace: bool = False,
    **options: Unpack[Options],
) -> TuneResult:
    """Search for the smallest change of a configuration, within `axes`, that meets all targets.

    `axes`, `targets` and a file in their place: as for `sweep`. `trials`: at most (200), of `games` games each
    (200,000); the best are played again with `confirm_games` games (4,000,000) and a fresh seed, and only what meets
    all targets by interval there is told as the change. Raises ConfigError, RunError, Interrupted.

    >>> found = tune("documented", {"deck.rainbow.reach": {"low": 1, "high": 6}},
    ...              targets={"frappe_parfaite_per_round": {"low": 0.019, "high": 0.021}})
    >>> found.met, found.change
    """
    from numbluff_sim.notebook.questions import asked_question
    from numbluff_sim.notebook.results import TuneResult
    from numbluff_sim.studies.tune.asked import tune_of
    from numbluff_sim.studies.tune.study import run_tune

    said = {"trials": trials, "confirm_games": confirm_games, "games": options.get("games")}
    with asked_question("tune", base, axes, targets, {**said, "seed": options.get("seed")}, options) as (task, how):
        question = tune_of(*task, threads=options.get("threads"))
        out = options.get("out")
        return kept(
            None if out is None else Path(out),
            lambda folder: TuneResult(
                run_tune(question, folder, replace=replace, **how), folder, "tune(...)", question.question.base
            ),
        )


@spelled_out(Options)
def calibrate(
    configuration: Source = "documented",
    *,
    rates: str | os.PathLike[str] | None = None,
    personas: Sequence[str] | None = None,
    rulings: Sequence[str] | None = None,
    screen_games: int = 2**17,
    alpha: float = 0.05,
    replace: bool = False,
    **options: Unpack[Options],
) -> CalibrationResult:
    """Which combinations of rulings and ways of playing reproduce given rates?

    `rates`: a baseline, a file or the name of a shipped one ("documented"); `personas`, `rulings`: those to vary (all).
    `games`: of every combination that is left in the end (4,000,000, or what a Config says), `screen_games`: of every
    context in which a ruling is changed; `alpha`: the chance that any combination is ruled out, or listed, wrongly.
    Raises ConfigError, RunError, Interrupted.

    >>> calibrate("documented", rulings=["tie_value"], personas=["documented"], games=100_000).cells()
    """
    from numbluff_sim.analysis.studies.calibrate.rates import read_rates
    from numbluff_sim.analysis.studies.calibrate.space import Space
    from numbluff_sim.config.personas import personas as all_personas
    from numbluff_sim.notebook.results import CalibrationResult
    from numbluff_sim.studies.calibrate.asked import Task
    from numbluff_sim.studies.calibrate.study import calibrate as play

    with asked(configuration, options, CALIBRATED_GAMES) as task:
        base = task.config
        playing = all_personas(task.origin, base, personas, "personas=")
        given = read_rates(None if rates is None else os.fspath(rates), base)
        question = Task(Space.of(base, rulings), playing, given, base.run.games, screen_games, alpha)
        return kept(
            task.out,
            lambda folder: CalibrationResult(
                play(question, folder, replace=replace, **task.how), folder, "calibrate(...)", question.base
            ),
        )


@spelled_out(Options)
def check(
    configuration: Source | None = None,
    *,
    baseline: str | os.PathLike[str] | None = None,
    look: int = 1,
    **options: Unpack[Options],
) -> CheckResult:
    """Hold the claims of a baseline against fresh runs: each holds, differs or is inconclusive, all together with
    Holm's procedure.

    `baseline`: a file, or the name of a shipped one ("documented"). `configuration`: what every claim is measured with
    in the place of its own preset, below what the claim itself fixes; `set` goes over it. `games`: of every
    configuration (the baseline's number). `look`: 2 for a second check of the same claims with more games, and so on:
    later looks are stricter. Nothing is kept (`out` is not used). Raises ConfigError, Interrupted.

    >>> check(games=100_000).verdicts()[["claim", "value", "verdict", "expected"]]
    """
    from numbluff_sim.config.loading import said
    from numbluff_sim.notebook.answers import CheckResult
    from numbluff_sim.studies.check.asked import flattened
    from numbluff_sim.studies.check.study import run_check

    origin = origin_of("documented" if configuration is None else configuration, options)
    overrides = dict(origin.overrides)
    if origin.config is not None:
        own = {key: value for key, value in said(origin.config).items() if key != "run"}
        overrides = {"game": origin.config.game, **flattened(own), **overrides}
    preset = None if configuration is None else origin.preset
    with asked_how(options) as how:
        return CheckResult(
            run_check(baseline, config=origin.source, preset=preset, overrides=overrides, look=look, **how)
        )


@spelled_out(Options)
def plan(
    configuration: Source = "documented",
    *,
    until: Sequence[str] = (),
    detect: Sequence[str] = (),
    variant: Mapping[str, Any] | None = None,
    alpha: float = 0.05,
    power: float = 0.9,
    **options: Unpack[Options],
) -> PlanResult:
    """How many games answers need, and how long they take on this machine, from a timed pilot.

    `until`: precisions, such as "frappe_parfaite:5%"; `detect`: differences that a comparison must find with the chance
    `power` at `alpha`, such as "pot_after_mean:0.5", between the configuration and `variant` (dotted keys and values
    laid over it) on the same deals; without one, between two runs that have no deals in common. `games`: of the pilot
    (2,000,000, or what a Config says). Nothing is kept (`out` is not used). Raises ConfigError, Interrupted.

    >>> plan("plays_to_win", until=["seat_1_win_share:0.001"], games=100_000).table()
    """
    from numbluff_sim.analysis.statistics.sequential import Precision
    from numbluff_sim.contract.registry import game
    from numbluff_sim.notebook.answers import PlanResult
    from numbluff_sim.studies.plan.study import plan as play

    if not until and not detect:
        raise ConfigError(
            "there is nothing to plan",
            file="plan()",
            key="until",
            expected='until=["METRIC:WIDTH"] or detect=["METRIC:DIFFERENCE"]',
        )
    with asked(configuration, options, PILOT_GAMES) as task:
        other = None if variant is None else task.origin.load(variant)
        entry = game(task.config.game)
        known = [entry.metrics.known(one).keys() for one in (task.config, other or task.config)]
        precisions = [Precision.read(text, known[1], entry.events, "until=") for text in until]
        detections = [Precision.read(text, known[0] & known[1], entry.events, "detect=") for text in detect]
        games = task.config.run.games
        return PlanResult(
            play(task.config, precisions, detections, variant=other, games=games, alpha=alpha, power=power, **task.how)
        )


@spelled_out(ChangeKeywords)
def replay(
    configuration: Source = "documented", *, index: int | range | slice = 0, **changes: Unpack[ChangeKeywords]
) -> Transcripts:
    """Single games as transcripts: a sequence of JSON-able objects, seats from 0; `.text("fr")` to read them.

    `index`: a game's number, a range or a slice of them. Game g is the same in every run of the same configuration and
    seed. Raises ConfigError, RunError for indices that are none.

    >>> print(replay("plays_to_win", index=7, seed=1).text())
    """
    from numbluff_sim.notebook.answers import Transcripts
    from numbluff_sim.notebook.rows import indices
    from numbluff_sim.single.replaying import replay as replayed

    config, wanted = load(configuration, **changes), indices(index, MOST_GAMES)
    found = [one for first in wanted for one in replayed(config, first)] if wanted.step > 1 else []
    if wanted and not found:
        found = list(replayed(config, wanted[0], wanted[-1]))
    return Transcripts(config, found)


@spelled_out(ChangeKeywords)
def resolve(
    data: Mapping[str, Any] | Sequence[Any] | str | os.PathLike[str],
    configuration: Source | None = None,
    **changes: Unpack[ChangeKeywords],
) -> Resolution:
    """Resolve rounds or cases written down: who wins what, and why (`.explanation("fr")`).

    `data`: {"rounds": [...]} or what else the game's calculator takes, the list alone, its text (JSON, or plain text
    where the game reads it), or the path of a file with it; seats from 0, in plain text from 1. Deck and rulings are
    those of `configuration`, by default of the documented one. Returns a mapping, as `numbluff resolve --json` prints.
    Raises CaseError, ConfigError.

    >>> print(resolve("bluffer 1 / rouge-7 + vert-3; bleu-4 + bleu-9; jaune-5 + jaune-2").explanation())
    """
    from numbluff_sim.i18n.catalogue import LANGUAGES
    from numbluff_sim.notebook.answers import Resolution
    from numbluff_sim.single.resolving import explain_text, read_text, resolve_text

    if isinstance(data, os.PathLike):
        text, file = read_text(Path(data).read_bytes, os.fspath(data)), os.fspath(data)
    else:
        text, file = data if isinstance(data, str) else json.dumps(data), "rounds"
    asked_for = configuration is not None or any(value is not None for value in changes.values())
    config = load(configuration or "documented", **changes) if asked_for else None
    explained = {language: explain_text(text, config, language=language, file=file) for language in LANGUAGES}
    return Resolution(resolve_text(text, config, file=file), explained)


def report(*results: Run | StudyResult, out: str | os.PathLike[str] | None = None, language: str = "en") -> Path:
    """Write the report of runs of one game and of comparisons about it, one page with its figures and numbers, in "en"
    or "fr"; the path of the page. `out`: `report` in the first run's folder by default. Raises RunError.

    >>> report(simulate("documented", games=100_000, out="results/mine"), language="fr")
    """
    from numbluff_sim.notebook.reporting import write_report

    return write_report(results, out, language)
