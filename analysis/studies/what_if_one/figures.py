"""The picture of what habits bring: a panel a habit, a row a company."""

from __future__ import annotations

from numbluff_sim.analysis.report.axes import ValueAxis
from numbluff_sim.analysis.report.dots import Mark, Panel, Row, dots
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.statistics.paired import FAMILY_ALPHA
from numbluff_sim.analysis.studies.what_if_one.result import OneEffect, Outcome
from numbluff_sim.analysis.studies.what_if_one.words import WhatIfOneWords

#: Colour roles by verdict.
ROLES = {"brings": "accent_2", "costs": "accent_1", "negligible": "neutral", "open": "neutral", "nothing": "neutral"}


def habits(words: WhatIfOneWords, outcome: Outcome, name: str) -> Picture:
    """What each habit brings in each company, with simultaneous intervals; `name`: of the picture's files."""
    found = words.found
    records = [row for row in found.rows() if row["outcome"] == outcome]
    panels = [
        Panel(
            words.habit(habit),
            [Row(words.company(one.company), [_mark(words, one)]) for one in found.of_habit(habit, outcome)],
        )
        for habit in found.habits
    ]
    axis = ValueAxis(
        words.text(f"figures.{outcome}.axis"), words.numbers, percent=outcome == "win_share", reference=0.0
    )
    return Picture(
        name,
        words.text(f"figures.{outcome}.question"),
        words.text(
            "figures.answer",
            games=words.numbers.integer(found.games),
            level=words.numbers.percent(1 - FAMILY_ALPHA, 0),
        ),
        words.text("figures.alt"),
        records,
        lambda: dots(panels, axis, aside=True),
    )


def _mark(words: WhatIfOneWords, one: OneEffect) -> Mark:
    low, high = one.simultaneous
    return Mark(one.difference.value, low, high, ROLES[one.verdict], label=words.value(one))
