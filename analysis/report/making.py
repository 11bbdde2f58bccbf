"""From runs to a report's files: the one function behind `numbluff report`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.report.model import FindingText, Page, Table
from numbluff_sim.analysis.report.page import Rendered, render
from numbluff_sim.analysis.studies.compare import page as comparison
from numbluff_sim.analysis.studies.compare.result import Comparison
from numbluff_sim.analysis.studies.what_if_one import page as what_if_one
from numbluff_sim.analysis.studies.what_if_one.result import WhatIfOne
from numbluff_sim.contract.registry import DEFAULT_GAME, game
from numbluff_sim.errors import RunError


@dataclass(frozen=True)
class BalanceReport:
    """A report ready to be written: its page, its files, its findings and claims as JSON-able data."""

    page: Page
    rendered: Rendered

    @property
    def findings(self) -> list[dict[str, Any]]:
        """All findings, worst first."""
        return [dict(finding.record) for finding in (*self.page.findings, *self.page.more_findings)]

    @property
    def claims(self) -> list[dict[str, Any]]:
        """The claims judged."""
        blocks = self.page.claims.blocks if self.page.claims else ()
        return [
            dict(record)
            for block in blocks
            if isinstance(block, Table) and block.name == "claims"
            for record in block.records
        ]

    @property
    def summary(self) -> list[str]:
        """The findings that stand first on the page, a line each, and the claims' count."""
        return [f"- {finding.title} [{finding.holds_for}]" for finding in self.page.findings] + (
            [self.page.claims.answer] if self.page.claims else []
        )


#: What stands beside runs in a report, a section each.
Beside = Comparison | WhatIfOne


def make_report(
    runs: Sequence[Any], language: str, out: Path, beside: Sequence[tuple[Path, Beside]] = ()
) -> BalanceReport:
    """The report of loaded runs (`run.store.RunData`) of one game, with what comparisons and what-if-ones of it found,
    each a section, and their folders.

    `out` only stands in the command printed on the page. Raises RunError.
    """
    names = list(dict.fromkeys([*(run.config.game for run in runs), *(one.game for _, one in beside)]))
    if not runs:
        raise RunError(
            "there is no run among the folders, only comparisons and the like; expected at least one folder that "
            "`numbluff simulate` wrote."
        )
    if len(names) > 1:
        raise RunError(f"the runs are of the games {' and '.join(names)}; expected runs of one game in a report.")
    empty = next((run for run in runs if int(run.tally["games"]) == 0), None)
    if empty is not None:
        raise RunError(
            f"{empty.folder} holds a run without a finished game; expected at least one. "
            "Continue it with `numbluff simulate --resume`."
        )
    page = game(names[0]).report_page(runs, language, out)
    if beside:
        page = _with_studies(page, beside)
    return BalanceReport(page, render(page))


def _with_studies(page: Page, beside: Sequence[tuple[Path, Beside]]) -> Page:
    """The page with a section a study after its own, what they found among its findings, and the commands that make
    them again.
    """
    sections, shorts, commands, found = [], {}, [], list[FindingText]()
    for number, (folder, one) in enumerate(beside, start=1):
        if isinstance(one, WhatIfOne):
            section, short = what_if_one.report_section(one, page.language, number)
            found += what_if_one.report_findings(one, page.language, number)
        else:
            section, short = comparison.report_section(one, page.language, number)
        sections.append(section)
        shorts[f"short_{section.name}"] = short
        named = "" if one.game == DEFAULT_GAME else f" --game {one.game}"
        command = "what-if-one" if isinstance(one, WhatIfOne) else one.study
        commands.append(
            f"numbluff {command} {one.base}{named} --players {one.players} --games {one.games} --seed {one.seed} "
            f"--out {shlex.quote(str(folder))}"
        )
    lines = page.command.split("\n")
    lines[-1] = lines[-1].replace(
        " --lang ", "".join(f" {shlex.quote(str(folder))}" for folder, _ in beside) + " --lang ", 1
    )
    first = [*page.findings, *(finding for finding in found if finding.severity > 1)]
    return replace(
        page,
        findings=sorted(first, key=lambda finding: -finding.severity),
        more_findings=[*page.more_findings, *(finding for finding in found if finding.severity == 1)],
        sections=[*page.sections, *sections],
        words={**page.words, **shorts},
        command="\n".join([*lines[:-1], *commands, lines[-1]]),
    )
