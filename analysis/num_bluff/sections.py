"""The report of NUM BLUFF runs: findings, claims, and a section for each question."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.estimates import ALPHA
from numbluff_sim.analysis.num_bluff import figures, figures_pot, figures_seats
from numbluff_sim.analysis.num_bluff.findings import choose, find, tell
from numbluff_sim.analysis.num_bluff.metric_words import metric_label
from numbluff_sim.analysis.num_bluff.sample import POT_EVENTS
from numbluff_sim.analysis.num_bluff.sections_claims import claims_section
from numbluff_sim.analysis.num_bluff.study import RunData, Study, measure
from numbluff_sim.analysis.report.model import Page, Picture, Section, Table, Text
from numbluff_sim.games.num_bluff.names import EVENT_NAMES, TIE_NAMES
from numbluff_sim.i18n import page_catalogue

TITLE = "NUM BLUFF"
Blocks = Sequence[Table | Picture | Text | None]


def report_page(runs: Sequence[RunData], language: str, out: Path, alpha: float = ALPHA) -> Page:
    """The page about the runs in "en" or "fr". `out` is the folder that the page will stand in, named in the command that makes it again."""
    study = Study(page_catalogue("report", language), alpha, measure(runs, alpha))
    first, more = choose(find(study.runs))
    games = sum(one.sample.games for one in study.runs)
    lead = study.text("page.lead" if len(study.runs) > 1 else "page.lead_one", games=study.numbers.integer(games))
    title = study.text("page.title", game=TITLE)
    return Page(
        language,
        title,
        lead,
        _facts(study),
        study.words.under("page"),
        [tell(study, finding) for finding in first],
        [tell(study, finding) for finding in more],
        claims_section(study),
        [section(study) for section in SECTIONS],
        list(zip(*_glossary(study), strict=True)),
        _making(study),
        _command(study, language, out),
    )


def _facts(study: Study) -> list[str]:
    games, details = [one.sample.games for one in study.runs], [one.sample.detail_games for one in study.runs]
    rounds = sum(one.sample.total("rounds") for one in study.runs)
    seeds = sorted({one.run.config.run.seed for one in study.runs})
    return [
        study.text("common.fact_runs", runs=study.names(study.runs)),
        study.text("common.fact_games", n=study.counted(games, study.text("common.games_a_run"))),
        study.text("common.fact_rounds", rounds=study.numbers.integer(rounds)),
        study.text("common.fact_detail", n=study.counted(details, study.text("common.games_a_run"))),
        study.text("common.fact_seed", seed=", ".join(map(str, seeds))),
    ]


def _section(study: Study, name: str, answer: dict[str, str], blocks: Blocks) -> Section:
    return Section(
        name,
        study.text(f"sections.{name}.question"),
        study.text(f"sections.{name}.answer", **answer),
        [block for block in blocks if block is not None],
    )


def _rates(study: Study) -> Section:
    def label(event: str) -> str:
        return study.text(f"events.{event}")

    groups = ("coup_precis_any", "ca_chauffe", "coup_de_maitre_any")
    per_round = [(label(event), f"{event}_per_round") for event in (*EVENT_NAMES, *groups)]
    per_game = [(label(event), f"{event}_per_game") for event in EVENT_NAMES]
    one_in = [(label(event), f"games_per_{event}") for event in EVENT_NAMES]
    answer = {"miroir": study.across("games_per_miroir_parfait"), "maitre": study.across("coup_de_maitre_any_per_round")}
    return _section(
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


def _exact(study: Study) -> Section:
    runs = study.detailed or None
    rows = [
        (study.text("rows.exact"), "exact_per_player_round"),
        (study.text("rows.several_exact"), "several_exact_per_round"),
        *((study.text(f"mechanisms.{name}"), f"mechanism_{name}_share") for name in ("natural", "fusion", "adjust")),
        (study.text("rows.gap_closest"), "gap_closest_mean"),
        (study.text("rows.gap_farthest"), "gap_farthest_mean"),
    ]
    ties = [(study.text(f"rows.{dispute}_{name}"), f"{dispute}_by_{name}_share") for dispute in ("closest", "farthest") for name in TIE_NAMES]
    fusing = [
        (study.text(f"rows.{name}"), metric)
        for name, metric in (
            ("fusions", "fusions_per_game"),
            ("fusion_points", "fusion_points"),
            ("single_points", "single_points"),
            ("fusion_minus_single", "fusion_minus_single_points"),
            ("fusion_exact", "fusion_exact_share"),
            ("single_exact", "single_exact_share"),
            ("fusion_risk", "fusion_points_at_risk"),
            ("single_risk", "single_points_at_risk"),
        )
    ]
    answer = {"exact": study.across("exact_per_player_round"), "gap": study.across("gap_closest_mean", study.detailed)}
    return _section(
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


def _pot(study: Study) -> Section:
    runs = study.detailed or None
    rows = [
        (study.text(f"rows.{name}"), metric)
        for name, metric in (
            ("pot_after", "pot_after_mean"),
            ("pot_won_game", "pot_won_per_game"),
            ("pot_left", "pot_left_per_game"),
            ("pot_unclaimed", "pot_unclaimed_share"),
            ("pot_wins_round", "pot_won_per_round"),
            ("pot_size", "pot_won_mean_any"),
        )
    ]
    rows += [(study.text("rows.pot_size_by", event=study.text(f"events.{event}")), f"pot_won_mean_{event}") for event in POT_EVENTS]
    rows += [(study.text("rows.pot_share_by", event=study.text(f"events.{event}")), f"pot_won_by_{event}_share") for event in POT_EVENTS]
    rows += [
        (study.text("rows.pot_wait"), "pot_wait_mean"),
        (study.text("rows.pot_of_winner"), "pot_share_of_winner_mean"),
        (study.text("rows.pot_half"), "winner_owes_half_to_pot_share"),
    ]
    answer = {"unclaimed": study.across("pot_unclaimed_share"), "bonus": study.across("pot_won_by_coup_de_maitre_bonus_share", study.detailed)}
    return _section(
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


def _seats(study: Study) -> Section:
    most = max(one.players for one in study.runs)
    rows = [(study.text("rows.seat_wins", seat=p + 1), f"seat_{p}_win_share") for p in range(most)]
    rows += [(study.text("rows.seat_points", seat=p + 1), f"seat_{p}_points") for p in range(most)]
    rows += [
        (study.text("rows.left_wins"), "left_of_first_bluffer_minus_mean_win_share"),
        (study.text("rows.left_points"), "left_of_first_bluffer_minus_mean_points"),
        (study.text("rows.bluffer_points"), "bluffer_points_per_round"),
        (study.text("rows.other_points"), "other_points_per_round"),
        (study.text("rows.bluffer_minus"), "bluffer_minus_other_points"),
    ]
    tests = [
        (study.text(f"rows.{name}"), [_test(study, one.tests[name]) for one in study.runs])
        for name in ("seat_win_chi_square", "seat_points_chi_square")
    ]
    answer = {"bluffer": study.across("bluffer_minus_other_points"), "left": study.across("left_of_first_bluffer_minus_mean_win_share")}
    return _section(study, "seats", answer, [figures_seats.seat_wins(study), figures.positions(study), study.table("seats", rows, more=tests)])


def _test(study: Study, test: Any) -> str:
    if test.p_value != test.p_value:
        return "–"
    p_value = (
        study.text("common.p_below", limit=study.numbers.decimal(0.0001, 4))
        if test.p_value < 0.0001
        else study.text("common.p_value", p=study.numbers.decimal(test.p_value, 4))
    )
    return study.text("common.chi_square", df=test.df, statistic=study.numbers.decimal(test.statistic, 1), p=p_value)


def _scores(study: Study) -> Section:
    runs = study.detailed or None
    rows = [
        (study.text(f"rows.{name}"), metric)
        for name, metric in (
            ("score", "score_mean"),
            ("margin", "margin_mean"),
            ("shared_win", "shared_win_per_game"),
            ("lead_changes", "lead_changes_mean"),
            ("decided_round", "decided_round_mean"),
            ("decided_before", "decided_before_last_per_game"),
            ("comeback", "comeback_share"),
            ("comeback_last", "comeback_from_last_share"),
        )
    ]
    answer = {"comeback": study.across("comeback_share", study.detailed), "decided": study.across("decided_before_last_per_game", study.detailed)}
    return _section(
        study,
        "scores",
        answer,
        [figures_seats.scores(study), figures_seats.half_ranks(study), figures_seats.decided(study), study.table("scores", rows, runs)],
    )


def _lying(study: Study) -> Section:
    runs = study.detailed or None
    rows = [
        (study.text(f"rows.{name}"), metric)
        for name, metric in (
            ("lies", "lies_per_round"),
            ("lies_total", "lies_total_per_round"),
            ("lies_family", "lies_family_per_round"),
            ("honest_points", "honest_points_per_round"),
            ("lying_points", "lying_points_per_round"),
            ("honest_minus", "honest_minus_lying_points"),
            ("lie_total_points", "lie_total_points_per_round"),
            ("lie_family_points", "lie_family_points_per_round"),
            ("total_disproved", "lie_total_disproved_share"),
            ("family_disproved", "lie_family_disproved_share"),
        )
    ]
    liars = [one for one in study.detailed if one.get("lying_points_per_round")]
    name = "lying" if liars else "lying_none"
    answer = {"difference": study.across("honest_minus_lying_points", liars)} if liars else {}
    section = _section(study, name, answer, [figures.lying(study), study.table("lying", rows, runs)])
    return Section("lying", section.question, section.answer, section.blocks)


def _sizes(study: Study) -> Section:
    rows = [
        (study.text(f"rows.{name}"), metric)
        for name, metric in (
            ("rounds", "rounds_per_game"),
            ("recycles", "recycles_per_game"),
            ("early_end", "early_end_per_game"),
            ("options", "options_per_game"),
            ("fusions", "fusions_per_game"),
            ("refills", "refills_per_game"),
            ("empty_hands", "empty_hands_per_game"),
            ("hand_unexplained", "hand_unexplained_per_player_round"),
            ("hand_games", "hand_unexplained_per_game"),
            ("miroir_rate", "miroir_parfait_per_round"),
            ("frappe_rate", "frappe_parfaite_per_round"),
            ("bonus_rate", "coup_de_maitre_bonus_per_round"),
            ("pot_left", "pot_left_per_game"),
            ("pot_unclaimed", "pot_unclaimed_share"),
        )
    ]
    answer = {"recycles": study.across("recycles_per_game"), "hand": study.across("hand_unexplained_per_player_round", study.detailed)}
    return _section(study, "sizes", answer, [figures_seats.recycles(study), figures_seats.hands(study), study.table("sizes", rows)])


SECTIONS: tuple[Callable[[Study], Section], ...] = (_rates, _exact, _pot, _seats, _scores, _lying, _sizes)


def _glossary(study: Study) -> tuple[list[str], list[str]]:
    entries = study.words.under("glossary")
    names = [key.removesuffix(".term") for key in entries if key.endswith(".term")]
    return [entries[f"{name}.term"] for name in names], [entries[f"{name}.meaning"] for name in names]


def _making(study: Study) -> Section:
    columns = ("run", "games", "detail_games", "seed", "config_digest", "code_digest", "rules_version")
    rows, records = [], []
    for one in study.runs:
        identity = one.run.meta.get("identity", {})
        cells: dict[str, Any] = {
            "run": study.run_name(one),
            "games": one.sample.games,
            "detail_games": one.sample.detail_games,
            "seed": one.run.config.run.seed,
            "config_digest": one.run.config.digest(),
            "code_digest": identity.get("code_digest", "–"),
            "rules_version": identity.get("rules_version", "–"),
        }
        rows.append([study.numbers.integer(value) if column.endswith("games") else str(value) for column, value in cells.items()])
        records.append(cells)
    table = Table("making", study.text("making.caption"), [study.text(f"making.{column}") for column in columns], rows, records)
    versions = {name: version for one in study.runs for name, version in one.run.meta.get("versions", {}).items()}
    listed = (
        study.text("making.versions", versions=", ".join(f"{name} {version}" for name, version in versions.items()))
        if versions
        else study.text("making.no_versions")
    )
    settings = Table(
        "rulings", study.text("making.rulings"), [study.text("making.ruling"), *(study.run_name(one) for one in study.runs)], *_rulings(study)
    )
    answer = study.text("making.answer", runs=len(study.runs))
    intervals = Text(study.text("making.intervals", level=study.level()))
    return Section("making", study.text("page.making"), answer, [intervals, table, *_stopped(study), Text(listed), settings])


def _stopped(study: Study) -> list[Text]:
    """The runs that stopped themselves, and on what."""
    texts = []
    for one in study.runs:
        rule = one.run.meta.get("until", {})
        if rule.get("reached") and rule["games"] == one.sample.games:
            precisions = study.text("common.semicolon").join(
                f"{metric_label(measured['name'], study.words.language)} (±\u00a0{_precision(study, measured)})" for measured in rule["measured"]
            )
            level, games = study.numbers.percent(1 - rule["alpha"], 0), study.numbers.integer(rule["games"])
            texts.append(Text(study.text("making.stopped", run=study.run_name(one), games=games, level=level, precisions=precisions)))
    return texts


def _precision(study: Study, measured: Mapping[str, Any]) -> str:
    asked = measured["half_width"]
    shown = Decimal(f"{100 * asked if measured['relative'] else asked:.6g}")
    digits = len(f"{shown:f}".partition(".")[2])
    return study.numbers.percent(asked, digits) if measured["relative"] else study.numbers.decimal(asked, digits)


def _rulings(study: Study) -> tuple[list[list[str]], list[dict[str, Any]]]:
    columns = [{key: ", ".join(value) if isinstance(value, tuple) else value for key, value in one.run.config.rules.model_dump().items()}
               for one in study.runs]
    names = dict.fromkeys(name for column in columns for name in column)   # `without` is there only where a rule is out
    rows = [[name, *(str(column.get(name, "")).lower() for column in columns)] for name in names]
    records = [{"run": one.label, "players": one.players, **column} for one, column in zip(study.runs, columns, strict=True)]
    return rows, records


def _command(study: Study, language: str, out: Path) -> str:
    lines, folders = [], []
    for one in study.runs:
        folder = getattr(one.run, "folder", None)
        folders.append(str(folder) if folder else "RUN")
        lines.append(one.run.meta.get("command", ""))
    report = f"numbluff report {' '.join(shlex.quote(folder) for folder in folders)} --lang {language} --out {shlex.quote(str(out))}"
    return "\n".join([*filter(None, lines), report])
