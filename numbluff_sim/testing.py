"""What every game must have and do, as checks that anybody can run over any game: `conformance(game("high_card"))`.

Each check is a function of the game that raises AssertionError where the game does not keep its part of
`contract.game.Game`. They need no test framework; `CHECKS` holds them by name for those who have one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from numbluff_sim.analysis.metrics.measured import MeasuredRun
from numbluff_sim.analysis.report.model import Page
from numbluff_sim.analysis.statistics.estimates import ALPHA
from numbluff_sim.analysis.studies.check.baselines import check_names, claim_config, load_baseline, shipped_baselines
from numbluff_sim.config import Config, load, presets, restore
from numbluff_sim.config.model import SeatedConfig
from numbluff_sim.contract.changes import Change
from numbluff_sim.contract.game import NO_ROWS, Game
from numbluff_sim.errors import ConfigError
from numbluff_sim.i18n import LANGUAGES
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.run.store import RunData

AnyGame = Game[Config]
Check = Callable[[AnyGame], None]
#: The checks by name, in the order in which they are best read.
CHECKS: dict[str, Check] = {}
#: Games of a check: three blocks of 64, enough for figures of distributions.
GAMES = 192
#: Letters of a metric's label that fit the tables.
LONGEST_LABEL = 47


def conformance(game: AnyGame, only: Iterable[str] = ()) -> None:
    """Runs all checks over a game that is installed, or those named. Raises AssertionError, which names the check and
    what is wrong.
    """
    for name in only or CHECKS:
        try:
            CHECKS[name](game)
        except AssertionError as error:
            raise AssertionError(f"{game.name}, check {name}: {error}") from error


def check(function: Check) -> Check:
    """Adds a check by its function's name."""
    CHECKS[function.__name__] = function
    return function


def config_of(game: AnyGame, **overrides: Any) -> Config:
    """The documented configuration of a game; in names of overrides __ stands for a dot."""
    return load(overrides={"game": game.name, **{key.replace("__", "."): value for key, value in overrides.items()}})


def mixed_of(game: AnyGame, **overrides: Any) -> Config | None:
    """The same with another shipped persona in seat 0; None where the game has no two that play differently."""
    config = config_of(game, **overrides)
    if not isinstance(config, SeatedConfig):
        return None
    for persona in presets(game.name)[1:]:
        mixed = config_of(game, **overrides, play__seats=[persona, *config.seats[1:]])
        if mixed.mixed_seating:
            return mixed
    return None


def played(game: AnyGame, **overrides: Any) -> MeasuredRun:
    """A few games, all of them detail games."""
    config = config_of(game, run__games=GAMES, run__detail_every=1, run__threads=1, **overrides)
    return MeasuredRun(config, simulate_tally(config))


def expect(true: bool, what: str) -> None:
    """Raises AssertionError with what is expected."""
    if not true:
        raise AssertionError(f"expected {what}")


def same(found: object, wanted: object, what: str) -> None:
    """Raises AssertionError where two things are not equal."""
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, expected {wanted!r}")


@check
def presets_load_for_every_number_of_players(game: AnyGame) -> None:
    """All presets, and what they resolve to gives the same digest again."""
    for preset in presets(game.name):
        for players in game.players:
            config = load(preset=preset, overrides={"game": game.name, "table.players": players})
            same((config.game, config.players), (game.name, players), f"preset {preset}")
            expect(config.rounds > 0, f"rounds in preset {preset}")
            whole = {key: value for key, value in config.resolved().items() if key not in ("game", "run")}
            again = load(overrides={"game": game.name, **whole})
            same(again.digest(), config.digest(), f"digest of what preset {preset} resolves to")
    said = tomllib.loads((game.files / "presets" / "documented.toml").read_text(encoding="utf-8"))
    same({"run", "game", "personas"} & set(said), set(), "tables that presets/documented.toml must leave out")


@check
def rules_are_those_of_the_configuration(game: AnyGame) -> None:
    """Rulings have a clause, a default and two answers or more, each a valid configuration."""
    own = config_of(game).resolved()["rules"]
    clauses = {clause.name for clause in game.rules.clauses}
    same({ruling.name for ruling in game.rules.rulings}, set(own) - {"without"}, "rulings of rules.toml and [rules]")
    for ruling in game.rules.rulings:
        same(ruling.default, own[ruling.name], f"default of {ruling.name}")
        expect(len(set(ruling.values)) == len(ruling.answers) >= 2, f"two answers or more to {ruling.name}")
        expect(ruling.clause in clauses, f"a clause named {ruling.clause} ({ruling.name})")
        for value in ruling.values:
            config_of(game, **{f"rules__{ruling.name}": value})
    for event in game.rules.events:
        expect(set(event.clauses) <= clauses, f"clauses named {event.clauses} (event {event.name})")


@check
def what_ifs_are_other_configurations(game: AnyGame) -> None:
    """Rulings and knock-outs, each with a name and a label of its own."""
    base = config_of(game)
    for changes in (game.changes.rulings(base), game.changes.knockouts(base)):
        digests = {_changed(game, change).digest() for change in changes}
        same(len({base.digest(), *digests}), len(changes) + 1, "different configurations among the what-ifs")
        same(len({change.name for change in changes}), len(changes), "different names of what-ifs")
        for language in LANGUAGES:
            expect(all(change.label.in_language(language) for change in changes), f"labels in {language}")
    others = sum(len(ruling.answers) - 1 for ruling in game.rules.rulings)
    same(len(game.changes.rulings(base)), others, "what-ifs of rulings")


def _changed(game: AnyGame, change: Change) -> Config:
    return load(overrides={"game": game.name, **change.overrides})


@check
def metrics_known_are_those_measured(game: AnyGame) -> None:
    """Same names and units before and after playing, no new denominators; events and headline among them."""
    metrics = game.metrics
    for players in (game.players[0], game.players[-1]):
        run = played(game, table__players=players)
        known, shown, judged = metrics.known(run.config), metrics.estimates(run, ALPHA), metrics.estimators(run)
        expect(list(known) == list(shown) == list(judged), "the same metrics known, shown and judged")
        for name in known:
            same(shown[name].unit, known[name].unit, f"unit of {name}")
        # a difference of two rates counts what the rarer of them does: which that is, the games say
        counted = {one.denominator for one in known.values()}
        same({one.denominator for one in shown.values()} - counted, set(), "denominators that no known metric has")
        some = {*list(known)[::7]}
        same(set(metrics.estimators(run, some)), some, "metrics asked for by name")
        for what, names in (("events", game.events.values()), ("headline", metrics.headline(run.config))):
            same(set(names) - set(known), set(), f"{what} that are no metrics")
        expect(bool(set(metrics.baseline) & set(known)), "metrics for a baseline")
        expect(bool(metrics.headline(run.config)), "headline metrics")


@check
def metrics_lie_in_their_intervals(game: AnyGame) -> None:
    """Values within ends; what is counted, how, and shares that are shares."""
    run = played(game)
    for one in game.metrics.estimates(run, ALPHA).values():
        if one.defined:
            expect(one.low <= one.value <= one.high, f"{one.name} = {one.value} within {one.low} to {one.high}")
            expect(one.n > 0 and bool(one.denominator) and bool(one.method), f"what {one.name} counts, and how")
            expect(one.unit != "share" or -1 <= one.value <= 1, f"{one.name} = {one.value} to be a share")
    unit = game.played(run.tally).unit
    for event, rate in game.event_rates(run).items():
        same(rate.denominator, unit, f"what the rate of {event} counts")


@check
def words_tell_every_metric(game: AnyGame) -> None:
    """A short label of its own for every metric, group and denominator, in every language, whoever sits where."""
    words = game.words
    for language in LANGUAGES:
        for players in game.players:
            mixed = mixed_of(game, table__players=players)
            known = {
                **game.metrics.known(config_of(game, table__players=players)),
                **(game.metrics.known(mixed) if mixed is not None else {}),
            }
            labels = {name: words.metric_label(name, language) for name in known}
            same(len(set(labels.values())), len(labels), "different labels")
            bad = [text for text in labels.values() if len(text) > LONGEST_LABEL or "{" in text or "_" in text]
            same(bad, [], f"labels longer than {LONGEST_LABEL} letters or not filled in")
            for name, one in known.items():
                expect(bool(words.denominator_label(one.denominator, language)), f"words for {one.denominator}")
                expect(bool(words.group_label(words.metric_group(name), language)), f"a title of the group of {name}")
            same({words.metric_group(name) for name in known}, set(game.metrics.groups), "groups of metrics")


@check
def seats_share_the_win(game: AnyGame) -> None:
    """Win shares of all seats sum to 1 in the games that were played."""
    for players in (game.players[0], game.players[-1]):
        run = played(game, table__players=players)
        results, sums = game.seat_results(run.config), game.metrics.sample(run).every
        same(len(results), players, "results of seats")
        total = sum(sums.mean(result.win) for result in results)
        expect(abs(total - 1) < 1e-9, f"win shares that sum to 1, not to {total}")
        expect(len({result.points is None for result in results}) == 1, "points for all seats or for none")


@check
def parameters_stay_within_bounds(game: AnyGame) -> None:
    """Every parameter of every shipped persona, at its ends and choices, makes a configuration; so do restrictions,
    each of some persona that a search may begin with.
    """
    personas = presets(game.name)[1:]
    same(set(game.ways.starts) - set(personas), set(), "starts of a search that are no personas")
    keys: dict[str, set[str]] = {}
    for persona in personas:
        config = load(preset=persona, overrides={"game": game.name})
        parameters = game.ways.parameters(config, persona)
        keys[persona] = {one.key for one in parameters}
        same(len(keys[persona]), len(parameters), f"different parameters of {persona}")
        for one in parameters:
            expect(bool(one.unit and one.meaning), f"unit and meaning of {one.key}")
            ends = one.choices or ((int(one.low), int(one.high)) if one.kind == "whole" else (one.low, one.high))
            for value in ends:
                _varied(config, persona, {one.key: value})
    for name, restricted in game.ways.restrictions.items():
        able = [persona for persona in game.ways.starts if set(restricted) <= keys[persona]]
        expect(bool(able), f"a start whose parameters are those that {name} restricts")
        for persona in able:
            _varied(load(preset=persona, overrides={"game": game.name}), persona, restricted)


def _varied(config: Config, persona: str, values: Mapping[str, object]) -> Config:
    """The configuration with other values at dotted keys of a persona. Raises AssertionError where it is none."""
    data = config.resolved()
    for key, value in values.items():
        *tables, last = key.split(".")
        here = data["personas"][persona]
        for name in tables:
            here = here[name]
        here[last] = value
    try:
        return restore(data)
    except ConfigError as error:
        raise AssertionError(f"{persona} with {dict(values)} is no configuration: {error}") from None


@check
def tallies_have_their_shapes(game: AnyGame) -> None:
    """A new tally holds int64 zeros in the registry's shapes and order."""
    for players in game.players:
        config = config_of(game, table__players=players)
        tally, shapes = game.engine(config).new_tally(), game.tally_shapes(config)
        same({name: values.shape for name, values in tally.items()}, shapes, "shapes")
        expect(all(v.dtype == np.int64 and not v.any() for v in tally.values()), "int64 zeros in a new tally")


@check
def tallies_add_up_whatever_the_pieces(game: AnyGame) -> None:
    """The same sums in one piece and in several, with rows of any grain or none."""
    engine = game.engine(config_of(game, run__detail_every=2))
    whole = engine.new_tally()
    engine.play(0, 320, whole)
    for pieces in ((64, 128, 128), (192, 128)):
        for rows in (NO_ROWS, *(grain.name for grain in game.grains)):
            tally, first = engine.new_tally(), 0
            for games in pieces:
                engine.play(first, games, tally, rows)
                first += games
            for name, values in whole.items():
                expect(bool((tally[name] == values).all()), f"the same {name} in pieces of {pieces} with rows {rows}")


@check
def rows_are_those_of_the_registry(game: AnyGame) -> None:
    """Every grain: columns, types, whole games in order, no more rows than stated; coarser grains come along."""
    config = config_of(game)
    engine, columns = game.engine(config), game.columns(config)
    same(list(columns), [grain.name for grain in game.grains], "tables of the registry of columns")
    for number, grain in enumerate(game.grains):
        tables = engine.play(64, 70, engine.new_tally(), grain.name)
        same(list(tables), [one.name for one in game.grains[: number + 1]], f"tables of rows {grain.name}")
        rows, listed = tables[grain.name], columns[grain.name]
        same({name: str(v.dtype) for name, v in rows.items()}, {c.name: c.dtype for c in listed}, "columns")
        same((next(iter(rows)), len({len(values) for values in rows.values()})), ("game", 1), "first column, lengths")
        games, counts = np.unique(rows["game"], return_counts=True)
        expect(bool((np.diff(rows["game"]) >= 0).all()), f"{grain.name} in the order of games")
        same(games.tolist(), list(range(64, 134)), f"games of {grain.name}")
        expect(counts.max() <= grain.most(config), f"at most {grain.most(config)} {grain.name} a game")
    same(game.grains[0].most(config), 1, "rows a game of the coarsest grain")


@check
def transcripts_are_the_games_of_the_rows(game: AnyGame) -> None:
    """Game g is the same alone and among others, has as many entries of every grain as rows, and a text."""
    config = config_of(game, run__seed=3)
    engine, finest = game.engine(config), game.grains[-1].name
    tables = engine.play(62, 4, engine.new_tally(), finest)
    found = list(game.transcripts(config, 62, 65))
    same([one["game"] for one in found], [62, 63, 64, 65], "games of the transcripts")
    for one in found:
        same((one["seed"], one["players"]), (3, config.players), "seed and players of a transcript")
        for grain in game.grains[1:]:
            entries, rows = one[grain.name], int((tables[grain.name]["game"] == one["game"]).sum())
            expect(isinstance(entries, list) and len(entries) == rows, f"{rows} {grain.name} in game {one['game']}")
        same(next(iter(game.transcripts(config, _number(one), _number(one)))), one, "the game alone")
    texts = [game.transcript_text(found[0], config, language) for language in LANGUAGES]
    expect(len(set(texts)) == len(LANGUAGES) and all("{" not in text for text in texts), "a text in each language")


def _number(transcript: dict[str, object]) -> int:
    number = transcript["game"]
    assert isinstance(number, int)
    return number


@check
def baselines_name_what_there_is(game: AnyGame) -> None:
    """Claims of shipped baselines are about metrics and configurations of the game, in both languages."""
    for baseline in shipped_baselines(game.name):
        book, origin = load_baseline(baseline, game_name=game.name)
        same(book.game, game.name, f"game of baseline {baseline}")
        for claim in book.claims:
            config = claim_config(claim, origin, game_name=game.name)
            check_names(book, origin, claim, game.metrics.known(config))
            expect(claim.text.in_language("en") != claim.text.in_language("fr"), f"two texts of claim {claim.id}")


@check
def reports_answer_their_questions(game: AnyGame) -> None:
    """A page in both languages, each section with a question, an answer and something to show; so at a table whose
    seats play differently.
    """
    mixed = mixed_of(game)
    for run in [played(game), *([played(game, play__seats=mixed.seats)] if isinstance(mixed, SeatedConfig) else [])]:
        _report_answers(game, RunData(run.config, dict(run.tally), {"command": "", "identity": {}}))


def _report_answers(game: AnyGame, run: RunData) -> None:
    pages: list[Page] = []
    for language in LANGUAGES:
        page = game.report_page([run], language, Path("report"))
        expect(bool(page.sections), "sections of the report")
        for section in page.sections:
            expect(bool(section.question and section.answer), f"question and answer of section {section.name}")
            expect("{" not in section.question + section.answer, f"filled texts in section {section.name}")
        pages.append(page)
    same([one.name for one in pages[0].sections], [one.name for one in pages[-1].sections], "sections by language")
