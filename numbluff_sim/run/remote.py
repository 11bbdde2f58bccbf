"""What the workers of a cluster do: play pieces, say which program they are, look into a folder.

Runs in the workers' processes; nothing here knows the client.
"""

from __future__ import annotations

import dataclasses
import os
import platform
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numbluff_sim import __version__
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError
from numbluff_sim.run import provenance
from numbluff_sim.run.compiling import told_of_compiling
from numbluff_sim.run.spans import MOST_ENGINES, Engines, Outcome, Piece, Player

#: What must be alike in client and workers, for the same games to be played.
Program = dict[str, str]
#: The topic of events that tell of compiling.
COMPILES = "numbluff-compiles"
PROBE = ".probe-"


def program_of(game_name: str) -> Program:
    """What this process would play a game with."""
    entry = game(game_name)
    return {
        "version of numbluff_sim": __version__,
        "rules version": str(entry.rules_version),
        "code digest": provenance.code_digest(entry),
    }


def differences(worker: str, found: Program, expected: Program) -> list[str]:
    """What a worker has otherwise than the client, with both values."""
    return [
        f"worker {worker} has {what} {found.get(what)}, this process {value}"
        for what, value in expected.items()
        if found.get(what) != value
    ]


class Process:
    """What a worker's process keeps from task to task: engines, configurations, a player for every thread."""

    def __init__(self) -> None:
        self.engines = Engines()
        self.checked: set[tuple[str, ...]] = set()
        self.warm: set[tuple[str, int]] = set()
        self._configs: dict[str, Config] = {}
        self._lock = threading.Lock()
        self._local = threading.local()

    @property
    def player(self) -> Player:
        """The player of this thread."""
        if not hasattr(self._local, "player"):
            self._local.player = Player(self.engines, lambda: False)
        found: Player = self._local.player
        return found

    def known(self, config: Config) -> Config:
        """The same configuration as one that came before, if there was one: its engine is there already."""
        with self._lock:
            digest = config.digest()
            if digest not in self._configs and len(self._configs) >= MOST_ENGINES:
                self._configs.pop(next(iter(self._configs)))
            return self._configs.setdefault(digest, config)


_process = Process()


def play_pieces(pieces: list[Piece], expected: Program) -> tuple[list[Outcome], float]:
    """What comes of every piece, all of one game, and the seconds it took without compiling. Raises RunError where this
    process is of another program than the client.
    """
    _check(pieces[0].config.game, expected)
    pieces = [dataclasses.replace(piece, config=_process.known(piece.config)) for piece in pieces]
    for piece in pieces:
        _warm(piece.config)
    start, outcomes = time.perf_counter(), []
    for piece in pieces:
        outcome = _process.player.play(piece)
        assert outcome is not None
        outcomes.append(outcome)
    return outcomes, time.perf_counter() - start


def _check(game_name: str, expected: Program) -> None:
    """A worker that joined later was not looked at before."""
    key = (game_name, *expected.values())
    if key not in _process.checked:
        problems = differences(_address(), program_of(game_name), expected)
        if problems:
            raise RunError(refusal(problems))
        _process.checked.add(key)


def refusal(problems: list[str]) -> str:
    """Why a cluster is not used."""
    shown = "; ".join(problems[:4]) + (f"; and {len(problems) - 4} more" if len(problems) > 4 else "")
    return f"the cluster would not play the same games: {shown}. Install the same numbluff_sim on every worker."


def _warm(config: Config) -> None:
    """Load or compile the kernels of a configuration with one game, and tell of compiling."""
    kind = (config.game, config.players)
    if kind in _process.warm:
        return
    with told_of_compiling(lambda: _tell(config.players)), _one_at_a_time():
        engine = _process.engines.of(config)
        engine.play(0, 1, engine.new_tally())
    _process.warm.add(kind)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Of the processes of one machine one compiles, and the others find what it has compiled."""
    from filelock import FileLock

    user = os.getuid() if hasattr(os, "getuid") else ""  # in a container a user may have no name; Windows has folders
    with FileLock(Path(tempfile.gettempdir()) / f"numbluff-compiling-{user}.lock", thread_local=False):
        yield


_told: set[int] = set()


def _tell(players: int) -> None:
    from distributed import get_worker

    if players not in _told:
        _told.add(players)
        worker: Any = get_worker()
        worker.log_event(COMPILES, {"worker": worker.address, "players": players})


def _address() -> str:
    from distributed import get_worker

    worker: Any = get_worker()
    return str(worker.address)


def probe(folder: str, token: str) -> str:
    """Say whether this worker sees the client's file in a folder, and leave one beside it. "" or what is wrong."""
    asked = Path(folder) / f"{PROBE}{token}"
    try:
        if asked.read_text(encoding="utf-8") != token:
            return "finds another file there"
        (Path(folder) / f"{PROBE}{token}-{platform.node()}-{os.getpid()}").write_text(token, encoding="utf-8")
    except OSError as error:
        return str(error.strerror or error)
    return ""


def dask_setup(worker: Any) -> None:  # noqa: ARG001  the signature is Dask's
    """Of a local cluster's worker: Ctrl-C in the terminal is for the client, which ends its workers itself."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
