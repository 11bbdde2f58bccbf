"""What a game gives to the program: everything that shared code asks of a game stands here and nowhere else.

A game is one object of a subclass of `Game`, named by an entry point of the group `numbluff_sim.games` (see
`contract.registry`). Loading it must be light: its parts import what they need when they are first asked for, so that
listing games loads no NumPy, no Numba and no Pydantic.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from numbluff_sim.analysis.metrics.tally_reader import TallyReader
    from numbluff_sim.analysis.report.measured_runs import ReportedRun
    from numbluff_sim.analysis.report.model import Page
    from numbluff_sim.analysis.statistics.clusters import Combination
    from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator, TestResult
    from numbluff_sim.config.model import Config
    from numbluff_sim.contract.changes import Change
    from numbluff_sim.contract.fields import Column, Grain, TallyRegistry
    from numbluff_sim.contract.rules import RuleBook
    from numbluff_sim.contract.ways import Ways

#: A game's own configuration.
C = TypeVar("C", bound="Config")
C_co = TypeVar("C_co", bound="Config", covariant=True)
C_contra = TypeVar("C_contra", bound="Config", contravariant=True)

#: What `run.rows` says when no rows are wanted.
NO_ROWS = "none"
#: Integer sums by field name, as an engine adds to them, and as they are read.
Tally: TypeAlias = "dict[str, NDArray[np.int64]]"
Counts: TypeAlias = "Mapping[str, NDArray[np.int64]]"
#: The shape of every tally field, in file order.
Shapes: TypeAlias = "Mapping[str, tuple[int, ...]]"
#: Rows by column name, one array of integers each, all of one length.
Columns: TypeAlias = (
    "Mapping[str, NDArray[np.int64] | NDArray[np.int32] | NDArray[np.int16] | NDArray[np.int8] | NDArray[np.uint8]]"
)
#: What JSON holds under a key: a transcript, a case to resolve, an outcome.
Json: TypeAlias = "dict[str, object]"


class RunLike(Protocol[C_co]):
    """What the metrics need of a run: its configuration and its tally."""

    @property
    def config(self) -> C_co:
        """The game's configuration."""

    @property
    def tally(self) -> Counts:
        """The fields of the game's tally."""


class Engine(Protocol):
    """A game's engine for one configuration: thread-safe, the GIL released while it plays.

    Game g is a function of configuration, seed and g alone, whatever is played with it.
    """

    def new_tally(self) -> Tally:
        """Zeros (int64) in the shape of every field."""

    def play(self, first_game: int, games: int, tally: Tally, rows: str = "none", /) -> Mapping[str, Columns]:
        """Add games first_game .. first_game + games - 1 into `tally`; return the columns of the tables asked for,
        by table: those of the grain `rows` and of all coarser ones.
        """


class Metrics(Protocol[C_contra]):
    """The metrics of a game, by names that baselines, reports and comparisons rely on."""

    @property
    def groups(self) -> Collection[str]:
        """Groups of metrics, in the order of the report."""

    @property
    def baseline(self) -> Sequence[str]:
        """What `numbluff check --write-baseline` records."""

    def known(self, config: C_contra) -> dict[str, Estimator]:
        """The metrics that runs of a configuration have, by name; of no games, so none has a value."""

    def headline(self, config: C_contra) -> list[str]:
        """What a designer usually asks of the game, in the order of `known`: the metrics that what-ifs put first."""

    def relevant(self, config: C_contra) -> Mapping[str, float]:
        """The smallest differences that matter to a designer, by metric, each in its unit; a metric without one has a
        tenth of its standard deviation from game to game.
        """

    def estimators(self, run: RunLike[C_contra], only: Collection[str] | None = None) -> dict[str, Estimator]:
        """All metrics of a run as claims are judged by: Clopper-Pearson for every proportion. `only`: no more than
        these, which takes less time.
        """

    def shown(self, run: RunLike[C_contra], only: Collection[str] | None = None) -> dict[str, Estimator]:
        """All metrics of a run as people are shown them: intervals of proportions with their design effect."""

    def estimates(self, run: RunLike[C_contra], alpha: float) -> dict[str, Estimate]:
        """Those of `shown`, in order, with 1 - alpha intervals (single ones unless `method` says simultaneous)."""

    def tests(self, run: RunLike[C_contra]) -> dict[str, TestResult]:
        """The tests of hypotheses of a run by name."""

    def sample(self, run: RunLike[C_contra]) -> TallyReader:
        """The game's own reading of the tally."""


class Words(Protocol):
    """Metrics in words, in "en" or "fr". KeyError for a name that is none of the game's."""

    def metric_label(self, name: str, language: str) -> str:
        """A metric in some 45 letters at most, understandable without its name."""

    def metric_group(self, name: str) -> str:
        """The group of metrics that one stands in."""

    def group_label(self, group: str, language: str) -> str:
        """The title of a group of metrics."""

    def denominator_label(self, name: str, language: str) -> str:
        """What an estimate's `denominator` counts, in words, plural."""


@dataclass(frozen=True)
class SeatResult:
    """What one seat gets out of a game, as combinations of the tally's per-game variables.

    `win`: its share of the win, from 0 to 1 (k winners: 1/k each); the shares of all seats sum to 1. `points`: its
    final score, None in a game without points.
    """

    win: Combination
    points: Combination | None = None


@dataclass(frozen=True)
class Changes(Generic[C]):
    """What-ifs of a configuration, each one change: every other answer to every ruling of the game's book;
    `knockouts`: each card, family, rule, ... taken out.
    """

    book: RuleBook
    knockouts: Callable[[C], list[Change]]

    def rulings(self, config: C) -> list[Change]:
        """Every other answer to every ruling, in the book's order."""
        from numbluff_sim.contract.changes import rulings

        return rulings(config, self.book)


class Calculator(ABC, Generic[C]):
    """Rounds or cases written down in, outcomes out (`numbluff resolve`). Raises CaseError for a case that cannot lie
    on a table; `file` is what its message calls the data.
    """

    #: The key of the list of cases, and what may stand instead of JSON ("" or " or rounds as plain text").
    listed: ClassVar[str]
    or_text: ClassVar[str] = ""
    #: Whether it wants compiled kernels: a few rounds are settled sooner without.
    compiles: ClassVar[bool] = False

    @abstractmethod
    def resolve(self, data: Mapping[str, object], config: C, file: str) -> Json:
        """{listed: [case, ...]} to {listed: [outcome, ...]} in the same order."""

    @abstractmethod
    def resolve_text(self, text: str, config: C, file: str) -> Json:
        """As `resolve`, from plain text."""

    @abstractmethod
    def explained(self, cases: str | Mapping[str, object], config: C, language: str, file: str) -> str:
        """What happens in every case and why, in "en" or "fr"; cases as plain text or as data."""


@dataclass(frozen=True)
class Played:
    """How much a tally holds: a count of what a game consists of, and what that is called ("rounds")."""

    count: int
    unit: str


@dataclass(frozen=True)
class Workloads:
    """What the benchmark plays of a game.

    `yardstick`: a C program that plays the same game; `players`: of most workloads; `counts`: numbers of players that
    the yardstick plays, too; `few`, `many`: two numbers of players that are compared. `options`, `tweak`: what makes
    the default play of `numbluff simulate`, and a change of the rules as it takes it; `swept`: axes of a sweep with
    100 points. `bounds`: those that are not the usual ones, by workload; None: measured, not judged.

    `default(players)`: what the yardstick plays; `mixed(players)`: players who use every feature; `compared()`: what
    `default` is compared with; `alternatives()`: the mixed play under every other answer to a ruling, by
    "ruling=answer"; `ways()`: ways of playing whose speed is stated. `decisions(tally)`: decisions played, where they
    are counted. `kernel()`: the compiled function, for whoever looks at its machine code. `open_spiel`: the nearest
    game of OpenSpiel with its parameters.
    """

    yardstick: Path
    players: int
    counts: tuple[int, ...]
    few: int
    many: int
    tweak: tuple[str, ...]
    swept: str
    default: Callable[[int], Config]
    mixed: Callable[[int], Config]
    compared: Callable[[], Config]
    alternatives: Callable[[], dict[str, Config]]
    kernel: Callable[[], object]
    options: tuple[str, ...] = ()
    bounds: Mapping[str, float | None] = field(default_factory=dict)
    ways: Callable[[], dict[str, Config]] = dict
    decisions: Callable[[Counts], int] | None = None
    open_spiel: tuple[str, Mapping[str, int]] | None = None


class Game(ABC, Generic[C]):
    """A game. Subclasses are in `games/<name>/game.py`, or in a package of anybody's."""

    name: ClassVar[str]
    title: ClassVar[str]
    #: Raised only when the behaviour of a game changes, never for speed.
    rules_version: ClassVar[int]
    #: Player counts, each with compiled kernels of its own.
    players: ClassVar[range]
    #: The package with its `rules.toml` and its folders `presets`, `baselines` and `texts`.
    package: ClassVar[str]
    #: Kinds of rows, coarse to fine; who asks for one gets the coarser ones, too. The first has a row a game.
    grains: ClassVar[tuple[Grain, ...]]
    #: Packages whose modules can change the game's numbers, besides the shared kernels, with the modules that count
    #: (none named: all).
    sources: ClassVar[Mapping[str, tuple[str, ...]]]

    @property
    def files(self) -> Traversable:
        """The files of its package."""
        return resources.files(self.package)

    def tables(self, rows: str) -> tuple[str, ...]:
        """The row tables that `run.rows` = `rows` writes: none, or those up to that grain."""
        names = [grain.name for grain in self.grains]
        return tuple(names[: names.index(rows) + 1]) if rows != NO_ROWS else ()

    @property
    @abstractmethod
    def schema(self) -> type[C]:
        """The game's configuration class."""

    @property
    def rules(self) -> RuleBook:
        """Clauses, events, rulings, and rules that can be taken out, as `rules.toml` in its package declares them.
        Raises ConfigError for a malformed one.
        """
        from numbluff_sim.contract.rules import rule_book

        return rule_book(self.package)

    @property
    @abstractmethod
    def tally(self) -> TallyRegistry:
        """What its tallies hold."""

    def tally_shapes(self, config: C) -> dict[str, tuple[int, ...]]:
        """The shape of every tally field, in file order."""
        return self.tally.shapes(config.players, config.rounds)

    @abstractmethod
    def columns(self, config: C) -> dict[str, tuple[Column, ...]]:
        """The columns of the table of every grain, in file order; the first is "game", the game's index."""

    @abstractmethod
    def engine(self, config: C) -> Engine:
        """The game's engine for a configuration."""

    @abstractmethod
    def played(self, tally: Counts) -> Played:
        """What was played, in the unit that speeds are stated in."""

    @abstractmethod
    def seat_results(self, config: C) -> list[SeatResult]:
        """What each seat gets out of a game, from seat 0."""

    @property
    @abstractmethod
    def metrics(self) -> Metrics[C]:
        """Its metrics."""

    @property
    @abstractmethod
    def words(self) -> Words:
        """Its metrics in words."""

    @property
    def events(self) -> Mapping[str, str]:
        """What can happen, rarest first, with the metric that says how often: a bare event's name stands for it."""
        return {event.name: event.metric for event in self.rules.events}

    def event_rates(self, run: RunLike[C]) -> dict[str, Estimator]:
        """How often each of the events happened in a run."""
        found = self.metrics.shown(run, set(self.events.values()))
        return {event: found[metric] for event, metric in self.events.items()}

    @property
    @abstractmethod
    def ways(self) -> Ways[C]:
        """What can be varied in its ways of playing."""

    @property
    @abstractmethod
    def changes(self) -> Changes[C]:
        """Its what-ifs."""

    @abstractmethod
    def report_page(self, runs: Sequence[ReportedRun], language: str, out: Path) -> Page:
        """The report of runs (with games in all of them), in "en" or "fr"; `out` stands in the command printed on
        the page.
        """

    @property
    @abstractmethod
    def calculator(self) -> Calculator[C]:
        """Its rules calculator."""

    @abstractmethod
    def transcripts(self, config: C, first: int, last: int) -> Iterator[Json]:
        """Games first .. last (included) as transcripts, in order."""

    @abstractmethod
    def transcript_text(self, transcript: Mapping[str, object], config: C, language: str, /) -> str:
        """A transcript as text to read, in "en" or "fr"."""

    @property
    def workloads(self) -> Workloads | None:
        """What the benchmark plays; None: it does not know this game."""
        return None
