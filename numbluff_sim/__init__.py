"""numbluff_sim: what does this rule, card or way of playing do to the game?

The names below load their modules when first used, so that importing the package stays fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numbluff_sim.config import Config, load
    from numbluff_sim.run.runner import run_simulation
    from numbluff_sim.run.store import load_run

__version__ = "0.1.0"
__all__ = ["Config", "__version__", "load", "load_run", "run_simulation"]

_WHERE = {
    "Config": "numbluff_sim.config",
    "load": "numbluff_sim.config",
    "load_run": "numbluff_sim.run.store",
    "run_simulation": "numbluff_sim.run.runner",
}


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
