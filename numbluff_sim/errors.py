"""Errors that a user can cause. The command line prints their one paragraph, without traceback, and ends with 2."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class UserError(Exception):
    """What the user asked for cannot be done; the message says what, where, what is expected and what was perhaps
    meant.
    """


class CheckoutError(UserError, ImportError):
    """The program's own files are not as they must be."""


def refuse_without_links(package: Path = Path(__file__).parent) -> None:
    """Raise CheckoutError in a checkout whose two links to folders came out as text files, as git for Windows does."""
    for name in ("kernels", "analysis"):
        if (package / name).is_file():
            raise CheckoutError(
                f"{package / name} is a text file in the place of a link to the folder {name}: git has made no links "
                "here, as on Windows without developer mode; expected a clone by `git clone -c core.symlinks=true`, "
                "the built wheel (pip install .), or a clone inside WSL."
            )


class RunError(UserError):
    """A run's folder, part or checkpoint cannot be used."""


class CaseError(UserError):
    """A round given to the rules calculator is not one that can lie on a table."""


class ConfigError(UserError):
    """A configuration is refused.

    Attributes: `file` (path, "preset <name>" or "override"; None if unknown), `key` (dotted), `value`, `expected`,
    `nearest` (or None).
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str | None = None,
        key: str | None = None,
        value: Any = None,
        expected: str | None = None,
        nearest: str | None = None,
        path: tuple[str | int, ...] = (),
    ) -> None:
        super().__init__(problem)
        self.problem, self.file, self.key, self.value, self.expected, self.nearest, self.path = (
            problem,
            file,
            key,
            value,
            expected,
            nearest,
            path,
        )

    def __str__(self) -> str:
        text = f"{self.file}: {self.problem}" if self.file else self.problem
        text += f"; expected {self.expected}." if self.expected else "."
        return text + (f' Did you mean "{self.nearest}"?' if self.nearest else "")


def nearest_name(name: object, names: Iterable[object]) -> str | None:
    """The name that looks most like `name`, or None if none does."""
    found = difflib.get_close_matches(str(name).lower(), [str(n) for n in names], n=1, cutoff=0.5)
    return found[0] if found else None


def one_of(names: Iterable[object]) -> str:
    """The names as a reader sees them in "expected ..."."""
    shown = [shown_value(n) for n in names]
    return shown[0] if len(shown) == 1 else "one of " + ", ".join(shown)


def shown_value(value: object) -> str:
    """A value as it stands in TOML, shortened when it is long."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, dict):
        text = "a table"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(shown_value(v) for v in value) + "]"
    else:
        text = str(value)
    return text if len(text) <= 80 else text[:76] + " ..."
