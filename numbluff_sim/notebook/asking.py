"""What a function of the Python interface is asked: a configuration, what is changed in it, how it is played."""

from __future__ import annotations

import functools
import inspect
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from numbluff_sim.config import Config
from numbluff_sim.config.loading import OVERRIDE
from numbluff_sim.config.origin import Origin
from numbluff_sim.errors import ConfigError, RunError, nearest_name
from numbluff_sim.notebook.shown import shown_progress
from numbluff_sim.run.stop import Interrupted

if TYPE_CHECKING:
    from numbluff_sim.run.playing import Executor, How
    from numbluff_sim.run.progress import Tell
    from numbluff_sim.run.stop import Stop

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
#: A configuration, the name of a preset or of a persona (all seats play it), or the path of a TOML file.
Source = Config | str | os.PathLike[str]


class ChangeKeywords(TypedDict, total=False):
    """What is changed in a configuration.

    `set`: dotted keys and their values, such as {"rules.wild_adjusts": "both"}; `game`: the game of a preset;
    `players`, `games`, `seed`, `threads`: as the command line takes them (threads change no result).
    """

    set: Mapping[str, Any] | None
    game: str | None
    players: int | None
    games: int | None
    seed: int | None
    threads: int | None


class Options(ChangeKeywords, total=False):
    """What is changed, and how it is played.

    `out`: the folder that keeps what is played; called again, it continues there. None: a temporary one, which goes
    with the result. `executor`: who plays, threads of this process by default; `stop`: a `numbluff_sim.run.stop.Stop`
    that ends it early from anywhere; `progress`: True shows a line on stderr, a callable is told a few times a second
    (`numbluff_sim.run.progress.Progress`).
    """

    out: str | os.PathLike[str] | None
    executor: Executor | None
    stop: Stop | None
    progress: bool | Tell | None


#: Keyword -> key of the configuration.
KEYS = {
    "game": "game",
    "players": "table.players",
    "games": "run.games",
    "seed": "run.seed",
    "threads": "run.threads",
}
#: Options of the commands in the words of errors -> what says the same in Python.
KEYWORDS = {
    "the same command again (numbluff simulate: with --resume)": "the same call again",
    "Continue it with --resume": "Continue it with resume=True",
    "another --out": "another folder as out=",
    "--replace": "replace=True",
    "--out": "out=",
}
#: Options of the commands -> keywords that are not called the same.
OTHER_NAMES = {"--habit": "habits=", "--company": "companies=", "--one": "own="}
#: Annotations, but for "or None" -> what a value of them is, whether it is that, and an example.
SHAPES: dict[str, tuple[str, Callable[[Any], bool], str]] = {
    r"Sequence\[[^|]*\]": (
        "a list",
        lambda value: isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping),
        'a list, such as ["name"]',
    ),
    r"Mapping\[[^|]*\]": ("a mapping", lambda value: isinstance(value, Mapping), 'a mapping, such as {"key": 1}'),
    r"str \| os\.PathLike\[str\]": (
        "a name or a path",
        lambda value: isinstance(value, str | os.PathLike),
        "a name or a path",
    ),
}
SAME_CALL = "the same call with this folder as out= continues"
DOCUMENTED = {
    "set": 'dotted keys and values laid over the configuration, such as {"rules.wild_adjusts": "both"}',
    "game": "the game of a preset or persona (num_bluff by default)",
    "players": "number of players",
    "games": "number of games",
    "seed": "seed of all random numbers",
    "threads": "threads; no result depends on them",
    "out": "folder that keeps what is played, continued when called again; None: a temporary one",
    "executor": "who plays; None: threads of this process",
    "stop": "a Stop token that ends it early",
    "progress": "True: a line on stderr; a callable: told a Progress a few times a second",
}


def spelled_out(options: type[ChangeKeywords]) -> Callable[[F], F]:
    """Write the keywords that a function takes by `options` into its signature and its docstring, where notebooks show
    them; refuse others with the nearest name (TypeError).
    """
    names = list(options.__annotations__)

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        more = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=options.__annotations__[name]
            )
            for name in names
        ]
        known = [*(p.name for p in own), *names]
        shapes = {p.name: getattr(p.annotation, "__forward_arg__", str(p.annotation)) for p in (*own, *more)}

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            strange = next((name for name in kwargs if name not in known), None)
            if strange is not None:
                near = nearest_name(strange, known)
                raise TypeError(
                    f'{function.__name__}() takes no "{strange}"; expected {", ".join(known)}.'
                    + (f' Did you mean "{near}"?' if near else "")
                )
            for name, value in {**signature.bind(*args, **kwargs).arguments, **kwargs}.items():
                _refuse_shape(name, shapes.get(name, ""), value)
            return function(*args, **kwargs)

        checked.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\nKeywords:\n" + "\n".join(
            f"    {name}: {DOCUMENTED[name]}" for name in names
        )
        checked.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
        return checked  # type: ignore[return-value]

    return decorate


def _refuse_shape(name: str, annotation: str, value: object) -> None:
    """Raise ConfigError for a keyword whose value is, say, a text in the place of a list of them."""
    usual = annotation.removesuffix(" | None")
    shape = next((shape for pattern, shape in SHAPES.items() if re.fullmatch(pattern, usual)), None)
    if shape is not None and value is not None and not shape[1](value):
        what, _, expected = shape
        raise ConfigError(f"{value!r} is not {what}", file=f"{name}=", key=name, value=value, expected=expected)


@dataclass(frozen=True)
class Asked:
    """A configuration with its origin, where what is played is kept, and how it is played."""

    origin: Origin
    config: Config
    out: Path | None
    how: How


@contextmanager
def asked(source: Source, options: Options, usual_games: int | None = None) -> Iterator[Asked]:
    """The configuration that is asked for, and how to play it; within, progress is shown.

    `usual_games`: games of a name or a file where nobody says how many. Raises ConfigError, which names the keyword
    that gave what is refused.
    """
    origin = origin_of(source, options, usual_games)
    out = options.get("out")
    with asked_how(options) as how:
        yield Asked(origin, origin.load(), None if out is None else Path(out), how)


@contextmanager
def asked_how(options: Options) -> Iterator[How]:
    """How to play what is asked for; within, progress is shown, and errors name the keyword that is refused."""
    with named_keywords(), shown_progress(options.get("progress")) as tell:
        yield {"executor": options.get("executor"), "stop": options.get("stop"), "progress": tell}


def origin_of(source: Source, changes: Mapping[str, Any], usual_games: int | None = None) -> Origin:
    """Where a configuration comes from, with what is changed in it."""
    said = {KEYS[name]: changes[name] for name in KEYS if changes.get(name) is not None}
    usual = {} if usual_games is None or isinstance(source, Config) else {"run.games": usual_games}
    overrides = {**usual, **(changes.get("set") or {}), **said}
    if isinstance(source, Config):
        return Origin(None, None, overrides, source)
    if isinstance(source, str):
        return Origin.named(source, overrides)
    if not isinstance(source, os.PathLike):
        raise ConfigError(
            f"{source!r} is no configuration",
            key="configuration",
            value=source,
            expected="a Config, the name of a preset or a way of playing, or the path of a .toml file",
        )
    return Origin(os.fspath(source), None, overrides)


@contextmanager
def named_keywords() -> Iterator[None]:
    """Name errors in what is changed after the keyword that gave it, and advice after keywords."""
    try:
        yield
    except Interrupted as stopped:
        how_far = stopped.done, stopped.of, stopped.unit
        raise Interrupted(*how_far, folder=stopped.folder, how_to_go_on=SAME_CALL, reason=stopped.reason) from None
    except RunError as error:
        error.args = (re.sub("|".join(map(re.escape, KEYWORDS)), lambda option: KEYWORDS[option[0]], str(error)),)
        raise
    except ConfigError as error:
        if error.file == OVERRIDE:
            by_key = {key: f"{name}=" for name, key in KEYS.items()}
            error.file = by_key.get(error.key or "", "set=")
        elif error.file is not None and error.file.startswith("--"):
            error.file = OTHER_NAMES.get(error.file, f"{error.file.removeprefix('--').replace('-', '_')}=")
        error.expected = error.expected and error.expected.replace("--one KEY=VALUE", 'own=[{"key": value}]')
        raise


def kept(out: Path | None, make: Callable[[Path], T]) -> T:
    """What is made in a folder; a temporary one, where none is named, goes with the result, and stays after an
    interruption, to be named as `out` then.
    """
    if out is not None:
        return make(out)
    folder = Path(tempfile.mkdtemp(prefix="numbluff-"))
    try:
        made = make(folder)
    except Exception:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(made, shutil.rmtree, folder, ignore_errors=True)
    return made
