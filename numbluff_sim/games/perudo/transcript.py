"""Single games as transcripts, read off the kernels' trace and rows; the form is that of `numbluff replay --json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from numbluff_sim.games.perudo import columns
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.games.perudo.engine import Engine
from numbluff_sim.games.perudo.names import OPENER_NAMES
from numbluff_sim.kernels.perudo import codes

LANES = 64


def transcripts(config: PerudoConfig, first: int, last: int) -> Iterator[dict[str, Any]]:
    """The transcripts of games first .. last of a configuration, in order, made a block of 64 at a time."""
    return Recorder(config).games(first, last)


class Recorder(Engine):
    """An engine that writes its games down."""

    def __init__(self, config: PerudoConfig) -> None:
        super().__init__(config)
        seats = set(config.seats)
        self._about = {
            "seed": self.seed,
            "players": self.players,
            "profile": config.seats[0] if len(seats) == 1 else None,
            "rules": config.rules.model_dump(mode="json"),
            "dice": config.table.dice,
        }

    def games(self, first: int, last: int) -> Iterator[dict[str, Any]]:
        """Transcripts of games first .. last."""
        for start in range(first - first % LANES, last + 1, LANES):
            low, high = max(first, start), min(last, start + LANES - 1)
            count = high - low + 1
            trace, game_rows, round_rows = self._run(low, count, self.new_tally(), 1, count, count)
            games = columns.game_columns(low, game_rows, self.players)
            rounds = columns.round_columns(low, round_rows, self.players)
            for g in range(low, high + 1):
                played = rounds["game"] == g
                rows = [
                    dict(zip(rounds, row, strict=True))
                    for row in zip(*(values[played].tolist() for values in rounds.values()), strict=True)
                ]
                yield self._game(
                    {name: int(values[g - low]) for name, values in games.items()}, rows, trace[0, :, :, g % LANES]
                )

    def _game(self, game: dict[str, int], rows: list[dict[str, int]], trace: NDArray[Any]) -> dict[str, Any]:
        rounds = [self._round(row, trace[row["round"]].tolist()) for row in rows]
        return {
            "game": game["game"],
            **self._about,
            "winner": game["winner"],
            "winner_dice": game["winner_dice"],
            "places": [game[f"place_{p}"] for p in range(self.players)],
            "rounds": rounds,
        }

    def _round(self, row: dict[str, int], fields: Sequence[int]) -> dict[str, Any]:
        before = [row[f"dice_{p}"] for p in range(self.players)]
        each, at = self.config.table.dice, codes.TRACE_SCALARS + self.players
        faces = [fields[at + p * each : at + p * each + before[p]] for p in range(self.players)]
        steps = at + self.players * each
        seats = self._seats_in_turn(before, row["opener"], row["bids"])
        bids = [
            [seat, *divmod(code, codes.BID_BASE)]
            for seat, code in zip(seats, fields[steps : steps + row["bids"]], strict=True)
        ]
        order = self._cups(before, row["bidder"])
        lost = self._lost(row, before)
        return {
            "round": row["round"],
            "opener": row["opener"],
            "opener_rule": OPENER_NAMES[row["opener_rule"]],
            "palifico": None if row["palifico"] < 0 else row["palifico"],
            "dice": before,
            "faces": [list(hand) for hand in faces],
            "bids": bids,
            "bid": [row["quantity"], row["face"]],
            "bidder": row["bidder"],
            "challenger": row["challenger"],
            "stated": row["stated"],
            "count": row["count"],
            "bid_true": bool(row["bid_true"]),
            "loser": row["loser"],
            "dice_lost": lost,
            "cups_lifted": order[: row["cups_lifted"]],
            "cups_covered": order[row["cups_lifted"] :],
            "dice_shown": row["dice_shown"],
            "eliminated": [p for p in range(self.players) if row["eliminated"] >> p & 1],
            "dice_after": [n - gone for n, gone in zip(before, lost, strict=True)],
        }

    def _seats_in_turn(self, dice: Sequence[int], opener: int, count: int) -> list[int]:
        """Who makes the first `count` bids: clockwise from the opener over the seats in (R4)."""
        seats = [seat for i in range(self.players) if dice[seat := (opener + i) % self.players]]
        return [seats[i % len(seats)] for i in range(count)]

    def _cups(self, dice: Sequence[int], bidder: int) -> list[int]:
        """The order in which cups are lifted: from the bidder's on (R19)."""
        step = -1 if self.config.rules.lift_direction == "right" else 1
        return [seat for i in range(self.players) if dice[seat := (bidder + step * i) % self.players]]

    def _lost(self, row: dict[str, int], before: Sequence[int]) -> list[int]:
        """Dice lost by seat: by the loser, or one each by all but the bidder of an exact bid under dice_lost =
        "difference".
        """
        if self.config.rules.dice_lost == "difference" and row["count"] == row["quantity"]:
            return [int(n > 0 and seat != row["bidder"]) for seat, n in enumerate(before)]
        return [row["dice_lost"] if seat == row["loser"] else 0 for seat in range(self.players)]
