"""The page of a what-if-one: findings by habit, pictures, all effects in a table."""

from __future__ import annotations

from dataclasses import replace

from numbluff_sim.analysis.report.model import FindingText, Page, PageSection, Paragraph, Table
from numbluff_sim.analysis.statistics.estimates import ALPHA
from numbluff_sim.analysis.statistics.paired import FAMILY_ALPHA
from numbluff_sim.analysis.studies.what_if_one.figures import habits
from numbluff_sim.analysis.studies.what_if_one.findings import finding, outcomes
from numbluff_sim.analysis.studies.what_if_one.result import NEGLIGIBLE, WhatIfOne
from numbluff_sim.analysis.studies.what_if_one.words import WhatIfOneWords
from numbluff_sim.analysis.studies.whatif_page import Making, Opening, whatif_page
from numbluff_sim.contract.registry import game


def what_if_one_page(found: WhatIfOne, language: str, command: str) -> Page:
    """The page in "en" or "fr"; `command` makes the numbers again."""
    words = WhatIfOneWords.of(found, language, ALPHA)
    findings = sorted((finding(words, habit) for habit in found.habits), key=lambda one: -one.severity)
    return whatif_page(
        words.words,
        Opening(
            words.text("page.title", game=game(found.game).title),
            words.text("page.lead", base=found.base, players=found.players),
            [
                *words.seat_lines(found.seating),
                words.text("facts.games", games=words.numbers.integer(found.games)),
                words.text("facts.seed", seed=found.seed),
            ],
        ),
        findings,
        [_effects(words, unfolded=True)],
        Making(
            command,
            words.text("making.answer", games=words.numbers.integer(found.games), seed=found.seed),
            [
                Paragraph(words.text("making.estimand", players=found.players)),
                Paragraph(
                    words.text(
                        "making.intervals",
                        level=words.numbers.percent(1 - FAMILY_ALPHA, 0),
                        points=words.numbers.decimal(NEGLIGIBLE["points"], 1),
                        pp=words.numbers.decimal(100 * NEGLIGIBLE["win_share"], 1),
                    )
                ),
                *(
                    Paragraph(words.text("making.refused", habit=habit, why=why))
                    for habit, why in found.refused.items()
                ),
                Paragraph(
                    words.text("making.versions", versions=", ".join(f"{k} {v}" for k, v in found.made_with.items()))
                ),
            ],
        ),
        words.glossary(),
    )


def report_section(found: WhatIfOne, language: str, number: int) -> tuple[PageSection, str]:
    """The section of a balance report, the `number`th of its kind, and its short title."""
    words = WhatIfOneWords.of(found, language, ALPHA)
    section = _effects(words, f"what_if_one_{number}")
    seated = [Paragraph(line) for line in words.seat_lines(found.seating)]
    return replace(section, blocks=[*seated, *section.blocks]), words.text(
        "section.short", base=found.base, players=found.players
    )


def report_findings(found: WhatIfOne, language: str, number: int) -> list[FindingText]:
    """Its findings, for the balance report that has it as its `number`th study."""
    words = WhatIfOneWords.of(found, language, ALPHA)
    told = [finding(words, habit) for habit in found.habits]
    return [replace(one, name=f"{one.name}_{number}") for one in told]


def _effects(words: WhatIfOneWords, name: str = "effects", *, unfolded: bool = False) -> PageSection:
    prefix = "" if name == "effects" else f"{name}_"
    pictures = [habits(words, outcome, f"{prefix}{outcome}") for outcome in outcomes(words)]
    return PageSection(
        name,
        words.text("section.question"),
        words.text("section.answer", base=words.found.base, players=words.found.players),
        [*pictures, _table(words, f"{prefix}effects")],
        unfolded,
    )


def _table(words: WhatIfOneWords, name: str) -> Table:
    found = words.found
    head = ["habit", "company", *outcomes(words), "verdict"]
    rows = []
    for habit in found.habits:
        for company in found.companies:
            effects = [found.effect(habit, company, outcome) for outcome in outcomes(words)]
            rows.append(
                [
                    words.habit(habit),
                    words.company(company),
                    *(words.with_interval(one) for one in effects),
                    words.verdict(effects[0]),
                ]
            )
    return Table(
        name,
        words.text("section.caption", level=words.numbers.percent(1 - FAMILY_ALPHA, 0)),
        [words.text(f"head.{column}") for column in head],
        rows,
        list(found.rows()),
        numeric_from=2,
        numeric_until=2 + len(outcomes(words)),
    )
