"""The rates that a calibration is to reproduce."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.studies.check.baselines import Baseline, check_names, load_baseline
from numbluff_sim.analysis.studies.check.claims import Claim, Measured
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError


@dataclass(frozen=True)
class GivenRates:
    """The rates to be reproduced, each a claim with a margin of two ends; `left_out` says of every other claim of
    the file why it is none.
    """

    claims: tuple[Claim, ...]
    origin: str
    left_out: Mapping[str, str]

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics that the rates are made of."""
        return tuple(dict.fromkeys(name for claim in self.claims for name in claim.metrics))

    def parts(self, measured: Measured) -> list[Estimator]:
        """The measured rates, in the order of the claims."""
        return [claim.parts(measured)[0] for claim in self.claims]

    @property
    def halves(self) -> NDArray[np.float64]:
        """Half the width of every margin, (R,)."""
        return np.array([(claim.range.high - claim.range.low) / 2 for claim in self.claims])


def read_rates(source: str | None, config: Config) -> GivenRates:
    """The rates of a baseline (format: docs/BASELINES.md; None: "documented"): its claims on one metric (or a
    difference) with both ends of a margin.

    A claim's preset, expected verdict and source do not matter here; one that holds for other players or settings is
    left out. Raises ConfigError.
    """
    book, origin = load_baseline(source, game_name=config.game)
    if book.game != config.game:
        raise ConfigError(
            f'the rates are of the game "{book.game}"',
            file=origin,
            key="game",
            value=book.game,
            expected=f'rates of "{config.game}", the game of the configuration',
        )
    known = game(config.game).metrics.known(config)
    left_out: dict[str, str] = {}
    for claim in book.claims:
        reason = _unusable(claim, config)
        if reason:
            left_out[claim.id] = reason
        else:
            check_names(book, origin, claim, known)
    return GivenRates(_usable(book, left_out, origin), origin, left_out)


def _unusable(claim: Claim, config: Config) -> str:
    """Why a claim is no rate to be reproduced: a catalogue's key, or nothing."""
    if claim.order or not (math.isfinite(claim.range.low) and math.isfinite(claim.range.high)):
        return "one_sided"
    if claim.overrides or claim.minus_overrides:
        return "other_settings"
    return "other_players" if claim.players not in (None, config.players) else ""


def _usable(book: Baseline, left_out: Mapping[str, str], origin: str) -> tuple[Claim, ...]:
    claims = tuple(claim for claim in book.claims if claim.id not in left_out)
    if not claims:
        raise ConfigError(
            "no claim states a rate that can be reproduced",
            file=origin,
            key="claims",
            expected=(
                "at least one claim with a metric and a margin with low and high, without overrides, for this "
                "number of players"
            ),
        )
    flat = next((claim for claim in claims if claim.range.low == claim.range.high), None)
    if flat is not None:
        raise ConfigError(
            f"claim {flat.id}: no interval fits into a margin from {flat.range.low:g} to {flat.range.high:g}",
            file=origin,
            key="margin",
            expected="low below high",
        )
    return claims
