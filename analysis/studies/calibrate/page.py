"""The page of a calibration: what reproduces the given rates, what does not and why, and what to measure next."""

from __future__ import annotations

import math
from collections.abc import Mapping

from numbluff_sim.analysis.report.model import FindingText, Page, Picture, Section, Table, Text
from numbluff_sim.analysis.studies.calibrate.figures import exclusions, rates, shown_cells
from numbluff_sim.analysis.studies.calibrate.result import ORDER, Calibration, answer_text
from numbluff_sim.analysis.studies.calibrate.space import SLIGHT, Power, Rated
from numbluff_sim.analysis.studies.calibrate.words import SHOWN, CalibrationWords
from numbluff_sim.analysis.studies.question.page import whatif_page
from numbluff_sim.contract.registry import game

#: Named in a finding, of many.
NAMED = 4


def calibration_page(
    found: Calibration, game_name: str, language: str, command: str, made_with: Mapping[str, str]
) -> Page:
    """The page in "en" or "fr"; `command` makes the numbers again, `made_with` are digests and versions by name."""
    words = CalibrationWords.of(found, game_name, language)
    return whatif_page(
        words.words,
        title=words.text("page.title", game=game(game_name).title),
        lead=words.text(
            "page.lead", combinations=words.combinations(found.combinations), rates=len(found.rates.claims)
        ),
        facts=_facts(words),
        findings=findings(words),
        sections=[_left(words), _ruled_out(words), _acting(words), _further(words)],
        command=command,
        making=_making(words, made_with),
        making_answer=words.text("making.answer", games=words.numbers.integer(found.games), seed=found.seed),
        glossary=words.glossary(),
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


def findings(words: CalibrationWords) -> list[FindingText]:
    """What agrees, with which way of playing as the rulings are, what the rates decide, what to measure next."""
    found = [_agreeing(words), _as_they_are(words)]
    if words.found.listed:
        found.append(_decided(words))
        found.append(_next(words))
    return found


def _agreeing(words: CalibrationWords) -> FindingText:
    found, listed = words.found, words.found.listed
    count = {status: found.counted(status) for status in ("consistent", "open")}
    record = {**count, "combinations": found.combinations}
    holds = words.text("findings.holds", personas=len(found.personas), rulings=len(found.space.names))
    if not listed:
        nearest = found.nearest()[0]
        text = words.text(
            "findings.nearest",
            cell=words.case(nearest.cell),
            distance=words.numbers.decimal(found.distance(nearest), 1),
        )
        return FindingText(
            "agreeing",
            3,
            words.text("findings.none", rates=len(found.rates.claims)),
            text,
            words.evidence(nearest.estimates),
            holds,
            record,
        )
    named = words.text("common.semicolon").join(words.case(one.cell) for one in listed[:NAMED])
    more = words.text("findings.more", more=len(listed) - NAMED) if len(listed) > NAMED else ""
    title = words.text(
        "findings.agreeing" if count["consistent"] else "findings.agreeing_open",
        rates=len(found.rates.claims),
        count=words.combinations(count["consistent"]),
        open=words.combinations(count["open"]),
        all=words.combinations(found.combinations),
    )
    text = words.text("findings.cells", cells=len(listed), named=named + more)
    if count["open"]:
        text += " " + words.text(
            "findings.open" if count["consistent"] else "findings.open_alone", count=words.combinations(count["open"])
        )
    return FindingText(
        "agreeing", 1 if count["consistent"] else 2, title, text, words.evidence(listed[0].estimates), holds, record
    )


def _as_they_are(words: CalibrationWords) -> FindingText:
    """Which ways of playing give the rates with the configuration's own rulings."""
    found = words.found
    own = [one for one in found.rated if one.cell.assignment == found.space.reference]
    by_status = {status: [one for one in own if one.status == status] for status in ORDER}
    agreeing, uncertain, others = by_status.values()
    names = {status: words.listed([one.cell.persona for one in of]) if of else "" for status, of in by_status.items()}
    key, told = ("own", "consistent") if agreeing else ("own_open", "open") if uncertain else ("own_none", "ruled_out")
    parts = [
        words.text("findings.own_others_open", names=names["open"]) if agreeing and uncertain else "",
        words.text("findings.own_others", names=names["ruled_out"]) if others else "",
    ]
    record = {
        key: [one.cell.persona for one in by_status[status]]
        for key, status in (("agreeing", "consistent"), ("open", "open"), ("ruled_out", "ruled_out"))
    }
    evidence = words.evidence((by_status[told] or own)[0].estimates)
    return FindingText(
        "own_rulings",
        1 if agreeing else 2 if uncertain else 3,
        words.text(f"findings.{key}", names=names[told], count=len(by_status[told])),
        " ".join(part for part in parts if part),
        evidence,
        words.text("findings.own_holds"),
        record,
    )


def _decided(words: CalibrationWords) -> FindingText:
    """What the rates say of the rulings: which they fix, which they leave open, on which they are silent."""
    fixed, undecided, silent = words.fixed(), words.undecided(), words.silent()
    parts = [
        words.text("findings.fixed", rulings=words.answers(fixed)) if fixed else "",
        words.text("findings.undecided", rulings=words.rulings(list(undecided))) if undecided else "",
        words.text("findings.silent", rulings=words.rulings(silent)) if silent else "",
    ]
    title = words.text("findings.decided", fixed=len(fixed), all=len(words.found.space.names))
    record = {"fixed": fixed, "undecided": undecided, "silent": silent}
    screen = words.found.screens[words.found.listed[0].cell.persona]
    evidence = words.text(
        "findings.screened",
        games=words.numbers.integer(screen.games),
        contexts=screen.contexts,
        bound=words.numbers.percent(3 / screen.games, 4),
    )
    return FindingText(
        "decided",
        1,
        title,
        " ".join(part for part in parts if part),
        evidence,
        words.text("findings.listed_holds"),
        record,
    )


def _next(words: CalibrationWords) -> FindingText:
    """What to measure next."""
    found = words.found
    record, played = found.apart.to_json(), words.numbers.integer(found.games)
    if not found.apart.metrics:
        single = len(found.listed) == 1
        text = ("" if single else words.text("findings.next_more") + " ") + words.text("findings.next_inside")
        return FindingText(
            "next",
            1,
            words.text("findings.next_single" if single else "findings.next_nothing", played=played),
            text,
            "",
            words.text("findings.listed_holds"),
            record,
        )
    first = found.apart.metrics[0]
    title = words.text("findings.next", metric=words.metric(first.metric))
    text = words.text(
        "findings.next_games",
        games=words.numbers.integer(first.observed),
        pairs=len(first.pairs),
        played=played,
        groups=len(found.apart.groups),
        cells=len(found.listed),
    )
    return FindingText(
        "next", 1, title, text, words.evidence(first.estimates[:NAMED]), words.text("findings.listed_holds"), record
    )


def _left(words: CalibrationWords) -> Section:
    found, shown = words.found, shown_cells(words)
    blocks: list[Table | Picture | Text] = [rates(words, shown), _cells_table(words, shown)]
    if found.listed:
        checked = [found.completions[one.cell.key] for one in found.listed]
        vouched = all(found.vouched(one.cell) for one in found.listed)
        tried = sum(one.tried for one in checked)
        if tried:
            blocks.append(
                Text(
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
    return Section("left", words.text("left.question"), answer, blocks, unfolded=True)


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


def _ruled_out(words: CalibrationWords) -> Section:
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
    return Section(
        "ruled_out", words.text("ruled_out.question"), answer, [exclusions(words), table, Text(audit)], unfolded=True
    )


def _upper(tried: int, hits: int) -> float:
    """The upper 95 % bound of a share."""
    from numbluff_sim.analysis.statistics.intervals import clopper_pearson

    return clopper_pearson(hits, tried, 0.1)[1]


def _acting(words: CalibrationWords) -> Section:
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
    return Section(
        "acting",
        words.text("acting.question"),
        words.text("acting.answer", count=len(act), all=len(found.space.names)),
        [table, Text(words.text("acting.bound", bound=bound, games=words.numbers.integer(screen.games)))],
    )


def _largest(found: Calibration, persona: str, ruling: int) -> float:
    effects = [effect for (i, _), effect in found.screens[persona].effects.items() if i == ruling]
    return max(
        (size / half for effect in effects for size, half in zip(effect.largest, found.rates.halves, strict=True)),
        default=0.0,
    )


def _further(words: CalibrationWords) -> Section:
    found = words.found
    blocks: list[Table | Text] = []
    if found.apart.metrics:
        blocks.append(_telling_table(words))
    games = words.numbers.integer(found.games)
    groups = [", ".join(words.number(i) for i in group) for group in found.apart.groups]
    if groups:
        blocks.append(Text(words.text("further.groups", groups="; ".join(groups), count=len(groups), games=games)))
    blocks += [_silent_table(words, persona) for persona in found.silent if found.silent[persona]]
    answer = words.text(
        "further.answer" if found.listed else "further.nothing",
        metrics=len(found.apart.metrics),
        groups=len(groups),
        games=games,
    )
    return Section("further", words.text("further.question"), answer, blocks)


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
        rows.append([one.ruling, answer_text(one.answer), text, change])
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


def _making(words: CalibrationWords, made_with: Mapping[str, str]) -> list[Table | Text]:
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
        Text(text)
        for text in (
            same and words.text("making.same_play", same=same),
            left_out and words.text("making.left_out", claims=left_out),
        )
        if text
    ]
    versions = ", ".join(f"{name} {version}" for name, version in made_with.items())
    return [
        Text(method),
        Table(
            "given_rates", words.text("making.caption", origin=found.rates.origin), head, rows, records, numeric_from=2
        ),
        *notes,
        Text(words.text("making.versions", versions=versions)),
    ]
