"""Metrics of Perudo in words."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_words import MetricWords, table
from numbluff_sim.contract.rules import rule_book

PACKAGE = "numbluff_sim.games.perudo"
METRICS, REPORT = f"{PACKAGE}:metrics", f"{PACKAGE}:report"
WORDS = MetricWords(
    METRICS,
    REPORT,
    (
        ("event", lambda language: rule_book(PACKAGE).event_titles(language)),
        ("rule", table(METRICS, "opener_rules")),
        ("quantile", table(METRICS, "quantiles")),
    ),
)
