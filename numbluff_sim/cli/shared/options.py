"""Options that commands share: which configuration, and what is changed in it."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.errors import ConfigError
from numbluff_sim.i18n.catalogue import LANGUAGES

if TYPE_CHECKING:
    from numbluff_sim.config import Config

Command = Callable[..., Any]


class WholeNumber(click.ParamType[Any]):
    """A whole number; any other text goes on as it is, for the configuration says what it expects of its key."""

    name = "integer"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        """The number, or the text."""
        try:
            return int(str(value))
        except ValueError:
            return value


WHOLE_NUMBER = WholeNumber()


class FolderName(click.ParamType[str]):
    """The name of a folder to write, as text."""

    name = "dir"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name; an empty one, as of a variable of the shell that is not set, would be the current folder."""
        if not str(value):
            self.fail("the name of the folder is empty; expected a folder, or . for this one.", param, ctx)
        return str(value)


FOLDER_NAME = FolderName()

GAME_HELP = "The game's name; num_bluff by default."

#: Option -> key of the configuration it sets, type, help.
OVERRIDES: dict[str, tuple[str, Any, str]] = {
    "game": ("game", str, GAME_HELP),
    "players": ("table.players", WHOLE_NUMBER, "Number of players."),
    "games": ("run.games", WHOLE_NUMBER, "Number of games."),
    "seed": ("run.seed", WHOLE_NUMBER, "Seed of all random numbers."),
    "threads": ("run.threads", WHOLE_NUMBER, "Threads; the results do not depend on it."),
}


def config_options(
    *, without: tuple[str, ...] = (), extra: dict[str, str] | None = None
) -> Callable[[Command], Command]:
    """Give a command --config, --preset, --set and the options of OVERRIDES (less `without`); it receives one `config:
    Config`.

    `extra`: further options of the command that set a key of the configuration, by parameter name ("rows": "run.rows");
    their values are laid over it when given (not None) and not passed on.
    """
    keys = {name: key for name, (key, _, _) in OVERRIDES.items() if name not in without} | (extra or {})

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_config(
            *args: Any,
            config_file: str | None,
            preset: str | None,
            settings: tuple[tuple[str, Any], ...],
            **kwargs: Any,
        ) -> Any:
            given = {name: kwargs.pop(name) for name in keys}
            overrides = {keys[name]: value for name, value in given.items() if value is not None}
            flags = {key: f"--{name.replace('_', '-')}" for name, key in keys.items() if given[name] is not None}
            return command(
                *args, config=load_for_command(config_file, preset, {**dict(settings), **overrides}, flags), **kwargs
            )

        decorated: Command = with_config
        options: list[Callable[[Command], Command]] = [
            CONFIG_OPTION,
            click.option("--preset", metavar="NAME", help='Shipped preset or persona, "documented" by default.'),
            setting_option,
            *(
                click.option(f"--{name}", type=kind, help=text)
                for name, (_, kind, text) in OVERRIDES.items()
                if name not in without
            ),
        ]
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def gathered(kind: type[Any]) -> Callable[[Command], Command]:
    """Hand a command its options as one `options`, an object of the dataclass `kind`: those that are fields of it."""
    names = [field.name for field in dataclasses.fields(kind)]

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_options(*args: Any, **kwargs: Any) -> Any:
            return command(*args, options=kind(**{name: kwargs.pop(name) for name in names}), **kwargs)

        return with_options

    return decorate


@dataclass(frozen=True)
class StudyOptions:
    """What every study is asked besides its question. None: not said."""

    game_name: str | None
    games: Any
    threads: Any
    out: str | None
    replace: bool
    lang: str
    as_json: bool

    def folder(self, usual: Path) -> Path:
        """The folder of the study, `usual` where none is named."""
        return usual if self.out is None else Path(self.out)


@dataclass(frozen=True)
class TableOptions(StudyOptions):
    """What a study of one table is asked."""

    players: Any
    seed: Any

    def keys(self) -> tuple[dict[str, Any], dict[str, str]]:
        """The keys of the configuration that were said, and the options' names by key (`keys_said`)."""
        return keys_said(
            {
                "game": self.game_name,
                "table.players": self.players,
                "run.games": self.games,
                "run.seed": self.seed,
                "run.threads": self.threads,
            }
        )


THREADS_OPTION = click.option("--threads", type=WHOLE_NUMBER, help="Threads; the results do not depend on it.")
CONFIG_OPTION = click.option("--config", "config_file", metavar="FILE", help="Configuration file (TOML).")


def lang_option(text: str = "Language of page and figures.") -> Callable[[Command], Command]:
    """Give a command --lang: `lang`, "en" or "fr"."""
    return click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help=text)


def csv_option(command: Command) -> Command:
    """Give a command --csv-locale, which holds for all CSV that it writes."""
    return click.option(
        "--csv-locale",
        type=click.Choice(LANGUAGES),
        default="en",
        show_default=True,
        expose_value=False,
        callback=_csv_for,
        help="Spreadsheets that CSV files are for; fr: semicolons, decimal commas.",
    )(command)


def _csv_for(ctx: click.Context, param: click.Parameter, locale: str) -> None:
    from numbluff_sim.run.tables import csv_for

    ctx.with_resource(csv_for(locale))


def keys_said(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Of keys of the configuration, those that options gave a value; and the options' names by key."""
    said = {key: value for key, value in given.items() if value is not None}
    return said, {key: f"--{key.split('.')[-1]}" for key in said}


def setting_option(command: Command) -> Command:
    """Give a command --set: `settings`, a tuple of (dotted key, value)."""
    return click.option(
        "--set",
        "settings",
        metavar="KEY=VALUE",
        multiple=True,
        callback=_settings,
        help="Change one key, such as rules.wild_adjusts=both or deck.rainbow.reach=2; repeatable.",
    )(command)


def game_option(command: Command) -> Command:
    """Give a command --game: `game_name`, None where it is not said."""
    return click.option("--game", "game_name", metavar="NAME", help=GAME_HELP)(command)


def of_game(game_name: str | None) -> dict[str, Any]:
    """The override that --game makes."""
    return {} if game_name is None else {"game": game_name}


def results_folder(command: str, game_name: str, name: str) -> Path:
    """Where a command puts its results when nobody says: results/<command>-<name>, with the game's name where it is
    not the usual one.
    """
    from numbluff_sim.contract.registry import DEFAULT_GAME

    return Path("results") / "-".join([command, *([] if game_name == DEFAULT_GAME else [game_name]), name])


def load_for_command(
    source: str | None, preset: str | None, overrides: dict[str, Any], flags: dict[str, str] | None = None
) -> Config:
    """`load`, with errors in overrides named after the option that gave them."""
    from numbluff_sim.config import load  # pydantic loads with it, and `numbluff --help` does without

    with naming_overrides(flags):
        return load(source, preset=preset, overrides=overrides)


@contextlib.contextmanager
def naming_overrides(flags: dict[str, str] | None = None) -> Iterator[None]:
    """Name errors in overrides after the option that gave them: `flags` by key, --set for the rest."""
    from numbluff_sim.config.loading import OVERRIDE

    try:
        yield
    except ConfigError as error:
        if error.file == OVERRIDE:
            error.file = (flags or {}).get(error.key or "", "--set")
        raise


def json_option(command: Command) -> Command:
    """Give a command --json: machine-readable output on stdout, messages on stderr."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Machine-readable output on stdout, messages on stderr."
    )(command)


def _settings(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
    return tuple(_setting(text) for text in given)


def _setting(text: str) -> tuple[str, Any]:
    import unicodedata  # not for --help

    key, equals, value = unicodedata.normalize("NFC", text).partition("=")
    if not equals or not key.strip():
        raise click.BadParameter(
            f'"{text}" is not KEY=VALUE; expected something like table.players=5 or rules.last_tie=random.',
            param_hint="--set",
        )
    try:
        parsed: Any = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()  # a bare word is a text: shells eat quotes
    return key.strip(), parsed


def settings_in(text: str) -> dict[str, Any]:
    """The settings of "KEY=VALUE; KEY=VALUE", as --set reads each. Raises click.BadParameter."""
    return dict(_setting(part) for part in text.split(";") if part.strip())
