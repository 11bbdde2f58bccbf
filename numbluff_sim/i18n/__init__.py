"""Texts and numbers for people, in English and French."""

from numbluff_sim.i18n.bilingual import Bilingual, bilingual
from numbluff_sim.i18n.catalogue import LANGUAGES, Catalogue, balance_catalogue, load_catalogue, page_catalogue
from numbluff_sim.i18n.numbers import Numbers

__all__ = [
    "LANGUAGES",
    "Bilingual",
    "Catalogue",
    "Numbers",
    "balance_catalogue",
    "bilingual",
    "load_catalogue",
    "page_catalogue",
]
