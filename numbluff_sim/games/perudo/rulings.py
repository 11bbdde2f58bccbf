"""Registry of the rulings: questions the document leaves open, the answers a configuration may give, where they stand.

`clause` is the rule's identifier in docs/RULES.md (R5, R14, ...). Alternatives are in the order of the kernels' codes.
A rule of the document that can be switched off is a ruling here, too (`palifico`, `house_rule_start`,
`house_rule_fewer`): nothing else can be taken out.
"""

from __future__ import annotations

from numbluff_sim.contract.changes import Text
from numbluff_sim.contract.rules import Removable, Ruling
from numbluff_sim.games.perudo.config import Rules
from numbluff_sim.games.perudo.names import RULING_VALUES


def _ruling(name: str, clause: str, question: Text, meanings: tuple[Text, ...]) -> Ruling:
    return Ruling(name, clause, question, meanings, RULING_VALUES[name], Rules.model_fields[name].default)


RULINGS: tuple[Ruling, ...] = (
    _ruling(
        "bid_order",
        "R5",
        Text("Where do bids on stars stand among the others?", "Où se placent les paris sur les étoiles ?"),
        (
            Text(
                "As on Bluff's track: k stars between 2k-1 and 2k of a number.",
                "Comme sur la piste de Bluff : k étoiles entre 2k-1 et 2k d'un chiffre.",
            ),
            Text(
                "Half as many: k stars just above 2k of a number.",
                "Moitié moins : k étoiles juste au-dessus de 2k d'un chiffre.",
            ),
            Text(
                "The star is a sixth face, above the five numbers.",
                "L'étoile est une sixième face, au-dessus des cinq chiffres.",
            ),
        ),
    ),
    _ruling(
        "opening_stars",
        "R3",
        Text("May a round open with stars?", "Peut-on ouvrir un tour sur les étoiles ?"),
        (Text("No, but for a Palifico.", "Non, sauf un Palifico."), Text("Yes.", "Oui.")),
    ),
    _ruling(
        "quantity_cap",
        "R20",
        Text("How high may a bid go?", "Jusqu'où peut monter un pari ?"),
        (
            Text("To the number of dice in play.", "Jusqu'au nombre de dés en jeu."),
            Text(
                "To the end of the board: 20 of a number, 10 stars.",
                "Jusqu'au bout de la piste : 20 d'un chiffre, 10 étoiles.",
            ),
        ),
    ),
    _ruling(
        "starter_normal",
        "R12",
        Text("Who opens when nobody is out?", "Qui ouvre quand personne n'est éliminé ?"),
        (
            Text("Who lost the die.", "Celui qui a perdu le dé."),
            Text("Who won the challenge.", "Celui qui a gagné le défi."),
        ),
    ),
    _ruling(
        "house_rule_start",
        "R13",
        Text(
            "Does the house rule say who opens after an elimination?",
            "La règle maison dit-elle qui ouvre après une élimination ?",
        ),
        (
            Text(
                "No: the player on the left always does, and R12 holds with two players, too.",
                "Non : toujours le joueur de gauche, et R12 vaut aussi à deux joueurs.",
            ),
            Text(
                "Yes: R14 when three become two, and with two players left who lost a die opens.",
                "Oui : R14 quand on passe de trois à deux, et à deux joueurs qui a perdu un dé ouvre.",
            ),
        ),
    ),
    _ruling(
        "tie_3to2",
        "R14",
        Text("Who opens when the last two have as many dice?", "Qui ouvre quand les deux derniers ont autant de dés ?"),
        (
            Text("The one on the left of who is out.", "Celui à gauche de l'éliminé."),
            Text("The one on the right of who is out.", "Celui à droite de l'éliminé."),
            Text("Chance decides.", "Le hasard décide."),
        ),
    ),
    _ruling(
        "house_rule_fewer",
        "R14",
        Text("Does the weaker of the last two open?", "Le plus faible des deux derniers ouvre-t-il ?"),
        (
            Text("No: the player on the left of who is out.", "Non : le joueur à gauche de l'éliminé."),
            Text("Yes, the one with fewer dice.", "Oui, celui qui a le moins de dés."),
        ),
    ),
    _ruling(
        "palifico",
        "R15",
        Text("Is there a Palifico round?", "Y a-t-il des tours Palifico ?"),
        (
            Text("No.", "Non."),
            Text("Yes, for who has just come down to one die.", "Oui, pour qui vient de tomber à un dé."),
        ),
    ),
    _ruling(
        "palifico_two_players",
        "R15",
        Text("Is there a Palifico with two players left?", "Y a-t-il un Palifico à deux joueurs ?"),
        (Text("No.", "Non."), Text("Yes.", "Oui.")),
    ),
    _ruling(
        "palifico_stars_biddable",
        "R17",
        Text("Can stars be bid in a Palifico round?", "Peut-on parier sur les étoiles lors d'un Palifico ?"),
        (Text("No.", "Non."), Text("Yes, as a face like any other.", "Oui, comme une face quelconque.")),
    ),
    _ruling(
        "palifico_self_change",
        "R18",
        Text(
            "May the Palifico change the face when the turn comes back?",
            "Le Palifico peut-il changer de face quand son tour revient ?",
        ),
        (Text("No.", "Non."), Text("Yes.", "Oui.")),
    ),
    _ruling(
        "lift_direction",
        "R19",
        Text(
            "Which way round are the cups lifted after the first?",
            "Dans quel sens soulève-t-on les gobelets après le premier ?",
        ),
        (
            Text("On to the right, the challenger's last.", "Vers la droite, celui du contestataire en dernier."),
            Text("To the left, the challenger's second.", "Vers la gauche, celui du contestataire en deuxième."),
        ),
    ),
    _ruling(
        "dice_lost",
        "R9",
        Text("How many dice does a challenge cost?", "Combien de dés coûte un défi ?"),
        (
            Text("One.", "Un seul."),
            Text(
                "As in Bluff: the difference between count and bid, and one from all but the bidder when the "
                "bid was exact.",
                (
                    "Comme à Bluff : la différence entre compte et pari, et un à tous sauf au parieur quand le "
                    "pari était exact."
                ),
            ),
        ),
    ),
)

#: `rules.without` does not exist for this game.
REMOVABLES: tuple[Removable, ...] = ()
