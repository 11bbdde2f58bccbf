"""One change to a configuration, as the lists of what-ifs hold it. Knows no game; each game lists its own
(`Game.changes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A sentence or a label in both languages."""

    en: str
    fr: str


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
    label: Text
