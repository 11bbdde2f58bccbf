"""Ways of playing by name, each as a whole configuration in which every seat plays so."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from numbluff_sim.config import Config
from numbluff_sim.config.loading import DEFAULT_PRESET, file_chain, shipped_personas
from numbluff_sim.config.origin import Origin
from numbluff_sim.errors import ConfigError, nearest_name, one_of


@dataclass(frozen=True)
class Personas:
    """Configurations by way of playing, in order; `same` names those that play exactly as one of them."""

    configs: Mapping[str, Config]
    same: Mapping[str, str]


def known_personas(origin: Origin, game_name: str) -> list[str]:
    """The shipped ways of playing, and those of the configuration file and of its bases."""
    found = sorted(shipped_personas(game_name), key=lambda name: name != DEFAULT_PRESET)
    if origin.source is not None:
        files, _, _ = file_chain(Path(origin.source))
        found += [
            name for data, _ in reversed(files) if isinstance(data.get("personas"), dict) for name in data["personas"]
        ]
    laid_over = (key.split(".") for key in origin.overrides)
    found += [steps[1] for steps in laid_over if steps[0] == "personas" and len(steps) > 1]
    return list(dict.fromkeys(found))


def personas(origin: Origin, base: Config, names: Sequence[str] | None = None, option: str = "--personas") -> Personas:
    """All ways of playing that are known, or those named, on the configuration `base` of `origin`; each play once.
    Raises ConfigError.
    """
    known = known_personas(origin, base.game)
    for name in names or ():
        if name not in known:
            raise ConfigError(
                f'"{name}" is not a way of playing',
                file=option,
                key="personas",
                value=name,
                expected=one_of(known),
                nearest=nearest_name(name, known),
            )
    configs: dict[str, Config] = {}
    same: dict[str, str] = {}
    plays: dict[str, str] = {}
    for name in dict.fromkeys(names or known):
        config = origin.load({"play.seats": [name]})
        play = json.dumps(config.resolved()["personas"][name], sort_keys=True)
        if play in plays:
            same[name] = plays[play]
        else:
            plays[play], configs[name] = name, config
    return Personas(configs, same)
