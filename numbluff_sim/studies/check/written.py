"""The files of a check: verdicts as JUnit XML, a baseline of what is measured today."""

from __future__ import annotations

import os
from pathlib import Path

from numbluff_sim.analysis.studies.check.result import Checked
from numbluff_sim.analysis.studies.check.words import junit
from numbluff_sim.errors import ConfigError
from numbluff_sim.run.files import write_text as write_whole_text


def write_files(checked: Checked, junit_file: str | None) -> None:
    """Write the verdicts as JUnit XML, where a file is named. Raises ConfigError."""
    if junit_file is not None:
        write_text(junit_file, junit(checked))


def refuse_unwritable(path: str | None) -> None:
    """Before minutes of play, not after them. Raises ConfigError."""
    if path is None:
        return
    if Path(path).is_dir():
        raise ConfigError("this is a folder", file=path, value=path, expected="the name of a file to write")
    if not Path(path).absolute().parent.is_dir():
        raise ConfigError("its folder does not exist", file=path, value=path, expected="a file in a folder that exists")
    if not os.access(path if Path(path).exists() else Path(path).absolute().parent, os.W_OK):
        raise ConfigError("cannot be written", file=path, value=path, expected="a file that may be written")


def write_text(path: str, text: str) -> None:
    """Write a file of this name, whole or not at all; a device or a pipe is written as it is. Raises ConfigError."""
    place = Path(path).resolve()
    try:
        if place.exists() and not place.is_file():
            place.write_text(text, encoding="utf-8")
        else:
            write_whole_text(place, text)
    except OSError as error:
        raise ConfigError(
            f"cannot be written: {error.strerror}", file=path, value=path, expected="a file that may be written"
        ) from None
