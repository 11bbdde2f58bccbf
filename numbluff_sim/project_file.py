"""The parts of pyproject.toml that list what is in the tree: games, packages, data files. `python -m
numbluff_sim.project_file` writes them anew; a test holds them current.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

BEGIN, END = "# from here on written by `make docs`, from the tree", "# up to here written by `make docs`"
#: Where a package's sources are: those of kernels and analysis stand beside the package.
SOURCES = {"numbluff_sim": "numbluff_sim", "numbluff_sim.analysis": "analysis", "numbluff_sim.kernels": "kernels"}
GAMES = Path("numbluff_sim/games")


def packages(root: Path) -> dict[str, Path]:
    """Every package of the tree, by name in order, with its folder."""
    return dict(sorted((name, folder) for top, place in SOURCES.items() for name, folder in _below(top, root / place)))


def _below(name: str, folder: Path) -> Iterator[tuple[str, Path]]:
    yield name, folder
    for inner in folder.iterdir():
        if (inner / "__init__.py").is_file() and not inner.is_symlink() and f"{name}.{inner.name}" not in SOURCES:
            yield from _below(f"{name}.{inner.name}", inner)


def data_patterns(folder: Path) -> list[str]:
    """The files of a package that are no code, as patterns by folder and ending."""
    found = set()
    for file in folder.rglob("*"):
        inside = file.relative_to(folder)
        of_another = any((folder / parent / "__init__.py").is_file() for parent in list(inside.parents)[:-1])
        if file.is_file() and file.suffix not in (".py", ".pyc") and not of_another:
            found.add(str(inside.parent / f"*{file.suffix}") if file.suffix != ".typed" else str(inside))
    return sorted(found)


def games(root: Path) -> list[str]:
    """The names of the games of the tree."""
    return sorted(file.parent.name for file in (root / GAMES).glob("*/game.py"))


def blocks(root: Path) -> list[str]:
    """What stands between each pair of marks, in the order of the file: entry points, packages, data."""
    points = [f'{name} = "numbluff_sim.games.{name}.game:GAME"' for name in games(root)]
    listed = packages(root)
    data = {name: patterns for name, folder in listed.items() if (patterns := data_patterns(folder))}
    quoted = {name: ", ".join(f'"{pattern}"' for pattern in patterns) for name, patterns in data.items()}
    return [
        "\n".join(['[project.entry-points."numbluff_sim.games"]', *points]),
        "\n".join(["packages = [", *(f'    "{name}",' for name in listed), "]"]),
        "\n".join(["[tool.setuptools.package-data]", *(f'"{name}" = [{text}]' for name, text in quoted.items())]),
    ]


def current(root: Path) -> str:
    """pyproject.toml with its lists as the tree has them."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    parts = iter(blocks(root))
    return re.sub(f"{BEGIN}\n.*?\n{END}", lambda _: f"{BEGIN}\n{next(parts)}\n{END}", text, flags=re.DOTALL)


if __name__ == "__main__":
    here = Path(__file__).parents[1]
    (here / "pyproject.toml").write_text(current(here), encoding="utf-8")
