"""What is said of something that was stopped: how far it was, why, and how to go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from numbluff_sim.run.stop import Interrupted, Stop, resumable


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (KeyboardInterrupt(), "interrupted; the same command continues (folder out)"),
        (Interrupted(3, 9, "trials"), "interrupted after 3 of 9 trials; the same command continues (folder out)"),
        (Interrupted(3, 9, folder=Path("out/point")), "interrupted; the same command continues (folder out)"),
        (Interrupted(reason="the scheduler is gone"), "interrupted: the scheduler is gone; the same command continues"),
    ],
)
def test_resumable__names_the_folder_of_the_whole(raised: KeyboardInterrupt, said: str) -> None:
    with pytest.raises(Interrupted) as interrupted, resumable(Path("out")):
        raise raised
    assert str(interrupted.value).startswith(said)


def test_stop__keeps_the_first_reason_and_knows_whether_anybody_looks() -> None:
    stop = Stop()
    assert not stop.asked
    with stop.watching():
        assert stop.watched
        stop.set("first")
        stop.set("second")
    assert (stop.asked, stop.reason, stop.watched) == (True, "first", False)
