"""Metrics of Perudo in words."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_words import MetricWords, Named, table
from numbluff_sim.contract.rules import rule_book
from numbluff_sim.games.perudo.rules_section import EVENT_METRICS

PACKAGE = "numbluff_sim.games.perudo"
METRICS, REPORT = f"{PACKAGE}:metrics", f"{PACKAGE}:report"
WORDS = MetricWords(
    METRICS,
    REPORT,
    (
        Named("event", lambda language: rule_book(PACKAGE).event_titles(language), tuple(EVENT_METRICS)),
        Named("rule", table(METRICS, "opener_rules")),
        Named("quantile", table(METRICS, "quantiles")),
    ),
)
