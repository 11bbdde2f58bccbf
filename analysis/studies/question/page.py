"""The page of a what-if: the report's page with findings first, sections by question, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numbluff_sim.analysis.report.model import FindingText, Page, Section, Table, Text
from numbluff_sim.i18n import Catalogue


def whatif_page(
    words: Catalogue,
    *,
    title: str,
    lead: str,
    facts: Sequence[str],
    findings: Sequence[FindingText],
    sections: Sequence[Section],
    command: str,
    making: Sequence[Table | Text] = (),
    making_answer: str = "",
    glossary: Sequence[tuple[str, str]] = (),
    shorts: Mapping[str, str] | None = None,
) -> Page:
    """A page in the language of `words`, a `page_catalogue`, whose [page] holds findings, findings_lead and
    short_<section> for every section whose name is fixed; `shorts` has those of the others.

    `making` says with what the numbers were made (methods, games, seeds, digests); `command` makes them again.
    """
    texts = {**words.under("page"), **(shorts or {})}
    making_section = Section("making", texts["making"], making_answer, making)
    return Page(
        words.language, title, lead, facts, texts, findings, (), None, sections, glossary, making_section, command
    )
