"""Cases written down as JSON (tests/games/num_bombe/cases/num_bombe_cases.json), resolved with the reference rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.games.num_bombe.reference.scores import bomb_pots, card_points
from tests.games.num_bombe.reference.setup import Rules
from tests.games.num_bombe.reference.tricks import legal, settle

Table = Mapping[str, Any]


def resolve_case(case: Table) -> dict[str, Any]:
    """The outcome of one case."""
    kinds = {"trick": trick, "legal": legal_cards, "card_points": points, "bomb_pots": pots}
    return kinds[case["kind"]](case["in"], Rules.from_table(case["cfg"]))


def trick(given: Table, rules: Rules) -> dict[str, Any]:
    found = settle([(player, card) for player, card in given["plays"]], rules)
    return {
        "winner": found.winner,
        "win_card": found.win_card,
        "pairs": [{"player": player, "cards": list(cards)} for player, cards in found.pairs],
        "rest": found.rest,
        "led": found.led,
    }


def legal_cards(given: Table, rules: Rules) -> dict[str, Any]:
    return {"legal": legal(given["hand"], [(player, card) for player, card in given["plays"]], rules)}


def points(given: Table, rules: Rules) -> dict[str, Any]:
    return {"points": card_points(given["cards"], rules)}


def pots(given: Table, rules: Rules) -> dict[str, Any]:
    return {"points": bomb_pots(given["roles"], given["capturer"], given["last_trick"], rules)}
