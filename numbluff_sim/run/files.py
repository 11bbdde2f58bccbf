"""Files that appear whole or not at all, and what a disk can refuse, told to the user."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from numbluff_sim.encoding import json_text
from numbluff_sim.errors import RunError

PARTIAL = ".partial"  # suffix of a file that is being written


@contextmanager
def disk_errors(place: Path) -> Iterator[None]:
    """Turn what a file system can refuse into a RunError that says what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
        advice = (
            "free some space and give the same command again (numbluff simulate: with --resume)"
            if full
            else "expected a folder that can be created and written; name another --out"
        )
        raise RunError(f"{error.filename or place} cannot be written: {reason}; {advice}.") from error


@contextmanager
def whole(path: Path, *, durable: bool = True, mark: str = "") -> Iterator[Path]:
    """A file beside `path` to be filled; at the end it takes the place of `path` in one step, safe on disk (unless it
    is not to be `durable`: what is made again in seconds need not wait for the disk). After an error nothing is left
    of it. `mark`: whose file it is, where several processes may write the same one at once.
    """
    partial = path.with_name(path.name + mark + PARTIAL)
    try:
        yield partial
        if durable:
            _to_disk(partial)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    partial.replace(path)
    if (
        durable and os.name != "nt"
    ):  # Windows has no handles of folders; its file system keeps the order of renames itself
        _to_disk(path.parent)


@contextmanager
def arrow_file(path: Path, mode: Literal["rb", "wb"]) -> Iterator[Any]:
    """What Arrow reads or writes a file by: its path, or, where that is no text (Arrow wants UTF-8), the open file."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        with path.open(mode) as file:
            yield file
    else:
        yield path


def write_bytes(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Put a file with this content in the place of `path`."""
    with whole(path, durable=durable) as partial:
        partial.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    """Put a file with this text, as UTF-8 with its line ends as they are, in the place of `path`. Of a name of a file
    that is no text, what is none is replaced.
    """
    write_bytes(path, text.encode(errors="replace"))


def write_json(path: Path, data: Any, indent: int | None = 2) -> None:
    """Put a result or other data as JSON in the place of `path`."""
    write_text(path, json_text(data, indent))


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
