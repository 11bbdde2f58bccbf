"""Metrics of NUM BLUFF in words; the texts are those of the catalogue `metric_words`."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_words import MetricWords

WORDS = MetricWords(
    "metric_words",
    "report",
    (
        ("event", "report", "events"),
        ("mechanism", "report", "mechanisms"),
        ("quantile", "metric_words", "quantiles"),
        ("role", "metric_words", "positions"),
        ("tie", "metric_words", "ties"),
    ),
)
metric_label, metric_group = WORDS.metric_label, WORDS.metric_group
group_label, denominator_label = WORDS.group_label, WORDS.denominator_label
