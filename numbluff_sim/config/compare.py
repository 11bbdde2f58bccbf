"""What differs between two configurations, key by key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numbluff_sim.config.model import Config


@dataclass(frozen=True)
class Difference:
    """A dotted key with its value on both sides: None where a side does not have it, a whole table where the other
    side has none of it.
    """

    key: str
    before: Any
    after: Any


def differences(before: Config, after: Config) -> list[Difference]:
    """Every key whose value differs, in the order of the configurations; families and the like go by their name
    (`deck.rainbow.reach`).
    """
    return list(_differences(_by_name(before), _by_name(after), ()))


def _by_name(config: Config) -> dict[str, Any]:
    """The resolved configuration with each named list as its names and a table a name."""
    data = config.resolved()
    for path, key in config.named_lists.items():
        table = data
        for step in path:
            table = table[step]
        entries = table[key]
        table[key] = [entry["name"] for entry in entries]
        table.update({entry["name"]: {k: v for k, v in entry.items() if k != "name"} for entry in entries})
    return data


def _differences(before: dict[str, Any], after: dict[str, Any], path: tuple[str, ...]) -> Iterator[Difference]:
    for key in dict.fromkeys([*before, *after]):
        a, b = before.get(key), after.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            yield from _differences(a, b, (*path, key))
        elif a != b:
            yield Difference(".".join((*path, key)), a, b)


def telling(changes: Sequence[Difference]) -> tuple[Difference, ...]:
    """The changes that the others do not follow from: no table that comes or goes with the list that names it (a
    persona with the seats), no list that only grows or shrinks with another key (the seats with the players).
    """
    own = tuple(change for change in changes if not isinstance(change.before or change.after, dict)) or tuple(changes)
    return tuple(change for change in own if not _resized(change)) or own


def _resized(change: Difference) -> bool:
    before, after = change.before, change.after
    return isinstance(before, list | tuple) and isinstance(after, list | tuple) and len(before) != len(after)
