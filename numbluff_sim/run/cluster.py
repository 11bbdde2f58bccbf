"""Pieces played by a Dask cluster: bounded outstanding work, integer sums merged in any order.

Dask is imported when a cluster is asked for, and never before: it is the extra `numbluff-sim[cluster]`.
"""

from __future__ import annotations

import logging
import queue
import secrets
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from numbluff_sim.errors import ConfigError, RunError
from numbluff_sim.run.ledger import Source
from numbluff_sim.run.remote import COMPILES, PROBE, Program, differences, play_pieces, probe, program_of, refusal
from numbluff_sim.run.spans import FIRST_CALL, Piece
from numbluff_sim.run.stop import Stop

#: Seconds a task should take: long beside what sending it costs, short beside what a killed worker loses.
TASK_SECONDS = 1.5
#: Tasks that are sent for every thread of a worker: one is played, the others wait beside it.
TASKS_A_THREAD = 2
#: Pieces in one task at most.
MOST_PIECES = 1024
TICK_SECONDS, LOOK_SECONDS = 0.1, 1.0
#: Seconds to connect, to wait while there is no worker, and for a file to be seen on a shared disk.
CONNECT_SECONDS, PATIENCE, SEEN_SECONDS = 10.0, 30.0, 10.0
#: Times that a task is sent again after its workers have died.
MOST_DEATHS = 10
EXPECTED = 'the address of a Dask scheduler, such as "tcp://host:8786", or "local:4" for 4 workers on this machine'
NOISY = ("distributed", "tornado", "bokeh", "asyncio")
#: What a local cluster does beside playing, a tenth of its time as Dask has it: profiles and clocks nobody looks at.
CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.cycle": "10s",
    "distributed.admin.system-monitor.interval": "10s",
}


class Cluster:
    """A Dask cluster as an executor. `address`: of its scheduler, or "local:N": N processes of this machine, with one
    thread each, that end with it.

    Use it with `with`, or call `close`. Raises ConfigError for another address, and RunError where Dask is not
    installed, nobody answers, or no worker comes.
    """

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        self.address, self.patience = address, patience
        local = _local_workers(address)
        distributed = _distributed()
        _silence()
        self._cluster = None if local is None else _start_local(distributed, local)
        try:
            self._client = _connected(distributed, address if self._cluster is None else self._cluster)
            self.workers: dict[str, int] = {}
            self._await_workers(local or 1)
        except BaseException:
            self.close()
            raise

    def __str__(self) -> str:
        return f"{self.threads} thread{'s' * (self.threads > 1)} of the cluster {self.address}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        with warnings.catch_warnings(), suppress(Exception):  # whatever has died meanwhile need not be told
            warnings.simplefilter("ignore")
            for one in (getattr(self, "_client", None), self._cluster):
                if one is not None:
                    one.close(timeout=5)

    def run(self, source: Source, stop: Stop, tick: Callable[[], None]) -> None:
        """Play everything the source hands out, or until stop is asked. Where the scheduler or the last worker is gone,
        sets `stop` with the reason.
        """
        dispatch = _Dispatch(self._client, source, stop, self)
        try:
            while not (source.complete or source.halted or stop.asked):
                dispatch.look()
                dispatch.send()
                dispatch.collect()
                tick()
        except (OSError, TimeoutError) as error:
            if self.alive:
                raise
            stop.set(f"{self.gone} ({error})")
        finally:
            if not source.complete:
                source.halt()
            dispatch.cancel()

    @property
    def alive(self) -> bool:
        """Whether the scheduler is there."""
        return bool(self._client.status == "running")

    @property
    def gone(self) -> str:
        """That it is not."""
        return f"the scheduler of the cluster {self.address} is gone"

    @property
    def threads(self) -> int:
        """Threads of all workers."""
        return sum(self.workers.values())

    def refresh(self) -> None:
        """See which workers there are."""
        self.workers = dict(sorted(self._client.nthreads().items()))

    def check_programs(self, game_name: str) -> Program:
        """What all workers play a game with. Raises RunError where one is of another program."""
        expected, problems = program_of(game_name), []
        for worker, found in self._on_workers(program_of, game_name).items():
            if isinstance(found, dict):
                problems += differences(worker, found, expected)
            else:
                problems.append(f"worker {worker} cannot say what it plays with ({_short(found)})")
        if problems:
            raise RunError(refusal(problems))
        return expected

    def check_folder(self, folder: Path) -> None:
        """Raise RunError unless every worker sees the folder and the client sees what they write."""
        token = secrets.token_hex(8)
        asked = folder / f"{PROBE}{token}"
        try:
            asked.write_text(token, encoding="utf-8")
            said = self._on_workers(probe, str(folder), token)
            wrong = [f"worker {worker} {_short(text)}" for worker, text in said.items() if text != ""]
            end = time.monotonic() + SEEN_SECONDS
            while not wrong and len(_probes(folder, token)) < len(said):
                if time.monotonic() > end:
                    wrong = ["what the workers wrote there is not seen here"]
                time.sleep(0.05)
        finally:
            for path in [asked, *_probes(folder, token)]:
                path.unlink(missing_ok=True)
        if wrong:
            raise RunError(
                f"the workers of the cluster {self.address} do not share the folder {folder}: {'; '.join(wrong[:4])}. "
                "Rows are written by the workers: name an --out on a disk that all of them see under the same path, "
                "or play without rows."
            )

    def _await_workers(self, count: int) -> None:
        try:
            self._client.wait_for_workers(count, timeout=self.patience)
        except TimeoutError:
            raise RunError(
                f"the cluster {self.address} has no worker, and none came in {self.patience:g} s; "
                "expected workers started with `dask worker`."
            ) from None
        self.refresh()

    def _on_workers(self, function: Callable[..., Any], *args: Any) -> dict[str, Any]:
        found: dict[str, Any] = self._client.run(function, *args, on_error="return")
        return found


@dataclass
class _Sent:
    """A task that is being played somewhere."""

    future: Any
    pieces: list[Piece]
    deaths: int = 0


class _Dispatch:
    """Sends a source's pieces as tasks and takes what comes back, in the calling thread."""

    def __init__(self, client: Any, source: Source, stop: Stop, cluster: Cluster) -> None:
        self._client, self._source, self._stop, self._cluster = client, source, stop, cluster
        self._sent: dict[str, _Sent] = {}
        self._back: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._programs: dict[str, Program] = {}
        self._folders: set[Path] = set()
        self._kept: Piece | None = None
        #: Games a second in one thread of a worker.
        self._pace = 0.0
        self._looked_at = self._alone_since = time.monotonic()
        client.subscribe_topic(COMPILES, self._compiles)

    def look(self) -> None:
        """Once a second: is there still a scheduler, and somebody who plays?"""
        if not self._cluster.alive:
            self._stop.set(self._cluster.gone)
            return
        now = time.monotonic()
        if now - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = now
        self._cluster.refresh()
        if self._cluster.workers:
            self._alone_since = now
        elif now - self._alone_since > self._cluster.patience:
            self._stop.set(f"the cluster {self._cluster.address} has no worker left")

    def send(self) -> None:
        """Send tasks while there are fewer than the workers can have beside them."""
        most = max(self._cluster.threads, 1) * (TASKS_A_THREAD if self._pace else 1)
        while len(self._sent) < most and not self._stop.asked:
            pieces = self._batch()
            if not pieces:
                return
            self._submit(pieces)

    def _batch(self) -> list[Piece]:
        """Pieces of one game that take about TASK_SECONDS."""
        wanted = max(int(self._pace * TASK_SECONDS), FIRST_CALL)
        pieces: list[Piece] = []
        games = 0
        while games < wanted and len(pieces) < MOST_PIECES:
            piece = self._kept or self._source.take(wanted - games)
            self._kept = None
            if piece is None:
                break
            if pieces and piece.config.game != pieces[0].config.game:
                self._kept = piece
                break
            pieces.append(piece)
            games += piece.games
        return pieces

    def _submit(self, pieces: list[Piece], deaths: int = 0) -> None:
        game_name = pieces[0].config.game
        if game_name not in self._programs:
            self._programs[game_name] = self._cluster.check_programs(game_name)
        for parts in {piece.parts.folder for piece in pieces if piece.parts is not None} - self._folders:
            self._cluster.check_folder(parts)
            self._folders.add(parts)
        future = self._client.submit(play_pieces, pieces, self._programs[game_name], pure=False)
        self._sent[future.key] = _Sent(future, pieces, deaths)
        future.add_done_callback(lambda done: self._back.put(done.key))

    def collect(self) -> None:
        """Take what has come back, waiting a little for the first."""
        with suppress(queue.Empty):
            key = self._back.get(timeout=TICK_SECONDS)
            while True:
                self._take(self._sent.pop(key))
                key = self._back.get_nowait()

    def _take(self, sent: _Sent) -> None:
        from distributed import CancelledError, KilledWorker

        try:
            outcomes, seconds = sent.future.result()
        except CancelledError:
            self._stop.set(self._cluster.gone)
            return
        except KilledWorker as error:
            if sent.deaths >= MOST_DEATHS:
                self._source.halt(RunError(f"workers of the cluster die again and again: {_short(error)}"))
            else:
                self._submit(sent.pieces, sent.deaths + 1)
            return
        except Exception as error:  # noqa: BLE001  raised again by whoever plays
            self._source.halt(error)
            return
        finally:
            sent.future.release()
        games = sum(piece.games for piece in sent.pieces)
        pace = games / max(seconds, 1e-6)
        self._pace = pace if not self._pace else (self._pace + pace) / 2
        for piece, outcome in zip(sent.pieces, outcomes, strict=True):
            self._source.give(piece, outcome)

    def cancel(self) -> None:
        """Have nothing played any more."""
        with suppress(Exception):  # the scheduler may be gone
            self._client.unsubscribe_topic(COMPILES)
            self._client.cancel([sent.future for sent in self._sent.values()], force=True)

    def _compiles(self, event: tuple[float, Any]) -> None:
        """A worker begins to compile."""
        told = event[1]
        names = list(self._cluster.workers)
        number = names.index(told["worker"]) + 1 if told["worker"] in names else len(names)
        self._source.notice = f"worker {number} of {len(names)} compiles kernels for {told['players']} players"


def _local_workers(address: str) -> int | None:
    """The number in "local:4"; None for the address of a scheduler. Raises ConfigError."""
    kind, _, rest = address.partition(":")
    if kind == "local" and rest.isdecimal() and 1 <= int(rest) <= 256:
        return int(rest)
    if kind in ("tcp", "tls", "ucx", "ws", "wss") and rest.startswith("//") and len(rest) > 2:
        return None
    raise ConfigError(f"{address} is no cluster", file="--cluster", key="--cluster", value=address, expected=EXPECTED)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise RunError(
            "playing on a cluster needs dask.distributed, which is not installed; "
            "install it with: pip install 'numbluff-sim[cluster]'"
        ) from None
    return distributed


def _silence() -> None:
    """What Dask logs goes nowhere: what there is to say is said by this program."""
    known = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in NOISY]
    for name in {*NOISY, *known}:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _start_local(distributed: Any, count: int) -> Any:
    import dask

    quiet = {f"logging.{name}": "critical" for name in NOISY}
    dask.config.set({**quiet, **CALM, "distributed.scheduler.allowed-failures": MOST_DEATHS})
    return distributed.LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=0,
        silence_logs=logging.CRITICAL + 1,
        preload=["numbluff_sim.run.remote"],
    )


def _connected(distributed: Any, where: Any) -> Any:
    with warnings.catch_warnings():  # that packages differ: what matters is checked
        warnings.simplefilter("ignore")
        try:
            return distributed.Client(where, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise RunError(f"no scheduler answers at {where} ({_short(error)}); expected {EXPECTED}.") from None


def _probes(folder: Path, token: str) -> list[Path]:
    return list(folder.glob(f"{PROBE}{token}-*"))


def _short(error: object) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
