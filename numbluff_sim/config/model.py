"""What every game's configuration has: frozen sections, how a run is made, a digest."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from numbluff_sim.errors import ConfigError, nearest_name, one_of, shown_value

#: Keys of `run` that do not change what a game is: they stay out of the digest.
NOT_IN_DIGEST = ("games", "threads", "batch", "rows")


def cores() -> int:
    """Cores this process may use, at most the most threads a run can have."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, 256)


def one_or_many(value: Any) -> Any:
    """A single text or number as the list of it."""
    return [value] if isinstance(value, str | int) and not isinstance(value, bool) else value


def in_order(names: Sequence[str]) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    """A validator that puts a list of some of the names into their order."""
    return lambda chosen: tuple(sorted(chosen, key=names.index))


class Section(BaseModel):
    """One table of a configuration: frozen, no unknown keys, no conversions between types, no infinities."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class RunSection(Section):
    """How many games are played, which ones, and what is written."""

    games: int = Field(100_000, ge=1, le=10**11)
    seed: int = Field(1, ge=0, le=2**63 - 1)
    threads: int = Field(default_factory=cores, ge=1, le=256)
    batch: int = Field(65536, ge=64, le=10**7)
    #: "none", or one of the game's grains (`Game.grains`), which brings the coarser ones.
    rows: str = "none"
    detail_every: int = Field(64, ge=1, le=10**9)


class Config(Section):
    """A game's whole configuration; each game's schema is a subclass with the sections of its own."""

    game: str
    run: RunSection = Field(default_factory=RunSection)

    #: Tables whose entries may also be addressed by name: path of the table -> its key that holds the list of named
    #: tables.
    named_lists: ClassVar[dict[tuple[str, ...], str]] = {}

    @property
    def players(self) -> int:
        """Number of seats."""
        raise NotImplementedError

    @property
    def rounds(self) -> int:
        """Number of rounds of a game that is not cut short."""
        raise NotImplementedError

    @property
    def seating(self) -> Mapping[str, tuple[int, ...]]:
        """Who sits where: the seats (from 0) of every persona, in the order of the seats."""
        return {}

    @property
    def mixed_seating(self) -> Mapping[str, tuple[int, ...]]:
        """`seating` where not all seats play the same, else nothing: what one seat gets more than another is then the
        persona's as well as the seat's.
        """
        return {}

    def canonical(self) -> Self:
        """The same configuration in its one form: what cannot be seen in a game is gone."""
        return self

    def resolved(self) -> dict[str, Any]:
        """Everything, as JSON-able data; `restore` rebuilds the configuration from it."""
        return self.model_dump(mode="json")

    def digest(self) -> str:
        """16 hexadecimal digits that change with anything that can change a game (not with games, threads, batch,
        rows).
        """
        data = self.resolved()
        data["run"] = {k: v for k, v in data["run"].items() if k not in NOT_IN_DIGEST}
        return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]


class PlaySection(Section):
    """Who sits where: one persona's name a seat, from seat 0, or one for all."""

    seats: tuple[str, ...] = Field(strict=False, min_length=1)

    @field_validator("seats", mode="before")
    @classmethod
    def _one_for_all(cls, seats: Any) -> Any:
        return [seats] if isinstance(seats, str) else seats


def seating_of(seats: Sequence[str]) -> Mapping[str, tuple[int, ...]]:
    """Who sits where, from the persona's name of every seat: seats (from 0) by persona, in the order of the seats."""
    return {name: tuple(p for p, sits in enumerate(seats) if sits == name) for name in dict.fromkeys(seats)}


class SeatedConfig(Config):
    """A configuration whose seats are played by personas. The game's schema has the fields `play` and `personas` in
    their place among its own.
    """

    if TYPE_CHECKING:
        play: PlaySection
        personas: dict[str, Any]

    @property
    def seats(self) -> tuple[str, ...]:
        """The persona's name of every seat."""
        return self.play.seats * self.players if len(self.play.seats) == 1 else self.play.seats

    @property
    def seat_personas(self) -> tuple[Any, ...]:
        """The persona of every seat."""
        return tuple(self.personas[name] for name in self.seats)

    @property
    def seating(self) -> Mapping[str, tuple[int, ...]]:
        """Who sits where."""
        return seating_of(self.seats)

    @property
    def mixed_seating(self) -> Mapping[str, tuple[int, ...]]:
        """`seating`, but nothing where all personas are the same but for their names."""
        first, *others = (self.personas[name] for name in self.seating)
        return self.seating if any(other != first for other in others) else {}

    @model_validator(mode="after")
    def _seated(self) -> Self:
        """Raises ConfigError unless every seat, or all alike, are played by personas that there are."""
        seats, expected, nearest = self.play.seats, "", None
        unknown = next((name for name in seats if name not in self.personas), None)
        if unknown is not None:
            why, expected = f'names no persona: "{unknown}"', one_of(self.personas)
            nearest = nearest_name(unknown, self.personas)
        elif len(seats) not in (1, self.players):
            why = f"has {len(seats)} names"
            expected = f"one name for all or {self.players}, one a seat (table.players = {self.players})"
        else:
            return self
        raise ConfigError(
            f"play.seats = {shown_value(seats)} {why}",
            key="play.seats",
            value=seats,
            path=("play", "seats"),
            expected=expected,
            nearest=nearest,
        )

    def canonical(self) -> Self:
        """One name a seat, and no personas but those seated."""
        return self.model_copy(
            update={
                "play": PlaySection(seats=self.seats),
                "personas": {name: self.personas[name] for name in sorted(set(self.seats))},
            }
        )
