"""The command `numbluff`: a table of commands, each loaded when it is called, and one place where errors become
messages.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

try:
    import click

    from numbluff_sim import __version__
    from numbluff_sim.cli.shared import streams
    from numbluff_sim.cli.shared.signals import ending
    from numbluff_sim.errors import UserError, nearest_name, refuse_without_links
except KeyboardInterrupt:
    sys.exit(130)  # interrupted before there is a command

#: Command -> (module, attribute, one line of help); modules load only when their command is called.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "simulate": ("numbluff_sim.cli.simulate", "simulate", "Play many games and write the outcome tables."),
    "report": ("numbluff_sim.cli.report", "report", "Make the report of one or more runs: page, figures and numbers."),
    "check": ("numbluff_sim.cli.check", "check", "Hold claims against fresh runs: holds, differs, inconclusive."),
    "compare": (
        "numbluff_sim.cli.compare",
        "compare",
        "Compare variants on the same deals: what changes, by how much.",
    ),
    "rulings": ("numbluff_sim.cli.compare", "rulings", "Which open question of the rulebook matters."),
    "knockout": ("numbluff_sim.cli.compare", "knockout", "What each card, family and rule contributes."),
    "what-if-one": (
        "numbluff_sim.cli.what_if_one",
        "what_if_one",
        "What lying, fusing, ... brings one player, on the same deals.",
    ),
    "tune": ("numbluff_sim.cli.tune", "tune", "The smallest change within bounds that meets all targets."),
    "calibrate": (
        "numbluff_sim.cli.calibrate",
        "calibrate",
        "Which rulings and ways of playing reproduce given rates.",
    ),
    "plan": ("numbluff_sim.cli.plan", "plan", "How many games an answer needs, and how long they take."),
    "resolve": ("numbluff_sim.cli.resolve", "resolve", "Resolve given rounds: the rules calculator."),
    "replay": ("numbluff_sim.cli.replay", "replay", "Show single games as readable transcripts."),
    "config": ("numbluff_sim.cli.config", "config", "Show, validate or compare configurations."),
    "sweep": ("numbluff_sim.cli.sweep", "sweep", "Play a design over configuration keys, judged by targets."),
    "bench": ("numbluff_sim.cli.bench", "bench", "Measure rounds per second on this machine."),
    "warmup": ("numbluff_sim.cli.warmup", "warmup", "Compile and cache the kernels."),
}
USAGE, UNEXPECTED, INTERRUPTED = 2, 70, 130
#: Set to 1, an unexpected error shows its traceback.
DEBUG = "NUMBLUFF_DEBUG"


class LazyGroup(click.Group):
    """A group whose commands stand in COMMANDS until they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the command, or None for a name that is none."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name for a wrong one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = nearest_name(args[0], COMMANDS)
            ctx.fail(
                f'"{args[0]}" is not a command; expected one of {", ".join(COMMANDS)}.'
                + (f' Did you mean "{near}"?' if near else "")
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="numbluff")
def main() -> None:
    """Simulates NUM BLUFF and Perudo (--game perudo) and says what a rule, a card or a way of playing does to the game.

    Exit codes: 0 done (for a check: every verdict as expected); 1 a verdict decided against its expectation; 3 else, a
    verdict inconclusive; 2 usage or configuration error; 70 an error in numbluff itself; 130 interrupted (SIGINT,
    SIGTERM or SIGHUP); 141 the reader of its output has gone.
    """


def run(args: Sequence[str] | None = None) -> NoReturn:
    """Entry point of the console script: run a command, print what went wrong, exit. A command may return its exit
    code.
    """
    streams.prepare()
    try:
        refuse_without_links()
        with _signals():
            result: Any = main.main(args=args, prog_name="numbluff", standalone_mode=False)
        sys.stdout.flush()
    except UserError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(USAGE)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt) as error:
        from numbluff_sim.run.stop import Interrupted

        # What was done and how to go on, where something was being played; click makes an Abort of it.
        played = error.__cause__ if isinstance(error, click.Abort) else error
        if isinstance(played, EOFError):  # click takes it for somebody who ends a dialogue
            _failed(played)
        click.echo(f"I{str(played)[1:]}" if isinstance(played, Interrupted) else "Interrupted.", err=True)
        sys.exit(INTERRUPTED)
    except Exception as error:  # noqa: BLE001  Python would end with 1, which is a verdict here
        if isinstance(error, OSError) and streams.refused(error):
            click.echo(f"Error: standard output cannot be written: {error.strerror}.", err=True)
            sys.exit(USAGE)
        _failed(error)
    sys.exit(result if isinstance(result, int) else 0)


def _failed(error: Exception) -> NoReturn:
    """Ends with what somebody needs who reports the error."""
    if os.environ.get(DEBUG) == "1":
        traceback.print_exception(error)
    click.echo(
        f"Error: numbluff {__version__} has failed unexpectedly ({_in_one_line(error)}). This is an error "
        "in the program: please report "
        f"it with the command you called. With {DEBUG}=1 in the environment the command also prints a traceback.",
        err=True,
    )
    sys.exit(UNEXPECTED)


def _in_one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")[:300]


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end a command as Ctrl-C does; a reader that has gone (`| head`) ends it as it ends any other
    program, without a message.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known: dict[signal.Signals, Any] = dict.fromkeys(ending(), _interrupt)
    if hasattr(signal, "SIGPIPE"):
        known[signal.SIGPIPE] = signal.SIG_DFL
    before = {number: signal.signal(number, handler) for number, handler in known.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
