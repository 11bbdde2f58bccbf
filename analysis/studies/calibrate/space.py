"""The space of a calibration: rulings, their answers, and assignments of answers to rulings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, nearest_name, shown_value

Answer = str | bool
#: One answer a ruling, as its number among that ruling's answers; 0 is the configuration's own.
Assignment = tuple[int, ...]
#: A ruling's number and that of another answer than the configuration's own.
Flip = tuple[int, int]


@dataclass(frozen=True)
class Space:
    """The rulings that vary and their answers, the configuration's own answer first."""

    names: tuple[str, ...]
    answers: tuple[tuple[Answer, ...], ...]

    @classmethod
    def of(cls, config: Config, chosen: Sequence[str] | None = None) -> Space:
        """The rulings of a configuration's game, all or the chosen ones. Raises ConfigError for a name that is none."""
        rulings = {ruling.name: ruling for ruling in game(config.game).rules.rulings}
        for name in chosen or ():
            if name not in rulings:
                raise ConfigError(
                    f'"{name}" is not a ruling',
                    file="--rulings",
                    key="rulings",
                    value=name,
                    expected=f"some of {', '.join(rulings)}",
                    nearest=nearest_name(name, rulings),
                )
        own = config.resolved()["rules"]
        names = tuple(name for name in rulings if chosen is None or name in chosen)
        answers = [(own[name], *(answer for answer in rulings[name].values if answer != own[name])) for name in names]
        return cls(names, tuple(answers))

    @property
    def combinations(self) -> int:
        """Number of assignments."""
        return math.prod(map(len, self.answers))

    @property
    def reference(self) -> Assignment:
        """The configuration's own answers."""
        return (0,) * len(self.names)

    def flips(self) -> list[Flip]:
        """Every change of one ruling."""
        return [(i, k) for i, answers in enumerate(self.answers) for k in range(1, len(answers))]

    def contexts(self) -> list[tuple[Flip, ...]]:
        """What is played to see what rulings can do: no change, every change of one ruling, every change of two."""
        pairs = [(f, g) for f, g in itertools.combinations(self.flips(), 2) if f[0] != g[0]]
        return [(), *((flip,) for flip in self.flips()), *pairs]

    def changed(self, flips: Sequence[Flip]) -> Assignment:
        """The configuration's own answers with some changes."""
        changes = dict(flips)
        return tuple(changes.get(i, 0) for i in range(len(self.names)))

    def rules(self, assignment: Assignment) -> dict[str, Answer]:
        """The answers of an assignment by ruling."""
        return {name: answers[k] for name, answers, k in zip(self.names, self.answers, assignment, strict=True)}

    def changes(self, assignment: Assignment) -> dict[str, Answer]:
        """The answers that are not the configuration's own."""
        return {name: answers[k] for name, answers, k in zip(self.names, self.answers, assignment, strict=True) if k}


def in_words(changes: Mapping[str, Answer]) -> str:
    """Answers as they stand in a configuration file."""
    return ", ".join(f"{name} = {shown_value(answer)}" for name, answer in changes.items())
