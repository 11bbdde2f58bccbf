"""One change to a configuration, as the lists of what-ifs hold it: other answers to rulings, and what a game lists of
its own (`Game.changes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numbluff_sim.contract.rules import RuleBook, Ruling, Value
from numbluff_sim.i18n import Bilingual

if TYPE_CHECKING:
    from numbluff_sim.config.model import Config


@dataclass(frozen=True)
class Change:
    """A configuration's difference from another one.

    `kind`: what it is one of (a ruling's name, "card", "family", "rule"); `name`: its own name within the list, the
    same in every language; `overrides`: dotted keys to lay over the configuration with `numbluff_sim.config.load`,
    which may refuse what is then no game any more; `label`: a few words for a row of a figure.
    """

    kind: str
    name: str
    overrides: Mapping[str, object]
    label: Bilingual


def rulings(config: Config, book: RuleBook) -> list[Change]:
    """Every answer to every ruling of the game's book that is not the configuration's own, in the book's order."""
    own = config.model_dump()["rules"]
    return [answered(ruling, value) for ruling in book.rulings for value in ruling.values if value != own[ruling.name]]


def answered(ruling: Ruling, value: Value, kind: str | None = None) -> Change:
    """Another answer to a ruling; `kind`: what it is listed under, its name unless told."""
    return Change(
        kind or ruling.name,
        f"{ruling.name}={str(value).lower()}",
        {f"rules.{ruling.name}": value},
        ruling.answer(value).label,
    )
