"""Registry of NUM BLUFF's tallies: integer sums from which every statistic of the report follows.

A tally is a dict of int64 arrays, one for each field below. `every` says which games count: "game" - all of them;
"detail" - the games of every `run.detail_every`-th block of 64 (blocks 0, detail_every, ...), `detail_games` of them.
docs/TABLES.md is generated from this registry.
"""

from __future__ import annotations

from numbluff_sim.contract.fields import TallyField, TallyRegistry
from numbluff_sim.contract.game import SeatResult
from numbluff_sim.games.num_bluff.code_names import LIE_NAMES, MECHANISM_NAMES, TIE_NAMES
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.kernels.num_bluff.codes import SHARE

#: Per-game variables common to all table sizes, in the order of `kernels.num_bluff.codes.V_*`.
GAME_VARIABLES = (
    ("rounds", "rounds played"),
    *((name, f"rounds with {name}") for name in EVENT_NAMES),
    ("exact", "player-rounds with gap 0 (all events)"),
    ("fusions", "hidden sides that were fusions"),
    ("options", "Coup Précis options taken"),
    ("recycles", "piles made from score piles and discard (T8)"),
    ("pot_left", "points in the pot at the end"),
    ("pot_won", "points won from the pot"),
    ("lies_total", "rounds with a false total"),
    ("lies_family", "rounds with a false family"),
    ("bluffer_honest", "points of the bluffer in honest rounds"),
    ("bluffer_lying", "points of the bluffer in rounds with a lie"),
    ("miroir_several", "rounds in which two or more players had a Miroir Parfait"),
    ("refills", "cards drawn under refill_after_fusion"),
    ("empty_hands", "player-rounds that began with an empty hand (T7)"),
)
#: Variables with one copy a seat (score_0, score_1, ..., win_0, ...), after the common ones.
SEAT_VARIABLES = (("score", "final score"), ("win", "share of the win, in 1/60"))
#: Variables added for the detail games' covariances.
DETAIL_VARIABLES = (
    ("pot_after", "sum over rounds of the pot's points after the round"),
    ("closest_points", "points gained by the closest in rounds settled by rules 4-6"),
    ("fusion_points", "points gained by non-bluffers in rounds in which they fused"),
    ("fusion_sides", "non-bluffers' fusions"),
    ("single_points", "points gained by non-bluffers in rounds in which they hid a single card"),
    ("honest_rounds", "rounds with an honest announcement"),
)

TALLY_FIELDS = (
    TallyField("games", (), "game", "games played"),
    TallyField(
        "moments",
        ("moment", "variable"),
        "game",
        "moment 0: sum of the variable, 1: sum of its squares, 2: sum of its products with rounds",
    ),
    TallyField("games_with", ("event",), "game", "games with at least one such round"),
    TallyField("round_events", ("round", "event"), "game", "rounds of this number that ended with this event"),
    TallyField("detail_games", (), "detail", "games behind all detail fields"),
    TallyField("detail_rounds", ("round",), "detail", "rounds of this number that were played"),
    TallyField(
        "cross",
        ("detail_variable", "detail_variable"),
        "detail",
        "sum of products of two per-game variables (whole symmetric matrix)",
    ),
    TallyField("cross_sums", ("detail_variable",), "detail", "sum of the per-game variable"),
    TallyField("pot_by_round", ("round", "point_bin"), "detail", "rounds by the pot's points after the round"),
    TallyField(
        "pot_when_won",
        ("event", "point_bin"),
        "detail",
        "pots won by event and points (0 included: an empty pot can be won)",
    ),
    TallyField(
        "pot_wait",
        ("count_rounds",),
        "detail",
        "pots won by rounds since the last one or the start (1 = the very next round)",
    ),
    TallyField(
        "pot_share",
        ("percent",),
        "detail",
        "games by share of the winner's score that came from the pot, floor of percent; sole winners only",
    ),
    TallyField("score", ("seat", "point_bin"), "detail", "games by final score of the seat"),
    TallyField("margin", ("point_bin",), "detail", "games by best score minus second best (0: shared)"),
    TallyField("winners", ("count_players",), "detail", "games by number of seats that share the win"),
    TallyField("lead_changes", ("count_rounds",), "detail", "games by number of lead changes"),
    TallyField(
        "decided",
        ("count_rounds",),
        "detail",
        "games by the round (1 = first) from which on the leaders are the final winners",
    ),
    TallyField(
        "half_rank", ("count_players",), "detail", "sole winners by their rank after half of the rounds (1 = leading)"
    ),
    TallyField(
        "gap_closest",
        ("gap",),
        "detail",
        "rounds settled by rules 4-6, by gap of the closest (last cell: that or more)",
    ),
    TallyField(
        "gap_farthest",
        ("gap",),
        "detail",
        "rounds settled by rules 4-6, by gap of the farthest (last cell: that or more)",
    ),
    TallyField("exact_players", ("count_players",), "detail", "rounds by number of exact players"),
    TallyField("mechanism", ("event", "mechanism"), "detail", "exact player-rounds by event and mechanism"),
    TallyField(
        "exact_kinds",
        ("exact_kind",),
        "detail",
        "player-rounds (bluffers excluded): all, exact, exact and one family, exact by a single card at "
        "printed totals, the last two "
        "together; bluffer-rounds with one family",
    ),
    TallyField(
        "ties",
        ("dispute", "tie"),
        "detail",
        "rounds settled by rules 4-6: how closest (0) and farthest (1) were decided",
    ),
    TallyField(
        "side",
        ("role", "fused", "side_stat"),
        "detail",
        "hidden sides by role (0 other, 1 bluffer) and fusion: count, exact, points gained in the round, "
        "points put at risk, squares "
        "of points gained",
    ),
    TallyField(
        "announced",
        ("lie", "announce_stat"),
        "detail",
        "rounds by kind of lie: count, bluffer's points, their squares, player-rounds in which it was "
        "disproved, player-rounds in "
        "which it was heard",
    ),
    TallyField(
        "role_points",
        ("position", "role_stat"),
        "detail",
        "position 0 bluffer, 1 closest, 2 farthest, 3 winner by rules 1-3, 4 the others: count, points gained, squares",
    ),
    TallyField(
        "hand_size", ("round", "hand"), "detail", "player-rounds by hand size after the round (last cell: that or more)"
    ),
    TallyField(
        "hand_unexplained",
        ("hand_stat",),
        "detail",
        "player-rounds: all; with a hand size other than the start's plus options minus Miroirs suffered; "
        "games: with at least one "
        "such",
    ),
)

#: Sizes of the dimensions that do not depend on the configuration.
FIXED_DIMS = {
    "moment": 3,
    "event": len(EVENT_NAMES),
    "point_bin": 1024,
    "percent": 101,
    "gap": 256,
    "mechanism": len(MECHANISM_NAMES),
    "exact_kind": 6,
    "dispute": 2,
    "tie": len(TIE_NAMES),
    "role": 2,
    "fused": 2,
    "side_stat": 5,
    "lie": len(LIE_NAMES),
    "announce_stat": 5,
    "position": 5,
    "role_stat": 3,
    "hand": 64,
    "hand_stat": 3,
}


def seat_results(players: int) -> list[SeatResult]:
    """What each seat gets out of a game: its score, and its win in units that can be shared."""
    return [SeatResult({f"win_{p}": 1 / SHARE}, {f"score_{p}": 1.0}) for p in range(players)]


TALLY = TallyRegistry(TALLY_FIELDS, GAME_VARIABLES, SEAT_VARIABLES, DETAIL_VARIABLES, FIXED_DIMS)
