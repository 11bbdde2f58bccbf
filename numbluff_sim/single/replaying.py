"""Single games again, as transcripts: game g depends on configuration, seed and g alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numbluff_sim.config.model import Config
from numbluff_sim.contract.registry import game

#: Up to this many games, playing without compiler is faster than compiling.
FEW_GAMES = 256


def replay(config: Config, first: int, last: int | None = None) -> Iterator[dict[str, Any]]:
    """The transcripts of games first .. last (included; `first` alone when None), as `numbluff replay --json` prints
    them.
    """
    return game(config.game).transcripts(config, first, first if last is None else last)


def worded(config: Config, transcript: dict[str, Any], language: str) -> str:
    """A transcript as text to read, in "en" or "fr"."""
    return game(config.game).transcript_text(transcript, config, language)
