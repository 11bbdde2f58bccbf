"""Registry of the rules: every clause by its identifier, as this program plays it."""

from __future__ import annotations

from numbluff_sim.contract.rules import Clause

TABLE, BIDDING, CHALLENGE, OPENER, PALIFICO, CUPS = (
    "Table",
    "Bidding",
    "Challenge",
    "Who opens next",
    "Palifico",
    "Cups and dice",
)

CLAUSES: tuple[Clause, ...] = (
    Clause(
        "R1",
        TABLE,
        "base",
        "Two to six players with five dice each under a cup of their own; faces 1 to 5 and a star in place "
        "of the 6. The last one with dice "
        "wins.",
    ),
    Clause("R2", BIDDING, "stated", "All players roll all their dice in secret."),
    Clause(
        "R3",
        BIDDING,
        "base",
        (
            "The opener must bid: a quantity and a face, a number or the star. Ruling: whether a round may open "
            "with stars."
        ),
    ),
    Clause(
        "R4",
        BIDDING,
        "base",
        "Then in turn to the left: raise, or challenge the bid before. Nobody passes, nobody challenges out of turn.",
    ),
    Clause("R5", BIDDING, "ruling", "The order of the bids; on one field the higher face is higher."),
    Clause(
        "R6", BIDDING, "base", "A raise goes to a higher face on the same field or to any later field with any face."
    ),
    Clause("R20", BIDDING, "ruling", "The highest quantity. Who has no raise left must challenge."),
    Clause(
        "R8",
        CHALLENGE,
        "stated",
        "All dice that show the face of the bid count, and stars, too, when that is a number.",
    ),
    Clause(
        "R9",
        CHALLENGE,
        "stated",
        "With as many dice as bid or more the challenger loses a die. Ruling: one, or as many as in Bluff.",
    ),
    Clause(
        "R10",
        CHALLENGE,
        "stated",
        "With fewer dice than bid the bidder loses a die. Ruling: one, or as many as in Bluff.",
    ),
    Clause("R11", CHALLENGE, "base", "Who has no dice is out."),
    Clause("R12", OPENER, "ruling", "Who opens when nobody was put out."),
    Clause(
        "R13",
        OPENER,
        "stated",
        "After an elimination the player on the left of who is out opens (the document's house rule; ruling).",
    ),
    Clause(
        "R14",
        OPENER,
        "stated",
        "When three players become two, the one with fewer dice opens; from then on who lost a die does. "
        "Rulings: whether this holds, and who "
        "opens with equal dice.",
    ),
    Clause(
        "R15",
        PALIFICO,
        "stated",
        "Who comes down to one die is Palifico in the next round and opens it; once a game at most, and "
        "never in a round after an elimination. "
        "Rulings: whether at all, and whether with two players left.",
    ),
    Clause("R16", PALIFICO, "stated", "The Palifico may open with any bid, stars included."),
    Clause("R17", PALIFICO, "stated", "Stars stand for no other face in this round. Ruling: whether they can be bid."),
    Clause(
        "R18",
        PALIFICO,
        "stated",
        "The others may not change the face, but for players with one die, who follow the usual order; a new "
        "face binds those after them. Ruling: "
        "whether the Palifico may when the turn comes back.",
    ),
    Clause(
        "R19",
        CUPS,
        "stated",
        (
            "Cups are lifted one by one, the bidder's first, until the bid is proved; a false bid takes all of "
            "them. Ruling: which way round."
        ),
    ),
    Clause(
        "R21",
        CUPS,
        "reading",
        "Losses are open, so everybody knows how many dice each player has; no player here forgets.",
    ),
    Clause(
        "R22",
        CUPS,
        "reading",
        (
            "Dice are not set out and rolled again, and nobody can call a bid exact: extras of Bluff that the "
            "document leaves out."
        ),
    ),
)
