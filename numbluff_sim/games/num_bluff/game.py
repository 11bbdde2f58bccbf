"""NUM BLUFF as the program sees it. Loads nothing of the game: every part is imported when it is first asked for."""

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
    from numbluff_sim.analysis.num_bluff.sample import Sample
    from numbluff_sim.analysis.report.measured_runs import ReportedRun
    from numbluff_sim.analysis.report.model import Page
    from numbluff_sim.contract.fields import Column, TallyRegistry
    from numbluff_sim.contract.ways import Ways
    from numbluff_sim.games.num_bluff.config import NumBluffConfig


class NumBluff(Game["NumBluffConfig"]):
    """The game."""

    name = "num_bluff"
    title = "NUM BLUFF"
    rules_version = 1
    players = range(3, 7)
    package = "numbluff_sim.games.num_bluff"
    grains = (
        Grain("games", "game", lambda config: 1),
        Grain("rounds", "round", lambda config: config.rounds),
    )
    sources: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "numbluff_sim.kernels.num_bluff": (),
        package: ("arrays", "columns", "config", "engine", "limits", "code_names", "rules_section", "tally"),
    }

    @cached_property
    def schema(self) -> type[NumBluffConfig]:
        """The configuration class."""
        from numbluff_sim.games.num_bluff.config import NumBluffConfig

        return NumBluffConfig

    @cached_property
    def tally(self) -> TallyRegistry:
        """What tallies hold."""
        from numbluff_sim.games.num_bluff.tally import TALLY

        return TALLY

    def columns(self, config: NumBluffConfig) -> dict[str, tuple[Column, ...]]:
        """The columns of game and round rows."""
        from numbluff_sim.games.num_bluff.columns import registry

        return registry(config)

    def engine(self, config: NumBluffConfig) -> Engine:
        """The engine for a configuration."""
        from numbluff_sim.games.num_bluff.engine import Engine

        return Engine(config)

    def played(self, tally: Counts) -> Played:
        """Rounds."""
        return Played(int(tally["round_events"].sum()), "rounds")

    def seat_results(self, config: NumBluffConfig) -> list[SeatResult]:
        """Points, and wins that may be shared."""
        from numbluff_sim.games.num_bluff.tally import seat_results

        return seat_results(config.players)

    @cached_property
    def metrics(self) -> MetricSet[NumBluffConfig, Sample]:
        """All metrics."""
        from numbluff_sim.analysis.num_bluff.metrics import METRICS

        return METRICS

    @cached_property
    def words(self) -> MetricWords:
        """Metrics in words."""
        from numbluff_sim.analysis.num_bluff.metric_words import WORDS

        return WORDS

    @cached_property
    def events(self) -> Mapping[str, str]:
        """The seven ways in which a round ends, groups of them, and Miroirs of several players."""
        from numbluff_sim.games.num_bluff.rules_section import EVENT_METRICS

        return {**EVENT_METRICS, "miroir_several": "miroir_several_per_round"}

    @cached_property
    def ways(self) -> Ways[NumBluffConfig]:
        """What can be varied in a persona."""
        from numbluff_sim.games.num_bluff.ways import WAYS

        return WAYS

    @cached_property
    def changes(self) -> Changes[NumBluffConfig]:
        """Other answers; cards, families, rules out."""
        from numbluff_sim.games.num_bluff.knockouts import knockouts

        return Changes(self.rules, knockouts)

    def report_page(self, runs: Sequence[ReportedRun], language: str, out: Path) -> Page:
        """The balance report."""
        from numbluff_sim.analysis.num_bluff.sections import report_page

        return report_page(runs, language, out)

    @cached_property
    def calculator(self) -> Calculator[NumBluffConfig]:
        """Rounds as JSON or plain text."""
        return Rounds()

    def transcripts(self, config: NumBluffConfig, first: int, last: int) -> Iterator[Json]:
        """Games as transcripts."""
        from numbluff_sim.games.num_bluff.transcript import transcripts

        return transcripts(config, first, last)

    def transcript_text(self, transcript: Mapping[str, object], config: NumBluffConfig, language: str, /) -> str:
        """A transcript in words; a game with fewer rounds than planned was cut short."""
        from numbluff_sim.games.num_bluff.transcript_text import game_text

        return game_text(transcript, language, config.rounds)

    @cached_property
    def workloads(self) -> Workloads:
        """What the benchmark plays."""
        from numbluff_sim.games.num_bluff.workloads import WORKLOADS

        return WORKLOADS


class Rounds(Calculator["NumBluffConfig"]):
    """Rounds as they lie on the table."""

    listed = "rounds"
    or_text = " or rounds as plain text"

    def resolve(self, data: Mapping[str, object], config: NumBluffConfig, file: str) -> Json:
        """The outcome of every round."""
        from numbluff_sim.games.num_bluff.resolve import resolve

        return resolve(data, config, file)

    def resolve_text(self, text: str, config: NumBluffConfig, file: str) -> Json:
        """The same from plain text (case_text.py)."""
        from numbluff_sim.games.num_bluff.resolve import resolve_text

        return resolve_text(text, config, file)

    def explained(self, cases: str | Mapping[str, object], config: NumBluffConfig, language: str, file: str) -> str:
        """Every round step by step."""
        from numbluff_sim.games.num_bluff.explain import explained

        return explained(cases, config, language, file)


GAME = NumBluff()
