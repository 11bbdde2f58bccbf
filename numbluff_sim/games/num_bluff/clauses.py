"""Registry of the rules: every clause by its identifier, as this program plays it."""

from __future__ import annotations

from numbluff_sim.contract.rules import Clause

CARDS, SETUP, ROUND, RESOLUTION, SCORE = "Cards", "Set-up and rotation", "A round", "Resolution", "Score"

CLAUSES: tuple[Clause, ...] = (
    Clause(
        "C1",
        CARDS,
        "stated",
        "The deck: rouge, vert, bleu, jaune (the classic families), Rainbow and Shadow, each with one card "
        "of every value from 0 to 16: 102 "
        "cards.",
    ),
    Clause(
        "C2",
        CARDS,
        "stated",
        (
            "A classic X counts X; a Rainbow X anything from X to X+3; a Shadow X anything from -X up to -X+3, "
            "but never above 0."
        ),
    ),
    Clause(
        "C3",
        CARDS,
        "consequence",
        "Every card is a printed total (X, or -X for a Shadow) and an upward slack; a set of cards reaches "
        "each integer from the sum of its "
        "printed totals to that sum plus its slacks.",
    ),
    Clause(
        "C4", CARDS, "stated", "Where families are compared, Rainbow is alike to Rainbow only, and Shadow to Shadow."
    ),
    Clause(
        "C5",
        CARDS,
        "stated",
        "Nobody chooses which total an adjusting card counts: it is the one that serves its owner best.",
    ),
    Clause("C6", CARDS, "ruling", "Which cards adjust."),
    Clause("C7", CARDS, "reading", "What serves a player best is the smallest gap to the bluffer's total."),
    Clause("C8", CARDS, "ruling", "Which total the bluffer's cards count."),
    Clause(
        "C9",
        CARDS,
        "reading",
        (
            "An announced total is true when it is the printed total of the bluffer's visible and hidden cards, "
            "whatever adjusts later."
        ),
    ),
    Clause("S1", SETUP, "stated", "Three to six players start with three cards each and an empty pot (the cagnotte)."),
    Clause(
        "S2",
        SETUP,
        "stated",
        "The bluffer changes every round, seat by seat clockwise from seat 0 (reading); a game lasts until "
        "everybody has been it three times. "
        "Nobody drops out.",
    ),
    Clause("T1", ROUND, "stated", "Each player draws a card and lays it open: the visible card."),
    Clause(
        "T2",
        ROUND,
        "stated",
        "Each player hides one card of the hand, or two of one family as a fusion; the card just drawn stays "
        "out of it. A fusion adds up its two "
        "cards, each with its own slack, leaves the hand in any case and makes no Miroir Parfait. Ruling: "
        "what a fusion is worth that misses.",
    ),
    Clause(
        "T3",
        ROUND,
        "stated",
        "The bluffer hides first, then names a total and the family hidden; one of the two may be false, never both.",
    ),
    Clause(
        "T4", ROUND, "stated", "The others hide next. They know all visible cards, the announcement and their own hand."
    ),
    Clause("T5", ROUND, "stated", "All hidden cards are turned up, and the real total of the bluffer decides."),
    Clause(
        "T6",
        ROUND,
        "stated",
        "Visible cards go back to the hands, except from under a Miroir Parfait; hidden cards do not. A hand "
        "shrinks by a fusion or a Miroir "
        "Parfait suffered and grows by the option of a Coup Précis. Ruling: whether a fusion is made up for by a draw.",
    ),
    Clause("T7", ROUND, "ruling", "What an empty hand plays."),
    Clause(
        "T8",
        ROUND,
        "ruling",
        "What happens when too few cards are left for all to draw. It is looked at before visible cards are "
        "drawn, and a new pile leaves hands "
        "and pot alone; if even that cannot serve everybody, the game ends before the round.",
    ),
    Clause("T9", ROUND, "ruling", "Whether the bluffer may fuse."),
    Clause(
        "T10",
        ROUND,
        "reading",
        "Draws inside a round come from the bottom of the pile, so that later visible cards stay what they "
        "are. An option needs a card in the "
        "pile; on a dry pile an empty hand plays its visible card alone and a refill is left out.",
    ),
    Clause(
        "rule 1",
        RESOLUTION,
        "stated",
        "Miroir Parfait: a player's visible and hidden card are classic and pair up with the bluffer's two "
        "in families and in values. They win "
        "every other card on the table, their own hidden one and the pot, and only they take their visible card back.",
    ),
    Clause(
        "rule 2",
        RESOLUTION,
        "stated",
        "Frappe Parfaite: gap 0 with visible and hidden of one family. Wins all hidden cards and the pot. "
        "Rulings: fusions, adjusted totals, "
        "several at once.",
    ),
    Clause(
        "rule 3",
        RESOLUTION,
        "stated",
        "Coup Précis: gap 0 otherwise. A single winner takes all hidden cards; of several each keeps their "
        "own, the losers' go to the pot, and "
        "each may give up theirs to the pot for a card more in hand. A hit is natural (one card, printed "
        "total), else a fusion, else an "
        "adjustment (reading). Ruling: where the bluffer's cards go.",
    ),
    Clause(
        "rule 4", RESOLUTION, "stated", "Ça Chauffe: nobody hit, so whoever has the smallest gap keeps what they hid."
    ),
    Clause(
        "rule 5",
        RESOLUTION,
        "stated",
        "L'Épargné: of the remaining players the one with the largest gap shows one family in visible and "
        "hidden, and keeps what they hid. "
        "Rulings: fusions, the bluffer's cards.",
    ),
    Clause(
        "rule 6",
        RESOLUTION,
        "stated",
        "Coup de Maître: otherwise the bluffer takes what they hid and what the farthest hid, and with the "
        "bonus the pot: when no other player "
        "shows a card of a family of the bluffer's (reading). Rulings: whether there is a bonus, and which "
        "pot it wins.",
    ),
    Clause(
        "rule 7",
        RESOLUTION,
        "stated",
        "A tie goes to the smaller visible card. Rulings: how a Shadow compares, and what settles equal ones.",
    ),
    Clause(
        "rule 8",
        RESOLUTION,
        "stated",
        "The pot gets what players hid who are neither bluffer, closest nor farthest, the losers of a Coup "
        "Précis with several winners, and what "
        "is given up for the option. What is left in it at the end is nobody's.",
    ),
    Clause(
        "5",
        SCORE,
        "stated",
        (
            "The sum of the printed values of all cards won; the highest wins, equal ones share the win "
            "(reading). Hands count nothing."
        ),
    ),
)
