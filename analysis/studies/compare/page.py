"""The page of a comparison: what each variant changes, first in words, then in pictures and tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from numbluff_sim.analysis.report.model import Page, PageSection, Paragraph, Picture, Table
from numbluff_sim.analysis.statistics.estimates import ALPHA
from numbluff_sim.analysis.statistics.paired import FAMILY_ALPHA, Effect
from numbluff_sim.analysis.statistics.relevance import HARDLY_NOTICED
from numbluff_sim.analysis.studies.compare.figures import forest, impacts, matrix, parting
from numbluff_sim.analysis.studies.compare.findings import finding
from numbluff_sim.analysis.studies.compare.result import Comparison, VariantResult
from numbluff_sim.analysis.studies.compare.words import ComparisonWords, by_impact, headline, impact, size
from numbluff_sim.analysis.studies.whatif_page import Making, Opening, whatif_page
from numbluff_sim.contract.registry import game
from numbluff_sim.encoding import finite

#: Variants that get a finding, and a section of their own; rows of a variant's table of other metrics.
FINDINGS, SECTIONS, OTHERS = 6, 8, 60
#: Variants in a picture of what each changes.
MOST_DOTS = 30


def comparison_page(comparison: Comparison, language: str, command: str) -> Page:
    """The page in "en" or "fr"; `command` makes the numbers again."""
    words = ComparisonWords.of(comparison, language, ALPHA)
    ordered = by_impact(comparison)
    sections = overview(words, ordered) + [variant_section(words, one) for one in ordered[:SECTIONS]]
    shorts = {f"short_variant_{comparison.variants.index(one) + 1}": words.variant(one) for one in ordered[:SECTIONS]}
    return whatif_page(
        words.words,
        Opening(
            words.text(f"page.title_{comparison.study}", game=game(comparison.game).title),
            words.text(
                f"page.lead_{comparison.study}{'_one' if len(comparison.variants) == 1 else ''}",
                base=comparison.base,
                variants=len(comparison.variants),
            ),
            facts(words),
        ),
        [finding(words, one) for one in ordered[:FINDINGS]],
        sections,
        Making(
            command,
            words.text("making.answer", games=words.numbers.integer(comparison.games), seed=comparison.seed),
            making(words),
        ),
        words.glossary(),
        shorts,
    )


def facts(words: ComparisonWords) -> list[str]:
    """The line under the lead."""
    comparison = words.comparison
    return [
        words.text("facts.base", base=comparison.base, players=comparison.players),
        *words.seat_lines(comparison.seating),
        words.text("facts.games", games=words.numbers.integer(comparison.games)),
        words.text("facts.seed", seed=comparison.seed),
        words.text(
            "facts.tests", tests=words.numbers.integer(comparison.tests), alpha=words.numbers.percent(FAMILY_ALPHA, 0)
        ),
    ]


def overview(words: ComparisonWords, ordered: Sequence[VariantResult]) -> list[PageSection]:
    """All variants beside each other; nothing for a single one."""
    if len(words.comparison.variants) == 1:
        return []
    return [
        _overview(
            words, ordered, "overview", words.text(f"overview.question_{words.comparison.study}"), "", unfolded=True
        )
    ]


def report_section(comparison: Comparison, language: str, number: int) -> tuple[PageSection, str]:
    """A comparison as a section of the report of runs, and its short name; `number` keeps its files apart from those
    of others.
    """
    words = ComparisonWords.of(comparison, language, ALPHA)
    about = words.text(
        "overview.about",
        base=comparison.base,
        players=comparison.players,
        games=words.numbers.integer(comparison.games),
    )
    question = f"{words.text(f'overview.question_{comparison.study}')} ({about})"
    name = f"{comparison.study}_{number}"
    section = _overview(words, by_impact(comparison), name, question, f"{name}_")
    seated = [Paragraph(line) for line in words.seat_lines(comparison.seating)]
    return replace(section, blocks=[*seated, *section.blocks]), words.text(
        f"overview.short_{comparison.study}", base=comparison.base
    )


def _overview(
    words: ComparisonWords,
    ordered: Sequence[VariantResult],
    name: str,
    question: str,
    prefix: str,
    *,
    unfolded: bool = False,
) -> PageSection:
    comparison = words.comparison
    kinds = [list(group) for _, group in groupby(sorted(ordered, key=lambda one: one.kind), key=lambda one: one.kind)]
    apart = comparison.study == "knockout" and len(kinds) > 1
    pictures = (
        [impacts(words, members[:MOST_DOTS], members[0].kind) for members in kinds]
        if apart
        else [impacts(words, ordered[:MOST_DOTS])]
    )
    changing = [one for one in ordered if size(comparison, one) > 0]
    blocks: list[Table | Picture | Paragraph] = [
        *pictures,
        *([matrix(words, changing)] if changing else []),
        variants_table(words, ordered),
    ]
    if comparison.refused:
        reasons = "; ".join(f"{labels[words.language]} ({reason})" for labels, reason in comparison.refused)
        blocks.append(Paragraph(words.text("overview.refused", reasons=reasons)))
    answer = words.text(
        f"overview.answer_{comparison.study}", changing=len(changing), all=len(ordered), first=words.variant(ordered[0])
    )
    named = [block if isinstance(block, Paragraph) else replace(block, name=prefix + block.name) for block in blocks]
    return PageSection(name, question, answer, named, unfolded)


def variants_table(words: ComparisonWords, ordered: Sequence[VariantResult]) -> Table:
    """A row a variant: what it changes most, how many effects are real, when games part, what pairing saved."""
    rows, records = [], []
    for one in ordered:
        effect = impact(words.comparison, one)
        nothing = words.text("overview.identical" if one.identical else "overview.no_effect")
        text = nothing if effect is None else words.named(effect, words.from_to(effect))
        part = words.numbers.percent(one.parting.share.value) if one.parting else "–"
        median = str(one.parting.median) if one.parting and one.parting.median else "–"
        real = words.text("overview.real", real=len(one.real), all=len(one.effects))
        rows.append(
            [
                words.variant(one),
                text,
                words.standardised(effect) if effect else "–",
                real,
                part,
                median,
                words.saved(one),
            ]
        )
        records.append(
            {
                "variant": one.name,
                "kind": one.kind,
                "metric": effect.metric if effect else None,
                "size": size(words.comparison, one),
                "real": len(one.real),
                "effects": len(one.effects),
                "games_part": one.parting.share.value if one.parting else None,
                "median_round": one.parting.median if one.parting else None,
                "games_saved": one.saved,
            }
        )
    head = [
        words.text(f"overview.head_{name}") for name in ("variant", "most", "size", "real", "part", "median", "saved")
    ]
    return Table(
        "variants", words.text("overview.caption", factor=words.saved_factor()), head, rows, records, numeric_from=2
    )


def variant_section(words: ComparisonWords, one: VariantResult) -> PageSection:
    """One variant: forest plot, headline metrics, all other effects, when its games part."""
    number = words.comparison.variants.index(one) + 1
    shown = headline(words.comparison, one)
    others = [effect for effect in one.effects if effect.metric not in words.comparison.headline]
    real = [effect for effect in others if effect.real][:OTHERS]
    blocks: list[Table | Picture | Paragraph] = [
        forest(words, one),
        effects_table(words, f"headline_{number}", "effects.headline", shown),
    ]
    if real:
        blocks.append(effects_table(words, f"others_{number}", "effects.others", real))
    blocks.append(
        Paragraph(
            words.text(
                "effects.rest", real=len([e for e in others if e.real]), none=len([e for e in others if not e.real])
            )
        )
    )
    if one.parting is not None and any(one.parting.rounds):
        blocks.append(parting(words, one))
    answer = words.text(
        "effects.answer", real=len(one.real), all=len(one.effects), parting=words.parting(one), saved=words.saved(one)
    )
    question = words.text("effects.question", variant=words.variant(one))
    return PageSection(f"variant_{number}", question, answer, blocks, unfolded=len(words.comparison.variants) == 1)


def effects_table(words: ComparisonWords, name: str, caption: str, effects: Sequence[Effect]) -> Table:
    """Effects with base, variant, difference, interval, what is certain for all at once."""
    rows = [
        [
            words.metric(e.metric),
            words.with_interval(e),
            words.relative(e),
            words.value(e.base),
            words.value(e.variant),
            words.standardised(e),
            words.p_value(e) if e.real else words.text("effects.not_real", bound=words.bound(e)),
            words.relevance(e),
        ]
        for e in effects
    ]
    head = [
        words.text(f"effects.head_{name}")
        for name in ("metric", "difference", "relative", "base", "variant", "size", "verdict", "relevance")
    ]
    return Table(
        name,
        words.text(caption, level=words.level(), alpha=words.numbers.percent(FAMILY_ALPHA, 0)),
        head,
        rows,
        [effect_record(words.comparison, effect) for effect in effects],
        numeric_until=len(head) - 2,
    )


def effect_record(comparison: Comparison, effect: Effect) -> dict[str, object]:
    """An effect as a row of data."""
    return {
        "metric": effect.metric,
        "base": effect.base.value,
        "variant": effect.variant.value,
        "unit": effect.base.unit,
        **{key: value for key, value in effect.difference.to_json().items() if key not in ("name", "unit")},
        "p_value": effect.p_value,
        "real": effect.real,
        "smallest_relevant": finite(comparison.smallest(effect)),
        "relevance": str(comparison.relevance(effect)),
        "largest": effect.largest if math.isfinite(effect.largest) else None,
    }


def making(words: ComparisonWords) -> list[Table | Paragraph]:
    """How the numbers were made: methods, digests, versions."""
    comparison = words.comparison
    rows = [
        [comparison.base, comparison.base_digest, str(comparison.seed)],
        *([words.variant(one), one.digest, str(one.seed)] for one in comparison.variants),
    ]
    records = [{"configuration": row[0], "digest": row[1], "seed": row[2]} for row in rows]
    head = [words.text(f"making.head_{name}") for name in ("configuration", "digest", "seed")]
    versions = ", ".join(f"{name} {version}" for name, version in comparison.made_with.items())
    return [
        Paragraph(words.text("making.relevance", usual=words.numbers.decimal(HARDLY_NOTICED, 1))),
        Paragraph(
            words.text(
                "making.method",
                groups=comparison.groups,
                level=words.level(),
                alpha=words.numbers.percent(FAMILY_ALPHA, 0),
            )
        ),
        Table("making", words.text("making.caption"), head, rows, records),
        Paragraph(words.text("making.versions", versions=versions)),
    ]
