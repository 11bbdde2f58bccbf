"""The rules calculator and the reference resolve the same random rounds alike: any deck, any rulings, fusions and
empty hidden sides.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from numbluff_sim.config import load, restore
from numbluff_sim.games.num_bluff.explain import explained
from numbluff_sim.games.num_bluff.resolve import resolve
from numbluff_sim.i18n import load_catalogue
from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Card, Family, build_deck
from tests.games.num_bluff.reference.cases import resolve_case
from tests.games.num_bluff.reference.setup import Setup
from tests.games.num_bluff.reference.strategies import decks, rules

#: Decks in which much happens: Miroirs in one, Frappes in the other.
MIRRORS = (
    Family("rouge", "classic", 3, 4, copies=9),
    Family("vert", "classic", 3, 4, copies=9),
    Family("arc", "rainbow", 2, 4, copies=2, reach=2),
    Family("ombre", "shadow", 1, 3, copies=3, reach=2),
)
FRAPPES = (
    Family("rouge", "classic", 0, 4, copies=2),
    Family("arc", "rainbow", 0, 3, copies=6, reach=2),
    Family("ombre", "shadow", 1, 3, copies=4, reach=2),
)


@st.composite
def case(draw: st.DrawFn, deck: list[Card]) -> dict[str, Any]:
    """A round that can lie on a table."""
    players, ruling = draw(st.integers(3, 6)), draw(rules())
    left = draw(st.permutations(deck))
    visible, left = left[:players], left[players:]
    hidden: list[list[Card]] = []
    for _ in range(players):
        size = draw(st.sampled_from((1, 1, 1, 2, 2, 0)))
        side = left[: min(size, 1)]
        if size == 2 and side and ruling.stands("fusion"):
            side = [*side, *[card for card in left[1:] if card.family == side[0].family][:1]]
        left = [card for card in left if card not in side]
        hidden.append(side)
    pot = left[: draw(st.sampled_from((0, 1, 3, 13)))] if ruling.stands("pot") else []
    return {
        "bluffer": draw(st.integers(0, players - 1)),
        "visible": list(map(str, visible)),
        "hidden": [list(map(str, side)) for side in hidden],
        "pot": list(map(str, pot)),
        "rules": {**ruling.to_table(), "last_tie": "clockwise", "bluffer_may_fuse": True},
    }


def cases(families: tuple[Family, ...], at_once: int) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(case(build_deck(families)), min_size=at_once, max_size=at_once)


def agree(examples: int) -> None:
    """Hold the calculator against the reference engine, in so many decks of 20 rounds each."""

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def each(data: st.DataObject) -> None:
        families = data.draw(decks().filter(lambda f: len(build_deck(f)) >= 18))
        some = data.draw(cases(families, 20))
        setup = Setup(1, (), families)
        config = restore({**load().resolved(), "deck": setup.to_resolved()["deck"]})
        found = resolve({"rounds": some}, config)["rounds"]
        for number, (mine, given_case) in enumerate(zip(found, some, strict=True)):
            assert mine == {"id": number, **resolve_case(given_case, families)}, given_case

    each()


@pytest.mark.kernels
def test_calculator__agrees_with_the_reference() -> None:
    agree(10)


@pytest.mark.agreement
def test_calculator__agrees_with_the_reference_in_four_thousand_rounds() -> None:
    agree(200)


@pytest.mark.thorough
def test_explanations__every_sentence_is_said_and_none_is_broken() -> None:
    said: dict[str, list[str]] = {"en": [], "fr": []}
    counted: Counter[str] = Counter()
    configs = {
        families: restore({**load().resolved(), "deck": Setup(1, (), families).to_resolved()["deck"]})
        for families in (MIRRORS, FRAPPES)
    }

    # with this seed every sentence is said; Hypothesis would derive one from the source, and every layout another
    @seed(2)
    @settings(
        max_examples=100,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.tuples(cases(MIRRORS, 10), cases(FRAPPES, 10)))
    def each(drawn: tuple[list[dict[str, Any]], ...]) -> None:
        for config, some in zip(configs.values(), drawn, strict=True):
            for one in some[::3]:  # rounds without a pot that have a use for it are rare otherwise
                one["pot"] = []
                one["rules"] |= {
                    "several_exact_bluffer_card": "pot",
                    "master_bonus": True,
                    "without": ["miroir_parfait", "frappe_parfaite", "pot"],
                }
            for language, texts in said.items():
                texts.append(explained({"rounds": some}, config, language))
            counted["rounds"] += len(some)

    each()
    assert counted["rounds"] >= 1000
    for language, texts in said.items():
        text = "\n".join(texts)
        assert "{" not in text
        texts_by_key = load_catalogue("numbluff_sim.games.num_bluff:resolve", language).texts
        patterns = {
            key: ".*".join(map(re.escape, re.split(r"\{\w+\}", template))) for key, template in texts_by_key.items()
        }
        assert [key for key, pattern in patterns.items() if not re.search(pattern, text)] == []


def test_cases__default_deck_is_the_reference_deck() -> None:
    """What the comparisons above stand on."""
    assert [str(card) for card in build_deck(DEFAULT_FAMILIES)] == [f"{f.name}-{v}" for f, v in load().deck.cards]  # type: ignore[attr-defined]
