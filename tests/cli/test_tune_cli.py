"""`numbluff tune`: finds a change, writes it so that `check` confirms it, says what is in the way. Every run has one
fixed seed.
"""

from __future__ import annotations

import csv
import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.studies.question.axes import Axis
from numbluff_sim.studies.tune.search import Proposals, Search
from tests.common.held import ended, held

pytestmark = pytest.mark.usefixtures("undrawn")
needs_speed = pytest.mark.skipif(not COMPILED, reason="plays as many games as a user would")

#: One change is enough: with visible cards adjusting too, documented play makes 1.9 % Frappes.
ONE = """base = "documented"
[tune]
trials = 20
games = 100000
confirm_games = 400000
[axes]
"rules.wild_adjusts" = ["hidden", "both", "none"]
"deck.rainbow.reach" = { low = 2, high = 4 }
[targets]
frappe_parfaite_per_round = { low = 0.0184, high = 0.0198 }
miroir_parfait_per_round = { low = 0.0004, high = 0.0008 }
"""
#: Too large for all pairs: the proposals come from Optuna.
MANY = """base = "documented"
[tune]
trials = 40
games = 20000
confirm_games = 400000
[axes]
"deck.rainbow.reach" = { low = 0, high = 10 }
"deck.shadow.reach" = { low = 0, high = 10 }
"table.hand_size" = { low = 1, high = 6 }
[targets]
frappe_parfaite_per_round = { low = 0.022, high = 0.024 }
"""
#: No reach makes every tenth round a Frappe.
NEVER = """base = "documented"
[tune]
trials = 10
games = 20000
[axes]
"deck.rainbow.reach" = { low = 1, high = 4 }
[targets]
frappe_parfaite_per_round = { low = 0.1 }
"""


def asked(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "question.toml"
    path.write_text(text, encoding="utf-8")
    return path


@needs_speed
def test_tune__a_single_change_meets_the_targets_and_check_confirms_it(
    numbluff: Callable[..., Any], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = numbluff("tune", asked(tmp_path, ONE), "--out", out, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["met"]
    assert found["winner"]["changed"] == {"rules.wild_adjusts": "both"}
    assert found["winner"]["seed"] != found["seed"]
    assert found["trials"] == 1 + 4
    assert found["all_tried_up_to_changes"] == 1
    checked = numbluff("check", "--config", out / "tuned.toml", "--baseline", out / "targets.toml", "--seed", 7)
    assert checked.code == 0, checked.out
    assert "All 2 verdicts are as the baseline expects" in checked.out
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "only hidden cards adjust → visible cards adjust too (rules.wild_adjusts)" in page


@needs_speed
def test_tune__a_base_that_meets_the_targets_needs_no_change(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    text = ONE.replace("low = 0.0184, high = 0.0198", "low = 0.014, high = 0.018")
    done = numbluff("tune", asked(tmp_path, text), "--out", tmp_path / "out", "--json")
    found = json.loads(done.out)
    assert done.code == 0
    assert (found["winner"]["changed"], found["trials"]) == ({}, 1)
    assert (
        numbluff(
            "check",
            "--config",
            tmp_path / "out" / "tuned.toml",
            "--baseline",
            tmp_path / "out" / "targets.toml",
            "--seed",
            7,
        ).code
        == 0
    )


@needs_speed
def test_tune__proposals_find_a_change_of_a_file_that_stands_on_a_file(
    numbluff: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "base.toml").write_text('base = "documented"\n[rules]\nlast_tie = "random"\n', encoding="utf-8")
    question = asked(tmp_path, MANY.replace('base = "documented"', 'base = "base.toml"'))
    out = tmp_path / "a" / "out"
    done = numbluff("tune", question, "--out", out, "--json")
    found = json.loads(done.out)
    assert done.code == 0, done.err
    assert found["trials"] == 40
    assert 'base = "../../base.toml"' in (out / "tuned.toml").read_text(encoding="utf-8")
    assert numbluff("check", "--config", out / "tuned.toml", "--baseline", out / "targets.toml", "--seed", 7).code == 0


@needs_speed
@pytest.mark.thorough
def test_tune__killed_and_continued_gives_the_same_bytes(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    question = asked(tmp_path, MANY)
    assert numbluff("tune", question, "--out", tmp_path / "whole", "--threads", 2).code == 0
    out = tmp_path / "killed"
    command = ("tune", question, "--out", out, "--threads", "1")
    assert ended(held(*command, games=70_000), signal.SIGKILL)[0] == -signal.SIGKILL
    code, _, err = ended(held(*command, games=200_000), signal.SIGTERM)
    assert code == 130
    assert "the same command continues" in err
    assert numbluff("tune", question, "--out", out).code == 0
    for name in ("tuned.json", "trials.csv", "tuned.toml", "targets.toml"):
        assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


@needs_speed
def test_tune__what_cannot_be_met_ends_with_3_and_says_what_is_in_the_way(
    numbluff: Callable[..., Any], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = numbluff("tune", asked(tmp_path, NEVER), "--out", out)
    assert done.code == 3
    assert "The targets are not met; in the way: Frappe Parfaite, share of rounds" in done.out
    said = " ".join(done.out.split())
    assert "At the end of what is allowed: deck.rainbow.reach = 4" in said
    assert "Every combination was tried" in said
    assert not (out / "tuned.toml").exists()
    found = json.loads((out / "tuned.json").read_text(encoding="utf-8"))
    assert found["blocking"] == ["frappe_parfaite_per_round"]
    assert found["bounds_hit"] == [{"key": "deck.rainbow.reach", "value": 4}]
    rows = list(csv.DictReader((out / "trials.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 4
    assert {row["status"] for row in rows} == {"missed"}


@needs_speed
def test_tune__what_is_nearly_met_is_undecided_and_not_said_to_be_out_of_the_way(
    numbluff: Callable[..., Any], tmp_path: Path
) -> None:
    few = NEVER.replace("games = 20000", "games = 2000")
    assert numbluff("tune", asked(tmp_path, few), "--out", tmp_path / "far").code == 3
    far = json.loads((tmp_path / "far" / "tuned.json").read_text(encoding="utf-8"))
    nearest = far["nearest"]["targets"][0]["measured"]["value"]
    near = asked(tmp_path, few.replace("low = 0.1 }", f"low = {1.002 * nearest:.6f} }}"))
    done = numbluff("tune", near, "--out", tmp_path / "near")
    said = " ".join(done.out.split())
    assert done.code == 3
    assert "Whether the nearest trial meets the targets is undecided: Frappe Parfaite, share of rounds" in said
    assert re.search(r"About [0-9,]+ games of the nearest trial would decide\.", said)
    page = (tmp_path / "near" / "index.html").read_text(encoding="utf-8")
    assert "Undecided; nearest comes: " in page


@needs_speed
def test_tune__a_changed_file_is_refused_and_more_trials_are_not(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert numbluff("tune", asked(tmp_path, NEVER), "--out", out, "--lang", "fr").code == 3
    changed = asked(tmp_path, NEVER.replace("high = 4", "high = 5").replace("low = 0.1", "low = 0.2"))
    done = numbluff("tune", changed, "--out", out)
    assert done.code == 2
    assert (
        "axes.deck.rainbow.reach was { low = 1, high = 4, step = 1 } and is now { low = 1, high = 5, step = 1 }"
        in done.err
    )
    assert "targets.frappe_parfaite_per_round" in done.err
    assert numbluff("tune", changed, "--out", out, "--replace").code == 3
    assert numbluff("tune", changed, "--out", out, "--trials", 12).code == 3


@needs_speed
@pytest.mark.thorough
def test_tune__fewer_trials_never_take_an_answer_away(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    out, question = tmp_path / "out", asked(tmp_path, MANY)
    assert numbluff("tune", question, "--out", out).code == 0
    before = {name: (out / name).read_bytes() for name in ("tuned.toml", "targets.toml", "tuned.json", "trials.csv")}
    assert numbluff("tune", question, "--out", out, "--trials", 3).code == 0
    assert {name: (out / name).read_bytes() for name in before} == before
    assert numbluff("tune", question, "--out", out, "--trials", 3, "--replace").code == 3
    assert not (out / "tuned.toml").exists()


@needs_speed
def test_tune__more_trials_keep_a_confirmed_change(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    """With other trials than before the change that was confirmed is still a candidate, although nothing proposes
    it.
    """
    out, question = tmp_path / "out", asked(tmp_path, MANY)
    assert numbluff("tune", question, "--out", out, "--trials", 3).code == 3
    tune = json.loads((out / "tune.json").read_text(encoding="utf-8"))
    assert tune["known"] == {"trials": 3, "winner": None}
    places = {"deck.rainbow.reach": 6, "deck.shadow.reach": 1, "table.hand_size": 2}
    (out / "tune.json").write_text(json.dumps({**tune, "known": {"trials": 3, "winner": places}}), encoding="utf-8")
    assert numbluff("tune", question, "--out", out, "--trials", 4).code in (0, 3)
    last = list(csv.DictReader((out / "trials.csv").read_text(encoding="utf-8").splitlines()))[-1]
    assert {key: last[key] for key in places} == {
        "deck.rainbow.reach": "6",
        "deck.shadow.reach": "1",
        "table.hand_size": "3",
    }
    assert json.loads((out / "tune.json").read_text(encoding="utf-8"))["known"] == {"trials": 4, "winner": places}


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("frappe_parfaite_per_round = {", "frape_parfaite_per_round = {", 'Did you mean "frappe_parfaite_per_round"'),
        ('"deck.rainbow.reach"', '"deck.rainbw.reach"', 'Did you mean "rainbow"'),
        ("low = 2, high = 4", "low = 4, high = 2", "no value lies between"),
        ("trials = 20", "trials = 0", "tune.trials"),
        ("trials = 20", "tirals = 20", 'Did you mean "trials"'),
        ("low = 0.0184, high = 0.0198", "low = 0.02, high = 0.01", "no interval fits"),
        ('base = "documented"', 'base = "documentd"', 'Did you mean "documented"'),
    ],
)
def test_tune__refuses_what_is_wrong_and_writes_nothing(
    numbluff: Callable[..., Any], tmp_path: Path, before: str, after: str, words: str
) -> None:
    assert before in ONE
    done = numbluff("tune", asked(tmp_path, ONE.replace(before, after)), "--out", tmp_path / "out")
    assert done.code == 2
    assert words in done.err
    assert not (tmp_path / "out").exists()


def test_tune__needs_targets(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    done = numbluff("tune", asked(tmp_path, ONE[: ONE.index("[targets]")]), "--out", tmp_path / "out")
    assert done.code == 2
    assert "there are no targets" in done.err


@needs_speed
def test_tune__a_folder_of_something_else_is_refused(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "diary.txt").write_text("mine", encoding="utf-8")
    done = numbluff("tune", asked(tmp_path, NEVER), "--out", tmp_path / "out")
    assert done.code == 2
    assert "not a search (diary.txt)" in done.err


WHOLE = Axis("w", "whole", low=0, high=3)
CHOICE = Axis("c", "choice", choices=("a", "b", "c"))
DECIMAL = Axis("d", "decimal", low=0.0, high=1.0)
BASE = {"w": 1, "c": "a", "d": 0.5}


def test_search__levels_hold_every_combination_once() -> None:
    search = Search((WHOLE, CHOICE), {"w": 1, "c": "a"}, 1)
    found = [search.values(places) for changes in range(3) for places in search.level(changes)]
    assert len({json.dumps(values) for values in found}) == len(found) == 4 * 3
    assert [search.level_size(changes) for changes in range(3)] == [1, 3 + 2, 3 * 2]
    assert search.countable


def test_search__a_base_outside_the_axis_leaves_all_its_values() -> None:
    search = Search((WHOLE, CHOICE), {"w": 9, "c": None}, 1)
    assert search.level_size(1) == len(list(search.level(1))) == 4 + 3


def test_search__spread_takes_both_ends_of_a_long_axis() -> None:
    search = Search((Axis("w", "whole", low=0, high=1000), DECIMAL), {"w": 1, "d": 0.5}, 1)
    found = [places["w"] for places in search.spread(8) if "w" in places]
    assert (found[0], found[-1], len(found)) == (0, 1000, 4)
    assert not search.countable


def test_proposals__follow_from_the_seed_and_the_trials_before() -> None:
    search = Search((WHOLE, CHOICE, DECIMAL), BASE, 1)

    def told(count: int) -> Proposals:
        proposals = Proposals(search)
        for number in range(count):
            places = proposals.ask(number)
            proposals.tell(places, abs(float(search.values(places)["d"]) - 0.8) + 0.1 * len(places))
        return proposals

    first, again = told(25), told(25)
    assert [first.ask(n) for n in (25, 26)] == [again.ask(n) for n in (25, 26)]
    other = Proposals(Search((WHOLE, CHOICE, DECIMAL), BASE, 2))
    assert [other.ask(n) for n in range(5)] != [told(0).ask(n) for n in range(5)]


#: A range that values meet by chance, too narrow for any interval to lie inside.
NARROW = """base = "documented"
[tune]
trials = 12
games = 20000
confirm_games = 20000
[axes]
"deck.rainbow.reach" = { low = 0, high = 20 }
"deck.shadow.reach" = { low = 0, high = 16 }
[targets]
frappe_parfaite_per_round = { low = 0.0150, high = 0.0165 }
"""


@needs_speed
def test_tune__what_fresh_games_do_not_confirm_is_not_written(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    text = NARROW.replace("low = 0.0150, high = 0.0165", "low = 0.0155, high = 0.0160")
    done = numbluff(
        "tune",
        asked(tmp_path, text.replace("games = 20000\nconfirm", "games = 200000\nconfirm")),
        "--out",
        tmp_path / "out",
        "--json",
    )
    found = json.loads(done.out)
    assert done.code == 3
    assert found["confirmations"]
    assert {one["status"] for one in found["confirmations"]} <= {"open", "missed"}
    assert found["blocking"] == ["frappe_parfaite_per_round"]
    assert not (tmp_path / "out" / "tuned.toml").exists()


@needs_speed
def test_tune__long_axes_are_sampled_and_then_proposed(numbluff: Callable[..., Any], tmp_path: Path) -> None:
    text = NARROW.replace("low = 0.0150, high = 0.0165", "low = 0.5")
    found = json.loads(numbluff("tune", asked(tmp_path, text), "--out", tmp_path / "out", "--json").out)
    assert (found["trials"], found["all_tried_up_to_changes"]) == (12, 0)
    rows = list(csv.DictReader((tmp_path / "out" / "trials.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["changes"] for row in rows[:4]] == ["0", "1", "1", "1"]
    assert {"0", "20"} <= {row["deck.rainbow.reach"] for row in rows[:4]}


@needs_speed
def test_tune__combinations_that_no_configuration_can_have_are_told(
    numbluff: Callable[..., Any], tmp_path: Path
) -> None:
    axes = "".join(
        f'"deck.{family}.copies" = [1, 5]\n' for family in ("rouge", "vert", "bleu")
    )  # together 306 cards, and 250 fit
    text = f"[tune]\ntrials = 20\ngames = 6400\n[axes]\n{axes}[targets]\nfrappe_parfaite_per_round = {{ low = 0.5 }}\n"
    done = numbluff("tune", asked(tmp_path, text), "--out", tmp_path / "out", "--json")
    found = json.loads(done.out)
    assert (done.code, found["trials"], found["refused"], found["all_tried_up_to_changes"]) == (3, 7, 1, 3)
    assert "Refused by the configuration: 1" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
