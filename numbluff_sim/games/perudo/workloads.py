"""What the benchmark plays of Perudo (the measurements themselves know no game)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from numbluff_sim.config import Config, load
from numbluff_sim.contract.rules import rule_book
from numbluff_sim.kernels.perudo import codes

#: The yardstick's source, the number of players that most workloads have, and those that the yardstick plays, too.
YARDSTICK, PLAYERS, COUNTS = Path(__file__).with_name("yardstick.c"), 4, (2, 3, 4, 5, 6)
#: Player counts that are compared.
FEW, MANY = 5, 6
#: What makes the default play of `numbluff simulate`, and a tweak of the rules as it takes it.
OPTIONS = ("--game", "perudo", "--preset", "random")
TWEAK = (
    "--set",
    "table.dice=4",
    "--set",
    "rules.bid_order=flat",
    "--set",
    "rules.dice_lost=difference",
    "--set",
    "personas.random.challenge_one_in=3",
)
#: The game of OpenSpiel that is nearest, and its parameters.
OPEN_SPIEL = ("liars_dice", {"players": 2, "numdice": 5})
#: 100 points of a sweep.
SWEPT = """
[axes]
"table.dice" = [1, 2, 3, 4, 5]
"rules.bid_order" = ["bluff_track", "perudo_halving", "flat"]
"rules.palifico" = [true, false]
"rules.dice_lost" = ["one", "difference"]
"rules.lift_direction" = ["right", "left"]
"""
#: Bounds of this game where they are not the usual ones; None: measured, not judged.
TARGETS: dict[str, float | None] = {"tallies": 4, "mixed": None, "command": 3}


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


def rounds(tally: dict[str, NDArray[Any]]) -> int:
    """The rounds that were played."""
    return int(tally["moments"][0, codes.V_ROUNDS])


def decisions(tally: dict[str, NDArray[Any]]) -> int:
    """Bids and challenges."""
    return int(tally["moments"][0, codes.V_BIDS]) + rounds(tally)


def kernel() -> Any:
    """The compiled kernel that plays the games, for whoever looks at its machine code."""
    from numbluff_sim.kernels.perudo.playing import play

    return play
