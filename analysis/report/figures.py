"""Figures and words that the balance reports of all games share: what a seat is worth. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.report.axes import ValueAxis
from numbluff_sim.analysis.report.dots import Mark, Panel, Quantiles, Row, dots
from numbluff_sim.analysis.report.findings import ENDS, Fillings
from numbluff_sim.analysis.report.measured_runs import PERCENTILES, LabelledRun, Study, percentiles
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.statistics.estimates import Estimate

#: The test that all seats win equally often, in every game.
SEAT_TEST = "seat_win_chi_square"


def seat_excess(estimate: Estimate, players: int) -> Estimate:
    """The win share of a seat, or of a way of playing by player, minus the fair 1 / players."""
    fair = 1 / players
    return replace(
        estimate,
        name=estimate.name.replace("win_share", "win_excess"),
        value=estimate.value - fair,
        low=estimate.low - fair,
        high=estimate.high - fair,
    )


def seat_wins(study: Study) -> Picture | None:
    """Win share of each seat against the fair share, in runs whose seats all play the same; None without any."""
    runs = study.alike
    if not runs:
        return None
    panels, records = [], []
    for label in dict.fromkeys(one.label for one in runs):
        rows = []
        for one in [one for one in runs if one.label == label]:
            estimates = [seat_excess(one.estimates[f"seat_{p}_win_share"], one.players) for p in range(one.players)]
            records += [study.record(one, estimate, seat=p + 1) for p, estimate in enumerate(estimates)]
            rows.append(
                Row(
                    study.text("common.players", players=one.players),
                    [Mark(e.value, e.low, e.high, f"seat{p}", inside=str(p + 1)) for p, e in enumerate(estimates)],
                )
            )
        panels.append(Panel(label, rows))
    best = max(
        (
            (e, one, p)
            for one in runs
            for p in range(one.players)
            if (e := seat_excess(one.estimates[f"seat_{p}_win_share"], one.players)).defined
        ),
        key=lambda found: found[0].value,
    )
    answer = study.text(
        "figures.seat_wins.answer",
        seat=best[2] + 1,
        run=study.run_name(best[1]),
        share=study.cell(best[1].estimates[f"seat_{best[2]}_win_share"]),
        fair=study.numbers.percent(1 / best[1].players),
        note=study.note([one.estimates["seat_0_win_share"] for one in runs]),
    )
    return study.picture("seat_wins", answer, records, lambda: dots(panels, off_fair(study)), runs)


def off_fair(study: Study) -> ValueAxis:
    """An axis of percentage points off the fair share."""
    return ValueAxis(
        study.text("figures.seat_wins.axis"),
        study.numbers,
        percent=True,
        reference=0.0,
        reference_label=study.text("figures.seat_wins.fair"),
    )


def span_picture(
    study: Study,
    name: str,
    runs: Sequence[LabelledRun],
    counts: Callable[[LabelledRun], NDArray[np.int64]],
    width: Callable[[LabelledRun], int],
    metrics: Mapping[str, str],
    unit: str,
    role: str,
) -> Picture:
    """A histogram of each run as a span of quantiles; bins are `width` wide, `unit` is what they count.

    `metrics`: what the answer names, by placeholder; the first one (the mean) is in the figure's data.
    """
    recorded = next(iter(metrics.values()))

    def span(one: LabelledRun) -> list[float]:
        return percentiles(counts(one), width(one))

    records = [
        {**study.record(one, one.estimates[recorded]), **dict(zip(PERCENTILES, span(one), strict=True))} for one in runs
    ]
    panels = study.panels(runs, lambda one, _: [Quantiles(span(one), role)])
    answer = study.text(
        f"figures.{name}.answer",
        **{placeholder: study.across(metric, runs) for placeholder, metric in metrics.items()},
        note=study.spread_note([int(np.sum(counts(one))) for one in runs] or [0], unit),
    )
    return study.picture(
        name,
        answer,
        records,
        lambda: dots(panels, ValueAxis(study.text(f"figures.{name}.axis"), study.numbers, from_zero=True)),
        runs,
    )


def best_seat_advantage(one: LabelledRun) -> Estimate | None:
    """By how much more than its fair share the luckiest seat wins, as a share of the fair share; None where nothing
    was won, and where seats play differently.
    """
    if one.mixed:
        return None
    seats = [(seat_excess(one.estimates[f"seat_{p}_win_share"], one.players), p) for p in range(one.players)]
    if not all(excess.defined for excess, _ in seats):
        return None
    best, seat = max(seats, key=lambda pair: pair[0].value)
    return replace(
        best,
        name=f"seat_{seat}_advantage",
        value=best.value * one.players,
        low=best.low * one.players,
        high=best.high * one.players,
    )


def seat_words(study: Study, one: LabelledRun) -> Fillings:
    """The luckiest and the unluckiest seat with their win shares, the fair share, and first and last seat where they
    are neither.
    """
    shares = [one.estimates[f"seat_{p}_win_share"] for p in range(one.players)]
    order = sorted(range(one.players), key=lambda p: shares[p].value)
    words: Fillings = {"fair": study.numbers.percent(1 / one.players), "test": _equal_seats(study, one)}
    for which, p in (("best", order[-1]), ("worst", order[0])):
        words |= {f"{which}_seat": seat_name(study, one, p), f"{which}_share": shares[p]}
    ends = [
        p for p in (0, one.players - 1) if p not in (order[0], order[-1])
    ]  # first and last seat are told in any case
    words["ends"] = "".join(
        study.text("findings_more.end_seat", seat=seat_name(study, one, p), share=study.plain(shares[p])) for p in ends
    )
    return words | {f"{ENDS}{p}": shares[p] for p in ends}


def _equal_seats(study: Study, one: LabelledRun) -> str:
    """What the test says that all seats win equally often; nothing of a run that was looked at before, for its p-value
    holds for a single look.
    """
    if one.looks > 1:
        return ""
    test = one.tests[SEAT_TEST]
    differ = test.p_value < study.alpha
    return study.text(f"findings_more.seats_{'differ' if differ else 'seem_equal'}", outcome=study.test(test))


def seat_name(study: Study, one: LabelledRun, seat: int) -> str:
    """A seat in words; the catalogue says what the first and the last one are."""
    which = "first" if seat == 0 else "last" if seat == one.players - 1 else "middle"
    return study.text(f"seats.{which}", seat=seat + 1)
