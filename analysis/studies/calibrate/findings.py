"""The findings of a calibration: what agrees with the rates, what they decide, what to measure next."""

from __future__ import annotations

from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.analysis.studies.calibrate.result import ORDER
from numbluff_sim.analysis.studies.calibrate.words import CalibrationWords

#: Named in a finding, of many.
NAMED = 4


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
