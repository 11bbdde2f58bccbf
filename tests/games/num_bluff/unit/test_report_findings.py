"""Findings follow the measured values: made-up tallies, then decks of real games, are changed and the findings
change with them.
"""

import pytest

from numbluff_sim.analysis.num_bluff.findings import LIMITS, derived, find, tell
from numbluff_sim.analysis.num_bluff.run_labels import measure
from numbluff_sim.analysis.report.findings import FEWEST, MOST, choose
from numbluff_sim.analysis.report.measured_runs import ENOUGH_GAMES, Study
from numbluff_sim.config import load
from numbluff_sim.games.num_bluff.tally import TALLY
from numbluff_sim.i18n import LANGUAGES, balance_catalogue
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.run.store import RunData
from tests.games.num_bluff.made_up_runs import RATES, made_up_run

ALPHA = 0.05
GAMES = 20000


def names(*runs):
    return [finding.limit.finding for finding in find(measure(runs, ALPHA))]


def severities(name, *runs):
    return [finding.limit.severity for finding in find(measure(runs, ALPHA)) if finding.limit.finding == name]


MIXED = {"play.seats": ["nearest", "nearest", "nearest", "sacrificer"]}
CASES = {
    "pot_never_fills": ({"players": 3, "pot": 0.0}, {"players": 4}),
    "pot_is_claimed": ({"rates": (*RATES[:5], 0.2, 0.54)}, {}),
    "deck_runs_out": ({"players": 6, "recycles": 1.0}, {"players": 6}),
    "hand_shrinks": ({"fuse": 0.2}, {"fuse": 0.05}),
    "hand_unexplained": ({"fuse": 0.05}, {}),
    "persona_ahead": ({"strong_seat": 3, "overrides": MIXED}, {"strong_seat": 3}),
    "rarely_miroir_parfait": ({}, {"rates": (0.01, *RATES[1:])}),
    "coup_de_maitre_rules": ({}, {"rates": (0.0006, 0.016, 0.385, 0.004, 0.156, 0.344, 0.094)}),
    "frappe_too_common": ({"rates": (0.0006, 0.09, *RATES[2:])}, {}),
    "exact_too_common": ({"rates": (0.0006, 0.016, 0.6, 0.004, 0.156, 0.2, 0.02)}, {}),
    "pot_unclaimed": ({}, {"rates": (*RATES[:5], 0.2, 0.54)}),
    "seat_unfair": ({"strong_seat": 3}, {}),
    "lies_seen_with_more": ({"lie": 0.5, "lie_points": 9.0}, {"lie": 0.5, "lie_points": 8.0}),
    "lies_seen_with_less": ({"lie": 0.5, "lie_points": 7.0}, {"lie": 0.5, "lie_points": 8.0}),
    "fusions_seen_with_more": ({"fuse": 0.2}, {}),
}


@pytest.mark.parametrize("finding", CASES)
def test_findings__come_and_go_with_the_measured_values(finding):
    here, gone = (made_up_run(games=GAMES, **case) for case in CASES[finding])
    assert finding in names(here)
    assert finding not in names(gone)


def test_findings__two_miroirs_at_once():
    run = made_up_run(games=GAMES)
    assert "several_miroirs" not in names(run)
    run.tally["moments"][:, TALLY.variables(4).index("miroir_several")] = 40, 40, 480  # sum, squares, times 12 rounds
    assert "several_miroirs" in names(run)


def test_findings__a_pot_that_is_won_at_once_is_not_called_empty():
    run = made_up_run(games=GAMES, rates=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0))  # after every round it is empty
    assert run.tally["pot_by_round"][:, 1:].sum() == 0
    assert "pot_never_fills" not in names(run)


@pytest.mark.parametrize(("players", "told"), [(3, True), (4, False)])
def test_findings__an_empty_pot_is_explained_by_three_players_only_where_three_play(players, told):
    runs = measure([made_up_run("documented", players, 2000, pot=0.0)], ALPHA)
    study = Study(balance_catalogue("numbluff_sim.games.num_bluff:report", "en"), ALPHA, runs)
    text = next(tell(study, finding) for finding in find(runs) if finding.limit.finding == "pot_never_fills").text
    assert ("With 3 players everybody" in text) is told


def test_findings__the_strictest_limit_gives_the_severity():
    assert severities("pot_unclaimed", made_up_run(games=GAMES, rates=(*RATES[:5], 0.66, 0.07))) == [3]
    assert severities("pot_unclaimed", made_up_run(games=GAMES, rates=(*RATES[:5], 0.54, 0.2))) == [2]


def test_findings__an_interval_across_the_limit_is_no_finding():
    few = made_up_run(games=120, rates=(*RATES[:5], 0.46, 0.15))  # about a quarter of the pot is left
    assert "pot_unclaimed" not in names(few)


def test_findings__none_from_too_few_games():
    assert names(made_up_run(games=ENOUGH_GAMES - 1, fuse=0.3)) == []


def test_findings__the_three_facts_of_the_player_counts_come_first():
    runs = [
        made_up_run(
            preset,
            players,
            GAMES,
            pot=8.0 * (players > 3),
            recycles=float(players == 6),
            fuse=fuse,
            lie=2 * fuse,
            strong_seat=0,
        )
        for preset, fuse in (("documented", 0.0), ("plays_to_win", 0.2))
        for players in (3, 4, 5, 6)
    ]
    first, more = choose(find(measure(runs, ALPHA)))
    assert {"pot_never_fills", "deck_runs_out", "hand_shrinks"} <= {finding.limit.finding for finding in first}
    assert FEWEST <= len(first) <= MOST
    assert more
    assert [finding.limit.severity for finding in first] == sorted(
        (finding.limit.severity for finding in first), reverse=True
    )
    by_name = {finding.limit.finding: {(one.label, one.players) for one, _ in finding.runs} for finding in first}
    assert by_name["pot_never_fills"] == {("documented", 3), ("plays_to_win", 3)}
    assert by_name["deck_runs_out"] == {("documented", 6), ("plays_to_win", 6)}
    assert by_name["hand_shrinks"] == {("plays_to_win", players) for players in (3, 4, 5, 6)}


def every_kind():
    """Runs of which each finding can be told: one of shrinking hands, one whose seats play differently."""
    return [
        made_up_run("plays_to_win", 4, 2000, fuse=0.2, lie=0.5, recycles=1.0),
        made_up_run("documented", 4, 2000, overrides=MIXED),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings__every_limit_can_be_told(language):
    """Each finding's text, in both languages, with the numbers of a run: no placeholder is left over or missing."""
    runs = measure(every_kind(), ALPHA)
    study = Study(balance_catalogue("numbluff_sim.games.num_bluff:report", language), ALPHA, runs)
    always = [
        type(limit)(limit.finding, limit.metric, "above", -1e9, limit.severity, about=limit.about) for limit in LIMITS
    ]
    told = [tell(study, finding) for finding in find(runs, always)]
    assert {text.name for text in told} == {limit.finding for limit in LIMITS}
    for text in told:
        assert text.title
        assert "{" not in text.title + text.text + text.evidence
        assert text.record["runs"][0]["n"] > 0


def test_findings__evidence_has_the_interval_of_every_number_told():
    runs = measure([made_up_run("plays_to_win", 4, GAMES, lie=0.5, lie_points=9.0)], ALPHA)
    study = Study(balance_catalogue("numbluff_sim.games.num_bluff:report", "en"), ALPHA, runs)
    told = next(tell(study, finding) for finding in find(runs) if finding.limit.finding == "lies_seen_with_more")
    numbers = {number["name"] for number in told.record["numbers"]}
    assert numbers == {
        "honest_minus_lying_points",
        "honest_points_per_round",
        "lying_points_per_round",
        "lies_per_round",
    }
    assert told.evidence.count("n = ") == len(numbers)
    assert told.evidence.startswith("95% intervals: ")


def test_findings__name_limits_that_exist():
    known = {name for one in measure(every_kind(), ALPHA) for name in (*one.estimates, *derived(one))}
    assert [limit.metric for limit in LIMITS if limit.metric not in known] == []


def test_findings__a_bonus_switched_off_is_not_called_rare():
    never = (*RATES[:5], RATES[5] + RATES[6], 0.0)
    assert "rarely_coup_de_maitre_bonus" in names(made_up_run(games=GAMES, rates=never))
    assert "rarely_coup_de_maitre_bonus" not in names(
        made_up_run(games=GAMES, rates=never, overrides={"rules.master_bonus": False})
    )


#: Change of the deck -> players, the findings that it brings and those that it takes away.
FAMILIES = ("rouge", "vert", "bleu", "jaune", "rainbow", "shadow")
DECKS = {
    "every card twice": ({f"deck.{name}.copies": 2 for name in FAMILIES}, 6, set(), {"deck_runs_out"}),
    "few values, many copies": (
        {f"deck.{name}.{key}": value for name in FAMILIES for key, value in (("values", [0, 2]), ("copies", 6))},
        4,
        {"several_miroirs", "frappe_too_common", "exact_too_common"},
        {"rarely_miroir_parfait", "coup_de_maitre_rules"},
    ),
}


def played(players, overrides):
    """4,096 real games, all of them detail games."""
    config = load(
        overrides={"table.players": players, "run.games": 4096, "run.detail_every": 1, "run.seed": 5, **overrides}
    )
    return RunData(config, simulate_tally(config), {})


@pytest.mark.skipif(not COMPILED, reason="plays twenty thousand games")
@pytest.mark.parametrize("deck", DECKS)
def test_findings__change_with_the_deck(deck):
    overrides, players, brought, taken = DECKS[deck]
    usual, changed = (set(names(played(players, change))) for change in ({}, overrides))
    assert brought <= changed - usual
    assert taken <= usual - changed
