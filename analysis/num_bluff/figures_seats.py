"""Figures on scores, the course of games, the deck and the hands."""

from __future__ import annotations

import numpy as np

from numbluff_sim.analysis.num_bluff import colours
from numbluff_sim.analysis.num_bluff.comebacks import in_random_order
from numbluff_sim.analysis.num_bluff.rates import hand_shares
from numbluff_sim.analysis.report.axes import ValueAxis
from numbluff_sim.analysis.report.bars import share_bars
from numbluff_sim.analysis.report.dots import Mark, Quantiles, dots
from numbluff_sim.analysis.report.measured_runs import PERCENTILES, LabelledRun, Study, percentiles
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.statistics.intervals import shares

#: Hand sizes from here on share one part of the bar.
LARGE_HAND = 5


def scores(study: Study) -> Picture:
    """Final scores of all players and the winner's margin."""
    runs = study.detailed

    def spans(one: LabelledRun) -> list[tuple[str, list[float], int, str]]:
        return [
            (kind, percentiles(counts, one.sample.bin_width), int(counts.sum()), role)
            for kind, counts, role in (
                ("score", one.run.tally["score"].sum(axis=0), "ink"),
                ("margin", one.run.tally["margin"], colours.OTHERS),
            )
        ]

    records = [
        {
            **study.record(one, one.estimates[f"{kind}_mean"], what=kind),
            **dict(zip(PERCENTILES, values, strict=True)),
            "n_of_percentiles": n,
        }
        for one in runs
        for kind, values, n, _ in spans(one)
    ]
    panels = study.panels(
        runs,
        lambda one, labelled: [
            Quantiles(values, role, study.text(f"figures.scores.{kind}") if labelled else "")
            for kind, values, _, role in spans(one)
        ],
    )
    answer = study.text(
        "figures.scores.answer",
        score=study.across("score_mean", runs),
        margin=study.across("margin_mean", runs),
        note=study.spread_note([one.sample.detail_games for one in runs] or [0], "detail games"),
    )
    return study.picture(
        "scores",
        answer,
        records,
        lambda: dots(panels, ValueAxis(study.text("figures.scores.axis"), study.numbers, from_zero=True)),
        runs,
    )


def decided(study: Study) -> Picture:
    """After which share of the rounds the final winners lead for good."""
    runs = study.detailed

    def span(one: LabelledRun) -> list[float]:
        return [round_number / one.rounds for round_number in percentiles(one.run.tally["decided"])]

    records = [
        {**study.record(one, one.estimates["decided_round_mean"]), **dict(zip(PERCENTILES, span(one), strict=True))}
        for one in runs
    ]
    panels = study.panels(runs, lambda one, _: [Quantiles(span(one))])
    answer = study.text(
        "figures.decided.answer",
        share=study.across("decided_before_last_per_game", runs),
        note=study.spread_note([one.sample.detail_games for one in runs] or [0], "detail games"),
    )
    axis = ValueAxis(study.text("figures.decided.axis"), study.numbers, percent=True, from_zero=True)
    return study.picture("decided", answer, records, lambda: dots(panels, axis), runs)


#: Between these opacities no letters stand out on a grey both in light and in dark.
UNREADABLE = (0.36, 0.45)


def half_ranks(study: Study) -> Picture:
    """Where the winner stood at half-time: share bars by rank."""
    runs = [one for one in study.detailed if one.get("comeback_share")]
    most = max((one.players for one in runs), default=0)
    bars, records = [], []
    for one in runs:
        counts = one.run.tally["half_rank"][1:]
        ranks = [f"half_rank_{rank}_share" for rank in range(1, len(counts) + 1)]
        estimates = [
            share.at(study.alpha)
            for share in shares(ranks, counts, denominator="sole winners", games=int(counts.sum()))
        ]
        bars.append(study.bar(one, [*(estimate.value for estimate in estimates), *[0.0] * (most - len(counts))]))
        records += [study.record(one, estimate, rank=rank + 1) for rank, estimate in enumerate(estimates)]
    answer = study.text(
        "figures.half_ranks.answer",
        comeback=study.across("comeback_share", runs),
        n=study.counted(
            [int(one.run.tally["half_rank"].sum()) for one in runs] or [0], study.denominator("sole winners")
        ),
    )
    found = [(one, share) for one in runs if (share := in_random_order(one.run)) is not None]
    records += [study.record(one, share) for one, share in found]
    told = "; ".join(f"{study.run_name(one)} {study.cell(share)}" for one, share in found)
    answer += " " + (
        study.text("figures.half_ranks.in_random_order", shares=told)
        if found
        else study.text("figures.half_ranks.no_rows")
    )
    names = [study.text("figures.half_ranks.rank", rank=rank + 1) for rank in range(most)]
    greys = [1 - rank / max(most, 1) * 0.88 for rank in range(most)]
    shades = [f"ink/{UNREADABLE[1] if UNREADABLE[0] < grey < UNREADABLE[1] else grey:.2f}" for grey in greys]
    return study.picture(
        "half_ranks",
        answer,
        records,
        lambda: share_bars(bars, names, shades, ValueAxis(study.text("figures.half_ranks.axis"), study.numbers)),
        runs,
    )


def recycles(study: Study) -> Picture:
    """New piles a game."""
    runs = study.runs
    records = [study.record(one, one.estimates["recycles_per_game"]) for one in runs]
    panels = study.panels(
        runs, lambda one, _: [Mark((e := one.estimates["recycles_per_game"]).value, max(e.low, 0.0), e.high)]
    )
    answer = study.text(
        "figures.recycles.answer",
        recycles=study.across("recycles_per_game"),
        note=study.note([one.estimates["recycles_per_game"] for one in runs]),
    )
    return study.picture(
        "recycles",
        answer,
        records,
        lambda: dots(panels, ValueAxis(study.text("figures.recycles.axis"), study.numbers, from_zero=True)),
        runs,
    )


def hands(study: Study) -> Picture:
    """Hand sizes after the last round: share bars."""
    runs = study.detailed
    bars, records = [], []
    for one in runs:
        played = int(np.flatnonzero(one.run.tally["detail_rounds"]).max(initial=0)) + 1
        estimates = [estimator.at(study.alpha) for estimator in hand_shares(one.sample, played)]
        records += [study.record(one, estimate, hand=size) for size, estimate in enumerate(estimates)]
        values = [estimate.value for estimate in estimates] + [0.0] * (LARGE_HAND + 1)
        bars.append(study.bar(one, [*values[:LARGE_HAND], max(0.0, 1 - sum(values[:LARGE_HAND]))]))
    names = [study.text("figures.hands.cards", cards=size) for size in range(LARGE_HAND)] + [
        study.text("figures.hands.more", cards=LARGE_HAND)
    ]
    answer = study.text(
        "figures.hands.answer",
        share=study.across("hand_unexplained_per_player_round", runs),
        n=study.counted([one.sample.detail_games for one in runs] or [0], study.denominator("detail games")),
    )
    shades = [f"ink/{0.12 + size * 0.176:.2f}" for size in range(LARGE_HAND + 1)]
    return study.picture(
        "hands",
        answer,
        records,
        lambda: share_bars(bars, names, shades, ValueAxis(study.text("figures.hands.axis"), study.numbers)),
        runs,
    )
