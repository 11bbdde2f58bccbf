"""What a game of NUM-King depends on: deck and rulings, with the names that a configuration uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.common.written_cases import FromTable

#: What each ruling may be; its usual answer stands first.
ALTERNATIVES: dict[str, tuple[Any, ...]] = {
    "cancel_scope": ("rb_sh", "same_value_any"),
    "beat_reference": ("live_max", "played_max"),
    "beat_actions_exempt": (True, False),
    "numx_obligation": ("free", "as_17"),
    "cancel_target": ("any_live", "highest_only"),
    "flip_obligation": ("unchanged", "reversed", "suspended"),
    "flash_obligation": ("unchanged", "suspended"),
    "quantum_no_match": ("no_winner", "ignore_parity"),
    "flip_stack": ("idempotent", "toggle"),
    "same_value_tie": ("first", "last"),
    "flash_leader_pool": ("live", "raw"),
    "nowin_leader": ("opener", "highest_live"),
    "next_leader": ("winner", "highest_live"),
    "streak_mode": ("per_round", "once_longest", "per_series"),
    "streak8_mode": ("cumulative", "flat10"),
}


@dataclass(frozen=True)
class Rules(FromTable):
    """The rulings."""

    cancel_scope: str = "rb_sh"
    beat_reference: str = "live_max"
    beat_actions_exempt: bool = True
    numx_obligation: str = "free"
    cancel_target: str = "any_live"
    flip_obligation: str = "unchanged"
    flash_obligation: str = "unchanged"
    quantum_no_match: str = "no_winner"
    flip_stack: str = "idempotent"
    same_value_tie: str = "first"
    flash_leader_pool: str = "live"
    nowin_leader: str = "opener"
    next_leader: str = "winner"
    streak_mode: str = "per_round"
    streak8_mode: str = "cumulative"


@dataclass(frozen=True)
class Deck(FromTable):
    """How many of which cards there are."""

    rs_min: int = 1
    rs_max: int = 16
    copies_rs: int = 1
    n_flash: int = 1
    n_numx: int = 1
    n_flip: int = 1
    n_quantum: int = 1

    def cards(self) -> list[str]:
        """Every card's code, copies one after the other."""
        numbers = [
            f"{family}{value}"
            for family in ("RB", "SH")
            for value in range(self.rs_min, self.rs_max + 1)
            for _ in range(self.copies_rs)
        ]
        actions = (("FL", self.n_flash), ("NX", self.n_numx), ("FLIP", self.n_flip), ("QT", self.n_quantum))
        return numbers + [code for code, count in actions for _ in range(count)]
