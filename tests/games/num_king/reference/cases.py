"""Cases written down as JSON (tests/games/num_king/cases/num_king_cases.json), resolved with the reference rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tests.games.num_king.reference.scores import bonuses, round_score, streak_bonus, streaks
from tests.games.num_king.reference.setup import Rules
from tests.games.num_king.reference.tricks import legal, settle

Table = Mapping[str, Any]


def resolve_case(case: Table) -> dict[str, Any]:
    """The outcome of one case."""
    kinds = {
        "trick": trick,
        "legal": legal_cards,
        "score": score,
        "round": whole_round,
        "streak_bonus": bonus,
        "game_score": game_score,
    }
    return kinds[case["kind"]](case["in"], Rules.from_table(case["cfg"]))


def trick(given: Table, rules: Rules) -> dict[str, Any]:
    return asdict(settle([(player, card) for player, card in given["plays"]], rules))


def legal_cards(given: Table, rules: Rules) -> dict[str, Any]:
    return {"legal": legal(given["hand"], [(player, card) for player, card in given["plays"]], rules)}


def score(given: Table, rules: Rules) -> dict[str, Any]:
    return {"score": round_score(given["bid"], given["made"], given["cards"])}


def whole_round(given: Table, rules: Rules) -> dict[str, Any]:
    bids, made, cards = given["bids"], given["made"], given["cards"]
    return {
        "scores": [round_score(bid, tricks, cards) for bid, tricks in zip(bids, made, strict=True)],
        "bids_total": sum(bids),
        "bids_allowed": all(0 <= bid <= cards for bid in bids),
        "made_total": sum(made),
        "void_tricks": cards - sum(made),
    }


def bonus(given: Table, rules: Rules) -> dict[str, Any]:
    return {"bonus": streak_bonus(given["streak"], rules)}


def game_score(given: Table, rules: Rules) -> dict[str, Any]:
    rounds = [(bid, made) for bid, made, _ in given["rounds"]]
    base = sum(round_score(*one) for one in given["rounds"])
    by_round, end = bonuses(rounds, rules)
    return {
        "base": base,
        "streaks": streaks(rounds),
        "round_bonus": by_round,
        "end_bonus": end,
        "total": base + sum(by_round) + end,
    }
