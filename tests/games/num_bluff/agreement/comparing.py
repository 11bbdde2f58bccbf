"""Holds the fast engine against the reference engine, game by game and tally by tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from numbluff_sim.config import restore
from numbluff_sim.games.num_bluff.engine import Engine
from numbluff_sim.games.num_bluff.limits import totals
from numbluff_sim.single.replaying import replay
from tests.games.num_bluff.agreement.tallies import SETTLED_BY_4_TO_6, Counting, began_empty
from tests.games.num_bluff.reference.audit import audit
from tests.games.num_bluff.reference.cards import Family
from tests.games.num_bluff.reference.game import play
from tests.games.num_bluff.reference.setup import Setup
from tests.games.num_bluff.reference.strategies import setups

Transcript = Mapping[str, Any]


class Comparison:
    """Compares games of setups and counts what occurred in them."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def compare(self, setup: Setup, first: int, games: int) -> None:
        """Games first .. first + games - 1: transcripts key by key, then all tallies. Raises AssertionError."""
        resolved = setup.to_resolved()
        resolved["run"]["detail_every"] = 1
        config = restore(resolved)
        engine = Engine(config)
        counted = Counting(setup, engine.new_tally())
        for game, fast in zip(range(first, first + games), replay(config, first, first + games - 1), strict=True):
            slow = play(setup, game)
            where = f"game {game} of {setup}"
            compare_transcripts(fast, slow, where)
            audit(fast, setup.families)
            counted.add(slow)
            self.count(setup, slow)
        tally = engine.new_tally()
        engine.play(first, games, tally)
        for name, values in tally.items():
            expected = counted.tally[name]
            assert np.array_equal(values, expected), (
                f"{name} of games {first}..{first + games - 1} of {setup}: {differences(values, expected)}"
            )
        self.seen["configurations"] += 1
        self.seen[f"configurations: {setup.players} players, {'wide' if totals(config).wide else 'narrow'} totals"] += 1

    def count(self, setup: Setup, game: Transcript) -> None:
        """What is rare enough to ask whether it occurred."""
        rounds, seen = game["rounds"], self.seen
        seen["games"] += 1
        seen["rounds"] += len(rounds)
        seen["games without some card"] += any(family.without for family in setup.families)
        for rule in setup.rules.without:
            seen[f"games without: {rule}"] += 1
        seen[f"games cut short, empty_deck = {setup.rules.empty_deck}"] += len(rounds) < setup.rounds
        for entry in rounds:
            seen[f"event: {entry['event']}"] += 1
            seen["recycled piles"] += entry["recycled"]
            seen["options taken"] += len(entry["sacrificed"])
            seen["options offered to a dry pile"] += (
                entry["event"] == "coup_precis_multiple" and entry["left"] == 0 and not entry["sacrificed"]
            )
            seen["refills"] += len(entry["refill_draws"])
            seen["empty hands"] += len(began_empty(entry))
            seen["nothing hidden"] += sum(not side for side in entry["hidden"])
            seen["fusions"] += sum(len(side) == 2 for side in entry["hidden"])
            seen["disproved announcements"] += len(entry["disproved"])
            seen["several Miroirs"] += len(entry["miroir_seats"]) > 1
            seen["exact, and settled by rules 4 to 6"] += (
                bool(entry["exact_seats"]) and entry["event"] in SETTLED_BY_4_TO_6
            )
            seen["nobody closest"] += entry["event"] in SETTLED_BY_4_TO_6 and entry["closest"] is None
            seen["last ties"] += "last_tie" in (entry["closest_tie"], entry["farthest_tie"], entry["winner_tie"])
            seen[f"lie: {entry['announcement']['lie']}"] += 1

    def report(self) -> str:
        """What was compared, a line each."""
        return "\n".join(f"{count:>9,} {name}" for name, count in sorted(self.seen.items()))


def compare_transcripts(fast: Transcript, slow: Transcript, where: str) -> None:
    """Every documented key; the reference has more."""
    for key in fast.keys() - {"rounds", "deck"}:
        assert fast[key] == slow[key], f"{key} of {where}: {fast[key]} instead of {slow[key]}"
    deck = fast["deck"] and [
        Family(f["name"], f["kind"], *f["values"], f["copies"], f["reach"], tuple(f.get("without", ())))
        for f in fast["deck"]
    ]
    assert deck == (slow["deck"] and [Family(**f) for f in slow["deck"]]), f"deck of {where}"
    assert len(fast["rounds"]) == len(slow["rounds"]), f"number of rounds of {where}"
    for mine, theirs in zip(fast["rounds"], slow["rounds"], strict=True):
        for key, value in mine.items():
            assert value == theirs[key], f"{key} in round {mine['round']} of {where}: {value} instead of {theirs[key]}"


def differences(values: Any, expected: Any) -> str:
    """The first cells that differ."""
    have, want = np.atleast_1d(values), np.atleast_1d(expected)
    cells = [tuple(map(int, cell)) for cell in np.argwhere(have != want)[:5]]
    return ", ".join(f"{cell}: {have[cell]} instead of {want[cell]}" for cell in cells)


def over_random_setups(configurations: int, check: Callable[[Setup, int], None]) -> None:
    """Calls check(setup, first game) for that many random setups, always the same ones; the first failure ends it as
    it is.
    """

    @settings(
        max_examples=configurations,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(setups(), st.integers(0, 2**30))
    def each(setup: Setup, first: int) -> None:
        check(setup, first)

    each()
