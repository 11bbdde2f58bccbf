"""Baseline files: claims in TOML with the verdicts expected of them (docs/BASELINES.md)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from numbluff_sim.analysis.metrics.measured import estimators_of
from numbluff_sim.analysis.metrics.personas import expected_metric
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import difference
from numbluff_sim.analysis.studies.check.claims import Claim, Verdict, judge
from numbluff_sim.config import Config, Section, load
from numbluff_sim.config.loading import read_toml
from numbluff_sim.config.merge import Layers
from numbluff_sim.config.messages import refusal
from numbluff_sim.contract.game import RunLike
from numbluff_sim.contract.registry import DEFAULT_GAME, game
from numbluff_sim.errors import ConfigError, nearest_name, one_of

DEFAULT_BASELINE = "documented"


class CheckSettings(Section):
    """How a check is run: games of every configuration, seed, and the chance that any verdict of the ledger is
    wrong.
    """

    games: int = Field(4_000_000, ge=2, le=10**11)
    seed: int = Field(1, ge=0, le=2**63 - 1)
    family_alpha: float = Field(0.01, gt=0, lt=1)


class Baseline(Section):
    """A baseline file."""

    game: str = DEFAULT_GAME
    check: CheckSettings = Field(default_factory=CheckSettings)
    claims: tuple[Claim, ...] = Field(strict=False, min_length=1)

    @model_validator(mode="after")
    def _ids_once(self) -> Self:
        ids = [claim.id for claim in self.claims]
        twice = next((name for name in ids if ids.count(name) > 1), None)
        if twice is not None:
            raise ConfigError(
                f'two claims have the id "{twice}"',
                key="claims",
                value=twice,
                expected="an id of its own for every claim",
            )
        return self


def load_baseline(source: str | Path | None = None, *, game_name: str = DEFAULT_GAME) -> tuple[Baseline, str]:
    """Read and check a baseline: a TOML file, or the name of one shipped with the game ("documented" if none is given).
    Also how errors call it.

    A file says itself which game it is about. Raises ConfigError.
    """
    name = DEFAULT_BASELINE if source is None else str(source)
    shipped = shipped_baselines(game_name)
    if name in shipped:
        origin = f"baseline {name}"
        data = tomllib.loads((_folder(game_name) / f"{name}.toml").read_text(encoding="utf-8"))
    elif not name.endswith(".toml") and not Path(name).exists():
        raise ConfigError(
            f'"{name}" is not a baseline',
            key="baseline",
            value=name,
            expected=f"{one_of(shipped)} or the path of a .toml file",
            nearest=nearest_name(name, shipped),
        )
    else:
        origin, data = name, read_toml(Path(name))
    return _validated(data, origin), origin


def shipped_baselines(game_name: str = DEFAULT_GAME) -> list[str]:
    """Names of the baselines that come with a game."""
    return sorted(
        file.name.removesuffix(".toml") for file in _folder(game_name).iterdir() if file.name.endswith(".toml")
    )


def check_names(baseline: Baseline, origin: str, claim: Claim, known: Iterable[str]) -> None:
    """Refuse metrics that a claim's configuration does not have. Raises ConfigError."""
    names = list(known)
    for name in claim.metrics:
        if name not in names:
            at = baseline.claims.index(claim)
            raise ConfigError(
                f'claim {claim.id}: "{name}" is not a metric',
                file=origin,
                key=f"claims[{at}].metric",
                value=name,
                expected=expected_metric(names),
                nearest=nearest_name(name, names),
            )


def _folder(game_name: str) -> Any:
    return game(game_name).files / "baselines"


def _validated(data: Mapping[str, Any], origin: str) -> Baseline:
    layers = Layers({})
    layers.add(dict(data), origin)
    try:
        baseline = Baseline.model_validate(layers.data)
        game(baseline.game, file=origin)
    except ValidationError as error:
        raise refusal(error, Baseline, layers, origin) from None
    except ConfigError as error:
        error.file = error.file or origin
        raise
    return baseline


def claim_config(
    claim: Claim,
    origin: str,
    *,
    game_name: str = DEFAULT_GAME,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    run: Mapping[str, Any] | None = None,
    subtracted: bool = False,
) -> Config:
    """What a claim about a game is measured with: its preset (or `preset`), then `overrides`, then what the claim
    itself fixes, then `run` settings. `subtracted`: the other side of a claim with `minus_overrides`.

    Raises ConfigError.
    """
    fixed = dict(claim.overrides) if claim.players is None else {"table.players": claim.players, **claim.overrides}
    if subtracted:
        fixed |= claim.minus_overrides
    try:
        return load(
            preset=preset or claim.preset, overrides={**(overrides or {}), **fixed, **(run or {}), "game": game_name}
        )
    except ConfigError as error:
        if error.key in fixed or (error.key == "preset" and preset is None):
            error.file = f"{origin}, claim {claim.id}"
        raise


def difference_of(claim: Claim, first: Mapping[str, Estimator], other: Mapping[str, Estimator]) -> dict[str, Estimator]:
    """The metric of a claim with `minus_overrides`, from two runs of which nothing is known but their intervals."""
    name = str(claim.metric)
    return {name: difference(name, first[name], other[name])}


def ledger(runs: Sequence[RunLike[Config]], baseline: Baseline | None = None) -> tuple[list[Verdict], list[Claim]]:
    """The verdicts of a baseline ("documented" if none is given) on runs already played, and the claims that no run
    among them measures.

    A run measures a claim when it has the claim's very configuration, whatever its games and seed; a claim about what
    keys change takes two, whose difference is the box of their intervals: that runs share deals is not asked.
    """
    book = load_baseline()[0] if baseline is None else baseline
    by_rules = {_rules(run.config): run for run in reversed(runs)}
    measured: dict[int, Mapping[str, Estimator]] = {}
    found: list[tuple[Claim, Mapping[str, Estimator]]] = []
    missing: list[Claim] = []
    for claim in book.claims:
        sides = (False, True) if claim.minus_overrides else (False,)
        needed = [
            by_rules.get(_rules(claim_config(claim, "baseline", game_name=book.game, subtracted=s))) for s in sides
        ]
        there = [run for run in needed if run is not None]
        if len(there) < len(needed):
            missing.append(claim)
            continue
        for run in there:
            if id(run) not in measured:
                measured[id(run)] = estimators_of(run)
        first, *other = (measured[id(run)] for run in there)
        found.append((claim, difference_of(claim, first, other[0]) if other else first))
    return judge([claim for claim, _ in found], [metrics for _, metrics in found], book.check.family_alpha), missing


def _rules(config: Config) -> str:
    return json.dumps({key: value for key, value in config.resolved().items() if key != "run"}, sort_keys=True)


def written_baseline(
    measured: Mapping[str, Estimator],
    names: Sequence[str],
    *,
    game_name: str,
    preset: str,
    overrides: Mapping[str, Any],
    settings: CheckSettings,
) -> str:
    """A baseline in TOML that records today's values.

    The margins are `WIDER` times each metric's simultaneous half-width, at least `LEAST` of the value, either side.
    """
    import tomlkit

    document = tomlkit.document()
    document.add("game", tomlkit.item(game_name))
    document.add("check", tomlkit.item(settings.model_dump()))
    claims = tomlkit.aot()
    for name in names:
        if name not in measured or not measured[name].at(settings.family_alpha).defined:
            continue
        low, high = _margin(measured[name], settings.family_alpha / len(names))
        claim = tomlkit.table()
        claim.update({"id": name, "source": "measured", "text": tomlkit.inline_table()})
        claim["text"].update({"en": f"{name} stays what it was"})
        claim["preset"] = preset
        if overrides:
            claim["overrides"] = tomlkit.inline_table()
            claim["overrides"].update(dict(overrides))
        claim["metric"] = name
        claim["margin"] = tomlkit.inline_table()
        claim["margin"].update({"low": low, "high": high})
        claim["expected"] = "holds"
        claims.append(claim)
    document.add("claims", claims)
    return tomlkit.dumps(document)


#: A margin is this many half-widths of today's interval (its own scatter, that of the next run, and the next interval
#: need about 2.5) ...
WIDER = 3.0
#: ... and at least this share of the value.
LEAST = 0.05


def _margin(estimator: Estimator, alpha: float) -> tuple[float, float]:
    estimate = estimator.at(alpha)
    least = abs(estimate.value) * LEAST
    low = estimate.value - max(WIDER * (estimate.value - estimate.low), least)
    high = estimate.value + max(WIDER * (estimate.high - estimate.value), least)
    if estimate.unit == "share":
        low, high = max(low, 0.0), min(high, 1.0)
    return float(f"{low:.4g}"), float(f"{high:.4g}")
