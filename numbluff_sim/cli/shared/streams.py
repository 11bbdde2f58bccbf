"""Standard input, output and error as a command finds them: closed, of an encoding that lacks letters, or gone."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any

#: What a file system or a terminal says of an output that takes no more.
REFUSED = (errno.ENOSPC, errno.EIO, errno.EPIPE, getattr(errno, "EDQUOT", errno.ENOSPC))


class Patient(io.TextIOWrapper):
    """Standard error whose reader may have gone: what cannot be said must not end what plays."""

    def write(self, text: str) -> int:
        """Write, if it can be."""
        try:
            return super().write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        """Flush, if it can be."""
        try:
            super().flush()
        except OSError:
            return


def prepare() -> None:
    """Make all three usable: a closed one leads nowhere, letters that an encoding lacks are replaced.

    A closed one is opened by its number, too: a file of results would get it otherwise, and whatever is said.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the smallest free number: this one
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  for the process's life
    streams: Any = (sys.stdout, sys.stderr)
    for stream in streams:
        if getattr(stream, "errors", "") == "strict" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if sys.stderr is sys.__stderr__ and isinstance(sys.stderr, io.TextIOWrapper):
        raw = open(sys.stderr.fileno(), "wb", buffering=0, closefd=False)  # noqa: SIM115
        sys.stderr = Patient(raw, sys.stderr.encoding, sys.stderr.errors, line_buffering=True, write_through=True)


def refused(error: OSError) -> bool:
    """Whether an error is standard output's; then it leads nowhere from now on, for Python would fail at its end."""
    if error.filename is not None or error.errno not in REFUSED:
        return False
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return True
