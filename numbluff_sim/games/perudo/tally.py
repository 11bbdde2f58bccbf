"""Registry of Perudo's tallies: integer sums from which every statistic of the report follows.

A tally is a dict of int64 arrays, one for each field below. `every` says which games count: "game" - all of them;
"detail" - the games of every `run.detail_every`-th block of 64 (blocks 0, detail_every, ...), `detail_games` of them.
docs/TABLES.md is generated from this registry.
"""

from __future__ import annotations

from numbluff_sim.contract.fields import BASIC_FIELDS, TallyField, TallyRegistry
from numbluff_sim.contract.game import SeatResult
from numbluff_sim.games.perudo.code_names import OPENER_NAMES

#: Per-game variables common to all table sizes, in the order of `kernels.perudo.codes.V_*`.
GAME_VARIABLES = (
    ("rounds", "rounds played"),
    ("bids", "bids made"),
    ("bid_true", "challenged bids that were true: the challenger lost (R9)"),
    ("opener_lost", "rounds in which the opener lost the challenge, as its bidder or its challenger"),
    ("opener_won", "rounds in which the opener took part in the challenge, as bidder or challenger, and lost no die"),
    ("palifico_rounds", "Palifico rounds (R15)"),
    ("palifico_lost", "Palifico rounds in which the Palifico lost a die"),
    ("cups_lifted", "cups lifted (R19)"),
    ("cups", "cups on the table at challenges: players in"),
    ("dice_shown", "dice under lifted cups"),
    ("dice", "dice in play at challenges"),
    ("idle", "rounds that players sat out after their elimination, all seats"),
    ("to_one", "1 if some player came down to one die"),
    ("comeback", "1 if the winner was the first to come down to one die"),
    ("won_from_one", "1 if the winner had come down to one die before"),
    ("winner_dice", "dice of the winner at the end"),
    ("weaker", "1 if an elimination took the table from three players to two with unequal dice (R14)"),
    ("weaker_opened", "1 if, then, the one with fewer dice opened"),
    ("weaker_won_round", "1 if, then, the one with fewer dice lost no die in the next round"),
    ("weaker_won", "1 if, then, the one with fewer dice won the game"),
    ("even_two", "1 if an elimination took the table from three players to two with equal dice"),
)
#: Variables with one copy a seat (win_0, win_1, ...), after the common ones.
SEAT_VARIABLES = (("win", "1 for the winner's seat"),)

TALLY_FIELDS = (
    *BASIC_FIELDS,
    TallyField("length", ("count_rounds",), "detail", "games by rounds"),
    TallyField(
        "round_bids",
        ("dice_in_play", "count_bids"),
        "detail",
        "rounds by dice in play and number of bids (last cell: that or more)",
    ),
    TallyField(
        "bid_quantity",
        ("dice_in_play", "count_dice", "bid_stat"),
        "detail",
        "challenged bids by dice in play and quantity: rounds, bid true; the same of bids on stars",
    ),
    TallyField(
        "calibration",
        ("chance_bin", "calibration_stat"),
        "detail",
        "bids by the chance of being true that the next player saw, floor(20 * chance): faced, challenged, "
        "challenged and true, true "
        "(challenged or not), then over games: squares of faced, of challenged, of challenged and true, of "
        "true, products faced x "
        "challenged, challenged x challenged and true, faced x true",
    ),
    TallyField(
        "duel",
        ("opener_dice", "other_dice", "palifico", "duel_stat"),
        "detail",
        "rounds of the last two players, by dice of the opener and of the other and whether it is a Palifico "
        "round: rounds (at most one a "
        "game), the opener lost no die, the opener won the game",
    ),
    TallyField(
        "three_to_two",
        ("opener_dice", "other_dice", "opener_rule", "duel_stat"),
        "detail",
        "the round after an elimination that left two of three, by dice of the opener and of the other and "
        "why the opener opens: "
        "rounds (at most one a game), the opener lost no die, the opener won the game",
    ),
    TallyField("place", ("seat", "count_players"), "detail", "games by seat and place (1 = winner; cell 0 is empty)"),
    TallyField(
        "out_round",
        ("count_players", "count_rounds"),
        "detail",
        "eliminations by place (2.. players) and round (1 = first)",
    ),
    TallyField(
        "idle_rounds", ("count_players", "idle_stat"), "detail", "players by place: games, rounds sat out, squares"
    ),
    TallyField(
        "to_one_place",
        ("count_players",),
        "detail",
        "games by place of the player who was first to come down to one die (cell 0: nobody was)",
    ),
    TallyField("to_one_seat", ("seat",), "detail", "games by seat of the player who was first to come down to one die"),
    TallyField("winner_dice", ("dice_each",), "detail", "games by dice of the winner at the end"),
    TallyField(
        "palifico",
        ("count_players", "palifico_stat"),
        "detail",
        "Palifico rounds by players in: rounds, the Palifico lost a die, the Palifico took part in the "
        "challenge and lost none, the "
        "Palifico won the game",
    ),
    TallyField(
        "opener",
        ("opener_rule", "opener_stat"),
        "detail",
        "rounds by why the opener opens: rounds, the opener lost a die, took part and lost none, won the game",
    ),
    TallyField("cups", ("count_players", "count_players"), "detail", "rounds by cups on the table and cups lifted"),
    TallyField("dice_lost", ("count_dice",), "detail", "rounds by dice lost, all players"),
)

#: Sizes of the dimensions that do not depend on the configuration.
FIXED_DIMS = {
    "moment": 3,
    "dice_in_play": 31,
    "count_dice": 31,
    "count_bids": 64,
    "bid_stat": 4,
    "chance_bin": 20,
    "calibration_stat": 11,
    "opener_dice": 6,
    "other_dice": 6,
    "dice_each": 6,
    "palifico": 2,
    "duel_stat": 3,
    "opener_rule": len(OPENER_NAMES),
    "idle_stat": 3,
    "palifico_stat": 4,
    "opener_stat": 4,
}


def seat_results(players: int) -> list[SeatResult]:
    """What each seat gets out of a game: one winner, and no points."""
    return [SeatResult({f"win_{p}": 1.0}) for p in range(players)]


TALLY = TallyRegistry(TALLY_FIELDS, GAME_VARIABLES, SEAT_VARIABLES, (), FIXED_DIMS)
