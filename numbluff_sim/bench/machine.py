"""The machine that numbers were measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from numbluff_sim.bench.yardstick import compiler_version
from numbluff_sim.config.model import cores
from numbluff_sim.run.provenance import versions


def describe(compiler: str | None) -> dict[str, Any]:
    """CPU, usable cores, load of the last minute (others' work makes times longer), system, versions, compiler."""
    return {
        "cpu": cpu_name(),
        "cores": cores(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "versions": versions(),
        "compiler": compiler_version(compiler) if compiler else None,
    }


def cpu_name() -> str:
    """The CPU's name as the system gives it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or "unknown CPU"
