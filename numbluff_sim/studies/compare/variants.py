"""Variants: whole configurations named by what sets them apart from a base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numbluff_sim.config import Config
from numbluff_sim.config.compare import Difference, differences, telling
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import shown_value
from numbluff_sim.i18n.catalogue import LANGUAGES

#: Keys of `run` that a comparison takes from its base alone.
OF_THE_BASE = ("games", "threads", "batch", "rows", "detail_every")


@dataclass(frozen=True)
class Variant:
    """A configuration to be held against a base: `changes` are the keys that differ.

    `labels`: what it is called, by language; `kind`: that of the game's list that it comes from, if any.
    """

    name: str
    config: Config
    changes: tuple[Difference, ...] = ()
    kind: str = ""
    labels: Mapping[str, str] | None = None

    def label(self, language: str) -> str:
        """What it is called on a page."""
        return (self.labels or {}).get(language, self.name)


def variant(
    base: Config, config: Config, name: str | None = None, *, kind: str = "", labels: Mapping[str, str] | None = None
) -> Variant:
    """A variant of `base`, named after what it changes if no name is given. It is played as often as the base, on as
    many threads.
    """
    run = config.run.model_copy(update={key: getattr(base.run, key) for key in OF_THE_BASE})
    config = config.model_copy(update={"run": run})
    changes = tuple(differences(base, config))
    if name is None:
        values = {change.key: change.after for change in telling(changes)}
        name, labels = _named(values), _labels(base.game, values)
    return Variant(name, config, changes, kind, labels)


def set_apart(base: Config, config: Config, said: Mapping[str, Any]) -> Variant:
    """A variant named after the keys that were set, all of them, in the words of the game's rule book where it has
    some.
    """
    return variant(base, config, _named(said), labels=_labels(base.game, said))


def _named(values: Mapping[str, Any]) -> str:
    """Keys in one line: "table.hand_size = 4, rules.wild_adjusts = "both""."""
    return ", ".join(f"{key} = {shown_value(value)}" for key, value in values.items()) or "no change"


def _labels(game_name: str, values: Mapping[str, Any]) -> dict[str, str]:
    """The same by language: answers to rulings as they stand in the rule book."""
    settings = [(game(game_name).rules.setting(key, value), _named({key: value})) for key, value in values.items()]
    return {
        language: ", ".join(name if words is None else words.in_language(language) for words, name in settings)
        or "no change"
        for language in LANGUAGES
    }
