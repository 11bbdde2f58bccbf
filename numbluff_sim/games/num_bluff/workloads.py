"""What the benchmark plays of NUM BLUFF (the measurements themselves know no game)."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config, load
from numbluff_sim.contract.game import Workloads
from numbluff_sim.contract.rules import rule_book

#: The number of players that most workloads have.
PLAYERS = 4
#: 100 points of a sweep.
SWEPT = """
[axes]
"deck.rainbow.reach" = [0, 1, 2, 3, 4]
"deck.shadow.reach" = [0, 1, 2, 3, 4]
"table.hand_size" = [2, 3, 4, 5]
"""


@cache
def default(players: int = PLAYERS) -> Config:
    """The preset `documented`."""
    return load(preset="documented", overrides={"table.players": players})


@cache
def mixed(players: int = PLAYERS, ruling: str | None = None, answer: str | bool | None = None) -> Config:
    """Every feature of a persona in use, and one ruling changed if asked."""
    seats = [("schemer", "seer", "schemer", "gambler")[seat % 4] for seat in range(players)]
    overrides: dict[str, Any] = {"table.players": players, "play.seats": seats}
    if ruling is not None:
        overrides[f"rules.{ruling}"] = answer
    with resources.as_file(resources.files("numbluff_sim.games.num_bluff") / "workloads.toml") as path:
        return load(str(path), overrides=overrides)


@cache
def compared() -> Config:
    """What `default` is compared with."""
    return load(preset="documented", overrides={"table.players": PLAYERS, "rules.wild_adjusts": "both"})


def alternatives() -> dict[str, Config]:
    """The mixed play under every answer to a ruling that is not the usual one, by "ruling=answer"."""
    return {
        f"{ruling.name}={str(value).lower()}": mixed(PLAYERS, ruling.name, value)
        for ruling in rule_book("numbluff_sim.games.num_bluff").rulings
        for value in ruling.values
        if value != ruling.default
    }


def kernel() -> Any:
    """The compiled kernel that plays the games, for whoever looks at its machine code."""
    from numbluff_sim.kernels.num_bluff.playing import play

    return play


WORKLOADS = Workloads(
    yardstick=Path(__file__).with_name("yardstick.c"),
    players=PLAYERS,
    counts=(3, 4, 5),
    few=5,  # the larger one needs the deck twice: the pile is recycled
    many=6,
    # other values, copies and reach, and a family more
    tweak=(
        "--set",
        "deck.rouge.values=[2, 14]",
        "--set",
        "deck.vert.copies=2",
        "--set",
        "deck.rainbow.reach=2",
        "--set",
        'deck.violet={kind = "classic", values = [0, 9]}',
    ),
    swept=SWEPT,
    default=default,
    mixed=mixed,
    compared=compared,
    alternatives=alternatives,
    kernel=kernel,
)
