"""Ending what plays before it is done: a token that anybody may set, and what is raised when it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: How an interrupted run is continued, and how a study is.
RESUME, SAME_COMMAND = "continue with --resume and the same options", "the same command continues"


class Stop:
    """Asks whatever plays to end after its running calls: a fifth of a second. Once asked, nothing is played any more.

    Set it from wherever: a web server, a test, another thread, a signal's handler (nothing here takes a lock).
    """

    def __init__(self) -> None:
        self.asked = False
        #: Why, where it is not simply that somebody asked.
        self.reason = ""
        self._watching = 0

    def set(self, reason: str = "") -> None:
        """Ask."""
        if not self.asked:
            self.reason = reason
            self.asked = True

    @property
    def watched(self) -> bool:
        """Whether something plays that looks at it."""
        return self._watching > 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Within it, something plays that looks at the token."""
        self._watching += 1
        try:
            yield
        finally:
            self._watching -= 1


class Interrupted(KeyboardInterrupt):
    """Something that plays was stopped early: what was played is in `folder` (None: in memory, and gone).

    Attributes: `done` of `of` `unit` ("games", "points", ...; None where nothing was counted), `folder`,
    `how_to_go_on`, `reason`.
    """

    def __init__(
        self,
        done: int | None = None,
        of: int | None = None,
        unit: str = "games",
        *,
        folder: Path | None = None,
        how_to_go_on: str = RESUME,
        reason: str = "",
    ) -> None:
        self.done, self.of, self.unit, self.folder = done, of, unit, folder
        self.how_to_go_on, self.reason = how_to_go_on, reason
        text = "interrupted" if done is None else f"interrupted after {done:,} of {of:,} {unit}"
        text += f": {reason}" if reason else ""
        super().__init__(text if folder is None else f"{text}; {how_to_go_on} (folder {folder})")


@contextmanager
def resumable(folder: Path | None, how_to_go_on: str = SAME_COMMAND) -> Iterator[None]:
    """Tell of whatever interrupts a study by its folder and how to go on, in the place of a part of its work."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if isinstance(interrupt, Interrupted):
            same = interrupt.folder in (None, folder)  # else a part of the work in a folder of its own
            how_far = (interrupt.done, interrupt.of, interrupt.unit) if same else (None, None, "")
            raise Interrupted(*how_far, folder=folder, how_to_go_on=how_to_go_on, reason=interrupt.reason) from None
        raise Interrupted(folder=folder, how_to_go_on=how_to_go_on) from None
