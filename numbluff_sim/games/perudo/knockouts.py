"""What can be left out of a Perudo configuration: a rule, a die or a player.

Every list holds changes to the given configuration, one at a time. `numbluff_sim.config.load` refuses those that leave
no game.
"""

from __future__ import annotations

from collections.abc import Iterator

from numbluff_sim.contract.changes import Change, answered
from numbluff_sim.contract.rules import rule_book
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.i18n import bilingual

PACKAGE = "numbluff_sim.games.perudo"
WORDS = f"{PACKAGE}:knockouts"

#: Rules of the document that a game can be without: rulings that can be answered with no.
RULES = (
    "palifico",
    "palifico_two_players",
    "palifico_stars_biddable",
    "palifico_self_change",
    "house_rule_start",
    "house_rule_fewer",
    "opening_stars",
)


def knockouts(config: PerudoConfig) -> list[Change]:
    """The configuration without each rule that can act in it, with a die less each and with a player less."""
    book = rule_book(PACKAGE)
    rules = (answered(book.ruling(name), False, "rule") for name in RULES if _can_act(name, config))
    return [*rules, *_smaller(config)]


def _can_act(rule: str, config: PerudoConfig) -> bool:
    """Whether a rule that stands can do something at this table."""
    rules, table = config.rules, config.table
    if not getattr(rules, rule):
        return False
    palifico = rules.palifico and table.dice > 1 and (table.players > 2 or rules.palifico_two_players)
    if rule.startswith("palifico"):
        return palifico
    if rule == "house_rule_fewer":
        return rules.house_rule_start and table.players > 2
    if rule == "house_rule_start":
        return (table.players > 2 and rules.house_rule_fewer) or rules.starter_normal == "challenge_winner"
    return True


def _smaller(config: PerudoConfig) -> Iterator[Change]:
    """One die less each, and the last player away."""
    table, seats = config.table, config.seats
    if table.dice > 1:
        yield Change(
            "table",
            f"dice={table.dice - 1}",
            {"table.dice": table.dice - 1},
            bilingual(WORDS, "die_less"),
        )
    if table.players > 2:
        fewer = {
            "table.players": table.players - 1,
            "table.first_opener": min(table.first_opener, table.players - 2),
            "play.seats": list(seats[:-1]),
        }
        yield Change("table", f"players={table.players - 1}", fewer, bilingual(WORDS, "player_less"))
