"""What a game counts and writes down, by name: fields of its tally and columns of its row tables. docs/TABLES.md is
generated from these registries; their Arrow and Parquet form stands in `numbluff_sim.run.arrow`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numbluff_sim.config.model import Config

#: A registry of per-game variables: name and meaning, in the order of the arrays.
Variables = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Grain:
    """A kind of rows: the table `name`, with a row for each `meaning` ("game", "round", "trick").

    `most(config)`: the most rows of one game. Rows of a game stand together, in the order in which they happened.
    """

    name: str
    meaning: str
    most: Callable[[Config], int]


@dataclass(frozen=True)
class TallyField:
    """One int64 array of the tally: its dimensions in order, which games count, what a cell holds."""

    name: str
    dims: tuple[str, ...]
    every: str
    meaning: str


@dataclass(frozen=True)
class Column:
    """One column of a row table.

    `dtype`: NumPy name of the stored integer; with `categories` the stored codes are shown as these names (an Arrow
    dictionary, code = position) and a negative code is null. `sentinel`: the value that stands for "none", if any.
    `ordered_key`: values never fall from row to row (the game index), which has an encoding and statistics of its own.
    """

    name: str
    dtype: str
    unit: str
    meaning: str
    sentinel: int | None = None
    categories: tuple[str, ...] | None = None
    ordered_key: bool = False


#: Fields of a game that counts nothing but its variables: what `analysis.metrics.tally_reader` reads.
BASIC_FIELDS = (
    TallyField("games", (), "game", "games played"),
    TallyField(
        "moments",
        ("moment", "variable"),
        "game",
        "moment 0: sum of the variable, 1: sum of its squares, 2: sum of its products with rounds",
    ),
    TallyField("detail_games", (), "detail", "games behind all detail fields"),
    TallyField(
        "cross",
        ("variable", "variable"),
        "detail",
        "sum of products of two per-game variables (whole symmetric matrix)",
    ),
    TallyField("cross_sums", ("variable",), "detail", "sum of the per-game variable"),
)


@dataclass(frozen=True)
class TallyRegistry:
    """A game's tally: its fields, in file order, and the per-game variables behind `moments` and `cross`.

    `sizes`: dimensions that do not depend on the configuration. `seat_variables` exist once a seat (win_0, win_1, ...),
    after the common ones; `detail_variables` are added for the covariances of the detail games. The other dimensions
    follow from players and rounds: variable, detail_variable, round, seat, count_players (0 .. players), count_rounds
    (0 .. rounds).
    """

    fields: tuple[TallyField, ...]
    game_variables: Variables
    seat_variables: Variables = ()
    detail_variables: Variables = ()
    sizes: Mapping[str, int] = field(default_factory=dict)

    def variables(self, players: int) -> tuple[str, ...]:
        """Names of the per-game variables behind `moments`, in order: common ones, then those of the seats."""
        return (
            *(name for name, _ in self.game_variables),
            *(f"{name}_{p}" for name, _ in self.seat_variables for p in range(players)),
        )

    def all_variables(self, players: int) -> tuple[str, ...]:
        """Names of the variables behind `cross`: those of `variables`, then the detail ones."""
        return (*self.variables(players), *(name for name, _ in self.detail_variables))

    def shape(self, name: str, players: int, rounds: int) -> tuple[int, ...]:
        """The shape of a field for a table of `players` and a game of at most `rounds`."""
        return self.shapes(players, rounds)[name]

    def shapes(self, players: int, rounds: int) -> dict[str, tuple[int, ...]]:
        """The shape of every field, in the registry's order."""
        sizes = {
            "moment": 3,
            **self.sizes,
            "variable": len(self.variables(players)),
            "detail_variable": len(self.all_variables(players)),
            "round": rounds,
            "seat": players,
            "count_players": players + 1,
            "count_rounds": rounds + 1,
        }
        return {one.name: tuple(sizes[dimension] for dimension in one.dims) for one in self.fields}
