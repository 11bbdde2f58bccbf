"""The same bytes for any threads, batches, kills and resumes; on the fake game and on every registered one."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from numbluff_sim.config import Config, load
from numbluff_sim.contract.registry import LOADED, names
from numbluff_sim.run import playing, runner, spans
from numbluff_sim.run import threads as by_threads
from numbluff_sim.run.progress import Progress
from numbluff_sim.run.store import load_run
from tests.common.fake_game import FAKE, FakeEngine, FakeGame, fake_config
from tests.common.held import Gate, GatedEngine, ended, held_run

EVERY_GAME = ["fake", *names()]
#: Part files of 1024 games in place of a million rounds.
SMALL_PARTS = {"SPAN_GAMES": 1024, "PART_ROWS": 5120, "TRACE_ROWS": 1280}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LOADED, "fake", FAKE)
    for name, value in SMALL_PARTS.items():
        monkeypatch.setattr(spans, name, value)


def game_config(game: str, **run: object) -> Config:
    if game == "fake":
        return fake_config(**run)
    return load(overrides={"game": game, **{f"run.{key}": value for key, value in run.items()}})


def contents(folder: Path) -> dict[str, bytes]:
    """Every Parquet file of a run by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("rows", ["none", "games", "rounds"])
def test_run__same_bytes_for_any_threads_and_batch(game: str, rows: str, tmp_path: Path) -> None:
    made = {}
    for threads, batch in ((1, 65536), (2, 65536), (1, 1000), (2, 64)):
        out = tmp_path / f"{threads}-{batch}"
        runner.run_simulation(game_config(game, games=5003, threads=threads, batch=batch, rows=rows), out)
        made[threads, batch] = contents(out)
    first = made.pop((1, 65536))
    assert all(other == first for other in made.values())
    tables = {"none": 0, "games": 1, "rounds": 2}[rows]
    assert len(first) > tables
    assert {name.split("/")[0] for name in first} == {"tally.parquet", "games", "rounds"} - set(
        ("games", "rounds")[tables:]
    )


@pytest.mark.parametrize("game", EVERY_GAME)
def test_run__tally_does_not_depend_on_rows(game: str, tmp_path: Path) -> None:
    for rows in ("none", "games", "rounds"):
        runner.run_simulation(game_config(game, games=3000, rows=rows), tmp_path / rows)
    assert len({(tmp_path / rows / "tally.parquet").read_bytes() for rows in ("none", "games", "rounds")}) == 1


@pytest.mark.parametrize("game", EVERY_GAME)
def test_simulate_tally__equals_the_run_on_disk(game: str, tmp_path: Path) -> None:
    config = game_config(game, games=3001, threads=2)
    on_disk = runner.run_simulation(config, tmp_path / "run").tally
    in_memory = playing.simulate_tally(config)
    loaded = load_run(tmp_path / "run")
    assert on_disk["games"] == in_memory["games"] == 3001
    for name, values in in_memory.items():
        assert (values == on_disk[name]).all()
        assert (values == loaded.tally[name]).all()
        assert values.shape == loaded.tally[name].shape
    assert loaded.config == config
    assert loaded.meta["state"] == "finished"


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("rows", ["none", "rounds"])
def test_run__killed_again_and_again_gives_the_same_bytes(game: str, rows: str, tmp_path: Path) -> None:
    config = game_config(game, games=20 * 1024 + 7, threads=2, batch=64, rows=rows)
    runner.run_simulation(config, tmp_path / "whole")
    killed, done = tmp_path / "killed", [0]
    for _ in range(3 if game == "fake" else 1):
        process = held_run(config, killed, games=3000, settings=SMALL_PARTS)
        assert ended(process, signal.SIGKILL)[0] == -signal.SIGKILL
        done.append(games_done(killed))
    assert sorted(set(done)) == done
    assert done[-1] < config.run.games
    runner.run_simulation(config, killed, resume=True)
    assert contents(killed) == contents(tmp_path / "whole")


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_run__signal_leaves_a_resumable_run(game: str, number: signal.Signals, tmp_path: Path) -> None:
    config = game_config(game, games=20 * 1024, threads=2, batch=64)
    code, _, message = ended(held_run(config, tmp_path / "run", games=3000, settings=SMALL_PARTS), number)
    assert code == 130
    stopped = load_run(tmp_path / "run")
    assert 0 < stopped.meta["games_done"] < config.run.games
    assert stopped.meta["state"] == "interrupted"
    assert f"after {stopped.meta['games_done']:,} of {config.run.games:,} games" in message
    assert "--resume" in message
    assert stopped.tally["games"] == stopped.meta["games_done"]
    runner.run_simulation(config, tmp_path / "run", resume=True)
    runner.run_simulation(config, tmp_path / "whole")
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("rows", ["none", "games", "rounds"])
def test_run__extended_equals_one_as_long(game: str, rows: str, tmp_path: Path) -> None:
    for games in (1500, 1700, 4000):
        extended = runner.run_simulation(game_config(game, games=games, rows=rows), tmp_path / "extended", resume=True)
        assert extended.tally["games"] == games
    runner.run_simulation(game_config(game, games=4000, rows=rows), tmp_path / "whole")
    assert contents(tmp_path / "extended") == contents(tmp_path / "whole")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_run__stopped_between_checkpoints_loses_only_what_was_running(game: str, tmp_path: Path) -> None:
    config, seen = game_config(game, games=50 * 1024, threads=1, batch=64), []

    def stop_late(progress: Progress) -> None:
        seen.append(progress.games_done)
        if progress.games_done >= 2048:
            raise RuntimeError("stopped by the test")

    with pytest.raises(RuntimeError, match="stopped by the test"):
        runner.run_simulation(config, tmp_path / "run", progress=stop_late)
    assert load_run(tmp_path / "run").meta["games_done"] >= seen[-1] >= 2048


def test_simulate_tally__interrupt_waits_for_the_running_calls_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, begun = Gate(games=64 * 10), []

    class Counted(GatedEngine):
        def play(self, first: int, *more: Any) -> Any:
            begun.append(first)
            return super().play(first, *more)

    def interrupt(progress: Progress) -> None:
        if gate.reached:
            gate.open()
            raise KeyboardInterrupt

    monkeypatch.setattr(FakeGame, "engine", lambda self, config: Counted(FakeEngine(config), gate))
    config = game_config("fake", games=10**9, threads=2, batch=64)
    with pytest.raises(KeyboardInterrupt):
        playing.simulate_tally(config, progress=interrupt)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("games-")]  # nothing plays on
    assert 11 <= len(begun) < config.run.games // 64


def test_run__disk_lags_behind_play_by_little_more_than_the_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is the test's: a tenth of a second passes at every look, and in it five calls of 64 games are played."""
    clock, played, allowed = [0.0], threading.Condition(), [0, 5]

    class Ticketed(GatedEngine):
        def play(self, *args: Any) -> Any:
            with played:
                played.wait_for(lambda: allowed[0] < allowed[1])
                allowed[0] += 1
                played.notify_all()
            return self.engine.play(*args)

    saved, lags = [0.0, 0], []

    def look(progress: Progress) -> None:
        done = games_done(tmp_path / "run")
        if done != saved[1]:
            saved[:] = clock[0], done
        lags.append(clock[0] - saved[0])
        with played:
            played.wait_for(lambda: allowed[0] == allowed[1] or progress.games_done == progress.games)
            allowed[1] += 5
            clock[0] += 0.1
            played.notify_all()

    monkeypatch.setattr(FakeGame, "engine", lambda self, config: Ticketed(FakeEngine(config), Gate(0)))
    monkeypatch.setattr(runner, "CHECKPOINT_SECONDS", 0.3)
    monkeypatch.setattr(runner, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(by_threads, "TICK_SECONDS", 0.001)
    monkeypatch.setattr(spans, "FIRST_CALL", 64)
    monkeypatch.setattr(spans, "CALL_SECONDS", 0.0)  # a call is a piece
    runner.run_simulation(fake_config(games=64 * 200, batch=64), tmp_path / "run", progress=look)
    assert clock[0] > 3
    assert 0.25 < max(lags) < 0.55  # the interval, and the two looks between which it ends and is seen on the disk


def games_done(folder: Path) -> int:
    """Games in the tally on disk."""
    return load_run(folder).meta["games_done"] if (folder / "tally.parquet").exists() else 0
