"""The rules calculator for every game: rounds or cases written down (JSON, or text where a game reads it) in,
outcomes or explanations out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from numbluff_sim.config import load
from numbluff_sim.config.model import Config
from numbluff_sim.contract.game import Game
from numbluff_sim.contract.registry import DEFAULT_GAME, game
from numbluff_sim.errors import CaseError


def resolve(data: Mapping[str, Any], config: Config | None = None, *, file: str = "rounds") -> dict[str, Any]:
    """Resolves written-down rounds, in order; the deck and rulings of `config`, of the game's documented preset without
    one.

    Raises CaseError for a round that cannot lie on a table; `file` is what its message calls the data.
    """
    config = _config_for(data, config, file)
    return game(config.game).calculator.resolve(data, config, file)


def resolve_text(text: str, config: Config | None = None, *, file: str = "rounds") -> dict[str, Any]:
    """As `resolve`, from a file's text: JSON, or the game's plain text."""
    data = parse(text, file, config)
    if data is not None:
        return resolve(data, config, file=file)
    config = config or load()
    return game(config.game).calculator.resolve_text(text, config, file)


def explain_text(text: str, config: Config | None = None, *, language: str = "en", file: str = "rounds") -> str:
    """The outcome of every round of a file's text as an explanation in "en" or "fr"."""
    data = parse(text, file, config)
    config = _config_for(data or {}, config, file)
    return game(config.game).calculator.explained(text if data is None else data, config, language, file)


def read_text(read: Callable[[], bytes], name: str) -> str:
    """The text of what `read` gives, UTF-8; `name` is what errors call it. Raises CaseError."""
    try:
        return read().decode("utf-8-sig")
    except FileNotFoundError:
        raise CaseError(f"{name}: there is no such file; expected rounds as JSON or plain text.") from None
    except IsADirectoryError:
        raise CaseError(f"{name}: this is a folder; expected a file of rounds as JSON or plain text.") from None
    except UnicodeDecodeError as error:
        raise CaseError(
            f"{name}: not UTF-8: byte 0x{error.object[error.start]:02x} at position {error.start}; expected a "
            "text file."
        ) from None
    except OSError as error:
        raise CaseError(f"{name}: cannot be read: {error.strerror}; expected a readable file.") from None


def parse(text: str, file: str, config: Config | None = None) -> dict[str, Any] | None:
    """What a JSON text holds (an object, or the list of rounds or cases alone); None for a text that is not JSON.
    Raises CaseError.
    """
    calculator = game(config.game if config else DEFAULT_GAME).calculator
    listed = f'{{"{calculator.listed}": [...]}}'
    if not text.strip():
        raise CaseError(f"{file}: there is nothing in it; expected {listed}{calculator.or_text}.")
    if text.lstrip()[0] not in "{[":
        return None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise CaseError(f"{file}: not JSON: {error.msg} at {where}; expected {listed}.") from None
    except RecursionError:
        raise CaseError(f"{file}: not JSON that can be read: nested too deeply; expected {listed}.") from None
    return {calculator.listed: data} if isinstance(data, list) else data


def asked_game(text: str, config: Config | None = None, *, file: str = "rounds") -> Game[Config]:
    """The game that a text asks about, before anything of it is resolved. Raises CaseError for a text that cannot be
    read.
    """
    return _named(parse(text, file, config) or {}, config, file)


def _named(data: Mapping[str, Any], config: Config | None, file: str) -> Game[Config]:
    return game(data.get("game", config.game if config else DEFAULT_GAME), file=file)


def _config_for(data: Mapping[str, Any], config: Config | None, file: str) -> Config:
    entry = _named(data, config, file)
    if config is not None and config.game != entry.name:
        raise CaseError(f'{file}: game = "{entry.name}" is not the configuration\'s; expected "{config.game}".')
    return config or load(overrides={"game": entry.name})
