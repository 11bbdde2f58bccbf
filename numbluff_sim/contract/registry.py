"""Where games are found: in the entry-point group `numbluff_sim.games` of installed distributions, this project's own
first. A game of another package needs no file touched here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING

from numbluff_sim.contract.game import Game
from numbluff_sim.errors import ConfigError, nearest_name, one_of, shown_value

if TYPE_CHECKING:
    from numbluff_sim.config.model import Config

GROUP, OWN = "numbluff_sim.games", "numbluff_sim"
DEFAULT_GAME = "num_bluff"
#: Games that were asked for, by name. A test may put a game of its own here, and so may a notebook.
LOADED: dict[str, Game[Config]] = {}


def game(name: object, *, file: str | None = None) -> Game[Config]:
    """The game of a name. Raises ConfigError for a name that is none, and for a game that cannot be loaded."""
    if isinstance(name, str):
        if name in LOADED:
            return LOADED[name]
        # other distributions are looked through only for a name that is not this project's: that takes longer
        found = _shipped().get(name) or _installed().get(name)
        if found is not None:
            return LOADED.setdefault(name, _load(found, file))
    known = names()
    raise ConfigError(
        f"game = {shown_value(name)} is not a game",
        file=file,
        key="game",
        value=name,
        expected=one_of(known),
        nearest=nearest_name(name, known),
    )


def shipped() -> list[str]:
    """The names of this project's own games."""
    return list(_shipped())


def names() -> list[str]:
    """The names of all games: shipped ones, those of other distributions, those put into `LOADED`."""
    return list(dict.fromkeys([*_shipped(), *_installed(), *LOADED]))


@cache
def _shipped() -> dict[str, metadata.EntryPoint]:
    """By name. A source tree may hold the metadata of an earlier installation before that of the present one, so all
    that bear the name are read.
    """
    points = [point for own in metadata.distributions(name=OWN) for point in own.entry_points if point.group == GROUP]
    if not points:
        raise ConfigError(
            f"games are found through installed packages, and {OWN} is not installed as one",
            expected="an installation of this project, such as `pip install -e .` makes",
        )
    return _first_of_a_name(points)


@cache
def _installed() -> dict[str, metadata.EntryPoint]:
    """By name; of two distributions that name one game alike, the first on the path."""
    return _first_of_a_name(metadata.entry_points(group=GROUP))


def _first_of_a_name(points: Iterable[metadata.EntryPoint]) -> dict[str, metadata.EntryPoint]:
    found: dict[str, metadata.EntryPoint] = {}
    for point in points:
        found.setdefault(point.name, point)
    return found


def _load(point: metadata.EntryPoint, file: str | None) -> Game[Config]:
    """The game of an entry point. Raises ConfigError: whatever is wrong lies in the package that brings it."""
    package = point.dist.name if point.dist is not None else point.module

    def refused(problem: str) -> ConfigError:
        return ConfigError(
            f'the game "{point.name}" of the package {package} cannot be used: {problem}',
            file=file,
            key="game",
            value=point.name,
            expected=f"an entry point {point.name} = {point.value} that names a numbluff_sim.contract.game.Game",
        )

    try:
        found = point.load()
    except Exception as error:
        raise refused(f"{type(error).__name__}: {error}") from error
    if not isinstance(found, Game):
        raise refused(f"it is {shown_value(found)}")
    if found.name != point.name:
        raise refused(f'it calls itself "{found.name}"')
    return found
