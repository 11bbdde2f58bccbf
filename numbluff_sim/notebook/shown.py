"""Progress in a notebook or a terminal: one line on stderr, drawn again in place; needs no widgets."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numbluff_sim.run.progress import Progress, Tell

FORMAT = "{desc}{percentage:3.0f} % |{bar:24}| {elapsed}<{remaining}{postfix}"
#: Letters of what is being done; seconds between two looks of the line.
MOST_LETTERS, LOOK_SECONDS = 32, 0.25


@contextmanager
def shown_progress(progress: bool | Tell | None) -> Iterator[Tell | None]:
    """What is told how far it is: a callable as it is, True a line on stderr, None and False nobody."""
    if progress is not True:
        yield progress or None
        return
    from tqdm import tqdm  # the plain one: tqdm.auto asks notebooks for widgets

    with tqdm(total=1.0, bar_format=FORMAT, file=sys.stderr, leave=False) as line:
        looked = -LOOK_SECONDS

        def tell(now: Progress) -> None:
            nonlocal looked
            if time.monotonic() - looked < LOOK_SECONDS:
                return
            looked = time.monotonic()
            what = f"{now.steps_done + 1}/{now.steps} {now.what}" if now.steps > 1 else now.what
            line.n = min(now.share, 1.0)
            line.set_description_str(f"{what[:MOST_LETTERS] or 'games'} ", refresh=False)
            rate = f"{now.games_per_second / 1e6:.2f} M games/s" if now.games_per_second else ""
            near = f"nearest {now.nearest:.3g}" if math.isfinite(now.nearest) else ""
            line.set_postfix_str("; ".join(part for part in (now.notice, rate, near) if part), refresh=False)
            line.refresh()

        yield tell
