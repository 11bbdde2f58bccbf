"""Cards by their codes: RB8, SH8, FL, FLIP, QT, and the Num-X, which is NX in a hand and NX=0 or NX=17 on the table."""

from __future__ import annotations

#: A card on the table and who laid it.
Play = tuple[str, str]
ACTIONS = ("FL", "FLIP", "QT")
DECLARED = {"NX=0": 0, "NX=17": 17}


def is_number(card: str) -> bool:
    """Whether it is a Rainbow or a Shadow (R3)."""
    return card[:2] in ("RB", "SH")


def value(card: str) -> int | None:
    """What it counts on the table; None for action cards (R13)."""
    return int(card[2:]) if is_number(card) else DECLARED.get(card)


def can_cancel(card: str, other: str, scope: str) -> bool:
    """Whether two cards on the table remove each other (R14): never a Num-X (R4)."""
    if not (is_number(card) and is_number(other)) or value(card) != value(other):
        return False
    return scope == "same_value_any" or card[:2] != other[:2]


def ways_to_lay(card: str) -> list[str]:
    """A card of a hand as it can lie on the table (R4)."""
    return list(DECLARED) if card == "NX" else [card]
