"""Metrics of Perudo in words; the texts are those of the catalogue `perudo_metrics`."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_words import MetricWords

METRICS, REPORT = "numbluff_sim.games.perudo:metrics", "numbluff_sim.games.perudo:report"
WORDS = MetricWords(METRICS, REPORT, (("rule", METRICS, "opener_rules"), ("quantile", METRICS, "quantiles")))
