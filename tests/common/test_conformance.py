"""What every registered game must have and do: presets, metrics with words, what-ifs, tables, transcripts, the same
numbers however it is played.
"""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np
import pytest

from numbluff_sim.analysis.metrics.measured import MeasuredRun
from numbluff_sim.analysis.studies.check.baselines import check_names, claim_config, load_baseline, shipped_baselines
from numbluff_sim.config import Config, load, presets
from numbluff_sim.contract.registry import game, names
from numbluff_sim.i18n import LANGUAGES
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.run.spans import call_games, span_games
from numbluff_sim.single.replaying import replay, worded

every_game = pytest.mark.parametrize("name", names())
LONGEST_LABEL = 47


def config_of(name: str, **overrides: Any) -> Config:
    """The documented configuration of a game; in names of overrides __ stands for a dot."""
    return load(overrides={"game": name, **{key.replace("__", "."): value for key, value in overrides.items()}})


def played(name: str, games: int = 192, **overrides: Any) -> MeasuredRun:
    """A few games, all of them detail games."""
    config = config_of(name, run__games=games, run__detail_every=1, run__threads=1, **overrides)
    return MeasuredRun(config, simulate_tally(config))


@every_game
def test_presets__load_for_every_number_of_players(name: str) -> None:
    for preset in presets(name):
        for players in game(name).players:
            config = load(preset=preset, overrides={"game": name, "table.players": players})
            assert (config.game, config.players, config.rounds > 0) == (name, players, True)
            assert load(overrides={"game": name, **_flat(config)}).digest() == config.digest()


def _flat(config: Config) -> dict[str, Any]:
    """All of a configuration but the game's name, by section."""
    return {key: value for key, value in config.resolved().items() if key not in ("game", "run")}


@every_game
@pytest.mark.kernels
def test_metrics__known_ones_are_those_measured(name: str) -> None:
    metrics = game(name).metrics
    for players in (game(name).players[0], game(name).players[-1]):
        run = played(name, table__players=players)
        known, measured = metrics.known(run.config), metrics.estimates(run, 0.05)
        assert list(known) == list(measured) == list(metrics.estimators(run))
        assert {(one.unit, one.denominator) for one in known.values()} == {
            (one.unit, one.denominator) for one in measured.values()
        }
        some = {*list(known)[::7]}
        assert {key: one.at(0.01) for key, one in metrics.estimators(run, some).items()} == {
            key: one.at(0.01) for key, one in metrics.estimators(run).items() if key in some
        }
        assert set(metrics.headline(run.config)) <= set(known)
        assert len(metrics.headline(run.config)) >= 10
        assert len(set(metrics.baseline) & set(known)) >= 10


@every_game
@pytest.mark.kernels
def test_metrics__values_lie_in_their_intervals_and_say_what_they_count(name: str) -> None:
    for estimate in game(name).metrics.estimates(played(name), 0.05).values():
        if estimate.defined:
            assert estimate.low <= estimate.value <= estimate.high, estimate.name
            assert estimate.n > 0, estimate.name
            assert estimate.denominator
            assert estimate.method
            assert estimate.unit != "share" or -1 <= estimate.value <= 1


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_words__every_metric_and_denominator_has_a_label(name: str, language: str) -> None:
    words = game(name).words
    for players in game(name).players:
        known = game(name).metrics.known(config_of(name, table__players=players))
        labels = {metric: words.metric_label(metric, language) for metric in known}
        assert len(set(labels.values())) == len(labels)
        assert [label for label in labels.values() if len(label) > LONGEST_LABEL or "{" in label or "_" in label] == []
        assert all(words.denominator_label(one.denominator, language) for one in known.values())
        assert {words.metric_group(metric) for metric in known} == set(game(name).metrics.groups)
        assert all(words.group_label(words.metric_group(metric), language) for metric in known)


@every_game
def test_rulings__alternatives_are_those_of_the_configuration(name: str) -> None:
    rules = config_of(name).rules  # type: ignore[attr-defined]
    clauses = {clause.name for clause in game(name).rules.clauses}
    rulings = game(name).rules.rulings
    assert {ruling.name for ruling in rulings} == set(type(rules).model_fields) - {"without"}
    for ruling in rulings:
        assert ruling.default == getattr(rules, ruling.name)
        assert len(ruling.alternatives) == len(ruling.meanings) >= 2
        assert ruling.clause in clauses
        for answer in ruling.alternatives:
            assert config_of(name, **{f"rules__{ruling.name}": answer})


@every_game
@pytest.mark.parametrize("which", ["rulings", "knockouts"])
def test_whatifs__every_change_makes_another_configuration_with_words_in_both_languages(name: str, which: str) -> None:
    base = config_of(name)
    changes = getattr(game(name).changes, which)(base)
    assert len(changes) > 5
    digests = [load(overrides={"game": name, **change.overrides}).digest() for change in changes]
    assert len({base.digest(), *digests}) == len(changes) + 1
    assert len({change.name for change in changes}) == len(changes)
    assert all(change.label.en and change.label.fr for change in changes)


@every_game
@pytest.mark.kernels
def test_tally__has_the_shapes_of_the_registry(name: str) -> None:
    for players in game(name).players:
        config = config_of(name, table__players=players)
        tally = game(name).engine(config).new_tally()
        assert {field: values.shape for field, values in tally.items()} == game(name).tally_shapes(config)
        assert all(values.dtype == np.int64 and not values.any() for values in tally.values())


@every_game
@pytest.mark.kernels
def test_rows__columns_are_those_of_the_registry(name: str) -> None:
    config = config_of(name)
    engine, columns = game(name).engine(config), game(name).columns(config)
    rows = engine.play(64, 70, engine.new_tally(), "rounds")
    for table in ("games", "rounds"):
        assert list(rows[table]) == [column.name for column in columns[table]]
        assert {column.name: str(rows[table][column.name].dtype) for column in columns[table]} == {
            c.name: c.dtype for c in columns[table]
        }
        assert len({len(values) for values in rows[table].values()}) == 1
        assert columns[table][0].name == "game"
    assert rows["games"]["game"].tolist() == list(range(64, 134))
    numbers = rows["rounds"]["round"][rows["rounds"]["game"] == 64]
    assert numbers.tolist() == list(range(len(numbers)))
    assert rows["games"]["rounds"].tolist() == np.unique(rows["rounds"]["game"], return_counts=True)[1].tolist()
    assert rows["games"]["rounds"].max() <= config.rounds


@every_game
@pytest.mark.kernels
def test_tally__same_numbers_whatever_the_pieces_and_the_rows(name: str) -> None:
    engine = game(name).engine(config_of(name, run__detail_every=2))
    whole = engine.new_tally()
    engine.play(0, 320, whole)
    for pieces in ((64, 128, 128), (192, 128)):
        for rows in ("none", "games", "rounds"):
            tally, first = engine.new_tally(), 0
            for games in pieces:
                engine.play(first, games, tally, rows)
                first += games
            assert all((tally[field] == values).all() for field, values in whole.items())


@every_game
@pytest.mark.kernels
def test_replay__is_the_game_of_the_rows(name: str) -> None:
    config = config_of(name, run__seed=3)
    engine = game(name).engine(config)
    rows = engine.play(62, 4, engine.new_tally(), "rounds")
    transcripts = list(replay(config, 62, 65))
    assert [one["game"] for one in transcripts] == [62, 63, 64, 65]
    for i, one in enumerate(transcripts):
        assert {"game", "seed", "players", "profile", "rules", "rounds"} <= set(one)
        assert (one["seed"], one["players"], len(one["rounds"])) == (3, config.players, rows["games"]["rounds"][i])
        assert [entry["round"] for entry in one["rounds"]] == rows["rounds"]["round"][
            rows["rounds"]["game"] == one["game"]
        ].tolist()
        assert next(replay(config, one["game"])) == one


@every_game
@pytest.mark.kernels
@pytest.mark.parametrize("language", LANGUAGES)
def test_replay__text_tells_every_round(name: str, language: str) -> None:
    config = config_of(name)
    one = next(replay(config, 5))
    text = worded(config, one, language)
    assert "{" not in text
    assert text.count("\n\n") >= len(one["rounds"])
    assert worded(config, one, "en") != worded(config, one, "fr")


@every_game
def test_baselines__claims_name_metrics_and_configurations_that_exist(name: str) -> None:
    for baseline in shipped_baselines(name):
        book, origin = load_baseline(baseline, game_name=name)
        assert book.game == name
        for claim in book.claims:
            config = claim_config(claim, origin, game_name=name)
            check_names(book, origin, claim, game(name).metrics.known(config))
            assert claim.text.en != claim.text.in_language("fr")
            assert claim.source.en


@every_game
def test_presets__documented_is_a_file_of_its_own(name: str) -> None:
    folder = game(name).files / "presets"
    said = tomllib.loads((folder / "documented.toml").read_text(encoding="utf-8"))
    assert set(said) <= {"table", "rules", "deck", "play"}
    assert {file.name for file in folder.iterdir() if file.name.endswith(".toml")} >= {
        "documented.toml",
        "personas.toml",
    }


@every_game
@pytest.mark.kernels
def test_events__are_rates_per_round_of_the_run(name: str) -> None:
    run = played(name)
    rates = game(name).event_rates(run)
    assert len(rates) >= 4
    assert all(rate.denominator == game(name).played(run.tally).unit for rate in rates.values())


@every_game
def test_spans__parts_hold_whole_blocks(name: str) -> None:
    config = config_of(name)
    sizes = (span_games(config, "rounds"), call_games(config, "rounds"))
    assert all(size > 0 and size % 64 == 0 for size in sizes)
