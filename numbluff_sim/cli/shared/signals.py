"""Which signals end a command as Ctrl-C does."""

from __future__ import annotations

import signal


def ending() -> list[signal.Signals]:
    """SIGTERM and SIGHUP (the terminal has gone), as far as the system has them; not a SIGHUP that `nohup` ignores."""
    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [one for one in known if one.name != "SIGHUP" or signal.getsignal(one) != signal.SIG_IGN]
