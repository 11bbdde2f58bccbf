"""Single games as transcripts, read off the kernels' trace and rows; the form is that of `numbluff replay --json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from numbluff_sim.games.perudo import columns
from numbluff_sim.games.perudo.code_names import OPENER_NAMES
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.games.perudo.engine import Engine
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
        n, each = self.players, self.config.table.dice
        before, following, after, cups = (
            fields[at : at + n] for at in range(codes.TRACE_SCALARS, codes.TRACE_SCALARS + 4 * n, n)
        )
        at = codes.TRACE_SCALARS + codes.TRACE_BLOCKS * n
        faces = [fields[at + p * each : at + p * each + before[p]] for p in range(n)]
        bids, seat = [], row["opener"]
        for code in fields[at + n * each : at + n * each + row["bids"]]:
            bids.append([seat, *divmod(code, codes.BID_BASE)])
            seat = following[seat]
        order = [seat for seat in cups if seat < n]
        return {
            "round": row["round"],
            "opener": row["opener"],
            "opener_rule": OPENER_NAMES[row["opener_rule"]],
            "palifico": None if row["palifico"] < 0 else row["palifico"],
            "dice": list(before),
            "faces": [list(hand) for hand in faces],
            "bids": bids,
            "bid": [row["quantity"], row["face"]],
            "bidder": row["bidder"],
            "challenger": row["challenger"],
            "stated": row["stated"],
            "count": row["count"],
            "bid_true": bool(row["bid_true"]),
            "loser": row["loser"],
            "dice_lost": [had - left for had, left in zip(before, after, strict=True)],
            "cups_lifted": order[: row["cups_lifted"]],
            "cups_covered": order[row["cups_lifted"] :],
            "dice_shown": row["dice_shown"],
            "eliminated": [p for p in range(self.players) if row["eliminated"] >> p & 1],
            "dice_after": list(after),
        }
