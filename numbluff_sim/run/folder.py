"""Who owns a folder: the one protocol of runs, comparisons, sweeps, searches and calibrations.

A folder is new or empty, or holds one of these, which its description file says (run.json, sweep.json, ...). Whoever
writes there holds the folder's lock, continues what it finds where that is the same question, and refuses it or puts
itself in its place where it is another one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config, compare, restore
from numbluff_sim.config.model import NOT_IN_DIGEST
from numbluff_sim.errors import ConfigError, RunError, shown_value
from numbluff_sim.run.files import PARTIAL, disk_errors

#: The file whose lock is held, in every folder.
LOCK_FILE = ".lock"
#: Keys that may change from one process to the next: they change no result, and rows are checked by name.
FREE_KEYS = {f"run.{key}" for key in NOT_IN_DIGEST} - {"run.rows"}
#: What stands for a key of an identity whose values say little, and how both values are shown.
DIGESTS = {"code_digest": "the program's code (digest", "rules_version": "the game's rules (version"}
#: Mappings whose order decides what is played.
IN_ORDER = {"axes", "rulings"}


@dataclass(frozen=True)
class FolderKind:
    """What may own a folder. `description`: the file that says so, `keys`: what must stand in it, `command`: what
    writes it; `early`: names that may be there before the description is. `clear` removes all of its own files but the
    description from a folder; `in_short` describes one in half a sentence, from its description.
    """

    noun: str
    description: str
    command: str
    keys: frozenset[str]
    clear: Callable[[Path], None]
    early: frozenset[str] = frozenset()
    in_short: Callable[[Mapping[str, Any]], str] | None = None


@contextmanager
def locked(path: Path, kind: FolderKind) -> Iterator[None]:
    """Create the folder if need be and keep every other process out of it. The lock ends with the process, however it
    ends. Raises RunError at once where another process holds it, and where the folder holds something else.
    """
    from filelock import FileLock, Timeout

    with disk_errors(path):
        if path.exists() and not path.is_dir():
            raise RunError(f"{path} is a file; expected the name of a folder for the {kind.noun}, new or empty.")
        if path.is_dir():
            refuse_foreign(path, kind)
        path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path / LOCK_FILE, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise RunError(
                f"another process is writing the {kind.noun} in {path}; wait for it to end or name another --out."
            ) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def owned(
    path: Path,
    kind: FolderKind,
    take_up: Callable[[dict[str, Any]], None],
    *,
    resume: bool = True,
    replace: bool = False,
) -> Iterator[bool]:
    """Hold a folder; whether what it holds is continued. The description is for the caller to write.

    `take_up` is given the description that is found and raises RunError where it cannot be continued (`refuse_another`
    does). `resume`: continue what is there; `replace`: what is not continued is removed, its own files alone. Raises
    RunError where the folder holds something else, or what may be neither continued nor replaced.
    """
    with locked(path, kind):
        with disk_errors(path):
            continued = _continued(path, kind, take_up, resume, replace)
        yield continued


def _continued(
    path: Path, kind: FolderKind, take_up: Callable[[dict[str, Any]], None], resume: bool, replace: bool
) -> bool:
    refuse_foreign(path, kind)
    if not (path / kind.description).exists():
        return False
    try:
        before = read_description(path, kind)
        if not (resume or replace):
            short = "" if kind.in_short is None else f": {kind.in_short(before)}"
            raise RunError(
                f"{path} already holds a {kind.noun}{short}. Continue it with --resume, put this one in its place with "
                "--replace, or name another --out."
            )
        if resume:
            take_up(before)
            return True
    except RunError:
        if not replace:
            raise
    remove(path, kind)
    return False


def refuse_foreign(path: Path, kind: FolderKind) -> None:
    """Raise RunError for a folder with something in it that is not of this kind."""
    names = {found.name for found in path.iterdir() if found.name != LOCK_FILE and not found.name.endswith(PARTIAL)}
    strange = sorted(names - kind.early)
    if strange and kind.description not in names:
        shown = ", ".join(strange[:3]) + (" and more" if len(strange) > 3 else "")
        raise RunError(
            f"{path} already holds something that is not a {kind.noun} ({shown}); expected a new or empty folder. "
            "Name another --out."
        )


def refuse_another(path: Path, kind: FolderKind, problems: list[str]) -> None:
    """Raise RunError where there are differences between what a folder holds and what was asked for."""
    if problems:
        raise RunError(
            f"{path} holds another {kind.noun}, which cannot be continued: {'; '.join(problems)}. "
            "Name another --out, or put this one in its place with --replace."
        )


def read_description(path: Path, kind: FolderKind) -> dict[str, Any]:
    """The description in a folder. Raises RunError where it cannot be read or is none."""
    file, expected = path / kind.description, f"expected the JSON that `{kind.command}` wrote"
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{file} cannot be read ({error}); {expected}.") from None
    if not isinstance(found, dict) or not kind.keys <= found.keys():
        raise RunError(f"{file} is not a {kind.noun}'s description; {expected}.")
    return found


def remove(path: Path, kind: FolderKind) -> None:
    """Remove what `kind` wrote into a folder, the description last; whatever else is there stays."""
    kind.clear(path)
    (path / kind.description).unlink(missing_ok=True)


def remove_inner(path: Path, kind: FolderKind) -> None:
    """Remove a folder of this kind inside a folder that is held, if there is nothing else in it."""
    if not path.is_dir():
        return
    if (path / kind.description).exists():
        remove(path, kind)
    if {found.name for found in path.iterdir()} <= {LOCK_FILE, kind.description + PARTIAL}:
        for found in path.iterdir():
            found.unlink()
        path.rmdir()


def described(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question as it stands in a description: JSON-able, with its configurations resolved."""
    found: dict[str, Any] = json.loads(json.dumps(question, default=_resolved))
    return found


def _resolved(value: object) -> Any:
    if isinstance(value, Config):
        return value.resolved()
    raise TypeError(f"{type(value).__name__} has no place in a description")


def differences(before: Mapping[str, Any], now: Mapping[str, Any], above: str = "") -> list[str]:
    """What differs between a question read from a description and the one asked now, each key with both values.

    Mappings are told key by key, those in them whole (an axis, a target); configurations (`now` holds them as such) as
    `config diff` does, without the keys that change no result.
    """
    found: list[str] = []
    for key in dict.fromkeys([*before, *now]):
        name, was, value = f"{above}{key}", before.get(key), now.get(key)
        if isinstance(value, Config):
            found += _changed_keys(was, value, "" if key == "config" else f"{name}.")
        elif isinstance(was, Mapping) and isinstance(value, Mapping) and not above:
            inner = differences(was, value, f"{name}.")
            found += inner
            if key in IN_ORDER and not inner and list(was) != list(value):
                found.append(f"{name} were in the order {', '.join(was)} and are now in the order {', '.join(value)}")
        elif was != value and key in DIGESTS:
            found.append(f"{DIGESTS[key]} {was} then, {value} now) has changed")
        elif was != value:
            found.append(f"{name} was {_shown(was)} and is now {_shown(value)}")
    return found


def _changed_keys(before: Any, now: Config, above: str) -> list[str]:
    try:
        return [
            f"{above}{one.key} was {_shown(one.before)} and is now {_shown(one.after)}"
            for one in compare.differences(restore(before), now)
            if one.key not in FREE_KEYS
        ]
    except ConfigError as error:
        return [f"its configuration is refused by this version ({error})"]


def _shown(value: Any) -> str:
    if value is None:
        return "not there"
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {shown_value(one)}" for key, one in value.items() if one is not None)
        return f"{{ {inner} }}"
    return shown_value(value)
