"""Metrics in words, from a catalogue of patterns: a short label for every metric of a game, and the group it stands
in. Knows no game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from numbluff_sim.i18n.catalogue import balance_catalogue, load_catalogue, placeholders


@dataclass(frozen=True)
class MetricWords:
    """The texts of one game's metrics.

    `domain`: catalogue whose keys `metrics.<group>.<pattern>` are names of metrics with placeholders; `report`: that of
    the game's report, for what denominators are called; `named`: (placeholder, what it may stand for with its words, in
    a language). Other placeholders are whole numbers.
    """

    domain: str
    report: str
    named: tuple[tuple[str, Callable[[str], Mapping[str, str]]], ...] = ()

    def metric_label(self, name: str, language: str) -> str:
        """A metric in some 45 letters at most, understandable without its name. KeyError for a name that is no
        metric of the game.
        """
        key, found = _parsed(self, name)
        words = {field: self._word(field, value, language) for field, value in found.items()}
        return load_catalogue(self.domain, language).text(key, **words)

    def metric_group(self, name: str) -> str:
        """The group of metrics that one stands in. KeyError for a name that is no metric of the game."""
        return _parsed(self, name)[0].split(".")[1]

    def group_label(self, group: str, language: str) -> str:
        """The title of a group of metrics."""
        return load_catalogue(self.domain, language).text(f"groups.{group}")

    def denominator_label(self, name: str, language: str) -> str:
        """What an estimate's `denominator` counts, in words, plural. KeyError for a denominator that is none of the
        game's.
        """
        return balance_catalogue(self.report, language).text(
            f"denominators.{name.replace(' ', '_').replace('-', '_').replace(',', '')}"
        )

    def rows(self, language: str, *metrics: str) -> list[tuple[str, str]]:
        """Rows of a table: metrics with their own labels."""
        return [(self.metric_label(metric, language), metric) for metric in metrics]

    def values(self, field: str, language: str) -> Mapping[str, str] | None:
        """What a placeholder may stand for, with its words; None where it is a whole number."""
        return next((words(language) for name, words in self.named if name == field), None)

    def _word(self, field: str, value: str, language: str) -> str:
        if field == "seat":
            return str(int(value) + 1)  # names count seats from 0, the pages from 1
        words = self.values(field, language)
        return value if words is None else words[value]


def table(domain: str, name: str) -> Callable[[str], Mapping[str, str]]:
    """The words of a table of a catalogue, by key, in a language."""
    return lambda language: load_catalogue(domain, language).under(name)


@cache
def _parsed(words: MetricWords, name: str) -> tuple[str, Mapping[str, str]]:
    """The catalogue's key whose pattern fits a metric's name, the first one, and what its placeholders stand for."""
    for key, pattern in _patterns(words):
        if match := pattern.fullmatch(name):
            return key, MappingProxyType(match.groupdict())
    raise KeyError(name)


@cache
def _patterns(words: MetricWords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (key, _pattern(words, key.split(".", 2)[2]))
        for key in load_catalogue(words.domain, "en").texts
        if key.startswith("metrics.")
    )


def _pattern(words: MetricWords, text: str) -> re.Pattern[str]:
    """A name with placeholders as a regular expression."""
    fields = {}
    for field in placeholders(text):
        known = words.values(field, "en")
        fields[field] = "[0-9]+" if known is None else "|".join(known)
    return re.compile(text.format(**{field: f"(?P<{field}>{values})" for field, values in fields.items()}))
