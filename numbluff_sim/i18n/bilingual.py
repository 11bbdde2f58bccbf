"""A text in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from numbluff_sim.i18n.catalogue import load_catalogue


@dataclass(frozen=True)
class Bilingual:
    """A sentence or a label in English and in French, typeset."""

    en: str
    fr: str

    def in_language(self, language: str) -> str:
        """The text in "en" or "fr"."""
        return {"en": self.en, "fr": self.fr}[language]


def bilingual(domain: str, key: str, /, **values: object) -> Bilingual:
    """The text of a key of a catalogue in both languages, placeholders filled."""
    return Bilingual(*(load_catalogue(domain, language).text(key, **values) for language in ("en", "fr")))
