"""Ways of playing and what can be varied in them: the parameters that a search moves, with their bounds."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal

from numbluff_sim.contract.game import C
from numbluff_sim.contract.rules import Value
from numbluff_sim.i18n import Bilingual

if TYPE_CHECKING:
    from pydantic import BaseModel

Kind = Literal["real", "whole", "choice"]


@dataclass(frozen=True)
class Parameter:
    """One key of a persona that may be varied while the others stay.

    `key`: dotted, within the persona ("weights.gap"). "real" and "whole" parameters go from `low` to `high` (both
    included), a "choice" is one of `choices`. `unit`: what a step of 1 is ("points", "rounds", "chance", ...).
    """

    key: str
    kind: Kind
    unit: str
    meaning: str
    low: float = 0.0
    high: float = 0.0
    choices: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Habit:
    """Something that a player does or leaves, and what it is held against: keys of a persona with their values
    ({"lies.total": 1.0}), none where the player stays as it is. `says`: what it does rather than what, in a few words.
    """

    name: str
    does: Mapping[str, object]
    rather_than: Mapping[str, object]
    says: Bilingual


@dataclass(frozen=True)
class Company:
    """How all the others at a table play: keys laid over their personas, none where they stay as they are."""

    name: str
    keys: Mapping[str, object]
    says: Bilingual


@dataclass(frozen=True)
class Ways(Generic[C]):
    """How a game can be played.

    `parameters(config, persona)`: what can be varied in one of the configuration's personas, in order, each within
    bounds that make a valid configuration while the others stay as they are. `restrictions`: play that gives something
    up, by name, as keys of a persona with their values ({"may_fuse": False}). `starts`: shipped personas that a search
    may begin with. `habits`: what is asked of one player at a time, with the others as they are and as each of
    `companies` (`numbluff what-if-one`).
    """

    parameters: Callable[[C, str], tuple[Parameter, ...]]
    restrictions: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    starts: tuple[str, ...] = ()
    habits: tuple[Habit, ...] = ()
    companies: tuple[Company, ...] = ()


def parameters_of(model: type[BaseModel], about: Mapping[str, tuple[str, str]]) -> tuple[Parameter, ...]:
    """The parameters of a persona's schema, in its order, as far as `about` has their (unit, meaning) by dotted key.

    Kinds, bounds and choices are those of the schema's fields; one without bounds gets infinite ones.
    """
    return tuple(
        Parameter(key, kind, *about[key], low=low, high=high, choices=choices)
        for key, kind, low, high, choices in _fields(model, "")
        if key in about
    )


def _fields(model: type[BaseModel], prefix: str) -> list[tuple[str, Kind, float, float, tuple[Value, ...]]]:
    found: list[tuple[str, Kind, float, float, tuple[Value, ...]]] = []
    for name, info in model.model_fields.items():
        key, annotation = prefix + name, info.annotation
        bounds = {
            side: limit
            for entry in info.metadata
            for side, limit in (("low", getattr(entry, "ge", None)), ("high", getattr(entry, "le", None)))
            if limit is not None
        }
        low, high = float(bounds.get("low", "-inf")), float(bounds.get("high", "inf"))
        if annotation is bool:
            found.append((key, "choice", 0.0, 0.0, (False, True)))
        elif annotation in (int, float):
            found.append((key, "whole" if annotation is int else "real", low, high, ()))
        elif typing.get_origin(annotation) is Literal:
            found.append((key, "choice", 0.0, 0.0, typing.get_args(annotation)))
        elif isinstance(annotation, type) and hasattr(annotation, "model_fields"):
            found += _fields(annotation, f"{key}.")
    return found
