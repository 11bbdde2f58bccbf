"""Who may import whom, where the rule is a list of what is allowed (the layers themselves stand in pyproject.toml)."""

from __future__ import annotations

import sys
from functools import cache

import grimp
import pytest

from numbluff_sim.contract.registry import game, shipped

KERNELS_MAY_IMPORT = {"numba", "llvmlite", "numpy"}


@cache
def edges() -> list[tuple[str, str]]:
    """(importer, imported) for every import of the package, those inside functions included."""
    graph = grimp.build_graph(
        "numbluff_sim", include_external_packages=True, exclude_type_checking_imports=True, cache_dir=None
    )
    return [
        (importer, imported)
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    ]


def game_of(module: str) -> str | None:
    """The game whose sub-package `module` belongs to, if any."""
    parts = module.split(".")
    return (
        parts[2] if len(parts) > 2 and parts[1] in ("games", "kernels", "analysis") and parts[2] in shipped() else None
    )


def test_kernels__import_nothing_else() -> None:
    of_kernels = [(a, b) for a, b in edges() if a.startswith("numbluff_sim.kernels")]
    assert any(b == "numba" for _, b in of_kernels)
    assert [
        (a, b)
        for a, b in of_kernels
        if not b.startswith("numbluff_sim.kernels") and b not in KERNELS_MAY_IMPORT and b not in sys.stdlib_module_names
    ] == []


def test_games__are_imported_by_themselves_alone() -> None:
    assert any(game_of(b) for _, b in edges())
    assert [(a, b) for a, b in edges() if game_of(b) and game_of(a) != game_of(b)] == []


@pytest.mark.parametrize("name", shipped())
def test_game__modules_that_make_its_numbers_are_in_its_digest(name: str) -> None:
    package = f"numbluff_sim.games.{name}."
    known, reached = set(game(name).sources[game(name).package]), {f"{package}engine"}
    while True:
        more = {b for a, b in edges() if a in reached and b.startswith(package)} - reached
        if not more:
            break
        reached |= more
    assert {module.removeprefix(package) for module in reached} - known == set()
