"""A class has one name, and a name one class."""

import ast
from collections import defaultdict

from tests.common.test_i18n import ROOT

#: Folders of which each game has one of its own, with the same names for the same roles.
GAMES = ("numbluff_sim/games/", "analysis/num_bluff/", "analysis/perudo/")
#: What a game is asked for by the contract has the contract's name for it.
OF_THE_CONTRACT = {"Engine"}
#: Numba's own name for what a typed intrinsic is declared by, within a function.
WITHIN_FUNCTIONS = {"kernels/common/lanes_llvm.py"}


def test_classes__no_two_of_one_name():
    places: dict[str, list[str]] = defaultdict(list)
    for home in ("numbluff_sim", "analysis", "kernels"):
        for file in sorted((ROOT / home).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if path.startswith(("numbluff_sim/analysis/", "numbluff_sim/kernels/")) or path in WITHIN_FUNCTIONS:
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(path)
    twice = {
        name: found
        for name, found in places.items()
        if len(found) > 1
        and not (all(path.startswith(GAMES) for path in found) and len(set(map(game_of, found))) == len(found))
        and name not in OF_THE_CONTRACT
    }
    assert twice == {}


def game_of(path: str) -> str:
    """The game a path belongs to."""
    return path.removeprefix("numbluff_sim/games/").removeprefix("analysis/").partition("/")[0]
