"""The games: shared code reaches a game through its entry here, and through nothing else."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from numbluff_sim.errors import ConfigError, nearest_name, one_of, shown_value

if TYPE_CHECKING:
    from numbluff_sim.analysis.statistics.estimates import Estimator
    from numbluff_sim.config.model import Config
    from numbluff_sim.run.schema import Column


@dataclass(frozen=True)
class GameEntry:
    """A game by name. Its sub-package has the modules config, rulings, engine, tally, columns, ...; they load when
    first asked for.
    """

    name: str
    title: str
    #: Raised only when the behaviour of a game changes, never for speed.
    rules_version: int
    #: Player counts, each with compiled kernels of its own.
    players: range
    #: Modules of its sub-package that can change its numbers; the others only read or show them.
    modules: tuple[str, ...] = ()

    def module(self, name: str) -> ModuleType:
        """The game's module `name`, such as "engine" or "tally"."""
        return importlib.import_module(f"numbluff_sim.games.{self.name}.{name}")

    def analysis(self, name: str) -> ModuleType:
        """The game's analysis module `name`, such as "metrics"."""
        return importlib.import_module(f"numbluff_sim.analysis.{self.name}.{name}")

    @cached_property
    def schema(self) -> type[Config]:
        """The game's configuration class."""
        found: type[Config] = self.module("config").SCHEMA
        return found

    def engine(self, config: Config) -> Any:
        """The game's engine for a configuration: `.new_tally()`, `.play(first_game, games, tally, rows)`."""
        return self.module("engine").Engine(config)

    @property
    def sources(self) -> dict[str, tuple[str, ...]]:
        """Packages whose modules can change the game's numbers, besides the shared kernels, with the modules that
        count (none named: all).
        """
        return {f"numbluff_sim.kernels.{self.name}": (), f"numbluff_sim.games.{self.name}": self.modules}

    def tally_shapes(self, config: Config) -> dict[str, tuple[int, ...]]:
        """The shape of every tally field, in the registry's order."""
        tally = self.module("tally")
        return {field.name: tally.shape(field, config.players, config.rounds) for field in tally.TALLY_FIELDS}

    def columns(self, config: Config) -> dict[str, tuple[Column, ...]]:
        """The columns of the tables "games" and "rounds", in file order."""
        found: dict[str, tuple[Column, ...]] = self.module("columns").registry(config)
        return found

    def event_rates(self, run: Any) -> list[Estimator]:
        """The game's events as rates per round of a run (anything with `config` and `tally`), in the game's order:
        rarest first.
        """
        sample = self.analysis("sample").Sample.from_run(run)
        return [rate for rate in self.analysis("rates").events(sample) if rate.name.endswith("_per_round")]


GAMES: dict[str, GameEntry] = {
    entry.name: entry
    for entry in (
        GameEntry(
            "num_bluff",
            "NUM BLUFF",
            1,
            range(3, 7),
            ("arrays", "columns", "config", "engine", "limits", "names", "rulings", "tally"),
        ),
        GameEntry(
            "perudo",
            "Perudo",
            1,
            range(2, 7),
            (
                "arrays",
                "calculator",
                "columns",
                "config",
                "engine",
                "limits",
                "names",
                "sequence_form",
                "solving",
                "tables",
                "tabulating",
                "tally",
            ),
        ),
    )
}
DEFAULT_GAME = "num_bluff"


def game(name: object, *, file: str | None = None) -> GameEntry:
    """The entry of a game. Raises ConfigError for a name that is none."""
    if not isinstance(name, str) or name not in GAMES:
        raise ConfigError(
            f"game = {shown_value(name)} is not a game",
            file=file,
            key="game",
            value=name,
            expected=one_of(GAMES),
            nearest=nearest_name(name, GAMES),
        )
    return GAMES[name]
