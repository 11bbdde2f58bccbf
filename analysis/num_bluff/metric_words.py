"""Metrics of NUM BLUFF in words; the texts are those of the catalogue `metric_words`."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_words import MetricWords

METRICS, REPORT = "numbluff_sim.games.num_bluff:metrics", "numbluff_sim.games.num_bluff:report"
WORDS = MetricWords(
    METRICS,
    REPORT,
    (
        ("event", REPORT, "events"),
        ("mechanism", REPORT, "mechanisms"),
        ("quantile", METRICS, "quantiles"),
        ("role", METRICS, "positions"),
        ("tie", METRICS, "ties"),
    ),
)
