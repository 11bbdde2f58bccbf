"""Compiled kernels are kept by game: an edit of one game compiles that game again, an edit of what is shared all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from numbluff_sim.contract.registry import shipped
from numbluff_sim.kernels import cache
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.kernels.num_bluff.playing import play as play_num_bluff
from numbluff_sim.kernels.perudo.playing import play as play_perudo
from numbluff_sim.kernels.solving import regrets

ROOT = Path(__file__).parents[2]
#: A game from elsewhere, with a kernel of its own in a package in its package.
KERNEL = """from numbluff_sim.kernels.common.jit import entry
from toy_game.kernels.factors import factor


@entry
def twice(x):
    return factor() * x


@entry
def thrice(x):
    return 3 * x
"""
FACTOR = """from numbluff_sim.kernels.common.jit import jit


@jit
def factor():
    return 2
"""
compiled = pytest.mark.skipif(not COMPILED, reason="nothing is kept without compiling")


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the kernels, whose folders and digests are asked for."""
    copy = tmp_path / "copy" / "kernels"
    shutil.copytree(ROOT / "kernels", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "KERNELS", copy)
    return copy


def folder_of(name: str) -> Path:
    """The cache folder of a game here."""
    folder: Path = cache.cache_folder(f"numbluff_sim.kernels.{name}.playing", str(cache.KERNELS / name / "playing.py"))
    return folder


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


@pytest.mark.parametrize("name", ["common/deal.py", "solving/regrets.py"])
def test_edit_of_what_is_shared__changes_every_folder(kernels: Path, name: str) -> None:
    before = folders()
    with (kernels / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert [game for game, folder in folders().items() if folder == before[game]] == []


def test_folder__is_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBLUFF_CACHE_DIR", str(tmp_path))
    folder = folder_of("perudo")
    assert (folder.parent, folder.name[:-16]) == (tmp_path, "perudo-")
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert folder_of("perudo").name == f"{folder.name}-checked"


@compiled
def test_kernels__are_kept_in_the_folder_of_their_game() -> None:
    for name, kernel in (("num_bluff", play_num_bluff), ("perudo", play_perudo), ("solving", regrets.evaluate)):
        assert Path(kernel.stats.cache_path).name == folder_of(name).name


class Toy:
    """A game from elsewhere, whose one kernel is called by a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.place = folder, folder / "cache"
        self.package = folder / "here" / "toy_game"
        (self.package / "kernels").mkdir(parents=True)
        for file, text in (("__init__.py", ""), ("kernels/__init__.py", ""), ("kernels/playing.py", KERNEL)):
            (self.package / file).write_text(text, encoding="utf-8")
        (self.package / "kernels" / "factors.py").write_text(FACTOR, encoding="utf-8")

    def run(self, where: str = "here", *, of: str = "21", first: str = "") -> tuple[str, str]:
        """Twice a number and how often that came from the cache; and what is said. `first`: code that runs before."""
        code = f"""
{first}
from toy_game.kernels.playing import twice
print(twice({of}), *twice.stats.cache_hits.values())"""
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": f"{self.folder / where}:{ROOT}", "NUMBLUFF_CACHE_DIR": str(self.place), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip(), done.stderr

    @property
    def kept(self) -> list[Path]:
        """What lies in the cache."""
        return sorted(path for path in self.place.rglob("*") if path.is_file())


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """The game."""
    return Toy(tmp_path)


@compiled
@pytest.mark.thorough
def test_game_from_elsewhere__is_kept_by_its_whole_package_wherever_that_lies(toy: Toy) -> None:
    assert (toy.run(), len(list(toy.place.glob("toy_game-*")))) == (("42", ""), 1)
    assert toy.run() == ("42 1", "")
    shutil.copytree(toy.package, toy.folder / "there" / "toy_game")
    assert toy.run("there") == ("42 1", "")
    (toy.package / "points.py").write_text("POINTS = 1\n", encoding="utf-8")
    assert (toy.run(), len(list(toy.place.glob("toy_game-*")))) == (("42", ""), 2)


@compiled
def test_place_that_cannot_be_written__is_said_once_and_no_other_place_gives_an_edited_kernels_old_result(
    toy: Toy,
) -> None:
    toy.place.write_text("a file, where a folder is expected", encoding="utf-8")
    said = (
        f"Compiled kernels cannot be kept ({toy.place} cannot be written: Not a directory) and every process compiles "
        "them again. NUMBLUFF_CACHE_DIR names another folder.\n"
    )
    assert toy.run(first="from toy_game.kernels.playing import thrice; thrice(1)") == ("42", said)
    (toy.package / "kernels" / "factors.py").write_text(FACTOR.replace("2", "5"), encoding="utf-8")
    assert toy.run() == ("105", said)
    assert [path for path in toy.package.rglob("*") if path.suffix in (".nbi", ".nbc")] == []


@compiled
def test_no_home_folder__is_said_and_nothing_is_kept(toy: Toy) -> None:
    homeless = """
import os, pathlib
def home(): raise RuntimeError("Could not determine home directory.")
pathlib.Path.home = home
del os.environ["NUMBLUFF_CACHE_DIR"]"""
    said = (
        "Compiled kernels cannot be kept (there is no home folder) and every process compiles them again. "
        "NUMBLUFF_CACHE_DIR names another folder.\n"
    )
    assert toy.run(first=homeless) == ("42", said)


@compiled
def test_full_disk__is_said_and_leaves_nothing_half_written(toy: Toy) -> None:
    resource = pytest.importorskip("resource")  # a limit of the system stands for the disk
    result, said = toy.run(first=f"import resource; resource.setrlimit({resource.RLIMIT_FSIZE}, (100, 100))")
    assert result == "42"
    assert said.startswith(f"Compiled kernels cannot be kept ({toy.place} cannot be written: File too large)")
    assert toy.kept == []


@compiled
@pytest.mark.thorough
def test_damaged_file__is_said_and_made_again(toy: Toy) -> None:
    """Emptied, cut, with one bit flipped, another file in its place."""
    toy.run()
    (file,) = toy.kept
    whole = file.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for damaged in (b"", whole[:middle], flipped, b"\x80\x04N."):
        file.write_bytes(damaged)
        assert toy.run() == ("42", f"{file} is damaged and compiled again.\n")
    assert toy.run() == ("42 1", "")


@compiled
@pytest.mark.thorough
def test_signatures__share_no_file_that_processes_beside_each_other_could_spoil(toy: Toy) -> None:
    assert toy.run() == ("42", "")
    (file,) = toy.kept
    before = file.read_bytes(), file.stat().st_mtime_ns
    assert toy.run(of="2.5") == ("5.0", "")
    assert (len(toy.kept), file.read_bytes(), file.stat().st_mtime_ns) == (2, *before)
    assert (toy.run(), toy.run(of="2.5")) == (("42 1", ""), ("5.0 1", ""))


@compiled
def test_warm_cache_that_cannot_be_written__is_read(toy: Toy) -> None:
    toy.run()
    refused = """
from numbluff_sim.kernels import cache
def refuse(path): raise PermissionError(13, "Permission denied", str(path))
cache.written = refuse"""
    assert toy.run(first=refused) == ("42 1", "")


def test_emptied__removes_what_was_made_there_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBLUFF_CACHE_DIR", str(tmp_path / "none"))
    assert cache.emptied() == 0
    monkeypatch.setenv("NUMBLUFF_CACHE_DIR", str(tmp_path))
    ours = [
        "toy-0123456789abcdef/a.1.nbc",
        "0123456789abcdef/common/a.nbi",
        "toy_tables/b.npz",
        "toy_tables/b.npz.tmp.1",
    ]
    others = ["run/run.json", "run/a.npz", "notes.nbc", "toy_tables/notes.txt", "toy-0123456789abcdeg/a.nbc"]
    for name in (*ours, *others):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("12345", encoding="utf-8")
    assert cache.emptied() == 5 * len(ours)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        others
    )
    assert not (tmp_path / "0123456789abcdef").exists()
