"""Digests of tallies by configuration: games once played stay the same through every restructuring and every speed-up.

    python -m tests.golden.tally_digest check     every configuration again; ends with 1 if anything differs
    python -m tests.golden.tally_digest make      writes golden_tallies.json anew, when a rules version is raised

A digest is over the non-zero cells (field, indices, value) of a tally, sorted; how files are laid out does not matter.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from numbluff_sim.config import Config, load
from numbluff_sim.run.playing import simulate_tally

GOLDEN = Path(__file__).with_name("golden_tallies.json")
GAMES, SEED = 6400, 20261130
NUM_BLUFF_RULES: dict[str, Any] = {
    "bluffer_wild=printed": "printed",
    "wild_adjusts=both": "both",
    "wild_adjusts=none": "none",
    "last_tie=random": "random",
    "refill_after_fusion=true": True,
    "tie_value=signed": "signed",
    "master_bonus=false": False,
}
NUM_BLUFF_CHANGES: dict[str, Any] = {
    "table.hand_size=4": 4,
    "table.turns_as_bluffer=2": 2,
    "deck.rainbow.reach=5": 5,
    "deck.rouge.copies=2": 2,
    "deck.jaune.values=[0, 12]": [0, 12],
    "deck.rouge.values=[0, 60]": [0, 60],
}


def configurations() -> Iterator[tuple[str, Config]]:
    """Name and configuration of everything that is held: every number of players, ways of playing, rulings, decks."""
    for players in (3, 4, 5, 6):
        for preset in ("documented", "plays_to_win", "hoarder", "half_liar"):
            yield f"num_bluff {preset} {players}", _loaded(preset, {"table.players": players})
    for name, answer in NUM_BLUFF_RULES.items():
        ruling = f"rules.{name.partition('=')[0]}"
        yield f"num_bluff {name}", _loaded("plays_to_win", {"table.players": 5, ruling: answer})
    for name, value in NUM_BLUFF_CHANGES.items():
        yield f"num_bluff {name}", _loaded("plays_to_win", {name.partition("=")[0]: value})
    for players in (2, 3, 4, 6):
        for preset in ("random", "threshold", "bayes"):
            yield f"perudo {preset} {players}", _loaded(preset, {"game": "perudo", "table.players": players})
    without = {"game": "perudo", "table.players": 4, "rules.palifico": False}
    yield "perudo palifico=false", _loaded("threshold", without)


def _loaded(preset: str, overrides: dict[str, Any]) -> Config:
    return load(preset=preset, overrides={**overrides, "run.games": GAMES, "run.seed": SEED})


def digest(config: Config) -> str:
    """16 hexadecimal digits of the tally of a configuration's games."""
    cells = [
        (name, tuple(map(int, index)), int(value))
        for name, values in simulate_tally(config).items()
        for index, value in zip(np.argwhere(values), values[values != 0].reshape(-1), strict=True)
    ]
    return hashlib.sha256(json.dumps(sorted(cells)).encode()).hexdigest()[:16]


def main(what: str) -> int:
    """Runs one of the two commands; the exit code."""
    found = {name: digest(config) for name, config in configurations()}
    if what == "make":
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return 0
    expected = json.loads(GOLDEN.read_text(encoding="utf-8"))
    wrong = [name for name in {**expected, **found} if found.get(name) != expected.get(name)]
    for name in wrong:
        print(f"{name}: {found.get(name)}, expected {expected.get(name)}")  # noqa: T201  a command
    print(f"{len(expected) - len(wrong)} of {len(expected)} configurations play the same games")  # noqa: T201
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
