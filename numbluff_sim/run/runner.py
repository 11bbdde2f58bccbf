"""Runs: a configuration played into a folder that a killed process leaves resumable, or into memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbluff_sim.config import Config
from numbluff_sim.contract.game import Engine, Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError
from numbluff_sim.run import store
from numbluff_sim.run.buffers import RowBuffers
from numbluff_sim.run.checkpoint import FINISHED, INTERRUPTED, RUNNING, Folder
from numbluff_sim.run.files import disk_errors
from numbluff_sim.run.store import RunData
from numbluff_sim.run.workers import LANES, Columns, Ledger, Plan, run_threads, stopped_by_signals, subtract

#: Seconds between checkpoints: with the longest span, what a kill can cost.
CHECKPOINT_SECONDS = 2.0
#: Round rows in a part file, and games in one when only game rows are written or none at all.
PART_ROUNDS = 2**18
SPAN_GAMES = 2**18
#: Rounds in one call that returns rows: keeps the trace behind them small (10 MB for 4 players).
TRACE_ROUNDS = 2**16

TABLES = {"none": (), "games": ("games",), "rounds": ("games", "rounds")}


@dataclass(frozen=True)
class Progress:
    """How far a run is: games done of those asked, in this process since `seconds`, and the exact tally of the games
    done.
    """

    games_done: int
    games: int
    seconds: float
    games_per_second: float
    tally: Tally

    @property
    def seconds_left(self) -> float:
        """At the present rate; infinite before the first games are done."""
        return (self.games - self.games_done) / self.games_per_second if self.games_per_second else float("inf")


ProgressCallback = Callable[[Progress], None]


class RunInterrupted(KeyboardInterrupt):
    """SIGINT or SIGTERM ended a run early; what was done is on disk."""

    def __init__(self, folder: Path, games_done: int, games: int) -> None:
        super().__init__(
            f"interrupted after {games_done} of {games} games; continue with --resume and the same options "
            f"(folder {folder})"
        )
        self.folder, self.games_done, self.games = folder, games_done, games


def plan(config: Config, rows: str, games: int) -> Plan:
    """How a run is cut up. Spans with rows are part files, so their size follows from the configuration alone."""

    def aligned(games: int) -> int:
        return max(games // LANES, 1) * LANES

    call = -(-config.run.batch // LANES) * LANES
    if rows != "none":
        call = min(call, aligned(TRACE_ROUNDS // config.rounds))
    unit = aligned(PART_ROUNDS // config.rounds) if rows == "rounds" else SPAN_GAMES
    return Plan(games, config.run.threads, unit, call, rows, free=rows == "none")


def default_folder(config: Config, name: str) -> Path:
    """results/<game>-<name>-<players>p-s<seed>; `name` is that of the preset or of the file, without its ending."""
    return Path("results") / f"{config.game}-{name}-{config.players}p-s{config.run.seed}"


def simulate_tally(config: Config, games: int | None = None, *, progress: ProgressCallback | None = None) -> Tally:
    """The tally of `games` games (default: config.run.games), in memory; nothing is written."""
    engine = game(config.game).engine(config)
    ledger = Ledger(plan(config, "none", config.run.games if games is None else games), 0, engine.new_tally())
    run_threads(engine, ledger, _no_sink, _reporter(ledger, progress))
    return ledger.tally


def run_simulation(
    config: Config,
    out: str | os.PathLike[str],
    *,
    resume: bool = False,
    replace: bool = False,
    progress: ProgressCallback | None = None,
    command: str = "",
    notes: Mapping[str, Any] | None = None,
) -> RunData:
    """Play a configuration and write run.json, tally.parquet and the rows asked for into the folder `out`.

    The tally's bytes depend on configuration, seed and number of games alone, however often the run was killed and
    resumed. `resume` continues what is in `out` (a missing folder is started, a finished run left as it is); more games
    than before extend the run. `replace` removes a run from `out` that is in the way (with `resume`: that cannot be
    continued). `progress` is called a few times a second; `command` and the JSON-able entries of `notes` are kept in
    run.json. Raises RunError (folder of another run, not writable, disk full, broken parts) and RunInterrupted.
    """
    path, entry = Path(out), game(config.game)
    with Folder.held(path, config, entry, resume=resume, replace=replace, command=command, notes=notes) as folder:
        cut = plan(config, config.run.rows, config.run.games)
        _check_parts(folder, cut)
        if not folder.finished:
            _play(folder, cut, entry.engine(config), progress)
        return RunData(config, folder.tally or {}, folder.meta, path)


def _check_parts(folder: Folder, cut: Plan) -> None:
    """Check the parts that stay: all of a finished run, the whole spans of one to be continued."""
    stay = folder.done if folder.finished else folder.done // cut.unit * cut.unit
    for table in TABLES[cut.rows]:
        for first in range(0, stay, cut.unit):
            metadata = folder.part_metadata(table, first, min(cut.unit, stay - first))
            store.check_part(folder.part(table, first // cut.unit), metadata)


def _play(folder: Folder, cut: Plan, engine: Engine, progress: ProgressCallback | None) -> None:
    folder.save_meta(RUNNING)
    ledger = _ledger(folder, cut, engine)
    report, saved_at = _reporter(ledger, progress), time.monotonic()

    def tick() -> None:
        nonlocal saved_at
        report()
        if time.monotonic() - saved_at >= CHECKPOINT_SECONDS and ledger.done > folder.done:
            _checkpoint(folder, ledger, RUNNING)
            saved_at = time.monotonic()

    try:
        with stopped_by_signals(ledger.halt):
            run_threads(engine, ledger, (lambda: PartWriter(folder, cut)) if TABLES[cut.rows] else _no_sink, tick)
            _checkpoint(folder, ledger, FINISHED if ledger.complete else INTERRUPTED)
    except BaseException:
        with suppress(RunError):  # a full disk must not hide the error that ended the run
            _checkpoint(folder, ledger, INTERRUPTED)
        raise
    if not ledger.complete:
        raise RunInterrupted(folder.path, folder.done, cut.games)


def _ledger(folder: Folder, cut: Plan, engine: Engine) -> Ledger:
    """Where the run continues: whole spans stay, a last one cut short by the former number of games is taken back
    out of the tally.
    """
    tally = (
        engine.new_tally() if folder.tally is None else {name: values.copy() for name, values in folder.tally.items()}
    )
    step = LANES if cut.free else cut.unit
    start = folder.done // step * step
    if start < folder.done:
        again = Ledger(plan(folder.config, "none", folder.done), start, engine.new_tally())
        run_threads(engine, again, _no_sink, lambda: None)
        subtract(tally, again.tally)
    return Ledger(cut, start, tally)


def _checkpoint(folder: Folder, ledger: Ledger, state: str) -> None:
    done, tally = ledger.snapshot()
    if done > folder.done or folder.tally is None:
        folder.save_tally(tally, done)
    folder.save_meta(state)


class PartWriter:
    """Writes the rows of one thread's spans, a part file each."""

    def __init__(self, folder: Folder, cut: Plan) -> None:
        columns = game(folder.config.game).columns(folder.config)
        self._folder, self._unit = folder, cut.unit
        self._columns = {table: columns[table] for table in TABLES[cut.rows]}
        most = min(cut.unit, cut.games)
        self._buffers = RowBuffers(self._columns, {"games": most, "rounds": most * folder.config.rounds})
        with disk_errors(folder.path):
            for table in self._columns:
                (folder.path / table).mkdir(exist_ok=True)

    def add(self, rows: dict[str, Columns]) -> None:
        """The rows of one call."""
        self._buffers.add(rows)

    def close(self, first_game: int, games: int) -> None:
        """Write the parts of a span. Raises RunError where the disk refuses."""
        for table, columns in self._columns.items():
            path, metadata = (
                self._folder.part(table, first_game // self._unit),
                self._folder.part_metadata(table, first_game, games),
            )
            with disk_errors(path):
                store.write_part(path, columns, self._buffers.rows(table), metadata)
        self._buffers.clear()


def _no_sink() -> None:
    return None


def _reporter(ledger: Ledger, progress: ProgressCallback | None) -> Callable[[], None]:
    start, first = time.monotonic(), ledger.done

    def report() -> None:
        if progress is not None:
            done, tally = ledger.snapshot()
            seconds = max(time.monotonic() - start, 1e-9)
            progress(Progress(done, ledger.plan.games, seconds, (done - first) / seconds, tally))

    return report
