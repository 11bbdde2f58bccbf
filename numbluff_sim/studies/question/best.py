"""What was found as files: a configuration, and its targets as a baseline for `numbluff check`."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.statistics.verdicts import Margin, rounded_up
from numbluff_sim.analysis.studies.question.points import changed
from numbluff_sim.analysis.studies.question.targets import Judged
from numbluff_sim.config.loading import DEFAULT_PRESET, said
from numbluff_sim.contract.registry import game
from numbluff_sim.i18n.catalogue import LANGUAGES
from numbluff_sim.studies.question.asked import Question

#: The file of the targets.
TARGETS = "targets.toml"
#: A check's half-widths are at most the distance to a target's end over this; games at most.
ROOM, MOST_CHECK_GAMES = 2, 10**8


def configuration_text(question: Question, values: Mapping[str, Any], folder: Path, comment: str) -> str:
    """A configuration file in `folder`: the base of a question and the values of its axes that differ."""
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment(comment))
    changes = {**question.changes, **changed(values, question.base_values())}
    if question.given is not None:  # no file has its base: this one says all of it
        for key, value in said(question.config(changes)).items():
            if key != "run":
                document.add(key, tomlkit.item(value))
        return tomlkit.dumps(document)
    document.add(
        "base", tomlkit.item(os.path.relpath(question.source, folder) if question.source else question.base_name)
    )
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
    named = question.source is None and question.given is None
    preset = question.base_name if named else DEFAULT_PRESET
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
