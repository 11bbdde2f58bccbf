"""Sentences of the report say what their numbers carry: each against the run that it is said of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from numbluff_sim.analysis.num_bluff.findings import LIMITS, find, tell
from numbluff_sim.analysis.num_bluff.metrics import METRICS
from numbluff_sim.analysis.num_bluff.run_labels import measure
from numbluff_sim.analysis.num_bluff.sections import report_page
from numbluff_sim.analysis.report.figures import SEAT_TEST
from numbluff_sim.analysis.report.findings import ABOVE, FAMILY_ALPHA, Limit
from numbluff_sim.analysis.report.measured_runs import LabelledRun, Study
from numbluff_sim.analysis.report.model import FindingText, Paragraph, Table
from numbluff_sim.analysis.statistics.estimates import SHARE_DIFFERENCE, TestResult
from numbluff_sim.analysis.studies.check.baselines import load_baseline
from numbluff_sim.config import load
from numbluff_sim.i18n import LANGUAGES, balance_catalogue
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.run.playing import simulate_tally
from tests.games.num_bluff.made_up_runs import RATES, made_up_run

needs_speed = pytest.mark.skipif(not COMPILED, reason="plays thousands of games")
DOMAIN, ALPHA = "numbluff_sim.games.num_bluff:report", 0.05


def told(runs: list[LabelledRun], language: str = "en") -> tuple[Study, dict[str, FindingText]]:
    study = Study(balance_catalogue(DOMAIN, language), ALPHA, runs)
    return study, {finding.limit.finding: tell(study, finding) for finding in find(runs)}


def played(preset: str, **overrides: Any) -> SimpleNamespace:
    keys = {key.replace("__", "."): value for key, value in overrides.items()}
    config = load(preset=preset, overrides={"run.games": 4096, "run.detail_every": 1, "run.seed": 5, **keys})
    return SimpleNamespace(config=config, tally=simulate_tally(config), meta={})


#: A deck that lasts without refills after fusions, and runs out with them.
REFILLED = {"table__players": 5, "rules__refill_after_fusion": True}


@needs_speed
@pytest.mark.parametrize("language", LANGUAGES)
def test_deck__runs_out_for_what_is_drawn_beyond_hands_and_visible_cards(language: str) -> None:
    study, texts = told(measure([played("hoarder", **REFILLED)], ALPHA, language), language)
    (one,) = study.runs
    text = texts["deck_runs_out"].text
    for metric in ("refills_per_game", "options_per_game", "recycles_per_game"):
        assert study.plain(one.estimates[metric]) in text
    assert {"en": "take 90 cards for 15 rounds", "fr": "demandent 90 cartes pour 15 rounds"}[language] in text
    drawn = 90 + one.estimates["refills_per_game"].value + one.estimates["options_per_game"].value
    assert drawn > 102 > 90  # the deck's cards: hands and visible ones alone would not use it up


def test_deck__nothing_is_said_to_be_drawn_beyond_where_nothing_is() -> None:
    _, texts = told(measure([made_up_run(players=6, games=2000, recycles=1.0)], ALPHA))
    assert texts["deck_runs_out"].text.startswith("Hands and visible cards take 126 cards for 18 rounds. The deck has")
    assert [number["name"] for number in texts["deck_runs_out"].record["numbers"]] == ["recycles_per_game"]


@needs_speed
@pytest.mark.parametrize("language", LANGUAGES)
def test_hands__that_are_refilled_are_not_said_to_shrink(language: str) -> None:
    study, texts = told(measure([played("hoarder", **REFILLED)], ALPHA, language), language)
    (one,) = study.runs
    assert one.estimates["hand_mean_round_15"].low > 3
    assert "hand_shrinks" not in texts
    text = texts["hand_unexplained"].text
    assert "refill_after_fusion" in text
    assert not any(word in text + texts["hand_unexplained"].title for word in ("for good", "pour de bon", "shrink"))


@needs_speed
def test_hands__that_are_not_refilled_do_shrink_and_no_second_finding_says_so() -> None:
    study, texts = told(measure([played("hoarder", table__players=5)], ALPHA))
    assert "hand_unexplained" not in texts
    assert "no rule gives it back" in texts["hand_shrinks"].text
    assert study.plain(study.runs[0].estimates["hand_mean_round_15"]) in texts["hand_shrinks"].text


def test_findings__trip_at_a_level_that_holds_for_all_limits_and_runs_together() -> None:
    (one,) = measure([made_up_run(games=5000)], ALPHA)
    single, all_together = one.estimates["pot_unclaimed_share"], one.at(FAMILY_ALPHA / len(LIMITS))
    strict = all_together.estimates["pot_unclaimed_share"]
    between = Limit("pot_unclaimed", "pot_unclaimed_share", ABOVE, (single.low + strict.low) / 2, 3)
    rest = [limit for limit in LIMITS if limit.finding != "pot_unclaimed"]
    padding = [Limit("pot_unclaimed", "pot_unclaimed_share", ABOVE, 2.0, 3)] * (len(LIMITS) - len(rest) - 1)
    assert [finding.limit for finding in find([one], [between])] == [between]
    assert between not in [finding.limit for finding in find([one], [between, *padding, *rest])]
    assert between not in [finding.limit for finding in find([one] * len(LIMITS), [between])]
    (finding,) = find([one], [between])
    assert finding.runs[0][1] == single  # what is shown has the page's level


@pytest.mark.parametrize(
    ("language", "level", "not_said"), [("en", "5%", "chance alone"), ("fr", "5\u202f%", "hasard seul")]
)
def test_findings__lead_names_the_chance_of_any_wrong_one(language: str, level: str, not_said: str) -> None:
    lead = balance_catalogue(DOMAIN, language).text("page.findings_lead")
    assert level.replace("\u202f", " ") in lead.replace("\u202f", " ").replace("\N{NO-BREAK SPACE}", " ")
    assert FAMILY_ALPHA == 0.05
    assert not_said not in lead


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ((4,), "where the rulebook speaks of about 1.6%."),
        ((6,), "the rulebook's about 1.6% are for 4 players, who do not play here."),
        ((4, 6), "with 4 players, for whom the rulebook speaks of about 1.6%, it is 7."),
    ],
)
def test_frappe__the_rulebooks_rate_stands_beside_that_of_as_many_players(players: tuple[int, ...], said: str) -> None:
    runs = [made_up_run(players=p, games=20_000, rates=(0.0006, 0.02 * p, *RATES[2:])) for p in players]
    _, texts = told(measure(runs, ALPHA))
    assert said in texts["frappe_too_common"].text


@pytest.mark.parametrize(
    ("p_value", "said"),
    [
        (1e-9, "All the same the seats differ (χ²(3) = 41.0, p < 0.0001)."),
        (0.4, "A test that all seats win equally often finds no difference (χ²(3) = 41.0, p = 0.4000)."),
    ],
)
def test_seats__within_a_limit_and_what_the_test_says(p_value: float, said: str) -> None:
    (one,) = measure([made_up_run(games=400_000, detail=100)], ALPHA)
    test = TestResult(SEAT_TEST, "all seats win equally often", 41.0, 3, p_value, 400_000, "Wald")
    _, texts = told([replace(one, tests={**one.tests, SEAT_TEST: test})])
    even = texts["seats_are_even"]
    assert even.title == "No seat wins more than 2% above its fair share"
    assert even.text.endswith(said)
    looked_at = replace(one, run=SimpleNamespace(config=one.run.config, tally=one.run.tally, meta={"looks": [1, 2]}))
    assert "χ²" not in told([looked_at])[1]["seats_are_even"].text


def test_differences_of_shares__are_written_in_percentage_points() -> None:
    (one,) = measure([made_up_run(games=2000, strong_seat=3)], ALPHA)
    gap = one.estimates["seat_win_share_gap"]
    for language, written in (("en", "pp"), ("fr", "pp")):
        study = Study(balance_catalogue(DOMAIN, language), ALPHA, [one])
        assert gap.unit == SHARE_DIFFERENCE
        assert study.value(gap).endswith(f"\N{NO-BREAK SPACE}{written}")
        assert study.cell(gap).count("%") == 0
        assert study.value(one.estimates["seat_3_win_share"]).endswith("%")
    known = METRICS.known(load())
    assert [name for name, one in known.items() if name.endswith("win_share_gap") and one.unit == "share"] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_claims__without_a_run_are_counted_not_listed(language: str) -> None:
    page = report_page([made_up_run("documented", 4, 2000)], language, Path("results/report"))
    claims = page.claims
    tables = [block for block in claims.blocks if isinstance(block, Table)]
    (unmeasured,) = [block.text for block in claims.blocks if isinstance(block, Paragraph)]
    assert [table.name for table in tables] == ["claims"]
    others = len(load_baseline()[0].claims) - len(tables[0].rows)
    assert others > 0
    assert unmeasured.startswith(f"{others} ")
    ids = {record["claim"] for record in tables[0].records}
    assert not any(claim.text.in_language(language) in unmeasured for claim in load_baseline()[0].claims)
    assert len(ids) == len(tables[0].rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plays_to_win__is_not_called_the_strongest(language: str) -> None:
    words = balance_catalogue(DOMAIN, language)
    meaning = words.text("glossary.documented.meaning")
    assert {"en": "stronger", "fr": "plus fort"}[language] in meaning
    assert not any(word in meaning for word in ("strongest", "le plus fort connu"))


@needs_speed
def test_plays_to_win__is_beaten_by_a_player_who_never_fuses_and_always_lies(tmp_path: Path) -> None:
    """Its win share is 27.0 to 29.9 % by seat (a million games each); at 20,480 games below 26 % it would be one time
    in more than 10,000 runs.
    """
    seats = ["plays_to_win"] * 3 + ["bold"]
    path = tmp_path / "bold.toml"
    path.write_text(
        f'base = "plays_to_win"\n[play]\nseats = {seats}\n[personas.bold]\nbase = "plays_to_win"\nmay_fuse = false\n'
        "lies = { total = 1.0, family = 0.0, size = 16 }\n".replace("'", '"'),
        encoding="utf-8",
    )
    config = load(path, overrides={"run.games": 20_480, "run.seed": 4})
    run = SimpleNamespace(config=config, tally=simulate_tally(config), meta={})
    assert METRICS.estimates(run, ALPHA)["persona_bold_win_share"].low > 0.26
