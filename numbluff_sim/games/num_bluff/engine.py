"""NUM BLUFF's engine: a configuration, games by index, integer sums and rows out."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.contract.game import Tally
from numbluff_sim.games.num_bluff import columns
from numbluff_sim.games.num_bluff.arrays import kernel_arrays
from numbluff_sim.games.num_bluff.config import NumBluffConfig
from numbluff_sim.games.num_bluff.tally import TALLY
from numbluff_sim.kernels.common import memory
from numbluff_sim.kernels.common.jit import COMPILED, compiling
from numbluff_sim.kernels.num_bluff import codes
from numbluff_sim.kernels.num_bluff.layout import BOOK_SIZE, DETAIL_FIELDS, STATE_SIZE, build_plan, new_block, work_rows
from numbluff_sim.kernels.num_bluff.playing import play

#: Games that rows are made of at a time: bounds the trace's memory.
TRACED_GAMES = 4096
#: Kernels that this process has compiled or loaded: (players, wide).
_ready: set[tuple[int, bool]] = set()


class Engine:
    """Plays games of one configuration. Thread-safe: nothing here changes after construction."""

    def __init__(self, config: NumBluffConfig) -> None:
        arrays = kernel_arrays(config)
        self.config = config
        self.players, self.rounds, self.seed = config.players, config.rounds, config.run.seed
        self.families = tuple(family.name for family in config.deck.families)
        self.game_fields = codes.GAME_SCALARS + codes.GAME_BLOCKS * self.players
        self.fields = codes.TRACE_SCALARS + codes.TRACE_BLOCKS * self.players
        self._shapes = TALLY.shapes(self.players, self.rounds)
        self._detail_sizes = [int(np.prod(self._shapes[name], dtype=np.int64)) for name in DETAIL_FIELDS]
        plan = build_plan(arrays.segments, arrays.table, arrays.rules, arrays.personas, arrays.wide, self._detail_sizes)
        self._blank = new_block(plan, arrays.segments)
        # plain Python integers take NumPy's lane types as they are; compiled code wants an array
        self._plan: Any = plan if COMPILED else plan.tolist()
        self._seats = (0,) * self.players
        self._kernel = (self.players, arrays.wide)
        self._zero = np.int16(0) if arrays.wide else np.int8(0)

    def new_tally(self) -> Tally:
        """Zeros for every field of the tally registry."""
        return {name: np.zeros(shape, np.int64) for name, shape in self._shapes.items()}

    def play(self, first_game: int, games: int, into: Tally, rows: str = "none") -> dict[str, dict[str, NDArray[Any]]]:
        """Plays games first_game .. first_game + games - 1 and adds them to the tally `into`.

        rows: "none", "games" or "rounds" (which has both); the columns asked for come back by table and column name.
        """
        if rows == "none":
            self._run(first_game, games, into, 1, 0)
            return {}
        after = first_game + games
        pieces = [
            self._rows(first, min(TRACED_GAMES, after - first), into, rows)
            for first in range(first_game, after, TRACED_GAMES)
        ]
        return {
            table: {name: np.concatenate([piece[table][name] for piece in pieces]) for name in pieces[0][table]}
            for table in pieces[0]
        }

    def trace(self, first_game: int, games: int) -> NDArray[np.int16]:
        """Everything that happens in some games: int16 (blocks touched, rounds, fields, 64), fields TR_* and TS_* of
        codes.py.

        Game g is lane g % 64 of block g // 64; the first block touched comes first.
        """
        return self._run(
            first_game, games, self.new_tally(), (first_game + games + 63) // 64 - first_game // 64, games
        )[0]

    def _rows(self, first: int, games: int, into: Tally, rows: str) -> dict[str, dict[str, NDArray[Any]]]:
        trace, game_rows = self._run(
            first, games, into, (first + games + 63) // 64 - first // 64 if rows == "rounds" else 1, games
        )
        tables = {"games": columns.game_columns(first, game_rows, self.players)}
        if rows == "rounds":
            tables["rounds"] = columns.round_columns(first, games, trace, self.players)
        return tables

    def _run(
        self, first: int, games: int, into: Tally, blocks: int, kept: int
    ) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
        trace = memory.zeros((blocks, self.rounds * self.fields * 64), np.int16)
        game_rows = np.zeros(kept * self.game_fields, np.int32)
        details = np.zeros(sum(self._detail_sizes), np.int64)
        book: Any = np.zeros(BOOK_SIZE, np.int64) if COMPILED else [0] * BOOK_SIZE
        # without JIT, the random numbers' modular arithmetic warns of every overflow
        with np.errstate(over="ignore"), contextlib.nullcontext() if self._kernel in _ready else compiling():
            play(
                self._seats,
                self._zero,
                self._plan,
                memory.copied(self._blank),
                np.zeros(STATE_SIZE, np.uint64),
                book,
                np.zeros(64 * work_rows(self.players), np.int64),
                self.seed,
                first,
                games,
                into["moments"],
                into["games_with"],
                into["round_events"].reshape(-1),
                details,
                trace,
                game_rows,
            )
        _ready.add(self._kernel)
        for name, part in zip(DETAIL_FIELDS, np.split(details, np.cumsum(self._detail_sizes)[:-1]), strict=True):
            into[name] += part.reshape(self._shapes[name])
        into["games"] += games
        return trace.reshape(blocks, self.rounds, self.fields, 64), game_rows.reshape(kept, self.game_fields)
