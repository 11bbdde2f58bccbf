"""The files of a search: the tuned configuration, its targets as a baseline for `check`, the trials, what was found
as JSON, the page.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.report.page import csv_text, render
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.statistics.verdicts import Margin, rounded_up
from numbluff_sim.analysis.studies.question.targets import Judged
from numbluff_sim.analysis.studies.sweep.result import changed
from numbluff_sim.analysis.studies.tune.page import tune_page
from numbluff_sim.analysis.studies.tune.result import Confirmation, Tuned, trial_rows
from numbluff_sim.config.loading import DEFAULT_PRESET
from numbluff_sim.contract.registry import game
from numbluff_sim.i18n.catalogue import LANGUAGES
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, json_text, write_text
from numbluff_sim.studies.question.file import Question
from numbluff_sim.studies.tune.folder import RESULT, TARGETS, TRIALS, TUNED
from numbluff_sim.studies.tune.study import Tune

#: A check's half-widths are at most the distance to a target's end over this; games at most.
ROOM, MOST_CHECK_GAMES = 2, 10**8


def write_files(tune: Tune, found: Tuned, folder: Path, language: str, command: str) -> Path:
    """Write all files, tuned.toml and targets.toml where the targets are met (those of an earlier search go). The
    page's path. Raises RunError.
    """
    base = tune.question.base
    identity = provenance.identity(base, game(base.game))
    made_with = {
        "code_digest": identity["code_digest"],
        "rules_version": identity["rules_version"],
        **provenance.versions(),
    }
    texts = {
        RESULT: json_text(found.to_json()),
        TRIALS: csv_text(trial_rows(found)),
    }
    if found.winner is not None:
        texts[TUNED] = tuned_text(tune, found.winner, folder)
        texts[TARGETS] = targets_text(tune, found, found.winner)
    with disk_errors(folder):
        for name in (TUNED, TARGETS):
            (folder / name).unlink(missing_ok=True)
        for name, text in texts.items():
            write_text(folder / name, text)
        render(tune_page(found, base.game, base.players, language, command, made_with)).write(folder)
    return folder / "index.html"


def tuned_text(tune: Tune, winner: Confirmation, folder: Path) -> str:
    """The winner as a configuration file: the base and what changes."""
    name = Path(tune.question.origin).name
    return configuration_text(
        tune.question,
        winner.reached.point.values,
        folder,
        f"Found by numbluff tune from {name}: the smallest change that meets its targets.",
    )


def targets_text(tune: Tune, found: Tuned, winner: Confirmation) -> str:
    """The targets as a baseline, measured on the tuned configuration; as many games as settle all of them with room."""
    return baseline_text(tune.question, winner.judgement.targets, winner.games, winner.seed, found.targets.alpha, TUNED)


def configuration_text(question: Question, values: Mapping[str, Any], folder: Path, comment: str) -> str:
    """A configuration file in `folder`: the base of a question and the values of its axes that differ."""
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment(comment))
    document.add(
        "base", tomlkit.item(os.path.relpath(question.source, folder) if question.source else question.base_name)
    )
    changes = {**question.changes, **changed(values, question.base_values())}
    nested: dict[str, Any] = {}
    for key, value in changes.items():
        *above, last = key.split(".")
        here = nested
        for step in above:
            here = here.setdefault(step, {})
        here[last] = value
    for key in sorted(nested, key=lambda key: isinstance(nested[key], dict)):  # plain keys stand above tables
        document.add(key, tomlkit.item(nested[key]))
    return tomlkit.dumps(document)


def baseline_text(
    question: Question, judged: Sequence[Judged], games: int, seed: int, alpha: float, configuration: str
) -> str:
    """Targets as a baseline for the file `configuration`, as they were `judged` on it after `games` games; more
    games where these settle less.
    """
    import tomlkit

    base = question.base
    document = tomlkit.document()
    document.add(
        tomlkit.comment(
            f"The targets of {Path(question.origin).name}: numbluff check --config {configuration} --baseline {TARGETS}"
        )
    )
    document.add("game", tomlkit.item(base.game))
    document.add("check", tomlkit.item({"games": _check_games(judged, games), "seed": seed, "family_alpha": alpha}))
    claims = tomlkit.aot()
    words = game(base.game).words
    preset = question.base_name if question.source is None else DEFAULT_PRESET
    for one in judged:
        claim = tomlkit.table()
        ends = {
            name: value
            for name, value in (("low", one.target.range.low), ("high", one.target.range.high))
            if math.isfinite(value)
        }
        text, margin = tomlkit.inline_table(), tomlkit.inline_table()
        text.update({language: words.metric_label(one.metric, language) for language in LANGUAGES})
        margin.update(ends)
        claim.update({"id": one.metric, "source": "target", "text": text, "preset": preset})
        claim.update({"metric": one.metric, "margin": margin, "expected": "holds"})
        claims.append(claim)
    document.add("claims", claims)
    return tomlkit.dumps(document)


def _check_games(judged: Sequence[Judged], games: int) -> int:
    """Games of a check: those played, or enough for its intervals to stay inside at another seed."""
    needed = [_needed(one.estimate, one.target.range) for one in judged]
    return min(max(games, *needed), max(MOST_CHECK_GAMES, games))


def _needed(estimate: Estimate, margin: Margin) -> int:
    """Games at which the half-width is 1/ROOM of the distance to the nearer end: it falls with the root of the
    games.
    """
    half = max(estimate.value - estimate.low, estimate.high - estimate.value)
    distance = min(estimate.value - margin.low, margin.high - estimate.value)
    return rounded_up(estimate.games * (ROOM * half / distance) ** 2) if distance > 0 and math.isfinite(half) else 0
