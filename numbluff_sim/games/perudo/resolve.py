"""The rules calculator: cases written down, settled by the rules of `outcomes` and the exact values of `exact`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, NoReturn

from numbluff_sim.errors import CaseError
from numbluff_sim.games.perudo.bids import STAR, caps, ordered_bids
from numbluff_sim.games.perudo.cases import QUESTIONS, Case, read_cases
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.games.perudo.exact import exact_value
from numbluff_sim.games.perudo.outcomes import lift_cups, matching, may_raise, next_round


def resolve(data: Mapping[str, Any], config: PerudoConfig, file: str = "cases") -> dict[str, Any]:
    """{"cases": [{id, kind, cfg, in}, ...]} to {"cases": [{id, out}, ...]} in the same order, the rulings of `config`
    where a case has none.

    Kinds and their keys stand in `cases.KINDS`. Raises CaseError; `file` is what errors call the data.
    """
    return {"cases": [{"id": case.id, "out": outcome(case, file)} for case in read_cases(data, config.rules, file)]}


def resolve_text(_text: str, _config: PerudoConfig, file: str = "cases") -> NoReturn:
    """Cases are read as JSON only: raises CaseError."""
    raise CaseError(f'{file}: this is no JSON; expected {{"cases": [...]}}.')


def outcome(case: Case, file: str) -> dict[str, Any]:
    """What the rules say of a checked case."""
    try:
        return exact_value(case.kind, case.given, case.rules) if case.kind in QUESTIONS else OUTCOMES[case.kind](case)
    except CaseError as error:
        raise CaseError(f"{file}: case {case.id}: {error}") from None


def _challenge(case: Case) -> dict[str, Any]:
    given, bid = case.given, case.given["bid"]
    count = sum(matching(hand, bid, given["palifico"]) for hand in given["dice"].values())
    return {
        "count": count,
        "bid_true": count >= bid.quantity,
        "loser": given["challenger" if count >= bid.quantity else "bidder"],
    }


def _bid_order(case: Case) -> dict[str, Any]:
    bids = ordered_bids(case.rules.bid_order, case.given["total"], case.rules.quantity_cap)
    if case.given["upto"] not in bids:
        raise CaseError(
            f"in.upto = {list(case.given['upto'])} is above the highest bid; expected at most {list(bids[-1])}."
        )
    return {"sequence": [list(bid) for bid in bids[: bids.index(case.given["upto"]) + 1]]}


def _raise_legal(case: Case) -> dict[str, Any]:
    given, bid = case.given, case.given["bid"]
    numbers, stars = caps(given["total"], case.rules.quantity_cap)
    low_enough = bid.quantity <= (stars if bid.face == STAR else numbers)
    return {
        "legal": low_enough
        and may_raise(
            case.rules,
            given["current"],
            bid,
            palifico=given["palifico"],
            one_die=given["one_die"],
            is_palifico=given["is_palifico_player"],
        )
    }


def _next_round(case: Case) -> dict[str, Any]:
    return asdict(next_round(case.rules, case.given["dice_before"], case.given["loser"], case.given["winner"]))


def _lift(case: Case) -> dict[str, Any]:
    given = case.given
    return asdict(lift_cups(case.rules, given["dice"], given["challenger"], given["bid"], palifico=given["palifico"]))


OUTCOMES: dict[str, Callable[[Case], dict[str, Any]]] = {
    "challenge": _challenge,
    "bid_order": _bid_order,
    "raise_legal": _raise_legal,
    "next_round": _next_round,
    "lift": _lift,
}
