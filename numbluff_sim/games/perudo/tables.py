"""The solved rounds that the strategy `equilibrium` plays by: which there are, where they are kept, and all of a
configuration in one.

Exact up to rounding (linear programs): one die against one, normal and Palifico; a Palifico with one die against two or
three. Nearly exact, with best-response bounds (CFR+): one die against two, whoever opens. Every other round is not
solved here.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from dataclasses import asdict, dataclass, fields
from functools import cache as remembered
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from numbluff_sim.games.perudo.rules_section import Rules
from numbluff_sim.games.perudo.solving import (
    ITERATIONS,
    OPENER,
    OTHER,
    PROGRAM_SLOTS,
    WIDTH,
    Ending,
    Tree,
    hands_of,
    solve,
)
from numbluff_sim.games.perudo.tabulating import (
    BID_CODES,
    FACES,
    LEAST,
    NOWHERE,
    EndingTable,
    Whole,
    tabulated,
)
from numbluff_sim.kernels import cache
from numbluff_sim.kernels.common.jit import COMPILED

LOG = logging.getLogger(__name__)
PACKAGE = "numbluff_sim.games.perudo"
#: In the folder of everything that is kept.
FOLDER = "perudo_tables"
#: Raised when the same round is to be solved or tabulated in another way.
FORM = 1
#: Dice of opener and other, and whether the round is a Palifico round.
SOLVED = ((1, 1, False), (1, 2, False), (2, 1, False), (1, 1, True), (1, 2, True), (1, 3, True))


def ending_of(rules: Rules, opener: int, other: int, *, palifico: bool) -> Ending:
    """The round with these dice under a configuration's rulings; those that make no difference to it have their
    default.
    """
    if palifico:
        return Ending(
            opener,
            other,
            palifico,
            rules.bid_order,
            palifico_stars_biddable=rules.palifico_stars_biddable,
            palifico_self_change=rules.palifico_self_change,
        )
    return Ending(opener, other, palifico, rules.bid_order, opening_stars=rules.opening_stars)


@dataclass(frozen=True)
class EndgameTables:
    """All solved rounds of a configuration in one, int32, as `EndingTable` but for one numbering of nodes, rows and
    entries.

    `roots` (2, 3, 4): the opening's node by Palifico round or not, dice of the opener and of the other; NOWHERE where
    nothing is solved. `hands` (4, 216): the number of a hand by its dice and the sum of (face - 1) * 6**i over them in
    any order.
    """

    roots: Whole
    child: Whole
    row: Whole
    start: Whole
    move: Whole
    until: Whole
    hands: Whole


@remembered
def endgame_tables(rules: Rules, dice: int = 5) -> EndgameTables:
    """The solved rounds that a configuration with so many dice a player can come to; none where a challenge may cost
    more than one die.

    What is neither shipped nor kept is solved: one die against one in seconds, one against two in minutes.
    """
    solved = [
        (opener, other, palifico)
        for opener, other, palifico in SOLVED
        if may_come(rules, dice, opener, other, palifico=palifico)
    ]
    tables = [table_of(ending_of(rules, opener, other, palifico=palifico)) for opener, other, palifico in solved]
    roots = np.full((2, 3, 4), NOWHERE, np.int32)
    nodes = np.cumsum([0, *(len(table.row) for table in tables)])
    rows = np.cumsum([0, *(len(table.start) - 1 for table in tables)])
    entries = np.cumsum([0, *(len(table.move) for table in tables)])
    for (opener, other, palifico), node in zip(solved, nodes[:-1], strict=True):
        roots[int(palifico), opener, other] = node
    return EndgameTables(
        roots,
        _joined(
            [np.where(table.child == NOWHERE, NOWHERE, table.child + nodes[i]) for i, table in enumerate(tables)],
            (0, BID_CODES),
        ),
        _joined([np.where(table.row == NOWHERE, NOWHERE, table.row + rows[i]) for i, table in enumerate(tables)]),
        _joined([*(table.start[:-1] + entries[i] for i, table in enumerate(tables)), entries[-1:]]),
        _joined([table.move for table in tables]),
        _joined([table.until for table in tables]),
        hand_numbers(),
    )


def may_come(rules: Rules, dice: int, opener: int, other: int, *, palifico: bool) -> bool:
    """Whether a round with these dice is among those of a configuration."""
    enough = max(opener, other) <= dice
    if palifico:
        return rules.dice_lost == "one" and enough and dice > 1 and rules.palifico and rules.palifico_two_players
    return rules.dice_lost == "one" and enough


def _joined(parts: list[npt.NDArray[Any]], shape: tuple[int, ...] = (0,)) -> Whole:
    return np.concatenate([np.zeros(shape, np.int32), *parts]).astype(np.int32)


def hand_numbers() -> Whole:
    """`EndgameTables.hands`."""
    found = np.zeros((4, FACES**3), np.int32)
    for dice in range(1, 4):
        number = {hand: i for i, hand in enumerate(hands_of(dice))}
        for code in range(FACES**dice):
            found[dice, code] = number[tuple(sorted(code // FACES**i % FACES + 1 for i in range(dice)))]
    return found


@remembered
def table_of(ending: Ending) -> EndingTable:
    """The table of a round: as shipped, as kept in the user's cache folder, or solved now and kept."""
    name = f"{digest(ending)}.npz"
    kept = None if (caches := cache.place()) is None else caches / FOLDER / name
    found = _read(files(PACKAGE).joinpath("solved", name)) or (_read(kept) if kept is not None else None)
    if found is not None:
        return found
    apart = False
    if Tree.of(ending).game(ending).slots >= PROGRAM_SLOTS:
        LOG.warning(
            "Solving a round (dice %s against %s, bid_order = %s), once: some minutes ...",
            ending.opener,
            ending.other,
            ending.bid_order,
        )
        apart = not COMPILED
    table = solve_apart(ending) if apart else tabulated(solve(ending))
    try:
        if kept is None:
            raise FileNotFoundError
        write(table, kept)
    except OSError as error:
        cache.tell_not_kept("A solved round", "every process solves it again", error)
    return table


def _read(path: Traversable) -> EndingTable | None:
    """The table of a file; None where there is none, or not a whole one."""
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            return EndingTable(**{field.name: arrays[field.name] for field in fields(EndingTable)})
    except OSError:
        return None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        cache.tell_damaged(path, "solved again")
        return None


def solve_apart(ending: Ending) -> EndingTable:
    """The table of a round that a process which compiles solves: without the compiler, CFR+ would take days."""
    code = (
        "import json, sys; from pathlib import Path; from numbluff_sim.games.perudo.tables import *; "
        "write(tabulated(solve(Ending(**json.loads(sys.argv[1])))), Path(sys.argv[2]))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "solved.npz"
        subprocess.run([sys.executable, "-c", code, json.dumps(asdict(ending)), path], env=environment, check=True)
        table = _read(path)
    assert table is not None
    return table


def write(table: EndingTable, path: Path) -> None:
    """Keeps a table; whoever reads at the same time finds the old file or the new one. Raises OSError."""
    with cache.written(path) as file:
        np.savez_compressed(file, **{field.name: getattr(table, field.name) for field in fields(EndingTable)})


def digest(ending: Ending) -> str:
    """16 hexadecimal digits of the round itself, as the rules have it: its bids, which may follow which, and what every
    hand counts for them; and of how closely it is solved.
    """
    players = (OPENER, OTHER)
    bids = [tuple(bid) for bid in ending.bids], [ending.followers(player) for player in players]
    counts = [ending.matches(player).tolist() for player in players]
    solved = FORM, WIDTH, ITERATIONS, LEAST
    return hashlib.sha256(repr((ending.opener, ending.other, bids, counts, solved)).encode()).hexdigest()[:16]


def shipped_endings() -> list[Ending]:
    """The rounds that are shipped solved: those of the usual rulings."""
    return [ending_of(Rules(), opener, other, palifico=palifico) for opener, other, palifico in SOLVED]


def rebuild(folder: Path = Path(__file__).parent / "solved") -> None:
    """Solves all shipped rounds anew into a folder and removes what is outdated there (`make tables`)."""
    names = {f"{digest(ending)}.npz": ending for ending in shipped_endings()}
    for name, ending in names.items():
        write(tabulated(solve(ending)), folder / name)
    for path in folder.glob("*.npz"):
        if path.name not in names:
            path.unlink()
