"""`numbluff replay` as a user calls it. In processes of its own: few games run as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.common.held import LIMIT
from tests.games.num_bluff.reference.audit import audit

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from numbluff_sim.cli.main import run; run()", "replay"]
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"},
    "PYTHONPATH": str(ROOT),
}
KEYS = {"game", "seed", "players", "profile", "rules", "deck", "initial_hands", "winners", "rounds"}
ROUND_KEYS = {
    "round",
    "bluffer",
    "recycled",
    "visible",
    "hidden",
    "empty_hand_draws",
    "announcement",
    "bluffer_total",
    "event",
    "winners",
    "closest",
    "farthest",
    "mechanism",
    "gaps",
    "to_score",
    "to_pot",
    "to_discard",
    "sacrificed",
    "sacrifice_draws",
    "refill_draws",
    "pot_after",
    "scores_after",
    "hands_after",
}


def replay(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *args], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=LIMIT
    )


def games(*args: str) -> list[dict[str, Any]]:
    done = replay("--json", *args)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_replay__json_lines_with_the_documented_keys() -> None:
    found = games("--seed", "5", "--index", "62..65", "--preset", "plays_to_win", "--players", "5")
    assert [game["game"] for game in found] == [62, 63, 64, 65]
    for game in found:
        assert set(game) == KEYS
        assert (game["seed"], game["players"], game["profile"], game["deck"]) == (5, 5, "plays_to_win", None)
        assert all(set(entry) == ROUND_KEYS for entry in game["rounds"])
        audit(game)


def test_replay__own_deck_and_mixed_seats() -> None:
    (game,) = games(
        "--index", "3", "--set", "deck.rouge.copies=2", "--set", 'play.seats=["random","nearest","liar","honest"]'
    )
    assert game["profile"] is None
    assert game["deck"][0] == {"name": "rouge", "kind": "classic", "values": [0, 16], "copies": 2, "reach": 0}
    assert len(game["rounds"]) == 12


def test_replay__readable_in_both_languages() -> None:
    args = (
        "--seed",
        "2",
        "--index",
        "7",
        "--preset",
        "hoarder",
        "--players",
        "6",
        "--set",
        "rules.refill_after_fusion=true",
    )
    (game,) = games(*args)
    english, french = (replay(*args, "--lang", language).stdout for language in ("en", "fr"))
    assert english.startswith("Game 7 of seed 2: 6 players, all play hoarder.\n")
    assert french.startswith("Partie 7 de la graine 2\u00a0: 6 joueurs, qui jouent tous hoarder.\n")
    assert english.count("\nRound ") == french.count("\nRound ") == len(game["rounds"])
    assert "Score piles, discard and the rest of the pile have been shuffled into a new pile (T8)." in english
    assert "refill_after_fusion = true (T6)" in french
    for entry in game["rounds"]:
        for card in (card for cards in (entry["visible"], *entry["hidden"]) for card in cards):
            assert card in english
            assert card in french
        assert f"Scores: {', '.join(map(str, entry['scores_after']))}." in english
    best = max(game["rounds"][-1]["scores_after"])
    assert english.rstrip().endswith(f"with {best} points.")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--index", "7..3"), '"7..3" names no games; expected G..H with G at most H'),
        (("--index", "-1"), "no game index; expected G or G..H"),
        (("--index", "seven"), "no game index; expected G or G..H"),
        ((), "Missing option '--index'"),
        (("--index", "1", "--preset", "hoarde"), 'Did you mean "hoarder"?'),
        (("--index", "1", "--players", "7"), "players"),
    ],
)
def test_replay__refused(args: tuple[str, ...], message: str) -> None:
    done = replay(*args)
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)
    assert message in done.stderr
