"""`compare`, `rulings` and `knockout` as functions: a base and its variants on the same deals, and what differs."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from numbluff_sim.analysis.statistics.paired import Side, identical, paired_effects
from numbluff_sim.analysis.studies.compare.result import (
    BY_RELEVANCE,
    COMPARISON_FILE,
    ChangedKey,
    Comparison,
    Parting,
    VariantResult,
)
from numbluff_sim.config import Config
from numbluff_sim.config.origin import Origin
from numbluff_sim.contract.game import Columns
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, nearest_name, one_of
from numbluff_sim.run.files import disk_errors, write_text
from numbluff_sim.run.playing import How, play_each
from numbluff_sim.run.progress import Steps
from numbluff_sim.run.spans import Outcome, Piece
from numbluff_sim.run.stop import resumable
from numbluff_sim.studies.compare.folder import POINTS, held
from numbluff_sim.studies.compare.variants import Variant, set_apart, variant
from numbluff_sim.studies.page_files import made_with
from numbluff_sim.studies.played_in_groups import cut, play_point

#: Games whose rounds are held against each other to see when they part.
PARTING_GAMES = 4096
#: Variants, and (labels, reason) of those that the configuration refuses.
Listed = tuple[list[Variant], list[tuple[dict[str, str], str]]]


def compare(
    base: Config,
    base_name: str,
    variants: Sequence[Variant],
    out: str | os.PathLike[str] | None = None,
    *,
    study: str = "compare",
    refused: Sequence[tuple[dict[str, str], str]] = (),
    replace: bool = False,
    **how: Unpack[How],
) -> Comparison:
    """Play a base and its variants on the same deals and measure every difference; with `out`, keep what was played and
    write comparison.json.

    A configuration already in `out` is not played again; `replace` puts this comparison in the place of another one
    there. Raises ConfigError (nothing to compare, other games), RunError, Interrupted.
    """
    if not variants:
        raise ConfigError("there is no variant to compare with", key="variants", expected="at least one")
    strange = next((one for one in variants if one.config.game != base.game), None)
    if strange is not None:
        raise ConfigError(
            f"{strange.name} is of the game {strange.config.game}, the base of {base.game}",
            key="game",
            value=strange.config.game,
            expected=f'variants of "{base.game}"',
        )
    folder = None if out is None else Path(out)
    if folder is None:
        return _compared(_Asked(base, base_name, variants, study, refused), None, how)
    with resumable(folder), held(folder, study, base_name, base, variants, replace=replace):
        result = _compared(_Asked(base, base_name, variants, study, refused), folder / POINTS, how)
        with disk_errors(folder):
            write_text(folder / COMPARISON_FILE, result.text())
    return result


@dataclass(frozen=True)
class _Asked:
    """What is to be compared."""

    base: Config
    base_name: str
    variants: Sequence[Variant]
    study: str
    refused: Sequence[tuple[dict[str, str], str]]

    @property
    def configs(self) -> list[Config]:
        """The base, then the variants."""
        return [self.base, *(one.config for one in self.variants)]

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [self.base_name, *(one.name for one in self.variants)]


def _compared(asked: _Asked, points: Path | None, how: How) -> Comparison:
    base = asked.base
    first, *sides = _sides(asked, points, how)
    effects = paired_effects(first, sides)
    partings = _partings(asked, how)
    results = [
        VariantResult(
            one.name,
            one.kind,
            dict(one.labels or {}),
            [ChangedKey(c.key, c.before, c.after) for c in one.changes],
            one.config.digest(),
            one.config.run.seed,
            found,
            partings.get(number),
            identical(first, side),
        )
        for number, (one, found, side) in enumerate(zip(asked.variants, effects, sides, strict=True))
    ]
    entry = game(base.game)
    headline = [name for name in entry.metrics.headline(base) if name in first.estimators]
    return Comparison(
        asked.study,
        base.game,
        asked.base_name,
        base.digest(),
        base.players,
        base.run.seed,
        base.run.games,
        len(cut(base.run.games, base.run.detail_every)),
        headline,
        results,
        asked.refused,
        made_with(base),
        base.seating,
    )


def _sides(asked: _Asked, points: Path | None, how: How) -> list[Side]:
    """The base and every variant, played."""
    steps, found = Steps(how.get("progress"), len(asked.configs)), []
    for number, (config, name) in enumerate(zip(asked.configs, asked.names, strict=True)):
        steps.begin(name, number, config=config)
        found.append(play_point(config, points, **steps.of(how)).side())
    return found


def _partings(asked: _Asked, how: How) -> dict[int, Parting]:
    """When the rows of every variant part from those of the base, by its number; missing where the seats or the
    seed differ: then no deal is shared.
    """
    base = asked.base
    games = min(PARTING_GAMES, base.run.games)
    alike = (base.players, base.run.seed)
    beside = [i for i, one in enumerate(asked.variants) if (one.config.players, one.config.run.seed) == alike]
    finest = game(base.game).grains[-1]
    rows: Columns = {}
    found: dict[int, Parting] = {}

    def took(number: int, outcome: Outcome) -> None:
        nonlocal rows
        if number < 0:
            rows = outcome.rows[finest.name]
        else:
            most = max(finest.most(base), finest.most(asked.variants[number].config))
            found[number] = Parting.of(rows, outcome.rows[finest.name], games, most)

    how = {"executor": how.get("executor"), "stop": how.get("stop")}
    for numbers in ([-1], beside):
        configs = [base if number < 0 else asked.variants[number].config for number in numbers]
        pieces = (
            Piece(config, ((0, games),), finest.name, key=number)
            for number, config in zip(numbers, configs, strict=True)
        )
        play_each(pieces, len(numbers), took, base.run.threads, **how)
    return found


def with_relevance(comparison: Comparison, base: Config, said: Mapping[str, float], sort: str = "") -> Comparison:
    """The comparison with the smallest differences that matter, the game's own and over them those that were `said`,
    and with what its tables are sorted by. Raises ConfigError, as `check_relevance` does.
    """
    own = replace(comparison, relevant=game(base.game).metrics.relevant(base))
    return judged(own, said, sort) if said or sort else own


def judged(comparison: Comparison, said: Mapping[str, float], sort: str = "") -> Comparison:
    """The comparison with other smallest differences that matter, and sorted otherwise. Raises ConfigError."""
    known = {effect.metric for one in comparison.variants for effect in one.effects}
    check_relevance(comparison.game, known, said, sort)
    return replace(comparison, relevant={**comparison.relevant, **said}, sort=sort)


def check_relevance(game_name: str, known: Collection[str], said: Mapping[str, float], sort: str) -> None:
    """Raise ConfigError for a metric that is none of the known ones, and for a difference that is not above 0."""
    for option, names in (("--relevant", list(said)), ("--sort", [sort] if sort not in ("", BY_RELEVANCE) else [])):
        for name in names:
            if name not in known:
                raise ConfigError(
                    f'"{name}" is no metric of {game_name} that has a value here',
                    file=option,
                    key=option,
                    value=name,
                    expected="a metric that `numbluff check --list-metrics` prints",
                    nearest=nearest_name(name, known),
                )
    for name, smallest in said.items():
        if not (math.isfinite(smallest) and smallest > 0):
            raise ConfigError(
                f"{smallest} is no smallest difference of {name} that matters",
                file="--relevant",
                key=name,
                value=smallest,
                expected="a number above 0 in the metric's unit (a share: 0.01 for one point)",
            )


def named_variants(
    base: Config, origin: Origin, names: Sequence[str], settings: Sequence[dict[str, Any]], run: dict[str, Any]
) -> list[Variant]:
    """Variants by name (files, presets) and those made of the base by settings (dotted keys). `run`: overrides laid
    over all. Raises ConfigError.
    """
    found = [
        variant(base, _origin(base, name, run).load(), Path(name).stem if name.endswith(".toml") else name)
        for name in names
    ]
    found += [set_apart(base, origin.load(changes), changes) for changes in settings]
    return numbered(found)


def numbered(found: Sequence[Variant]) -> list[Variant]:
    """The variants, those whose name is taken with a number behind it."""
    taken: dict[str, int] = {}
    result = []
    for one in found:
        taken[one.name] = taken.get(one.name, 0) + 1
        number = taken[one.name]
        labels = None if one.labels is None else {key: f"{text} ({number})" for key, text in one.labels.items()}
        result.append(
            one if number == 1 else Variant(f"{one.name} ({number})", one.config, one.changes, one.kind, labels)
        )
    return result


def _origin(base: Config, name: str, run: dict[str, Any]) -> Origin:
    """A variant by name; a preset is one of the base's game."""
    origin = Origin.named(name, run)
    return origin if origin.source is not None else Origin.named(name, {**run, "game": base.game})


def listed(base: Config, origin: Origin, which: str, only: Sequence[str] = ()) -> Listed:
    """The game's "rulings" (every alternative against the base's answer) or "knockouts" (cards, families, rules out),
    one at a time.

    `only` keeps some kinds: names of rulings, or "card", "family", "rule". Raises ConfigError for one that is none.
    """
    game_changes = game(base.game).changes
    changes = game_changes.rulings(base) if which == "rulings" else game_changes.knockouts(base)
    known = list(dict.fromkeys(change.kind for change in changes))
    for name in only:
        if name not in known:
            raise ConfigError(
                f'"{name}" is none of the {which}',
                file="--only",
                key="--only",
                value=name,
                expected=one_of(known),
                nearest=nearest_name(name, known),
            )
    variants: list[Variant] = []
    refused: list[tuple[dict[str, str], str]] = []
    for change in changes:
        labels = {"en": change.label.en, "fr": change.label.fr}
        if only and change.kind not in only:
            continue
        try:
            variants.append(variant(base, origin.load(change.overrides), change.name, kind=change.kind, labels=labels))
        except ConfigError as error:
            refused.append((labels, str(error)))
    return variants, refused
