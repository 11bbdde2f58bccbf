"""What a listener makes of an announcement: a disproved one is not aimed at."""

from __future__ import annotations

from collections import Counter

import pytest

from numbluff_sim.config import load
from numbluff_sim.single.replaying import replay
from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, build_deck, mean_printed, totals

CARDS = {str(card): card for card in build_deck(DEFAULT_FAMILIES)}
MEAN = round(mean_printed(list(CARDS.values())))


def closest_card(visible: str, hand: list[str], aim: int) -> str:
    """The first card of the hand with the smallest gap to the aim."""
    return min(
        hand, key=lambda card: min(abs(total - aim) for total in totals(CARDS[visible], [CARDS[card]], "hidden"))
    )


@pytest.mark.kernels
def test_disproved_announcement__changes_the_aim() -> None:
    """`nearest` players among liars hide the card nearest to their aim: the announced total, or what they fall back
    on when they can tell a lie.
    """
    config = load(preset="liar", overrides={"run.seed": 8})
    seen: Counter[str] = Counter()
    for game in replay(config, 0, 127):
        hands = game["initial_hands"]
        for entry in game["rounds"]:
            b, said = entry["bluffer"], entry["announcement"]
            shown = CARDS[entry["visible"][b]].printed
            named = [
                name
                for name, card in CARDS.items()
                if (card.family, card.printed) == (said["family"], said["total"] - shown)
            ]
            for p in range(4):
                if p == b:
                    continue
                in_view = [*entry["visible"], *hands[p]]
                disproved = all(name in in_view for name in named)
                choices = {
                    aim: closest_card(entry["visible"][p], hands[p], aim) for aim in (said["total"], shown + MEAN)
                }
                assert entry["hidden"][p] == [choices[shown + MEAN if disproved else said["total"]]]
                seen["disproved"] += disproved
                seen["no such card"] += not named
                seen["seen elsewhere"] += bool(named) and disproved
                seen["other choice"] += disproved and choices[said["total"]] != choices[shown + MEAN]
                assert not disproved or said["lie"] != "none"
            hands = entry["hands_after"]
    assert [key for key in ("no such card", "seen elsewhere", "other choice") if seen[key] < 20] == []
