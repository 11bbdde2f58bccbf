"""Figures on events, exact hits, gaps, fusions and lies. Each takes a Study and returns a Picture."""

from __future__ import annotations

from collections.abc import Sequence

from numbluff_sim.analysis.num_bluff import colours
from numbluff_sim.analysis.num_bluff.choices import POSITIONS
from numbluff_sim.analysis.num_bluff.metric_words import event_titles
from numbluff_sim.analysis.report.axes import ValueAxis
from numbluff_sim.analysis.report.bars import share_bars
from numbluff_sim.analysis.report.dots import Mark, Panel, Quantiles, Row, dots
from numbluff_sim.analysis.report.measured_runs import PERCENTILES, LabelledRun, Study, percentiles
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.games.num_bluff.code_names import MECHANISM_NAMES
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES

#: The rulebook's two rates and the table size they were given for.
DOCUMENTED = {"miroir_parfait": 0.0006, "frappe_parfaite": 0.016}
DOCUMENTED_PLAYERS = 4


def event_rates(study: Study) -> Picture:
    """Every event's rate per round with all runs, on a log axis, documented rates marked."""
    records = [
        study.record(
            one,
            one.estimates[f"{event}_per_round"],
            event=event,
            documented=DOCUMENTED.get(event) if one.players == DOCUMENTED_PLAYERS else None,
        )
        for one in study.runs
        for event in EVENT_NAMES
    ]

    def row(event: str, label: str) -> Row:
        marks = []
        for one in study.of(label):
            estimate = one.estimates[f"{event}_per_round"]
            if estimate.value > 0:
                marks.append(
                    Mark(
                        estimate.value, max(estimate.low, estimate.value / 100), estimate.high, inside=str(one.players)
                    )
                )
            elif estimate.high < 1:
                marks.append(
                    Mark(
                        estimate.high,
                        None,
                        None,
                        role="muted",
                        inside=str(one.players),
                        label=study.text("figures.event_rates.none_seen"),
                    )
                )
        if event in DOCUMENTED:
            marks.append(
                Mark(
                    DOCUMENTED[event],
                    role=colours.DOCUMENTED_RATE,
                    shape="D",
                    label=study.text("figures.event_rates.documented"),
                )
            )
        return Row(event_titles(study.words.language)[event], marks)

    axis = ValueAxis(study.text("figures.event_rates.axis"), study.numbers, percent=True, log=True)
    answer = study.text(
        "figures.event_rates.answer",
        miroir=study.across("miroir_parfait_per_round"),
        frappe=study.across("frappe_parfaite_per_round"),
        note=study.note([one.estimates[f"{event}_per_round"] for one in study.runs for event in EVENT_NAMES]),
    )
    return study.picture(
        "event_rates",
        answer,
        records,
        lambda: dots([Panel(label, [row(event, label) for event in EVENT_NAMES]) for label in study.labels], axis),
        study.runs,
    )


def mechanisms(study: Study) -> Picture:
    """How exact hits come about, as share bars."""
    runs = [one for one in study.detailed if one.get("mechanism_natural_share")]
    names = MECHANISM_NAMES[1:]
    records = [
        study.record(one, one.estimates[f"mechanism_{name}_share"], mechanism=name) for one in runs for name in names
    ]
    bars = [study.bar(one, [one.estimates[f"mechanism_{name}_share"].value for name in names]) for one in runs]
    axis = ValueAxis(study.text("figures.mechanisms.axis"), study.numbers)
    answer = study.text(
        "figures.mechanisms.answer",
        natural=study.across("mechanism_natural_share", runs),
        adjust=study.across("mechanism_adjust_share", runs),
        n=_n(study, runs, "mechanism_natural_share"),
    )
    labels = [study.text(f"mechanisms.{name}") for name in names]
    return study.picture(
        "mechanisms", answer, records, lambda: share_bars(bars, labels, ["ink", "ink/0.55", "ink/0.22"], axis), runs
    )


def gaps(study: Study) -> Picture:
    """Gaps of the closest and the farthest player: spans of quantiles."""
    runs = [one for one in study.detailed if one.get("gap_closest_mean")]
    spans = {
        (one.label, one.players, role): percentiles(one.run.tally[f"gap_{role}"])
        for one in runs
        for role in colours.OF_DISPUTE
    }
    records = [
        study.record(one, one.estimates[f"gap_{role}_mean"], role=role)
        | dict(zip(PERCENTILES, spans[one.label, one.players, role], strict=True))
        for one in runs
        for role in colours.OF_DISPUTE
    ]
    panels = study.panels(
        runs,
        lambda one, labelled: [
            Quantiles(
                spans[one.label, one.players, role],
                colours.OF_DISPUTE[role],
                study.text(f"roles.{role}") if labelled else "",
            )
            for role in colours.OF_DISPUTE
        ],
    )
    answer = study.text(
        "figures.gaps.answer",
        closest=study.across("gap_closest_mean", runs),
        farthest=study.across("gap_farthest_mean", runs),
        note=study.spread_note([int(one.run.tally["gap_closest"].sum()) for one in runs] or [0], "rounds"),
    )
    axis = ValueAxis(study.text("figures.gaps.axis"), study.numbers, from_zero=True)
    return study.picture("gaps", answer, records, lambda: dots(panels, axis), runs)


def fusions(study: Study) -> Picture | None:
    """Points a round with a fusion and with a single card; no figure where nobody fuses."""
    runs = [
        one
        for one in study.detailed
        if one.get("fusion_points") and one.get("fusions_per_game") and one.estimates["fusions_per_game"].value > 0
    ]
    if not runs:
        return None
    sides = (("fusion", "ink", "s"), ("single", colours.OTHERS, "o"))
    records = [study.record(one, one.estimates[f"{side}_points"], side=side) for one in runs for side, _, _ in sides]
    panels = study.panels(
        runs,
        lambda one, labelled: [
            Mark.of(one.estimates[f"{side}_points"], role, study.text(f"sides.{side}") if labelled else "", shape)
            for side, role, shape in sides
        ],
    )
    answer = study.text(
        "figures.fusions.answer",
        difference=study.across("fusion_minus_single_points", runs),
        note=study.note([one.estimates["fusion_points"] for one in runs]),
    )
    return study.picture(
        "fusions",
        answer,
        records,
        lambda: dots(panels, ValueAxis(study.text("figures.fusions.axis"), study.numbers, from_zero=True)),
        runs,
    )


def positions(study: Study) -> Picture:
    """Mean points a round by what a player turned out to be."""
    runs = [one for one in study.detailed if one.get("bluffer_gain")]
    found = {
        (one.label, one.players): [
            (role, estimate)
            for position, role in zip(POSITIONS, colours.OF_POSITION, strict=True)
            if (estimate := one.get(f"{position}_gain")) is not None
        ]
        for one in runs
    }
    records = [
        study.record(one, estimate, position=role) for one in runs for role, estimate in found[one.label, one.players]
    ]
    labelled = (
        max((one for one in runs if one.label == runs[0].label), key=lambda one: one.players) if runs else None
    )  # the largest table has all roles
    panels = study.panels(
        runs,
        lambda one, _: [
            Mark.of(estimate, colours.OF_POSITION[role], study.text(f"roles.{role}") if one is labelled else "")
            for role, estimate in found[one.label, one.players]
        ],
    )
    answer = study.text(
        "figures.positions.answer",
        bluffer=study.across("bluffer_gain", runs),
        winner=study.across("exact_winner_gain", runs),
        note=study.note([one.estimates["bluffer_gain"] for one in runs]) if runs else "",
    )
    return study.picture(
        "positions",
        answer,
        records,
        lambda: dots(panels, ValueAxis(study.text("figures.positions.axis"), study.numbers, from_zero=True)),
        runs,
    )


def lying(study: Study) -> Picture | None:
    """The bluffer's points a round when honest and by kind of lie; no figure where nobody lies."""
    runs = [one for one in study.detailed if one.get("lying_points_per_round")]
    if not runs:
        return None
    kinds = (
        ("honest_points_per_round", "none", "ink", "o"),
        ("lie_total_points_per_round", "total", colours.BLUFFER, "s"),
        ("lie_family_points_per_round", "family", colours.BLUFFER, "D"),
    )
    records = [
        study.record(one, estimate, announcement=kind)
        for one in runs
        for metric, kind, _, _ in kinds
        if (estimate := one.get(metric)) is not None
    ]
    panels = study.panels(
        runs,
        lambda one, labelled: [
            Mark.of(estimate, role, study.text(f"lies.{kind}") if labelled else "", shape)
            for metric, kind, role, shape in kinds
            if (estimate := one.get(metric)) is not None
        ],
    )
    answer = study.text(
        "figures.lying.answer",
        difference=study.across("honest_minus_lying_points", runs),
        note=study.note(
            [
                one.estimates[m]
                for one in runs
                for m in ("honest_points_per_round", "lie_total_points_per_round")
                if one.get(m)
            ]
        ),
    )
    return study.picture(
        "lying", answer, records, lambda: dots(panels, ValueAxis(study.text("figures.lying.axis"), study.numbers)), runs
    )


def _n(study: Study, runs: Sequence[LabelledRun], metric: str) -> str:
    if not runs:
        return ""
    return study.counted(
        [round(one.estimates[metric].n) for one in runs], study.denominator(runs[0].estimates[metric].denominator)
    )
