"""Perudo's engine: a configuration, games by index, integer sums and rows out."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.contract.game import Tally
from numbluff_sim.games.perudo import columns
from numbluff_sim.games.perudo.arrays import kernel_arrays
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.games.perudo.tally import TALLY
from numbluff_sim.kernels.common import memory
from numbluff_sim.kernels.common.jit import COMPILED, compiling
from numbluff_sim.kernels.perudo import codes
from numbluff_sim.kernels.perudo.layout import DETAIL_FIELDS, STATE_SIZE, WORK_SIZE, build_plan, new_block
from numbluff_sim.kernels.perudo.playing import play
from numbluff_sim.kernels.perudo.thinking import MIND_SIZE

#: Games that rows are made of at a time: bounds the memory of the kernels' rows.
ROW_GAMES = 4096
#: Kernels that this process has compiled or loaded, by number of players.
_ready: set[int] = set()


def flat(*arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """The arrays in one dimension each, as kernels index them."""
    return tuple(np.ascontiguousarray(array).reshape(-1) for array in arrays)


def solved_rounds(config: PerudoConfig) -> tuple[NDArray[Any], ...]:
    """The solved rounds, if a player plays by them: roots, child, row, start, move, until, hands; else none."""
    if all(persona.strategy != "equilibrium" for persona in config.seat_personas):
        return (np.full(2 * 3 * 4, codes.NOWHERE, np.int32), *(np.zeros(1, np.int32),) * 6)
    from numbluff_sim.games.perudo.tables import endgame_tables

    tables = endgame_tables(config.rules, config.table.dice)
    return flat(tables.roots, tables.child, tables.row, tables.start, tables.move, tables.until, tables.hands)


class Engine:
    """Plays games of one configuration. Thread-safe: nothing here changes after construction."""

    def __init__(self, config: PerudoConfig) -> None:
        arrays = kernel_arrays(config)
        self.config = config
        self.players, self.rounds, self.seed = config.players, config.rounds, config.run.seed
        self._shapes = TALLY.shapes(self.players, self.rounds)
        self._detail_sizes = [int(np.prod(self._shapes[name], dtype=np.int64)) for name in DETAIL_FIELDS]
        plan = build_plan(arrays.table, arrays.rules, arrays.personas, self._detail_sizes)
        self._blank = new_block(plan)
        # plain Python integers take NumPy's lane types as they are; compiled code wants an array
        self._plan: Any = plan if COMPILED else plan.tolist()
        self._chances = flat(arrays.tails, arrays.openings, arrays.doubts, arrays.posteriors)
        self._solved = solved_rounds(config)
        self.fields = int(arrays.table[codes.T_FIELDS])

    def new_tally(self) -> Tally:
        """Zeros for every field of the tally registry."""
        return {name: np.zeros(shape, np.int64) for name, shape in self._shapes.items()}

    def play(self, first_game: int, games: int, into: Tally, rows: str = "none") -> dict[str, dict[str, NDArray[Any]]]:
        """Plays games first_game .. first_game + games - 1 and adds them to the tally `into`.

        rows: "none", "games" or "rounds" (which has both); the columns asked for come back by table and column name.
        """
        if rows == "none":
            self._run(first_game, games, into, 1, 0, 0)
            return {}
        after = first_game + games
        pieces = [
            self._rows(first, min(ROW_GAMES, after - first), into, rows)
            for first in range(first_game, after, ROW_GAMES)
        ]
        return {
            table: {name: np.concatenate([piece[table][name] for piece in pieces]) for name in pieces[0][table]}
            for table in pieces[0]
        }

    def trace(self, first_game: int, games: int) -> NDArray[np.uint8]:
        """Everything that happens in some games: uint8 (blocks touched, rounds, fields, 64), fields TR_* of codes.py,
        then dice, faces and bids.

        Game g is lane g % 64 of block g // 64; the first block touched comes first.
        """
        return self._run(
            first_game, games, self.new_tally(), (first_game + games + 63) // 64 - first_game // 64, games, 0
        )[0]

    def _rows(self, first: int, games: int, into: Tally, rows: str) -> dict[str, dict[str, NDArray[Any]]]:
        _, game_rows, round_rows = self._run(first, games, into, 1, games, games if rows == "rounds" else 0)
        tables = {"games": columns.game_columns(first, game_rows, self.players)}
        if rows == "rounds":
            tables["rounds"] = columns.round_columns(first, round_rows, self.players)
        return tables

    def _run(
        self, first: int, games: int, into: Tally, blocks: int, game_rows: int, round_rows: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]:
        game_fields, round_fields = (
            codes.GAME_SCALARS + codes.GAME_BLOCKS * self.players,
            codes.ROUND_SCALARS + codes.ROUND_BLOCKS * self.players,
        )
        trace = memory.zeros((blocks, self.rounds * self.fields, 64), np.uint8)
        of_games, of_rounds = (
            np.zeros(game_rows * game_fields, np.int32),
            np.zeros(round_rows * self.rounds * round_fields, np.int32),
        )
        details = np.zeros(sum(self._detail_sizes), np.int64)
        # without JIT, the random numbers' modular arithmetic warns of every overflow
        with np.errstate(over="ignore"), contextlib.nullcontext() if self.players in _ready else compiling():
            tables = (*self._chances, np.zeros(MIND_SIZE), *self._solved, np.full(64, codes.UNSOLVED))
            play(
                (0,) * self.players,
                self._plan,
                tables,
                memory.copied(self._blank),
                np.zeros(STATE_SIZE, np.uint64),
                np.zeros(WORK_SIZE, np.int64),
                self.seed,
                first,
                games,
                into["moments"],
                details,
                trace,
                of_games,
                of_rounds,
            )
        _ready.add(self.players)
        for name, part in zip(DETAIL_FIELDS, np.split(details, np.cumsum(self._detail_sizes)[:-1]), strict=True):
            into[name] += part.reshape(self._shapes[name])
        into["games"] += games
        return (
            trace.reshape(blocks, self.rounds, self.fields, 64),
            of_games.reshape(game_rows, game_fields),
            of_rounds.reshape(round_rows, self.rounds, round_fields),
        )
