"""Metrics in words: a short label for every metric, and the group it stands in. The texts are those of the catalogue `metric_words`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from numbluff_sim.i18n.catalogue import load_catalogue, page_catalogue, placeholders

#: Placeholder of a pattern -> catalogue and table that name what it stands for. The other placeholders are whole numbers.
NAMED = {
    "event": ("report", "events"),
    "mechanism": ("report", "mechanisms"),
    "quantile": ("metric_words", "quantiles"),
    "role": ("metric_words", "positions"),
    "tie": ("metric_words", "ties"),
}


def metric_label(name: str, language: str) -> str:
    """A metric in some 45 letters at most, understandable without its name. KeyError for a name that is no metric of the game."""
    key, found = _parsed(name)
    words = {field: _word(field, value, language) for field, value in found.items()}
    return load_catalogue("metric_words", language).text(key, **words)


def metric_group(name: str) -> str:
    """The group of `metrics.GROUPS` that a metric stands in. KeyError for a name that is no metric of the game."""
    return _parsed(name)[0].split(".")[1]


def group_label(group: str, language: str) -> str:
    """The title of a group of `metrics.GROUPS`."""
    return load_catalogue("metric_words", language).text(f"groups.{group}")


def denominator_label(name: str, language: str) -> str:
    """What an estimate's `denominator` counts, in words, plural. KeyError for a denominator that is none of the game's."""
    return page_catalogue("report", language).text(f"denominators.{name.replace(' ', '_').replace('-', '_').replace(',', '')}")


@cache
def _parsed(name: str) -> tuple[str, Mapping[str, str]]:
    """The catalogue's key whose pattern fits a metric's name, the first one, and what its placeholders stand for."""
    for key, pattern in _patterns():
        if match := pattern.fullmatch(name):
            return key, MappingProxyType(match.groupdict())
    raise KeyError(name)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((key, _pattern(key.split(".", 2)[2])) for key in load_catalogue("metric_words", "en").texts if key.startswith("metrics."))


def _pattern(text: str) -> re.Pattern[str]:
    """A name with placeholders as a regular expression."""
    fields = {field: "|".join(_words(field, "en")) if field in NAMED else "[0-9]+" for field in placeholders(text)}
    return re.compile(text.format(**{field: f"(?P<{field}>{values})" for field, values in fields.items()}))


def _word(field: str, value: str, language: str) -> str:
    if field == "seat":
        return str(int(value) + 1)  # names count seats from 0, the pages from 1
    return _words(field, language)[value] if field in NAMED else value


def _words(field: str, language: str) -> dict[str, str]:
    domain, table = NAMED[field]
    return load_catalogue(domain, language).under(table)
