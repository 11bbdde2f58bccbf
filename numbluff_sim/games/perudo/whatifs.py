"""What can be asked of a Perudo configuration: other answers to its rulings, and what it is without a rule, a die or a
player.

Every list holds changes to the given configuration, one at a time. `numbluff_sim.config.load` refuses those that leave
no game.
"""

from __future__ import annotations

from collections.abc import Iterator

from numbluff_sim.contract.changes import Change, Text
from numbluff_sim.contract.rules import Answer
from numbluff_sim.games.perudo.config import PerudoConfig
from numbluff_sim.games.perudo.rulings import RULINGS

#: Every answer to a ruling in a few words.
ANSWERS: dict[tuple[str, Answer], Text] = {
    ("bid_order", "bluff_track"): Text("stars as on Bluff's track", "étoiles comme sur la piste de Bluff"),
    ("bid_order", "perudo_halving"): Text("half as many stars", "moitié moins d'étoiles"),
    ("bid_order", "flat"): Text("the star as a sixth face", "l'étoile, sixième face"),
    ("opening_stars", False): Text("no opening with stars", "pas d'ouverture sur les étoiles"),
    ("opening_stars", True): Text("openings with stars", "ouvertures sur les étoiles"),
    ("quantity_cap", "total_dice"): Text("bids up to the dice in play", "paris jusqu'aux dés en jeu"),
    ("quantity_cap", "none"): Text("bids up to the board's end", "paris jusqu'au bout de la piste"),
    ("starter_normal", "loser"): Text("the loser of a die opens", "qui perd un dé ouvre"),
    ("starter_normal", "challenge_winner"): Text("the winner of a challenge opens", "qui gagne le défi ouvre"),
    ("house_rule_start", False): Text("without the house rule", "sans la règle maison"),
    ("house_rule_start", True): Text("with the house rule", "avec la règle maison"),
    ("tie_3to2", "left_of_eliminated"): Text("even last two: the left opens", "deux derniers à égalité : gauche"),
    ("tie_3to2", "right_of_eliminated"): Text("even last two: the right opens", "deux derniers à égalité : droite"),
    ("tie_3to2", "random"): Text("even last two: by chance", "deux derniers à égalité : hasard"),
    ("house_rule_fewer", False): Text("fewer dice do not open", "le plus faible n'ouvre pas"),
    ("house_rule_fewer", True): Text("fewer dice open", "le plus faible ouvre"),
    ("palifico", False): Text("without Palifico", "sans Palifico"),
    ("palifico", True): Text("with Palifico", "avec Palifico"),
    ("palifico_two_players", False): Text("no Palifico with two players", "pas de Palifico à deux joueurs"),
    ("palifico_two_players", True): Text("Palifico with two players, too", "Palifico à deux joueurs aussi"),
    ("palifico_stars_biddable", False): Text("Palifico: no bids on stars", "Palifico : pas de paris sur étoiles"),
    ("palifico_stars_biddable", True): Text("Palifico: bids on stars", "Palifico : paris sur étoiles"),
    ("palifico_self_change", False): Text("the Palifico keeps the face", "le Palifico garde sa face"),
    ("palifico_self_change", True): Text("the Palifico may change the face", "le Palifico peut changer de face"),
    ("lift_direction", "right"): Text("cups to the right", "gobelets vers la droite"),
    ("lift_direction", "left"): Text("cups to the left", "gobelets vers la gauche"),
    ("dice_lost", "one"): Text("a challenge costs one die", "un défi coûte un dé"),
    ("dice_lost", "difference"): Text("a challenge costs the difference", "un défi coûte la différence"),
}
#: Rules of the document that a game can be without: rulings with the answer that is none of them.
RULES = (
    ("palifico", False),
    ("palifico_two_players", False),
    ("palifico_stars_biddable", False),
    ("palifico_self_change", False),
    ("house_rule_start", False),
    ("house_rule_fewer", False),
    ("opening_stars", False),
)


def rulings(config: PerudoConfig) -> list[Change]:
    """Every answer to every ruling that is not the configuration's own, in the order of the registry."""
    return [
        _answer(ruling.name, ruling.name, answer)
        for ruling in RULINGS
        for answer in ruling.alternatives
        if answer != getattr(config.rules, ruling.name)
    ]


def knockouts(config: PerudoConfig) -> list[Change]:
    """The configuration without each rule that can act in it, with a die less each and with a player less."""
    return [*(_answer("rule", name, answer) for name, answer in RULES if _can_act(name, config)), *_smaller(config)]


def _answer(kind: str, ruling: str, answer: Answer) -> Change:
    return Change(kind, f"{ruling}={str(answer).lower()}", {f"rules.{ruling}": answer}, ANSWERS[ruling, answer])


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
            Text("one die less each", "un dé de moins chacun"),
        )
    if table.players > 2:
        fewer = {
            "table.players": table.players - 1,
            "table.first_opener": min(table.first_opener, table.players - 2),
            "play.seats": list(seats[:-1]),
        }
        yield Change("table", f"players={table.players - 1}", fewer, Text("one player less", "un joueur de moins"))
