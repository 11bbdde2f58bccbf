"""Cases written down as JSON (tests/games/perudo/cases/perudo_cases.json), resolved with the reference rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from tests.games.perudo.reference.bids import Bid, Speaker, all_bids, legal_bids
from tests.games.perudo.reference.cups import lift, matching
from tests.games.perudo.reference.setup import Rules
from tests.games.perudo.reference.turns import next_round

Table = Mapping[str, Any]


def resolve_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """The outcome of one case."""
    kinds = {
        "challenge": challenge,
        "bid_order": bid_order,
        "raise_legal": raise_legal,
        "next_round": after,
        "lift": lifted,
    }
    return kinds[case["kind"]](case["in"], Rules.from_table(case["cfg"]), case["cfg"])


def challenge(given: Table, rules: Rules, cfg: Table) -> dict[str, Any]:
    bid = Bid(*given["bid"])
    count = sum(matching(dice, bid, given["palifico"]) for dice in given["dice"].values())
    true = count >= bid.quantity
    return {"count": count, "bid_true": true, "loser": given["challenger" if true else "bidder"]}


def bid_order(given: Table, rules: Rules, cfg: Table) -> dict[str, Any]:
    bids = all_bids(given["order"], rules.quantity_cap, given["total"])
    return {"sequence": [list(bid) for bid in bids[: bids.index(Bid(*given["upto"])) + 1]]}


def raise_legal(given: Table, rules: Rules, cfg: Table) -> dict[str, Any]:
    rules = Rules.from_table({**cfg, "bid_order": given["order"]})
    current = None if given["current"] is None else Bid(*given["current"])
    speaker = Speaker(given["one_die"], given["is_palifico_player"])
    return {"legal": Bid(*given["bid"]) in legal_bids(rules, given["total"], current, given["palifico"], speaker)}


def after(given: Table, rules: Rules, cfg: Table) -> dict[str, Any]:
    loser, winner = given["loser"], given["bidder"] if given["loser"] == given["challenger"] else given["challenger"]
    lost = [int(seat == loser) for seat in range(len(given["dice_before"]))]
    found = next_round(rules, given["dice_before"], lost, loser, winner, chance)
    return {
        "dice": found.dice,
        "eliminated": found.eliminated[0] if found.eliminated else None,
        "starter": found.opener,
        "palifico": found.palifico,
        "over": found.over,
    }


def chance() -> NoReturn:
    raise AssertionError("a written-down case leaves nothing to chance")


def lifted(given: Table, rules: Rules, cfg: Table) -> dict[str, Any]:
    found = lift(given["dice"], given["challenger"], Bid(*given["bid"]), given["palifico"], rules.lift_direction)
    return {"order": found.order, "lifted": found.lifted, "seen": found.seen, "bid_true": found.bid_true}
