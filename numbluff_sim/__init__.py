"""numbluff_sim: what does this rule, card or way of playing do to the game?

The names below load their modules when first used, so that importing the package stays fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numbluff_sim.api import (
        calibrate,
        check,
        compare,
        knockout,
        load,
        load_run,
        plan,
        replay,
        report,
        resolve,
        rulings,
        simulate,
        sweep,
        tune,
        what_if_one,
    )
    from numbluff_sim.config import Config
    from numbluff_sim.run.stop import Stop

__version__ = "0.1.0"
__all__ = [
    "Config",
    "Stop",
    "__version__",
    "calibrate",
    "check",
    "compare",
    "knockout",
    "load",
    "load_run",
    "plan",
    "replay",
    "report",
    "resolve",
    "rulings",
    "simulate",
    "sweep",
    "tune",
    "what_if_one",
]

_WHERE = {
    **dict.fromkeys(__all__, "numbluff_sim.api"),
    "Config": "numbluff_sim.config",
    "Stop": "numbluff_sim.run.stop",
    "__version__": "numbluff_sim",
}


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        importlib.import_module("numbluff_sim.errors").refuse_without_links()
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
