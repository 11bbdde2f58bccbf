"""Every kind of page that the program makes, small: by name, the files of one in a language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from click.testing import CliRunner

from numbluff_sim.analysis.report.making import make_report
from numbluff_sim.analysis.report.page import INDEX, render
from numbluff_sim.analysis.studies.question.targets import Target
from numbluff_sim.analysis.studies.sweep.page import sweep_page
from numbluff_sim.cli.main import main
from numbluff_sim.config import load
from tests.games.num_bluff.made_up_runs import made_up_run, made_up_tally
from tests.games.perudo.made_up_runs import reference_run
from tests.studies.sweep.test_page import FRAPPE, POT, swept

OUT = Path("results/report")
TUNED = """base = "documented"
[tune]
trials = 8
games = 20000
confirm_games = 40000
[axes]
"rules.wild_adjusts" = ["hidden", "both", "none"]
"deck.rainbow.reach" = { low = 2, high = 4 }
[targets]
frappe_parfaite_per_round = { low = 0.015, high = 0.021 }
"""


def num_bluff_runs() -> list[Any]:
    """Two ways of playing with 3 to 6 players, and a run of other rulings."""
    runs = [
        made_up_run(
            preset,
            players,
            2000,
            pot=0.0 if players == 3 else 9.0,
            fuse=fuse,
            lie=2 * fuse,
            recycles=float(players == 6),
        )
        for preset, fuse in (("documented", 0.0), ("plays_to_win", 0.2))
        for players in (3, 4, 5, 6)
    ]
    rulings = {"rules.master_bonus": False, "rules.wild_adjusts": "both"}
    return [*runs, made_up_run("plays_to_win", 4, 2000, rulings, fuse=0.2, lie=0.4)]


def perudo_runs() -> list[Any]:
    """Games of 2 to 6 players."""
    return [
        *(reference_run("documented", players, 150) for players in (2, 3, 6)),
        reference_run("random", 4, 150, rules__palifico_two_players=False),
    ]


def mixed_runs() -> list[Any]:
    """A table whose seats play differently, beside one whose seats all play the same."""
    seats = {"play.seats": ["nearest", "nearest", "nearest", "exact_hunter"]}
    return [made_up_run("documented", 4, 2000, seats, strong_seat=3), made_up_run("documented", 4, 2000)]


#: Names that a page, a picture, a file or a spreadsheet could stumble over.
NAMES = (
    "強気なプレイヤー",
    "😀 joker",
    "a_very_long_name_of_a_way_of_playing_that_goes_on_" * 3,
    "<img src=x onerror=alert(1)>",
    '"q" & <b>b</b> $x^2$ $',
    "</script><script>alert(2)</script>",
)


def named_file(folder: Path, names: Sequence[str] = NAMES) -> Path:
    """A configuration whose seats are played by personas of these names."""
    quoted = ['"' + name.replace('"', '\\"') + '"' for name in names]
    personas = "".join(f'[personas.{name}]\nbase = "nearest"\n' for name in dict.fromkeys(quoted))
    table = f"[table]\nplayers = {len(names)}\n[play]\nseats = [{', '.join(quoted)}]\n"
    (folder / "names.toml").write_text(f'base = "documented"\n{personas}{table}', encoding="utf-8")
    return folder / "names.toml"


def named_run(folder: Path, names: Sequence[str] = NAMES) -> Any:
    """A made-up run of such a configuration."""
    config = load(named_file(folder, names))
    return SimpleNamespace(config=config, tally=made_up_tally(len(names), 2000), meta={})


def _command(*words: str) -> Callable[[Path, str], bytes]:
    def made(folder: Path, language: str) -> bytes:
        given = [str(folder / "asked.toml") if word == "FILE" else word for word in words]
        (folder / "asked.toml").write_text(TUNED, encoding="utf-8")
        done = CliRunner().invoke(main, [*given, "--lang", language, "--threads", "2", "--out", str(folder / "out")])
        assert done.exit_code == 0, done.output
        return (folder / "out" / INDEX).read_bytes()

    return made


def _report(runs: Callable[[], list[Any]]) -> Callable[[Path, str], bytes]:
    return lambda folder, language: make_report(runs(), language, OUT).rendered.files[INDEX]


def _sweep(design: str) -> Callable[[Path, str], bytes]:
    targets = {FRAPPE: Target(low=0.0115, high=0.0125), POT: Target(low=27.5, high=28.5)}
    return lambda folder, language: render(
        sweep_page(swept(folder, design, {} if design == "sobol" else targets), language, "numbluff sweep x.toml")
    ).files[INDEX]


SETTINGS = (
    "deck.rouge.values=[0,14];rules.master_bonus=false",
    "rules.wild_adjusts=both;rules.refill_after_fusion=true;table.hand_size=4;rules.spared_bluffer_card=discard",
    "table.hand_size=4",
)
CALIBRATED = (
    *("--personas", "documented,sacrificer", "--rulings", "wild_adjusts,bluffer_wild,master_bonus"),
    *("--games", "200000", "--screen-games", "4096"),
)
PAGES: dict[str, Callable[[Path, str], bytes]] = {
    "report": _report(num_bluff_runs),
    "perudo": _report(perudo_runs),
    "mixed": _report(mixed_runs),
    "mixed_perudo": _report(
        lambda: [reference_run("documented", 3, 150, play__seats=("random", "threshold", "random"))]
    ),
    "names": lambda folder, language: make_report([named_run(folder)], language, OUT).rendered.files[INDEX],
    "compare": _command("compare", "documented", "--games", "3200", *(w for one in SETTINGS for w in ("--set", one))),
    "rulings": _command("rulings", "plays_to_win", "--games", "1600"),
    "knockout": _command("knockout", "threshold", "--game", "perudo", "--games", "1600"),
    "grid": _sweep("grid"),
    "one_at_a_time": _sweep("one_at_a_time"),
    "sobol": _sweep("sobol"),
    "tune": _command("tune", "FILE"),
    "calibrate": _command("calibrate", *CALIBRATED),
}
