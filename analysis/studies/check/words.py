"""Verdicts in words, and as JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree as ET

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
