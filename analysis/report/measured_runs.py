"""Runs as a balance report reads them: measured, labelled, ordered; and the wording that tables and captions share.
Knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.metrics.measured import looked_at, paid_for
from numbluff_sim.analysis.report.bars import Bar
from numbluff_sim.analysis.report.dots import Mark, Panel, Quantiles, Row
from numbluff_sim.analysis.report.model import Picture, Table
from numbluff_sim.analysis.report.wording import Wording, digits_of
from numbluff_sim.analysis.statistics.estimates import Estimate, TestResult
from numbluff_sim.contract.game import Counts
from numbluff_sim.contract.registry import game

#: Fewer games than this give no figure, fewer detail games no distribution.
ENOUGH_GAMES = 100
#: Columns of a span in the data.
PERCENTILES = ("p10", "p25", "p50", "p75", "p90")


class ReportedRun(Protocol):
    """What the report needs of a run (`numbluff_sim.run.store.RunData`)."""

    @property
    def config(self) -> Any:
        """The game's configuration."""

    @property
    def tally(self) -> Counts:
        """The game's tally."""

    @property
    def meta(self) -> Mapping[str, Any]:
        """What run.json says."""


@dataclass(frozen=True)
class LabelledRun:
    """A run with its metrics. `label` tells play and rules, without the number of players; `sample` is the game's
    own reading of the tally.
    """

    run: ReportedRun
    label: str
    estimates: Mapping[str, Estimate]
    tests: Mapping[str, TestResult]
    sample: Any

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.run.config.players)

    @property
    def rounds(self) -> int:
        """Rounds planned for a game, or the most it can have."""
        return int(self.run.config.rounds)

    @property
    def mixed(self) -> Mapping[str, tuple[int, ...]]:
        """Who sits where, by persona; nothing where all seats play the same."""
        seating: Mapping[str, tuple[int, ...]] = self.run.config.mixed_seating
        return seating

    @property
    def looks(self) -> int:
        """How often the run was complete and may have been looked at; more than once: intervals are sequential."""
        return looked_at(self.run.meta)

    @property
    def enough_details(self) -> bool:
        """Whether there are enough detail games for distributions."""
        return bool(self.sample.detail_games >= ENOUGH_GAMES)

    def at(self, alpha: float) -> LabelledRun:
        """The same with 1 - alpha intervals."""
        return replace(self, estimates=_estimates(self.run, alpha))

    def get(self, metric: str) -> Estimate | None:
        """The estimate of this name, None where it is not defined for the run."""
        estimate = self.estimates.get(metric)
        return estimate if estimate is not None and estimate.defined else None


def _estimates(run: ReportedRun, alpha: float) -> dict[str, Estimate]:
    """All metrics of a run as people are shown them, with 1 - alpha intervals; sequential ones if it was looked at."""
    shown = game(run.config.game).metrics.shown(run)
    return {name: estimator.at(alpha) for name, estimator in paid_for(shown, run.meta).items()}


def run_label(config: Any, reference: Any, more: Sequence[str] = (), language: str = "en") -> str:
    """Who plays, in the order of the seats, and what differs from the reference configuration: rulings in the words of
    the rule book, keys of the table but for the players, and what the game adds.
    """
    names = list(config.seats)
    play = names[0] if len(set(names)) == 1 else " + ".join(f"{len(list(run))} {name}" for name, run in groupby(names))
    book = game(config.game).rules
    changed = [
        words.in_language(language) if (words := book.setting(f"rules.{key}", value)) else f"{key} = {value}"
        for key, value in config.rules.model_dump().items()
        if value != getattr(reference.rules, key)
    ]
    changed += [
        f"{key} = {value}"
        for key, value in config.table.model_dump().items()
        if key != "players" and value != getattr(reference.table, key)
    ]
    return ", ".join([play, *changed, *more])


def measure(
    runs: Iterable[ReportedRun],
    alpha: float,
    more: Callable[[Any, Any], Sequence[str]] = lambda config, reference: (),
    language: str = "en",
) -> list[LabelledRun]:
    """All runs with their metrics: by label in the order given, then by players. Runs that would look alike get a
    number.

    `more(config, reference)`: what a label tells of differences that are neither rulings nor keys of the table.
    """
    from numbluff_sim.config import load

    found: list[LabelledRun] = []
    taken: set[tuple[str, int]] = set()
    for run in runs:
        entry = game(run.config.game)
        reference = load(preset="documented", overrides={"game": entry.name})
        label = base = run_label(run.config, reference, more(run.config, reference), language)
        number = 1
        while (label, run.config.players) in taken:
            number += 1
            label = f"{base} ({number})"
        taken.add((label, run.config.players))
        metrics = entry.metrics
        found.append(LabelledRun(run, label, _estimates(run, alpha), metrics.tests(run), metrics.sample(run)))
    labels = list(dict.fromkeys(one.label for one in found))
    return sorted(found, key=lambda one: (labels.index(one.label), one.players))


@dataclass(frozen=True)
class Study(Wording):
    """The measured runs of a report, in its language."""

    runs: Sequence[LabelledRun]

    @property
    def labels(self) -> list[str]:
        """Labels of the runs, in order."""
        return list(dict.fromkeys(one.label for one in self.runs))

    def of(self, label: str) -> list[LabelledRun]:
        """The runs of a label, by players."""
        return [one for one in self.runs if one.label == label]

    @property
    def alike(self) -> list[LabelledRun]:
        """Runs in which all seats play the same: those that say what a seat is worth."""
        return [one for one in self.runs if not one.mixed]

    @property
    def mixed(self) -> list[LabelledRun]:
        """Runs whose seats play differently: what seats get there is that of those who sit there, too."""
        return [one for one in self.runs if one.mixed]

    @property
    def detailed(self) -> list[LabelledRun]:
        """Runs with enough detail games for distributions."""
        return [one for one in self.runs if one.enough_details]

    def run_name(self, one: LabelledRun) -> str:
        """A run in words."""
        return self.text("common.run", label=one.label, players=one.players)

    def names(self, runs: Sequence[LabelledRun]) -> str:
        """Runs in words, grouped by label: "documented, 3 and 4 players; plays_to_win, 3 players"."""
        sizes = {
            label: sorted(one.players for one in runs if one.label == label)
            for label in dict.fromkeys(one.label for one in runs)
        }
        parts = [
            self.text("common.run", label=label, players=self.listed([str(p) for p in players]))
            for label, players in sizes.items()
        ]
        return self.text("common.semicolon").join(parts)

    def heads(self, runs: Sequence[LabelledRun]) -> list[str]:
        """Column heads of runs, in two lines."""
        return [f"{one.label}\n{self.text('common.players', players=one.players)}" for one in runs]

    def panels(
        self, runs: Sequence[LabelledRun], marks: Callable[[LabelledRun, bool], Sequence[Mark | Quantiles]]
    ) -> list[Panel]:
        """A panel a label with a row a run. `marks(run, labelled)`: the first row's marks carry labels."""
        return [
            Panel(
                label,
                [
                    Row(self.text("common.players", players=one.players), marks(one, one is runs[0]))
                    for one in runs
                    if one.label == label
                ],
            )
            for label in dict.fromkeys(one.label for one in runs)
        ]

    def bar(self, one: LabelledRun, parts: Sequence[float]) -> Bar:
        """A run's share bar, grouped by label."""
        return Bar(self.text("common.players", players=one.players), parts, one.label)

    def across(
        self, metric: str | Callable[[LabelledRun], Estimate | None], runs: Sequence[LabelledRun] | None = None
    ) -> str:
        """A metric over the runs in words: lowest and highest with their runs, or the only value with its interval."""
        found = [
            (estimate, one)
            for one in (self.runs if runs is None else runs)
            if (estimate := one.get(metric) if isinstance(metric, str) else metric(one)) is not None
        ]
        if not found:
            return self.text("common.unknown")
        if len(found) == 1:
            return self.cell(found[0][0])
        low, high = min(found, key=lambda pair: pair[0].value), max(found, key=lambda pair: pair[0].value)
        low_text, high_text = self.value(low[0]), self.value(high[0])
        if low_text == high_text:
            return self.text("common.same_everywhere", value=low_text)
        return self.text(
            "common.from_to",
            low=low_text,
            low_run=self.run_name(low[1]),
            high=high_text,
            high_run=self.run_name(high[1]),
        )

    def spread_note(self, counts: Sequence[int], unit: str) -> str:
        """What a figure of quantiles shows, and its n."""
        return self.text("common.quantile_note", n=self.counted(counts, self.denominator(unit)))

    def record(self, one: LabelledRun, estimate: Estimate, **more: Any) -> dict[str, Any]:
        """An estimate as a row of data."""
        return {"run": one.label, "players": one.players, **more, **estimate.to_json()}

    def picture(
        self,
        name: str,
        answer: str,
        records: Sequence[Mapping[str, Any]],
        draw: Callable[[], Any],
        runs: Sequence[LabelledRun],
    ) -> Picture:
        """A figure with its question and alt text from the catalogue; without `runs` to show it says that games are
        too few.
        """
        question = self.text(f"figures.{name}.question")
        if not runs:
            most = max(one.sample.detail_games for one in self.runs)
            return Picture(
                name,
                question,
                self.text("common.too_few", needed=ENOUGH_GAMES, games=self.numbers.integer(most)),
                question,
                (),
                None,
            )
        return Picture(name, question, answer, self.text(f"figures.{name}.alt") + " " + answer, records, draw)

    def table(
        self,
        name: str,
        rows: Sequence[tuple[str, str]],
        runs: Sequence[LabelledRun] | None = None,
        more: Sequence[tuple[str, Sequence[str]]] = (),
    ) -> Table:
        """Metrics by run: (label, metric) a row, a run a column; rows nobody has are left out. `more`: ready rows of
        text.
        """
        shown = list(self.runs if runs is None else runs)
        lines, records = [], []
        for label, metric in rows:
            estimates = [one.get(metric) for one in shown]
            if any(estimate is not None for estimate in estimates):
                digits = (
                    max(digits_of(estimate) for estimate in estimates if estimate is not None and estimate.value != 0)
                    if any(e and e.value for e in estimates)
                    else None
                )
                lines.append([label, *(self.cell(estimate, digits) for estimate in estimates)])
                records += [
                    self.record(one, estimate)
                    for one, estimate in zip(shown, estimates, strict=True)
                    if estimate is not None
                ]
        lines += [[label, *cells] for label, cells in more]
        caption = self.text("common.table_note", caption=self.text(f"tables.{name}"), level=self.level())
        return Table(f"table_{name}", caption, ["", *self.heads(shown)], lines, records)


def percentiles(counts: NDArray[np.int64], width: int = 1) -> list[float]:
    """Percentiles 10, 25, 50, 75, 90 of a histogram (bin i holds i*width ...), as middles of bins: a description of
    the counts, not estimates.
    """
    cumulative = np.cumsum(counts) / max(int(counts.sum()), 1)
    return [
        float(int(np.searchsorted(cumulative, int(name[1:]) / 100 - 1e-12)) * width + (width - 1) / 2)
        for name in PERCENTILES
    ]
