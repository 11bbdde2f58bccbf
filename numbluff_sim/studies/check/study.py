"""`numbluff check` as a function: the claims of a baseline against fresh runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.verdicts import Status
from numbluff_sim.analysis.studies.check.baselines import (
    Baseline,
    MeasuredRun,
    check_names,
    claim_config,
    estimators_of,
    load_baseline,
    written_baseline,
)
from numbluff_sim.analysis.studies.check.claims import Claim, Verdict, judge
from numbluff_sim.config import Config, load
from numbluff_sim.config.loading import DEFAULT_PRESET, file_chain
from numbluff_sim.contract.registry import DEFAULT_GAME, game
from numbluff_sim.errors import ConfigError, shown_value

AS_EXPECTED, AGAINST, INCONCLUSIVE = 0, 1, 3
#: Told before a configuration is played: its number (from 1), of how many, what it is called, its configuration.
Announce = Callable[[int, int, str, Config], None]


@dataclass(frozen=True)
class Change:
    """What a user changes in all claims: a preset in the place of theirs, and overrides laid over it. `game`: the
    one that is asked for by name.
    """

    game: str | None
    preset: str | None
    overrides: Mapping[str, Any]
    run: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        config: str | os.PathLike[str] | None,
        preset: str | None,
        overrides: Mapping[str, Any] | None,
        usual_game: str,
    ) -> Change:
        """Read a configuration file: what it and its bases say goes over each claim's preset. `usual_game`: what it is
        about if nobody says so.

        Raises ConfigError.
        """
        given = dict(overrides or {})
        files, base, _ = file_chain(Path(config)) if config is not None else ([], preset, None)
        named = next((data["game"] for data in (given, *(data for data, _ in files)) if "game" in data), None)
        load(
            config, preset=preset, overrides={"game": named or usual_game, **given}
        )  # refuses what is wrong, naming the file
        said: dict[str, Any] = {}
        for data, _ in reversed(files):
            said.update(flattened(data))
        said.update(given)
        said.pop("game", None)
        run = {key: said.pop(key) for key in list(said) if key.startswith("run.")}
        return cls(
            named,
            None if base == DEFAULT_PRESET else base,
            said,
            {key: run[key] for key in run if key in given and key != "run.rows"},
        )


def flattened(data: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Nested tables as dotted keys; the game's name aside."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            flat.update(flattened(value, f"{above}{key}."))
        elif above or key != "game":
            flat[f"{above}{key}"] = value
    return flat


@dataclass(frozen=True)
class Checked:
    """The outcome of a check."""

    baseline: Baseline
    origin: str
    games: int
    seed: int
    configurations: int
    verdicts: list[Verdict]

    @property
    def exit_code(self) -> int:
        """1: a verdict is decided against what the baseline records; else 3: one is inconclusive; else 0."""
        if any(verdict.against for verdict in self.verdicts):
            return AGAINST
        return INCONCLUSIVE if any(verdict.status is Status.INCONCLUSIVE for verdict in self.verdicts) else AS_EXPECTED

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "baseline": self.origin,
            "game": self.baseline.game,
            "games": self.games,
            "seed": self.seed,
            "configurations": self.configurations,
            "family_alpha": self.baseline.check.family_alpha,
            "procedure": "Holm",
            "exit_code": self.exit_code,
            "claims": [verdict.to_json() for verdict in self.verdicts],
        }

    def junit(self) -> str:
        """JUnit XML: a test case a claim; decided against expectation is a failure, inconclusive an error."""
        counts = {
            "tests": len(self.verdicts),
            "failures": sum(v.against for v in self.verdicts),
            "errors": sum(v.status is Status.INCONCLUSIVE for v in self.verdicts),
        }
        suite = ET.Element(
            "testsuite",
            {"name": f"numbluff check, {self.origin}", **{key: str(value) for key, value in counts.items()}},
        )
        for verdict in self.verdicts:
            case = ET.SubElement(
                suite,
                "testcase",
                {"classname": f"{self.baseline.game}.{verdict.claim.preset}", "name": verdict.claim.id},
            )
            if verdict.against:
                ET.SubElement(
                    case, "failure", {"message": f"{verdict.status}, expected {verdict.claim.expected}"}
                ).text = in_words(verdict)
            elif verdict.status is Status.INCONCLUSIVE:
                ET.SubElement(case, "error", {"message": "inconclusive"}).text = in_words(verdict)
            else:
                ET.SubElement(case, "system-out").text = in_words(verdict)
        ET.indent(suite)
        return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


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
    book, origin, change = _asked(baseline, config, preset, overrides)
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


def _asked(
    baseline: str | os.PathLike[str] | None,
    config: str | os.PathLike[str] | None,
    preset: str | None,
    overrides: Mapping[str, Any] | None,
) -> tuple[Baseline, str, Change]:
    """The baseline of the game that is asked for, or of the one that the baseline's file is about. Raises
    ConfigError.
    """
    source = None if baseline is None else Path(baseline)
    if source is not None and source.suffix == ".toml":
        book, origin = load_baseline(source)
        change = Change.of(config, preset, overrides, book.game)
    else:
        change = Change.of(config, preset, overrides, DEFAULT_GAME)
        book, origin = load_baseline(source, game_name=change.game or DEFAULT_GAME)
    if change.game not in (None, book.game):
        raise ConfigError(
            f'the claims are about the game "{book.game}"',
            file=origin,
            key="game",
            value=book.game,
            expected=f'a baseline of "{change.game}", the game asked for',
        )
    return book, origin, change


def baseline_text(
    *,
    config: str | os.PathLike[str] | None = None,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    announce: Announce | None = None,
) -> str:
    """A baseline file that records what a configuration measures today. Raises ConfigError."""
    change = Change.of(config, preset, overrides, DEFAULT_GAME)
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


def in_words(verdict: Verdict) -> str:
    """A verdict as one line: what was measured, on how much, against which margin."""
    estimate, margin = verdict.estimate, verdict.claim.range
    text = (
        f"{estimate.name} = {estimate.value:.6g}, interval {estimate.low:.6g} to {estimate.high:.6g} "
        f"(alpha {estimate.alpha:.3g}, {estimate.method}, n = {estimate.n} {estimate.denominator}), "
        f"margin {margin.low:g} to {margin.high:g}: {verdict.status}, expected {verdict.claim.expected}"
    )
    return text + (f"; about {verdict.games_to_settle} games would settle it" if verdict.games_to_settle else "")
