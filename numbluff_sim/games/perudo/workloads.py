"""What the benchmark plays of Perudo (the measurements themselves know no game)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config, load
from numbluff_sim.contract.game import Counts, Workloads
from numbluff_sim.contract.rules import rule_book
from numbluff_sim.kernels.perudo import codes

#: The number of players that most workloads have.
PLAYERS = 4
#: 100 points of a sweep.
SWEPT = """
[axes]
"table.dice" = [1, 2, 3, 4, 5]
"rules.bid_order" = ["bluff_track", "perudo_halving", "flat"]
"rules.palifico" = [true, false]
"rules.dice_lost" = ["one", "difference"]
"rules.lift_direction" = ["right", "left"]
"""


@cache
def default(players: int = PLAYERS) -> Config:
    """Random play under the usual rulings: what the yardstick plays."""
    return load(preset="random", overrides={"game": "perudo", "table.players": players})


@cache
def mixed(players: int = PLAYERS, ruling: str | None = None, answer: str | bool | None = None) -> Config:
    """Players who all think in their own way, and one ruling changed if asked."""
    overrides: dict[str, Any] = {
        "game": "perudo",
        "table.players": players,
        "play.seats": [("threshold", "value", "bayes", "random")[seat % 4] for seat in range(players)],
    }
    if ruling is not None:
        overrides[f"rules.{ruling}"] = answer
    return load(overrides=overrides)


@cache
def compared() -> Config:
    """What `default` is compared with."""
    return load(preset="random", overrides={"game": "perudo", "table.players": PLAYERS, "rules.bid_order": "flat"})


def alternatives() -> dict[str, Config]:
    """The mixed play under every answer to a ruling that is not the usual one, by "ruling=answer"."""
    return {
        f"{ruling.name}={str(value).lower()}": mixed(PLAYERS, ruling.name, value)
        for ruling in rule_book("numbluff_sim.games.perudo").rulings
        for value in ruling.values
        if value != ruling.default
    }


def ways() -> dict[str, Config]:
    """The shipped ways of playing that think, all seats alike."""
    names = ("threshold", "value", "bayes", "equilibrium")
    return {name: load(preset=name, overrides={"game": "perudo", "table.players": PLAYERS}) for name in names}


def decisions(tally: Counts) -> int:
    """Bids and challenges: every round ends with one."""
    return int(tally["moments"][0, codes.V_BIDS]) + int(tally["moments"][0, codes.V_ROUNDS])


def kernel() -> Any:
    """The compiled kernel that plays the games, for whoever looks at its machine code."""
    from numbluff_sim.kernels.perudo.playing import play

    return play


WORKLOADS = Workloads(
    yardstick=Path(__file__).with_name("yardstick.c"),
    players=PLAYERS,
    counts=(2, 3, 4, 5, 6),
    few=5,
    many=6,
    options=("--game", "perudo", "--preset", "random"),
    tweak=(
        "--set",
        "table.dice=4",
        "--set",
        "rules.bid_order=flat",
        "--set",
        "rules.dice_lost=difference",
        "--set",
        "personas.random.challenge_one_in=3",
    ),
    swept=SWEPT,
    bounds={"tallies": 4, "mixed": None, "command": 3},
    default=default,
    mixed=mixed,
    compared=compared,
    alternatives=alternatives,
    ways=ways,
    decisions=decisions,
    kernel=kernel,
    open_spiel=("liars_dice", {"players": 2, "numdice": 5}),
)
