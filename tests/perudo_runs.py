"""Runs of Perudo played by the reference engine, with their tally: input for tests of metrics and pages, and no kernel behind it."""
from __future__ import annotations

from collections import Counter
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from numbluff_sim.config import load
from numbluff_sim.games.perudo.names import OPENER_NAMES
from numbluff_sim.games.perudo.tally import GAME_VARIABLES, TALLY_FIELDS, shape, variables
from tests.reference.perudo.chances import seen
from tests.reference.perudo.cups import matching
from tests.reference.perudo.game import GameRecord, RoundRecord, play
from tests.reference.perudo.setup import Setup

Tally = dict[str, np.ndarray]


@cache
def played(preset: str = "documented", players: int = 4, games: int = 300, **overrides: Any) -> tuple[Any, tuple[GameRecord, ...]]:
    """A configuration and its first games, as the reference engine plays them. In names of overrides __ stands for a dot."""
    keys = {key.replace("__", "."): value for key, value in overrides.items()}
    config = load(preset=preset, overrides={"game": "perudo", "table.players": players, "run.games": games, "run.detail_every": 1, **keys})
    table = Setup.from_resolved(config.resolved())
    return config, tuple(play(table, game) for game in range(games))


def reference_run(preset: str = "documented", players: int = 4, games: int = 300, **overrides: Any) -> SimpleNamespace:
    """Those games as a run (config, tally, meta); all of them are detail games."""
    config, records = played(preset, players, games, **overrides)
    return SimpleNamespace(config=config, tally=tally_of(config, records), meta={})


def tally_of(config: Any, games: tuple[GameRecord, ...]) -> Tally:
    """The tally of games, all of them detail games."""
    tally = {field.name: np.zeros(shape(field, config.players, config.rounds), np.int64) for field in TALLY_FIELDS}
    for game in games:
        values = dict.fromkeys([name for name, _ in GAME_VARIABLES], 0) | {f"win_{p}": int(p == game.winner) for p in range(config.players)}
        _add_course(tally, values, game, config.players)
        chances = [Counter() for _ in range(4)]
        house_rules = config.rules.house_rule_start and config.rules.house_rule_fewer
        for before, record in zip([None, *game.rounds[:-1]], game.rounds, strict=True):
            _add_round(tally, values, record, game)
            _add_opener(tally, values, before, record, game, house_rules)
            _add_bids(chances, record)
        stats = np.array([[chance[bin_] for chance in chances] for bin_ in range(20)])
        faced, challenged, both, true = stats.T
        tally["calibration"] += np.column_stack([stats, stats**2, faced * challenged, challenged * both, faced * true])
        vector = np.array([values[name] for name in variables(config.players)])
        tally["moments"] += np.stack([vector, vector**2, vector * vector[0]])
        tally["cross"] += np.outer(vector, vector)
        tally["cross_sums"] += vector
    tally["games"] += len(games)
    tally["detail_games"] += len(games)
    return tally


def _left(record: RoundRecord) -> list[int]:
    return [n - lost for n, lost in zip(record.dice_before, record.lost, strict=True)]


def _add_course(tally: Tally, values: dict[str, int], game: GameRecord, players: int) -> None:
    last = len(game.rounds)
    out = {seat: record.number + 1 for record in game.rounds for seat in record.eliminated}
    tally["length"][last] += 1
    for seat, place in enumerate(game.places):
        tally["place"][seat, place] += 1
        idle = last - out.get(seat, last)
        tally["idle_rounds"][place] += [1, idle, idle**2]
        values["idle"] += idle
        if seat in out:
            tally["out_round"][place, out[seat]] += 1
    dice = _left(game.rounds[-1])[game.winner]
    values["winner_dice"] = dice
    tally["winner_dice"][dice] += 1
    came = [seat for record in game.rounds for seat in range(players) if record.dice_before[seat] > 1 and _left(record)[seat] == 1]
    tally["to_one_place"][game.places[came[0]] if came else 0] += 1
    if came:
        tally["to_one_seat"][came[0]] += 1
        values |= {"to_one": 1, "comeback": int(came[0] == game.winner), "won_from_one": int(game.winner in came)}


def _add_round(tally: Tally, values: dict[str, int], record: RoundRecord, game: GameRecord) -> None:
    dice, seats = sum(record.dice_before), sum(n > 0 for n in record.dice_before)
    lost = int(record.lost[record.opener] > 0)
    safe = int(record.opener in (record.bidder, record.challenger) and not lost)
    won = int(game.winner == record.opener)
    shown, lifted = record.lifting.dice_shown, record.lifting.lifted
    for name, value in {"rounds": 1, "bids": len(record.bids), "bid_true": record.bid_true, "opener_lost": lost, "opener_won": safe,
                        "cups_lifted": lifted, "cups": seats, "dice_shown": shown, "dice": dice}.items():
        values[name] += value
    tally["round_bids"][dice, min(len(record.bids), 63)] += 1
    star = record.bid.face == 6
    tally["bid_quantity"][dice, record.bid.quantity] += [1, record.bid_true, star, star and record.bid_true]
    tally["cups"][seats, lifted] += 1
    tally["dice_lost"][sum(record.lost)] += 1
    if record.palifico_seat is not None:
        values["palifico_rounds"] += 1
        values["palifico_lost"] += lost
        tally["palifico"][seats] += [1, lost, safe, won]
    if seats == 2:
        other = next(n for seat, n in enumerate(record.dice_before) if n and seat != record.opener)
        tally["duel"][record.dice_before[record.opener], other, int(record.palifico_seat is not None)] += [1, not lost, won]


def _add_opener(tally: Tally, values: dict[str, int], before: RoundRecord | None, record: RoundRecord, game: GameRecord, house_rules: bool) -> None:
    lost, won = int(record.lost[record.opener] > 0), int(game.winner == record.opener)
    safe = int(record.opener in (record.bidder, record.challenger) and not lost)
    rule = opener_rule(before, record, house_rules)
    tally["opener"][rule] += [1, lost, safe, won]
    if before is not None and before.eliminated and sum(n > 0 for n in record.dice_before) == 2:
        other = next(n for seat, n in enumerate(record.dice_before) if n and seat != record.opener)
        tally["three_to_two"][record.dice_before[record.opener], other, rule] += [1, not lost, won]
        _add_two_left(values, record, game)


def _add_two_left(values: dict[str, int], record: RoundRecord, game: GameRecord) -> None:
    (first, second) = sorted((n, seat) for seat, n in enumerate(record.dice_before) if n)
    if first[0] == second[0]:
        values["even_two"] = 1
    else:
        weaker = first[1]
        values |= {"weaker": 1, "weaker_opened": int(record.opener == weaker), "weaker_won_round": int(not record.lost[weaker]),
                   "weaker_won": int(game.winner == weaker)}


def _add_bids(chances: list[Counter[int]], record: RoundRecord) -> None:
    dice, palifico = sum(record.dice_before), record.palifico_seat is not None
    deciders = [*(seat for seat, _ in record.bids[1:]), record.challenger]
    for (_, bid), decider in zip(record.bids, deciders, strict=True):
        true = sum(matching(hand, bid, palifico) for hand in record.hands) >= bid.quantity
        bin_ = 20 * seen(bid, record.hands[decider], dice, palifico) // 65536
        challenged = bid is record.bids[-1][1]
        for chance, counts in zip(chances, (True, challenged, challenged and true, true), strict=True):
            chance[bin_] += counts


def opener_rule(before: RoundRecord | None, record: RoundRecord, house_rules: bool) -> int:
    """Code (place in OPENER_NAMES) of why a round is opened as it is; `house_rules`: house_rule_start and house_rule_fewer hold."""
    left = sorted(n for n in record.dice_before if n)
    if before is None:
        name = "first_round"
    elif record.palifico_seat is not None:
        name = "palifico"
    elif before.eliminated and len(left) == 2 and sum(n > 0 for n in before.dice_before) == 3 and house_rules:
        name = "even_dice" if left[0] == left[1] else "fewer_dice"
    elif before.eliminated:
        name = "left_of_eliminated"
    else:
        name = "loser" if record.opener == before.loser else "winner"
    return OPENER_NAMES.index(name)
