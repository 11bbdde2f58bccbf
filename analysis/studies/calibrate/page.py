"""The page of a calibration: what reproduces the given rates, what does not and why, and what to measure next."""

from __future__ import annotations

import math
from collections.abc import Mapping

from numbluff_sim.analysis.report.model import Page, PageSection, Paragraph, Picture, Table
from numbluff_sim.analysis.studies.calibrate.cells import Rated
from numbluff_sim.analysis.studies.calibrate.figures import exclusions, rates, shown_cells
from numbluff_sim.analysis.studies.calibrate.findings import findings
from numbluff_sim.analysis.studies.calibrate.result import Calibration, answer_text
from numbluff_sim.analysis.studies.calibrate.screening import SLIGHT, Power
from numbluff_sim.analysis.studies.calibrate.words import SHOWN, CalibrationWords
from numbluff_sim.analysis.studies.whatif_page import Making, Opening, whatif_page
from numbluff_sim.contract.registry import game


def calibration_page(
    found: Calibration, game_name: str, language: str, command: str, made_with: Mapping[str, str]
) -> Page:
    """The page in "en" or "fr"; `command` makes the numbers again, `made_with` are digests and versions by name."""
    words = CalibrationWords.of(found, game_name, language)
    return whatif_page(
        words.words,
        Opening(
            words.text("page.title", game=game(game_name).title),
            words.text("page.lead", combinations=words.combinations(found.combinations), rates=len(found.rates.claims)),
            _facts(words),
        ),
        findings(words),
        [_left(words), _ruled_out(words), _acting(words), _further(words)],
        Making(
            command,
            words.text("making.answer", games=words.numbers.integer(found.games), seed=found.seed),
            _making(words, made_with),
        ),
        words.glossary(),
    )


def _facts(words: CalibrationWords) -> list[str]:
    found = words.found
    return [
        words.text("facts.players", players=found.players),
        words.text("facts.personas", personas=len(found.personas)),
        words.text(
            "facts.rulings", rulings=len(found.space.names), assignments=words.combinations(found.space.combinations)
        ),
        words.text("facts.games", games=words.numbers.integer(found.games)),
        words.text("facts.seed", seed=found.seed),
    ]


def _left(words: CalibrationWords) -> PageSection:
    found, shown = words.found, shown_cells(words)
    blocks: list[Table | Picture | Paragraph] = [rates(words, shown), _cells_table(words, shown)]
    if found.listed:
        checked = [found.completions[one.cell.key] for one in found.listed]
        vouched = all(found.vouched(one.cell) for one in found.listed)
        tried = sum(one.tried for one in checked)
        if tried:
            blocks.append(
                Paragraph(
                    words.text(
                        "left.checked" if vouched else "left.not_vouched",
                        tried=tried,
                        changed=sum(one.changed for one in checked),
                        beyond=sum(one.beyond for one in checked),
                    )
                )
            )
    answer = words.text(
        "left.answer" if found.listed else "left.answer_none",
        consistent=words.combinations(found.counted("consistent")),
        open=words.combinations(found.counted("open")),
        all=words.combinations(found.combinations),
    )
    return PageSection("left", words.text("left.question"), answer, blocks, unfolded=True)


def _cells_table(words: CalibrationWords, shown: list[Rated]) -> Table:
    found = words.found
    head = [words.text(f"left.head_{name}") for name in ("cell", "stands_for")]
    head += [words.rate(claim) for claim in found.rates.claims]
    head += [words.text(f"left.head_{name}") for name in ("status", "settle", "any")]
    rows = [
        [
            f"{words.number(i)} {words.case(one.cell)}",
            words.combinations(one.cell.stands_for),
            *map(words.cell, one.estimates),
            words.status(one),
            words.numbers.integer(one.games_to_settle) if one.games_to_settle else "–",
            words.rulings(found.free(one.cell)),
        ]
        for i, one in enumerate(shown)
    ]
    level = words.numbers.percent(1 - (found.levels.last if found.listed else found.levels.race), 3)
    return Table(
        "combinations", words.text("left.caption", level=level), head, rows, [found_record(found, one) for one in shown]
    )


def found_record(found: Calibration, one: Rated) -> dict[str, object]:
    """A cell as a row of data."""
    record: dict[str, object] = {
        "persona": one.cell.persona,
        "status": one.status,
        "stands_for": one.cell.stands_for,
        "rulings": ", ".join(f"{name} = {answer_text(answer)}" for name, answer in found.acting(one.cell).items()),
        "any_answer_to": ", ".join(found.free(one.cell)),
        "games": one.games,
        "games_to_settle": one.games_to_settle,
    }
    for claim, estimate in zip(found.rates.claims, one.estimates, strict=True):
        numbers = estimate.to_json()
        record |= {claim.id: numbers["value"], f"{claim.id}_low": numbers["low"], f"{claim.id}_high": numbers["high"]}
    return record


def _ruled_out(words: CalibrationWords) -> PageSection:
    found = words.found
    gone = [one for one in found.rated if one.status == "ruled_out"]
    stages = {games: [one for one in gone if one.games == games] for games in (*found.levels.stages, found.games)}
    rows = [
        [
            words.numbers.integer(games),
            words.numbers.integer(len(out)),
            words.combinations(sum(one.cell.stands_for for one in out)),
        ]
        for games, out in stages.items()
    ]
    records = [
        {"games": games, "cells": len(out), "combinations": sum(one.cell.stands_for for one in out)}
        for games, out in stages.items()
    ]
    head = [words.text(f"ruled_out.head_{name}") for name in ("games", "cells", "combinations")]
    table = Table(
        "stages",
        words.text("ruled_out.caption", alpha=words.numbers.percent(found.levels.alpha / 2)),
        head,
        rows,
        records,
    )
    tried = sum(audit.tried for audit in found.audits.values())
    changed, beyond = (sum(getattr(audit, name) for audit in found.audits.values()) for name in ("changed", "beyond"))
    audit = words.text(
        "ruled_out.audit",
        tried=words.numbers.integer(tried),
        changed=changed,
        beyond=beyond,
        bound=words.numbers.percent(_upper(tried, beyond)),
    )
    answer = words.text(
        "ruled_out.answer",
        count=words.combinations(found.counted("ruled_out")),
        all=words.combinations(found.combinations),
    )
    return PageSection(
        "ruled_out",
        words.text("ruled_out.question"),
        answer,
        [exclusions(words), table, Paragraph(audit)],
        unfolded=True,
    )


def _upper(tried: int, hits: int) -> float:
    """The upper 95 % bound of a share."""
    from numbluff_sim.analysis.statistics.intervals import clopper_pearson

    return clopper_pearson(hits, tried, 0.1)[1]


def _acting(words: CalibrationWords) -> PageSection:
    """What every ruling can do to the rates with every way of playing: the largest difference, in half margins."""
    found = words.found
    rows, records = [], []
    for i, name in enumerate(found.space.names):
        sizes = {persona: _largest(found, persona, i) for persona in found.personas}
        rows.append(
            [
                name,
                *(
                    "–"
                    if power is Power.NONE
                    else ("" if power is Power.ACTS else "< ")
                    + words.numbers.decimal(max(size, SLIGHT) if power is Power.SLIGHT else size, 1)
                    for persona, size in sizes.items()
                    for power in [found.powers(persona)[i]]
                ),
            ]
        )
        records.append(
            {"ruling": name, **{persona: size if math.isfinite(size) else None for persona, size in sizes.items()}}
        )
    screen = next(iter(found.screens.values()))
    caption = words.text("acting.caption", games=words.numbers.integer(screen.games), contexts=screen.contexts)
    table = Table("acting", caption, [words.text("acting.head"), *found.personas], rows, records)
    act = [found.space.names[i] for i in words.acting_anywhere()]
    bound = words.numbers.percent(3 / screen.games, 4)
    return PageSection(
        "acting",
        words.text("acting.question"),
        words.text("acting.answer", count=len(act), all=len(found.space.names)),
        [table, Paragraph(words.text("acting.bound", bound=bound, games=words.numbers.integer(screen.games)))],
    )


def _largest(found: Calibration, persona: str, ruling: int) -> float:
    effects = [effect for (i, _), effect in found.screens[persona].effects.items() if i == ruling]
    return max(
        (size / half for effect in effects for size, half in zip(effect.largest, found.rates.halves, strict=True)),
        default=0.0,
    )


def _further(words: CalibrationWords) -> PageSection:
    found = words.found
    blocks: list[Table | Paragraph] = []
    if found.apart.metrics:
        blocks.append(_telling_table(words))
    games = words.numbers.integer(found.games)
    groups = [", ".join(words.number(i) for i in group) for group in found.apart.groups]
    if groups:
        blocks.append(Paragraph(words.text("further.groups", groups="; ".join(groups), count=len(groups), games=games)))
    blocks += [_silent_table(words, persona) for persona in found.silent if found.silent[persona]]
    answer = words.text(
        "further.answer" if found.listed else "further.nothing",
        metrics=len(found.apart.metrics),
        groups=len(groups),
        games=games,
    )
    return PageSection("further", words.text("further.question"), answer, blocks)


def _telling_table(words: CalibrationWords) -> Table:
    found = words.found
    rows, records = [], []
    for telling in found.apart.metrics:
        shown = list(enumerate(telling.estimates))[:SHOWN]
        values = words.text("common.semicolon").join(
            f"{words.number(i)} {words.cell(estimate)}" for i, estimate in shown
        )
        rows.append(
            [
                words.metric(telling.metric),
                values,
                words.numbers.integer(len(telling.pairs)),
                words.numbers.integer(telling.observed),
            ]
        )
        records.append(
            {
                "metric": telling.metric,
                "pairs": len(telling.pairs),
                "observed_games": telling.observed,
                **{words.number(i): estimate.value for i, estimate in enumerate(telling.estimates)},
            }
        )
    head = [words.text(f"further.head_{name}") for name in ("metric", "values", "pairs", "observed")]
    caption = words.text("further.caption", level=words.numbers.percent(1 - found.apart.alpha, 0))
    return Table("telling_apart", caption, head, rows, records, numeric_from=2)


def _silent_table(words: CalibrationWords, persona: str) -> Table:
    """What the rulings that do not act do to other metrics."""
    rows, records = [], []
    for one in words.found.silent[persona]:
        text = words.metric(one.metric) if one.metric else words.text("further.no_metric")
        change = f"{words.cell(one.before)} → {words.cell(one.after)}" if one.before and one.after else "–"
        rows.append([words.subject(one.ruling), words.answer(one.ruling, one.answer), text, change])
        values = {"before": one.before.value if one.before else None, "after": one.after.value if one.after else None}
        records.append({"ruling": one.ruling, "answer": answer_text(one.answer), "metric": one.metric, **values})
    head = [words.text(f"further.head_{name}") for name in ("ruling", "answer", "moved", "change")]
    games = words.numbers.integer(words.found.screens[persona].games)
    return Table(
        f"silent_{persona}",
        words.text("further.silent_caption", persona=persona, games=games),
        head,
        rows,
        records,
        numeric_from=4,
    )


def _making(words: CalibrationWords, made_with: Mapping[str, str]) -> list[Table | Paragraph]:
    found, levels = words.found, words.found.levels
    rows = [
        [words.claim(claim), words.rate(claim), *(f"{value:g}" for value in (claim.range.low, claim.range.high))]
        for claim in found.rates.claims
    ]
    records = [
        {"claim": claim.id, "metric": " - ".join(claim.metrics), "low": claim.range.low, "high": claim.range.high}
        for claim in found.rates.claims
    ]
    head = [words.text(f"making.head_{name}") for name in ("claim", "metric", "low", "high")]
    method = words.text(
        "making.method",
        screen_games=words.numbers.integer(next(iter(found.screens.values())).games),
        contexts=next(iter(found.screens.values())).contexts,
        slight=words.numbers.percent(SLIGHT, 0),
        cells=words.numbers.integer(levels.cells),
        stages=len(levels.stages),
        alpha=words.numbers.percent(levels.alpha / 2),
        left=levels.left,
    )
    same = "; ".join(words.text("making.same", name=name, other=other) for name, other in found.same.items())
    left_out = "; ".join(
        words.text(f"making.left_out_{reason}", claim=claim) for claim, reason in found.rates.left_out.items()
    )
    notes = [
        Paragraph(text)
        for text in (
            same and words.text("making.same_play", same=same),
            left_out and words.text("making.left_out", claims=left_out),
        )
        if text
    ]
    versions = ", ".join(f"{name} {version}" for name, version in made_with.items())
    return [
        Paragraph(method),
        Table(
            "given_rates", words.text("making.caption", origin=found.rates.origin), head, rows, records, numeric_from=2
        ),
        *notes,
        Paragraph(words.text("making.versions", versions=versions)),
    ]
