"""What a run's folder may hold, and how each obstacle is told to the user."""

from __future__ import annotations

import dataclasses
import errno
import itertools
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from numbluff_sim.contract.registry import LOADED
from numbluff_sim.errors import RunError
from numbluff_sim.run import provenance, runner, spans, store
from numbluff_sim.run.folder import locked
from numbluff_sim.run.runner import run_simulation
from numbluff_sim.run.store import load_run
from tests.common.fake_game import FAKE, FakeEngine, FakeGame, fake_config
from tests.common.held import Gate, GatedEngine


@pytest.fixture(autouse=True)
def fake_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LOADED, "fake", FAKE)
    monkeypatch.setattr(spans, "PART_ROWS", 5120)


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_resume__missing_folder_starts(tmp_path: Path) -> None:
    assert run_simulation(fake_config(), tmp_path / "a" / "b", resume=True).tally["games"] == 5000


def test_resume__finished_run_changes_nothing(tmp_path: Path) -> None:
    first = run_simulation(fake_config(rows="rounds"), tmp_path / "run")
    before = files(tmp_path / "run")
    again = run_simulation(fake_config(rows="rounds", threads=2, batch=64), tmp_path / "run", resume=True)
    assert files(tmp_path / "run") == before
    assert again.meta == first.meta
    assert all((again.tally[name] == values).all() for name, values in first.tally.items())


def test_resume__with_more_games_is_a_look_that_run_json_keeps(tmp_path: Path) -> None:
    for games in (1000, 2000, 2000, 5000):
        run = run_simulation(fake_config(games=games), tmp_path / "run", resume=True)
    assert run.meta["looks"] == load_run(tmp_path / "run").meta["looks"] == [1000, 2000, 5000]
    assert run_simulation(fake_config(), tmp_path / "other").meta["looks"] == [5000]


def test_run__folder_with_a_run_is_refused_without_resume(tmp_path: Path) -> None:
    run_simulation(fake_config(seed=7), tmp_path / "run")
    before = files(tmp_path / "run")
    with pytest.raises(
        RunError,
        match=r"already holds a run: fake, 2 players, seed 7, rows none, 5000 of 5000 games, finished.*--resume",
    ):
        run_simulation(fake_config(seed=8), tmp_path / "run")
    assert files(tmp_path / "run") == before


@pytest.mark.parametrize("resume", [False, True])
def test_run__folder_with_something_else_is_refused(tmp_path: Path, resume: bool) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(RunError, match=r"not a run \(letter.txt\)"):
        run_simulation(fake_config(), tmp_path, resume=resume)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_run__a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("mine")
    with pytest.raises(RunError, match="run is a file"):
        run_simulation(fake_config(), tmp_path / "run")
    with pytest.raises(RunError, match=r"cannot be written: Not a directory"):
        run_simulation(fake_config(), tmp_path / "run" / "inner")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bonus": 3}, "bonus was 0 and is now 3"),
        (
            {"run": {"seed": 2, "rows": "rounds"}},
            'run.seed was 1 and is now 2; run.rows was "none" and is now "rounds"',
        ),
    ],
)
def test_resume__another_configuration_names_the_keys(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    run_simulation(fake_config(), tmp_path / "run")
    before = files(tmp_path / "run")
    config = fake_config(**change.get("run", {})).model_copy(
        update={key: value for key, value in change.items() if key != "run"}
    )
    with pytest.raises(RunError, match=message):
        run_simulation(config, tmp_path / "run", resume=True)
    assert files(tmp_path / "run") == before


def test_resume__other_code_or_rules_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_simulation(fake_config(), tmp_path / "run")
    monkeypatch.setattr(provenance, "code_digest", lambda entry: "0123456789abcdef")
    with pytest.raises(
        RunError, match=r"the program's code \(digest [0-9a-f]{16} then, 0123456789abcdef now\) has changed"
    ):
        run_simulation(fake_config(), tmp_path / "run", resume=True)


def test_resume__fewer_games_are_refused(tmp_path: Path) -> None:
    run_simulation(fake_config(games=300), tmp_path / "run")
    with pytest.raises(RunError, match=r"games = 300.*not with games = 200"):
        run_simulation(fake_config(games=200), tmp_path / "run", resume=True)


@pytest.mark.parametrize("games", [5000, 9000])
@pytest.mark.parametrize("name", ["games/part-000001.parquet", "rounds/part-000002.parquet", "tally.parquet"])
def test_resume__truncated_file_is_refused(tmp_path: Path, name: str, games: int) -> None:
    run_simulation(fake_config(rows="rounds"), tmp_path / "run")
    path = tmp_path / "run" / name
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(RunError, match=rf"{name} is not a whole Parquet file"):
        run_simulation(fake_config(rows="rounds", games=games), tmp_path / "run", resume=True)


def test_resume__missing_part_is_refused(tmp_path: Path) -> None:
    run_simulation(fake_config(rows="games"), tmp_path / "run")
    (tmp_path / "run/games/part-000000.parquet").unlink()
    with pytest.raises(RunError, match=r"part-000000.parquet is missing; expected the rows of game 0"):
        run_simulation(fake_config(rows="games"), tmp_path / "run", resume=True)


@pytest.mark.parametrize("name", ["games/part-000001.parquet", "tally.parquet"])
def test_resume__foreign_file_is_refused(tmp_path: Path, name: str) -> None:
    run_simulation(fake_config(rows="rounds"), tmp_path / "run")
    run_simulation(fake_config(rows="rounds", seed=2), tmp_path / "other")
    shutil.copy(tmp_path / "other" / name, tmp_path / "run" / name)
    with pytest.raises(
        RunError,
        match=rf"{name} belongs to another run: config_digest is [0-9a-f]+, expected [0-9a-f]+; seed is 2, expected 1",
    ):
        run_simulation(fake_config(rows="rounds"), tmp_path / "run", resume=True)
    with pytest.raises(RunError, match="belongs to another run"):
        load_run(tmp_path / "run").rows("games")


def test_resume__part_of_other_games_is_refused(tmp_path: Path) -> None:
    run_simulation(fake_config(rows="rounds"), tmp_path / "run")
    shutil.copy(tmp_path / "run/games/part-000001.parquet", tmp_path / "run/games/part-000000.parquet")
    with pytest.raises(RunError, match="first_game is 1024, expected 0"):
        run_simulation(fake_config(rows="rounds"), tmp_path / "run", resume=True)


def test_run__folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *args: object, **kwargs: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(
        RunError, match=r"run cannot be written: Permission denied; expected a folder that can be created and written"
    ):
        run_simulation(fake_config(), tmp_path / "run")


def test_run__folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path, meta: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(folder / "run.json"))

    monkeypatch.setattr(store, "write_meta", refuse)
    with pytest.raises(RunError, match=r"run.json cannot be written: Permission denied"):
        run_simulation(fake_config(), tmp_path / "run")


@pytest.mark.parametrize(("rows", "writes"), [("none", 0), ("none", 1), ("rounds", 4)])
def test_run__full_disk_leaves_a_resumable_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: str, writes: int
) -> None:
    plain, calls, gate = pq.write_table, [0], Gate(4096)  # the other games are played after the first file

    def full(table: pa.Table, path: Path, **options: object) -> None:
        calls[0] += 1
        gate.open()
        path.write_bytes(b"half of a file")
        if calls[0] > writes:
            raise OSError(errno.ENOSPC, "No space left on device")
        plain(table, path, **options)

    monkeypatch.setattr(FakeGame, "engine", lambda self, config: GatedEngine(FakeEngine(config), gate))
    monkeypatch.setattr(spans, "FIRST_CALL", 64)
    monkeypatch.setattr(spans, "CALL_SECONDS", 0.0)
    monkeypatch.setattr(runner, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(pq, "write_table", full)
    config = fake_config(games=40_000, rows=rows, batch=1024, threads=1)
    with pytest.raises(
        RunError, match=r"cannot be written: No space left on device; free some space and give the same command again"
    ):
        run_simulation(config, tmp_path / "run")
    assert not list(tmp_path.rglob("*.partial"))
    monkeypatch.setattr(pq, "write_table", plain)
    run_simulation(config, tmp_path / "run", resume=True)
    run_simulation(config, tmp_path / "whole")
    for path in sorted((tmp_path / "whole").rglob("*.parquet")):
        assert path.read_bytes() == (tmp_path / "run" / path.relative_to(tmp_path / "whole")).read_bytes()


def test_run__really_full_disk(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("mounting a small file system needs privileges; the same path is tested with a refusing writer")
    try:
        with pytest.raises(RunError, match="No space left on device; free some space"):
            run_simulation(fake_config(games=50_000, rows="rounds"), small / "run")
        assert json.loads((small / "run/run.json").read_text())["state"] in ("running", "interrupted")
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_replace__only_a_run_that_is_in_the_way_goes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run_simulation(fake_config(games=9000, rows="games"), out)
    (out / "notes.txt").write_text("mine")
    before = (out / "tally.parquet").read_bytes()
    assert run_simulation(fake_config(games=9000, rows="games"), out, resume=True, replace=True).tally["games"] == 9000
    assert (out / "tally.parquet").read_bytes() == before
    assert run_simulation(fake_config(games=5000), out, resume=True, replace=True).tally["games"] == 5000
    assert not list((out / "games").glob("*"))
    assert (out / "notes.txt").read_text() == "mine"
    assert run_simulation(fake_config(games=5000, seed=3), out, replace=True).meta["seed"] == 3
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("x")
    with pytest.raises(RunError, match="not a run"):
        run_simulation(fake_config(), tmp_path / "other", replace=True)


def test_run__one_process_a_folder(tmp_path: Path) -> None:
    with locked(tmp_path / "run", store.RUN), pytest.raises(RunError, match="another process is writing the run"):
        run_simulation(fake_config(), tmp_path / "run")
    assert run_simulation(fake_config(), tmp_path / "run").tally["games"] == 5000


def test_run__what_a_kill_leaves_before_the_first_file_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "run.json.partial").write_text("{")
    assert run_simulation(fake_config(), tmp_path).tally["games"] == 5000


def test_run_json__says_how_it_was_made(tmp_path: Path) -> None:
    config = fake_config(rows="games", seed=9)
    run_simulation(config, tmp_path / "run", command="numbluff simulate --seed 9")
    meta = json.loads((tmp_path / "run/run.json").read_text())
    assert meta["config"] == config.resolved()
    assert meta["command"] == "numbluff simulate --seed 9"
    assert meta["identity"] == {
        "game": "fake",
        "rules_version": "1",
        "config_digest": config.digest(),
        "code_digest": provenance.code_digest(FAKE),
        "seed": "9",
    }
    assert (meta["state"], meta["games"], meta["games_done"], meta["rows"], meta["players"]) == (
        "finished",
        5000,
        5000,
        "games",
        2,
    )
    assert {"python", "numpy", "numba", "pyarrow"} <= meta["versions"].keys()
    assert meta["versions"]["numpy"] == np.__version__


@pytest.mark.parametrize("text", ["{", "[]", '{"state": 1}'])
def test_load_run__broken_description(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunError, match=r"run.json (cannot be read|is not a run's description)"):
        load_run(tmp_path)


def test_load_run__names_the_nearest_run(tmp_path: Path) -> None:
    run_simulation(fake_config(), tmp_path / "fake-documented")
    with pytest.raises(RunError, match=r'Did you mean ".*fake-documented"\?'):
        load_run(tmp_path / "fake-documentd")


def test_load_run__rows_that_were_not_asked_for(tmp_path: Path) -> None:
    run_simulation(fake_config(rows="games"), tmp_path / "run")
    assert load_run(tmp_path / "run").rows("games", ["points"]).num_rows == 5000
    with pytest.raises(RunError, match=r'no rounds rows \(it was made with rows = "games"\)'):
        load_run(tmp_path / "run").rows("rounds")


def test_rows__are_those_of_the_games_counted_whatever_a_kill_has_left(tmp_path: Path) -> None:
    """A longer run's parts beside the tally of 5,000 games: what is there when the run is extended and killed."""
    run_simulation(fake_config(games=5000, rows="rounds"), tmp_path / "counted")
    run_simulation(fake_config(games=9000, rows="rounds"), tmp_path / "longer")
    shutil.copytree(tmp_path / "counted", tmp_path / "killed")
    for table in ("games", "rounds"):
        shutil.copytree(tmp_path / "longer" / table, tmp_path / "killed" / table, dirs_exist_ok=True)
        shutil.copy(tmp_path / "longer" / table / "part-000000.parquet", tmp_path / "killed" / table / "part-x.parquet")
    counted, killed = load_run(tmp_path / "counted"), load_run(tmp_path / "killed")
    assert len(list((tmp_path / "killed/games").iterdir())) > len(counted.parts("games")) + 1
    assert len(killed.parts("games")) == len(counted.parts("games")) > 1
    for table, games in itertools.product(("games", "rounds"), (None, range(10**6), range(3000, 7000, 3))):
        assert killed.rows(table, games=games).equals(counted.rows(table, games=games))
    assert killed.rows("games", ["points"]).num_rows == 5000
    assert killed.rows("games", ["game"], range(6000, 7000)).num_rows == 0
    assert dataclasses.replace(killed, meta={**killed.meta, "games_done": 0}).rows("games", ["points"]).num_rows == 0
    killed.parts("games")[1].unlink()
    with pytest.raises(RunError, match=r"part-000001.parquet is missing"):
        killed.rows("games")
    shutil.copy(tmp_path / "killed/games/part-000000.parquet", tmp_path / "killed/games/part-000001.parquet")
    with pytest.raises(RunError, match="first_game is 0, expected"):
        killed.rows("games")


def test_rows__a_part_with_fewer_games_than_are_counted_is_refused(tmp_path: Path) -> None:
    for games in (5000, 4900):
        run_simulation(fake_config(games=games, rows="games"), tmp_path / str(games))
    last = max((tmp_path / "4900/games").iterdir())
    shutil.copy(last, tmp_path / "5000/games" / last.name)
    with pytest.raises(RunError, match=r"holds the games \d+ to 4899; expected all to 4999"):
        load_run(tmp_path / "5000").rows("games")


def test_resume__finished_run_in_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, out = fake_config(rows="games"), tmp_path / "run"
    run_simulation(config, out)
    (out / ".lock").unlink()
    before = files(out)
    monkeypatch.setattr("os.access", lambda *_: False)
    assert run_simulation(config, out, resume=True).tally["games"] == 5000
    assert files(out) == before
    with pytest.raises(RunError, match="holds another run"):
        run_simulation(fake_config(rows="games", seed=2), out, resume=True)


def test_load_run__tally_of_another_moment(tmp_path: Path) -> None:
    """A tally may be newer than run.json (a kill came between the two), not older, and not of more games than were
    asked for.
    """
    run_simulation(fake_config(), tmp_path / "run")
    run_simulation(fake_config(games=4000), tmp_path / "shorter")
    path = tmp_path / "run/run.json"
    meta = json.loads(path.read_text())
    path.write_text(json.dumps({**meta, "state": "running", "games_done": 1024}))
    assert load_run(tmp_path / "run").meta["games_done"] == 5000
    path.write_text(json.dumps({**meta, "games": 4500, "games_done": 1024}))
    with pytest.raises(
        RunError, match=r"tally.parquet holds 5,000 games .* run.json beside it; expected 1,024 to 4,500 games\."
    ):
        load_run(tmp_path / "run")
    path.write_text(json.dumps(meta))
    shutil.copy(tmp_path / "shorter/tally.parquet", tmp_path / "run/tally.parquet")
    with pytest.raises(
        RunError, match=r"tally.parquet holds 4,000 games .* run.json beside it; expected 5,000 games\."
    ):
        load_run(tmp_path / "run")
    with pytest.raises(RunError, match=r"tally.parquet holds 4,000 games"):
        run_simulation(fake_config(), tmp_path / "run", resume=True)
