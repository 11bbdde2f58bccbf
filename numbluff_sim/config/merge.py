"""Layers of configuration data laid over each other, remembering which file said what."""

from __future__ import annotations

import copy
from typing import Any

from numbluff_sim.errors import ConfigError, nearest_name, one_of, shown_value

Path = tuple[str | int, ...]
NamedLists = dict[tuple[str, ...], str]


class Layers:
    """Data merged from layers, lowest first. Tables merge key by key, everything else replaces.

    `named_lists` maps the path of a table to its key that holds a list of named tables: `deck.rainbow.reach` then
    addresses the entry named rainbow of `deck.families`.
    """

    def __init__(self, named_lists: NamedLists) -> None:
        self.data: dict[str, Any] = {}
        self.named_lists: dict[Path, str] = dict(named_lists.items())
        self._origins: dict[Path, str] = {}

    def add(self, layer: dict[str, Any], origin: str) -> None:
        """Lay `layer` over what is there. Raises ConfigError when it addresses an entry by a name that does not
        exist.
        """
        self._merge(self.data, layer, origin, ())

    def _merge(self, into: dict[str, Any], layer: dict[str, Any], origin: str, path: Path) -> None:
        list_key = self.named_lists.get(path)
        if list_key in layer:  # a new list first: the same layer may then adjust it by name
            layer = {list_key: layer[list_key], **layer}
        for key, value in layer.items():
            if list_key is not None and key != list_key:
                self._merge_entry(into, list_key, key, value, origin, path)
            elif isinstance(value, dict) and isinstance(into.get(key), dict):
                self._merge(into[key], value, origin, (*path, key))
            else:
                into[key] = copy.deepcopy(value)
                self._origins = {p: o for p, o in self._origins.items() if p[: len(path) + 1] != (*path, key)}
                self._origins[(*path, key)] = origin

    def _merge_entry(self, into: dict[str, Any], list_key: str, name: str, value: Any, origin: str, path: Path) -> None:
        entries = into.get(list_key)
        entries = entries if isinstance(entries, list) else []
        names = [e.get("name") if isinstance(e, dict) else None for e in entries]
        if isinstance(value, dict) and name in names:
            index = names.index(name)
            self._merge(entries[index], value, origin, (*path, list_key, index))
        elif isinstance(value, dict) and {"kind", "values"} <= value.keys():
            entries.append({"name": name, **copy.deepcopy(value)})
            self._origins[(*path, list_key, len(entries) - 1)] = origin
        else:
            key = ".".join(map(str, (*path, name)))
            known = [list_key, *(n for n in names if n)]
            if name in names:
                raise ConfigError(
                    f"{key} = {shown_value(value)} cannot be used",
                    file=origin,
                    key=key,
                    value=value,
                    path=(*path, name),
                    expected=f"a table, such as {key} = {{ values = [0, 20] }}, or one key of it, such as {key}.values",
                )
            if isinstance(value, dict) and (lacking := {"kind", "values"} - value.keys()) and len(lacking) == 1:
                raise ConfigError(
                    f"{key} is new and has no {lacking.pop()}",
                    file=origin,
                    key=key,
                    value=value,
                    path=(*path, name),
                    expected=f"kind and values of a new entry, or one of {one_of(known).removeprefix('one of ')}",
                    nearest=nearest_name(name, known),
                )
            raise ConfigError(
                f"unknown key {key} (value {shown_value(value)})",
                file=origin,
                key=key,
                value=value,
                path=(*path, name),
                expected=one_of(known) + " (a table with kind and values adds an entry)",
                nearest=nearest_name(name, known),
            )

    def origin(self, path: Path) -> str | None:
        """Which layer had the last word on the value at `path` or anything in it (or, if none did, on the table
        around it).
        """
        within = [origin for p, origin in self._origins.items() if p[: len(path)] == path]
        if within:
            return within[-1]
        for end in range(len(path), 0, -1):
            if path[:end] in self._origins:
                return self._origins[path[:end]]
        return None

    def key(self, path: Path) -> str:
        """The dotted key a reader would write for `path`."""
        text, here = "", self.data  # type: Any, Any
        for place, step in enumerate(path):
            here = _entry(here, step)
            if isinstance(step, str):
                text += f".{step}" if text else step
            elif (
                self.named_lists.get(path[: place - 1]) == path[place - 1]
                and isinstance(here, dict)
                and isinstance(here.get("name"), str)
            ):
                text = text.removesuffix(str(path[place - 1])) + here["name"]
            else:
                text += f"[{step}]"
        return str(text)


def _entry(data: Any, step: str | int) -> Any:
    if isinstance(data, dict):
        return data.get(step)
    return data[step] if isinstance(data, list) and isinstance(step, int) and step < len(data) else None
