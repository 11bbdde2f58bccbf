"""Runs: a configuration played into a folder that a killed process leaves resumable, or into memory."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Unpack

from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError
from numbluff_sim.run.checkpoint import FINISHED, INTERRUPTED, RUNNING, Folder
from numbluff_sim.run.ledger import Ledger, Slot
from numbluff_sim.run.playing import How, play
from numbluff_sim.run.rows import PartFiles
from numbluff_sim.run.spans import LANES, copied, span_games, subtract, zeros
from numbluff_sim.run.stop import RESUME, Interrupted, resumable
from numbluff_sim.run.store import RunData

#: Seconds between checkpoints: with the longest span, what a kill can cost.
CHECKPOINT_SECONDS = 2.0


def default_folder(config: Config, name: str) -> Path:
    """results/<game>-<name>-<players>p-s<seed>; `name` is that of the preset or of the file, without its ending."""
    return Path("results") / f"{config.game}-{name}-{config.players}p-s{config.run.seed}"


def run_simulation(
    config: Config,
    out: str | os.PathLike[str],
    *,
    resume: bool = False,
    replace: bool = False,
    command: str = "",
    notes: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> RunData:
    """Play a configuration and write run.json, tally.parquet and the rows asked for into the folder `out`.

    The tally's bytes depend on configuration, seed and number of games alone, however often the run was killed and
    resumed and wherever it was played. `resume` continues what is in `out` (a missing folder is started, a finished run
    left as it is); more games than before extend the run. `replace` removes a run from `out` that is in the way (with
    `resume`: that cannot be continued). `command` and the JSON-able entries of `notes` are kept in run.json. Raises
    RunError (folder of another run, not writable, disk full, broken parts) and Interrupted.
    """
    path, entry = Path(out), game(config.game)
    with Folder.held(path, config, entry, resume=resume, replace=replace, command=command, notes=notes) as folder:
        rows, identity = config.run.rows, tuple(folder.meta["identity"].items())
        parts = PartFiles(path.absolute(), config, rows, span_games(config, rows), config.run.games, identity)
        parts.check(folder.done if folder.finished else folder.done // parts.unit * parts.unit)
        if not folder.finished:
            with resumable(path, RESUME):
                _play(folder, parts, how)
        return RunData(config, folder.tally or {}, folder.meta, path)


def _play(folder: Folder, parts: PartFiles, how: How) -> None:
    folder.save_meta(RUNNING)
    saved_at = time.monotonic()
    ledger = _ledger(folder, parts, how)

    def tick() -> None:
        nonlocal saved_at
        if time.monotonic() - saved_at >= CHECKPOINT_SECONDS and ledger.done > folder.done:
            _checkpoint(folder, ledger, RUNNING)
            saved_at = time.monotonic()

    try:
        play(ledger, tick=tick, **how)
        _checkpoint(folder, ledger, FINISHED)
    except BaseException as error:
        with suppress(RunError):  # a full disk must not hide the error that ended the run
            _checkpoint(folder, ledger, INTERRUPTED)
        if isinstance(error, Interrupted):
            raise Interrupted(folder.done, ledger.games, folder=folder.path, reason=error.reason) from None
        raise


def _ledger(folder: Folder, parts: PartFiles, how: How) -> Ledger:
    """Where the run continues: whole spans stay, a last one cut short by the former number of games is taken back
    out of the tally.
    """
    config, done = folder.config, folder.done
    tally = zeros(config) if folder.tally is None else copied(folder.tally)
    step = parts.unit if parts.tables else LANES
    start = done // step * step
    if start < done:
        again = Ledger.of(config, [(start, done - start)])
        play(again, executor=how.get("executor"), stop=how.get("stop"))
        subtract(tally, again.slots[0].tally)
    slot = Slot(0, config.run.games, tally, start)
    return Ledger(config, [slot], parts=parts if parts.tables else None)


def _checkpoint(folder: Folder, ledger: Ledger, state: str) -> None:
    done, tally = ledger.snapshot()
    if done > folder.done or folder.tally is None:
        folder.save_tally(tally, done)
    folder.save_meta(state)
