"""Perudo as the program sees it. Loads nothing of the game: every part is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from numbluff_sim.contract.fields import Grain
from numbluff_sim.contract.game import Calculator, Changes, Counts, Engine, Game, Json, Played, SeatResult, Workloads

if TYPE_CHECKING:
    from pathlib import Path

    from numbluff_sim.analysis.metrics.metric_set import MetricSet
    from numbluff_sim.analysis.metrics.metric_words import MetricWords
    from numbluff_sim.analysis.perudo.sample import Sample
    from numbluff_sim.analysis.report.measured_runs import ReportedRun
    from numbluff_sim.analysis.report.model import Page
    from numbluff_sim.contract.fields import Column, TallyRegistry
    from numbluff_sim.contract.ways import Ways
    from numbluff_sim.games.perudo.config import PerudoConfig


class Perudo(Game["PerudoConfig"]):
    """The game."""

    name = "perudo"
    title = "Perudo"
    rules_version = 1
    players = range(2, 7)
    package = "numbluff_sim.games.perudo"
    grains = (
        Grain("games", "game", lambda config: 1),
        Grain("rounds", "round", lambda config: config.rounds),
    )
    sources: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "numbluff_sim.kernels.perudo": (),
        package: (
            "arrays",
            "columns",
            "config",
            "engine",
            "limits",
            "code_names",
            "referee",
            "rules_section",
            "solving",
            "tables",
            "tabulating",
            "tally",
        ),
    }

    @cached_property
    def schema(self) -> type[PerudoConfig]:
        """The configuration class."""
        from numbluff_sim.games.perudo.config import PerudoConfig

        return PerudoConfig

    @cached_property
    def tally(self) -> TallyRegistry:
        """What tallies hold."""
        from numbluff_sim.games.perudo.tally import TALLY

        return TALLY

    def columns(self, config: PerudoConfig) -> dict[str, tuple[Column, ...]]:
        """The columns of game and round rows."""
        from numbluff_sim.games.perudo.columns import registry

        return registry(config)

    def engine(self, config: PerudoConfig) -> Engine:
        """The engine for a configuration."""
        from numbluff_sim.games.perudo.engine import Engine

        return Engine(config)

    def played(self, tally: Counts) -> Played:
        """Rounds."""
        from numbluff_sim.kernels.perudo.codes import V_ROUNDS

        return Played(int(tally["moments"][0, V_ROUNDS]), "rounds")

    def seat_results(self, config: PerudoConfig) -> list[SeatResult]:
        """One winner a game, and no points."""
        from numbluff_sim.games.perudo.tally import seat_results

        return seat_results(config.players)

    @cached_property
    def metrics(self) -> MetricSet[PerudoConfig, Sample]:
        """All metrics."""
        from numbluff_sim.analysis.perudo.metrics import METRICS

        return METRICS

    @cached_property
    def words(self) -> MetricWords:
        """Metrics in words."""
        from numbluff_sim.analysis.perudo.metric_words import WORDS

        return WORDS

    @cached_property
    def events(self) -> Mapping[str, str]:
        """What can happen in a round (R8-R10, R15)."""
        from numbluff_sim.games.perudo.rules_section import EVENT_METRICS

        return EVENT_METRICS

    @cached_property
    def ways(self) -> Ways[PerudoConfig]:
        """What can be varied in a persona."""
        from numbluff_sim.games.perudo.ways import WAYS

        return WAYS

    @cached_property
    def changes(self) -> Changes[PerudoConfig]:
        """Other answers; rules out, a die or a player less."""
        from numbluff_sim.games.perudo.knockouts import knockouts

        return Changes(self.rules, knockouts)

    def report_page(self, runs: Sequence[ReportedRun], language: str, out: Path) -> Page:
        """The balance report."""
        from numbluff_sim.analysis.perudo.sections import report_page

        return report_page(runs, language, out)

    @cached_property
    def calculator(self) -> Calculator[PerudoConfig]:
        """Cases as JSON."""
        return Cases()

    def transcripts(self, config: PerudoConfig, first: int, last: int) -> Iterator[Json]:
        """Games as transcripts."""
        from numbluff_sim.games.perudo.transcript import transcripts

        return transcripts(config, first, last)

    def transcript_text(self, transcript: Mapping[str, object], _: PerudoConfig, language: str, /) -> str:
        """A transcript in words. No game is cut short, so that planned rounds say nothing."""
        from numbluff_sim.games.perudo.transcript_text import game_text

        return game_text(transcript, language)

    @cached_property
    def workloads(self) -> Workloads:
        """What the benchmark plays."""
        from numbluff_sim.games.perudo.workloads import WORKLOADS

        return WORKLOADS


class Cases(Calculator["PerudoConfig"]):
    """Situations and exact values. A round that is yet to be solved has a process of its own that compiles."""

    listed = "cases"

    def resolve(self, data: Mapping[str, object], config: PerudoConfig, file: str) -> Json:
        """What the rules say of every case."""
        from numbluff_sim.games.perudo.resolve import resolve

        return resolve(data, config, file)

    def resolve_text(self, text: str, config: PerudoConfig, file: str) -> Json:
        """Cases are read as JSON only: raises CaseError."""
        from numbluff_sim.games.perudo.resolve import resolve_text

        return resolve_text(text, config, file)

    def explained(self, cases: str | Mapping[str, object], config: PerudoConfig, language: str, file: str) -> str:
        """Every case in words."""
        from numbluff_sim.games.perudo.explain import explained

        return explained(cases, config, language, file)


GAME = Perudo()
