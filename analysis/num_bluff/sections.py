"""The report of NUM BLUFF runs: findings, claims, and a section for each question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from numbluff_sim.analysis.num_bluff import figures, figures_pot, figures_seats
from numbluff_sim.analysis.num_bluff.findings import find, tell
from numbluff_sim.analysis.num_bluff.metric_words import WORDS, event_titles
from numbluff_sim.analysis.num_bluff.run_labels import measure
from numbluff_sim.analysis.num_bluff.sample import POT_EVENTS
from numbluff_sim.analysis.report.balance import Blocks, balance_page, section
from numbluff_sim.analysis.report.figures import seat_wins
from numbluff_sim.analysis.report.measured_runs import ReportedRun, Study
from numbluff_sim.analysis.report.model import Page, PageSection, Table
from numbluff_sim.analysis.report.ways_of_playing import persona_blocks, seats_section
from numbluff_sim.analysis.statistics.estimates import ALPHA
from numbluff_sim.games.num_bluff.code_names import TIE_NAMES
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.i18n import balance_catalogue


def report_page(runs: Sequence[ReportedRun], language: str, out: Path, alpha: float = ALPHA) -> Page:
    """The page about the runs in "en" or "fr". `out` is the folder that the page will stand in, named in the command
    that makes it again.
    """
    study = Study(
        balance_catalogue("numbluff_sim.games.num_bluff:report", language), alpha, measure(runs, alpha, language)
    )
    return balance_page(
        study,
        find(study.runs),
        lambda finding: tell(study, finding),
        [part(study) for part in SECTIONS],
        out,
        metric_name=lambda metric: event_titles(language)[metric.removesuffix("_per_round")],
    )


def _rates(study: Study) -> PageSection:
    titles = event_titles(study.words.language)
    per_round = [(title, f"{event}_per_round") for event, title in titles.items()]
    per_game = [(titles[event], f"{event}_per_game") for event in EVENT_NAMES]
    one_in = [(titles[event], f"games_per_{event}") for event in EVENT_NAMES]
    answer = {
        "miroir": study.across("games_per_miroir_parfait"),
        "maitre": study.across("coup_de_maitre_any_per_round"),
    }
    return section(
        study,
        "rates",
        answer,
        [
            figures.event_rates(study),
            study.table("rates_per_round", per_round),
            study.table("rates_per_game", per_game),
            study.table("games_per_event", one_in),
        ],
    )


def _exact(study: Study) -> PageSection:
    runs = study.detailed or None
    rows = WORDS.rows(
        study.words.language,
        "exact_per_player_round",
        "several_exact_per_round",
        *(f"mechanism_{name}_share" for name in ("natural", "fusion", "adjust")),
        "gap_closest_mean",
        "gap_farthest_mean",
    )
    disputes = (f"{dispute}_by_{name}_share" for dispute in ("closest", "farthest") for name in TIE_NAMES)
    ties = WORDS.rows(study.words.language, *disputes)
    fusing = WORDS.rows(
        study.words.language,
        "fusions_per_game",
        "fusion_points",
        "single_points",
        "fusion_minus_single_points",
        "fusion_exact_share",
        "single_exact_share",
        "fusion_points_at_risk",
        "single_points_at_risk",
    )
    answer = {"exact": study.across("exact_per_player_round"), "gap": study.across("gap_closest_mean", study.detailed)}
    return section(
        study,
        "exact",
        answer,
        [
            figures.mechanisms(study),
            figures.gaps(study),
            figures.fusions(study),
            study.table("exact", rows, runs),
            study.table("ties", ties, runs),
            study.table("fusing", fusing, runs),
        ],
    )


def _pot(study: Study) -> PageSection:
    runs = study.detailed or None
    rows = WORDS.rows(
        study.words.language,
        "pot_after_mean",
        "pot_won_per_game",
        "pot_left_per_game",
        "pot_unclaimed_share",
        "pot_won_per_round",
        "pot_won_mean_any",
    )
    rows += WORDS.rows(
        study.words.language,
        *(f"pot_won_mean_{event}" for event in POT_EVENTS),
        *(f"pot_won_by_{event}_share" for event in POT_EVENTS),
        "pot_wait_mean",
        "pot_wait_p50",
        "pot_share_of_winner_mean",
        "winner_owes_half_to_pot_share",
    )
    answer = {
        "unclaimed": study.across("pot_unclaimed_share"),
        "bonus": study.across("pot_won_by_coup_de_maitre_bonus_share", study.detailed),
    }
    return section(
        study,
        "pot",
        answer,
        [
            figures_pot.pot_by_round(study),
            figures_pot.pot_winners(study),
            figures_pot.pot_sizes(study),
            figures_pot.pot_waits(study),
            figures_pot.unclaimed(study),
            figures_pot.winner_share(study),
            study.table("pot", rows, runs),
        ],
    )


def _seats(study: Study) -> PageSection:
    roles = WORDS.rows(
        study.words.language, "bluffer_points_per_round", "other_points_per_round", "bluffer_minus_other_points"
    )
    answer = {
        "bluffer": study.across("bluffer_minus_other_points"),
        "left": study.across("left_of_first_bluffer_minus_mean_win_share"),
    }
    blocks: Blocks = [
        seat_wins(study),
        _seat_table(study),
        *persona_blocks(study),
        figures.positions(study),
        study.table("roles", roles),
    ]
    return seats_section(study, section(study, "seats", answer, blocks))


def _seat_table(study: Study) -> Table | None:
    """What seats get, in the runs whose seats all play the same."""
    if not study.alike:
        return None
    seats = range(max(one.players for one in study.alike))
    rows = WORDS.rows(
        study.words.language,
        *(f"seat_{p}_win_share" for p in seats),
        *(f"seat_{p}_points" for p in seats),
        "left_of_first_bluffer_minus_mean_win_share",
        "left_of_first_bluffer_minus_mean_points",
    )
    tests = [
        (study.text(f"tests.{name}"), [study.test(one.tests[name]) for one in study.alike])
        for name in ("seat_win_chi_square", "seat_points_chi_square")
    ]
    return study.table("seats", rows, study.alike, more=tests)


def _scores(study: Study) -> PageSection:
    runs = study.detailed or None
    rows = WORDS.rows(
        study.words.language,
        "score_mean",
        "margin_mean",
        "shared_win_per_game",
        "lead_changes_mean",
        "decided_round_mean",
        "decided_before_last_per_game",
        "comeback_share",
        "comeback_from_last_share",
    )
    answer = {
        "comeback": study.across("comeback_share", study.detailed),
        "decided": study.across("decided_before_last_per_game", study.detailed),
    }
    return section(
        study,
        "scores",
        answer,
        [
            figures_seats.scores(study),
            figures_seats.half_ranks(study),
            figures_seats.decided(study),
            study.table("scores", rows, runs),
        ],
    )


def _lying(study: Study) -> PageSection:
    runs = study.detailed or None
    rows = WORDS.rows(
        study.words.language,
        "lies_per_round",
        "lies_total_per_round",
        "lies_family_per_round",
        "honest_points_per_round",
        "lying_points_per_round",
        "honest_minus_lying_points",
        "lie_total_points_per_round",
        "lie_family_points_per_round",
        "lie_total_disproved_share",
        "lie_family_disproved_share",
    )
    liars = [one for one in study.detailed if one.get("lying_points_per_round")]
    name = "lying" if liars else "lying_none"
    answer = {"difference": study.across("honest_minus_lying_points", liars)} if liars else {}
    found = section(study, name, answer, [figures.lying(study), study.table("lying", rows, runs)])
    return replace(found, name="lying")


def _sizes(study: Study) -> PageSection:
    rows = WORDS.rows(
        study.words.language,
        "rounds_per_game",
        "recycles_per_game",
        "early_end_per_game",
        "options_per_game",
        "fusions_per_game",
        "refills_per_game",
        "empty_hands_per_game",
        "hand_unexplained_per_player_round",
        "hand_unexplained_per_game",
        "miroir_parfait_per_round",
        "frappe_parfaite_per_round",
        "coup_de_maitre_bonus_per_round",
        "pot_left_per_game",
        "pot_unclaimed_share",
    )
    answer = {
        "recycles": study.across("recycles_per_game"),
        "hand": study.across("hand_unexplained_per_player_round", study.detailed),
    }
    return section(
        study, "sizes", answer, [figures_seats.recycles(study), figures_seats.hands(study), study.table("sizes", rows)]
    )


SECTIONS: tuple[Callable[[Study], PageSection], ...] = (_rates, _exact, _pot, _seats, _scores, _lying, _sizes)
