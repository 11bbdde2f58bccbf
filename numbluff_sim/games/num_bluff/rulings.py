"""Registries of the rulings (questions the rulebook leaves open, the answers a configuration may give, where they
stand) and of the rules that a configuration may take out.

`clause` is the rule's identifier in docs/RULES.md (C6, T8, rule 3, ...). Alternatives are in the order of the kernels'
codes.
"""

from __future__ import annotations

from numbluff_sim.contract.changes import Text
from numbluff_sim.contract.rules import Removable, Ruling
from numbluff_sim.games.num_bluff.config import Rules
from numbluff_sim.games.num_bluff.names import RULING_VALUES


def _ruling(name: str, clause: str, question: Text, meanings: tuple[Text, ...]) -> Ruling:
    return Ruling(name, clause, question, meanings, RULING_VALUES[name], Rules.model_fields[name].default)


RULINGS: tuple[Ruling, ...] = (
    _ruling(
        "wild_adjusts",
        "C6",
        Text(
            "Which Rainbow and Shadow cards adjust their value?",
            "Quelles cartes Rainbow et Shadow ajustent leur valeur ?",
        ),
        (
            Text(
                "Only hidden cards adjust; a visible card counts as printed.",
                "Seules les cartes cachées s'ajustent ; la visible compte telle qu'imprimée.",
            ),
            Text("Visible and hidden cards adjust.", "Les cartes visibles et cachées s'ajustent."),
            Text("No card adjusts.", "Aucune carte ne s'ajuste."),
        ),
    ),
    _ruling(
        "bluffer_wild",
        "C8",
        Text(
            "Which of the totals within reach is the bluffer's?", "Lequel des totaux possibles est celui du Bluffeur ?"
        ),
        (
            Text(
                "The one that the fewest others hit, with the smallest adjustment among equals.",
                "Celui que le moins d'adversaires atteignent et, à égalité, au plus petit ajustement.",
            ),
            Text(
                "The printed one: the bluffer's cards do not adjust.",
                "Le total imprimé : les cartes du Bluffeur ne s'ajustent pas.",
            ),
        ),
    ),
    _ruling(
        "fusion_scope",
        "T2",
        Text(
            "What is a fusion good for when it misses the exact total?",
            "Que vaut une fusion qui manque le montant exact ?",
        ),
        (
            Text("It counts like a single card.", "Elle compte comme une carte seule."),
            Text(
                "It can be farthest, but never closest and never spared.",
                "Elle peut être la plus éloignée, mais jamais la plus proche ni épargnée.",
            ),
        ),
    ),
    _ruling(
        "refill_after_fusion",
        "T6",
        Text(
            "Does whoever fused draw a card at the end of the round?",
            "Qui a fusionné pioche-t-il une carte en fin de round ?",
        ),
        (
            Text("No: the hand stays one card smaller.", "Non : la main garde une carte de moins."),
            Text("Yes, one card while the pile lasts.", "Oui, une carte tant que la pioche en contient."),
        ),
    ),
    _ruling(
        "empty_hand",
        "T7",
        Text(
            "What does a player with no card left to hide play?", "Que joue un joueur qui n'a plus de carte à cacher ?"
        ),
        (
            Text("A card drawn as the hidden card.", "Une carte piochée, qui devient sa carte cachée."),
            Text("The visible card alone.", "Sa seule carte visible."),
        ),
    ),
    _ruling(
        "empty_deck",
        "T8",
        Text("What happens when the pile cannot serve the draw?", "Que se passe-t-il quand la pioche ne suffit plus ?"),
        (
            Text(
                "Score piles, discard and the rest of the pile make a new one; points stay.",
                "Piles de score, défausse et reste de la pioche en forment une nouvelle ; les points restent acquis.",
            ),
            Text("The game ends before that round.", "La partie s'arrête avant ce round."),
        ),
    ),
    _ruling(
        "bluffer_may_fuse",
        "T9",
        Text("May the bluffer hide a fusion?", "Le Bluffeur peut-il cacher une fusion ?"),
        (
            Text("No, a single card only.", "Non, une seule carte."),
            Text("Yes, like everybody.", "Oui, comme tout le monde."),
        ),
    ),
    _ruling(
        "frappe_with_fusion",
        "rule 2",
        Text("Can a fusion make a Frappe Parfaite?", "Une fusion peut-elle faire une Frappe Parfaite ?"),
        (Text("No: such a hit is a Coup Précis.", "Non : c'est alors un Coup Précis."), Text("Yes.", "Oui.")),
    ),
    _ruling(
        "frappe_exact",
        "rule 2",
        Text("Which exact totals make a Frappe Parfaite?", "Quels totaux exacts font une Frappe Parfaite ?"),
        (
            Text("Adjusted totals too.", "Les totaux ajustés aussi."),
            Text("Only printed totals.", "Les seuls totaux imprimés."),
        ),
    ),
    _ruling(
        "several_frappes",
        "rule 2",
        Text(
            "What happens when several players have a Frappe Parfaite?",
            "Que se passe-t-il quand plusieurs joueurs ont une Frappe Parfaite ?",
        ),
        (
            Text("Rule 7 names one winner.", "La règle 7 désigne un seul gagnant."),
            Text(
                "All exact players are the several winners of a Coup Précis.",
                "Tous les joueurs exacts se partagent un Coup Précis multiple.",
            ),
        ),
    ),
    _ruling(
        "several_exact_bluffer_card",
        "rule 3",
        Text(
            "Where do the bluffer's hidden cards go in a Coup Précis with several winners?",
            "Où vont les cartes cachées du Bluffeur lors d'un Coup Précis à plusieurs gagnants ?",
        ),
        (
            Text("To the discard.", "À la défausse."),
            Text("To the pot.", "À la cagnotte."),
            Text("The bluffer keeps them.", "Le Bluffeur les garde."),
        ),
    ),
    _ruling(
        "spared_with_fusion",
        "rule 5",
        Text("Can L'Épargné save a fusion?", "L'Épargné peut-il sauver une fusion ?"),
        (Text("No, a single hidden card only.", "Non, une seule carte cachée."), Text("Yes.", "Oui.")),
    ),
    _ruling(
        "spared_bluffer_card",
        "rule 5",
        Text(
            "What becomes of the bluffer's hidden cards under L'Épargné?",
            "Que deviennent les cartes cachées du Bluffeur lors d'un Épargné ?",
        ),
        (
            Text("The bluffer keeps them.", "Le Bluffeur les garde."),
            Text("They are discarded.", "Elles sont défaussées."),
        ),
    ),
    _ruling(
        "master_bonus",
        "rule 6",
        Text("Can a Coup de Maître win the pot?", "Un Coup de Maître peut-il rafler la cagnotte ?"),
        (
            Text("No, never.", "Non, jamais."),
            Text(
                "Yes, when no other player shows a card of one of the bluffer's families.",
                "Oui, si aucun autre joueur ne montre une famille du Bluffeur.",
            ),
        ),
    ),
    _ruling(
        "bonus_pot",
        "rule 6",
        Text("Which pot does the bonus win?", "Quelle cagnotte le bonus rafle-t-il ?"),
        (
            Text("The pot with this round's cards.", "La cagnotte avec les cartes du round."),
            Text("The pot as it was before this round.", "La cagnotte telle qu'elle était avant le round."),
        ),
    ),
    _ruling(
        "tie_value",
        "rule 7",
        Text(
            "How do visible cards compare in a tie?",
            "Comment les cartes visibles se comparent-elles en cas d'égalité ?",
        ),
        (
            Text("By the printed value.", "Par la valeur imprimée."),
            Text("By the total: a Shadow counts below 0.", "Par le total : une Shadow compte en négatif."),
        ),
    ),
    _ruling(
        "last_tie",
        "rule 7",
        Text(
            "Who goes first when the visible cards are equal too?",
            "Qui l'emporte si les cartes visibles sont égales aussi ?",
        ),
        (
            Text("The first clockwise from the bluffer.", "Le premier dans le sens horaire après le Bluffeur."),
            Text("Chance decides.", "Le hasard décide."),
        ),
    ),
)

#: In the order of `names.REMOVABLE_RULES`. Whatever is out, players go on choosing as before
#: (docs/games/num_bluff/PLAY.md section 9).
REMOVABLES: tuple[Removable, ...] = (
    Removable(
        "miroir_parfait",
        "rule 1",
        Text("without Miroir Parfait", "sans Miroir Parfait"),
        Text(
            "Whoever mirrors the bluffer has that from no rule: rules 2 to 6 settle the round.",
            "Refléter le Bluffeur ne vaut rien : les règles 2 à 6 tranchent.",
        ),
    ),
    Removable(
        "frappe_parfaite",
        "rule 2",
        Text("without Frappe Parfaite", "sans Frappe Parfaite"),
        Text(
            "An exact player with one family is an exact player like any other: rule 3.",
            "Un joueur exact d'une seule famille est un joueur exact comme un autre : règle 3.",
        ),
    ),
    Removable(
        "coup_precis",
        "rule 3",
        Text("without Coup Précis", "sans Coup Précis"),
        Text(
            "A hit that is no Frappe Parfaite is gap 0 and no more: rules 4 to 6 settle the round. A fusion "
            "with gap 0 does not miss.",
            (
                "Toucher sans Frappe Parfaite n'est qu'un écart de 0 : les règles 4 à 6 tranchent. Une fusion "
                "d'écart 0 ne manque pas."
            ),
        ),
    ),
    Removable(
        "ca_chauffe",
        "rule 4",
        Text("without Ça Chauffe", "sans Ça Chauffe"),
        Text(
            "Nobody is closest: the farthest is the one with the largest gap of all others, and what the "
            "rest hid goes to the pot.",
            (
                "Personne n'est le plus proche : le plus éloigné est celui du plus grand écart, et les autres "
                "cachées vont à la cagnotte."
            ),
        ),
    ),
    Removable(
        "epargne",
        "rule 5",
        Text("without L'Épargné", "sans Épargné"),
        Text(
            "Nobody is spared: rule 6 settles every round that rules 1 to 3 leave.",
            "Personne n'est épargné : la règle 6 tranche tout round que les règles 1 à 3 laissent ouvert.",
        ),
    ),
    Removable(
        "pot",
        "rule 8",
        Text("without the pot", "sans cagnotte"),
        Text(
            "There is no pot: what would go there is discarded, and whoever wins it wins nothing more.",
            "Pas de cagnotte : ce qui devait y aller est défaussé, et qui la gagne ne gagne rien de plus.",
        ),
    ),
    Removable(
        "fusion",
        "T2",
        Text("without fusions", "sans fusions"),
        Text("Everybody hides a single card.", "Chacun cache une seule carte."),
    ),
    Removable(
        "option",
        "rule 3",
        Text("without the option", "sans option"),
        Text(
            "Several winners of a Coup Précis keep their cards; nobody may give them up for a draw.",
            "Les gagnants d'un Coup Précis multiple gardent leurs cartes ; nul ne peut y renoncer pour piocher.",
        ),
    ),
    Removable(
        "lie",
        "T3",
        Text("without lies", "sans mensonges"),
        Text("Every announcement is true.", "Toute annonce est vraie."),
    ),
)
