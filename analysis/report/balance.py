"""What the balance reports of all games are put together from: facts, sections, tests in words, how it was made.
Knows no game.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.report.claims import claims_section
from numbluff_sim.analysis.report.findings import Finding, choose
from numbluff_sim.analysis.report.measured_runs import Study
from numbluff_sim.analysis.report.model import FindingText, Page, PageSection, Paragraph, Picture, Table
from numbluff_sim.contract.registry import game

Blocks = Sequence[Table | Picture | Paragraph | None]


def balance_page(
    study: Study,
    found: Sequence[Finding],
    tell: Callable[[Finding], FindingText],
    sections: Sequence[PageSection],
    out: Path,
    *,
    metric_name: Callable[[str], str],
) -> Page:
    """The page about the runs of a study, which are all of one game.

    `found`: the findings, worst first; `metric_name`: how the ledger of claims calls the metrics of an order; `out`:
    the folder that the page will stand in, named in the command that makes it again.
    """
    first, more = choose(found)
    games = sum(one.sample.games for one in study.runs)
    lead = study.text("page.lead" if len(study.runs) > 1 else "page.lead_one", games=study.numbers.integer(games))
    return Page(
        study.words.language,
        study.text("page.title", game=game(study.runs[0].run.config.game).title),
        lead,
        facts(study),
        study.words.under("page"),
        [tell(finding) for finding in first],
        [tell(finding) for finding in more],
        claims_section(study, metric_name),
        sections,
        glossary(study),
        making(study),
        command(study, out),
    )


def facts(study: Study) -> list[str]:
    """What was played, in short lines."""
    games, details = [one.sample.games for one in study.runs], [one.sample.detail_games for one in study.runs]
    rounds = sum(one.sample.total("rounds") for one in study.runs)
    seeds = sorted({one.run.config.run.seed for one in study.runs})
    seatings = {study.seating(one.run.config.seating): None for one in study.runs if not one.mixed}
    seatings |= {
        study.text("seating.of_run", run=study.run_name(one), seating=study.seating(one.mixed))
        if len(study.runs) > 1
        else study.seating(one.mixed): None
        for one in study.mixed
    }
    again = [one for one in study.runs if one.looks > 1]
    looks = [study.text("common.fact_looks", runs=study.names(again))] if again else []
    return [
        study.text("common.fact_runs", runs=study.names(study.runs)),
        study.text("common.fact_games", n=study.counted(games, study.text("common.games_a_run"))),
        study.text("common.fact_rounds", rounds=study.numbers.integer(rounds)),
        study.text("common.fact_detail", n=study.counted(details, study.text("common.games_a_run"))),
        study.text("seating.line", seats=study.text("common.semicolon").join(seatings)),
        study.text("common.fact_seed", seed=", ".join(map(str, seeds))),
        *looks,
    ]


def section(study: Study, name: str, answer: Mapping[str, str], blocks: Blocks) -> PageSection:
    """A section with its question and its answer from the catalogue; blocks that are None have nothing to show."""
    return PageSection(
        name,
        study.text(f"sections.{name}.question"),
        study.text(f"sections.{name}.answer", **answer),
        [block for block in blocks if block is not None],
    )


def glossary(study: Study) -> list[tuple[str, str]]:
    """Terms and meanings: those of the game, then those of figures and statistics."""
    return [pair for part in ("glossary", "glossary_of_figures") for pair in _entries(study, part)]


def _entries(study: Study, part: str) -> list[tuple[str, str]]:
    entries = study.words.under(part)
    names = [key.removesuffix(".term") for key in entries if key.endswith(".term")]
    return [(entries[f"{name}.term"], entries[f"{name}.meaning"]) for name in names]


def making(study: Study) -> PageSection:
    """How the page was made: runs, seeds, digests, versions, rulings."""
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
        rows.append(
            [
                study.numbers.integer(value) if column.endswith("games") else str(value)
                for column, value in cells.items()
            ]
        )
        records.append(cells)
    table = Table(
        "making", study.text("making.caption"), [study.text(f"making.{column}") for column in columns], rows, records
    )
    versions = {name: version for one in study.runs for name, version in one.run.meta.get("versions", {}).items()}
    listed = (
        study.text("making.versions", versions=", ".join(f"{name} {version}" for name, version in versions.items()))
        if versions
        else study.text("making.no_versions")
    )
    settings = Table(
        "rulings",
        study.text("making.rulings"),
        [study.text("making.ruling"), *(study.run_name(one) for one in study.runs)],
        *_rulings(study),
    )
    answer = study.text("making.answer", runs=len(study.runs))
    intervals = Paragraph(study.text("making.intervals", level=study.level()))
    return PageSection(
        "making", study.text("page.making"), answer, [intervals, table, *_stopped(study), Paragraph(listed), settings]
    )


def _stopped(study: Study) -> list[Paragraph]:
    """The runs that stopped themselves, and on what."""
    texts = []
    label = game(study.runs[0].run.config.game).words.metric_label
    for one in study.runs:
        rule = one.run.meta.get("until", {})
        if rule.get("reached") and rule["games"] == one.sample.games:
            precisions = study.text("common.semicolon").join(
                f"{label(measured['name'], study.words.language)} (±\u00a0{_precision(study, measured)})"
                for measured in rule["measured"]
            )
            level, games = study.numbers.percent(1 - rule["alpha"], 0), study.numbers.integer(rule["games"])
            texts.append(
                Paragraph(
                    study.text(
                        "making.stopped", run=study.run_name(one), games=games, level=level, precisions=precisions
                    )
                )
            )
    return texts


def _precision(study: Study, measured: Mapping[str, Any]) -> str:
    asked = measured["half_width"]
    shown = Decimal(f"{100 * asked if measured['relative'] else asked:.6g}")
    digits = len(f"{shown:f}".partition(".")[2])
    return study.numbers.percent(asked, digits) if measured["relative"] else study.numbers.decimal(asked, digits)


def _rulings(study: Study) -> tuple[list[list[str]], list[dict[str, Any]]]:
    columns = [
        {
            key: ", ".join(value) if isinstance(value, tuple) else value
            for key, value in one.run.config.rules.model_dump().items()
        }
        for one in study.runs
    ]
    names = dict.fromkeys(name for column in columns for name in column)  # `without` is there only where a rule is out
    rows = [[name, *(str(column.get(name, "")).lower() for column in columns)] for name in names]
    records = [
        {"run": one.label, "players": one.players, **column} for one, column in zip(study.runs, columns, strict=True)
    ]
    return rows, records


def command(study: Study, out: Path) -> str:
    """The commands that make the runs and the page again."""
    lines, folders = [], []
    for one in study.runs:
        folder = getattr(one.run, "folder", None)
        folders.append(str(folder) if folder else "RUN")
        lines.append(one.run.meta.get("command", ""))
    report = (
        f"numbluff report {' '.join(shlex.quote(folder) for folder in folders)} --lang {study.words.language} "
        f"--out {shlex.quote(str(out))}"
    )
    return "\n".join([*filter(None, lines), report])
