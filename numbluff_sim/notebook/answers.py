"""Answers without a folder in a notebook: a check, a plan, single games, resolved rounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.notebook.frames import frame
from numbluff_sim.notebook.html import table_html, text_html

if TYPE_CHECKING:
    import pandas as pd

    from numbluff_sim.analysis.studies.check.claims import Verdict
    from numbluff_sim.analysis.studies.check.result import Checked
    from numbluff_sim.analysis.studies.plan.result import DetectionPlan, GamesPlan, PrecisionPlan
    from numbluff_sim.contract.game import Json


class CheckResult:
    """The claims of a baseline against fresh runs. `found` as the analysis has it."""

    def __init__(self, found: Checked) -> None:
        self.found = found

    @property
    def as_expected(self) -> bool:
        """Whether every verdict is the one that the baseline records."""
        return all(verdict.as_expected for verdict in self.found.verdicts)

    def verdicts(self, *, language: str = "en") -> pd.DataFrame:
        """A row a claim: claim, text (in `language`), preset, metrics, margin_low, margin_high (open ends infinite),
        value, low, high, level (the interval that decided), n, denominator, method, unit, games, p_value, alpha (its
        share in Holm's procedure), verdict (holds, differs, inconclusive), expected, as_expected, games_to_settle.
        """
        return frame(_verdict_record(verdict, language) for verdict in self.found.verdicts)

    def _caption(self) -> str:
        of, as_expected = len(self.found.verdicts), sum(one.as_expected for one in self.found.verdicts)
        games = f"{self.found.games:,} games a configuration"
        return f"{self.found.origin}: {as_expected} of {of} verdicts as expected, {games}"

    def __repr__(self) -> str:
        return f"<Check: {self._caption()}>"

    def _repr_html_(self) -> str:
        columns = ["claim", "value", "low", "high", "margin_low", "margin_high", "verdict", "expected"]
        return table_html(self._caption(), self.verdicts(), columns, most=40)


def _verdict_record(verdict: Verdict, language: str) -> dict[str, Any]:
    claim, estimate = verdict.claim, verdict.estimate
    return {
        "claim": claim.id,
        "text": claim.text.in_language(language),
        "preset": claim.preset,
        "metrics": ", ".join(claim.metrics),
        "margin_low": claim.range.low,
        "margin_high": claim.range.high,
        **{name: value for name, value in asdict(estimate).items() if name != "name"},
        "p_value": verdict.p_value,
        "alpha": verdict.alpha,
        "verdict": str(verdict.status),
        "expected": claim.expected,
        "as_expected": verdict.as_expected,
        "games_to_settle": verdict.games_to_settle,
    }


class PlanResult:
    """How many games answers need, and how long they take on this machine. `found` as the analysis has it."""

    def __init__(self, found: GamesPlan) -> None:
        self.found = found

    def table(self) -> pd.DataFrame:
        """A row a question: asked, kind (precision, detection), metric, value, low, high (in the pilot).

        Of a precision: fixed_games, until_games (a run that stops itself), fixed_seconds, until_seconds, at_least (the
        numbers are lower bounds). Of a detection: difference (in the metric's unit), paired (on common deals), saved
        (times as many games without them), games and games_in_compare (of each configuration), seconds and
        seconds_in_compare (of both). note. <NA> and NaN where a column is not of the kind or no number can be told.
        """
        rows = [*map(_plan_record, self.found.precisions), *map(_plan_record, self.found.detections)]
        names = dict.fromkeys(name for row in rows for name in row if name != "note")
        found = frame([{name: row.get(name) for name in (*names, "note")} for row in rows])
        whole = [name for name in found if name.endswith("games") or name == "games_in_compare"]
        return found.astype(dict.fromkeys(whole, "Int64"))

    def _caption(self) -> str:
        pilot = self.found.pilots[0]
        return f"Planned from {pilot.games:,} games, {pilot.games_per_second:,.0f} games a second"

    def __repr__(self) -> str:
        return f"<Plan: {self._caption()}>"

    def _repr_html_(self) -> str:
        found = self.table()
        hidden = ("kind", "metric", "low", "high", "at_least", "paired")
        return table_html(self._caption(), found, [name for name in found if name not in hidden])


def _plan_record(one: PrecisionPlan | DetectionPlan) -> dict[str, Any]:
    measured = one.measured
    more = {name: value for name, value in asdict(one).items() if name not in ("measured", "asked", "metric")}
    return {
        "asked": one.asked,
        "kind": "detection" if "difference" in more else "precision",
        "metric": measured.name,
        "value": measured.value,
        "low": measured.low if math.isfinite(measured.value) else math.nan,
        "high": measured.high if math.isfinite(measured.value) else math.nan,
        **more,
    }


class Transcripts(Sequence["Json"]):
    """Single games as transcripts: a sequence of what `numbluff replay --json` prints, seats from 0."""

    def __init__(self, config: Config, found: Sequence[Json]) -> None:
        self.config, self._found = config, list(found)

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Json]:
        return iter(self._found)

    def text(self, language: str = "en") -> str:
        """All of them to read, seats from 1."""
        entry = game(self.config.game)
        return "\n\n".join(entry.transcript_text(one, self.config, language) for one in self._found)

    def __repr__(self) -> str:
        return f"<{len(self)} transcripts of {self.config.game}>"

    def _repr_html_(self) -> str:
        return text_html(f"{game(self.config.game).title}, {self.config.players} players", self.text())


class Resolution(Mapping[str, Any]):
    """Rounds or cases that were resolved: what `numbluff resolve --json` prints, and why."""

    def __init__(self, found: Json, explained: Mapping[str, str]) -> None:
        self._found, self._explained = found, explained

    def __getitem__(self, key: str) -> Any:
        return self._found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def explanation(self, language: str = "en") -> str:
        """What happens and why, in "en" or "fr"."""
        return self._explained[language]

    def __repr__(self) -> str:
        return f"Resolution({self._found!r})"

    def _repr_html_(self) -> str:
        return text_html("Resolved", self.explanation())
