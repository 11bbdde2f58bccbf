"""Tables whose seats play differently: what each way of playing gets, no word on a seat's worth, who sits where."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from numbluff_sim.analysis.num_bluff.findings import OF_CHOICES, find, tell
from numbluff_sim.analysis.num_bluff.metrics import METRICS
from numbluff_sim.analysis.num_bluff.run_labels import measure
from numbluff_sim.analysis.num_bluff.sections import report_page
from numbluff_sim.analysis.report.figures import seat_name
from numbluff_sim.analysis.report.measured_runs import Study
from numbluff_sim.analysis.report.model import Page, Paragraph, Picture, Table
from numbluff_sim.analysis.studies.check.baselines import load_baseline
from numbluff_sim.config import load
from numbluff_sim.contract.registry import game
from numbluff_sim.i18n import LANGUAGES, balance_catalogue
from numbluff_sim.kernels.common.jit import COMPILED

needs_speed = pytest.mark.skipif(not COMPILED, reason="plays twenty thousand games")
ALPHA, GAMES = 0.05, 20_480
SEATS = ["nearest", "nearest", "nearest", "pot_hunter"]
HUNTER = {
    "base": "nearest",
    "may_fuse": True,
    "weights": {"gap": -1.6, "frappe": 8.0, "miroir": 100.0, "hit_natural": 4.0, "is_fusion": -3.0},
    "lies": {"total": 0.3, "family": 0.1, "size": 4},
}


def table(folder: Path, seats: list[str], **personas: object) -> Any:
    lines = [f"play.seats = {seats}".replace("'", '"'), f"run.games = {GAMES}", "run.seed = 4", "run.detail_every = 1"]
    for name, keys in personas.items():
        assert isinstance(keys, dict)
        lines += [f"personas.{name}.{key} = {_toml(value)}" for key, value in keys.items()]
    path = folder / "table.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return load(path)


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + " }"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value).replace("'", '"')


@cache
def mixed(folder: Path) -> tuple[SimpleNamespace, np.ndarray]:
    """A run with three of one persona and one of another, and final scores (games, seats) from its rows."""
    config = table(folder, SEATS, pot_hunter=HUNTER)
    engine = game("num_bluff").engine(config)
    tally = engine.new_tally()
    rows = engine.play(0, GAMES, tally, rows="games")["games"]
    scores = np.stack([rows[f"score_{p}"] for p in range(4)], axis=1).astype(float)
    return SimpleNamespace(config=config, tally=tally, meta={}), scores


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mixed")


@needs_speed
def test_personas__win_share_and_points_are_those_of_the_rows(folder: Path) -> None:
    run, scores = mixed(folder)
    best = scores == scores.max(axis=1, keepdims=True)
    wins = best / best.sum(axis=1, keepdims=True)
    estimates = METRICS.estimates(run, ALPHA)
    z = stats.norm.isf(ALPHA / 2 / 2)  # two ways of playing, held together
    for name, seats in (("nearest", [0, 1, 2]), ("pot_hunter", [3])):
        for what, each in (("win_share", wins), ("points", scores)):
            per_game, told = each[:, seats].mean(axis=1), estimates[f"persona_{name}_{what}"]
            assert told.value == pytest.approx(per_game.mean(), rel=1e-9)
            half = z * per_game.std(ddof=1) / np.sqrt(GAMES)
            assert (told.high - told.low) / 2 == pytest.approx(half, rel=0.01)
            assert (told.n, told.denominator, told.games) == (GAMES, "games", GAMES)
    assert estimates["persona_pot_hunter_win_share"].low > 0.27
    assert [name for name in METRICS.headline(run.config) if name.startswith("persona_")] == [
        f"persona_{name}_{what}" for what in ("win_share", "points") for name in ("nearest", "pot_hunter")
    ]


def told(run: SimpleNamespace, language: str) -> tuple[Study, list[Any]]:
    runs = measure([run], ALPHA, language)
    study = Study(balance_catalogue("numbluff_sim.games.num_bluff:report", language), ALPHA, runs)
    return study, [tell(study, finding) for finding in find(runs)]


@needs_speed
@pytest.mark.parametrize("language", LANGUAGES)
def test_findings__say_nothing_of_what_a_seat_is_worth(folder: Path, language: str) -> None:
    study, findings = told(mixed(folder)[0], language)
    names = [finding.name for finding in findings]
    assert "persona_ahead" in names
    assert not {"seat_unfair", "seats_are_even"} & set(names)
    assert not {finding.record["metric"] for finding in findings} & set(OF_CHOICES)
    (one,) = study.runs
    for seat in range(4):
        name = seat_name(study, one, seat)
        assert [text for text in (f"{f.title} {f.text}" for f in findings) if name in text] == []
    ahead = findings[names.index("persona_ahead")]
    share = study.plain(one.estimates["persona_pot_hunter_win_share"])
    assert {"en": f"a player of pot_hunter wins {share}", "fr": f"un joueur de pot_hunter gagne {share}"}[
        language
    ] in ahead.text


@needs_speed
def test_metrics__no_seats_are_compared(folder: Path) -> None:
    run, _ = mixed(folder)
    known = METRICS.known(run.config)
    assert [name for name in known if name.endswith("_gap") and name.startswith("seat")] == []
    assert [name for name in known if "left_of" in name or "left_minus" in name] == []
    assert METRICS.tests(run) == {}
    assert "seat_0_win_share" in known  # what each got is told all the same


def blocks(page: Page, kind: type) -> list[str]:
    return [block.name for section in page.sections for block in section.blocks if isinstance(block, kind)]


@needs_speed
@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Who sits where: nearest in seats 1, 2 and 3; pot_hunter in seat 4"),
        ("fr", "À la table : nearest aux places 1, 2 et 3 ; pot_hunter à la place 4"),
    ],
)
def test_page__tells_ways_of_playing_in_the_place_of_seats(folder: Path, language: str, line: str) -> None:
    page = report_page([mixed(folder)[0]], language, folder)
    assert line in [fact.replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ") for fact in page.facts]
    assert "persona_wins" in blocks(page, Picture)
    assert "seat_wins" not in blocks(page, Picture)
    assert "table_personas" in blocks(page, Table)
    seats = next(section for section in page.sections if section.name == "seats")
    catalogue = balance_catalogue("numbluff_sim.games.num_bluff:report", language)
    assert seats.question == catalogue.text("sections.seats_mixed.question")
    assert page.claims.answer == catalogue.text("claims.answer_none")
    (elsewhere,) = page.claims.blocks
    assert isinstance(elsewhere, Paragraph)
    claims = len(load_baseline()[0].claims)
    assert elsewhere.text == catalogue.text("claims.unmeasured_all", count=claims)


@needs_speed
def test_page__of_runs_of_both_kinds_compares_seats_of_the_even_one_alone(folder: Path) -> None:
    even = load(overrides={"run.games": 2048, "run.seed": 4})
    engine = game("num_bluff").engine(even)
    tally = engine.new_tally()
    engine.play(0, 2048, tally)
    page = report_page([SimpleNamespace(config=even, tally=tally, meta={}), mixed(folder)[0]], "en", folder)
    pictures = {b.name: b for section in page.sections for b in section.blocks if isinstance(b, Picture)}
    assert {record["run"] for record in pictures["seat_wins"].records} == {"documented"}
    assert {record["run"] for record in pictures["persona_wins"].records} == {"3 nearest + 1 pot_hunter"}
    line = next(fact for fact in page.facts if fact.startswith("Who sits where"))
    assert "documented in all seats; 3 nearest + 1 pot_hunter, 4 players: nearest in seats 1, 2 and 3" in line


def test_seating__two_names_for_one_way_of_playing_are_not_mixed(tmp_path: Path) -> None:
    twin = table(tmp_path, ["nearest", "twin", "nearest", "twin"], twin={"base": "nearest"})
    assert dict(twin.seating) == {"nearest": (0, 2), "twin": (1, 3)}
    assert twin.mixed_seating == {}
    assert "seat_win_share_gap" in METRICS.known(twin)
    assert dict(table(tmp_path, SEATS, pot_hunter=HUNTER).mixed_seating) == {"nearest": (0, 1, 2), "pot_hunter": (3,)}


@pytest.mark.parametrize("order", [["random", "random", "nearest"], ["nearest", "random", "random"]])
def test_label__tells_personas_in_the_order_of_the_seats(tmp_path: Path, order: list[str]) -> None:
    config = load(overrides={"table.players": 3, "play.seats": order})
    run = SimpleNamespace(config=config, tally=game("num_bluff").engine(config).new_tally(), meta={})
    label = measure([run], ALPHA)[0].label
    assert label == ("2 random + 1 nearest" if order[0] == "random" else "1 nearest + 2 random")
