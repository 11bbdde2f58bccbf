"""Why a round ended as it did, step by step, with the rules and rulings that decided.

Says what the kernels found (gaps, events, totals reached, where cards go); decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from numbluff_sim.games.num_bluff.case_text import read_text
from numbluff_sim.games.num_bluff.cases import read_cases
from numbluff_sim.games.num_bluff.code_names import TIE_NAMES
from numbluff_sim.games.num_bluff.config import NumBluffConfig
from numbluff_sim.games.num_bluff.phrases import Phrases
from numbluff_sim.games.num_bluff.resolve import Settled, settle
from numbluff_sim.games.num_bluff.transcript import Cards
from numbluff_sim.kernels.num_bluff import codes


def explained(rounds: str | Mapping[str, Any], config: NumBluffConfig, language: str, file: str = "rounds") -> str:
    """What happens in every round and why, in "en" or "fr"; `rounds` as plain text or as data."""
    cases = read_text(rounds, config, file) if isinstance(rounds, str) else read_cases(rounds, config, file)
    cards = Cards(config)
    return "\n\n".join(explain(one, cards, language) for one in settle(cases, config))


def explain(settled: Settled, cards: Cards, language: str) -> str:
    """The explanation of one resolved round, in "en" or "fr"."""
    return "\n".join(Explanation(settled, cards, language).lines())


class Explanation:
    """One round in words."""

    def __init__(self, settled: Settled, cards: Cards, language: str) -> None:
        self.case, self.outcome, self.view, self.reached = settled.case, settled.outcome, settled.view, settled.reached
        self.rules, self.language = settled.case.rules, language
        self.has_pot = self._stands("pot")
        self.phrases = Phrases(language)
        self.say = self.phrases.text
        self.visible = cards.listed(self.case.visible)
        self.hidden = [cards.sorted(side) for side in self.case.hidden]
        self.pot = cards.sorted(self.case.pot)
        self.same_family = self.view.by_seat(codes.TS_SAME_FAMILY)
        self.others = [(self.case.bluffer + k) % self.case.players for k in range(1, self.case.players)]
        self.exact = sorted(p for p in self.others if self.outcome["gaps"][p] == 0)

    def lines(self) -> Iterator[str]:
        """All lines, the first one the title."""
        event = self.outcome["event"]
        yield self.say("explain.title", id=self.case.id, **self.phrases.event(event))
        for parts in (self._rulings(), self._sides(), self._ladder(), self._result()):
            for sentence in parts:
                yield f"  {sentence}"

    def _stands(self, rule: str) -> bool:
        """Whether a rule has not been taken out: nothing is said of one that has, but that it is out."""
        return rule not in self.rules.without

    def _rulings(self) -> Iterator[str]:
        book = self.phrases.book
        for ruling in book.rulings:
            value = getattr(self.rules, ruling.name)
            if value != ruling.default:
                yield self.say("explain.changed", **self.phrases.answered(ruling, value))
        for rule in book.removables:
            if not self._stands(rule.name):
                meaning = rule.meaning.in_language(self.language)
                yield self.say("explain.without", name=rule.name, clause=rule.clause, meaning=meaning)

    def _sides(self) -> Iterator[str]:
        b = self.case.bluffer
        low, high = self.reached[b]
        yield self.say(
            "explain.bluffer" if self.hidden[b] else "explain.bluffer_alone",
            seat=b + 1,
            visible=self.visible[b],
            hidden=self.phrases.side(self.hidden[b]),
            total=low,
        )
        if high > low:
            key = "explain.bluffer_adjusts" if self.rules.bluffer_wild == "evasive" else "explain.bluffer_printed"
            yield self.say(key, low=low, high=high, total=self.outcome["bluffer_total"], hits=len(self.exact))
        for p in self.others:
            yield self._side(p)

    def _side(self, p: int) -> str:
        low, high = self.reached[p]
        key = "explain.side" + ("" if self.hidden[p] else "_alone") + ("_adjusts" if high > low else "")
        parts = [
            self.say(
                key,
                seat=p + 1,
                visible=self.visible[p],
                hidden=self.phrases.side(self.hidden[p]),
                total=low,
                low=low,
                high=high,
            )
        ]
        if len(self.hidden[p]) == 2:
            parts.append(self.say("explain.fusion"))
        if self.same_family[p]:
            parts.append(self.say("explain.one_family"))
        how = self.outcome["mechanism"][p]
        parts.append(self.say(f"explain.exact_{how}") if how else self.say("explain.gap", gap=self.outcome["gaps"][p]))
        return " ".join(parts)

    def _ladder(self) -> Iterator[str]:
        winners = self.outcome["winners"]
        if self.view.event == codes.MIROIR:
            count = self.view.fields[codes.TR_MIROIRS]
            yield self.say(
                "ladder.miroir_several" if count > 1 else "ladder.miroir",
                count=count,
                seat=self.phrases.seat(winners[0]),
            )
            return
        if self._stands("miroir_parfait"):
            yield self.say("ladder.no_miroir")
        if not self.exact:
            yield self.say("ladder.nobody_exact")
            yield from self._nobody_exact()
            return
        if self._stands("frappe_parfaite"):
            yield from self._one_family_hits()
        if self.view.event >= codes.EPARGNE:
            yield self.say("ladder.coup_out", seats=self.phrases.seats(self.exact))
            yield from self._nobody_exact()
        elif self.view.event == codes.COUP:
            yield self.say("ladder.coup", seat=self.phrases.seat(winners[0]))
        elif self.view.event == codes.COUPS:
            option = "coups" + ("" if self.has_pot else "_no_pot") if self._stands("option") else "coups_no_option"
            yield self.say(f"ladder.{option}", seats=self.phrases.seats(winners))
            losers = [card for p in self.others if p not in winners for card in self.hidden[p]]
            if losers:
                yield self.say(
                    "ladder.coups_losers" + ("" if self.has_pot else "_no_pot"), cards=self.phrases.listed(losers)
                )
            if self.hidden[self.case.bluffer]:
                answer = self.rules.several_exact_bluffer_card
                yield self.say(
                    f"ladder.coups_bluffer_{answer}" + ("_no_pot" if answer == "pot" and not self.has_pot else "")
                )

    def _one_family_hits(self) -> Iterator[str]:
        """Rule 2: who is exact with one family, and why that is a Frappe or not."""
        able = []
        for p in (p for p in self.exact if self.same_family[p]):
            if len(self.hidden[p]) == 2 and not self.rules.frappe_with_fusion:
                yield self.say("ladder.frappe_fusion", seat=self.phrases.seat(p))
            elif self.rules.frappe_exact == "printed" and self.reached[p][0] != self.outcome["bluffer_total"]:
                yield self.say("ladder.frappe_adjusted", seat=self.phrases.seat(p))
            else:
                able.append(p)
        if self.view.event == codes.FRAPPE:
            key = "ladder.frappe_several" if len(able) > 1 else "ladder.frappe"
            yield self.say(key, seats=self.phrases.seats(able), seat=self.phrases.seat(self.outcome["winners"][0]))
        elif able and self._stands("coup_precis"):
            yield self.say("ladder.frappe_shared", seats=self.phrases.seats(able))
        elif not any(self.same_family[p] for p in self.exact):
            yield self.say("ladder.no_frappe")

    def _nobody_exact(self) -> Iterator[str]:
        """Rules 4 to 6 and 8: nobody is exact, or rule 3 is out."""
        closest, farthest, b = self.outcome["closest"], self.outcome["farthest"], self.case.bluffer
        if closest is None and self._stands("ca_chauffe"):
            yield self.say("ladder.closest_nobody")
        elif closest is not None:
            gaps = self.outcome["gaps"]
            barred = [
                p for p in self.others if len(self.hidden[p]) == 2 and 0 < gaps[p] <= gaps[closest] and p != closest
            ]
            if barred and self.rules.fusion_scope == "exact_only":
                yield self.say("ladder.closest_fusions", seats=self.phrases.seats(sorted(barred)))
            yield self.say(
                "ladder.closest",
                seat=self.phrases.seat(closest),
                gap=gaps[closest],
                cards=self.phrases.listed(self.hidden[closest]),
            )
            yield from self._tie(codes.TR_CLOSEST_TIE, closest)
        yield self.say("ladder.farthest", seat=self.phrases.seat(farthest), gap=self.outcome["gaps"][farthest])
        yield from self._tie(codes.TR_FARTHEST_TIE, farthest)
        if self.view.event == codes.EPARGNE:
            yield self.say("ladder.spared", cards=self.phrases.listed(self.hidden[farthest]))
            if self.hidden[b]:
                yield self.say(
                    f"ladder.spared_bluffer_{self.rules.spared_bluffer_card}", cards=self.phrases.listed(self.hidden[b])
                )
        else:
            yield from self._maitre(farthest)
        fed = [card for p in self.others if p not in (closest, farthest) for card in self.hidden[p]]
        if fed:
            yield self.say("ladder.fed" + ("" if self.has_pot else "_no_pot"), cards=self.phrases.listed(fed))

    def _tie(self, field: int, seat: int) -> Iterator[str]:
        tie = TIE_NAMES[self.view.fields[field]]
        if tie != "none":
            yield self.say(
                f"ladder.tie_{tie}", seat=self.phrases.seat(seat), card=self.visible[seat], answer=self.rules.tie_value
            )

    def _maitre(self, farthest: int) -> Iterator[str]:
        b = self.case.bluffer
        if not self._stands("epargne"):
            pass
        elif self.same_family[farthest]:
            ruling = (
                "spared_with_fusion = false" if not self.rules.spared_with_fusion else "T2, fusion_scope = exact_only"
            )
            yield self.say("ladder.not_spared_fusion", ruling=ruling)
        else:
            yield self.say("ladder.not_one_family")
        yield self.say(
            "ladder.maitre", own=self.phrases.listed(self.hidden[b]), taken=self.phrases.listed(self.hidden[farthest])
        )
        families = sorted({_family(card) for card in (self.visible[b], *self.hidden[b])})
        named = self.phrases.listed(families)
        if self.view.event == codes.BONUS:
            yield self.say(f"ladder.bonus_{self.rules.bonus_pot if self.has_pot else 'no_pot'}", families=named)
        elif not self.rules.master_bonus:
            yield self.say("ladder.bonus_off")
        else:
            shown = [
                card for p in self.others for card in (self.visible[p], *self.hidden[p]) if _family(card) in families
            ]
            yield self.say("ladder.no_bonus", cards=self.phrases.listed(shown), families=named)

    def _result(self) -> Iterator[str]:
        yield self.say("result.title")
        scored: Sequence[str] = [
            self.say("result.score", seat=self.phrases.seat(p), cards=self.phrases.worth(won))
            for p, won in enumerate(self.outcome["to_score"])
            if won
        ]
        for line in scored or [self.say("result.nobody_scores")]:
            yield f"  {line}"
        for key in ("to_pot", "to_discard"):
            if self.outcome[key]:
                yield "  " + self.say(f"result.{key}", cards=self.phrases.worth(self.outcome[key]))
        if self.outcome["pot_taken"] and self.has_pot:
            pot = [*self.pot, *self._feed_won()]
            yield "  " + (
                self.say("result.pot_taken", cards=self.phrases.worth(pot))
                if pot
                else self.say("result.pot_empty_taken")
            )
        if self.view.event == codes.MIROIR:
            yield "  " + self.say("result.back_only", seat=self.phrases.seat(self.outcome["winners"][0]))
        else:
            yield "  " + self.say("result.back")

    def _feed_won(self) -> list[str]:
        """This round's cards that entered the pot and were won with it."""
        won = [card for cards in self.outcome["to_score"] for card in cards]
        closest, farthest = self.outcome["closest"], self.outcome["farthest"]
        if self.view.event != codes.BONUS:
            return []
        return [card for p in self.others if p not in (closest, farthest) for card in self.hidden[p] if card in won]


def _family(card: str) -> str:
    return card.rpartition("-")[0]
