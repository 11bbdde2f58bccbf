"""Findings on habits: what each brings the one who has it, as a range over how the others play."""

from __future__ import annotations

from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.analysis.statistics.paired import FAMILY_ALPHA
from numbluff_sim.analysis.studies.what_if_one.result import OneEffect, Outcome
from numbluff_sim.analysis.studies.what_if_one.words import WhatIfOneWords
from numbluff_sim.encoding import as_json

#: Win share from which an effect is worth a look, and serious.
WORTH_A_LOOK, SERIOUS = 0.01, 0.05


def finding(words: WhatIfOneWords, habit: str) -> FindingText:
    """What a habit brings: in win share first, since that is what is played for, and in points."""
    wins, points = (words.found.of_habit(habit, outcome) for outcome in ("win_share", "points"))
    which = pattern(wins)
    if which == "nothing" and not all(one.identical for one in points):
        which = "negligible"  # points differ, though never the winner
    largest = max(abs(one.difference.value) for one in wins)
    severity = 1 if which in ("nothing", "negligible", "open") else 3 if largest >= SERIOUS else 2
    items = words.text("common.semicolon").join(_item(words, one, points) for one in wins)
    return FindingText(
        f"what_if_one_{habit}",
        severity if largest >= WORTH_A_LOOK else 1,
        words.text(
            f"findings.{which}{'_whoever' if len(wins) > 1 and which in ('brings', 'costs') else ''}",
            habit=words.habit(habit),
            range=words.range(wins),
        ),
        words.text("findings.by_company", items=items),
        words.text(
            "findings.evidence",
            games=words.numbers.integer(words.found.games),
            seats=words.found.players,
            level=words.numbers.percent(1 - FAMILY_ALPHA, 0),
        ),
        words.text("findings.holds_for", base=words.found.base, players=words.found.players),
        {"habit": habit, "pattern": which, "effects": as_json([*wins, *points])},
    )


def pattern(effects: list[OneEffect]) -> str:
    """The verdict that all companies share, "depends" where some gain and others lose, else "mixed"."""
    verdicts = {one.verdict for one in effects}
    if len(verdicts) == 1:
        return verdicts.pop()
    if {"brings", "costs"} <= verdicts:
        return "depends"
    return "mixed"


def _item(words: WhatIfOneWords, one: OneEffect, points: list[OneEffect]) -> str:
    beside = next((other for other in points if other.company == one.company), None)
    told = words.text("findings.item", company=words.company(one.company), win_share=words.with_interval(one))
    return told if beside is None or one.identical else told + ", " + words.with_interval(beside)


def outcomes(words: WhatIfOneWords) -> list[Outcome]:
    """The outcomes there are, win share first."""
    there = {one.outcome for one in words.found.effects}
    order: tuple[Outcome, ...] = ("win_share", "points")
    return [outcome for outcome in order if outcome in there]
