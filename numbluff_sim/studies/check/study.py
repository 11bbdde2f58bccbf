"""`numbluff check` as a function: the claims of a baseline against fresh runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from numbluff_sim.analysis.metrics.measured import MeasuredRun, estimators_of
from numbluff_sim.analysis.statistics.estimates import Estimator
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
from numbluff_sim.studies.check.file import ClaimChanges, asked_of

#: Told before a configuration is played: its number (from 1), of how many, what it is called, its configuration.
Announce = Callable[[int, int, str, Config], None]


def run_check(
    baseline: str | os.PathLike[str] | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    announce: Announce | None = None,
) -> Checked:
    """Play what the claims of a baseline are measured with, each configuration once, and judge them.

    `config` (a file), `preset` and `overrides` change what every claim is measured with: the rest stands over the
    claim's preset, below what the claim itself fixes. `run.games`, `run.seed` and `run.threads` count in `overrides`
    alone. Raises ConfigError before anything is played.
    """
    book, origin, change = asked_of(baseline, config, preset, overrides)
    run = {"run.games": book.check.games, "run.seed": book.check.seed, **change.run}
    configs = [
        claim_config(claim, origin, game_name=book.game, preset=change.preset, overrides=change.overrides, run=run)
        for claim in book.claims
    ]
    for claim, its_config in zip(book.claims, configs, strict=True):
        check_names(book, origin, claim, game(its_config.game).metrics.known(its_config))
    measured = _measured(book.claims, configs, announce)
    verdicts = judge(book.claims, [measured[its_config.digest()] for its_config in configs], book.check.family_alpha)
    return Checked(book, origin, configs[0].run.games, configs[0].run.seed, len(measured), verdicts)


def baseline_text(
    *,
    config: str | os.PathLike[str] | None = None,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    announce: Announce | None = None,
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
    measured = _play(chosen, announce, 1, 1, name)
    names = game(chosen.game).metrics.baseline
    return written_baseline(
        measured, names, game_name=chosen.game, preset=name, overrides=change.overrides, settings=settings
    )


def _measured(
    claims: tuple[Claim, ...], configs: list[Config], announce: Announce | None
) -> dict[str, Mapping[str, Estimator]]:
    """The metrics of each configuration by digest, every configuration played once."""
    different = {
        config.digest(): (claim, config) for claim, config in reversed(list(zip(claims, configs, strict=True)))
    }
    result: dict[str, Mapping[str, Estimator]] = {}
    for number, (digest, (claim, config)) in enumerate(reversed(different.items()), start=1):
        fixed = ", ".join(f"{key} = {shown_value(value)}" for key, value in claim.overrides.items())
        result[digest] = _play(
            config, announce, number, len(different), claim.preset + (f" ({fixed})" if fixed else "")
        )
    return result


def _play(config: Config, announce: Announce | None, number: int, of: int, name: str) -> Mapping[str, Estimator]:
    from numbluff_sim.run.runner import simulate_tally  # loads the kernels

    if announce is not None:
        announce(number, of, name, config)
    return estimators_of(MeasuredRun(config, simulate_tally(config)))
