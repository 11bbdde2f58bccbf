"""Points of a round: cards (R20) and pots (R17-R19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.games.num_bombe.reference.cards import is_numbered_trump, is_trump, value
from tests.games.num_bombe.reference.setup import Rules

POSEUR, COMPLICE, DEMINEUR, NUMX, CIVIL = "poseur", "complice", "demineur", "numx", "civil"


def card_points(pile: Sequence[str], rules: Rules) -> int:
    """Points of the cards of one player; a value in both families counts once."""
    special = {
        "INF": rules.infini_points,
        "NX": rules.numx_points,
        "BOMB": rules.bomb_points,
        "JOK": rules.joker_points,
    }
    numbers = {value(card) for card in pile if is_numbered_trump(card)}
    classics = sum(1 for card in pile if not is_trump(card))
    return sum(numbers) + rules.classic_points * classics + sum(special.get(card, 0) for card in pile)


def bomb_pots(roles: Mapping[str, str], capturer: str, last_trick: bool, rules: Rules) -> dict[str, int]:
    """Points of the pots by player, where the Bomb goes to a pile; `last_trick`: in which it was won."""
    points = dict.fromkeys(roles, 0)
    by_role = {role: player for player, role in roles.items() if role != CIVIL}
    civils = [player for player, role in roles.items() if role == CIVIL]

    def pay(role: str, amount: int) -> None:
        if role in by_role:
            points[by_role[role]] += amount

    taker = roles[capturer]
    if taker == POSEUR:
        pay(POSEUR, rules.pot_main + (0 if last_trick else rules.keep_bonus))
    elif taker == COMPLICE:
        pay(POSEUR, rules.pot_main - rules.pot_main // 2)
        pay(COMPLICE, rules.pot_main // 2)
    elif taker == DEMINEUR:
        pay(DEMINEUR, rules.pot_main)
    elif taker == CIVIL or rules.numx_captures_bomb == "main_to_poseur":
        pay(POSEUR, rules.pot_main)
    elif rules.numx_captures_bomb == "main_to_numx":
        pay(NUMX, rules.pot_main)
    if NUMX in by_role:
        whole = rules.pot_civil_each * len(civils)
        if taker == CIVIL or rules.civil_pot_when_safe == "numx_takes":
            pay(NUMX, whole)
        elif rules.civil_pot_when_safe == "civils_share":
            for player in civils:
                points[player] += rules.pot_civil_each
    return points
