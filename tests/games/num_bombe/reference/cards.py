"""Cards by their codes: ROU9 and the other colours, RB9, SH9, INF, NX, BOMB, JOK."""

from __future__ import annotations

#: A card on the table and who laid it.
Play = tuple[str, str]
#: What trumps are followed as.
TRUMP = "trump"
SPECIALS = ("INF", "NX", "BOMB", "JOK")


def is_numbered_trump(card: str) -> bool:
    """Whether it is a Rainbow or a Shadow."""
    return card[:2] in ("RB", "SH")


def is_trump(card: str) -> bool:
    """Whether it can cut (R7), the Joker and the Bomb too."""
    return card in SPECIALS or is_numbered_trump(card)


def is_real_trump(card: str) -> bool:
    """Whether it beats the Bomb and every classic (R13)."""
    return is_numbered_trump(card) or card in ("INF", "NX")


def colour(card: str) -> str:
    """The colour of a classic, or TRUMP."""
    return TRUMP if is_trump(card) else card[:3]


def value(card: str) -> int:
    """The number on a classic, a Rainbow or a Shadow."""
    return int(card[2:] if is_numbered_trump(card) else card[3:])


def strength(card: str, led: str) -> tuple[int, int]:
    """Its place among the cards of a trick (R13), (0, 0) for one that cannot win."""
    if is_numbered_trump(card):
        return 3, value(card)
    if card in SPECIALS:
        return {"NX": 5, "INF": 4, "BOMB": 2, "JOK": 0}[card], 0
    return (1, value(card)) if colour(card) == led else (0, 0)
