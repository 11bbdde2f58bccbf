"""The findings of a comparison: what each variant changes most, or how small all effects are."""

from __future__ import annotations

import math

from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.analysis.studies.compare.result import VariantResult
from numbluff_sim.analysis.studies.compare.words import ComparisonWords, headline, size
from numbluff_sim.config.compare import Difference, telling
from numbluff_sim.config.model import seating_of
from numbluff_sim.contract.registry import game
from numbluff_sim.encoding import as_json
from numbluff_sim.errors import shown_value

#: Effects that a finding names.
NAMED = 4
#: Standardised effects from which a finding is worth a look, and serious.
WORTH_A_LOOK, SERIOUS = 0.1, 0.5


def finding(words: ComparisonWords, one: VariantResult) -> FindingText:
    """The largest changes of a variant, or how small all are."""
    shown = headline(words.comparison, one)
    real = [effect for effect in shown if effect.real][:NAMED]
    largest = size(words.comparison, one)
    severity = 3 if largest >= SERIOUS else 2 if largest >= WORTH_A_LOOK else 1
    record = {"variant": one.name, "size": largest, "effects": as_json(real)}
    if real:
        first = real[0]
        title = words.text(
            "findings.changes",
            variant=words.variant(one),
            metric=words.metric(first.metric),
            change=words.from_to(first),
        )
        others = words.text("common.semicolon").join(
            words.named(e, f"{words.from_to(e)} ({words.change_told(e)})") for e in real[1:]
        )
        text = (words.text("findings.also", others=others) + " " if others else "") + words.text(
            "findings.count", real=sum(e.real for e in shown), all=len(shown)
        )
        return FindingText(
            f"variant_{one.name}", severity, title, text, words.evidence_of(real), _differing(words, one), record
        )
    if one.identical:
        title = words.text(
            "findings.identical", variant=words.variant(one), games=words.numbers.integer(words.comparison.games)
        )
        return FindingText(
            f"variant_{one.name}", 1, title, words.text("findings.identical_text"), "", _differing(words, one), record
        )
    known = [effect for effect in shown if math.isfinite(effect.largest)][:NAMED]
    bounds = words.text("common.semicolon").join(words.named(e, words.bound(e)) for e in known)
    title = words.text("findings.none", variant=words.variant(one))
    return FindingText(
        f"variant_{one.name}",
        1,
        title,
        words.text("findings.bounds", bounds=bounds),
        words.evidence_of(known),
        _differing(words, one),
        record,
    )


def _differing(words: ComparisonWords, one: VariantResult) -> str:
    found = telling([Difference(*change) for change in one.changes])
    changes = [
        f"{_side(words, change.key, change.before)} → {_side(words, change.key, change.after)} ({change.key})"
        for change in found
    ]
    return ", ".join(changes[:3]) + (" …" if len(changes) > 3 else "") if changes else words.text("findings.no_change")


def _side(words: ComparisonWords, key: str, value: object) -> str:
    if key == "play.seats" and isinstance(value, list | tuple):
        return words.seating(seating_of(value))
    ruling = game(words.game).rules.setting(key, value)
    return (
        ruling.in_language(words.language)
        if ruling is not None
        else words.text("findings.nothing")
        if value is None
        else "…"
        if isinstance(value, dict)
        else shown_value(value)
    )
