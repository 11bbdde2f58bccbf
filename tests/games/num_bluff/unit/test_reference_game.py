"""Whole games of the reference engine: conservation, hands, options, recycling, and rulings that need several
rounds.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from numbluff_sim.config import load, restore
from tests.games.num_bluff.reference.audit import audit
from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Family
from tests.games.num_bluff.reference.game import play
from tests.games.num_bluff.reference.leads import lead_history
from tests.games.num_bluff.reference.setup import BlufferWeights, Persona, Rules, Setup, Weights
from tests.games.num_bluff.reference.strategies import setups

RANDOM = Persona("random")
FUSES = Persona("fuses", "weights", may_fuse=True, weights=Weights(is_fusion=32), bluffer=BlufferWeights(is_fusion=32))
LIVELY = Persona(
    "lively",
    "weights",
    may_fuse=True,
    option_points_at_most=20,
    lie_total=32768,
    lie_family=16384,
    lie_size=6,
    weights=Weights(gap=-51, hit_natural=208, hit_adjust=182, same_family_gap=51, miroir=3200, temperature=60),
    bluffer=BlufferWeights(points=16, same_family=192, temperature=60),
)

#: All cards alike: every player mirrors the bluffer, or strikes where Miroirs cannot be.
ALL_CLASSIC = (Family("rouge", "classic", 5, 5, copies=40),)
ALL_RAINBOW = (Family("arc", "rainbow", 5, 5, copies=40),)


def rounds(setup: Setup, game: int = 0) -> list[dict[str, Any]]:
    """The rounds of an audited game."""
    transcript = play(setup, game)
    audit(transcript, setup.families)
    return list(transcript["rounds"])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(setup=setups(), game=st.integers(0, 10**9))
@pytest.mark.thorough
def test_play__conserves_cards_and_points(setup: Setup, game: int) -> None:
    transcript = play(setup, game)
    audit(transcript, setup.families)
    for entry in transcript["rounds"]:
        event(entry["event"])
        assert sum(entry["gains"]) + entry["pot_points_after"] - entry["pot_points_before"] <= sum(
            int(card.rpartition("-")[2]) for cards in (*entry["hidden"], entry["visible"]) for card in cards
        )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(setup=setups(), game=st.integers(0, 10**9))
def test_play__same_seed_same_game(setup: Setup, game: int) -> None:
    assert play(setup, game) == play(copy.deepcopy(setup), game)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(setup=setups())
def test_setup__survives_a_configuration(setup: Setup) -> None:
    assert Setup.from_resolved(restore(setup.to_resolved()).resolved()) == setup


def test_setup__documented_configuration() -> None:
    setup = Setup.from_resolved(load().resolved())
    documented = Persona("documented", knowledge="true_cards", weights=Weights(miroir=3200), lie_size=6)
    assert setup == Setup(1, (documented,) * 4)


@pytest.mark.thorough
def test_play__documented_rates() -> None:
    """Percent of rounds by event, 4 players (rules, section 8), within 5 standard errors of 18,000 rounds (alpha <
    4e-6).
    """
    setup = Setup(1, (replace(RANDOM, knowledge="true_cards", weights=Weights(miroir=3200)),) * 4)
    found = Counter(entry["event"] for game in range(1500) for entry in play(setup, game)["rounds"])
    documented = {
        "miroir_parfait": 0.0573,
        "frappe_parfaite": 1.573,
        "coup_precis": 8.50,
        "coup_precis_multiple": 0.387,
        "epargne": 15.61,
        "coup_de_maitre": 64.45,
        "coup_de_maitre_bonus": 9.42,
    }
    for name, percent in documented.items():
        share = percent / 100
        assert abs(found[name] / 18000 - share) < 5 * (share * (1 - share) / 18000) ** 0.5, name


def test_play__another_game_or_seed_is_another_deal() -> None:
    deals = [play(Setup(seed, (RANDOM,) * 4), game)["initial_hands"] for seed in (1, 2) for game in range(5)]
    assert all(a != b for i, a in enumerate(deals) for b in deals[:i])


def test_play__hand_stays_at_three_without_fusions_options_and_miroirs() -> None:
    """In a deck of five values Miroirs are common, and those who suffer one lose a card for good."""
    setup = Setup(
        3,
        (replace(RANDOM, knowledge="true_cards", weights=Weights(miroir=1)),) * 4,
        tuple(Family(name, "classic", 0, 4, copies=2) for name in ("rouge", "vert", "bleu")),
    )
    seen = Counter[int]()
    for game in range(20):
        suffered = [0] * 4
        for entry in rounds(setup, game):
            assert not entry["empty_hand_draws"]
            if entry["event"] == "miroir_parfait":
                suffered = [n + (seat not in entry["winners"]) for seat, n in enumerate(suffered)]
            assert entry["hand_sizes"] == [3 - n for n in suffered]
            seen.update(suffered)
    assert seen[1] > 0


def test_play__no_intermediate_player_at_a_table_of_three() -> None:
    assert all(not entry["pot_after"] for game in range(30) for entry in rounds(Setup(3, (RANDOM,) * 3), game))


def test_play__extra_draws_change_no_later_visible_card() -> None:
    """T10, until the pile runs short: options and refills come from the bottom."""
    plain = Setup(11, (LIVELY,) * 4)
    drawing = replace(plain, rules=Rules(refill_after_fusion=True))
    changed = 0
    for game in range(10):
        one, other = rounds(plain, game), rounds(drawing, game)
        assert [e["visible"] for e in one] == [e["visible"] for e in other]
        changed += [e["hands_after"] for e in one] != [e["hands_after"] for e in other]
    assert changed > 0


@pytest.mark.parametrize("refill", [False, True])
def test_refill_after_fusion(refill: bool) -> None:
    setup = Setup(4, (FUSES,) * 3, (Family("rouge", "classic", 0, 15, copies=4),), Rules(refill_after_fusion=refill))
    first, second = rounds(setup)[:2]
    assert first["hand_sizes"] == ([3, 3, 3] if refill else [2, 2, 2])
    assert [seat for seat, _ in second["refill_draws"]] == ([1, 2, 0] if refill else [])
    assert second["hand_sizes"] == ([3, 3, 3] if refill else [1, 1, 1])


@pytest.mark.parametrize("may_fuse", [False, True])
def test_bluffer_may_fuse(may_fuse: bool) -> None:
    setup = Setup(4, (FUSES,) * 3, (Family("rouge", "classic", 0, 15, copies=4),), Rules(bluffer_may_fuse=may_fuse))
    assert [len(side) for side in rounds(setup)[0]["hidden"]] == [2 if may_fuse else 1, 2, 2]


def test_empty_hand__draw() -> None:
    """Round 0 is a Miroir for seats 1 and 2; seat 1 is first after the bluffer, the others are left without a card."""
    first, second = rounds(Setup(4, (RANDOM,) * 3, ALL_CLASSIC, hand_size=1, rules=Rules(empty_hand="draw")))[:2]
    assert (first["event"], first["miroir_seats"], first["winners"], first["winner_tie"]) == (
        "miroir_parfait",
        [1, 2],
        [1],
        "last_tie",
    )
    assert first["hands_after"] == [[], ["rouge-5"], []]
    assert first["scores_after"] == [0, 25, 0]
    assert (second["empty_hand_draws"], second["event"], second["winners"]) == ([2, 0], "miroir_parfait", [2])


def test_empty_hand__visible_only() -> None:
    second, third = rounds(Setup(4, (RANDOM,) * 3, ALL_CLASSIC, hand_size=1, rules=Rules(empty_hand="visible_only")))[
        1:3
    ]
    assert (second["empty_hand_draws"], second["hidden"], second["gaps"]) == ([], [[], ["rouge-5"], []], [5, None, 5])
    assert (second["event"], second["closest"], second["farthest"], second["farthest_tie"]) == (
        "coup_de_maitre",
        2,
        0,
        "none",
    )
    assert second["hands_after"] == [["rouge-5"]] * 3, "the visible cards of those who hid nothing join their hands"
    assert third["event"] == "miroir_parfait"


def test_empty_hand__bluffer_announces_no_family() -> None:
    """A random winner of round 0's Miroir leaves seat 1, the next bluffer, without a card in about half of the
    games.
    """
    setup = Setup(
        4,
        (replace(RANDOM, lie_family=65536),) * 3,
        ALL_CLASSIC,
        Rules(empty_hand="visible_only", last_tie="random"),
        hand_size=1,
    )
    silent = [entry for game in range(20) for entry in rounds(setup, game) if not entry["hidden"][entry["bluffer"]]]
    assert len(silent) > 2
    assert all(entry["announcement"] == {"total": 5, "family": None, "lie": "none"} for entry in silent)
    assert all(entry["event"] != "miroir_parfait" for entry in silent)


def test_empty_hand__dry_pile_leaves_the_visible_card_alone() -> None:
    """Nine cards for three players: hands and two rounds of visible cards, nothing for the two whom round 0 has left
    without a card.
    """
    setup = Setup(4, (RANDOM,) * 3, (Family("rouge", "classic", 5, 5, copies=9),), hand_size=1, turns=1)
    second = rounds(setup)[1]
    assert (second["recycled"], second["empty_hand_draws"], second["hidden"], second["left"]) == (
        False,
        [],
        [[], ["rouge-5"], []],
        0,
    )
    assert second["event"] == "coup_de_maitre"


def test_empty_hand__recycled_pile_serves() -> None:
    """Six cards: round 1 needs a new pile of the five that seat 1 does not hold, three for the table and two for
    empty hands.
    """
    setup = Setup(4, (RANDOM,) * 3, (Family("rouge", "classic", 5, 5, copies=6),), hand_size=1, turns=1)
    second = rounds(setup)[1]
    assert (second["recycled"], second["empty_hand_draws"], second["left"]) == (True, [2, 0], 0)
    assert second["scores_after"] == [0, 25, 25], "points of cards that went back into the pile stay banked"


def test_refill__dry_pile_skips() -> None:
    """Thirteen cards: nine in hands, three visible, one left for the bluffer, who is served first."""
    setup = Setup(4, (FUSES,) * 3, (Family("rouge", "classic", 0, 12),), Rules(refill_after_fusion=True), turns=1)
    first = rounds(setup)[0]
    assert [seat for seat, _ in first["refill_draws"]] == [0]
    assert first["hand_sizes"] == [3, 2, 2]


@pytest.mark.parametrize(("empty_deck", "played", "recycled"), [("recycle", 18, [14]), ("end_game", 14, [])])
def test_empty_deck__six_players(empty_deck: str, played: int, recycled: list[int]) -> None:
    """18 cards in hands leave 84: 14 rounds of 6 visible cards."""
    for game in range(5):
        entries = rounds(Setup(8, (RANDOM,) * 6, rules=Rules(empty_deck=empty_deck)), game)
        assert len(entries) == played
        assert [entry["round"] for entry in entries if entry["recycled"]] == recycled


def test_empty_deck__recycling_that_cannot_serve_ends_the_game() -> None:
    """Seven cards: four in hands after round 0, two in the pot and one kept by seat 2, too few for three visible
    cards.
    """
    rules = Rules(several_frappes="shared", several_exact_bluffer_card="pot")
    setup = Setup(
        4,
        (replace(RANDOM, option_points_at_most=99),) * 3,
        (Family("arc", "rainbow", 5, 5, copies=7),),
        rules,
        hand_size=1,
    )
    entries = rounds(setup)
    assert entries[0]["sacrificed"] == [1], "one card is left, so only the first winner draws"
    assert (len(entries), entries[0]["pot_after"], entries[0]["left"]) == (1, ["arc-5"] * 2, 0)


def test_recycle__hands_and_pot_stay_out() -> None:
    """The pile made before round 14 holds what is neither in a hand nor in the pot; points stay banked."""
    entries = rounds(Setup(8, (LIVELY,) * 6), 3)
    at = next(i for i, entry in enumerate(entries) if entry["recycled"])
    before = entries[at - 1]
    held = sum(before["hand_sizes"]) + len(before["pot_after"])
    drawn = 6 + len(entries[at]["sacrificed"]) + len(entries[at]["empty_hand_draws"])
    assert (entries[at]["epoch"], entries[at]["left"]) == (1, 102 - held - drawn)
    assert all(now >= then for now, then in zip(entries[at]["scores_after"], before["scores_after"], strict=True))


OPTION = Setup(
    4,
    (replace(RANDOM, option_points_at_most=5),) * 3,
    ALL_RAINBOW,
    Rules(several_frappes="shared"),
    hand_size=1,
    turns=1,
)


def test_option__taken_clockwise() -> None:
    entries = rounds(OPTION)
    assert [entry["event"] for entry in entries] == ["coup_precis_multiple"] * 3
    assert [entry["sacrificed"] for entry in entries] == [[1, 2], [2, 0], [0, 1]]
    assert [entry["hand_sizes"] for entry in entries] == [[1, 2, 2], [2, 2, 3], [3, 3, 3]]
    assert [entry["pot_points_after"] for entry in entries] == [10, 20, 30]
    assert entries[0]["to_pot"] == ["arc-5", "arc-5"]
    assert entries[-1]["scores_after"] == [0, 0, 0]


@pytest.mark.parametrize(
    ("changes", "taken"),
    [
        ({"option_points_at_most": 4}, [[], [], []]),
        ({"option_points_at_most": -1}, [[], [], []]),
        ({"option_rounds_left_at_least": 1}, [[1, 2], [2, 0], []]),
        ({"option_rounds_left_at_least": 3}, [[], [], []]),
    ],
)
def test_option__thresholds(changes: dict[str, Any], taken: list[list[int]]) -> None:
    setup = replace(OPTION, seats=tuple(replace(persona, **changes) for persona in OPTION.seats))
    assert [entry["sacrificed"] for entry in rounds(setup)] == taken


@pytest.mark.parametrize(("last_tie", "expected"), [("clockwise", [600, 0, 0]), ("random", [200, 200, 200])])
def test_last_tie(last_tie: str, expected: list[int]) -> None:
    """Four players, all Miroirs: who of seats 1 to 3 wins round 0 (5 standard deviations, alpha < 2e-6)."""
    setup = Setup(4, (RANDOM,) * 4, ALL_CLASSIC, Rules(last_tie=last_tie), hand_size=1, turns=1)
    wins = Counter(play(setup, game)["rounds"][0]["winners"][0] for game in range(600))
    allowed = 58 if last_tie == "random" else 0
    assert all(abs(wins[seat] - count) <= allowed for seat, count in zip((1, 2, 3), expected, strict=True))


def test_last_tie__one_order_settles_closest_and_farthest() -> None:
    """Three others with the same cards: the first of the order is closest, the second farthest; all six orders are
    equally common.
    """
    families = (Family("rouge", "classic", 5, 5, copies=22), Family("vert", "classic", 0, 0, copies=2))
    setup = Setup(4, (RANDOM,) * 4, families, Rules(last_tie="random"), hand_size=1, turns=1)
    orders = Counter[tuple[int, int]]()
    for game in range(1200):
        for entry in play(setup, game)["rounds"]:
            if entry["closest_tie"] == entry["farthest_tie"] == "last_tie":
                orders[(entry["closest"] - entry["bluffer"]) % 4, (entry["farthest"] - entry["bluffer"]) % 4] += 1
    expected = orders.total() / 6
    assert expected > 40
    assert len(orders) == 6
    assert all(abs(count - expected) < 5 * expected**0.5 for count in orders.values()), (
        "5 standard deviations, alpha < 4e-6"
    )


def test_disproved__changes_the_aim() -> None:
    """Bold total lies name impossible cards often; whoever sees it aims at the bluffer's visible card plus 5 (the
    rounded mean 16/3).
    """
    liar = replace(LIVELY, lie_total=65536, lie_family=0, lie_size=20)
    values = {
        f"{family.name}-{value}": -value if family.kind == "shadow" else value
        for family in DEFAULT_FAMILIES
        for value in range(17)
    }
    disproved = 0
    for game in range(10):
        for entry in rounds(Setup(6, (liar,) * 4), game):
            shown = values[entry["visible"][entry["bluffer"]]]
            for seat, aim in enumerate(entry["aims"]):
                if seat in entry["disproved"]:
                    assert aim == shown + 5
                    disproved += 1
                elif seat != entry["bluffer"]:
                    assert aim == entry["announcement"]["total"]
    assert disproved > 50


def give_point(transcript: dict[str, Any]) -> None:
    transcript["rounds"][2]["scores_after"][0] += 1


def swap_visible(transcript: dict[str, Any]) -> None:
    transcript["rounds"][3]["visible"][0] = transcript["rounds"][1]["visible"][0]


def lose_card(transcript: dict[str, Any]) -> None:
    next(cards for entry in transcript["rounds"] for cards in entry["to_score"] if cards).pop()


def enlarge_hand(transcript: dict[str, Any]) -> None:
    transcript["rounds"][0]["hands_after"][1].append("rouge-0")


def lie_twice(transcript: dict[str, Any]) -> None:
    said = transcript["rounds"][0]["announcement"]
    said["total"], said["family"], said["lie"] = said["total"] + 1, "mauve", "total"


def crown_another(transcript: dict[str, Any]) -> None:
    transcript["winners"] = [(transcript["winners"][0] + 1) % 4]


@pytest.mark.parametrize("tamper", [give_point, swap_visible, lose_card, enlarge_hand, lie_twice, crown_another])
def test_audit__notices(tamper: Callable[[dict[str, Any]], None]) -> None:
    transcript = play(Setup(3, (RANDOM,) * 4), 0)
    audit(transcript)
    tamper(transcript)
    with pytest.raises(AssertionError):
        audit(transcript)


def test_lead_history__by_hand() -> None:
    scores = [[0, 0, 0], [4, 0, 0], [4, 4, 0], [4, 9, 0], [4, 9, 0], [9, 9, 9]]
    assert lead_history(scores, 6, [0, 1, 2]) == {"lead_changes": 3, "decided": 5, "half_ranks": [1, 1, 3]}
    assert lead_history(scores[:5], 5, [1]) == {"lead_changes": 2, "decided": 3, "half_ranks": [2]}
