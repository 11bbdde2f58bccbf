"""The project file names what there is, and the generated pages say what the registries say."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import numbluff_sim
from numbluff_sim import project_file
from numbluff_sim.contract.registry import shipped
from numbluff_sim.docs_pages import PAGES

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
SOURCES = {
    "numbluff_sim": ROOT / "numbluff_sim",
    "numbluff_sim.kernels": ROOT / "kernels",
    "numbluff_sim.analysis": ROOT / "analysis",
}


def tree() -> dict[str, Path]:
    """Every file of the package by its place in a wheel."""
    found = {}
    for package, folder in SOURCES.items():
        for file in folder.rglob("*"):
            inside = file.relative_to(folder)
            linked = package == "numbluff_sim" and inside.parts[0] in ("kernels", "analysis")
            if file.is_file() and "__pycache__" not in inside.parts and not linked:
                found[f"{package.replace('.', '/')}/{inside.as_posix()}"] = file
    return found


def test_links__kernels_and_analysis_are_in_the_package() -> None:
    for name in ("kernels", "analysis"):
        link = ROOT / "numbluff_sim" / name
        assert link.is_symlink()
        assert link.readlink() == Path("..") / name


def test_project_file__lists_are_current() -> None:
    there = {str(Path(place).parent).replace("/", ".") for place in tree() if place.endswith(".py")}
    assert SETUPTOOLS["packages"] == sorted(there)
    assert list(PROJECT["project"]["entry-points"]["numbluff_sim.games"]) == project_file.games(ROOT) == shipped()
    assert (ROOT / "pyproject.toml").read_text(encoding="utf-8") == project_file.current(ROOT), "run `make docs`"


def test_wheel__holds_the_tree(tmp_path: Path) -> None:
    """Built as pip builds it, without reaching for anything over the network, from a copy of the sources in which the
    links are what an export or a checkout on Windows makes of them: small files with the name of a folder.
    """
    copy = tmp_path / "source"
    for place, file in tree().items():
        parts = Path(place).parts
        target = copy.joinpath(*(parts[1:] if parts[1] in ("kernels", "analysis") else parts))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
    for name in ("kernels", "analysis"):
        (copy / "numbluff_sim" / name).write_text(f"../{name}", encoding="utf-8")
    for name in ("pyproject.toml", *([PROJECT["project"]["readme"]] if "readme" in PROJECT["project"] else [])):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(copy)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == {place: file.read_bytes() for place, file in tree().items()}
    assert f"-{numbluff_sim.__version__}-" in wheel.name


def test_constraints__exact_pins_of_every_dependency() -> None:
    lines = [
        line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    pins = {}
    for line in lines:
        match = re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9][0-9A-Za-z.]*)", line)
        assert match, line
        pins[match[1].lower().replace("_", "-")] = match[2]
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *extras["cluster"], *extras["dev"]]
    names = {re.split(r"[\[>=<]", text)[0] for text in wanted}
    assert names - pins.keys() == set()


def test_lazy_names__load_on_first_use() -> None:
    from numbluff_sim.api import load

    assert numbluff_sim.load is load
    with pytest.raises(AttributeError, match="has no attribute 'laod'"):
        numbluff_sim.laod  # noqa: B018  # the access is what is tested


@pytest.mark.parametrize("name", [n for n in numbluff_sim.__all__ if n != "__version__"])
def test_lazy_names__every_one(name: str) -> None:
    module = importlib.import_module(numbluff_sim._WHERE[name])
    assert getattr(numbluff_sim, name) is getattr(module, name)


def test_import__light() -> None:
    code = (
        "import sys, numbluff_sim; print(sorted({m.split('.')[0] for m in sys.modules} & {'numba', 'numpy', "
        "'pydantic', 'matplotlib', 'pandas', 'pyarrow', 'scipy'}))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("name", PAGES)
def test_generated_files__are_current(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"
