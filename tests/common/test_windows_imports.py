"""What runs can be imported where POSIX is not: no module needs its modules or signals to be loaded."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import numbluff_sim

ROOT = Path(__file__).parents[2]
MISSING_MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "syslog", "readline", "curses")
MISSING_SIGNALS = [
    "SIGPIPE",
    "SIGHUP",
    "SIGALRM",
    "SIGKILL",
    "SIGUSR1",
    "SIGUSR2",
    "SIGCHLD",
    "alarm",
    "setitimer",
    "pause",
]
MISSING_CALLS = ["sched_getaffinity", "getloadavg", "fork", "killpg", "getuid", "geteuid", "uname", "setsid", "mkfifo"]
#: What others make of the system is theirs: they find out where they are.
OTHERS = [
    "SALib.sample.sobol",
    "babel",
    "click",
    "distributed",
    "filelock",
    "jinja2",
    "llvmlite",
    "matplotlib.figure",
    "numba",
    "numpy",
    "optuna",
    "pandas",
    "pyarrow.parquet",
    "pydantic",
    "rich.progress",
    "scipy.stats",
    "statsmodels.api",
    "tomlkit",
    "importlib.metadata",
    "multiprocessing",
    "concurrent.futures",
    "getpass",
    "tempfile",
    "platform",
]
CODE = """
import importlib, os, signal, sys
for name in {others}:
    importlib.import_module(name)
for name in {modules}:
    sys.modules[name] = None
for name in {signals}:
    delattr(signal, name)
for name in {system}:
    delattr(os, name)
for name in {ours}:
    importlib.import_module(name)
print("imported", len({ours}))
"""


@pytest.mark.thorough
def test_imports__without_posix() -> None:
    ours = [
        found.name
        for found in pkgutil.walk_packages(numbluff_sim.__path__, "numbluff_sim.")
        if not found.name.endswith(".__main__")
    ]
    assert {"numbluff_sim.run.cluster", "numbluff_sim.bench.spawn", "numbluff_sim.kernels.common.jit"} <= set(ours)
    code = CODE.format(others=OTHERS, modules=MISSING_MODULES, signals=MISSING_SIGNALS, system=MISSING_CALLS, ours=ours)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == f"imported {len(ours)}\n", done.stderr
