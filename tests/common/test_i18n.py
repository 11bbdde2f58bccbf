"""Catalogues and number formats."""

from pathlib import Path

import pytest

from numbluff_sim.i18n import LANGUAGES, Catalogue, Numbers, load_catalogue
from numbluff_sim.i18n.catalogue import french_spacing, placeholders
from numbluff_sim.i18n.numbers import digits_for

ROOT = Path(__file__).parents[2]
HOMES = {"numbluff_sim": "numbluff_sim", "analysis": "numbluff_sim.analysis"}


def domain_of(file: Path) -> str:
    """The domain that a file of texts holds."""
    inside = file.relative_to(ROOT).parent.parent.as_posix().replace("/", ".")
    home = inside.partition(".")[0]
    return f"{HOMES[home]}{inside.removeprefix(home)}:{file.name.split('.')[0]}"


DOMAINS = sorted(
    {
        domain_of(file)
        for home in HOMES
        for file in (ROOT / home).rglob("texts/*.toml")
        if not (ROOT / home / "analysis" in file.parents or ROOT / home / "kernels" in file.parents)
    }
)
#: What reads alike in both languages, by domain: signs, numbers, the game's own terms and words that French shares.
ALIKE = {
    "numbluff_sim.games.perudo:resolve": {"value"},
    "numbluff_sim.games.num_bluff:replay": {"fusion"},
    "numbluff_sim.analysis.studies.what_if_one:what_if_one": {"effects.points", "effects.pp", "glossary.pp.term"},
    "numbluff_sim.analysis.studies.compare:compare": {
        "effects.from_to",
        "figures.impacts.of_kind",
        "effects.p_large",
    },
    "numbluff_sim.analysis.studies.sweep:sweep": {
        "facts.points",
        "targets.head_distance",
        "making.head_base",
        "glossary.point.term",
        "glossary.distance.term",
        "glossary.front.term",
    },
    "numbluff_sim.analysis.studies.calibrate:calibrate": {"left.head_status"},
    "numbluff_sim.analysis.studies.tune:tune": {"answer.base", "answer.head_status", "trials.head_distance"},
    "numbluff_sim.analysis.report:page": {
        "common.value_with_interval",
        "common.n",
        "common.p_value",
        "common.p_below",
        "common.percentage_points",
    },
    "numbluff_sim.analysis.report:balance": {"claims.verdict", "claims.counted", "glossary_of_figures.pp.term"},
    "numbluff_sim.games.num_bluff:report": {
        "glossary.miroir.term",
        "glossary.frappe.term",
        "glossary.coup.term",
        "glossary.epargne.term",
        "glossary.maitre.term",
    },
    "numbluff_sim.games.num_bluff:resolve": {
        "words.plus",
        "words.one_point",
        "words.points",
        "words.worth",
    },
}


def test_catalogues__report_is_there():
    assert "numbluff_sim.games.num_bluff:report" in DOMAINS
    assert len(load_catalogue("numbluff_sim.games.num_bluff:report", "en").texts) > 200


@pytest.mark.parametrize("domain", DOMAINS)
def test_catalogues__same_keys_in_the_same_order(domain):
    english, french = (list(load_catalogue(domain, language).texts) for language in LANGUAGES)
    assert english == french


@pytest.mark.parametrize("domain", DOMAINS)
def test_catalogues__same_placeholders(domain):
    english, french = (load_catalogue(domain, language).texts for language in LANGUAGES)
    assert {key: placeholders(text) for key, text in english.items()} == {
        key: placeholders(text) for key, text in french.items()
    }


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues__no_empty_text(domain, language):
    assert [
        key
        for key, text in load_catalogue(domain, language).texts.items()
        if not isinstance(text, str) or not text.strip()
    ] == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_catalogues__nothing_left_untranslated(domain):
    english, french = (load_catalogue(domain, language).texts for language in LANGUAGES)
    assert {key for key, text in english.items() if text == french[key]} == ALIKE.get(domain, set())


def test_french_spacing__no_break_spaces_where_french_wants_them():
    assert french_spacing("Quoi ? « Oui » : 5 %") == "Quoi\u202f? «\u00a0Oui\u00a0»\u00a0: 5\u202f%"


@pytest.mark.parametrize(
    ("language", "count", "expected"),
    [
        ("en", "0", "0 points do"),
        ("en", 1, "1 point does"),
        ("en", "1,001", "1,001 points do"),
        ("fr", "0", "0 point does"),
        ("fr", "1", "1 point does"),
        ("fr", 2, "2 points do"),
    ],
)
def test_text__words_agree_with_numbers_as_each_language_does(language, count, expected):
    assert Catalogue("x", language, {"a": "{n} {n:point does|points do}"}).text("a", n=count) == expected


def test_text__missing_placeholder_is_a_mistake():
    with pytest.raises(KeyError):
        load_catalogue("numbluff_sim.analysis.report:balance", "en").text("common.run", label="x")


@pytest.mark.parametrize(("language", "expected"), [("en", "12,345.68"), ("fr", "12\u202f345,68")])
def test_decimal__as_the_language_writes_it(language, expected):
    assert Numbers(language).decimal(12345.678, 2) == expected


@pytest.mark.parametrize(("language", "expected"), [("en", "1.6%"), ("fr", "1,6\u202f%")])
def test_percent__as_the_language_writes_it(language, expected):
    assert Numbers(language).percent(0.016) == expected


def test_decimal__true_minus_and_no_negative_zero():
    assert Numbers("en").decimal(-0.26, 1) == "\u22120.3"
    assert Numbers("en").decimal(-0.04, 1) == "0.0"


@pytest.mark.parametrize(("language", "expected"), [("en", "\u22120.3 to 0.1"), ("fr", "\u22120,3 à 0,1")])
def test_interval__a_word_between_signed_ends(language, expected):
    assert Numbers(language).interval(-0.3, 0.1, 1) == expected


@pytest.mark.parametrize(
    ("value", "half", "digits"),
    [(0.0573, 0.0006, 4), (1.573, 0.015, 2), (146, 3, 0), (64.5, 0.0001, 2), (0.0, 0.002, 3)],
)
def test_digits__one_digit_of_the_half_width_four_of_the_value(value, half, digits):
    assert digits_for(value, value - half, value + half) == digits
