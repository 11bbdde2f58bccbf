"""A run in a notebook."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.metrics.measured import paid_for
from numbluff_sim.analysis.report.axes import ValueAxis
from numbluff_sim.analysis.report.dots import Mark, Panel, Row, dots
from numbluff_sim.analysis.report.model import Page, Picture
from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError, nearest_name
from numbluff_sim.i18n.catalogue import load_catalogue
from numbluff_sim.notebook.asking import Asked
from numbluff_sim.notebook.frames import estimates_frame
from numbluff_sim.notebook.html import table_html
from numbluff_sim.notebook.plots import Kept, Plots, drawn
from numbluff_sim.notebook.rows import Games, Rows
from numbluff_sim.run.store import RunData

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


class Run:
    """A run: its configuration, its metrics and events as frames, its rows, its pictures.

    `config`: the configuration; `folder`: where it is kept; `data`: the run as the analysis sees it, with its tally.
    Every kind of rows that was written is a method: `run.rounds(columns=["pot_after"], games=range(1000))`, and
    `run.rounds.columns` says what there is.
    """

    def __init__(self, data: RunData) -> None:
        self.data = data
        self._pictures: Kept = {}

    @property
    def plot(self) -> RunPlots:
        """Its pictures."""
        return RunPlots(self, self._pictures)

    @property
    def config(self) -> Config:
        """The configuration that was played."""
        return self.data.config

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        assert self.data.folder is not None
        return self.data.folder

    @property
    def games_played(self) -> int:
        """Games behind all numbers."""
        return int(self.data.meta["games_done"])

    @property
    def kinds(self) -> list[str]:
        """The kinds of rows that its game declares; written are those asked for with `rows`, and coarser ones."""
        return list(game(self.config.game).columns(self.config))

    def metrics(
        self, names: Collection[str] | None = None, *, level: float = 1 - ALPHA, language: str = "en"
    ) -> pd.DataFrame:
        """All metrics, or those named, a row each: name, label (in `language`, "en" or "fr"), value, low, high (the
        ends of its two-sided interval), level, n and denominator (what it is counted on), method, unit, games. Of a
        run that was looked at before with fewer games the intervals are sequential.

        An undefined value is NaN, an unknown end infinite. Raises RunError for a name that is no metric.
        """
        shown = paid_for(game(self.config.game).metrics.shown(self.data), self.data.meta)
        found = {name: one.at(1 - level) for name, one in shown.items()}
        for name in names or ():
            if name not in found:
                near = nearest_name(name, found)
                raise RunError(
                    f'"{name}" is no metric of this run; expected one of its {len(found)} metrics (run.metrics()).'
                    + (f' Did you mean "{near}"?' if near else "")
                )
        return self._frame([one for name, one in found.items() if names is None or name in names], language)

    def events(self, *, level: float = 1 - ALPHA, language: str = "en") -> pd.DataFrame:
        """How often the game's events happen, rarest first in the game's order: the columns of `metrics`."""
        return self._frame(self._events(1 - level), language)

    def rows(self, kind: str, columns: Sequence[str] | None = None, games: Games = None) -> pd.DataFrame:
        """The rows of a kind, as `Rows` reads them. Raises RunError for a kind that the game does not have."""
        return self._rows(kind)(columns, games)

    def report(self, out: str | os.PathLike[str] | None = None, *, language: str = "en") -> Path:
        """Write the report of this run alone: the path of its page. Raises RunError."""
        from numbluff_sim.notebook.reporting import write_report

        return write_report([self], out, language)

    def _events(self, alpha: float) -> list[Estimate]:
        rates = paid_for(game(self.config.game).event_rates(self.data), self.data.meta)
        return [rate.at(alpha) for rate in rates.values()]

    def _frame(self, estimates: Sequence[Estimate], language: str) -> pd.DataFrame:
        words = game(self.config.game).words
        return estimates_frame(estimates, {one.name: words.metric_label(one.name, language) for one in estimates})

    def _rows(self, kind: str) -> Rows:
        if kind not in self.kinds:
            near = nearest_name(kind, self.kinds)
            raise RunError(
                f'"{kind}" is no kind of rows of {self.config.game}; expected {", ".join(self.kinds)}.'
                + (f' Did you mean "{near}"?' if near else "")
            )
        return Rows(self.data, kind)

    def __getattr__(self, name: str) -> Rows:
        if name.startswith("_") or name == "data" or name not in self.kinds:
            raise AttributeError(f"a run has no {name!r}")
        return self._rows(name)

    def __dir__(self) -> Sequence[str]:
        return [*object.__dir__(self), *self.kinds]

    def __repr__(self) -> str:
        return f"<Run: {self._caption()}>"

    def _caption(self) -> str:
        return (
            f"{game(self.config.game).title}, {self.config.players} players, {self.games_played:,} games, "
            f"seed {self.config.run.seed}"
        )

    def _repr_html_(self) -> str:
        note = "Events with 95 % intervals, errors clustered by game."
        return table_html(self._caption(), self.events(), ["label", "value", "low", "high", "n", "denominator"], note)


class RunPlots(Plots):
    """The pictures of a run's report, and its events."""

    def __init__(self, run: Run, kept: Kept) -> None:
        super().__init__(lambda language: _page(run, language), kept)
        self._run = run

    def events(self, ax: Axes | None = None, language: str = "en", level: float = 1 - ALPHA) -> Axes:
        """How often each event happens, with its interval, on a logarithmic axis; one never seen stands at the end of
        its interval, in grey.
        """
        found = self._run.events(level=level, language=language)
        words = load_catalogue("numbluff_sim.notebook:notebook", language)
        marks = [
            Mark(one.value, max(one.low, one.value / 100), one.high)
            if one.value > 0
            else Mark(one.high, role="muted", label=words.text("events.never"))
            for one in found.itertuples()
            if one.high < 1
        ]
        rows = [Row(label, [mark]) for label, mark in zip(found["label"][found["high"] < 1], marks, strict=True)]
        axis = ValueAxis(words.text("events.axis", level=f"{100 * level:g}"), words.numbers, percent=True, log=True)
        picture = Picture("events", "", "", "", (), lambda: dots([Panel("", rows)], axis))
        found_axes: Any = drawn(picture, ax)
        axes: Axes = found_axes
        return axes


def _page(run: Run, language: str) -> Page:
    data: Any = run.data  # as the report reads it
    return game(run.config.game).report_page([data], language, run.folder / "report")


def run_until(task: Asked, folder: Path, texts: Sequence[str], most: int | None, *, resume: bool, replace: bool) -> Run:
    """A run that stops itself when it has the precisions of `texts`, after `most` games at the latest."""
    from numbluff_sim.analysis.studies.until.result import Rule
    from numbluff_sim.studies.until.study import MOST_GAMES, simulate_until

    rule, most = Rule.read(texts, task.config), MOST_GAMES if most is None else most
    return Run(simulate_until(task.config, folder, rule, most, resume=resume, replace=replace, **task.how)[0])
