"""Metrics and events of NUM BLUFF in words."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_words import MetricWords, Named, table
from numbluff_sim.contract.rules import rule_book
from numbluff_sim.games.num_bluff.rules_section import EVENT_METRICS

PACKAGE = "numbluff_sim.games.num_bluff"
METRICS, REPORT = f"{PACKAGE}:metrics", f"{PACKAGE}:report"


def event_titles(language: str) -> dict[str, str]:
    """What the events of a round are called, by name, in "en" or "fr"."""
    return rule_book(PACKAGE).event_titles(language)


WORDS = MetricWords(
    METRICS,
    REPORT,
    (
        Named("event", event_titles, tuple(EVENT_METRICS)),
        Named("mechanism", table(REPORT, "mechanisms")),
        Named("quantile", table(METRICS, "quantiles")),
        Named("role", table(METRICS, "positions")),
        Named("tie", table(METRICS, "ties")),
    ),
)
