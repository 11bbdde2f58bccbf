"""Resolved cases in words. Says what the calculator found; decides nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from numbluff_sim.games.perudo.cases import QUESTIONS, Case, read_cases
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.games.perudo.resolve import outcome, resolve_text
from numbluff_sim.games.perudo.transcript_text import GameText
from numbluff_sim.i18n import load_catalogue


def explained(cases: str | Mapping[str, Any], config: PerudoConfig, language: str, file: str = "cases") -> str:
    """What the rules say of every case, in "en" or "fr". Raises CaseError."""
    if isinstance(cases, str):
        resolve_text(cases, config, file)
    return "\n\n".join(
        "\n".join(Explanation(case, outcome(case, file), language).lines())
        for case in read_cases(cases, config.rules, file)
    )


class Explanation:
    """One case in words."""

    def __init__(self, case: Case, out: Mapping[str, Any], language: str) -> None:
        self.case, self.out, self.words = case, out, GameText(language)
        self.say = load_catalogue("numbluff_sim.games.perudo:resolve", language).text

    def lines(self) -> Iterator[str]:
        """All lines, the first one the title."""
        yield self.say("title", id=self.case.id)
        parts = self._value() if self.case.kind in QUESTIONS else getattr(self, f"_{self.case.kind}")()
        for sentence in parts:
            yield f"  {sentence[0].upper()}{sentence[1:]}"

    def _bid(self, bid: Sequence[int]) -> str:
        return self.words.bid(bid[0], bid[1])

    def _challenge(self) -> Iterator[str]:
        verdict = "challenge_true" if self.out["bid_true"] else "challenge_false"
        yield self.say(verdict, count=self.out["count"], bid=self._bid(self.case.given["bid"]), loser=self.out["loser"])

    def _bid_order(self) -> Iterator[str]:
        yield self.say("bid_order", bids=", ".join(self._bid(bid) for bid in self.out["sequence"]))

    def _raise_legal(self) -> Iterator[str]:
        yield self.say("legal" if self.out["legal"] else "not_legal", bid=self._bid(self.case.given["bid"]))

    def _next_round(self) -> Iterator[str]:
        yield self.say("dice", dice=", ".join(map(str, self.out["dice"])))
        if self.out["eliminated"] is not None:
            yield self.say("out", seat=self.words.seat(self.out["eliminated"]))
        yield self.say(
            "over" if self.out["over"] else "palifico" if self.out["palifico"] else "opens",
            seat=self.words.seat(self.out["starter"]),
        )

    def _lift(self) -> Iterator[str]:
        yield self.say(
            "lifted",
            lifted=self.out["lifted"],
            cups=len(self.out["order"]),
            order=", ".join(str(seat + 1) for seat in self.out["order"]),
        )
        yield self.say(
            "lifted_true" if self.out["bid_true"] else "lifted_false",
            seen=self.out["seen"],
            bid=self._bid(self.case.given["bid"]),
        )

    def _value(self) -> Iterator[str]:
        value, decimal = self.out["value"], self.words.numbers.decimal
        if "lo" in self.out:
            yield self.say(
                "between", value=decimal(value, 6), low=decimal(self.out["lo"], 6), high=decimal(self.out["hi"], 6)
            )
        elif self.case.kind == "markov_policy":
            wins = self.say("apart").join(decimal(p, 6) for p in value["p_win_float"])
            yield self.say("match", wins=wins, rounds=decimal(value["expected_rounds_float"], 4))
        elif self.case.kind == "largest_even_money_bid":
            for name, largest in value.items():
                yield self.say(name, largest=", ".join(f"{dice} → {quantity}" for dice, quantity in largest.items()))
        else:
            yield self.say("value", value=value, decimal=decimal(self.out["float"], 6))
