"""Questions over axes as Python states them: the data that a sweep's or a search's file would hold."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numbluff_sim.config import Config
from numbluff_sim.config.loading import read_toml
from numbluff_sim.errors import ConfigError
from numbluff_sim.notebook.asking import Options, Source, asked_how
from numbluff_sim.studies.check.asked import flattened

if TYPE_CHECKING:
    from numbluff_sim.run.playing import How

#: What errors call the file, which messages and written files name; what it says; the configuration in the place of
#: the base that it names.
Question = tuple[Path, dict[str, Any], Config | None]


@contextmanager
def asked_question(
    command: str,
    base: Source,
    axes: Mapping[str, Any] | None,
    targets: Mapping[str, Any] | None,
    settings: Mapping[str, Any],
    options: Options,
) -> Iterator[tuple[Question, How]]:
    """What a file of a sweep or a search says, or what is said in its place, and how to play it.

    `command`: the table of its settings, "sweep" or "tune". Without axes, `base` is the file, and what is said here
    goes over it. Raises ConfigError.
    """
    given = {key: _plain(value) for key, value in settings.items() if value is not None}
    sets = {**(options.get("set") or {})}
    if options.get("players") is not None:
        sets["table.players"] = options["players"]
    with asked_how(options) as how:
        path, data, config = _stated(command, base, axes)
        if options.get("game") is not None:
            data["game"] = options["game"]
        if targets is not None:
            data["targets"] = {metric: _plain(ends) for metric, ends in targets.items()}
        data["set"] = {**flattened(data.get("set", {})), **sets}
        data[command] = {**data.get(command, {}), **given}
        yield (path, data, config), how


def _stated(command: str, base: Source, axes: Mapping[str, Any] | None) -> tuple[Path, dict[str, Any], Config | None]:
    if axes is None:
        if isinstance(base, Config) or not (isinstance(base, os.PathLike) or base.endswith(".toml")):
            raise ConfigError(
                "there are no axes",
                file=f"{command}()",
                key="axes",
                expected=f"axes= with keys and values, or the path of a {command} file in the place of the base",
            )
        return Path(base), read_toml(Path(base)), None
    data: dict[str, Any] = {"axes": {key: _plain(values) for key, values in axes.items()}}
    if isinstance(base, Config):
        return Path(f"{command}()"), {**data, "game": base.game}, base
    named = os.fspath(base)
    is_path = isinstance(base, os.PathLike) or named.endswith(".toml") or os.sep in named
    return Path(f"{command}()"), {**data, "base": str(Path(named).absolute()) if is_path else named}, None


def _plain(value: Any) -> Any:
    """Ranges, tuples and arrays as the lists that a file holds."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):  # an array, or one of its numbers
        return value.tolist()
    return list(value) if isinstance(value, range | tuple | list) else value
