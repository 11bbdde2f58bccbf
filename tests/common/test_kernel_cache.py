"""Compiled kernels are kept by game: an edit of one game compiles that game again, an edit of what is shared all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from numbluff_sim.contract.registry import shipped
from numbluff_sim.kernels.common import jit
from numbluff_sim.kernels.num_bluff.playing import play as play_num_bluff
from numbluff_sim.kernels.perudo.playing import play as play_perudo
from numbluff_sim.kernels.solving import regrets

ROOT = Path(__file__).parents[2]
#: A game from elsewhere, with a kernel of its own in a package in its package.
KERNEL = """from numbluff_sim.kernels.common.jit import entry


@entry
def twice(x):
    return 2 * x
"""


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the kernels, whose folders and digests are asked for."""
    copy = tmp_path / "copy" / "kernels"
    shutil.copytree(ROOT / "kernels", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "KERNELS", copy)
    return copy


def folder_of(name: str) -> Path:
    """The cache folder of a game here."""
    return jit.cache_folder(f"numbluff_sim.kernels.{name}.playing", str(jit.KERNELS / name / "playing.py"))


def folders() -> dict[str, Path]:
    """The cache folder of every game."""
    return {name: folder_of(name) for name in shipped()}


@pytest.mark.parametrize("name", shipped())
def test_edit_of_a_game__changes_its_folder_alone(kernels: Path, name: str) -> None:
    before = folders()
    assert len(set(before.values())) == len(shipped())
    with (kernels / name / "codes.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert [game for game, folder in folders().items() if folder != before[game]] == [name]


@pytest.mark.parametrize("name", ["common/deal.py", "solving/regrets.py", "tricks/hands.py"])
def test_edit_of_what_is_shared__changes_every_folder(kernels: Path, name: str) -> None:
    before = folders()
    (kernels / name).parent.mkdir(exist_ok=True)
    with (kernels / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert [game for game, folder in folders().items() if folder == before[game]] == []


def test_folder__is_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBLUFF_CACHE_DIR", str(tmp_path))
    folder = folder_of("perudo")
    assert (folder.parent, folder.name[:-16]) == (tmp_path, "perudo-")
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert folder_of("perudo").name == f"{folder.name}-checked"


@pytest.mark.skipif(not jit.COMPILED, reason="nothing is kept without compiling")
def test_kernels__are_kept_in_the_folder_of_their_game() -> None:
    for name, kernel in (("num_bluff", play_num_bluff), ("perudo", play_perudo), ("solving", regrets.evaluate)):
        assert Path(kernel.stats.cache_path).name == folder_of(name).name


@pytest.mark.skipif(not jit.COMPILED, reason="nothing is kept without compiling")
def test_game_from_elsewhere__is_kept_by_its_whole_package_wherever_that_lies(tmp_path: Path) -> None:
    package, cache = tmp_path / "here" / "toy_game", tmp_path / "cache"
    (package / "kernels").mkdir(parents=True)
    for file, text in (("__init__.py", ""), ("kernels/__init__.py", ""), ("kernels/playing.py", KERNEL)):
        (package / file).write_text(text, encoding="utf-8")
    code = "import sys; from toy_game.kernels.playing import twice; print(twice(21), *twice.stats.cache_hits.values())"

    def run(where: str = "here") -> tuple[str, int]:
        """What it prints, and how many folders there are then."""
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": f"{tmp_path / where}:{ROOT}", "NUMBLUFF_CACHE_DIR": str(cache), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip(), len(list(cache.glob("toy_game-*")))

    assert run() == ("42", 1)
    assert run() == ("42 1", 1)
    shutil.copytree(package, tmp_path / "there" / "toy_game")
    assert run("there") == ("42 1", 1)
    (package / "points.py").write_text("POINTS = 1\n", encoding="utf-8")
    assert run() == ("42", 2)
