"""`what-if-one` as a function: one player does something or leaves it, the others and the deals stay as they are."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from numbluff_sim.analysis.studies.what_if_one.result import (
    AS_THEY_ARE,
    RESULT_FILE,
    Received,
    WhatIfOne,
    effects,
)
from numbluff_sim.config import Config, restore
from numbluff_sim.config.model import SeatedConfig
from numbluff_sim.contract.game import SeatResult, Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.contract.ways import Company, Habit
from numbluff_sim.errors import ConfigError, nearest_name, one_of
from numbluff_sim.i18n import bilingual
from numbluff_sim.run.files import disk_errors, write_text
from numbluff_sim.run.playing import How
from numbluff_sim.run.progress import Steps
from numbluff_sim.run.stop import resumable
from numbluff_sim.studies.page_files import made_with
from numbluff_sim.studies.played_in_groups import cut, play_groups
from numbluff_sim.studies.what_if_one.folder import held, kept, read_kept

WORDS = "numbluff_sim.analysis.studies.what_if_one:what_if_one"


@dataclass(frozen=True)
class Questioned:
    """What is asked of one player, in which companies. `named`: by somebody, not all that the game has: then a habit
    that this table cannot have is an error, else it is left out and told.
    """

    habits: Sequence[Habit]
    companies: Sequence[Company]
    named: bool = False


def what_if_one(
    base: Config,
    base_name: str,
    asked: Questioned,
    out: str | os.PathLike[str] | None = None,
    *,
    replace: bool = False,
    **how: Unpack[How],
) -> WhatIfOne:
    """Play the base with each seat in turn doing what a habit does, and what it is held against, in every company;
    with `out`, keep what was played and write what_if_one.json.

    Raises ConfigError (no persona at the seats, nothing asked), RunError, Interrupted.
    """
    if not isinstance(base, SeatedConfig):
        raise ConfigError(f"seats of {base.game} have no ways of playing", key="game", value=base.game)
    if not asked.habits:
        raise ConfigError("there is no habit to look at", key="habits", expected="at least one")
    folder = None if out is None else Path(out)
    if folder is None:
        return _found(base, base_name, asked, None, how)
    with resumable(folder), held(folder, base_name, base, asked.habits, asked.companies, replace=replace):
        result = _found(base, base_name, asked, folder, how)
        with disk_errors(folder):
            write_text(folder / RESULT_FILE, result.text())
    return result


def asked_of(
    base: Config,
    habits: Sequence[str] = (),
    companies: Sequence[str] = (),
    own: Sequence[Mapping[str, Any]] = (),
) -> Questioned:
    """The game's habits and companies by name (none named: all of its habits; all companies, and the others as they are
    where that is another one); `own`: keys of a persona laid over the one, held against how it plays. Raises
    ConfigError.
    """
    strange = next((keys for keys in own if not (isinstance(keys, Mapping) and keys)), None)
    if strange is not None:
        raise ConfigError(
            "a habit of your own has no keys",
            file="--one",
            key="--one",
            value=strange,
            expected="keys of a persona and their values, such as lies.total=0.7",
        )
    ways = game(base.game).ways
    unchanged = Company(AS_THEY_ARE, {}, bilingual(WORDS, "as_they_are"))
    known = {one.name: one for one in (unchanged, *ways.companies)}
    listed = {one.name: one for one in ways.habits}
    chosen = [_named("--habit", name, listed) for name in habits] or ([] if own else list(ways.habits))
    chosen += [
        Habit(
            (name := ", ".join(f"{key}={value}" for key, value in keys.items())),
            keys,
            {},
            bilingual(WORDS, "own", keys=name),
        )
        for keys in own
    ]
    named = bool(habits or own)
    if companies:
        return Questioned(chosen, [_named("--company", name, known) for name in companies], named)
    alike = isinstance(base, SeatedConfig) and any(
        table_with(base, 0, {}, one.keys).digest() == table_with(base, 0, {}, {}).digest() for one in ways.companies
    )
    return Questioned(chosen, ways.companies if alike else list(known.values()), named)


def _named(option: str, name: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        raise ConfigError(
            f'"{name}" is none of the game\'s',
            file=option,
            key=option,
            value=name,
            expected=one_of(known),
            nearest=nearest_name(name, known),
        )
    return known[name]


def table_with(base: SeatedConfig, seat: int, keys: Mapping[str, object], company: Mapping[str, object]) -> Config:
    """The base with `keys` (dotted, of a persona) laid over the seat's persona and `company` over all others'. Raises
    ConfigError where that is no persona of the game's.
    """
    resolved = base.resolved()
    seats, personas = list(base.seats), resolved["personas"]
    laid: dict[str, Any] = {}
    for p, name in enumerate(base.seats):
        seats[p] = f"the one ({name})" if p == seat else f"another ({name})"
        laid[seats[p]] = _laid_over(personas[name], keys if p == seat else company)
    try:
        return restore({**resolved, "personas": laid, "play": {**resolved["play"], "seats": seats}}, file="a habit")
    except ConfigError as error:  # about a persona that is not called so anywhere else
        for name in laid:
            error.problem = error.problem.replace(f"personas.{name}.", "")
            error.key = error.key and error.key.removeprefix(f"personas.{name}.")
        raise


def _laid_over(persona: Mapping[str, Any], keys: Mapping[str, object]) -> dict[str, Any]:
    result = dict(persona)
    for key, value in keys.items():
        head, _, rest = key.partition(".")
        result[head] = _laid_over(result.get(head, {}), {rest: value}) if rest else value
    return result


def _found(base: SeatedConfig, base_name: str, asked: Questioned, folder: Path | None, how: How) -> WhatIfOne:
    refused: dict[str, str] = {}
    tables: dict[tuple[str, str], tuple[list[Config], list[Config]]] = {}
    for habit in asked.habits:
        try:
            for company in asked.companies:
                tables[habit.name, company.name] = _tables(base, habit, company)
        except ConfigError as error:
            if asked.named:
                raise
            refused[habit.name] = str(error)
            tables = {pair: both for pair, both in tables.items() if pair[0] != habit.name}
    if not tables:
        raise ConfigError(
            f"those who sit at this table ({', '.join(dict.fromkeys(base.seats))}) have none of the choices that the "
            f"game's habits ({', '.join(refused)}) are about",
            key="habits",
            expected="another way of playing as the base, or a habit of your own (--one KEY=VALUE)",
        )
    played = _played([config for both in tables.values() for side in both for config in side], folder, how)
    pairs = {pair: (_gathered(played, does), _gathered(played, rather)) for pair, (does, rather) in tables.items()}
    games = np.array([games for _, games in cut(base.run.games, base.run.detail_every)], np.int64)
    return WhatIfOne(
        base.game,
        base_name,
        base.digest(),
        base.seats,
        base.run.seed,
        base.run.games,
        {one.name: {"en": one.says.en, "fr": one.says.fr} for one in asked.habits if one.name not in refused},
        {one.name: {"en": one.says.en, "fr": one.says.fr} for one in asked.companies},
        effects(pairs, games),
        refused,
        made_with(base),
    )


def _tables(base: SeatedConfig, habit: Habit, company: Company) -> tuple[list[Config], list[Config]]:
    """A table a seat with the habit, and one with what it is held against."""
    does, rather = (
        [table_with(base, seat, keys, company.keys) for seat in range(base.players)]
        for keys in (habit.does, habit.rather_than)
    )
    return does, rather


def _played(configs: Sequence[Config], folder: Path | None, how: How) -> dict[str, list[list[float]]]:
    """What every seat got in every group of every table, by the table's digest, each played once."""
    once = {config.digest(): config for config in configs}
    steps, found = Steps(how.get("progress"), len(once)), read_kept(folder)
    for number, (digest, config) in enumerate(once.items()):
        if digest not in found:
            steps.begin(f"table {number + 1}", number, config=config)
            found[digest] = _results(config, play_groups(config, **steps.of(how)))
            kept(folder, found)
    return found


def _results(config: Config, groups: Sequence[Tally]) -> list[list[float]]:
    """Sums of a table by group (rows): points of every seat (none in a game without), then win shares."""
    entry = game(config.game)
    names = entry.tally.variables(config.players)
    seats: list[SeatResult] = entry.seat_results(config)
    combinations = [seat.points for seat in seats if seat.points is not None] + [seat.win for seat in seats]
    weights = np.array([[one.get(name, 0.0) for name in names] for one in combinations])
    return [(weights @ tally["moments"][0]).tolist() for tally in groups]


def _gathered(played: Mapping[str, list[list[float]]], tables: Sequence[Config]) -> Received:
    """What the one got: of every table the columns of its seat."""
    found = [np.array(played[table.digest()]) for table in tables]
    players = len(tables)
    has_points = found[0].shape[1] > players
    points = np.array([sums[:, seat] for seat, sums in enumerate(found)]) if has_points else None
    return Received(points, np.array([sums[:, seat - players] for seat, sums in enumerate(found)]))
