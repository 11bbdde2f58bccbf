"""Perudo at tables whose seats play differently: what each way of playing wins, no word on what a seat is worth."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from numbluff_sim.analysis.perudo.findings import COMPARED, LIMITS, derived, find, tell
from numbluff_sim.analysis.perudo.metrics import METRICS
from numbluff_sim.analysis.perudo.sections import report_page
from numbluff_sim.analysis.report.figures import seat_name
from numbluff_sim.analysis.report.findings import ABOVE, Limit
from numbluff_sim.analysis.report.measured_runs import Study, measure
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.i18n import LANGUAGES, balance_catalogue
from tests.games.perudo.made_up_runs import played, reference_run

ALPHA, GAMES = 0.05, 300
SEATS = ("random", "threshold", "random")


def mixed() -> SimpleNamespace:
    return reference_run("documented", 3, GAMES, play__seats=SEATS)


def findings_of(language: str, limits: Any = LIMITS) -> tuple[Study, list[Any]]:
    runs = measure([mixed()], ALPHA, language=language)
    study = Study(balance_catalogue("numbluff_sim.games.perudo:report", language), ALPHA, runs)
    return study, [tell(study, finding) for finding in find(runs, limits)]


def test_personas__win_shares_are_those_of_the_games() -> None:
    _, records = played("documented", 3, GAMES, play__seats=SEATS)
    winners = np.array([record.winner for record in records])
    estimates = METRICS.estimates(mixed(), ALPHA)
    assert estimates["persona_threshold_win_share"].value == pytest.approx((winners == 1).mean())
    assert estimates["persona_random_win_share"].value == pytest.approx((winners != 1).mean() / 2)
    assert estimates["persona_threshold_win_share"].low > 0.8
    assert not {"seat_win_share_gap", "first_opener_win_share", "persona_random_points"} & set(estimates)
    assert METRICS.tests(mixed()) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings__say_nothing_of_what_a_seat_is_worth(language: str) -> None:
    study, findings = findings_of(language)
    names = [finding.name for finding in findings]
    assert "persona_ahead" in names
    assert not {"seat_unfair", "seats_are_even"} & set(names)
    (one,) = study.runs
    for seat in range(3):
        name = seat_name(study, one, seat)
        assert [finding.name for finding in findings if name in f"{finding.title} {finding.text}"] == []


def test_findings__situations_are_not_compared_across_ways_of_playing() -> None:
    always = [Limit(limit.finding, limit.metric, ABOVE, -1e9, limit.severity) for limit in LIMITS]
    study, findings = findings_of("en", always)
    (one,) = study.runs
    measured = {**one.estimates, **derived(one)}
    defined = {limit.metric for limit in LIMITS if limit.metric in measured and measured[limit.metric].defined}
    assert {*COMPARED} & defined
    assert {finding.record["metric"] for finding in findings} == defined - {*COMPARED}


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Who sits where: random in seats 1 and 3; threshold in seat 2"),
        ("fr", "À la table : random aux places 1 et 3 ; threshold à la place 2"),
    ],
)
def test_page__says_who_sits_where(language: str, line: str) -> None:
    page = report_page([mixed()], language, Path("results/report"))
    assert line in [fact.replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ") for fact in page.facts]
    pictures = {b.name for section in page.sections for b in section.blocks if isinstance(b, Picture)}
    assert "persona_wins" in pictures
    assert "seat_wins" not in pictures
