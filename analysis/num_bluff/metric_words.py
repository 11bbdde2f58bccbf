"""Metrics and events of NUM BLUFF in words."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_words import MetricWords, table
from numbluff_sim.contract.rules import rule_book

PACKAGE = "numbluff_sim.games.num_bluff"
METRICS, REPORT = f"{PACKAGE}:metrics", f"{PACKAGE}:report"


def event_titles(language: str) -> dict[str, str]:
    """What the events of a round are called, by name, in "en" or "fr"."""
    return rule_book(PACKAGE).event_titles(language)


WORDS = MetricWords(
    METRICS,
    REPORT,
    (
        ("event", event_titles),
        ("mechanism", table(REPORT, "mechanisms")),
        ("quantile", table(METRICS, "quantiles")),
        ("role", table(METRICS, "positions")),
        ("tie", table(METRICS, "ties")),
    ),
)
