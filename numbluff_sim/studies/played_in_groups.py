"""A configuration played in groups of games: its tally, and its metrics without each of the groups (the replicates).

What was played is kept in one file a configuration, so that nothing is played twice; a point that is interrupted keeps
its finished groups.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from numbluff_sim.analysis.metrics.measured import MeasuredRun, estimators_of
from numbluff_sim.analysis.statistics.paired import GROUPS, Replicates, Side, replicates
from numbluff_sim.config import Config
from numbluff_sim.contract.game import Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.kernels.common.jit import compiling as collector_held
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, write_bytes
from numbluff_sim.run.ledger import Ledger, Slot
from numbluff_sim.run.playing import How, play
from numbluff_sim.run.spans import LANES, zeros
from numbluff_sim.run.stop import Interrupted

#: Seconds between two savings of an unfinished point.
SAVE_SECONDS = 4.0
#: Groups that are worth having when whole detail periods would give fewer.
FEW_GROUPS = 16


@dataclass(frozen=True)
class PlayedPoint:
    """A configuration that was played: tally of all its games, and replicates."""

    config: Config
    tally: Tally
    replicates: Replicates

    def side(self) -> Side:
        """What a comparison needs of it."""
        return Side(
            self.replicates,
            estimators_of(MeasuredRun(self.config, self.tally)),
            f"{self.config.digest()} {self.config.run.games}",
        )


def cut(games: int, detail_every: int) -> list[tuple[int, int]]:
    """First game and number of games of every group: GROUPS of nearly equal size, each of whole detail periods where
    that leaves enough groups.
    """
    period = LANES * detail_every
    unit = period if games >= FEW_GROUPS * period else LANES
    units = max(games // unit, 1)
    count = min(GROUPS, units)
    edges = [units * g // count * unit for g in range(count)] + [games]
    return [(first, after - first) for first, after in pairwise(edges)]


def play_point(
    config: Config, folder: Path | None = None, *, only: Collection[str] | None = None, **how: Unpack[How]
) -> PlayedPoint:
    """Play a configuration in groups, or take it from `folder`, where it is kept; `only`: with replicates of no more
    than these metrics (all are kept where there is a folder). Raises Interrupted, RunError.
    """
    identity = {
        **provenance.identity(config, game(config.game)),
        "games": str(config.run.games),
        "detail_every": str(config.run.detail_every),
    }
    whole = None if folder is None else folder / f"{config.digest()}.npz"
    if whole is not None and (found := _read(whole, identity)) is not None:
        return PlayedPoint(
            config,
            _tally(found, "tally"),
            Replicates(tuple(found["names"].tolist()), found["values"], found["without"]),
        )
    partial = None if folder is None else folder / f"{config.digest()}-groups.npz"
    ledger = _play_groups(config, partial, identity, how)
    total, tallies = ledger.snapshot()[1], [slot.tally for slot in ledger.slots]
    with (
        collector_held()
    ):  # it would search all that compiled kernels hold every few thousand estimators, for a third of the time
        wanted = only if folder is None else None
        made = replicates(lambda cells: estimators_of(MeasuredRun(config, cells), wanted), total, tallies)
    if whole is not None and partial is not None:
        arrays = {f"tally/{name}": cells for name, cells in total.items()}
        _write(
            whole, identity, {**arrays, "names": np.array(made.names), "values": made.values, "without": made.without}
        )
        partial.unlink(missing_ok=True)
    return PlayedPoint(config, total, made)


def play_groups(config: Config, **how: Unpack[How]) -> list[Tally]:
    """The tallies of all groups (`cut`), in order. Raises Interrupted."""
    return [slot.tally for slot in _play_groups(config, None, {}, how).slots]


def _play_groups(config: Config, partial: Path | None, identity: Mapping[str, str], how: How) -> Ledger:
    """All groups, those that an interrupted point has finished taken from `partial`, which is kept up to date."""
    before = _unfinished(partial, identity, config)
    ledger = Ledger(
        config,
        [
            Slot(first, games, before.get(g) or zeros(config), games if g in before else 0)
            for g, (first, games) in enumerate(cut(config.run.games, config.run.detail_every))
        ],
    )
    saved_at = time.monotonic()

    def save() -> None:
        nonlocal saved_at
        finished = ledger.finished()
        if partial is not None and finished:
            _save_groups(partial, identity, finished)
        saved_at = time.monotonic()

    def tick() -> None:
        if time.monotonic() - saved_at >= SAVE_SECONDS:
            save()

    try:
        play(ledger, tick=tick, **how)
    except Interrupted as interrupted:
        save()
        raise Interrupted(
            sum(ledger.slots[g].games for g in ledger.finished()),
            config.run.games,
            "games of this configuration",
            reason=interrupted.reason,
        ) from None
    return ledger


def _save_groups(path: Path, identity: Mapping[str, str], tallies: Mapping[int, Tally]) -> None:
    _write(path, identity, {f"{g}/{name}": cells for g, tally in tallies.items() for name, cells in tally.items()})


def _unfinished(path: Path | None, identity: Mapping[str, str], config: Config) -> dict[int, Tally]:
    """The groups that an interrupted point has finished."""
    found = None if path is None else _read(path, identity)
    if found is None:
        return {}
    groups = sorted({int(key.split("/")[0]) for key in found if "/" in key})
    fields = game(config.game).tally_shapes(config)
    return {g: {name: found[f"{g}/{name}"] for name in fields} for g in groups}


def _tally(found: Mapping[str, Any], prefix: str) -> Tally:
    return {key.removeprefix(f"{prefix}/"): cells for key, cells in found.items() if key.startswith(f"{prefix}/")}


def _write(path: Path, identity: Mapping[str, str], arrays: Mapping[str, Any]) -> None:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, identity=np.array(json.dumps(identity, sort_keys=True)), **arrays)
    with disk_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, buffer.getvalue())


def _read(path: Path, identity: Mapping[str, str]) -> dict[str, Any] | None:
    """The arrays of a file, or None when it is not there, not whole, or of another program, seed or number of games:
    then it is played again.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, EOFError, KeyError):
        return None
    return arrays if json.loads(str(arrays.get("identity", "{}"))) == dict(identity) else None
