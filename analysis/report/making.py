"""From runs to a report's files: the one function behind `numbluff report`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.report.model import Page, Table
from numbluff_sim.analysis.report.page import Rendered, render
from numbluff_sim.analysis.studies.compare.page import report_section
from numbluff_sim.analysis.studies.compare.result import Comparison
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


def make_report(
    runs: Sequence[Any], language: str, out: Path, comparisons: Sequence[tuple[Path, Comparison]] = ()
) -> BalanceReport:
    """The report of loaded runs (`run.store.RunData`) of one game, with what comparisons of it found, each a section,
    and their folders.

    `out` only stands in the command printed on the page. Raises RunError.
    """
    names = list(
        dict.fromkeys([*(run.config.game for run in runs), *(comparison.game for _, comparison in comparisons)])
    )
    if not runs:
        raise RunError(
            "there is no run among the folders, only comparisons; expected at least one folder that "
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
    if comparisons:
        page = _with_comparisons(page, comparisons)
    return BalanceReport(page, render(page))


def _with_comparisons(page: Page, comparisons: Sequence[tuple[Path, Comparison]]) -> Page:
    """The page with a section a comparison, after its own, and the commands that make them again."""
    sections, shorts, commands = [], {}, []
    for number, (folder, comparison) in enumerate(comparisons, start=1):
        section, short = report_section(comparison, page.language, number)
        sections.append(section)
        shorts[f"short_{section.name}"] = short
        named = "" if comparison.game == DEFAULT_GAME else f" --game {comparison.game}"
        commands.append(
            f"numbluff {comparison.study} {comparison.base}{named} --players {comparison.players} --games "
            f"{comparison.games} "
            f"--seed {comparison.seed} --out {shlex.quote(str(folder))}"
        )
    lines = page.command.split("\n")
    lines[-1] = lines[-1].replace(
        " --lang ", "".join(f" {shlex.quote(str(folder))}" for folder, _ in comparisons) + " --lang ", 1
    )
    return replace(
        page,
        sections=[*page.sections, *sections],
        words={**page.words, **shorts},
        command="\n".join([*lines[:-1], *commands, lines[-1]]),
    )
