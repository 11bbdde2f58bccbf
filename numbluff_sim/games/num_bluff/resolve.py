"""The rules calculator: rounds written down, settled by the kernels that play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numbluff_sim.games.num_bluff.arrays import rules_row, segment_rows, table_row
from numbluff_sim.games.num_bluff.case_text import read_text
from numbluff_sim.games.num_bluff.cases import Case, read_cases
from numbluff_sim.games.num_bluff.config import NumBluffConfig
from numbluff_sim.games.num_bluff.transcript import LANES, Cards, RoundView, described, new_book, takes_feed
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.kernels.num_bluff import codes
from numbluff_sim.kernels.num_bluff.calculator import settle_round
from numbluff_sim.kernels.num_bluff.layout import (
    DETAIL_FIELDS,
    L_CARDS,
    L_LOW,
    L_POT,
    L_POT_CARDS,
    L_ROOM,
    L_VISIBLE,
    STATE_SIZE,
    build_plan,
    new_block,
)


@dataclass(frozen=True)
class Settled:
    """A resolved case: its outcome, and the totals that each seat's cards reach, lowest (the printed one) and
    highest.
    """

    case: Case
    outcome: dict[str, Any]
    reached: tuple[tuple[int, int], ...]
    view: RoundView


def resolve(data: Mapping[str, Any], config: NumBluffConfig, file: str = "rounds") -> dict[str, Any]:
    """{"rounds": [case, ...]} to {"rounds": [outcome, ...]} in the same order. Raises CaseError; `file` is what
    errors call the data.
    """
    return {"rounds": [one.outcome for one in settle(read_cases(data, config, file), config)]}


def resolve_text(text: str, config: NumBluffConfig, file: str = "rounds") -> dict[str, Any]:
    """As `resolve`, from the plain text described in case_text.py."""
    return {"rounds": [one.outcome for one in settle(read_text(text, config, file), config)]}


def settle(cases: Sequence[Case], config: NumBluffConfig) -> list[Settled]:
    """Resolves checked cases, up to 64 with the same seats, bluffer and rulings at once."""
    alike: defaultdict[object, list[int]] = defaultdict(list)
    for i, case in enumerate(cases):
        alike[case.players, case.bluffer, case.rules.model_dump_json()].append(i)
    found: dict[int, Settled] = {}
    for indices in alike.values():
        for start in range(0, len(indices), LANES):
            some = indices[start : start + LANES]
            found.update(zip(some, _settle_alike([cases[i] for i in some], config), strict=True))
    return [found[i] for i in range(len(cases))]


def _settle_alike(cases: Sequence[Case], config: NumBluffConfig) -> Iterator[Settled]:
    players, rules, bluffer = cases[0].players, cases[0].rules, cases[0].bluffer
    plan, block = _table(config.model_copy(update={"rules": rules}), players)
    cards, points = Cards(config), np.array([value for _, value in config.deck.cards])
    for lane, case in enumerate(cases):
        for p, (shown, side) in enumerate(zip(case.visible, case.hidden, strict=True)):
            block[plan[L_VISIBLE] + p, lane] = shown
            block[plan[L_CARDS] + 2 * p : plan[L_CARDS] + 2 * p + len(side), lane] = side
        block[plan[L_POT] :].reshape(-1).view(np.int16)[lane] = points[list(case.pot)].sum()
        block[plan[L_POT_CARDS] :].reshape(-1).view(np.int16)[lane] = len(case.pot)
    trace = np.zeros((codes.TRACE_SCALARS + codes.TRACE_BLOCKS * players, LANES), np.int16)
    facts = plan if COMPILED else plan.tolist()
    settle_round((0,) * players, np.int16(0), facts, block, np.zeros(STATE_SIZE, np.uint64), new_book(), bluffer, trace)
    low = block[plan[L_LOW] : plan[L_LOW] + 2 * players].reshape(-1).view(np.int16).reshape(players, LANES)
    room = block[plan[L_ROOM] : plan[L_ROOM] + players]
    for lane, case in enumerate(cases):
        reached = tuple((int(low[p, lane]), int(low[p, lane]) + int(room[p, lane])) for p in range(players))
        yield _settled(case, RoundView(trace[:, lane].tolist(), players, takes_feed(rules)), reached, cards)


def _table(config: NumBluffConfig, players: int) -> tuple[Any, Any]:
    """Plan and memory of a table where everybody may hide a fusion and nothing is drawn; 16-bit totals, which every
    deck fits.
    """
    segments = segment_rows(config)
    table, rules = table_row(config, segments), rules_row(config)
    table[codes.T_HAND], table[codes.T_HAND_MAX], table[codes.T_ROUNDS] = 2, 2, 1
    rules[codes.R_REFILL] = 0
    personas = np.zeros((players, codes.PERSONA_FIELDS), np.int64)
    personas[:, codes.P_MAY_FUSE] = 1
    plan = build_plan(segments, table, rules, personas, True, [0] * len(DETAIL_FIELDS))
    block = new_block(plan, segments)
    block[plan[L_CARDS] : plan[L_CARDS] + 2 * players] = codes.NO_CARD
    return plan, block


def _settled(case: Case, view: RoundView, reached: tuple[tuple[int, int], ...], cards: Cards) -> Settled:
    offered = view.event == codes.COUPS and "option" not in case.rules.without
    outcome = {
        "id": case.id,
        **described(view, view.moves(case.pot), cards),
        "pot_taken": view.seat(codes.TR_POT_TAKER) is not None,
        "visible_back": view.visible_back,
        "may_sacrifice": view.seats(codes.TR_WINNERS) if offered else [],
    }
    return Settled(case, outcome, reached, view)
