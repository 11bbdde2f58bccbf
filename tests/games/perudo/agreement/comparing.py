"""Holds Perudo's fast engine against its reference engine, game by game and tally by tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from numbluff_sim.config import Config, restore
from numbluff_sim.contract.registry import game as entry_of
from numbluff_sim.kernels.perudo import codes
from tests.games.perudo.agreement.setups import KEYS, setups
from tests.games.perudo.agreement.tallies import OPENER_RULES, Counting, count_in, dice_after, first_to_one, why_opens
from tests.games.perudo.reference.game import GameRecord, RoundRecord, play
from tests.games.perudo.reference.setup import Setup

NOBODY = 255


def configured(setup: Setup) -> Config:
    """The configuration of a setup, with every game a detail game."""
    resolved = setup.to_resolved()
    resolved["run"]["detail_every"] = 1
    return restore(resolved)


class Comparison:
    """Compares games of setups and counts what occurred in them."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def compare(self, setup: Setup, first: int, games: int) -> None:
        """Games first .. first + games - 1: every die and bid, all rows, then all tallies. Raises AssertionError."""
        engine = entry_of("perudo").engine(configured(setup))
        counted = Counting(setup, engine.new_tally())
        trace, tally = engine.trace(first, games), engine.new_tally()
        rows = engine.play(first, games, tally, "rounds")
        ends = np.cumsum(rows["games"]["rounds"].astype(int))
        for i in range(games):
            slow, where = play(setup, first + i), f"game {first + i} of {setup}"
            compare_trace(trace[(first + i) // 64 - first // 64, :, :, (first + i) % 64], setup, slow, where)
            compare_rows({name: values[i] for name, values in rows["games"].items()}, game_row(slow), where)
            for number, at in enumerate(range(ends[i] - len(slow.rounds), ends[i])):
                expected = round_row(setup, slow, number)
                compare_rows(
                    {name: values[at] for name, values in rows["rounds"].items()},
                    expected,
                    f"round {number} of {where}",
                )
            counted.add(slow)
            self.count(setup, slow)
        for name, values in tally.items():
            expected = counted.tally[name]
            assert np.array_equal(values, expected), (
                f"{name} of games {first}..{first + games - 1} of {setup}: {differences(values, expected)}"
            )

    def count(self, setup: Setup, game: GameRecord) -> None:
        """What is rare enough to ask whether it occurred."""
        seen = self.seen
        seen["games"] += 1
        seen["rounds"] += len(game.rounds)
        seen[f"{setup.players} players"] += 1
        for persona in setup.seats:
            seen[f"seats: {persona.strategy}"] += 1
        before = None
        for entry in game.rounds:
            seen[f"opens: {why_opens(setup, before, entry)}"] += 1
            seen["Palifico against one rival"] += entry.palifico_seat is not None and count_in(entry.dice_before) == 2
            seen["Palifico rounds in which the face changed"] += (
                entry.palifico_seat is not None and len({bid.face for _, bid in entry.bids}) > 1
            )
            seen["several out at once"] += len(entry.eliminated) > 1
            seen["star bids"] += entry.bid.on_stars
            seen["rounds with ten bids or more"] += len(entry.bids) >= 10
            before = entry

    def report(self) -> str:
        """What was compared, a line each."""
        return "\n".join(f"{count:>9,} {name}" for name, count in sorted(self.seen.items()))


def compare_trace(rounds: NDArray[np.uint8], setup: Setup, game: GameRecord, where: str) -> None:
    """A lane of the trace, uint8 (rounds, fields): every die and every bid."""
    players, dice = setup.players, setup.dice
    assert rounds[:, codes.TR_PLAYED].tolist() == [1] * len(game.rounds) + [0] * (len(rounds) - len(game.rounds)), (
        f"rounds of {where}"
    )
    for entry, fields in zip(game.rounds, rounds.tolist(), strict=False):
        at = codes.TRACE_SCALARS + codes.TRACE_BLOCKS * players
        hands = [fields[at + seat * dice : at + seat * dice + n] for seat, n in enumerate(entry.dice_before)]
        assert hands == entry.hands, f"dice in round {entry.number} of {where}: {hands} instead of {entry.hands}"
        bids = [divmod(code, codes.BID_BASE) for code in fields[at + players * dice :][: fields[codes.TR_BIDS]]]
        assert bids == [tuple(bid) for _, bid in entry.bids], (
            f"bids in round {entry.number} of {where}: {bids} instead of {entry.bids}"
        )
        mine = (fields[codes.TR_OPENER], fields[codes.TR_CHALLENGER], fields[codes.TR_PALIFICO])
        theirs = (entry.opener, entry.challenger, NOBODY if entry.palifico_seat is None else entry.palifico_seat)
        assert mine == theirs, (
            f"opener, challenger, Palifico in round {entry.number} of {where}: {mine} instead of {theirs}"
        )


def game_row(game: GameRecord) -> dict[str, Any]:
    """The row of a game."""
    rounds, one = game.rounds, first_to_one(game)
    out = {seat: r.number + 1 for r in rounds for seat in r.eliminated}
    return {
        "game": game.game,
        "winner": game.winner,
        "rounds": len(rounds),
        "bids": sum(len(r.bids) for r in rounds),
        "winner_dice": dice_after(rounds[-1])[game.winner],
        "first_to_one": -1 if one is None else one,
        "bids_true": sum(r.bid_true for r in rounds),
        "palifico_rounds": sum(r.palifico_seat is not None for r in rounds),
        "palifico_lost": sum(r.palifico_seat == r.loser for r in rounds),
        "cups_lifted": sum(r.lifting.lifted for r in rounds),
        "cups": sum(count_in(r.dice_before) for r in rounds),
        "dice_shown": sum(r.lifting.dice_shown for r in rounds),
        "dice": sum(sum(r.dice_before) for r in rounds),
        "idle": sum(r.dice_before.count(0) for r in rounds),
        **{f"place_{seat}": place for seat, place in enumerate(game.places)},
        **{f"out_{seat}": out.get(seat, 0) for seat in range(len(game.places))},
    }


def round_row(setup: Setup, game: GameRecord, number: int) -> dict[str, Any]:
    """The row of a round, categories as codes."""
    entry: RoundRecord = game.rounds[number]
    return {
        "game": game.game,
        "round": number,
        "opener": entry.opener,
        "opener_rule": OPENER_RULES.index(why_opens(setup, game.rounds[number - 1] if number else None, entry)),
        "palifico": -1 if entry.palifico_seat is None else entry.palifico_seat,
        "bids": len(entry.bids),
        "quantity": entry.bid.quantity,
        "face": entry.bid.face,
        "bidder": entry.bidder,
        "challenger": entry.challenger,
        "stated": entry.stated,
        "count": entry.count,
        "bid_true": entry.bid_true,
        "loser": entry.loser,
        "dice_lost": sum(entry.lost),
        "cups_lifted": entry.lifting.lifted,
        "dice_shown": entry.lifting.dice_shown,
        "eliminated": sum(1 << seat for seat in entry.eliminated),
        **{f"dice_{seat}": n for seat, n in enumerate(entry.dice_before)},
    }


def compare_rows(mine: dict[str, Any], theirs: dict[str, Any], where: str) -> None:
    """Every column."""
    assert mine.keys() == theirs.keys(), f"columns of {where}: {sorted(mine.keys() ^ theirs.keys())}"
    wrong = {name: f"{value} instead of {theirs[name]}" for name, value in mine.items() if value != theirs[name]}
    assert not wrong, f"row of {where}: {wrong}"


def differences(values: Any, expected: Any) -> str:
    """The first cells that differ."""
    have, want = np.atleast_1d(values), np.atleast_1d(expected)
    cells = [tuple(map(int, cell)) for cell in np.argwhere(have != want)[:5]]
    return ", ".join(f"{cell}: {have[cell]} instead of {want[cell]}" for cell in cells)


def over_random_setups(
    configurations: int, check: Callable[[Setup, int], None], strategies: Sequence[str] = tuple(KEYS)
) -> None:
    """Calls check(setup, first game) for that many random setups, always the same ones; the first failure ends it as
    it is.
    """

    @seed(3)  # by itself, hypothesis would draw others whenever this function is written another way
    @settings(
        max_examples=configurations,
        deadline=None,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(setups(strategies), st.integers(0, 2**30))
    def each(setup: Setup, first: int) -> None:
        check(setup, first)

    each()
