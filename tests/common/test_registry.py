"""Games are found by entry points; what is wrong with one is told, and costs the others nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from numbluff_sim.contract import registry
from numbluff_sim.contract.registry import game, names, shipped
from numbluff_sim.errors import ConfigError


@pytest.fixture
def with_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with a package whose entry points are those of its file."""
    info = tmp_path / "odd_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-games\nVersion: 1.0\n", encoding="utf-8")
    points = "[numbluff_sim.games]\nlost = odd_games_nowhere:GAME\nnumber = odd_games:NUMBER\nalias = odd_games:OTHER\n"
    (info / "entry_points.txt").write_text(f"{points}perudo = odd_games:NUMBER\n", encoding="utf-8")
    code = "from numbluff_sim.games.perudo.game import GAME as OTHER\nNUMBER = 3\n"
    (tmp_path / "odd_games.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "LOADED", {})
    registry._installed.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def _forget() -> object:
    yield
    registry._installed.cache_clear()


def test_names__shipped_ones_first(with_package: Path) -> None:
    assert names() == [*shipped(), "lost", "number", "alias"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("lost", "cannot be used: ModuleNotFoundError: No module named 'odd_games_nowhere'"),
        ("number", "cannot be used: it is 3"),
        ("alias", 'cannot be used: it calls itself "perudo"'),
    ],
)
def test_game__one_that_cannot_be_loaded(with_package: Path, name: str, problem: str) -> None:
    with pytest.raises(ConfigError) as refused:
        game(name)
    assert f'the game "{name}" of the package odd-games {problem}' in str(refused.value)
    assert "that names a numbluff_sim.contract.game.Game" in str(refused.value)


def test_game__a_name_of_two_packages_is_the_shipped_one(with_package: Path) -> None:
    assert game("perudo").package == "numbluff_sim.games.perudo"


def test_game__unknown(with_package: Path) -> None:
    with pytest.raises(ConfigError, match=r'game = "perud" is not a game; expected one of .* Did you mean "perudo"\?'):
        game("perud")


def test_loading_games__is_light() -> None:
    code = (
        "import sys; from numbluff_sim.contract.registry import game, shipped; [game(name) for name in shipped()]; "
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'numba', 'numpy', 'pydantic', 'pandas', 'click'}))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
