"""What a persona of the reference engine chooses, says and hears, on hands worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.common.randomness import Randomness
from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Card, Family, build_deck
from tests.games.num_bluff.reference.choosing import Aim, Announcement, Chooser, announce, candidates
from tests.games.num_bluff.reference.setup import (
    BlufferWeights,
    Persona,
    Rules,
    Setup,
    Weights,
    persona_from_config,
    persona_to_config,
)

DECK = build_deck(DEFAULT_FAMILIES)
CARDS = {str(card): card for card in DECK}


def cards(text: str) -> list[Card]:
    return [CARDS[name] for name in text.split()]


def chooser(
    persona: Persona, hand: str, visible: str, seat: int = 1, wild_adjusts: str = "hidden", game: int = 0, **rules: Any
) -> Chooser:
    setup = Setup(5, (persona,) * len(visible.split()), rules=Rules(wild_adjusts=wild_adjusts, **rules))
    return Chooser(setup, DECK, Randomness(5, game), 0, seat, cards(hand), cards(visible))


def picked(persona: Persona, hand: str, visible: str, aim: int, named: tuple[str, int, bool] | None = None) -> str:
    """What the player at seat 1 hides against a bluffer at seat 0."""
    table = chooser(persona, hand, visible)
    return "+".join(map(str, table.against(Aim(aim, named), table.visible[0]).cards))


def test_candidates__order_and_numbers() -> None:
    found = candidates(cards("rouge-1 vert-2 rouge-3 rouge-4"), may_fuse=True)
    assert [(c.slots, c.number) for c in found] == [
        ((0,), 0),
        ((1,), 1),
        ((2,), 2),
        ((3,), 3),
        ((0, 2), 65),
        ((0, 3), 67),
        ((2, 3), 69),
    ]
    assert [c.slots for c in candidates(cards("rouge-1 rouge-3"), may_fuse=False)] == [(0,), (1,)]


# Visible: bluffer bleu-4, own vert-5. Hand totals: rouge-2 7, vert-6 11, rainbow-3 8..11, vert-1 6, vert-1+6 12.
HAND, SHOWN = "rouge-2 vert-6 rainbow-3 vert-1", "bleu-4 vert-5 jaune-9"


@pytest.mark.parametrize(
    ("weights", "aim", "expected"),
    [
        ({"gap": -32}, 6, "vert-1"),
        ({"gap": -32}, 11, "vert-6"),  # rainbow-3 reaches 11 too: the first among equals
        ({"gap": -32}, 12, "vert-6+vert-1"),
        ({"gap": 32}, 9, "vert-1"),  # gaps 2, 2, 0, 3 and, fused, 3: singles come first
        ({"hit_natural": 32}, 8, "rainbow-3"),
        ({"hit_fusion": 32}, 12, "vert-6+vert-1"),
        ({"hit_adjust": 32}, 11, "rainbow-3"),
        ({"hit_adjust": 32, "gap": -1}, 8, "rainbow-3"),  # natural, not adjusted: chosen for its gap
        ({"same_family": 32}, 7, "vert-6"),
        ({"same_family_gap": 32}, 7, "vert-6+vert-1"),  # gaps of vert: 4, 1, 5
        ({"frappe": 32}, 12, "vert-6+vert-1"),
        ({"frappe": 32}, 6, "vert-1"),
        ({"points": 32}, 7, "vert-6+vert-1"),
        ({"points": -32}, 7, "vert-1"),
        ({"is_fusion": 32}, 7, "vert-6+vert-1"),
        ({"is_fusion": -32}, 7, "rouge-2"),
        ({}, 7, "rouge-2"),
    ],
)
def test_against__each_weight(weights: dict[str, int], aim: int, expected: str) -> None:
    assert picked(Persona(choice="weights", may_fuse=True, weights=Weights(**weights)), HAND, SHOWN, aim) == expected


def test_against__no_fusion_for_who_may_not_fuse() -> None:
    assert picked(Persona(choice="weights", weights=Weights(is_fusion=32, points=1)), HAND, SHOWN, 7) == "vert-6"


def test_against__miroir_weight() -> None:
    """The bluffer shows bleu-4 and is thought to hide vert-2: with vert-4 visible, bleu-2 completes a Miroir."""
    persona = Persona(choice="weights", weights=Weights(miroir=32, points=1))
    assert picked(persona, "rouge-9 bleu-2 bleu-3", "bleu-4 vert-4 jaune-9", 0, ("vert", 2, True)) == "bleu-2"
    assert picked(persona, "rouge-9 bleu-2 bleu-3", "bleu-4 vert-4 jaune-9", 0, ("shadow", 2, False)) == "rouge-9"
    assert picked(persona, "rouge-9 bleu-2 bleu-3", "bleu-4 vert-4 jaune-9", 0) == "rouge-9"


def test_against__uniform_takes_a_miroir_only_when_weighted() -> None:
    hand, shown, named = "rouge-9 bleu-2 bleu-3", "bleu-4 vert-4 jaune-9", ("vert", 2, True)
    assert picked(Persona(weights=Weights(miroir=1)), hand, shown, 0, named) == "bleu-2"
    without = Counter(
        str(chooser(Persona(), hand, shown, game=game).against(Aim(0, named), CARDS["bleu-4"]).cards[0])
        for game in range(600)
    )
    assert set(without) == set(hand.split())
    assert all(abs(count - 200) < 58 for count in without.values()), "5 standard deviations, alpha < 2e-6"


@pytest.mark.parametrize(
    ("wild_adjusts", "expected"), [("hidden", "rainbow-3"), ("none", "rouge-5"), ("both", "rouge-5")]
)
def test_against__reach_follows_wild_adjusts(wild_adjusts: str, expected: str) -> None:
    """Own visible rainbow-4, aim 10: rouge-5 makes 9 (both: 9 to 12), rainbow-3 7 to 10 (none: 7)."""
    table = chooser(
        Persona(choice="weights", weights=Weights(gap=-1)),
        "rouge-5 rainbow-3",
        "bleu-4 rainbow-4 vert-1",
        wild_adjusts=wild_adjusts,
    )
    assert str(table.against(Aim(10, None), CARDS["bleu-4"]).cards[0]) == expected


# Own visible vert-5, others bleu-4, jaune-9, jaune-1. Mean printed total of a card: 4 families of mean 8, rainbow 8,
# shadow -8, so 16/3; centre 11.
@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"points": 32}, "jaune-13"),
        ({"centre": -32}, "rouge-6"),
        ({"centre": 32}, "jaune-13"),
        ({"same_family": 32}, "vert-0"),
        ({"shared_families": 32}, "jaune-13"),
        ({"shared_families": -32}, "vert-0"),
        ({"is_fusion": 32}, "vert-0+vert-2"),
    ],
)
def test_as_bluffer__each_weight(weights: dict[str, int], expected: str) -> None:
    persona = Persona(choice="weights", may_fuse=True, bluffer=BlufferWeights(**weights))
    table = chooser(persona, "bleu-8 vert-0 jaune-13 rouge-6 vert-2", "vert-5 bleu-4 jaune-9 jaune-1", seat=0)
    assert "+".join(map(str, table.as_bluffer().cards)) == expected


def test_as_bluffer__ruling_forbids_fusions() -> None:
    persona = Persona(choice="weights", may_fuse=True, bluffer=BlufferWeights(is_fusion=32))
    assert chooser(
        persona, "vert-0 vert-2", "vert-5 bleu-4 jaune-9", seat=0, bluffer_may_fuse=False
    ).as_bluffer().slots == (0,)


def test_random_term__spread_and_effect() -> None:
    """Temperature 1 (t = 256/sqrt(85), 28) has a standard deviation of nearly 32 units."""
    terms = [
        chooser(Persona(), "rouge-1", SHOWN, game=game).random_term(candidates(cards("rouge-1"), may_fuse=False)[0], 28)
        for game in range(4000)
    ]
    mean = sum(terms) / len(terms)
    assert abs(mean) < 3
    assert 30 < (sum((term - mean) ** 2 for term in terms) / len(terms)) ** 0.5 < 34
    warm = Persona(choice="weights", weights=Weights(points=1, temperature=200))
    cold = replace(warm, weights=Weights(points=1))
    assert {
        str(chooser(cold, HAND, SHOWN, game=g).against(Aim(0, None), CARDS["bleu-4"]).cards[0]) for g in range(40)
    } == {"vert-6"}
    assert (
        len(
            {str(chooser(warm, HAND, SHOWN, game=g).against(Aim(0, None), CARDS["bleu-4"]).cards[0]) for g in range(40)}
        )
        == 4
    )


def listens(
    said: Announcement,
    hidden: str,
    hand: str = "rouge-1 rouge-2",
    shown: str = "bleu-4 vert-5 jaune-9",
    knowledge: str = "announcement",
    deck: Sequence[Card] = DECK,
) -> Aim:
    table = replace(chooser(Persona(knowledge=knowledge), hand, shown), deck=deck)
    return table.listen(said, table.visible[0], cards(hidden))


def test_listen__names_a_card() -> None:
    assert listens(Announcement(10, "vert", "none"), "vert-6") == Aim(10, ("vert", 6, True))
    assert listens(Announcement(-5, "shadow", "none"), "shadow-9") == Aim(-5, ("shadow", 9, False))


@pytest.mark.parametrize(
    ("total", "family"),
    [
        (21, "vert"),  # vert-17 does not exist
        (3, "vert"),  # nor vert-(-1)
        (5, "shadow"),  # shadow 1 would make 3
        (9, "vert"),  # vert-5 is the own visible card
        (13, "jaune"),  # jaune-9 is another's
        (6, "rouge"),  # rouge-2 is in the own hand
    ],
)
def test_listen__disproved(total: int, family: str) -> None:
    """The aim becomes the bluffer's visible 4 plus the mean 16/3, rounded."""
    assert listens(Announcement(total, family, "total"), "vert-6") == Aim(9, None, disproved=True)


def test_listen__other_copies_may_lie_hidden() -> None:
    twice = build_deck([replace(family, copies=2) for family in DEFAULT_FAMILIES])
    in_view = [next(card for card in twice if str(card) == name) for name in ("bleu-4", "vert-5", "jaune-9")]
    table = replace(chooser(Persona(), "rouge-1", SHOWN), deck=twice, visible=in_view)
    said = Announcement(9, "vert", "total")
    assert table.listen(said, in_view[0], cards("vert-6")) == Aim(9, ("vert", 5, True))
    both = [card for card in twice if str(card) == "vert-5"]
    assert replace(table, hand=both).listen(said, in_view[0], cards("vert-6")).disproved


def test_listen__fusion_or_nothing_names_no_card() -> None:
    assert listens(Announcement(99, "vert", "total"), "vert-6 vert-7") == Aim(99, None)
    assert listens(Announcement(99, None, "total"), "") == Aim(99, None)


def test_listen__true_cards() -> None:
    said = Announcement(30, "rouge", "total")
    assert listens(said, "vert-6", knowledge="true_cards") == Aim(10, ("vert", 6, True))
    assert listens(said, "vert-6 vert-7", knowledge="true_cards") == Aim(17, None)
    assert listens(said, "", knowledge="true_cards") == Aim(4, None)


def test_listen__a_sceptic_expects_a_mean_card_for_each_that_is_hidden() -> None:
    said = Announcement(30, "rouge", "total")
    mean = 5  # five families of 0 to 16 and one that counts below 0: 4 * 136 / 102
    assert listens(said, "vert-6", knowledge="nothing") == Aim(4 + mean, None)
    assert listens(said, "vert-6 vert-7", knowledge="nothing") == Aim(4 + 2 * mean, None)
    assert listens(said, "", knowledge="nothing") == Aim(4, None)


def announcements(
    persona: Persona, hidden: str, families: Sequence[Family] = DEFAULT_FAMILIES, games: int = 4000
) -> Counter[tuple[int, str | None, str]]:
    setup = Setup(5, (persona,) * 3, tuple(families))
    said = (announce(setup, Randomness(5, game), 0, 0, CARDS["bleu-4"], cards(hidden)) for game in range(games))
    return Counter((a.total, a.family, a.lie) for a in said)


def test_announce__honest() -> None:
    assert announcements(Persona(), "vert-6") == {(10, "vert", "none"): 4000}


def test_announce__chances_and_sizes() -> None:
    """Chances 1/2 and 1/4; each total from 10-3 to 10+3 but 10, each other family, equally often (5 standard
    deviations, alpha < 2e-6).
    """
    said = announcements(Persona(lie_total=32768, lie_family=16384, lie_size=3), "vert-6")
    assert abs(said[10, "vert", "none"] - 1000) < 138
    totals = {key[0]: count for key, count in said.items() if key[2] == "total"}
    assert set(totals) == {7, 8, 9, 11, 12, 13}
    assert all(abs(count - 333) < 88 for count in totals.values())
    families = {key[1]: count for key, count in said.items() if key[2] == "family"}
    assert set(families) == {"rouge", "bleu", "jaune", "rainbow", "shadow"}
    assert all(abs(count - 200) < 70 for count in families.values())


def test_announce__no_family_to_lie_about() -> None:
    always = Persona(lie_family=65536)
    assert announcements(always, "", games=50) == {(4, None, "none"): 50}
    assert announcements(always, "vert-6", [Family("vert", "classic")], games=50) == {(10, "vert", "none"): 50}


def test_persona_from_config__fixed_point() -> None:
    table = persona_to_config(Persona())
    table["weights"] |= {"gap": -1.6, "points": 0.015625, "same_family": 0.046875, "temperature": 1.0}
    table["lies"] = {"total": 0.7, "family": 0.3, "size": 6}
    persona = persona_from_config("own", table)
    assert (persona.weights.gap, persona.weights.points, persona.weights.same_family) == (-51, 0, 2), (
        "half to even: 0.5 is 0, 1.5 is 2"
    )
    assert persona.weights.temperature == 28
    assert (persona.lie_total, persona.lie_family) == (45875, 19661)
