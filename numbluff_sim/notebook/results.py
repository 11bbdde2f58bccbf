"""Results of studies in a notebook: frames of what they found, the pictures of their pages, a look of their own."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.model import Page
from numbluff_sim.analysis.report.page import render
from numbluff_sim.contract.registry import game
from numbluff_sim.notebook.frames import arrow_frame, frame, typed
from numbluff_sim.notebook.html import table_html
from numbluff_sim.notebook.plots import Kept, Plots, drawn
from numbluff_sim.studies.page_files import made_with, write_page

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from numbluff_sim.analysis.studies.calibrate.result import Calibration
    from numbluff_sim.analysis.studies.compare.result import Comparison, VariantResult
    from numbluff_sim.analysis.studies.tune.result import Tuned
    from numbluff_sim.analysis.studies.what_if_one.result import WhatIfOne
    from numbluff_sim.config import Config
    from numbluff_sim.studies.sweep.data import Finished


class StudyResult(ABC):
    """What a study found: `found` as the analysis has it, `folder` where it is kept (None: in memory)."""

    def __init__(self, found: Any, folder: Path | None, command: str) -> None:
        self.found, self.folder, self.command = found, folder, command
        self._pictures: Kept = {}

    @property
    def plot(self) -> Plots:
        """The pictures of its page."""
        return Plots(self.page, self._pictures)

    @abstractmethod
    def page(self, language: str) -> Page:
        """The study's page in "en" or "fr"."""

    def report(self, out: str | os.PathLike[str] | None = None, *, language: str = "en") -> Path:
        """Write the page with its figures and numbers into `out` (the study's own folder by default): its path.
        Raises RunError.
        """
        folder = Path(out) if out is not None else self.folder or Path("results") / self.command.partition("(")[0]
        return write_page(render(self.page(language)), folder)


class ComparisonResult(StudyResult):
    """A base and its variants on the same deals."""

    found: Comparison

    def effects(self, variant: str | None = None, *, language: str = "en") -> pd.DataFrame:
        """Every difference, a row a variant and metric, the largest real ones of a variant first.

        Columns: variant, kind, metric, label (the metric in `language`), unit, base and value (of both sides),
        difference, low, high, level (its own interval), simultaneous_low, simultaneous_high (all intervals hold
        together), p_value, real (Holm over all differences), smallest_relevant (the smallest difference that matters),
        relevance (relevant, negligible or open), relative (to the base), standardised (in standard deviations between
        games), games_saved (what common deals save), n, denominator, games, method.
        `variant`: of this one alone.
        """
        label = game(self.found.game).words.metric_label
        rows = [
            {
                "variant": row["variant"],
                "kind": row["kind"],
                "metric": row["metric"],
                "label": label(row["metric"], language),
                **row,
            }
            for row in self.found.rows()
        ]
        found = frame(rows)
        return found if variant is None else found[found["variant"] == self._variant(variant).name]

    def judged(self, relevant: Mapping[str, float], *, sort: str = "") -> ComparisonResult:
        """The same comparison with other smallest differences that matter, by metric, each in its unit; `sort`: what
        page and pictures are sorted by, a metric or "relevance". Intervals hold for all metrics and variants together,
        so they may be chosen after looking. Raises ConfigError.

        >>> compared.judged({"seat_points_gap": 0.5}, sort="relevance").effects()
        """
        from numbluff_sim.studies.compare.study import judged

        return ComparisonResult(judged(self.found, relevant, sort), self.folder, self.command)

    def variants(self) -> pd.DataFrame:
        """A row a variant: variant, kind, changes (what sets it apart), real (effects that are), effects (all),
        identical (nothing differs), parted (share of the games that part; NaN without common deals), digest.
        """
        return frame(
            {
                "variant": one.name,
                "kind": one.kind,
                "changes": "; ".join(f"{key}: {before} -> {after}" for key, before, after in one.changes),
                "real": len(one.real),
                "effects": len(one.effects),
                "identical": one.identical,
                "parted": float("nan") if one.parting is None else one.parting.share.value,
                "digest": one.digest,
            }
            for one in self.found.variants
        )

    def page(self, language: str) -> Page:
        """The page of the comparison in "en" or "fr"."""
        from numbluff_sim.analysis.studies.compare.page import comparison_page

        return comparison_page(self.found, language, self.command)

    @property
    def plot(self) -> ComparisonPlots:
        """The pictures of its page, and the forest plot of any variant."""
        return ComparisonPlots(self, self._pictures)

    def _variant(self, name: str | None) -> VariantResult:
        from numbluff_sim.errors import RunError, nearest_name, one_of

        names = [one.name for one in self.found.variants]
        if name is not None and name not in names:
            near = nearest_name(name, names)
            raise RunError(
                f'"{name}" is no variant here; expected {one_of(names)}.' + (f' Did you mean "{near}"?' if near else "")
            )
        return self.found.variants[0 if name is None else names.index(name)]

    def __repr__(self) -> str:
        return f"<{self._caption()}>"

    def _caption(self) -> str:
        one = self.found
        return f"{one.study} {one.base}: {len(one.variants)} variants, {one.games:,} games each, seed {one.seed}"

    def _repr_html_(self) -> str:
        found = self.effects()
        real = found[found["real"]]
        note = f"Differences that are real, {len(real):,} of {len(found):,} (Holm, 5 % for all together)."
        return table_html(
            self._caption(), real, ["variant", "label", "base", "value", "difference", "low", "high"], note
        )


class ComparisonPlots(Plots):
    """The pictures of a comparison's page, and the forest plot of a variant."""

    def __init__(self, result: ComparisonResult, kept: Kept) -> None:
        super().__init__(result.page, kept)
        self._result = result

    def forest(self, variant: str | None = None, ax: Axes | None = None, language: str = "en") -> Axes:
        """The changes of the headline metrics in percent of the base, largest first: of `variant`, or of the first
        one. Raises RunError for a name that is none, UserError where nothing can be drawn.
        """
        from numbluff_sim.analysis.statistics.estimates import ALPHA
        from numbluff_sim.analysis.studies.compare.figures import forest
        from numbluff_sim.analysis.studies.compare.words import ComparisonWords

        one = self._result._variant(variant)  # noqa: SLF001  two halves of one thing
        axes: Axes = drawn(forest(ComparisonWords.of(self._result.found, language, ALPHA), one), ax)
        return axes


class WhatIfOneResult(StudyResult):
    """What habits bring the one player who has them."""

    found: WhatIfOne

    def effects(self) -> pd.DataFrame:
        """A row a habit, company and outcome: habit, company, outcome (points or win_share), difference, low, high,
        level (its own interval), simultaneous_low, simultaneous_high (all intervals hold together), verdict (brings,
        costs, negligible, open or nothing: no game differs), seat_0, ... (the difference with each seat as the one),
        games, method.
        """
        return frame(self.found.rows())

    def page(self, language: str) -> Page:
        """The page in "en" or "fr"."""
        from numbluff_sim.analysis.studies.what_if_one.page import what_if_one_page

        return what_if_one_page(self.found, language, self.command)

    def __repr__(self) -> str:
        return f"<{self._caption()}>"

    def _caption(self) -> str:
        one = self.found
        return f"what if one, {one.base}: {len(one.habits)} habits, {one.games:,} games a table, seed {one.seed}"

    def _repr_html_(self) -> str:
        columns = ["habit", "company", "outcome", "difference", "simultaneous_low", "simultaneous_high", "verdict"]
        return table_html(self._caption(), self.effects(), columns, "All intervals hold together.")


class SweepResult(StudyResult):
    """The points of a sweep."""

    found: Finished

    def points(self) -> pd.DataFrame:
        """A row a point: point (0: the base), digest, a column a key that was swept, changes (keys that differ from
        the base), distance and status against the targets (all together, and a column each a target), games, refused
        (why a point cannot be played).
        """
        return self._table("points", None)

    def long(self, metrics: Sequence[str] | None = None) -> pd.DataFrame:
        """A row a point and metric: point, digest, the keys, metric, value, low, high, level, n, denominator, method,
        unit, games. `metrics`: only these are read.
        """
        return self._table("sweep", metrics)

    def page(self, language: str) -> Page:
        """The page of the sweep in "en" or "fr"."""
        from numbluff_sim.analysis.studies.sweep.page import sweep_page
        from numbluff_sim.studies.sweep.data import sweep_data

        return sweep_page(sweep_data(self.found), language, self.command)

    def _table(self, name: str, metrics: Sequence[str] | None) -> pd.DataFrame:
        import pyarrow.parquet as pq

        chosen = None if metrics is None else [("metric", "in", list(metrics))]
        table = pq.read_table(self.found.folder / f"{name}.parquet", filters=chosen, read_dictionary=["metric"])
        return typed(arrow_frame(table))

    def _caption(self) -> str:
        settings = self.found.sweep.settings
        return (
            f"{settings.design} of {self.found.design.total:,} points, {settings.games:,} games each, "
            f"seed {settings.seed}"
        )

    def __repr__(self) -> str:
        return f"<Sweep: {self._caption()}>"

    def _repr_html_(self) -> str:
        found = self.points()
        keys = [axis.key for axis in self.found.design.axes]
        judged = [name for name in ("distance", "status") if name in found]
        ordered = found.sort_values(["distance", "changes"]) if judged else found
        return table_html(self._caption(), ordered, ["point", *keys, "changes", *judged])


class TuneResult(StudyResult):
    """A search for the smallest change that meets all targets."""

    found: Tuned

    def __init__(self, found: Tuned, folder: Path, command: str, base: Config) -> None:
        super().__init__(found, folder, command)
        self.base = base

    @property
    def met(self) -> bool:
        """Whether a change was found that meets all targets in fresh games."""
        return self.found.winner is not None

    @property
    def change(self) -> dict[str, Any]:
        """The change that was found, dotted keys and values; empty where none was."""
        winner = self.found.winner
        values = {} if winner is None else winner.reached.point.values
        return {key: value for key, value in values.items() if value != self.found.base_values[key]}

    def trials(self) -> pd.DataFrame:
        """A row a trial, in order (0: the base): trial, digest, changes, step (how far from the base), a column a key,
        distance and status against the targets, and value, low, high of every target's metric.
        """
        from numbluff_sim.analysis.studies.tune.result import trial_rows

        return frame(trial_rows(self.found))

    def page(self, language: str) -> Page:
        """The page of the search in "en" or "fr"."""
        from numbluff_sim.analysis.studies.tune.page import tune_page

        return tune_page(self.found, self.base, language, self.command, made_with(self.base))

    def __repr__(self) -> str:
        return f"<Tune: {self._caption()}>"

    def _caption(self) -> str:
        change = ", ".join(f"{key} = {value}" for key, value in self.change.items())
        return f"{len(self.found.trials)} trials: " + (change or "no change needed" if self.met else "targets not met")

    def _repr_html_(self) -> str:
        found = self.trials().sort_values(["distance", "changes"])
        return table_html(self._caption(), found, ["trial", *self.found.base_values, "changes", "distance", "status"])


class CalibrationResult(StudyResult):
    """Combinations of rulings and ways of playing against given rates."""

    found: Calibration

    def __init__(self, found: Calibration, folder: Path, command: str, base: Config) -> None:
        super().__init__(found, folder, command)
        self.base = base

    def cells(self) -> pd.DataFrame:
        """A row a cell and rate, listed cells first: persona, status (consistent, open, ruled_out), stands_for (how
        many combinations), a column a ruling ("any": it does not act), rate, metric, value, low, high, alpha,
        margin_low, margin_high, verdict, n, denominator, method, games, games_to_settle.
        """
        from numbluff_sim.analysis.studies.calibrate.result import table_rows

        return frame(table_rows(self.found))

    def page(self, language: str) -> Page:
        """The page of the calibration in "en" or "fr"."""
        from numbluff_sim.analysis.studies.calibrate.page import calibration_page

        return calibration_page(self.found, self.base.game, language, self.command, made_with(self.base))

    def __repr__(self) -> str:
        return f"<Calibration: {self._caption()}>"

    def _caption(self) -> str:
        one = self.found
        counts = ", ".join(f"{one.counted(status):,} {status}" for status in ("consistent", "open", "ruled_out"))
        return f"{one.combinations:,} combinations: {counts.replace('_', ' ')}"

    def _repr_html_(self) -> str:
        columns = ["persona", "status", "stands_for", "rate", "value", "low", "high", "verdict"]
        return table_html(self._caption(), self.cells(), columns)
