"""Variants: whole configurations named by what sets them apart from a base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from numbluff_sim.config import Config
from numbluff_sim.config.compare import Difference, differences
from numbluff_sim.errors import shown_value

#: Keys of `run` that a comparison takes from its base alone.
OF_THE_BASE = ("games", "threads", "batch", "rows", "detail_every")


@dataclass(frozen=True)
class Variant:
    """A configuration to be held against a base: `changes` are the keys that differ.

    `kind` and `labels` (by language) are those of the game's list that it comes from, if any.
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
    return Variant(name or named_after(changes), config, changes, kind, labels)


def named_after(changes: tuple[Difference, ...]) -> str:
    """Changes in one line: "table.hand_size = 4, rules.wild_adjusts = "both"". Lists that change with another key (a
    seat's persona) are left out.
    """
    return ", ".join(f"{change.key} = {shown_value(change.after)}" for change in telling(changes)) or "no change"


def telling(changes: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """The changes without lists, unless there is nothing else."""
    return tuple(change for change in changes if not isinstance(change.before, list | tuple)) or changes
