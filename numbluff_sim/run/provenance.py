"""Where numbers come from: digests of the code that can change them, versions, and what a run's file says of itself."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numbluff_sim.config.model import Config
    from numbluff_sim.contract.game import Game

#: Distributions whose versions a run records.
PACKAGES = ("numbluff_sim", "numpy", "numba", "llvmlite", "pyarrow")


def code_digest(entry: Game[Config]) -> str:
    """16 hexadecimal digits over everything that can change a game's numbers.

    Shared kernels, the modules that the game names (`Game.sources`), and its rules version; other games stay out.
    """
    digest = hashlib.sha256(f"{entry.name} rules {entry.rules_version}\n".encode())
    for package, modules in {
        "numbluff_sim.kernels.common": (),
        "numbluff_sim.kernels.solving": (),
        **entry.sources,
    }.items():
        for path, source in sorted(_sources(resources.files(package)).items()):
            if not modules or path.partition("/")[0].removesuffix(".py") in modules:
                digest.update(f"{package}/{path}".encode() + b"\0" + source + b"\0")
    return digest.hexdigest()[:16]


def _sources(folder: Traversable, above: str = "") -> dict[str, bytes]:
    """The sources of a package and of the packages in it, by path."""
    found: dict[str, bytes] = {}
    for item in folder.iterdir():
        if item.is_dir():
            found |= _sources(item, f"{above}{item.name}/")
        elif item.name.endswith(".py"):
            found[above + item.name] = item.read_bytes()
    return found


def versions() -> dict[str, str]:
    """Versions of Python and of the packages a run stands on; "unknown" for one that is not installed as a
    distribution.
    """
    return {"python": platform.python_version(), **{package: _version(package) for package in PACKAGES}}


@cache
def _version(package: str) -> str:
    """Looked up once: a sweep makes many runs."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


def identity(config: Config, entry: Game[Config]) -> dict[str, str]:
    """What two files must share to belong to one run, as it stands in their schema metadata."""
    return {
        "game": entry.name,
        "rules_version": str(entry.rules_version),
        "config_digest": config.digest(),
        "code_digest": code_digest(entry),
        "seed": str(config.run.seed),
    }
