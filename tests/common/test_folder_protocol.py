"""The one protocol of folders, held against all five kinds: who may write there, what is continued or replaced."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from numbluff_sim.config import Config, load
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError
from numbluff_sim.run.checkpoint import RUNNING, Folder
from numbluff_sim.run.files import write_json, write_text
from numbluff_sim.run.folder import LOCK_FILE, FolderKind, differences
from numbluff_sim.run.store import RUN
from numbluff_sim.studies.calibrate.state import CALIBRATION, State
from numbluff_sim.studies.compare.folder import COMPARISON
from numbluff_sim.studies.compare.folder import held as comparison_held
from numbluff_sim.studies.compare.variants import Variant
from numbluff_sim.studies.sweep.asked import read_sweep
from numbluff_sim.studies.sweep.folder import SWEEP_FOLDER, SweepFolder
from numbluff_sim.studies.tune.asked import read_tune
from numbluff_sim.studies.tune.folder import SEARCH
from numbluff_sim.studies.tune.folder import held as search_held

FILE = """
base = "documented"
[{table}]
games = {games}
[axes]
"deck.rainbow.reach" = {{ low = 1, high = 3 }}
[targets]
frappe_parfaite_per_round = {{ low = 0.01, high = 0.03 }}
"""


def config(games: int = 640, seed: int = 1) -> Config:
    return load(preset="documented", overrides={"run.games": games, "run.seed": seed, "run.threads": 1})


@contextmanager
def hold_run(path: Path, number: int, replace: bool) -> Iterator[None]:
    asked = config(seed=number)
    with Folder.held(path, asked, game(asked.game), resume=not replace, replace=replace, command="") as folder:
        folder.save_meta(RUNNING)
        yield


@contextmanager
def hold_comparison(path: Path, number: int, replace: bool) -> Iterator[None]:
    base, other = config(640 * number), config(640 * number, seed=2)
    with comparison_held(path, "compare", "documented", base, [Variant("other", other)], replace=replace):
        variants = [{"name": "other", "digest": other.digest()}]
        about = {"study": "compare", "base": "documented", "base_digest": base.digest(), "games": base.run.games}
        write_json(path / "comparison.json", {**about, "variants": variants})
        yield


@contextmanager
def hold_sweep(path: Path, number: int, replace: bool) -> Iterator[None]:
    file = path.parent / "sweep.toml"
    file.write_text(FILE.format(table="sweep", games=640 * number), encoding="utf-8")
    with SweepFolder.held(path, read_sweep(file), replace=replace):
        yield


@contextmanager
def hold_search(path: Path, number: int, replace: bool) -> Iterator[None]:
    file = path.parent / "tune.toml"
    file.write_text(FILE.format(table="tune", games=640 * number), encoding="utf-8")
    with search_held(path, read_tune(file), replace=replace):
        yield


@contextmanager
def hold_calibration(path: Path, number: int, replace: bool) -> Iterator[None]:
    asked = config()
    question = {"configurations": {"documented": asked}, "games": 640 * number}
    with State.held(path, question, asked, replace=replace):
        yield


@dataclass(frozen=True)
class Owner:
    """A kind, how a process holds a folder for its question number 1 or 2, the key on which these differ, and a file
    of its own that a replacement removes.
    """

    kind: FolderKind
    hold: Callable[[Path, int, bool], AbstractContextManager[None]]
    key: str
    own: str


OWNERS = {
    "run": Owner(RUN, hold_run, "run.seed was 1 and is now 2", "tally.parquet"),
    "comparison": Owner(COMPARISON, hold_comparison, "games was 640 and is now 1280", "effects.csv"),
    "sweep": Owner(SWEEP_FOLDER, hold_sweep, "games was 640 and is now 1280", "best.toml"),
    "search": Owner(SEARCH, hold_search, "tune.games was 640 and is now 1280", "tuned.toml"),
    "calibration": Owner(CALIBRATION, hold_calibration, "games was 640 and is now 1280", "runs/x/run.json"),
}


@pytest.fixture(params=list(OWNERS))
def owner(request: pytest.FixtureRequest) -> Owner:
    return OWNERS[request.param]


def names(path: Path) -> set[str]:
    return {str(found.relative_to(path)) for found in path.rglob("*")}


@pytest.mark.parametrize("there", ["missing", "empty", "unfinished file"])
def test_held__new_folder(owner: Owner, tmp_path: Path, there: str) -> None:
    path = tmp_path / "out"
    if there != "missing":
        path.mkdir()
    if there == "unfinished file":
        (path / f"{owner.kind.description}.partial").write_text("{")
    with owner.hold(path, 1, False):
        pass
    assert {owner.kind.description, LOCK_FILE} <= names(path)


def test_held__the_same_question_goes_on(owner: Owner, tmp_path: Path) -> None:
    with owner.hold(tmp_path / "out", 1, False):
        pass
    write_text_there(tmp_path / "out" / owner.kind.description.replace(".json", ".txt"), "mine")
    before = names(tmp_path / "out")
    with owner.hold(tmp_path / "out", 1, False):
        assert names(tmp_path / "out") == before


def test_held__another_question_is_refused_with_what_differs(owner: Owner, tmp_path: Path) -> None:
    with owner.hold(tmp_path / "out", 1, False):
        pass
    before = (tmp_path / "out" / owner.kind.description).read_bytes()
    told = (
        f"out holds another {owner.kind.noun}, which cannot be continued: {owner.key}. "
        "Name another --out, or put this one in its place with --replace."
    )
    with pytest.raises(RunError) as refused, owner.hold(tmp_path / "out", 2, False):
        pass
    assert str(refused.value) == f"{tmp_path}/{told}"
    assert (tmp_path / "out" / owner.kind.description).read_bytes() == before


def test_held__another_question_is_replaced_and_only_its_files_go(owner: Owner, tmp_path: Path) -> None:
    path = tmp_path / "out"
    with owner.hold(path, 1, False):
        pass
    before = (path / owner.kind.description).read_bytes()
    for name in ("notes.txt", owner.own):
        write_text_there(path / name, "{}")
    with owner.hold(path, 2, True):
        pass
    assert (path / owner.kind.description).read_bytes() != before
    assert not (path / owner.own).exists()
    assert (path / "notes.txt").read_text() == "{}"


@pytest.mark.parametrize("replace", [False, True])
def test_held__something_else_is_refused_and_stays_as_it_is(owner: Owner, tmp_path: Path, replace: bool) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("mine")
    with pytest.raises(RunError) as refused, owner.hold(tmp_path / "out", 1, replace):
        pass
    assert f"out already holds something that is not a {owner.kind.noun} (letter.txt); expected" in str(refused.value)
    assert names(tmp_path / "out") == {"letter.txt"}


@pytest.mark.parametrize("other", list(OWNERS))
def test_held__a_folder_of_another_kind_is_refused(owner: Owner, tmp_path: Path, other: str) -> None:
    if OWNERS[other] is owner:
        told = f"another process is writing the {owner.kind.noun} in "
        with owner.hold(tmp_path / "out", 1, False), pytest.raises(RunError, match=told):  # noqa: SIM117
            with owner.hold(tmp_path / "out", 1, False):
                pass
        return
    with OWNERS[other].hold(tmp_path / "out", 1, False):
        pass
    before = names(tmp_path / "out")
    with pytest.raises(RunError) as refused, owner.hold(tmp_path / "out", 1, True):
        pass
    assert f"something that is not a {owner.kind.noun} (" in str(refused.value)
    assert OWNERS[other].kind.description in str(refused.value)
    assert names(tmp_path / "out") == before


def test_held__another_process_is_in_it_until_it_ends(owner: Owner, tmp_path: Path) -> None:
    with owner.hold(tmp_path / "out", 1, False):
        pass
    code = (
        "import sys\nfrom filelock import FileLock\nlock = FileLock(sys.argv[1])\nlock.acquire(timeout=0)\n"
        "print('held', flush=True)\nsys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "out" / LOCK_FILE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(RunError) as refused, owner.hold(tmp_path / "out", 1, False):
            pass
        assert str(refused.value) == (
            f"another process is writing the {owner.kind.noun} in {tmp_path}/out; wait for it to end or name another "
            "--out."
        )
        process.kill()
    with owner.hold(tmp_path / "out", 1, False):
        pass


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_held__a_folder_that_cannot_be_written(
    owner: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(self: FileLock, **_: Any) -> None:
        raise OSError(code, "No way in", str(self.lock_file))

    monkeypatch.setattr(FileLock, "acquire", refuse)
    with (
        pytest.raises(RunError, match=r"out/\.lock cannot be written: No way in; expected a folder that can be"),
        owner.hold(tmp_path / "out", 1, False),
    ):
        pass


def test_held__a_file_in_its_place(owner: Owner, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    told = f"expected the name of a folder for the {owner.kind.noun}, new or empty"
    with pytest.raises(RunError, match=told), owner.hold(tmp_path / "out", 1, False):
        pass


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_held__a_broken_description_is_refused_and_may_be_replaced(owner: Owner, tmp_path: Path, text: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / owner.kind.description).write_text(text)
    with pytest.raises(RunError) as refused, owner.hold(tmp_path / "out", 1, False):
        pass
    assert f"expected the JSON that `{owner.kind.command}` wrote" in str(refused.value)
    with owner.hold(tmp_path / "out", 1, True):
        pass
    with owner.hold(tmp_path / "out", 1, False):
        pass


def test_differences__in_one_wording() -> None:
    before = {"seed": 1, "axes": {"a": {"low": 1, "high": 2}, "b": [1]}, "code_digest": "x", "set": {}}
    now = {"seed": 2, "axes": {"a": {"low": 1, "high": 3}, "b": [1]}, "code_digest": "y", "set": {"c": True}}
    assert differences(before, now) == [
        "seed was 1 and is now 2",
        "axes.a was { low = 1, high = 2 } and is now { low = 1, high = 3 }",
        "the program's code (digest x then, y now) has changed",
        "set.c was not there and is now true",
    ]
    assert differences({"axes": {"a": 1, "b": 2}}, {"axes": {"b": 2, "a": 1}}) == [
        "axes were in the order a, b and are now in the order b, a"
    ]
    then, asked = config().resolved(), config(seed=3)
    assert differences({"configurations": {"d": then}}, {"configurations": {"d": asked}}) == [
        "configurations.d.run.seed was 1 and is now 3"
    ]


def write_text_there(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
