"""What a round of the Bomb game depends on: deck, rulings and points, with the names that a configuration uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.common.written_cases import FromTable

#: What each ruling may be; its usual answer stands first.
ALTERNATIVES: dict[str, tuple[Any, ...]] = {
    "bomb_return": ("pile", "hand"),
    "civil_pot_when_safe": ("civils_share", "numx_takes", "nobody"),
    "numx_captures_bomb": ("main_to_poseur", "main_to_numx", "nobody"),
    "pair_capture": ("auto", "off"),
    "cut_obligation": ("all_trumps", "real_then_joker", "classic_first", "no_bomb", "real_only"),
    "joker_lead": ("trump_lead", "next_sets_suit", "forbidden_unless_forced"),
    "role_assignment": ("role_cards", "random_deal"),
}


@dataclass(frozen=True)
class Rules(FromTable):
    """The rulings, and what cards and pots are worth."""

    bomb_return: str = "pile"
    civil_pot_when_safe: str = "civils_share"
    numx_captures_bomb: str = "main_to_poseur"
    pair_capture: str = "auto"
    cut_obligation: str = "all_trumps"
    joker_lead: str = "trump_lead"
    role_assignment: str = "role_cards"
    keep_bonus: int = 20
    pot_main: int = 40
    pot_civil_each: int = 10
    classic_points: int = -1
    infini_points: int = 20
    numx_points: int = 0
    bomb_points: int = 0
    joker_points: int = 0


@dataclass(frozen=True)
class Deck(FromTable):
    """Which cards there are, role cards (BOMB, JOK, NX) aside."""

    families: tuple[str, ...] = ("ROU", "VER", "BLE", "JAU")
    classic_min: int = 0
    classic_max: int = 16
    rs_min: int = 0
    rs_max: int = 16
    n_infini: int = 1

    def cards(self) -> list[str]:
        """Every card's code."""
        classics = range(self.classic_min, self.classic_max + 1)
        numbers = range(self.rs_min, self.rs_max + 1)
        return [
            *(f"{family}{value}" for family in self.families for value in classics),
            *(f"{family}{value}" for family in ("RB", "SH") for value in numbers),
            *["INF"] * self.n_infini,
        ]
