"""Registry of Perudo's game and round rows, and the way from kernel arrays to columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.contract.fields import Column
from numbluff_sim.games.perudo.code_names import FACE_NAMES, OPENER_NAMES
from numbluff_sim.kernels.perudo import codes
from numbluff_sim.run.arrow import row_columns

if TYPE_CHECKING:
    from numbluff_sim.games.perudo.config import PerudoConfig

GAME_INDEX = Column(
    "game", "int64", "index", "game index: with configuration and seed it determines the game", ordered_key=True
)

#: Columns of a game that hold one number, with their index in the kernels' game rows.
GAME_SCALARS: tuple[tuple[Column, int], ...] = (
    (Column("winner", "int8", "seat", "seat of the last player with dice (R11)"), codes.G_WINNER),
    (Column("rounds", "int8", "rounds", "rounds played"), codes.G_ROUNDS),
    (Column("bids", "int16", "bids", "bids made"), codes.G_BIDS),
    (Column("winner_dice", "int8", "dice", "dice of the winner at the end"), codes.G_WINNER_DICE),
    (
        Column("first_to_one", "int8", "seat", "seat that was first to come down to one die", sentinel=-1),
        codes.G_FIRST_TO_ONE,
    ),
    (Column("bids_true", "int8", "rounds", "challenged bids that were true"), codes.G_BID_TRUE),
    (Column("palifico_rounds", "int8", "rounds", "Palifico rounds (R15)"), codes.G_PALIFICO_ROUNDS),
    (
        Column("palifico_lost", "int8", "rounds", "Palifico rounds in which the Palifico lost a die"),
        codes.G_PALIFICO_LOST,
    ),
    (Column("cups_lifted", "int16", "cups", "cups lifted (R19)"), codes.G_CUPS_LIFTED),
    (Column("cups", "int16", "cups", "cups on the table at challenges"), codes.G_CUPS),
    (Column("dice_shown", "int16", "dice", "dice under lifted cups"), codes.G_DICE_SHOWN),
    (Column("dice", "int16", "dice", "dice in play at challenges"), codes.G_DICE),
    (Column("idle", "int16", "rounds", "rounds sat out after elimination, all seats"), codes.G_IDLE),
)
#: Columns of a game with one copy a seat (name_0, name_1, ...), with their block in the kernels' game rows.
GAME_SEATS: tuple[tuple[Column, int], ...] = (
    (Column("place", "int8", "place", "place of seat {seat} (1 = winner)"), codes.GS_PLACE),
    (
        Column("out", "int8", "round", "round (1 = first) in which seat {seat} lost its last die", sentinel=0),
        codes.GS_OUT,
    ),
)
#: Columns of a round that hold one number, with their index in the kernels' round rows.
ROUND_SCALARS: tuple[tuple[Column, int], ...] = (
    (Column("opener", "int8", "seat", "seat that opened the round"), codes.RR_OPENER),
    (Column("opener_rule", "int8", "rule", "why it opened (R12-R15)", categories=OPENER_NAMES), codes.RR_RULE),
    (Column("palifico", "int8", "seat", "seat of the Palifico, in a Palifico round", sentinel=-1), codes.RR_PALIFICO),
    (Column("bids", "int16", "bids", "bids made"), codes.RR_BIDS),
    (Column("quantity", "int8", "dice", "quantity of the challenged bid"), codes.RR_QUANTITY),
    (Column("face", "int8", "face", "face of the challenged bid", categories=FACE_NAMES), codes.RR_FACE),
    (Column("bidder", "int8", "seat", "who made the challenged bid"), codes.RR_BIDDER),
    (Column("challenger", "int8", "seat", "who challenged it"), codes.RR_CHALLENGER),
    (
        Column(
            "stated", "int32", "1/65536", "chance that the bid is true as the challenger sees it, from own dice alone"
        ),
        codes.RR_STATED,
    ),
    (Column("count", "int8", "dice", "dice that match the bid (R8)"), codes.RR_COUNT),
    (Column("bid_true", "int8", "0/1", "the bid was true"), codes.RR_TRUE),
    (Column("loser", "int8", "seat", "who lost the challenge"), codes.RR_LOSER),
    (Column("dice_lost", "int8", "dice", "dice lost in the round, all players"), codes.RR_LOST),
    (Column("cups_lifted", "int8", "cups", "cups lifted (R19)"), codes.RR_CUPS),
    (Column("dice_shown", "int8", "dice", "dice under lifted cups"), codes.RR_SHOWN),
    (
        Column("eliminated", "uint8", "seat bits", "players who lost their last die (bit p: seat p)"),
        codes.RR_ELIMINATED,
    ),
)
ROUND_SEATS: tuple[tuple[Column, int], ...] = (
    (Column("dice", "int8", "dice", "dice of seat {seat} at the start of the round"), codes.RS_DICE),
)
ROUND_NUMBER = Column("round", "int8", "round", "number of the round in its game, from 0")


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


def round_registry(players: int) -> tuple[Column, ...]:
    """Columns of the round rows, in file order."""
    by_seat = (_of_seat(column, seat) for column, _ in ROUND_SEATS for seat in range(players))
    return (GAME_INDEX, ROUND_NUMBER, *(column for column, _ in ROUND_SCALARS), *by_seat)


def registry(config: PerudoConfig) -> dict[str, tuple[Column, ...]]:
    """Columns of both tables for a configuration, in file order."""
    return {"games": game_registry(config.players), "rounds": round_registry(config.players)}


def game_columns(first_game: int, game_rows: NDArray[np.int32], players: int) -> dict[str, NDArray[Any]]:
    """`game_rows` int32 (games, GAME_SCALARS + GAME_BLOCKS * players) of games first_game, first_game + 1, ... as
    columns.
    """
    columns: dict[str, NDArray[Any]] = {
        GAME_INDEX.name: np.arange(first_game, first_game + len(game_rows), dtype=GAME_INDEX.dtype)
    }
    return row_columns(columns, game_rows, GAME_SCALARS, GAME_SEATS, codes.GAME_SCALARS, players)


def round_columns(first_game: int, round_rows: NDArray[np.int32], players: int) -> dict[str, NDArray[Any]]:
    """The played rounds of `round_rows` int32 (games, rounds, ROUND_SCALARS + ROUND_BLOCKS * players) as columns, in
    order of game and round.
    """
    game, number = np.nonzero(round_rows[:, :, codes.RR_PLAYED])
    played = round_rows[game, number]
    columns: dict[str, NDArray[Any]] = {
        GAME_INDEX.name: (first_game + game).astype(GAME_INDEX.dtype),
        ROUND_NUMBER.name: number.astype(ROUND_NUMBER.dtype),
    }
    return row_columns(columns, played, ROUND_SCALARS, ROUND_SEATS, codes.ROUND_SCALARS, players)
