"""Metrics of Perudo in words; the texts are those of the catalogue `perudo_metrics`."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_words import MetricWords

WORDS = MetricWords("perudo_metrics", "perudo_report", (("rule", "perudo_metrics", "opener_rules"), ("quantile", "perudo_metrics", "quantiles")))
metric_label, metric_group = WORDS.metric_label, WORDS.metric_group
group_label, denominator_label = WORDS.group_label, WORDS.denominator_label
