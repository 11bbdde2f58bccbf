"""`compare`, `rulings` and `knockout` as functions: a base and its variants on the same deals, and what differs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.statistics.paired import identical, paired_effects
from numbluff_sim.analysis.studies.compare.result import (
    COMPARISON_FILE,
    Comparison,
    Parting,
    VariantResult,
)
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, nearest_name, one_of
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, write_text
from numbluff_sim.studies.compare.folder import POINTS, held
from numbluff_sim.studies.compare.points import cut, play_point
from numbluff_sim.studies.compare.variants import Origin, Variant, variant

#: Games whose rounds are held against each other to see when they part.
PARTING_GAMES = 4096
#: Told the number of the configuration being played (from 1), of how many, its name, its games done, its games, games a
#: second.
Report = Callable[[int, int, str, int, int, float], None]
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
    report: Report | None = None,
) -> Comparison:
    """Play a base and its variants on the same deals and measure every difference; with `out`, keep what was played and
    write comparison.json.

    A configuration already in `out` is not played again; `replace` puts this comparison in the place of another one
    there. Raises ConfigError (nothing to compare, other games), RunError, PointInterrupted.
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
        return _compared(base, base_name, variants, None, study, refused, report)
    with held(folder, study, base_name, base, variants, replace=replace):
        result = _compared(base, base_name, variants, folder / POINTS, study, refused, report)
        with disk_errors(folder):
            write_text(folder / COMPARISON_FILE, result.text())
    return result


def _compared(
    base: Config,
    base_name: str,
    variants: Sequence[Variant],
    points: Path | None,
    study: str,
    refused: Sequence[tuple[dict[str, str], str]],
    report: Report | None,
) -> Comparison:
    count = len(variants) + 1

    def reporting(number: int, name: str) -> Callable[[int, int, float], None] | None:
        return None if report is None else lambda done, games, rate: report(number, count, name, done, games, rate)

    first = play_point(base, points, reporting(1, base_name)).side()
    sides = [
        play_point(one.config, points, reporting(number, one.name)).side()
        for number, one in enumerate(variants, start=2)
    ]
    effects = paired_effects(first, sides)
    rounds = _round_rows(base)
    results = [
        VariantResult(
            one.name,
            one.kind,
            dict(one.labels or {}),
            [(c.key, c.before, c.after) for c in one.changes],
            one.config.digest(),
            one.config.run.seed,
            found,
            _parting(base, rounds, one.config),
            identical(first, side),
        )
        for one, found, side in zip(variants, effects, sides, strict=True)
    ]
    entry = game(base.game)
    headline = [name for name in entry.metrics.headline(base) if name in first.estimators]
    identity = provenance.identity(base, entry)
    return Comparison(
        study,
        base.game,
        base_name,
        base.digest(),
        base.players,
        base.run.seed,
        base.run.games,
        len(cut(base.run.games, base.run.detail_every)),
        headline,
        results,
        refused,
        {"code_digest": identity["code_digest"], "rules_version": identity["rules_version"], **provenance.versions()},
    )


def _round_rows(config: Config) -> dict[str, Any]:
    engine = game(config.game).engine(config)
    rows: dict[str, Any] = engine.play(0, min(PARTING_GAMES, config.run.games), engine.new_tally(), "rounds")["rounds"]
    return rows


def _parting(base: Config, rounds: dict[str, Any], config: Config) -> Parting | None:
    """None where the seats or the seed differ: then no deal is shared."""
    if (config.players, config.run.seed) != (base.players, base.run.seed):
        return None
    games = min(PARTING_GAMES, base.run.games)
    return Parting.of(rounds, _round_rows(config), games, max(base.rounds, config.rounds))


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
    found += [variant(base, origin.load(changes)) for changes in settings]
    taken: dict[str, int] = {}
    result = []
    for one in found:
        taken[one.name] = taken.get(one.name, 0) + 1
        number = taken[one.name]
        result.append(
            one if number == 1 else Variant(f"{one.name} ({number})", one.config, one.changes, one.kind, one.labels)
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
