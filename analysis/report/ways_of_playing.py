"""Figures and words on tables whose seats play differently, for the balance reports of all games. Knows no game."""

from __future__ import annotations

from dataclasses import replace

from numbluff_sim.analysis.metrics.personas import PREFIX
from numbluff_sim.analysis.report.dots import Mark, Panel, Row, dots
from numbluff_sim.analysis.report.figures import off_fair, seat_excess
from numbluff_sim.analysis.report.findings import ABOVE, Fillings, Limit
from numbluff_sim.analysis.report.measured_runs import LabelledRun, Study
from numbluff_sim.analysis.report.model import PageSection, Paragraph, Picture, Table
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.contract.registry import game

#: The finding that takes the place of those on seats: by how much more than its share one player of the best way of
#: playing wins, as a share of the fair share.
AHEAD = Limit("persona_ahead", "best_persona_advantage", ABOVE, 0.05, 2)


def win_shares(one: LabelledRun) -> dict[str, Estimate]:
    """The win share of one player of each way of playing, most first; nothing where all seats play the same or nothing
    was won.
    """
    found = {name: one.estimates[f"{PREFIX}{name}_win_share"] for name in one.mixed}
    known = {name: share for name, share in found.items() if share.defined}
    return dict(sorted(known.items(), key=lambda pair: -pair[1].value))


def best_persona_advantage(one: LabelledRun) -> Estimate | None:
    """By how much more than its fair share a player of the best way of playing wins, as a share of the fair share."""
    shares = win_shares(one)
    if not shares:
        return None
    excess = seat_excess(next(iter(shares.values())), one.players)
    ends = {end: getattr(excess, end) * one.players for end in ("value", "low", "high")}
    return replace(excess, name="best_persona_advantage", **ends)


def persona_words(study: Study, one: LabelledRun) -> Fillings:
    """The best and the worst way of playing with their win shares, and the fair share."""
    (best, best_share), *_, (worst, worst_share) = win_shares(one).items()
    return {
        "fair": study.numbers.percent(1 / one.players),
        "best_persona": best,
        "best_share": best_share,
        "worst_persona": worst,
        "worst_share": worst_share,
    }


def persona_wins(study: Study) -> Picture | None:
    """Win share of one player of each way of playing against the fair share; None where all seats play the same."""
    runs = [one for one in study.mixed if win_shares(one)]
    if not runs:
        return None
    panels, records = [], []
    for one in runs:
        excess = {name: seat_excess(share, one.players) for name, share in win_shares(one).items()}
        records += [study.record(one, estimate, persona=name) for name, estimate in excess.items()]
        panels.append(
            Panel(study.run_name(one), [Row(name, [Mark.of(estimate, "ink")]) for name, estimate in excess.items()])
        )
    best = max(runs, key=lambda one: seat_excess(next(iter(win_shares(one).values())), one.players).value)
    persona, share = next(iter(win_shares(best).items()))
    answer = study.text(
        "figures.persona_wins.answer",
        persona=persona,
        run=study.run_name(best),
        share=study.cell(share),
        fair=study.numbers.percent(1 / best.players),
        note=study.note([share for one in runs for share in win_shares(one).values()]),
    )
    return study.picture("persona_wins", answer, records, lambda: dots(panels, off_fair(study)), runs)


def persona_blocks(study: Study) -> list[Table | Picture | Paragraph | None]:
    """The picture and the table of ways of playing, and how a seat's worth is seen; nothing where all seats play the
    same.
    """
    if not study.mixed:
        return []
    names = dict.fromkeys(metric for one in study.mixed for metric in one.estimates if metric.startswith(PREFIX))
    label = game(study.runs[0].run.config.game).words.metric_label
    rows = [(label(metric, study.words.language), metric) for metric in names]
    return [
        persona_wins(study),
        study.table("personas", rows, study.mixed),
        Paragraph(study.text("mixed.note")),
    ]


def seats_section(study: Study, found: PageSection) -> PageSection:
    """The section on seats as it is where no run says what a seat is worth: with the question and answer of ways of
    playing.
    """
    told = [one for one in study.mixed if win_shares(one)]
    if study.alike or not told:
        return found
    wins = study.text("common.semicolon").join(
        study.text("mixed.wins", persona=name, share=study.cell(share)) for name, share in win_shares(told[0]).items()
    )
    answer = study.text("sections.seats_mixed.answer", wins=wins, fair=study.numbers.percent(1 / told[0].players))
    return replace(found, question=study.text("sections.seats_mixed.question"), answer=answer)
