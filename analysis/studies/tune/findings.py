"""The findings of a search: the smallest change that meets the targets, or what is in the way."""

from __future__ import annotations

from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.analysis.studies.question.targets import TargetStatus
from numbluff_sim.analysis.studies.tune.words import TuneWords
from numbluff_sim.errors import shown_value


def findings(words: TuneWords) -> list[FindingText]:
    """The winner, or what is in the way."""
    return [_met(words)] if words.found.winner else _not_met(words)


def _met(words: TuneWords) -> FindingText:
    found = words.found
    winner = found.winner
    assert winner is not None
    values = words.text("common.semicolon").join(
        f"{words.metric(one.metric)} {words.plain(one.estimate)}" for one in winner.judgement.targets
    )
    key = "met" if winner.reached.point.changes else "met_base"
    title = words.text(f"findings.{key}", changes=words.changes(winner.reached.point.values))
    text = (
        values
        + ". "
        + words.text("findings.fresh", games=words.numbers.integer(winner.games), others=len(found.confirmations) - 1)
    )
    text += " " + words.text("findings.smallest" if found.exhausted else "findings.not_all")
    return FindingText(
        "met",
        1,
        title,
        text,
        words.evidence([one.estimate for one in winner.judgement.targets]),
        words.text("findings.holds", base=found.base_name),
        found.to_json(),
    )


def _not_met(words: TuneWords) -> list[FindingText]:
    found = words.found
    near = found.nearest
    blocking = words.listed([words.metric(name) for name in found.blocking]) if found.blocking else "–"
    text = words.text(
        "findings.nearest",
        changes=words.changes(near.point.values),
        distance=words.numbers.decimal(near.judgement.distance, 3),
    )
    if found.bounds:
        bounds = words.listed([f"{bound.key} = {shown_value(bound.value)}" for bound in found.bounds])
        text += " " + words.text("findings.bounds", bounds=bounds)
    text += " " + words.text("findings.all_tried" if found.exhausted else "findings.more_trials")
    undecided = near.judgement.status is TargetStatus.OPEN
    games = near.judgement.games_to_decide if undecided else None
    if games is not None:
        text += " " + words.text("findings.would_decide", games=words.numbers.integer(games))
    unconfirmed = found.confirmations and near.judgement.met_by_value
    key = "unconfirmed" if unconfirmed else "undecided" if undecided else "blocking"
    return [
        FindingText(
            "not_met",
            3,
            words.text(f"findings.{key}", blocking=blocking),
            text,
            words.evidence([one.estimate for one in near.judgement.targets]),
            words.text("findings.holds", base=found.base_name),
            found.to_json(),
        )
    ]
