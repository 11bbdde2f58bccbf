"""Figures on the cagnotte."""

from __future__ import annotations

from numbluff_sim.analysis.num_bluff import colours
from numbluff_sim.analysis.num_bluff.metric_words import event_titles
from numbluff_sim.analysis.num_bluff.pot import waits
from numbluff_sim.analysis.num_bluff.sample import POT_EVENTS
from numbluff_sim.analysis.report.axes import ValueAxis
from numbluff_sim.analysis.report.bars import share_bars
from numbluff_sim.analysis.report.curves import Line, LinePanel, curves
from numbluff_sim.analysis.report.dots import Mark, dots
from numbluff_sim.analysis.report.figures import span_picture
from numbluff_sim.analysis.report.measured_runs import PERCENTILES, Study, percentiles
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES


def pot_by_round(study: Study) -> Picture:
    """The pot after each round: median and spread, a panel a run."""
    runs = study.detailed
    panels: list[LinePanel] = []
    empty: list[LinePanel] = []
    records = []
    for one in runs:
        played = [r for r in range(one.rounds) if one.run.tally["pot_by_round"][r].sum() > 0]
        rows = [percentiles(one.run.tally["pot_by_round"][r], one.sample.bin_width) for r in played]
        low, first, middle, third, high = (list(column) for column in zip(*rows, strict=True))
        x = [r + 1 for r in played]
        panel = LinePanel(study.run_name(one), [Line(x, middle, colours.POT, bands=[(low, high), (first, third)])])
        (panels if max(high) > 0 else empty).append(panel)
        for r, row in zip(x, rows, strict=True):
            mean = one.get(f"pot_mean_round_{r}")
            records.append(
                {
                    "run": one.label,
                    "players": one.players,
                    "round": r,
                    **dict(zip(PERCENTILES, row, strict=True)),
                    "mean": mean.value if mean else None,
                    "mean_low": mean.low if mean else None,
                    "mean_high": mean.high if mean else None,
                    "level": 1 - study.alpha,
                    "n": int(one.run.tally["pot_by_round"][r - 1].sum()),
                    "denominator": "games",
                    "method": mean.method if mean else None,
                }
            )
    answer = study.text("figures.pot_by_round.answer", left=study.across("pot_left_per_game", runs), n=_games(study))
    if panels and empty:
        answer += " " + study.text("figures.pot_by_round.empty", runs="; ".join(panel.title for panel in empty))
    drawn = panels or empty
    axis = ValueAxis(study.text("figures.pot_by_round.axis"), study.numbers, from_zero=True)
    return study.picture(
        "pot_by_round",
        answer,
        records,
        lambda: curves(
            drawn, axis, study.text("common.round_axis"), columns=min(2, len(drawn)), panel_height=1.15, x_step=3
        ),
        runs,
    )


def pot_winners(study: Study) -> Picture:
    """Which event pays the pot out: share bars."""
    runs = [one for one in study.detailed if one.get(f"pot_won_by_{POT_EVENTS[0]}_share")]
    records = [
        study.record(one, one.estimates[f"pot_won_by_{event}_share"], event=event)
        for one in runs
        for event in POT_EVENTS
    ]
    bars = [study.bar(one, [one.estimates[f"pot_won_by_{event}_share"].value for event in POT_EVENTS]) for one in runs]
    answer = study.text(
        "figures.pot_winners.answer",
        bonus=study.across("pot_won_by_coup_de_maitre_bonus_share", runs),
        n=study.counted(
            [round(one.estimates[f"pot_won_by_{POT_EVENTS[0]}_share"].n) for one in runs] or [0],
            study.denominator("pots won"),
        ),
    )
    names = [event_titles(study.words.language)[event] for event in POT_EVENTS]
    axis = ValueAxis(study.text("figures.pot_winners.axis"), study.numbers)
    return study.picture(
        "pot_winners",
        answer,
        records,
        lambda: share_bars(bars, names, ["ink", colours.WINNER, colours.BLUFFER], axis),
        runs,
    )


def pot_sizes(study: Study) -> Picture:
    """Points in a pot when it is won."""
    runs = [one for one in study.detailed if one.get("pot_won_mean_any")]
    which = [EVENT_NAMES.index(event) for event in POT_EVENTS]
    return span_picture(
        study,
        "pot_sizes",
        runs,
        lambda one: one.run.tally["pot_when_won"][which].sum(axis=0),
        lambda one: one.sample.bin_width,
        {"mean": "pot_won_mean_any"},
        "pots won",
        colours.POT,
    )


def pot_waits(study: Study) -> Picture:
    """Rounds until a pot is won, pots that wait longer than a game among them."""
    runs = [one for one in study.detailed if one.get("pot_wait_mean")]
    return span_picture(
        study,
        "pot_waits",
        runs,
        lambda one: waits(one.sample).by_length(),
        lambda one: 1,
        {"mean": "pot_wait_mean", "median": "pot_wait_p50"},
        "pots",
        colours.POT,
    )


def winner_share(study: Study) -> Picture:
    """Share of the winner's score that came from the pot."""
    runs = [one for one in study.detailed if one.get("pot_share_of_winner_mean")]
    return span_picture(
        study,
        "winner_share",
        runs,
        lambda one: one.run.tally["pot_share"],
        lambda one: 1,
        {"mean": "pot_share_of_winner_mean"},
        "sole winners",
        colours.POT,
    )


def unclaimed(study: Study) -> Picture:
    """Share of the points put into the pot that nobody got."""
    runs = [one for one in study.runs if one.get("pot_unclaimed_share")]
    records = [study.record(one, one.estimates["pot_unclaimed_share"]) for one in runs]
    panels = study.panels(
        runs,
        lambda one, _: [
            Mark((e := one.estimates["pot_unclaimed_share"]).value, max(e.low, 0.0), min(e.high, 1.0), colours.POT)
        ],
    )
    answer = study.text(
        "figures.unclaimed.answer",
        share=study.across("pot_unclaimed_share", runs),
        note=study.note([one.estimates["pot_unclaimed_share"] for one in runs]) if runs else "",
    )
    return study.picture(
        "unclaimed",
        answer,
        records,
        lambda: dots(
            panels, ValueAxis(study.text("figures.unclaimed.axis"), study.numbers, percent=True, from_zero=True)
        ),
        runs,
    )


def _games(study: Study) -> str:
    runs = study.detailed
    return study.counted([one.sample.detail_games for one in runs] or [0], study.denominator("detail games"))
