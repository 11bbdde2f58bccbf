"""`numbluff resolve` as a user calls it. In processes of its own: the command runs the kernels as plain Python."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.errors import UserError
from numbluff_sim.single.resolving import resolve_text
from tests.common.held import LIMIT

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from numbluff_sim.cli.main import run; run()", "resolve"]
CASES = ROOT / "tests/games/num_bluff/cases/num_bluff_rounds.json"
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"},
    "PYTHONPATH": str(ROOT),
}

FRAPPE = "bluffer 1 / rouge-7 + vert-3; bleu-4 + bleu-6; jaune-5 + bleu-2; pot: jaune-3\n"
TABLE: dict[str, Any] = {
    "id": "a",
    "bluffer": 0,
    "visible": ["rouge-7", "bleu-4", "jaune-5"],
    "hidden": [["vert-3"], ["bleu-6"], ["bleu-2"]],
    "pot": ["jaune-3"],
    "rules": {},
}


def resolve(*args: str, stdin: str | bytes = "", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run(
        [*COMMAND, *args], cwd=cwd, env=ENVIRONMENT, input=data, capture_output=True, check=False, timeout=LIMIT
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def outcomes(*rounds: dict[str, Any], args: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    done = resolve("--json", "-", *args, stdin=json.dumps({"rounds": list(rounds)}))
    assert (done.returncode, done.stderr) == (0, "")
    return list(json.loads(done.stdout)["rounds"])


def test_resolve__shared_cases_in_order() -> None:
    cases = json.loads(CASES.read_text())
    done = resolve("--json", str(CASES))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["rounds"]
    assert [one["id"] for one in found] == [case["id"] for case in cases]
    for one, case in zip(found, cases, strict=True):
        assert {key: one[key] for key in case["expect"]} == case["expect"], case["id"]


def test_resolve__needs_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "NUMBLUFF_CACHE_DIR", str(tmp_path / "kernels"))
    assert outcomes(TABLE)[0]["event"] == "frappe_parfaite"
    assert not (tmp_path / "kernels").exists()  # where compiled kernels would be


def test_resolve__keys_of_an_outcome() -> None:
    (one,) = outcomes(TABLE)
    assert set(one) == {
        "id",
        "event",
        "bluffer_total",
        "gaps",
        "mechanism",
        "winners",
        "closest",
        "farthest",
        "to_score",
        "to_pot",
        "to_discard",
        "pot_taken",
        "visible_back",
        "may_sacrifice",
    }
    assert one["to_score"] == [[], ["bleu-2", "bleu-6", "jaune-3", "vert-3"], []]
    assert (one["gaps"], one["mechanism"], one["winners"], one["pot_taken"]) == (
        [None, 0, 3],
        [None, "natural", None],
        [1],
        True,
    )


def test_resolve__plain_text_and_json_agree() -> None:
    (from_json,) = outcomes({**TABLE, "id": "1"})
    done = resolve("--json", stdin=FRAPPE)
    assert json.loads(done.stdout)["rounds"] == [from_json]


def test_resolve__empty_hidden_sides() -> None:
    """A visible card alone makes its total, no family and no Miroir (T7)."""
    alone = {**TABLE, "hidden": [["vert-3"], [], []], "visible": ["rouge-7", "bleu-10", "jaune-5"]}
    bluffer_alone = {**TABLE, "hidden": [[], ["bleu-3"], ["bleu-9"]]}
    first, second = outcomes(alone, bluffer_alone)
    assert (first["event"], first["gaps"], first["to_score"]) == ("coup_precis", [None, 0, 5], [[], ["vert-3"], []])
    assert (second["bluffer_total"], second["gaps"], second["event"]) == (7, [None, 0, 7], "frappe_parfaite")


def test_resolve__own_deck_with_wide_totals(tmp_path: Path) -> None:
    config = tmp_path / "deck.toml"
    config.write_text(
        "[deck.rouge]\nvalues = [60, 99]\n[deck.shadow]\nvalues = [60, 99]\nreach = 9\n[deck.vert]\ncopies = 2\n"
        '[rules]\nwild_adjusts = "both"\n'
    )
    far = {
        "bluffer": 0,
        "visible": ["rouge-99", "shadow-99", "vert-3"],
        "hidden": [["rouge-97", "rouge-98"], ["shadow-97", "shadow-98"], ["vert-3"]],
    }
    (one,) = outcomes(far, args=("--config", str(config)))
    assert one["bluffer_total"] == 294
    assert one["gaps"] == [None, 294 + 294 - 27, 288]
    assert (one["closest"], one["farthest"], one["event"], one["id"]) == (2, 1, "epargne", 0)


EXPLAINED = """
rules: wild_adjusts = both, spared_with_fusion = false
bluffer: rainbow-7 + vert-3
bleu-4 + bleu-9
jaune 4 + jaune-8 + jaune-16
shadow-5 + nothing
cagnotte: rouge-1

round last
bluffer 2; rouge-1 + vert-3; rouge-7 + vert-4; jaune-4 + jaune-7
"""


def test_resolve__explains_in_both_languages(tmp_path: Path) -> None:
    rounds = tmp_path / "rounds.txt"
    rounds.write_text(EXPLAINED, "utf-8")
    english, french = (resolve(str(rounds), "--lang", language).stdout for language in ("en", "fr"))
    for text in (english, french):
        for name in (
            "C6",
            "C7",
            "C8",
            "T2",
            "T7",
            "wild_adjusts = both",
            "spared_with_fusion = false",
            "rainbow-7",
            "bonus_pot = after_feed",
        ):
            assert name in text
    assert "Round 1: Coup de Maître with bonus (rules 4 and 6)" in english
    assert "Round last: Frappe Parfaite (rule 2)" in english
    assert "a fusion is not spared (spared_with_fusion = false)" in english
    assert "Seat 2: bleu-4 with bleu-9 makes 13. One family. Gap 3 (C7)." in english
    assert "Round last\u00a0: Frappe Parfaite (règle 2)" in french
    assert "la place 4 est" not in english


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bluffer 1\nrouge-7\nbleu-4\njaune-2\nrules: wild_adjust = both", "line 5: rules.wild_adjust is not a ruling"),
        (
            "bluffer 1\nrouge-7\nbleu-4\njaune-2\nrules: tie_value = signed\nrules: wild_adjusts = bot",
            'line 6: rules.wild_adjusts = "bot" is no answer',
        ),
        ("rouge-7\nbleu-4\njaune-2\nbluffer 5", "line 4: bluffer 5 is no seat of this table"),
        ("rouge-7\nbleu-4\njaune-2\n", "line 1: no seat is said to be the bluffer"),
        ("bluffer 1\nrouge-7\nbleu-4\njaune-2 + jaune-30", 'line 4, seat 3, hidden: "jaune-30" is no card'),
    ],
)
def test_resolve_text__names_the_line_that_is_wrong(text: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(f"rounds: {message}")):
        resolve_text(text)


def test_resolve__says_that_nothing_is_hidden_and_reads_a_byte_order_mark(tmp_path: Path) -> None:
    rounds = tmp_path / "notepad.txt"
    rounds.write_bytes(b"\xef\xbb\xbfbluffer 1\r\nrouge-7\r\nbleu-4 + bleu-6\r\njaune-5\r\n")
    text = resolve(str(rounds)).stdout
    assert "Seat 1 bluffs with rouge-7 alone, nothing hidden (T7): 7." in text
    assert "Seat 3: jaune-5 alone, nothing hidden (T7) makes 5." in text


ROUNDS = '{"rounds": [%s]}'
HERE = "standard input: rounds[0]: "
#: What is wrong with a round, and the message.
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "unknown card": (
        {"visible": ["rogue-7", "bleu-4", "jaune-5"]},
        (
            'visible[0] = "rogue-7" is no card of the deck; expected family-value such as rouge-0; families: '
            "rouge, vert, bleu, jaune, rainbow, "
            'shadow. Did you mean "rouge-7"?'
        ),
    ),
    "value out of range": (
        {"pot": ["rouge-17"]},
        'pot[0] = "rouge-17" is no card of the deck; expected rouge-0 to rouge-16. Did you mean "rouge-16"?',
    ),
    "card twice": (
        {"pot": ["bleu-6"]},
        'pot[0] = "bleu-6" is laid once too often: hidden[1], pot[0]; expected at most 1 in a round, as in the deck.',
    ),
    "two families": (
        {"hidden": [["vert-3"], ["bleu-6", "vert-6"], []]},
        'hidden[1] = ["bleu-6", "vert-6"] fuses bleu and vert; expected two cards of one family (T2).',
    ),
    "three hidden": (
        {"hidden": [["vert-3"], ["bleu-6", "bleu-7", "bleu-8"], []]},
        (
            'hidden[1] = ["bleu-6", "bleu-7", "bleu-8"] is no hidden side; '
            "expected a list of one card, of two of one family (a fusion, T2) or of none (T7)."
        ),
    ),
    "hidden is no list": (
        {"hidden": ["vert-3", [], []]},
        (
            'hidden[0] = "vert-3" is no hidden side; expected a list of one card, of two of one family (a '
            "fusion, T2) or of none (T7)."
        ),
    ),
    "bluffer fuses": (
        {"hidden": [["vert-3", "vert-4"], [], []], "rules": {"bluffer_may_fuse": False}},
        (
            'hidden[0] = ["vert-3", "vert-4"] is a fusion of the bluffer, and rules.bluffer_may_fuse is false '
            "(T9); expected a single card."
        ),
    ),
    "too few seats": (
        {"visible": ["rouge-7", "bleu-4"], "hidden": [[], []]},
        "visible has 2 cards; expected 3 to 6, one a seat.",
    ),
    "sides missing": (
        {"hidden": [["vert-3"]]},
        "hidden has 1 sides for 3 seats; expected one list of cards a seat, [] for a seat that hides nothing.",
    ),
    "no such seat": ({"bluffer": 3}, "bluffer = 3 is no seat of this table; expected a seat from 0 to 2."),
    "bluffer is no number": (
        {"bluffer": True},
        "bluffer = true is no seat of this table; expected a seat from 0 to 2.",
    ),
    "random": (
        {"rules": {"last_tie": "random"}},
        'rules.last_tie = "random" leaves the outcome to chance, and this is a calculator; expected "clockwise".',
    ),
    "unknown ruling": ({"rules": {"wild_adjust": "both"}}, 'Did you mean "wild_adjusts"?'),
    "unknown answer": (
        {"rules": {"wild_adjusts": "bath"}},
        (
            'rules.wild_adjusts = "bath" is no answer to this ruling; expected one of "hidden", "both", "none". '
            'Did you mean "both"?'
        ),
    ),
    "answer of the wrong type": (
        {"rules": {"master_bonus": "yes"}},
        'rules.master_bonus = "yes" is no answer to this ruling; expected one of false, true.',
    ),
    "unknown key": (
        {"visable": []},
        (
            '"visable" is not a key; expected one of "id", "rules", "bluffer", "visible", "hidden", "pot". Did '
            'you mean "visible"?'
        ),
    ),
    "pot is no list": ({"pot": "jaune-3"}, 'pot = "jaune-3" is no list; expected a list of cards.'),
}


def refusal(*args: str, stdin: str | bytes = "", cwd: Path = ROOT) -> str:
    """The message of a refused input: exit 2, one paragraph, nothing else."""
    done = resolve(*args, stdin=stdin, cwd=cwd)
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)
    return done.stderr.removeprefix("Error: ").rstrip("\n")


def message_of(text: str) -> str:
    """Why a text is refused, without starting a process: nothing is resolved."""
    with pytest.raises(UserError) as refused:
        resolve_text(text, file="standard input")
    return str(refused.value)


@pytest.mark.parametrize("wrong", BAD)
def test_resolve__refused_round(wrong: str) -> None:
    change, message = BAD[wrong]
    case = {key: value for key, value in {**TABLE, **change}.items() if key != "id"}
    found = message_of(ROUNDS % json.dumps(case))
    assert found.startswith(HERE)
    assert message in found
    if "expected" in message:
        assert found == HERE + message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'standard input: there is nothing in it; expected {"rounds": [...]} or rounds as plain text.'),
        (
            '{"rounds": [}',
            'standard input: not JSON: Expecting value at line 1, column 13; expected {"rounds": [...]}.',
        ),
        (
            '{"round": []}',
            (
                'standard input: "round" is not a key; expected the keys "rounds" and, if you like, "game". Did '
                'you mean "rounds"?'
            ),
        ),
        ('{"rounds": 3}', "standard input: rounds = 3 is no list; expected a list of rounds."),
        (
            '{"game": "num_bluf", "rounds": []}',
            (
                'standard input: game = "num_bluf" is not a game; expected one of "num_bluff", "perudo". Did you '
                'mean "num_bluff"?'
            ),
        ),
        (
            "bluffer 9; rouge-7 + vert-3; bleu-4 + bleu-5; jaune-3 + jaune-4",
            'standard input: line 1: bluffer 9 is no seat of this table; expected "bluffer 1" to "bluffer 3".',
        ),
        (
            "\nrouge-7 + vert-33\nbleu-4; jaune-3; bluffer 1",
            (
                'standard input: line 2, seat 1, hidden: "vert-33" is no card of the deck; expected vert-0 to '
                'vert-16. Did you mean "vert-16"?'
            ),
        ),
        (
            "rouge-7; bleu-4; jaune-3",
            'standard input: line 1: no seat is said to be the bluffer; expected "bluffer 1" to "bluffer 3".',
        ),
        (
            "bluffer 1; rouge-7; bleu-4",
            (
                "standard input: line 1: this round has the seats 1, 2; expected 3 to 6 seats, numbered from 1 "
                "without a gap."
            ),
        ),
        (
            "seat 1: rouge-7; seat 1: rouge-8",
            (
                "standard input: line 1: seat 1 is there already; expected each seat once; a blank line begins "
                "the next round."
            ),
        ),
        (
            "bluffer 1; bluffer 2",
            (
                "standard input: line 1: this round has a second bluffer; expected each once; a blank line "
                "begins the next round."
            ),
        ),
        (
            "rules: both",
            'standard input: line 1: "both" is no ruling; expected name = answer, such as wild_adjusts = both.',
        ),
        (
            "hello",
            (
                'standard input: line 1: "hello" is no statement; expected one of: bluffer 1; a seat such as '
                "rouge-7 + vert-3; pot: jaune-3, bleu-2; "
                "rules: wild_adjusts = both; round NAME."
            ),
        ),
    ],
)
def test_resolve__refused_text(text: str, message: str) -> None:
    assert message_of(text) == message


def test_resolve__refusals_end_with_2() -> None:
    assert refusal("--json", stdin=ROUNDS % json.dumps({**TABLE, "bluffer": 3})) == (
        'standard input: rounds[0] ("a"): bluffer = 3 is no seat of this table; expected a seat from 0 to 2.'
    )
    assert refusal(stdin="bluffer 1; bluffer 2").startswith("standard input: line 1: this round has a second bluffer;")


def test_resolve__refused_files(tmp_path: Path) -> None:
    assert (
        refusal("gone.json", cwd=tmp_path) == "gone.json: there is no such file; expected rounds as JSON or plain text."
    )
    assert refusal(".", cwd=tmp_path) == ".: this is a folder; expected a file of rounds as JSON or plain text."
    assert refusal(stdin=b"\xff\xfe") == "standard input: not UTF-8: byte 0xff at position 0; expected a text file."
    assert list(tmp_path.iterdir()) == []
