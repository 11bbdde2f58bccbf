"""What `numbluff sweep` prints: the nearest points and the smallest change, else the ends of the metrics; indices of
a sobol design.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from numbluff_sim.analysis.studies.sweep.words import SweepWords
    from numbluff_sim.studies.sweep.data import Finished

PLAIN_WIDTH = 150
#: Metrics whose ends are shown.
SHOWN = 12
#: Metrics whose indices are shown.
SHOWN_INDICES = 5


def print_results(finished: Finished, language: str) -> None:
    """The results as tables, and the findings on the targets."""
    from rich.console import Console
    from rich.text import Text

    from numbluff_sim.analysis.studies.sweep.findings import target_findings
    from numbluff_sim.analysis.studies.sweep.words import SweepWords
    from numbluff_sim.studies.sweep.data import sweep_data

    words = SweepWords.of(sweep_data(finished), language)
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    results, numbers = finished.results, words.numbers
    console.print(
        Text(
            words.text(
                "terminal.points",
                points=numbers.integer(results.points),
                games=numbers.integer(finished.sweep.settings.games),
                refused=numbers.integer(results.refused),
                played=numbers.integer(finished.played),
            ),
            style="italic",
        )
    )
    for line in words.seat_lines(words.data.seating):
        console.print(Text(line))
    for finding in target_findings(words):
        console.print(Text(finding.title, style="bold"))
        console.print(Text(finding.text))
    if results.best is not None and results.best.judgement.met_by_value:
        console.print(Text(words.text("terminal.confirm")))
        console.print(Text(words.data.check), soft_wrap=True)
    console.print(_front(words) if results.base is not None else _ends(words))
    if results.sensitivities:
        console.print(_indices(words))


def _front(words: SweepWords) -> Table:
    from rich.table import Table

    from numbluff_sim.analysis.studies.sweep.tables import front_table

    made = front_table(words)
    table = Table(title=words.text("terminal.front"), title_justify="left", title_style="bold")
    for place, head in enumerate(made.head):
        table.add_column(head, justify="right" if place in (1, 2) else "left")
    for row in made.rows:
        table.add_row(*row)
    return table


def _ends(words: SweepWords) -> Table:
    from rich.table import Table

    results = words.data.results
    table = Table(title=words.text("terminal.ends"), title_justify="left", title_style="bold")
    for name in ("metric", "lowest", "highest"):
        table.add_column(words.text(f"terminal.head_{name}"))
    for metric in [metric for metric in words.data.metrics if metric in results.lowest][:SHOWN]:
        ends = (results.lowest[metric], results.highest[metric])
        table.add_row(
            words.metric(metric),
            *(f"{words.cell(estimate)}\n{words.point(point)}" for point, estimate in ends),
            end_section=True,
        )
    return table


def _indices(words: SweepWords) -> Table:
    from rich.table import Table

    from numbluff_sim.analysis.studies.sweep.tables import index_table

    made = index_table(words)
    table = Table(title=words.text("terminal.indices"), title_justify="left", title_style="bold")
    for place, head in enumerate(made.head):
        table.add_column(head, justify="left" if place < 2 else "right")
    for row in made.rows[: SHOWN_INDICES * len(words.data.axes)]:
        table.add_row(*row)
    return table
