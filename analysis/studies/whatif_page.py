"""The page of a what-if: the report's page with findings first, sections by question, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numbluff_sim.analysis.report.model import FindingText, Page, PageSection, Paragraph, Table
from numbluff_sim.i18n import Catalogue


@dataclass(frozen=True)
class Opening:
    """The head of a page: title, what it is about in a sentence, what was played in short lines."""

    title: str
    lead: str
    facts: Sequence[str]


@dataclass(frozen=True)
class Making:
    """The end of a page: the command that makes the numbers again, and with what they were made (methods, games, seeds,
    digests).
    """

    command: str
    answer: str
    blocks: Sequence[Table | Paragraph]


def whatif_page(
    words: Catalogue,
    opening: Opening,
    findings: Sequence[FindingText],
    sections: Sequence[PageSection],
    making: Making,
    glossary: Sequence[tuple[str, str]] = (),
    shorts: Mapping[str, str] | None = None,
) -> Page:
    """A page in the language of `words`, a `page_catalogue`, whose [page] holds findings, findings_lead and
    short_<section> for every section whose name is fixed; `shorts` has those of the others.
    """
    texts = {**words.under("page"), **(shorts or {})}
    return Page(
        words.language,
        opening.title,
        opening.lead,
        opening.facts,
        texts,
        findings,
        (),
        None,
        sections,
        glossary,
        PageSection("making", texts["making"], making.answer, making.blocks),
        making.command,
    )
