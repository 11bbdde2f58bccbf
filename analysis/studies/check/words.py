"""Verdicts in words, and as JUnit XML."""

from __future__ import annotations

import functools
import math
from decimal import Decimal
from xml.etree import ElementTree as ET

from numbluff_sim.analysis.report.wording import seating_line
from numbluff_sim.analysis.statistics.estimates import SHARE, SHARE_DIFFERENCE, percent_scale
from numbluff_sim.analysis.statistics.sequential import FIRST_LOOK
from numbluff_sim.analysis.statistics.verdicts import Status
from numbluff_sim.analysis.studies.check.claims import Verdict
from numbluff_sim.analysis.studies.check.result import Checked


def in_words(verdict: Verdict) -> str:
    """A verdict as one line: what was measured, on how much, against which margin."""
    estimate, margin = verdict.estimate, verdict.claim.range
    text = (
        f"{estimate.name} = {estimate.value:.6g}, interval {estimate.low:.6g} to {estimate.high:.6g} "
        f"(alpha {estimate.alpha:.3g}, {estimate.method}, n = {estimate.n} {estimate.denominator}), "
        f"margin {margin.low:g} to {margin.high:g}: {verdict.status}, expected {verdict.claim.expected}"
    )
    return text + (f"; about {verdict.games_to_settle} games would settle it" if verdict.games_to_settle else "")


def junit(checked: Checked) -> str:
    """JUnit XML: a test case a claim; decided against expectation is a failure, inconclusive an error."""
    counts = {
        "tests": len(checked.verdicts),
        "failures": sum(v.against for v in checked.verdicts),
        "errors": sum(v.status is Status.INCONCLUSIVE for v in checked.verdicts),
    }
    suite = ET.Element(
        "testsuite",
        {"name": f"numbluff check, {checked.origin}", **{key: str(value) for key, value in counts.items()}},
    )
    for verdict in checked.verdicts:
        case = ET.SubElement(
            suite,
            "testcase",
            {"classname": f"{checked.baseline.game}.{verdict.claim.preset}", "name": verdict.claim.id},
        )
        if verdict.against:
            ET.SubElement(
                case, "failure", {"message": f"{verdict.status}, expected {verdict.claim.expected}"}
            ).text = in_words(verdict)
        elif verdict.status is Status.INCONCLUSIVE:
            ET.SubElement(case, "error", {"message": "inconclusive"}).text = in_words(verdict)
        else:
            ET.SubElement(case, "system-out").text = in_words(verdict)
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def name_of(verdict: Verdict) -> str:
    """What a claim is called: an order by the step that decides."""
    return f"{verdict.claim.id}: {verdict.estimate.name}" if verdict.claim.order else verdict.claim.id


def said_by(verdict: Verdict) -> list[tuple[str, str]]:
    """What a claim says and where it comes from, each with its style."""
    return [(text, style) for text, style in ((verdict.claim.text.en, ""), (verdict.claim.source.en, "dim")) if text]


def margin_and_measured(verdict: Verdict) -> tuple[str, str, str]:
    """Margin, measured value and interval."""
    estimate, margin = verdict.estimate, verdict.claim.range
    show = functools.partial(_shown, unit=estimate.unit)
    ends = f"{show(margin.low)} to {show(margin.high)}"
    if math.isinf(margin.high):
        ends = f"at least {show(margin.low)}"
    elif math.isinf(margin.low):
        ends = f"at most {show(margin.high)}"
    return ends, show(estimate.value), f"{show(estimate.low)} to {show(estimate.high)}"


def _shown(value: float, *, unit: str) -> str:
    if unit in (SHARE, SHARE_DIFFERENCE):
        return f"{digits(percent_scale(unit) * value, 4)} {'%' if unit == SHARE else 'pp'}"
    return f"{digits(value, 5)} {unit}"


def digits(value: float, significant: int) -> str:
    """So many significant digits, never an exponent."""
    return f"{Decimal(f'{value:.{significant}g}'):f}" if math.isfinite(value) else str(value)


def expected_of(verdict: Verdict) -> str:
    """What the baseline expects, marked where the verdict is another one: (!) decided, (?) open."""
    if verdict.as_expected:
        return verdict.claim.expected
    return f"{verdict.claim.expected} (!)" if verdict.against else f"{verdict.claim.expected} (?)"


def notes_of(checked: Checked) -> list[str]:
    """What is to be said below the verdicts."""
    alpha = checked.baseline.check.family_alpha
    notes = [
        (
            f"Intervals at the level that decides each claim; the chance that any verdict is wrong is "
            f"{checked.alpha:g} at most (Holm) at this look, {alpha:g} over all looks."
        )
    ]
    notes += [seating_line(checked.seatings)] if any(checked.seatings) else []
    for verdict in checked.verdicts:
        if verdict.against:
            notes.append(f"{verdict.claim.id}: {verdict.status}, but the baseline expects {verdict.claim.expected}.")
        elif verdict.games_to_settle is not None:
            notes.append(
                f"{verdict.claim.id}: inconclusive; about {verdict.games_to_settle:,} games would settle it (more at "
                f"a later look, which pays for itself: --look {checked.look + 1})."
            )
        elif verdict.status is Status.INCONCLUSIVE and verdict.estimate.games < FIRST_LOOK:
            notes.append(
                f"{verdict.claim.id}: inconclusive; {verdict.estimate.games:,} games behind it are too few to say "
                "how many would settle it."
            )
        elif not verdict.as_expected:
            notes.append(
                f"{verdict.claim.id}: inconclusive; the measured value is undefined or on an edge of the margin."
            )
    return [*notes, _summary(checked.verdicts)]


def _summary(verdicts: list[Verdict]) -> str:
    """The closing line: whether all is as expected, and what is not."""
    others = [f"{verdict.claim.id} ({verdict.status})" for verdict in verdicts if not verdict.as_expected]
    if not others:
        return (
            "The only verdict is as the baseline expects."
            if len(verdicts) == 1
            else f"All {len(verdicts)} verdicts are as the baseline expects."
        )
    return (
        f"{len(verdicts) - len(others)} of {len(verdicts)} verdicts are as the baseline expects; not so: "
        f"{', '.join(others)}."
    )
