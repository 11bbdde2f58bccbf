"""A cluster of processes that tests may kill: a scheduler and workers of one thread each, on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.cluster.environment import GATE, OTHER_DIGEST
from tests.common.held import LIMIT

ROOT = Path(__file__).parents[2]
QUIET = ("--no-dashboard", "--host", "127.0.0.1")


class Processes:
    """Ends with `close`. The gate is open unless `hold` shuts it."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder, self.gate = folder, folder / "gate"
        self.gate.mkdir(parents=True)
        self.open()
        file = folder / "scheduler.json"
        self._all = [
            self._start("distributed.cli.dask_scheduler", *QUIET, "--port", "0", "--scheduler-file", str(file))
        ]
        wait_for(lambda: file.exists() and bool(file.read_text()))
        self._file = str(file)
        for _ in range(workers):
            self.add_worker()

    @property
    def scheduler(self) -> subprocess.Popen[bytes]:
        return self._all[0]

    @property
    def address(self) -> str:
        import json

        return str(json.loads(Path(self._file).read_text())["address"])

    def add_worker(self, *, digest: str = "") -> subprocess.Popen[bytes]:
        """One more worker, perhaps one of another program."""
        worker = self._start(
            "distributed.cli.dask_worker",
            *("--scheduler-file", self._file, "--nthreads", "1", "--no-nanny", "--memory-limit", "0", *QUIET),
            *("--preload", "tests.cluster.preload"),
            digest=digest,
        )
        self._all.append(worker)
        return worker

    def open(self) -> None:
        (self.gate / "open").touch()

    def hold(self, tickets: int = 0) -> None:
        """From now on only so many calls into the engine go on."""
        for path in self.gate.iterdir():
            path.unlink()
        for number in range(tickets):
            (self.gate / f"ticket-{number}").touch()

    def playing(self) -> list[int]:
        """Processes that have come to the gate since it was shut."""
        return [int(path.name.removeprefix("at-")) for path in self.gate.glob("at-*")]

    def close(self) -> None:
        for process in reversed(self._all):
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()

    def _start(self, module: str, *args: str, digest: str = "") -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), GATE: str(self.gate), OTHER_DIGEST: digest}
        log = (self.folder / f"{module}-{time.monotonic_ns()}.log").open("wb")
        with log:
            return subprocess.Popen(
                [sys.executable, "-m", module, *args], cwd=self.folder, env=environment, stdout=log, stderr=log
            )


def wait_for(reached: Callable[[], bool], seconds: float = LIMIT) -> None:
    """Until something has happened."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.01)
