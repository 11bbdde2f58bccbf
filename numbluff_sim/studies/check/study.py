"""`numbluff check` as a function: the claims of a baseline against fresh runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from numbluff_sim.analysis.metrics.measured import MeasuredRun, estimators_of
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.paired import Replicates, Side, paired_difference
from numbluff_sim.analysis.statistics.sequential import spent
from numbluff_sim.analysis.studies.check.baselines import (
    check_names,
    claim_config,
    load_baseline,
    written_baseline,
)
from numbluff_sim.analysis.studies.check.claims import Claim, judge
from numbluff_sim.analysis.studies.check.result import Checked
from numbluff_sim.config import Config, load
from numbluff_sim.config.loading import DEFAULT_PRESET
from numbluff_sim.contract.registry import DEFAULT_GAME, game
from numbluff_sim.errors import shown_value
from numbluff_sim.run.progress import Steps
from numbluff_sim.studies.check.asked import ClaimChanges, asked_of
from numbluff_sim.studies.played_in_groups import play_point

if TYPE_CHECKING:
    from numbluff_sim.run.playing import How


def run_check(
    baseline: str | os.PathLike[str] | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    look: int = 1,
    **how: Unpack[How],
) -> Checked:
    """Play what the claims of a baseline are measured with, each configuration once, and judge them.

    `config` (a file), `preset` and `overrides` change what every claim is measured with: the rest stands over the
    claim's preset, below what the claim itself fixes. `run.games`, `run.seed` and `run.threads` count in `overrides`
    alone. `look`: the how manyth time these claims are looked at; a later look spends less of the chance of error, so
    that all together spend what the baseline allows. Raises ConfigError before anything is played.
    """
    book, origin, change = asked_of(baseline, config, preset, overrides)
    run = {"run.games": book.check.games, "run.seed": book.check.seed, **change.run}
    configs = [
        claim_config(claim, origin, game_name=book.game, preset=change.preset, overrides=change.overrides, run=run)
        for claim in book.claims
    ]
    others = [
        claim_config(
            claim,
            origin,
            game_name=book.game,
            preset=change.preset,
            overrides=change.overrides,
            run=run,
            subtracted=True,
        )
        if claim.minus_overrides
        else None
        for claim in book.claims
    ]
    for claim, its_config in zip(book.claims, configs, strict=True):
        check_names(book, origin, claim, game(its_config.game).metrics.known(its_config))
    played = _played(list(zip(book.claims, configs, others, strict=True)), how)
    measured = [
        played[config.digest()].estimators if other is None else _paired(claim, played, config, other)
        for claim, config, other in zip(book.claims, configs, others, strict=True)
    ]
    verdicts = judge(book.claims, measured, spent(book.check.family_alpha, look))
    seatings = {str(its_config.seating): its_config.seating for its_config in [*configs, *filter(None, others)]}
    its_run = configs[0].run
    return Checked(book, origin, its_run.games, its_run.seed, len(played), verdicts, look, tuple(seatings.values()))


def baseline_text(
    *,
    config: str | os.PathLike[str] | None = None,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> str:
    """A baseline file that records what a configuration measures today. Raises ConfigError."""
    change = ClaimChanges.of(config, preset, overrides, DEFAULT_GAME)
    game_name = change.game or DEFAULT_GAME
    settings = load_baseline(game_name=game_name)[0].check
    settings = settings.model_copy(
        update={
            key.removeprefix("run."): value for key, value in change.run.items() if key in ("run.games", "run.seed")
        }
    )
    name = change.preset or DEFAULT_PRESET
    run = {**change.run, "run.games": settings.games, "run.seed": settings.seed}
    chosen = load(preset=name, overrides={**change.overrides, **run, "game": game_name})
    measured = _play(chosen, Steps(how.get("progress"), 1), 0, name, how)
    names = game(chosen.game).metrics.baseline
    return written_baseline(
        measured, names, game_name=chosen.game, preset=name, overrides=change.overrides, settings=settings
    )


def _played(sides: Sequence[tuple[Claim, Config, Config | None]], how: How) -> dict[str, Side]:
    """Each configuration by digest, played once; in groups where it is held against another on the same deals."""
    different: dict[str, tuple[str, Config]] = {}
    paired: dict[str, set[str]] = {}
    for claim, config, other in sides:
        different.setdefault(config.digest(), (_named(claim, claim.overrides), config))
        if other is not None:
            different.setdefault(other.digest(), (_named(claim, {**claim.overrides, **claim.minus_overrides}), other))
            for one in (config, other):
                paired.setdefault(one.digest(), set()).add(str(claim.metric))
    result: dict[str, Side] = {}
    steps = Steps(how.get("progress"), len(different))
    for number, (digest, (name, config)) in enumerate(different.items()):
        if digest in paired:
            steps.begin(name, number, config=config)
            result[digest] = play_point(config, only=paired[digest], **steps.of(how)).side()
            steps.end()
        else:
            found = _play(config, steps, number, name, how)
            result[digest] = Side(Replicates((), np.zeros(0), np.zeros((0, 0))), found, digest)
    return result


def _named(claim: Claim, fixed: Mapping[str, Any]) -> str:
    said = ", ".join(f"{key} = {shown_value(value)}" for key, value in fixed.items())
    return claim.preset + (f" ({said})" if said else "")


def _paired(claim: Claim, played: Mapping[str, Side], config: Config, other: Config) -> dict[str, Estimator]:
    name = str(claim.metric)
    return {name: paired_difference(played[other.digest()], played[config.digest()], name)}


def _play(config: Config, steps: Steps, number: int, name: str, how: How) -> Mapping[str, Estimator]:
    from numbluff_sim.run.playing import simulate_tally  # loads the kernels

    steps.begin(name, number, config=config)
    found = estimators_of(MeasuredRun(config, simulate_tally(config, **steps.of(how))))
    steps.end()
    return found
