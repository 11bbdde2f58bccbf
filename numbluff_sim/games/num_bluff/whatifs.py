"""What can be asked of a NUM BLUFF configuration: other answers to its rulings, and what it is without a card, a family
or a rule.

Every list holds changes to the given configuration, one at a time. `numbluff_sim.config.load` refuses those that leave
no game (too few cards).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from numbluff_sim.contract.changes import Change, Text
from numbluff_sim.contract.rules import Answer
from numbluff_sim.games.num_bluff.config import Deck, Family, NumBluffConfig
from numbluff_sim.games.num_bluff.rulings import REMOVABLES, RULINGS
from numbluff_sim.games.num_bluff.transcript import card_name

#: Every answer to a ruling in a few words.
ANSWERS: dict[tuple[str, Answer], Text] = {
    ("wild_adjusts", "hidden"): Text("only hidden cards adjust", "seules les cachées s'ajustent"),
    ("wild_adjusts", "both"): Text("visible cards adjust too", "les visibles s'ajustent aussi"),
    ("wild_adjusts", "none"): Text("no card adjusts", "aucune carte ne s'ajuste"),
    ("bluffer_wild", "evasive"): Text("the bluffer's total evades", "le total du Bluffeur esquive"),
    ("bluffer_wild", "printed"): Text("the bluffer's total as printed", "total du Bluffeur tel qu'imprimé"),
    ("fusion_scope", "any"): Text("a fusion that misses counts", "une fusion manquée compte"),
    ("fusion_scope", "exact_only"): Text("a fusion that misses is void", "une fusion manquée ne vaut rien"),
    ("refill_after_fusion", False): Text("no draw after a fusion", "pas de pioche après fusion"),
    ("refill_after_fusion", True): Text("a draw after a fusion", "une pioche après fusion"),
    ("empty_hand", "draw"): Text("an empty hand draws", "une main vide pioche"),
    ("empty_hand", "visible_only"): Text("an empty hand hides nothing", "une main vide ne cache rien"),
    ("empty_deck", "recycle"): Text("an empty pile is made anew", "la pioche vide est refaite"),
    ("empty_deck", "end_game"): Text("an empty pile ends the game", "la pioche vide clôt la partie"),
    ("bluffer_may_fuse", False): Text("the bluffer may not fuse", "le Bluffeur ne fusionne pas"),
    ("bluffer_may_fuse", True): Text("the bluffer may fuse", "le Bluffeur peut fusionner"),
    ("frappe_with_fusion", False): Text("no Frappe by a fusion", "pas de Frappe par fusion"),
    ("frappe_with_fusion", True): Text("a Frappe by a fusion counts", "une Frappe par fusion compte"),
    ("frappe_exact", "any"): Text("a Frappe may adjust", "une Frappe peut s'ajuster"),
    ("frappe_exact", "printed"): Text("a Frappe only as printed", "une Frappe sans ajustement"),
    ("several_frappes", "tie_break"): Text("one of several Frappes wins", "une seule Frappe l'emporte"),
    ("several_frappes", "shared"): Text("several Frappes share", "plusieurs Frappes partagent"),
    ("several_exact_bluffer_card", "discard"): Text(
        "several hits: bluffer's card discarded", "Coup multiple : carte du Bluffeur défaussée"
    ),
    ("several_exact_bluffer_card", "pot"): Text(
        "several hits: bluffer's card to the pot", "Coup multiple : carte du Bluffeur à la cagnotte"
    ),
    ("several_exact_bluffer_card", "keep"): Text(
        "several hits: bluffer's card kept", "Coup multiple : carte du Bluffeur gardée"
    ),
    ("spared_with_fusion", False): Text("no fusion is spared", "aucune fusion épargnée"),
    ("spared_with_fusion", True): Text("a fusion can be spared", "une fusion peut être épargnée"),
    ("spared_bluffer_card", "keep"): Text("L'Épargné: bluffer's card kept", "Épargné : carte du Bluffeur gardée"),
    ("spared_bluffer_card", "discard"): Text(
        "L'Épargné: bluffer's card discarded", "Épargné : carte du Bluffeur défaussée"
    ),
    ("master_bonus", False): Text("without the bonus", "sans bonus"),
    ("master_bonus", True): Text("with the bonus", "avec bonus"),
    ("bonus_pot", "after_feed"): Text("the bonus takes this round's pot", "le bonus rafle la cagnotte du round"),
    ("bonus_pot", "before_feed"): Text("the bonus takes the pot before", "le bonus rafle la cagnotte d'avant"),
    ("tie_value", "printed"): Text("ties by printed value", "égalités par valeur imprimée"),
    ("tie_value", "signed"): Text("in ties a Shadow is below 0", "égalités : Shadow sous 0"),
    ("last_tie", "clockwise"): Text("last ties go clockwise", "dernière égalité : sens horaire"),
    ("last_tie", "random"): Text("last ties by chance", "dernière égalité : hasard"),
}


def rulings(config: NumBluffConfig) -> list[Change]:
    """Every answer to every ruling that is not the configuration's own, in the order of the registry."""
    return [
        _answer(ruling.name, ruling.name, answer)
        for ruling in RULINGS
        for answer in ruling.alternatives
        if answer != getattr(config.rules, ruling.name)
    ]


def knockouts(config: NumBluffConfig) -> list[Change]:
    """The configuration without each card (all copies), each family, each rule; what it does not have, or what
    cannot act in it, is not listed.
    """
    return [*_cards(config.deck), *_families(config), *_rules(config)]


def _answer(kind: str, ruling: str, answer: Answer) -> Change:
    return Change(kind, f"{ruling}={str(answer).lower()}", {f"rules.{ruling}": answer}, ANSWERS[ruling, answer])


def _without(kind: str, what: str, overrides: dict[str, Any]) -> Change:
    return Change(kind, f"without {what}", overrides, Text(f"without {what}", f"sans {what}"))


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
                Text(f"{family.name} as printed", f"{family.name} sans ajustement"),
            )


def _rules(config: NumBluffConfig) -> Iterator[Change]:
    rules = config.rules
    for rule in REMOVABLES:
        if rule.name not in rules.without and _can_act(rule.name, config):
            yield Change("rule", f"without {rule.name}", {"rules.without": [*rules.without, rule.name]}, rule.label)
    if rules.master_bonus and "pot" not in rules.without:
        yield _answer("rule", "master_bonus", False)
    if rules.wild_adjusts != "none" and any(map(_adjusts, config.deck.families)):
        yield _answer("rule", "wild_adjusts", "none")


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
