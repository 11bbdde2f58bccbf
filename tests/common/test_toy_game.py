"""The example of docs/ADDING_A_GAME.md: installed as anybody would, beside this project and with no file of it touched,
it has every command, keeps the contract and plays what was worked out by hand.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY = ROOT / "docs" / "examples" / "toy_game"
MOST_LINES = 460
HIGHEST = 6
GAMES = 100_000
MEASURE = """
import json, sys
from numbluff_sim.analysis.metrics.measured import MeasuredRun
from numbluff_sim.config import load
from numbluff_sim.contract.registry import game
from numbluff_sim.run.playing import simulate_tally
run = {"game": "high_card", "run.games": int(sys.argv[1]), "run.detail_every": 1}
config = load(overrides={**run, **json.loads(sys.argv[2])})
found = game("high_card").metrics.estimates(MeasuredRun(config, simulate_tally(config)), 1e-6)
print(json.dumps({name: [one.low, one.high] for name, one in found.items()}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the toy in it, as pip puts it there; built from a copy, so that nothing is left in the tree."""
    source, target = tmp_path_factory.mktemp("toy") / "source", tmp_path_factory.mktemp("installed")
    shutil.copytree(TOY, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(target), str(source)], check=True, capture_output=True)
    return target


def python(installed: Path, *arguments: str, folder: Path | None = None, stdin: str = "") -> str:
    """What a Python process prints that sees the toy's folder."""
    path = os.pathsep.join(filter(None, (str(installed), str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_toy__is_small() -> None:
    files = subprocess.run(
        ["git", "ls-files", "."], cwd=TOY, capture_output=True, text=True, check=False
    ).stdout.split()
    found = [TOY / name for name in files] or [
        file for file in TOY.rglob("*") if file.suffix in (".py", ".toml", ".md")
    ]
    assert 0 < sum(len(file.read_text(encoding="utf-8").splitlines()) for file in found) <= MOST_LINES


def test_toy__keeps_the_contract(installed: Path) -> None:
    code = "from numbluff_sim import testing; from numbluff_sim.contract.registry import game; "
    told = python(installed, "-c", f"{code}testing.conformance(game('high_card')); print(len(testing.CHECKS))")
    assert int(told) > 10


@pytest.mark.thorough
def test_toy__every_command(installed: Path, tmp_path: Path) -> None:
    def numbluff(*arguments: str, stdin: str = "") -> str:
        return python(installed, "-m", "numbluff_sim", *arguments, folder=tmp_path, stdin=stdin)

    run = json.loads(
        numbluff("simulate", "--game", "high_card", "--games", "5000", "--rows", "rounds", "--out", "run", "--json")
    )
    assert (run["game"], [event["name"] for event in run["events"]]) == ("high_card", ["tie_per_round"])
    assert {folder.name for folder in (tmp_path / "run").iterdir() if folder.is_dir()} == {"games", "rounds"}
    compare = ("compare", "documented", "--game", "high_card", "--players", "2", "--games", "20000", "--out", "compare")
    numbluff(*compare, "--set", "rules.ties=first")
    numbluff("rulings", "documented", "--game", "high_card", "--games", "20000", "--out", "rulings")
    listed = json.loads((tmp_path / "rulings" / "comparison.json").read_text(encoding="utf-8"))["variants"]
    assert [variant["name"] for variant in listed] == ["ties=nobody", "ties=first"]
    checked = json.loads(numbluff("check", "--game", "high_card", "--json"))
    assert [verdict["verdict"] for verdict in checked["claims"]] == ["holds"]
    told = numbluff("replay", "--game", "high_card", "--index", "3", "--lang", "fr")
    assert told.startswith("Partie 3, graine 1")
    assert "points 0 0.5 0.5" in numbluff("resolve", "--game", "high_card", "-", stdin="3 5 5\n")
    numbluff("report", "run", "compare", "--out", "report")
    assert "What is a seat worth?" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def kept(seat: int, players: int) -> Fraction:
    """By hand, for who keeps every card under `first`: the points a round of a seat."""
    return sum(
        (
            Fraction(v - 1, HIGHEST) ** seat * Fraction(v, HIGHEST) ** (players - 1 - seat)
            for v in range(1, HIGHEST + 1)
        ),
        Fraction(0),
    ) / Fraction(HIGHEST)


def ties(players: int) -> Fraction:
    """By hand: how often several have the highest card."""
    return 1 - players * sum((Fraction(v, HIGHEST) ** (players - 1) for v in range(HIGHEST)), Fraction(0)) / HIGHEST


@pytest.mark.parametrize("players", [2, 3])
def test_toy__plays_what_was_worked_out_by_hand(installed: Path, players: int) -> None:
    """Exact values in intervals of alpha 1e-6 each, at a fixed seed."""

    def measured(ruling: str) -> dict[str, list[float]]:
        table = {"table.players": players, "table.rounds": 1, "rules.ties": ruling, "run.seed": 7}
        found: dict[str, list[float]] = json.loads(python(installed, "-c", MEASURE, str(GAMES), json.dumps(table)))
        return found

    def holds(found: dict[str, list[float]], metric: str, value: Fraction) -> bool:
        return found[metric][0] <= value <= found[metric][1]

    assert (kept(0, 2), ties(2), ties(3)) == (Fraction(7, 12), Fraction(1, 6), Fraction(17, 72))
    first, nobody, split = measured("first"), measured("nobody"), measured("split")
    for found in (first, nobody, split):
        assert holds(found, "tie_per_round", ties(players))
    for seat in range(players):
        assert holds(first, f"seat_{seat}_points", kept(seat, players))
        assert holds(first, f"seat_{seat}_win_share", kept(seat, players))
        assert holds(nobody, f"seat_{seat}_points", (1 - ties(players)) / players)
        assert holds(split, f"seat_{seat}_points", Fraction(1, players))
