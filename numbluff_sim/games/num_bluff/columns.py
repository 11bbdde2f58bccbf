"""Registry of NUM BLUFF's game and round rows, and the way from kernel arrays to columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.contract.fields import Column
from numbluff_sim.games.num_bluff.code_names import LIE_NAMES, MECHANISM_NAMES, TIE_NAMES
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.kernels.num_bluff import codes
from numbluff_sim.run.arrow import row_columns

if TYPE_CHECKING:
    from numbluff_sim.games.num_bluff.config import NumBluffConfig

LANES = 64

GAME_INDEX = Column(
    "game", "int64", "index", "game index: with configuration and seed it determines the game", ordered_key=True
)

#: Columns of a game that hold one number, with their index in the kernels' game rows.
GAME_SCALARS: tuple[tuple[Column, int], ...] = (
    (Column("rounds", "int16", "rounds", "rounds played"), codes.G_ROUNDS),
    *(
        (Column(name, "int16", "rounds", f"rounds that ended with {name}"), codes.G_MIROIR + event)
        for event, name in enumerate(EVENT_NAMES)
    ),
    (Column("pot_won", "int32", "points", "points won from the pot, all seats"), codes.G_POT_WON),
    (Column("pot_left", "int32", "points", "points in the pot at the end, nobody's (rule 8)"), codes.G_POT_LEFT),
    (Column("lead_changes", "int16", "rounds", "rounds after which another set of seats leads"), codes.G_LEAD_CHANGES),
    (
        Column("decided", "int16", "round", "round (1 = first) from which on the leaders are the final winners"),
        codes.G_DECIDED,
    ),
    (
        Column(
            "half_rank", "int8", "rank", "rank of the sole winner after half of the rounds (1 = leading)", sentinel=0
        ),
        codes.G_HALF_RANK,
    ),
    (Column("fusions", "int16", "sides", "hidden sides that were fusions"), codes.G_FUSIONS),
    (Column("options", "int16", "options", "Coup Précis options taken"), codes.G_OPTIONS),
    (Column("recycles", "int16", "piles", "piles made from score piles and discard (T8)"), codes.G_RECYCLES),
    (Column("lies", "int16", "rounds", "rounds with a false total or family"), codes.G_LIES),
)
#: Columns of a game with one copy a seat (name_0, name_1, ...), with their block in the kernels' game rows.
GAME_SEATS: tuple[tuple[Column, int], ...] = (
    (Column("score", "int32", "points", "final score of seat {seat}"), codes.GS_SCORE),
    (Column("win", "uint8", "1/60 win", "share of the win of seat {seat} (k winners: 60/k each)"), codes.GS_WIN),
    (Column("hand", "uint8", "cards", "hand size of seat {seat} at the end"), codes.GS_HAND),
    (Column("pot", "int32", "points", "points of seat {seat} that came from the pot"), codes.GS_POT),
)
#: Columns of a round that the trace holds as they are.
ROUND_SCALARS: tuple[tuple[Column, int], ...] = (
    (Column("bluffer", "int8", "seat", "seat of the bluffer"), codes.TR_BLUFFER),
    (Column("event", "int8", "event", "how the round was settled (rules 1-6)", categories=EVENT_NAMES), codes.TR_EVENT),
    (
        Column(
            "winners",
            "uint8",
            "seat bits",
            "winners of Miroir, Frappe or Coup Précis (bit p: seat p), 0 in other rounds",
        ),
        codes.TR_WINNERS,
    ),
    (Column("closest", "int8", "seat", "closest player of a round settled by 4-6", sentinel=-1), codes.TR_CLOSEST),
    (Column("farthest", "int8", "seat", "farthest player of a round settled by 4-6", sentinel=-1), codes.TR_FARTHEST),
    (
        Column("closest_tie", "int8", "tie", "what decided who is closest (rule 7)", categories=TIE_NAMES),
        codes.TR_CLOSEST_TIE,
    ),
    (
        Column("farthest_tie", "int8", "tie", "what decided who is farthest (rule 7)", categories=TIE_NAMES),
        codes.TR_FARTHEST_TIE,
    ),
    (Column("bluffer_total", "int16", "total", "the bluffer's total at the reveal (C8)"), codes.TR_TOTAL),
    (
        Column(
            "bluffer_printed", "int16", "total", "the bluffer's printed total, which a true announcement names (C9)"
        ),
        codes.TR_PRINTED_TOTAL,
    ),
    (Column("announced_total", "int16", "total", "total that the bluffer announced"), codes.TR_ANNOUNCED_TOTAL),
    (Column("lie", "int8", "lie", "what was false in the announcement (T3)", categories=LIE_NAMES), codes.TR_LIE),
    (
        Column(
            "disproved", "uint8", "seat bits", "players who could tell that the announcement was false (bit p: seat p)"
        ),
        codes.TR_DISPROVED,
    ),
    (
        Column("options", "uint8", "seat bits", "players who took the Coup Précis option (bit p: seat p)"),
        codes.TR_OPTIONS,
    ),
    (Column("recycled", "int8", "0/1", "a new pile was made before this round (T8)"), codes.TR_RECYCLED),
    (Column("pot_cards_before", "uint8", "cards", "cards in the pot before the round"), codes.TR_POT_CARDS_BEFORE),
    (Column("pot_before", "int16", "points", "points in the pot before the round"), codes.TR_POT_BEFORE),
    (Column("pot_cards_after", "uint8", "cards", "cards in the pot after the round"), codes.TR_POT_CARDS_AFTER),
    (Column("pot_after", "int16", "points", "points in the pot after the round"), codes.TR_POT_AFTER),
)
ROUND_GAPS = (
    Column("gap_closest", "int16", "gap", "gap of the closest player", sentinel=-1),
    Column("gap_farthest", "int16", "gap", "gap of the farthest player", sentinel=-1),
)
ROUND_FUSIONS = Column("fusions", "uint8", "seat bits", "players whose hidden side was a fusion (bit p: seat p)")
ROUND_SEATS: tuple[tuple[Column, int], ...] = (
    (Column("points", "int16", "points", "points moved to seat {seat} in this round"), codes.TS_GAIN),
    (
        Column("mechanism", "int8", "mechanism", "how seat {seat} hit exactly (rule 3)", categories=MECHANISM_NAMES),
        codes.TS_MECHANISM,
    ),
)


def _family_column(families: Sequence[str]) -> Column:
    return Column(
        "announced_family",
        "int8",
        "family",
        "family that the bluffer announced (none for an empty hidden side)",
        sentinel=-1,
        categories=tuple(families),
    )


def _of_seat(column: Column, seat: int) -> Column:
    return Column(
        f"{column.name}_{seat}",
        column.dtype,
        column.unit,
        column.meaning.format(seat=seat),
        column.sentinel,
        column.categories,
    )


def game_registry(players: int) -> tuple[Column, ...]:
    """Columns of the game rows, in file order."""
    by_seat = (_of_seat(column, seat) for column, _ in GAME_SEATS for seat in range(players))
    return (GAME_INDEX, *(column for column, _ in GAME_SCALARS), *by_seat)


def round_registry(players: int, families: Sequence[str] = ("the deck's families",)) -> tuple[Column, ...]:
    """Columns of the round rows, in file order; `families` in deck order name the codes of `announced_family`."""
    by_seat = (_of_seat(column, seat) for column, _ in ROUND_SEATS for seat in range(players))
    number = Column("round", "int16", "round", "number of the round in its game, from 0")
    return (
        GAME_INDEX,
        number,
        *(column for column, _ in ROUND_SCALARS),
        _family_column(families),
        *ROUND_GAPS,
        ROUND_FUSIONS,
        *by_seat,
    )


def registry(config: NumBluffConfig) -> dict[str, tuple[Column, ...]]:
    """Columns of both tables for a configuration, in file order."""
    return {
        "games": game_registry(config.players),
        "rounds": round_registry(config.players, [family.name for family in config.deck.families]),
    }


def game_columns(first_game: int, game_rows: NDArray[np.int32], players: int) -> dict[str, NDArray[Any]]:
    """`game_rows` int32 (games, GAME_SCALARS + GAME_BLOCKS * players) of games first_game, first_game + 1, ... as
    columns.
    """
    columns: dict[str, NDArray[Any]] = {
        GAME_INDEX.name: np.arange(first_game, first_game + len(game_rows), dtype=GAME_INDEX.dtype)
    }
    return row_columns(columns, game_rows, GAME_SCALARS, GAME_SEATS, codes.GAME_SCALARS, players)


def round_columns(first_game: int, games: int, trace: NDArray[np.int16], players: int) -> dict[str, NDArray[Any]]:
    """The played rounds of games first_game .. first_game + games - 1 as columns, in order of game and round.

    `trace`: int16 (blocks, rounds, fields, 64), block 0 being block first_game // 64 of the run; lanes of other games
    are left out.
    """
    blocks, rounds = trace.shape[:2]
    skipped = first_game % LANES

    def rows(field: int, dtype: str) -> NDArray[Any]:
        narrow = trace[:, :, field].astype(dtype)
        return np.ascontiguousarray(narrow.transpose(0, 2, 1)).reshape(blocks * LANES, rounds)[
            skipped : skipped + games
        ]

    def by_seat(block: int, seat: int, dtype: str) -> NDArray[Any]:
        return rows(codes.TRACE_SCALARS + block * players + seat, dtype)

    played = rows(codes.TR_PLAYED, "bool")
    columns: dict[str, NDArray[Any]] = {
        GAME_INDEX.name: np.repeat(np.arange(first_game, first_game + games, dtype=GAME_INDEX.dtype), rounds).reshape(
            games, rounds
        ),
        "round": np.broadcast_to(np.arange(rounds, dtype="int16"), (games, rounds)),
    }
    for column, field in ROUND_SCALARS:
        columns[column.name] = rows(field, column.dtype)
    columns["announced_family"] = rows(codes.TR_ANNOUNCED_FAMILY, "int8")
    for column, seats in zip(ROUND_GAPS, (columns["closest"], columns["farthest"]), strict=True):
        gaps = np.full((games, rounds), column.sentinel, column.dtype)
        for seat in range(players):
            np.copyto(gaps, by_seat(codes.TS_GAP, seat, column.dtype), where=seats == seat)
        columns[column.name] = gaps
    fused = np.zeros((games, rounds), np.uint8)
    for seat in range(players):
        fused |= (by_seat(codes.TS_HIDDEN2, seat, "int16") != codes.NO_CARD).astype(np.uint8) << np.uint8(seat)
    columns[ROUND_FUSIONS.name] = fused
    for column, block in ROUND_SEATS:
        for seat in range(players):
            columns[f"{column.name}_{seat}"] = by_seat(block, seat, column.dtype)
    if played.all():
        return {name: values.reshape(-1) for name, values in columns.items()}
    return {name: values[played] for name, values in columns.items()}
