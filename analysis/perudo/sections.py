"""The report of Perudo runs: findings, claims, and a section for each question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from numbluff_sim.analysis.perudo import figures
from numbluff_sim.analysis.perudo.findings import find, tell
from numbluff_sim.analysis.perudo.metric_words import WORDS
from numbluff_sim.analysis.report.balance import Blocks, balance_page, section
from numbluff_sim.analysis.report.figures import seat_wins
from numbluff_sim.analysis.report.measured_runs import ReportedRun, Study, measure
from numbluff_sim.analysis.report.model import Page, PageSection, Table
from numbluff_sim.analysis.report.ways_of_playing import persona_blocks, seats_section
from numbluff_sim.analysis.statistics.estimates import ALPHA
from numbluff_sim.games.perudo.code_names import OPENER_NAMES
from numbluff_sim.i18n import balance_catalogue


def report_page(runs: Sequence[ReportedRun], language: str, out: Path, alpha: float = ALPHA) -> Page:
    """The page about the runs in "en" or "fr". `out` is the folder that the page will stand in, named in the command
    that makes it again.
    """
    study = Study(
        balance_catalogue("numbluff_sim.games.perudo:report", language), alpha, measure(runs, alpha, language=language)
    )
    return balance_page(
        study,
        find(study.runs),
        lambda finding: tell(study, finding),
        [part(study) for part in SECTIONS],
        out,
        metric_name=lambda metric: WORDS.metric_label(metric, language),
    )


def _most_players(study: Study) -> int:
    return max(one.players for one in study.runs)


def _seats(study: Study) -> PageSection:
    answer = {"gap": study.across("seat_win_share_gap"), "opener": study.across("first_opener_win_share")}
    found = section(study, "seats", answer, [seat_wins(study), _seat_table(study), *persona_blocks(study)])
    return seats_section(study, found)


def _seat_table(study: Study) -> Table | None:
    """What seats get, in the runs whose seats all play the same."""
    if not study.alike:
        return None
    seats = range(max(one.players for one in study.alike))
    rows = WORDS.rows(
        study.words.language, *(f"seat_{p}_win_share" for p in seats), "seat_win_share_gap", "first_opener_win_share"
    )
    rows += WORDS.rows(
        study.words.language, *(f"seat_{p}_{what}_share" for what in ("first_out", "first_to_one") for p in seats)
    )
    tests = [
        (
            study.text("tests.seat_win_chi_square"),
            [study.test(one.tests["seat_win_chi_square"]) for one in study.alike],
        )
    ]
    return study.table("seats", rows, study.alike, more=tests)


def _length(study: Study) -> PageSection:
    rows = WORDS.rows(
        study.words.language,
        "rounds_per_game",
        "rounds_p10",
        "rounds_p50",
        "rounds_p90",
        "bids_per_game",
        "bids_per_round",
        "bids_p50",
        "bids_p90",
    )
    answer = {"rounds": study.across("rounds_per_game"), "bids": study.across("bids_per_round")}
    return section(
        study, "length", answer, [figures.lengths(study), figures.bids_by_dice(study), study.table("length", rows)]
    )


def _challenges(study: Study) -> PageSection:
    rows = WORDS.rows(
        study.words.language,
        "challenge_per_bid",
        "challenge_right_per_round",
        "opener_in_challenge_per_round",
        "opener_lost_per_round",
        "challenged_stars_per_round",
        "challenged_stars_true_share",
    )
    openers = WORDS.rows(
        study.words.language, *(f"opened_by_{rule}_{what}" for what in ("share", "lost_share") for rule in OPENER_NAMES)
    )
    answer = {"right": study.across("challenge_right_per_round"), "challenged": study.across("challenge_per_bid")}
    blocks: Blocks = [
        figures.calibration(study),
        figures.challenge_rate(study),
        study.table("challenges", rows),
        study.table("openers", openers, study.detailed or None),
    ]
    return section(study, "challenges", answer, blocks)


def _two_left(study: Study) -> PageSection:
    dice = range(1, max(one.sample.dice for one in study.runs) + 1)
    rows = WORDS.rows(
        study.words.language,
        *(f"two_left_{k}_v_{k}_win_share" for k in dice),
        *(f"two_left_{k}_v_{k}_kept_share" for k in dice),
    )
    rows += WORDS.rows(
        study.words.language,
        *(f"two_left_palifico_v_{k}_win_share" for k in dice),
        *(f"two_left_palifico_v_{k}_kept_share" for k in dice),
    )
    answer = {"even": study.across("two_left_1_v_1_win_share", study.detailed)}
    return section(
        study, "two_left", answer, [figures.two_left(study), study.table("two_left", rows, study.detailed or None)]
    )


def _drama(study: Study) -> PageSection:
    dice = range(1, max(one.sample.dice for one in study.runs) + 1)
    rows = WORDS.rows(
        study.words.language, "comeback_share", "winner_dice_mean", *(f"winner_with_{k}_dice_share" for k in dice)
    )
    answer = {"comeback": study.across("comeback_share"), "dice": study.across("winner_dice_mean")}
    return section(study, "drama", answer, [figures.first_to_one(study), study.table("drama", rows)])


def _waiting(study: Study) -> PageSection:
    places = range(_most_players(study), 1, -1)
    rows = WORDS.rows(
        study.words.language, "idle_per_game", "idle_share", *(f"out_round_place_{place}" for place in places)
    )
    rows += WORDS.rows(study.words.language, *(f"idle_place_{place}" for place in places if place > 2))
    waiting = [one for one in study.runs if one.players > 2]  # of two players nobody waits
    return section(
        study,
        "waiting",
        {"share": study.across("idle_share", waiting)},
        [figures.waiting(study), study.table("waiting", rows)],
    )


def _palifico(study: Study) -> PageSection:
    left = range(2, _most_players(study) + 1)
    rows = WORDS.rows(
        study.words.language,
        "palifico_per_round",
        "palifico_per_game",
        "palifico_lost_share",
        "other_opener_lost_share",
        "palifico_minus_opener_lost",
    )
    rows += WORDS.rows(
        study.words.language,
        *(f"palifico_{players}_left_{what}" for what in ("lost_share", "win_share") for players in left),
    )
    answer = {"rounds": study.across("palifico_per_round"), "lost": study.across("palifico_lost_share")}
    return section(study, "palifico", answer, [figures.palifico(study), study.table("palifico", rows)])


def _weaker(study: Study) -> PageSection:
    rows = WORDS.rows(
        study.words.language,
        "weaker_per_game",
        "even_two_per_game",
        "weaker_opens_share",
        "weaker_kept_share",
        "weaker_win_share",
        "weaker_opening_win_share",
        "weaker_waiting_win_share",
    )
    name = "weaker" if any(one.get("weaker_win_share") for one in study.runs) else "weaker_none"
    found = section(
        study, name, {"wins": study.across("weaker_win_share")}, [figures.weaker(study), study.table("weaker", rows)]
    )
    return PageSection("weaker", found.question, found.answer, found.blocks)


def _cups(study: Study) -> PageSection:
    tables = range(2, _most_players(study) + 1)
    rows = WORDS.rows(
        study.words.language,
        "cups_lifted_per_round",
        "cups_lifted_share",
        "dice_hidden_share",
        *(f"cups_lifted_of_{k}" for k in tables),
    )
    rows += WORDS.rows(study.words.language, *(f"all_cups_of_{k}_share" for k in tables))
    return section(
        study, "cups", {"hidden": study.across("dice_hidden_share")}, [figures.cups(study), study.table("cups", rows)]
    )


SECTIONS: tuple[Callable[[Study], PageSection], ...] = (
    _seats,
    _length,
    _challenges,
    _two_left,
    _drama,
    _waiting,
    _palifico,
    _weaker,
    _cups,
)
