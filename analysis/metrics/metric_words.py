"""Metrics in words, from a catalogue of patterns: a short label for every metric of a game, and the group it stands
in. Knows no game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from numbluff_sim.i18n.catalogue import balance_catalogue, load_catalogue, placeholders


@dataclass(frozen=True)
class Named:
    """A placeholder whose values have names.

    `words`: what each is called, by name, in a language; `names`: the names, where they are known without the words.
    """

    field: str
    words: Callable[[str], Mapping[str, str]]
    names: tuple[str, ...] | None = None


@dataclass(frozen=True)
class MetricWords:
    """The texts of one game's metrics.

    `domain`: catalogue whose keys `metrics.<group>.<pattern>` are names of metrics with placeholders; `report`: that of
    the game's report, for what denominators are called; `named`: placeholders whose values have names. {persona} is
    what somebody called a way of playing; other placeholders are whole numbers.
    """

    domain: str
    report: str
    named: tuple[Named, ...] = ()

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

    def names(self, field: str) -> Iterable[str] | None:
        """What a placeholder may stand for; None where it is a whole number."""
        for one in self.named:
            if one.field == field:
                return one.words("en") if one.names is None else one.names
        return None

    def _word(self, field: str, value: str, language: str) -> str:
        if field == "seat":
            return str(int(value) + 1)  # names count seats from 0, the pages from 1
        return next((one.words(language)[value] for one in self.named if one.field == field), value)


def table(domain: str, name: str) -> Callable[[str], Mapping[str, str]]:
    """The words of a table of a catalogue, by key, in a language."""
    return lambda language: load_catalogue(domain, language).under(name)


@cache
def _parsed(words: MetricWords, name: str) -> tuple[str, Mapping[str, str]]:
    """The catalogue's key whose pattern fits a metric's name, the first one, and what its placeholders stand for."""
    for key, text in _names(words):
        # most names begin otherwise: their patterns are never made
        if name.startswith(text.partition("{")[0]) and (match := _pattern(words, text).fullmatch(name)):
            return key, MappingProxyType(match.groupdict())
    raise KeyError(name)


@cache
def _names(words: MetricWords) -> tuple[tuple[str, str], ...]:
    """Keys of the catalogue with the names that they stand for."""
    return tuple(
        (key, key.split(".", 2)[2]) for key in load_catalogue(words.domain, "en").texts if key.startswith("metrics.")
    )


@cache
def _pattern(words: MetricWords, text: str) -> re.Pattern[str]:
    """A name with placeholders as a regular expression."""
    fields = {}
    for field in placeholders(text):
        known = words.names(field)
        fields[field] = "[0-9]+" if known is None else "|".join(known)
    if "persona" in fields:
        fields["persona"] = ".+"
    named = {field: f"(?P<{field}>{values})" for field, values in fields.items()}
    return re.compile(text.format(**named), re.DOTALL)
