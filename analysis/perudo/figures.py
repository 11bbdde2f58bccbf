"""Figures on length, challenges, two players left, comebacks, waiting, Palifico and cups. Each takes a Study and
returns a Picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from numbluff_sim.analysis.perudo import colours
from numbluff_sim.analysis.perudo.rates import bin_middle
from numbluff_sim.analysis.perudo.sample import BINS
from numbluff_sim.analysis.report.axes import ValueAxis
from numbluff_sim.analysis.report.bars import share_bars
from numbluff_sim.analysis.report.curves import Line, LinePanel, curves
from numbluff_sim.analysis.report.dots import Mark, dots
from numbluff_sim.analysis.report.figures import span_picture
from numbluff_sim.analysis.report.heat import HeatPanel, heat_maps
from numbluff_sim.analysis.report.measured_runs import LabelledRun, Study
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.statistics.estimates import Estimate

#: Fewer cases than this show no point of a curve and no cell of a map: their intervals would fill the picture.
ENOUGH_CASES = 30


def lengths(study: Study) -> Picture:
    """Rounds of a game: spans of quantiles."""
    return span_picture(
        study,
        "lengths",
        study.detailed,
        lambda one: one.run.tally["length"],
        lambda one: 1,
        {"mean": "rounds_per_game"},
        "games",
        "ink",
    )


def bids_by_dice(study: Study) -> Picture:
    """Bids a round by dice in play: a curve a run."""
    runs = study.detailed
    found = {
        id(one): _points(one, range(2, one.sample.dice_in_all + 1), lambda dice: f"bids_at_{dice}_dice") for one in runs
    }
    records = [study.record(one, estimate, dice=dice) for one in runs for dice, estimate in found[id(one)]]
    panels = [LinePanel(study.run_name(one), [_line(found[id(one)], "ink")]) for one in runs]
    answer = study.text(
        "figures.bids_by_dice.answer", bids=study.across("bids_per_round"), note=_note(study, found.values())
    )
    axis = ValueAxis(study.text("figures.bids_by_dice.axis"), study.numbers, from_zero=True)
    return study.picture(
        "bids_by_dice",
        answer,
        records,
        lambda: curves(
            panels, axis, study.text("figures.bids_by_dice.x"), columns=min(2, len(panels)), panel_height=1.2
        ),
        runs,
    )


def calibration(study: Study) -> Picture:
    """Challenged bids: how often they were true by the chance that the challenger saw, against the diagonal."""
    return _by_chance(study, "calibration", "challenged_true_at", colours.TRUE_BIDS, diagonal=True)


def challenge_rate(study: Study) -> Picture:
    """Bids: how often they are challenged by the chance that the next player sees."""
    return _by_chance(study, "challenge_rate", "challenged_at", colours.CHALLENGED, diagonal=False)


def _by_chance(study: Study, name: str, metric: str, role: str, *, diagonal: bool) -> Picture:
    runs = study.detailed
    found = {id(one): _points(one, range(BINS), lambda bin_: f"{metric}_{bin_}") for one in runs}
    records = [
        study.record(one, estimate, chance=bin_middle(bin_)) for one in runs for bin_, estimate in found[id(one)]
    ]

    def lines(one: LabelledRun) -> list[Line]:
        line = _line([(100 * bin_middle(bin_), estimate) for bin_, estimate in found[id(one)]], role)
        return [Line([0.0, 100.0], [0.0, 1.0], colours.AGREEMENT), line] if diagonal else [line]

    panels = [LinePanel(study.run_name(one), lines(one)) for one in runs]
    key = "challenge_right_per_round" if diagonal else "challenge_per_bid"
    answer = study.text(f"figures.{name}.answer", share=study.across(key, runs), note=_note(study, found.values()))
    axis = ValueAxis(study.text(f"figures.{name}.axis"), study.numbers, percent=True, from_zero=True)
    return study.picture(
        name,
        answer,
        records,
        lambda: curves(
            panels, axis, study.text("common.stated_chance"), columns=min(2, len(panels)), panel_height=1.35, x_step=25
        ),
        runs,
    )


def two_left(study: Study) -> Picture:
    """Two players left: chance to win the game by own and rival's dice, opening or not, as heat maps; of each label
    the run with the most cases.
    """
    runs = [max(study.of(label), key=lambda one: int(one.run.tally["duel"].sum())) for label in study.labels]
    runs = [one for one in runs if one.enough_details]
    panels, records = [], []
    for one in runs:
        for which, ending in (("opens", "win_share"), ("second", "second_win_share")):
            cells = {
                (rival, own): estimate
                for own in range(1, one.sample.dice + 1)
                for rival in range(1, one.sample.dice + 1)
                if (estimate := one.get(f"two_left_{own}_v_{rival}_{ending}")) is not None
                and estimate.n >= ENOUGH_CASES
            }
            title = study.text(f"figures.two_left.{which}")
            panels.append(HeatPanel(title if len(runs) == 1 else f"{one.label}, {title}", cells))
            records += [
                study.record(one, estimate, own=own, rival=rival, opens=which == "opens")
                for (rival, own), estimate in cells.items()
            ]
    size = max((one.sample.dice for one in runs), default=1)
    estimates = [estimate for panel in panels for estimate in panel.cells.values()]
    note = study.note(estimates) if estimates else ""
    answer = study.text(
        "figures.two_left.answer",
        even=study.across("two_left_1_v_1_win_share", runs),
        runs=study.names(runs) if runs else "",
        note=note,
    )
    labels = study.text("figures.two_left.x"), study.text("figures.two_left.y")
    return study.picture("two_left", answer, records, lambda: heat_maps(panels, size, *labels, study.numbers), runs)


def first_to_one(study: Study) -> Picture:
    """In which place who was first on one die ends: share bars."""
    runs = [one for one in study.detailed if one.get("first_to_one_place_1_share")]
    most = max((one.players for one in runs), default=1)
    found = {
        id(one): [one.estimates[f"first_to_one_place_{place}_share"] for place in range(1, one.players + 1)]
        for one in runs
    }
    records = [
        study.record(one, estimate, place=place)
        for one in runs
        for place, estimate in enumerate(found[id(one)], start=1)
    ]
    bars = [
        study.bar(one, [estimate.value for estimate in found[id(one)]] + [0.0] * (most - one.players)) for one in runs
    ]
    names = [
        study.text(f"figures.first_to_one.{'won' if place == 1 else 'place'}", place=place)
        for place in range(1, most + 1)
    ]
    shades = [colours.WINNER, *(f"ink/{0.85 - 0.7 * i / max(most - 1, 1):.2f}" for i in range(most - 1))]
    answer = study.text(
        "figures.first_to_one.answer",
        share=study.across("comeback_share", runs),
        n=study.counted([round(found[id(one)][0].n) for one in runs] or [0], study.text("denominators.games")),
    )
    axis = ValueAxis(study.text("figures.first_to_one.axis"), study.numbers)
    return study.picture("first_to_one", answer, records, lambda: share_bars(bars, names, shades, axis), runs)


def waiting(study: Study) -> Picture:
    """Rounds that the players of each place sit out."""
    runs = [one for one in study.detailed if one.players > 2]
    records = [
        study.record(one, one.estimates[f"idle_place_{place}"], place=place)
        for one in runs
        for place in range(3, one.players + 1)
    ]

    panels = study.panels(
        runs,
        lambda one, _: [
            Mark.of(
                one.estimates[f"idle_place_{place}"],
                colours.OUT if place < one.players else colours.FIRST_OUT,
                inside=str(place),
            )
            for place in range(3, one.players + 1)
        ],
    )
    answer = study.text(
        "figures.waiting.answer",
        share=study.across("idle_share", runs),
        note=study.note([one.estimates["idle_place_3"] for one in runs]) if runs else "",
    )
    axis = ValueAxis(study.text("figures.waiting.axis"), study.numbers, from_zero=True)
    return study.picture("waiting", answer, records, lambda: dots(panels, axis), runs)


def palifico(study: Study) -> Picture:
    """How often the Palifico loses the round, against the other openers."""
    runs = [one for one in study.runs if one.get("palifico_lost_share")]
    sides = (
        ("palifico_lost_share", "palifico", colours.PALIFICO, "D"),
        ("other_opener_lost_share", "others", "ink", "o"),
    )
    records = [study.record(one, one.estimates[metric], who=who) for one in runs for metric, who, _, _ in sides]
    panels = study.panels(
        runs,
        lambda one, labelled: [
            Mark.of(
                one.estimates[metric],
                role,
                label=study.text(f"figures.palifico.{who}") if labelled else "",
                shape=shape,
            )
            for metric, who, role, shape in sides
        ],
    )
    answer = study.text(
        "figures.palifico.answer",
        lost=study.across("palifico_lost_share", runs),
        difference=study.across("palifico_minus_opener_lost", runs),
        note=study.note([one.estimates["palifico_lost_share"] for one in runs]) if runs else "",
    )
    axis = ValueAxis(study.text("figures.palifico.axis"), study.numbers, percent=True)
    return study.picture("palifico", answer, records, lambda: dots(panels, axis, room=0.25), runs)


def weaker(study: Study) -> Picture | None:
    """Win share of the player with fewer dice when two are left; no figure where two play from the start."""
    runs = [one for one in study.runs if one.get("weaker_win_share")]
    if not runs:
        return None
    records = [study.record(one, one.estimates["weaker_win_share"]) for one in runs]
    panels = study.panels(runs, lambda one, _: [Mark.of(one.estimates["weaker_win_share"], colours.WEAKER)])
    answer = study.text(
        "figures.weaker.answer",
        wins=study.across("weaker_win_share", runs),
        opens=study.across("weaker_opens_share", runs),
        note=study.note([one.estimates["weaker_win_share"] for one in runs]),
    )
    axis = ValueAxis(study.text("figures.weaker.axis"), study.numbers, percent=True, from_zero=True)
    return study.picture("weaker", answer, records, lambda: dots(panels, axis), runs)


def cups(study: Study) -> Picture:
    """Share of the cups that are lifted and of the dice that are never shown."""
    runs = study.runs
    sides = (("cups_lifted_share", "lifted", "ink", "o"), ("dice_hidden_share", "hidden", colours.HIDDEN_DICE, "s"))
    records = [study.record(one, one.estimates[metric], what=what) for one in runs for metric, what, _, _ in sides]
    panels = study.panels(
        runs,
        lambda one, labelled: [
            Mark.of(
                one.estimates[metric], role, label=study.text(f"figures.cups.{what}") if labelled else "", shape=shape
            )
            for metric, what, role, shape in sides
        ],
    )
    answer = study.text(
        "figures.cups.answer",
        hidden=study.across("dice_hidden_share"),
        note=study.note([one.estimates["dice_hidden_share"] for one in runs]),
    )
    axis = ValueAxis(study.text("figures.cups.axis"), study.numbers, percent=True, from_zero=True)
    return study.picture("cups", answer, records, lambda: dots(panels, axis, room=0.25), runs)


def _points(
    one: LabelledRun, places: Sequence[int] | range, metric: Callable[[int], str]
) -> list[tuple[int, Estimate]]:
    """The estimates that have enough cases, by place."""
    found = ((place, one.get(metric(place))) for place in places)
    return [(place, estimate) for place, estimate in found if estimate is not None and estimate.n >= ENOUGH_CASES]


def _line(points: Sequence[tuple[float, Estimate]], role: str) -> Line:
    band = [estimate.low for _, estimate in points], [estimate.high for _, estimate in points]
    return Line([x for x, _ in points], [estimate.value for _, estimate in points], role, bands=[band])


def _note(study: Study, found: Iterable[Sequence[tuple[int, Estimate]]]) -> str:
    """What the bands are, and n of a point."""
    estimates = [estimate for points in found for _, estimate in points]
    return study.text("common.band_note", note=study.note(estimates)) if estimates else ""
