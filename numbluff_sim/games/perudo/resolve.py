"""The rules calculator: cases written down, settled by the kernels that play, or by the exact values of `exact`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, NoReturn

from numbluff_sim.errors import CaseError
from numbluff_sim.games.perudo.cases import QUESTIONS, Case, read_cases
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.games.perudo.exact import exact_value
from numbluff_sim.games.perudo.referee import Challenge, Raise, referee


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
    given = case.given
    names = list(given["dice"])
    bidder, challenger = (names.index(given[role]) for role in ("bidder", "challenger"))
    (found,) = referee(case.rules).challenges(
        [Challenge(tuple(given["dice"].values()), given["bid"], challenger, bidder, given["palifico"])]
    )
    return {"count": found.count, "bid_true": found.true, "loser": names[found.loser]}


def _bid_order(case: Case) -> dict[str, Any]:
    bids = referee(case.rules).ordered_bids(case.given["total"])
    if case.given["upto"] not in bids:
        raise CaseError(
            f"in.upto = {list(case.given['upto'])} is above the highest bid; expected at most {list(bids[-1])}."
        )
    return {"sequence": [list(bid) for bid in bids[: bids.index(case.given["upto"]) + 1]]}


def _raise_legal(case: Case) -> dict[str, Any]:
    keys = ("current", "bid", "total", "palifico", "one_die", "is_palifico_player")
    (legal,) = referee(case.rules).may_bid([Raise(*(case.given[key] for key in keys))])
    return {"legal": legal}


def _next_round(case: Case) -> dict[str, Any]:
    keys = ("dice_before", "loser", "winner")
    (found,) = referee(case.rules).next_rounds([tuple(case.given[key] for key in keys)])
    return asdict(found)


def _lift(case: Case) -> dict[str, Any]:
    given = case.given
    (found,) = referee(case.rules).challenges(
        [Challenge(given["dice"], given["bid"], given["challenger"], palifico=given["palifico"])]
    )
    seen = sum(found.matches[seat] for seat in found.order[: found.lifted])
    return {"order": found.order, "lifted": found.lifted, "seen": seen, "bid_true": found.true}


OUTCOMES: dict[str, Callable[[Case], dict[str, Any]]] = {
    "challenge": _challenge,
    "bid_order": _bid_order,
    "raise_legal": _raise_legal,
    "next_round": _next_round,
    "lift": _lift,
}
