"""Reading configurations: TOML files, presets, the base chain, personas built on others, overrides."""

from __future__ import annotations

import os
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from numbluff_sim.config.merge import Layers
from numbluff_sim.config.messages import refusal
from numbluff_sim.config.model import Config
from numbluff_sim.contract.game import NO_ROWS, Game
from numbluff_sim.contract.registry import DEFAULT_GAME, game, names
from numbluff_sim.errors import ConfigError, nearest_name, one_of, shown_value

#: The preset that every configuration stands on, and the name that errors give to overrides.
DEFAULT_PRESET = "documented"
OVERRIDE = "override"
#: Data, and the file or preset that says it.
Said = tuple[dict[str, Any], str]


def load(
    source: str | os.PathLike[str] | None = None,
    *,
    preset: str | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Config:
    """Read, check and freeze a configuration.

    `source`: a TOML file; `preset`: name of a preset or of a persona (all seats play it, default rules); neither:
    "documented". `overrides`: dotted keys and their values, laid over the rest ("run.games", "deck.rainbow.reach").
    Raises ConfigError, which names file, key, value, what is expected and the nearest valid name.
    """
    if source is not None and preset is not None:
        raise ConfigError(
            f'a file ({source}) and a preset ("{preset}") are both given',
            expected='one of the two (a file names its preset as base = "...")',
        )
    overlay = _nested(overrides or {})
    files, base, base_file = file_chain(Path(source)) if source is not None else ([], preset or DEFAULT_PRESET, None)
    said = [(overlay, OVERRIDE), *files]
    entry = _game_said(said)
    layers = Layers(entry.schema.named_lists)
    for data, origin in [*_preset_layers(entry, base, base_file), *reversed(files), (overlay, OVERRIDE)]:
        layers.add(data, origin)
    layers.data["game"] = entry.name
    _build_personas(layers)
    return _validated(entry, layers).canonical()


def _game_said(said: Sequence[Said]) -> Game[Config]:
    """The game that overrides and files name, which must be one. Raises ConfigError."""
    named = [(data["game"], origin) for data, origin in said if "game" in data]
    name, file = named[0] if named else (DEFAULT_GAME, None)
    entry = game(name, file=file)
    for other, origin in named[1:]:
        if other != name:
            raise ConfigError(
                f"game = {shown_value(name)}, but {origin} is of the game {shown_value(other)}",
                file=file,
                key="game",
                value=name,
                expected="one game",
            )
    return entry


def restore(resolved: Mapping[str, Any], *, file: str | None = None) -> Config:
    """Rebuild a configuration from its `resolved()` form, checking it again. Raises ConfigError."""
    entry = game(resolved.get("game"), file=file)
    layers = Layers(entry.schema.named_lists)
    origin = file or "resolved configuration"
    layers.add(dict(resolved), origin)
    return _validated(entry, layers, unsaid=origin)


def presets(game_name: str = DEFAULT_GAME) -> list[str]:
    """Names that `preset` and `base` take: "documented", then every shipped persona (all seats play it, default
    rules).
    """
    return list(dict.fromkeys([DEFAULT_PRESET, *shipped_personas(game_name)]))


def shipped_personas(game_name: str = DEFAULT_GAME) -> list[str]:
    """Names of the ways of playing that come with a game."""
    return list(_read_preset(game(game_name), "personas")["personas"])


def _validated(entry: Game[Config], layers: Layers, unsaid: str | None = None) -> Config:
    """The configuration of the layers; an error in what none of them says is that of `unsaid`."""
    try:
        config = entry.schema.model_validate(layers.data)
        _check_rows(entry, config)
    except ValidationError as error:
        raise refusal(error, entry.schema, layers, unsaid) from None
    except ConfigError as error:
        error.file = error.file or layers.origin(error.path) or unsaid
        raise
    return config


def _check_rows(entry: Game[Config], config: Config) -> None:
    """Raises ConfigError unless the rows asked for are of a kind that the game has."""
    kinds = (NO_ROWS, *(grain.name for grain in entry.grains))
    if config.run.rows not in kinds:
        raise ConfigError(
            f"run.rows = {shown_value(config.run.rows)} cannot be used",
            key="run.rows",
            value=config.run.rows,
            path=("run", "rows"),
            expected=one_of(kinds),
            nearest=nearest_name(config.run.rows, kinds),
        )


def _nested(overrides: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for key, value in overrides.items():
        here, steps = nested, key.split(".")
        if "" in steps:
            raise ConfigError(
                f'"{key}" is not a key', file=OVERRIDE, key=key, value=value, expected="dotted names such as run.games"
            )
        for step in steps[:-1]:
            inner = here.setdefault(step, {})
            if not isinstance(inner, dict):
                raise ConfigError(
                    f"{key} is given, and so is {step} = {shown_value(inner)}",
                    file=OVERRIDE,
                    key=key,
                    value=value,
                    expected="one of the two",
                )
            here = inner
        here[steps[-1]] = value
    return nested


def file_chain(path: Path) -> tuple[list[Said], str, str]:
    """The files of a base chain, top first, and the preset at its end with the file that names it."""
    chain: list[Said] = []
    seen: list[Path] = []
    while True:
        if path.resolve() in seen:
            names = " -> ".join(str(p.name) for p in [*seen, path])
            raise ConfigError(
                f"the base chain runs in a circle: {names}",
                file=chain[-1][1],
                key="base",
                value=str(path),
                expected="a chain of files that ends at a preset",
            )
        seen.append(path.resolve())
        data, origin = read_toml(path, named_by=chain[-1][1] if chain else None), str(path)
        base = data.pop("base", DEFAULT_PRESET)
        chain.append((data, origin))
        if not isinstance(base, str):
            raise ConfigError(
                f"base = {shown_value(base)} cannot be used",
                file=origin,
                key="base",
                value=base,
                expected="a preset's name or another file",
            )
        if not base.endswith(".toml") and "/" not in base and os.sep not in base:
            return chain, base, origin
        path = path.parent / base


def read_toml(path: Path, *, named_by: str | None = None) -> dict[str, Any]:
    """The tables of a TOML file. Raises ConfigError for whatever keeps it from being read."""
    by = f" (the base of {named_by})" if named_by else ""
    try:
        text = path.read_bytes().decode("utf-8-sig")  # Notepad begins UTF-8 files with a mark
        return tomllib.loads(unicodedata.normalize("NFC", text))  # a name is one name, however its accents are typed
    except FileNotFoundError:
        near = nearest_name(path.name, [p.name for p in path.parent.iterdir()]) if path.parent.is_dir() else None
        raise ConfigError(
            f"there is no such file{by}",
            file=str(path),
            key="base" if named_by else None,
            value=str(path),
            expected="an existing TOML file",
            nearest=near,
        ) from None
    except IsADirectoryError:
        raise ConfigError(f"this is a folder{by}", file=str(path), value=str(path), expected="a TOML file") from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"not UTF-8: byte 0x{error.object[error.start]:02x} at position {error.start}{by}",
            file=str(path),
            expected="a TOML file saved as UTF-8",
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"not TOML: {error}{by}", file=str(path), expected="TOML such as players = 4 under [table]"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ConfigError(f"cannot be read: {reason}{by}", file=str(path), expected="a readable TOML file") from None


def _read_preset(entry: Game[Config], name: str) -> dict[str, Any]:
    return tomllib.loads((entry.files / "presets" / f"{name}.toml").read_text(encoding="utf-8"))


def _has_preset(game_name: str, name: str) -> bool:
    """Whether another game has a preset; one that cannot be loaded has none, for it is not what was asked for."""
    try:
        return name in presets(game_name)
    except (ConfigError, OSError, KeyError, ValueError):
        return False


def _preset_layers(entry: Game[Config], name: str, named_by: str | None) -> list[Said]:
    """The shipped layers behind a preset: all personas, the documented rules with who plays them, then the persona
    that the preset names.
    """
    layers = [
        (_read_preset(entry, "personas"), "preset personas"),
        (_read_preset(entry, DEFAULT_PRESET), f"preset {DEFAULT_PRESET}"),
    ]
    known = presets(entry.name)
    if name not in known:
        others = [other for other in names() if other != entry.name and _has_preset(other, name)]
        of_another = (
            f' of {entry.name}, but one of {others[0]} (--game {others[0]}, or game = "{others[0]}" in a file)'
            if others
            else ""
        )
        raise ConfigError(
            f'"{name}" is not a preset{of_another}',
            file=named_by,
            key="base" if named_by else "preset",
            value=name,
            expected=one_of(known) + (" or the path of a .toml file" if named_by else ""),
            nearest=nearest_name(name, known),
        )
    return layers if name == DEFAULT_PRESET else [*layers, ({"play": {"seats": [name]}}, f"preset {name}")]


def _build_personas(layers: Layers) -> None:
    """Replace every persona that names a base by the whole of it: the base's keys under its own."""
    personas = layers.data.get("personas")
    if not isinstance(personas, dict):
        return
    built: dict[str, Any] = {}
    for name in personas:
        _build_persona(layers, name, personas, built, ())
    layers.data["personas"] = built


def _build_persona(
    layers: Layers, name: str, personas: dict[str, Any], built: dict[str, Any], above: tuple[str, ...]
) -> Any:
    if name in built:
        return built[name]
    own = personas[name]
    if isinstance(own, dict) and "base" in own:
        base, path = own["base"], ("personas", name, "base")
        if base in (*above, name):
            raise ConfigError(
                f"{'.'.join(path)} runs in a circle: {' -> '.join((*above, name, base))}",
                file=layers.origin(path),
                key=".".join(path),
                value=base,
                path=path,
                expected="a persona that stands on another one in the end",
            )
        if not isinstance(base, str) or base not in personas:
            raise ConfigError(
                f"{'.'.join(path)} = {shown_value(base)} is not a persona",
                file=layers.origin(path),
                key=".".join(path),
                value=base,
                path=path,
                expected=one_of(personas),
                nearest=nearest_name(base, personas),
            )
        below = _build_persona(layers, base, personas, built, (*above, name))
        if not isinstance(below, dict):
            return own
        whole = Layers({})
        whole.add(below, "")
        whole.add({k: v for k, v in own.items() if k != "base"}, "")
        own = whole.data
    built[name] = own
    return own


def changed(config: Config, overrides: Mapping[str, Any]) -> Config:
    """A configuration with dotted keys laid over it, as `load` lays them over a file; with seats that all play alike
    the number of players may change, and shipped ways of playing may be seated. Raises ConfigError.
    """
    overlay, data, origin = _nested(overrides), said(config), "configuration"
    entry = _game_said([(overlay, OVERRIDE), (data, origin)])
    layers = Layers(entry.schema.named_lists)
    if own := data.get("personas", {}):
        shipped = _read_preset(entry, "personas")["personas"]
        layers.add({"personas": {name: said for name, said in shipped.items() if name not in own}}, "preset personas")
    layers.add(data, origin)
    layers.add(overlay, OVERRIDE)
    _build_personas(layers)
    return _validated(entry, layers).canonical()


def said(config: Config) -> dict[str, Any]:
    """A configuration as a file would say it, JSON-able: seats that all play alike are said once, so that the number
    of players may change.
    """
    data = config.resolved()
    seats = data.get("play", {}).get("seats", ())
    if len(set(seats)) == 1:
        data["play"]["seats"] = list(seats[:1])
    return data
