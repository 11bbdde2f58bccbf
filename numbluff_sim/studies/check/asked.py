"""What a check is asked: a baseline, and what a user changes in all its claims."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.studies.check.baselines import Baseline, load_baseline
from numbluff_sim.config import load
from numbluff_sim.config.loading import DEFAULT_PRESET, file_chain
from numbluff_sim.contract.registry import DEFAULT_GAME
from numbluff_sim.errors import ConfigError


@dataclass(frozen=True)
class ClaimChanges:
    """What a user changes in all claims: a preset in the place of theirs, and overrides laid over it. `game`: the
    one that is asked for by name.
    """

    game: str | None
    preset: str | None
    overrides: Mapping[str, Any]
    run: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        config: str | os.PathLike[str] | None,
        preset: str | None,
        overrides: Mapping[str, Any] | None,
        usual_game: str,
    ) -> ClaimChanges:
        """Read a configuration file: what it and its bases say goes over each claim's preset. `usual_game`: what it is
        about if nobody says so.

        Raises ConfigError.
        """
        given = dict(overrides or {})
        files, base, _ = file_chain(Path(config)) if config is not None else ([], preset, None)
        named = next((data["game"] for data in (given, *(data for data, _ in files)) if "game" in data), None)
        load(
            config, preset=preset, overrides={"game": named or usual_game, **given}
        )  # refuses what is wrong, naming the file
        said: dict[str, Any] = {}
        for data, _ in reversed(files):
            said.update(flattened(data))
        said.update(given)
        said.pop("game", None)
        run = {key: said.pop(key) for key in list(said) if key.startswith("run.")}
        return cls(
            named,
            None if base == DEFAULT_PRESET else base,
            said,
            {key: run[key] for key in run if key in given and key != "run.rows"},
        )


def flattened(data: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Nested tables as dotted keys; the game's name aside."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            flat.update(flattened(value, f"{above}{key}."))
        elif above or key != "game":
            flat[f"{above}{key}"] = value
    return flat


def asked_of(
    baseline: str | os.PathLike[str] | None,
    config: str | os.PathLike[str] | None,
    preset: str | None,
    overrides: Mapping[str, Any] | None,
) -> tuple[Baseline, str, ClaimChanges]:
    """The baseline of the game that is asked for, or of the one that the baseline's file is about. Raises
    ConfigError.
    """
    source = None if baseline is None else Path(baseline)
    if source is not None and source.suffix == ".toml":
        book, origin = load_baseline(source)
        change = ClaimChanges.of(config, preset, overrides, book.game)
    else:
        change = ClaimChanges.of(config, preset, overrides, DEFAULT_GAME)
        book, origin = load_baseline(source, game_name=change.game or DEFAULT_GAME)
    if change.game not in (None, book.game):
        raise ConfigError(
            f'the claims are about the game "{book.game}"',
            file=origin,
            key="game",
            value=book.game,
            expected=f'a baseline of "{change.game}", the game asked for',
        )
    return book, origin, change
