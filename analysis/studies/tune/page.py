"""The page of a search: the smallest change that meets the targets, or what is in the way; the way there."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.model import FindingText, Page, Picture, Section, Table, Text
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.report.style import FONT, colour, settings
from numbluff_sim.analysis.report.wording import digits_of
from numbluff_sim.analysis.studies.question.page import whatif_page
from numbluff_sim.analysis.studies.question.targets import Judged, Judgement, Status, pareto
from numbluff_sim.analysis.studies.question.words import GameWording
from numbluff_sim.analysis.studies.sweep.result import Reached, changed
from numbluff_sim.analysis.studies.tune.result import Tuned, trial_rows
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import shown_value
from numbluff_sim.i18n import page_catalogue

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROLES = {Status.MET: "closest", Status.MISSED: "bluffer", Status.OPEN: "pot"}
#: Trials in the table of the best ones.
SHOWN = 10


@dataclass(frozen=True)
class TuneWords(GameWording):
    """The wording of one search."""

    found: Tuned

    @classmethod
    def of(cls, found: Tuned, game_name: str, language: str) -> TuneWords:
        """In "en" or "fr"."""
        return cls(
            page_catalogue("numbluff_sim.analysis.studies.tune:tune", language), found.targets.alpha, game_name, found
        )

    def changes(self, values: Mapping[str, Any]) -> str:
        """What differs from the base: key, from, to."""
        base = self.found.base_values
        parts = [
            f"{key}: {self._shown(base[key])} → {shown_value(value)}" for key, value in changed(values, base).items()
        ]
        return ", ".join(parts) if parts else self.text("changes.none")

    def _shown(self, value: Any) -> str:
        return self.text("changes.nothing") if value is None else shown_value(value)

    def range(self, judged: Judged) -> str:
        """A target's range."""
        margin, scale = judged.target.range, 100 if judged.estimate.unit == "share" else 1
        sign = self.numbers.percent_sign if judged.estimate.unit == "share" else ""
        ends = [self._end(scale * end) + sign if math.isfinite(end) else "" for end in (margin.low, margin.high)]
        if not ends[0]:
            return self.text("range.at_most", high=ends[1])
        return (
            self.text("range.both", low=ends[0], high=ends[1]) if ends[1] else self.text("range.at_least", low=ends[0])
        )

    def _end(self, value: float) -> str:
        digits = next((d for d in range(6) if math.isclose(round(value, d), value, rel_tol=1e-9, abs_tol=1e-12)), 6)
        return self.numbers.decimal(value, digits)

    def status(self, status: Status) -> str:
        """met, missed or open."""
        return self.text(f"status.{status}")


def tune_page(
    found: Tuned, game_name: str, players: int, language: str, command: str, made_with: Mapping[str, str]
) -> Page:
    """The page in "en" or "fr"; `command` makes the numbers again."""
    words = TuneWords.of(found, game_name, language)
    return whatif_page(
        words.words,
        title=words.text("page.title", game=game(game_name).title),
        lead=words.text(
            "page.lead", base=found.base_name, targets=len(found.targets.metrics), axes=len(found.base_values)
        ),
        facts=[
            words.text("facts.base", base=found.base_name, players=players),
            words.text("facts.trials", trials=len(found.trials)),
            words.text("facts.games", games=words.numbers.integer(found.games)),
            words.text("facts.seed", seed=found.seed),
        ],
        findings=findings(words),
        sections=[_answer(words), _trials(words)],
        command=command,
        making=[
            Text(
                words.text(
                    "making.method",
                    games=words.numbers.integer(found.games),
                    alpha=words.numbers.percent(found.targets.alpha, 0),
                )
            ),
            Text(
                words.text(
                    "making.versions", versions=", ".join(f"{name} {version}" for name, version in made_with.items())
                )
            ),
        ],
        making_answer=words.text("making.answer", trials=len(found.trials), seed=found.seed),
    )


def findings(words: TuneWords) -> list[FindingText]:
    """The winner, or what is in the way."""
    return [_met(words)] if words.found.winner else _not_met(words)


def _met(words: TuneWords) -> FindingText:
    found = words.found
    winner = found.winner
    assert winner is not None
    values = words.text("common.semicolon").join(
        f"{words.metric(one.metric)} {words.plain(one.estimate)}" for one in winner.judgement.targets
    )
    key = "met" if winner.reached.point.changes else "met_base"
    title = words.text(f"findings.{key}", changes=words.changes(winner.reached.point.values))
    text = (
        values
        + ". "
        + words.text("findings.fresh", games=words.numbers.integer(winner.games), others=len(found.confirmations) - 1)
    )
    text += " " + words.text("findings.smallest" if found.exhausted else "findings.not_all")
    return FindingText(
        "met",
        1,
        title,
        text,
        words.evidence([one.estimate for one in winner.judgement.targets]),
        words.text("findings.holds", base=found.base_name),
        found.to_json(),
    )


def _not_met(words: TuneWords) -> list[FindingText]:
    found = words.found
    near = found.nearest
    blocking = words.listed([words.metric(name) for name in found.blocking]) if found.blocking else "–"
    text = words.text(
        "findings.nearest",
        changes=words.changes(near.point.values),
        distance=words.numbers.decimal(near.judgement.distance, 3),
    )
    if found.bounds:
        bounds = words.listed([f"{bound.key} = {shown_value(bound.value)}" for bound in found.bounds])
        text += " " + words.text("findings.bounds", bounds=bounds)
    text += " " + words.text("findings.all_tried" if found.exhausted else "findings.more_trials")
    key = "unconfirmed" if found.confirmations and near.judgement.met_by_value else "blocking"
    return [
        FindingText(
            "not_met",
            3,
            words.text(f"findings.{key}", blocking=blocking),
            text,
            words.evidence([one.estimate for one in near.judgement.targets]),
            words.text("findings.holds", base=found.base_name),
            found.to_json(),
        )
    ]


def _answer(words: TuneWords) -> Section:
    found = words.found
    best = found.winner.judgement if found.winner else found.nearest.judgement
    point = found.winner.reached if found.winner else found.nearest
    names = (words.text("answer.base"), words.text("answer.tuned" if found.winner else "answer.nearest"))
    rows = [
        [
            words.metric(after.metric),
            words.range(after),
            words.cell(before.estimate),
            words.cell(after.estimate),
            words.status(after.status),
        ]
        for before, after in zip(found.base.judgement.targets, best.targets, strict=True)
    ]
    records = [
        {
            "metric": after.metric,
            "base": before.estimate.value,
            "tuned": after.estimate.value,
            "low": after.estimate.low,
            "high": after.estimate.high,
            "status": str(after.status),
        }
        for before, after in zip(found.base.judgement.targets, best.targets, strict=True)
    ]
    head = [words.text("answer.head_metric"), words.text("answer.head_range"), *names, words.text("answer.head_status")]
    table = Table("targets", words.text("answer.caption", level=words.level()), head, rows, records)
    answer = words.text("answer.met" if found.winner else "answer.not_met", changes=words.changes(point.point.values))
    return Section(
        "answer", words.text("answer.question"), answer, [_picture(words, names, best), table], unfolded=True
    )


def _picture(words: TuneWords, names: tuple[str, str], best: Judgement) -> Picture:
    """A panel a target, its range shaded: the base and the tuned configuration."""
    found = words.found
    pairs = list(zip(found.base.judgement.targets, best.targets, strict=True))
    records = [
        {"metric": one.metric, "configuration": name, **one.estimate.to_json(), "status": str(one.status)}
        for pair in pairs
        for name, one in zip(("base", "tuned"), pair, strict=True)
    ]
    n = words.counted([one.estimate.games for pair in pairs for one in pair], words.denominator("games"))
    return Picture(
        "targets_met",
        words.text("figures.targets.question"),
        words.text("figures.targets.answer", n=n),
        words.text("figures.targets.alt"),
        records,
        lambda: _draw(words, names, pairs),
    )


def _draw(words: TuneWords, names: tuple[str, str], pairs: Sequence[tuple[Judged, Judged]]) -> Canvas:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    with settings():
        canvas, grid = sheet(1.15 * len(pairs) + 0.1, len(pairs), pad=0.05, space=0.04)
        for pair, axes in zip(pairs, grid[:, 0], strict=True):
            share = pair[0].estimate.unit == "share"
            scale, margin = (100 if share else 1), pair[0].target.range
            for y, one in enumerate(pair):
                ink, estimate = colour(ROLES[one.status]), one.estimate
                if math.isfinite(estimate.value):
                    axes.plot(
                        [scale * max(estimate.low, -1e12), scale * min(estimate.high, 1e12)],
                        [y, y],
                        color=ink,
                        linewidth=1.6,
                        zorder=2,
                    )
                    axes.plot(
                        [scale * estimate.value],
                        [y],
                        marker="o",
                        color=ink,
                        markersize=6.5,
                        markeredgecolor=colour("paper"),
                        zorder=3,
                    )
                    axes.annotate(
                        words.value(estimate, digits_of(estimate)),
                        (scale * estimate.value, y),
                        xytext=(0, 7),
                        textcoords="offset points",
                        color=ink,
                        fontsize=FONT - 1.5,
                        ha="center",
                    )
            axes.margins(x=0.18)
            left, right = axes.get_xlim()
            ends = [scale * end for end in (margin.low, margin.high) if math.isfinite(end)]
            room = 0.12 * (max([right, *ends]) - min([left, *ends]))
            left, right = min([left, *(end - room for end in ends)]), max([right, *(end + room for end in ends)])
            axes.axvspan(max(scale * margin.low, left), min(scale * margin.high, right), color=colour("wash"), zorder=0)
            axes.set_xlim(left, right)
            axes.set_yticks([0, 1], names)
            axes.set_ylim(1.5, -0.7)
            axes.set_title(
                textwrap.fill(
                    words.metric(pair[0].metric) + (f" ({words.numbers.percent_sign.strip()})" if share else ""), 40
                )
            )
            axes.xaxis.set_major_locator(MaxNLocator(nbins=6))
            axes.xaxis.set_major_formatter(
                FuncFormatter(lambda value, _: f"{value:.6g}".replace(".", words.numbers.decimal(0.5, 1)[1]))
            )
            axes.tick_params(length=0)
            axes.grid(axis="y", visible=False)
    return canvas


def _trials(words: TuneWords) -> Section:
    found = words.found
    best = sorted(found.trials, key=lambda one: (one.judgement.distance, one.order))
    best = list({one.digest: one for one in reversed(best)}.values())[::-1][:SHOWN]
    rows = [_trial_row(words, one) for one in best]
    records = [row for row in trial_rows(found) if row["trial"] in {one.point.number for one in best}]
    metrics = found.targets.metrics
    head = [
        words.text("trials.head_changes"),
        words.text("trials.head_distance"),
        *(words.metric(name) for name in metrics),
    ]
    front = pareto([one.judgement.distance for one in found.trials], [one.point.changes for one in found.trials])
    steps = [
        words.text(
            "trials.front_step",
            changes=found.trials[i].point.changes,
            distance=words.numbers.decimal(found.trials[i].judgement.distance, 3),
        )
        for i in front
    ]
    blocks: list[Table | Picture | Text] = [
        Table("trials", words.text("trials.caption", level=words.level()), head, rows, records, numeric_from=1),
        Text(words.text("trials.front", steps=words.text("common.semicolon").join(steps))),
    ]
    if found.refused:
        values, reason = found.refused[0]
        blocks.append(
            Text(words.text("trials.refused", count=len(found.refused), first=words.changes(values), reason=reason))
        )
    met = sum(one.judgement.met_by_value for one in found.trials)
    return Section(
        "trials", words.text("trials.question"), words.text("trials.answer", trials=len(found.trials), met=met), blocks
    )


def _trial_row(words: TuneWords, one: Reached) -> list[str]:
    return [
        words.changes(one.point.values),
        words.numbers.decimal(one.judgement.distance, 3),
        *(words.cell(judged.estimate) for judged in one.judgement.targets),
    ]
