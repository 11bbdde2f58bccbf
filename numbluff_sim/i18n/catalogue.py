"""Catalogues of texts: a TOML file a domain and language, keys joined by dots.

The domain `<package>:<name>` is the file `texts/<name>.<language>.toml` of that package: texts live with the game or
the study they are about.

Texts are `str.format` templates with named placeholders; `{points:point|points}` is a word that agrees with a number.
French texts are typed with plain spaces; the loader puts the no-break spaces where French typography wants them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from numbluff_sim.errors import ConfigError, one_of
from numbluff_sim.i18n.numbers import Numbers

LANGUAGES = ("en", "fr")
NARROW, NO_BREAK = "\u202f", "\u00a0"


def french_spacing(text: str) -> str:
    """Plain spaces before ; ! ? % become narrow no-break ones, those before : and inside guillemets no-break ones."""
    text = re.sub(r" (?=[;!?%])", NARROW, text)
    text = re.sub(r" (?=[:»])", NO_BREAK, text)
    return re.sub(r"(?<=«) ", NO_BREAK, text)


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


#: Numbers, as pages write them, that take the singular.
SINGULAR = {"en": ("1",), "fr": ("0", "1")}


class _Agreeing(Formatter):
    """`str.format`, but a format with a bar holds the singular and the plural of a word: the number as it is written
    chooses.
    """

    def __init__(self, language: str) -> None:
        self.singular = SINGULAR[language]

    def format_field(self, value: Any, format_spec: str) -> str:
        """A placeholder's text."""
        one, bar, many = format_spec.partition("|")
        if not bar:
            return format(value, format_spec)
        return one if str(value) in self.singular else many


@dataclass(frozen=True)
class Catalogue:
    """The texts of one domain in one language."""

    domain: str
    language: str
    texts: Mapping[str, str]

    @property
    def numbers(self) -> Numbers:
        """Number formats of the catalogue's language."""
        return Numbers(self.language)

    def text(self, key: str, /, **values: object) -> str:
        """The text of `key` with its placeholders filled. KeyError names a missing key or placeholder: both are
        mistakes of the program.
        """
        return _Agreeing(self.language).vformat(self.texts[key], (), values)

    def placeholders(self, key: str) -> frozenset[str]:
        """Names of the placeholders of the text of `key`."""
        return placeholders(self.texts[key])

    def under(self, prefix: str) -> dict[str, str]:
        """All texts below `prefix`, in file order, by the rest of their key."""
        return {key[len(prefix) + 1 :]: text for key, text in self.texts.items() if key.startswith(prefix + ".")}


def placeholders(text: str) -> frozenset[str]:
    """Names of the placeholders of a template."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@cache
def load_catalogue(domain: str, language: str) -> Catalogue:
    """The catalogue of a domain `<package>:<name>`; `language` is one of LANGUAGES, else a ConfigError is raised."""
    if language not in LANGUAGES:
        raise ConfigError(
            f'there are no texts in "{language}"', key="language", value=language, expected=one_of(LANGUAGES)
        )
    package, _, name = domain.partition(":")
    raw = tomllib.loads((files(package) / "texts" / f"{name}.{language}.toml").read_text(encoding="utf-8"))
    typeset = french_spacing if language == "fr" else str
    return Catalogue(domain, language, {key: typeset(text) for key, text in _flatten(raw)})


#: The domain whose texts every page shares, and the one whose texts the balance reports of all games share.
PAGE, BALANCE = "numbluff_sim.analysis.report:page", "numbluff_sim.analysis.report:balance"


@cache
def page_catalogue(domain: str, language: str) -> Catalogue:
    """The catalogue of a page: the texts all pages share, and those of its own domain laid over them."""
    return Catalogue(
        domain, language, {**load_catalogue(PAGE, language).texts, **load_catalogue(domain, language).texts}
    )


@cache
def balance_catalogue(domain: str, language: str) -> Catalogue:
    """The catalogue of a game's balance report: what all pages share, what all such reports share, and the game's
    own texts laid over them.
    """
    shared = page_catalogue(BALANCE, language)
    return Catalogue(domain, language, {**shared.texts, **load_catalogue(domain, language).texts})
