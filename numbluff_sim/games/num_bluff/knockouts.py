"""What can be left out of a NUM BLUFF configuration: a card, a family or a rule.

Every list holds changes to the given configuration, one at a time. `numbluff_sim.config.load` refuses those that leave
no game (too few cards).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from numbluff_sim.contract.changes import Change, answered
from numbluff_sim.contract.rules import rule_book
from numbluff_sim.games.num_bluff.config import Deck, Family, NumBluffConfig
from numbluff_sim.games.num_bluff.transcript import card_name
from numbluff_sim.i18n import bilingual

PACKAGE = "numbluff_sim.games.num_bluff"
WORDS = f"{PACKAGE}:knockouts"


def knockouts(config: NumBluffConfig) -> list[Change]:
    """The configuration without each card (all copies), each family, each rule; what it does not have, or what
    cannot act in it, is not listed.
    """
    return [*_cards(config.deck), *_families(config), *_rules(config)]


def _without(kind: str, what: str, overrides: dict[str, Any]) -> Change:
    return Change(kind, f"without {what}", overrides, bilingual(WORDS, "without", what=what))


def _cards(deck: Deck) -> Iterator[Change]:
    for family in deck.families:
        if len(family.faces) > 1:  # the only value of a family is the family
            for value in family.faces:
                yield _without(
                    "card", card_name(family.name, value), {f"deck.{family.name}.without": [*family.without, value]}
                )


def _families(config: NumBluffConfig) -> Iterator[Change]:
    families = config.deck.families
    for family in families:
        others = [other.model_dump(mode="json") for other in families if other.name != family.name]
        yield _without("family", family.name, {"deck.families": others})
    for family in families:
        if config.rules.wild_adjusts != "none" and _adjusts(family):
            yield Change(
                "family",
                f"{family.name} reach=0",
                {f"deck.{family.name}.reach": 0},
                bilingual(WORDS, "as_printed", family=family.name),
            )


def _rules(config: NumBluffConfig) -> Iterator[Change]:
    rules, book = config.rules, rule_book(PACKAGE)
    for rule in book.removables:
        if rule.name not in rules.without and _can_act(rule.name, config):
            yield Change("rule", f"without {rule.name}", {"rules.without": [*rules.without, rule.name]}, rule.label)
    if rules.master_bonus and "pot" not in rules.without:
        yield answered(book.ruling("master_bonus"), False, "rule")
    if rules.wild_adjusts != "none" and any(map(_adjusts, config.deck.families)):
        yield answered(book.ruling("wild_adjusts"), "none", "rule")


def _can_act(rule: str, config: NumBluffConfig) -> bool:
    """Whether a rule that stands can ever do something at this table, with this deck and these seats."""
    rules, seats = config.rules, config.seat_personas
    if rule == "fusion":
        return any(persona.may_fuse for persona in seats)
    if rule == "option":
        offered = any(p.option.points_at_most >= 0 and p.option.rounds_left_at_least < config.rounds for p in seats)
        return offered and "coup_precis" not in rules.without
    if rule == "lie":
        return any(persona.lies.total + persona.lies.family > 0 for persona in seats)
    if rule == "miroir_parfait":
        return miroir_possible(config.deck)
    if rule in ("frappe_parfaite", "epargne"):
        return any(family.cards > 1 for family in config.deck.families)
    if rule == "pot":
        return config.players > 3 or _fed_by_three(config)
    return True


def _fed_by_three(config: NumBluffConfig) -> bool:
    """Whether cards can reach the pot of three players, of whom none is left between closest and farthest."""
    rules = config.rules
    nobody_closest = "ca_chauffe" in rules.without or (
        rules.fusion_scope == "exact_only" and _stands_and_acts("fusion", config)
    )
    by_several = _stands_and_acts("option", config) or rules.several_exact_bluffer_card == "pot"
    return nobody_closest or (by_several and "coup_precis" not in rules.without)


def _stands_and_acts(rule: str, config: NumBluffConfig) -> bool:
    return rule not in config.rules.without and _can_act(rule, config)


def _adjusts(family: Family) -> bool:
    return any(family.slack(value) for value in family.faces)


def miroir_possible(deck: Deck) -> bool:
    """Whether four classic cards of the deck can make a Miroir Parfait: two sides of the same two families and the
    same two values.
    """
    cards = Counter((family.name, value) for family, value in deck.cards if family.kind == "classic")
    for (family, value), (family2, value2) in combinations_with_replacement(cards, 2):
        mine = Counter([(family, value), (family2, value2)])
        crossed = Counter([(family, value2), (family2, value)])
        if any(mine + theirs <= cards for theirs in (mine, crossed)):
            return True
    return False
