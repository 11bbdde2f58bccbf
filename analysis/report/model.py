"""What a report is made of, before it becomes HTML: findings, tables, figures, sections, a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Records = Sequence[Mapping[str, Any]]  # a row of numbers or text a mapping; all rows have the same keys


@dataclass(frozen=True)
class Table:
    """A table of text. `records` are the numbers behind it; columns from `numeric_from` to before `numeric_until`
    are aligned to the right.
    """

    name: str
    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    records: Records
    numeric_from: int = 1
    numeric_until: int = 10**6
    marks: Sequence[str] = ()  # a CSS class a row, or none at all


@dataclass(frozen=True)
class Picture:
    """A figure: a question, its answer as caption, the numbers behind it, and how to draw it.

    `draw` is None where there are too few games; `caption` says so then.
    """

    name: str
    question: str
    caption: str
    alt: str
    records: Records
    draw: Callable[[], Canvas] | None


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class PageSection:
    """A foldable part of the page that answers one question; the answer stands in its heading. `unfolded`: open from
    the start.
    """

    name: str
    question: str
    answer: str
    blocks: Sequence[Table | Picture | Paragraph]
    unfolded: bool = False


@dataclass(frozen=True)
class FindingText:
    """A finding in words. severity 3 serious, 2 worth a look, 1 good to know."""

    name: str
    severity: int
    title: str
    text: str
    evidence: str
    holds_for: str
    record: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """A whole report in one language. `words` are the page's own texts (see the `page` part of the catalogue); only
    a balance report has claims.
    """

    language: str
    title: str
    lead: str
    facts: Sequence[str]
    words: Mapping[str, str]
    findings: Sequence[FindingText]
    more_findings: Sequence[FindingText]
    claims: PageSection | None
    sections: Sequence[PageSection]
    glossary: Sequence[tuple[str, str]]
    making: PageSection
    command: str
