"""Checks a transcript against itself: every card is in exactly one place, points follow cards, at most one lie.

Reads only the documented keys of a transcript, so that transcripts of any engine can be audited. Raises AssertionError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Family, build_deck


def value(card: str) -> int:
    """Points of a card written `family-value`."""
    return int(card.rpartition("-")[2])


def together(lists: Iterable[Iterable[str]]) -> Counter[str]:
    """All cards of several lists."""
    return Counter(card for cards in lists for card in cards)


def take(source: Counter[str], cards: Iterable[str], what: str) -> None:
    """Removes cards, each of which must be there."""
    wanted = Counter(cards)
    assert not wanted - source, f"{what}: {wanted - source} not available"
    source.subtract(wanted)


def audit(transcript: Mapping[str, Any], families: Sequence[Family] = DEFAULT_FAMILIES) -> None:
    """Follows all cards and points of one game from the deal to the end."""
    deck = build_deck(families)
    printed = {str(card): card.printed for card in deck}
    pile = Counter(map(str, deck))
    hands: list[list[str]] = transcript["initial_hands"]
    take(pile, together(hands).elements(), "deal")
    pot: list[str] = []
    scores = [0] * transcript["players"]
    for entry in transcript["rounds"]:
        if entry["recycled"]:
            pile = Counter(map(str, deck))
            take(pile, (together(hands) + Counter(pot)).elements(), "recycling")
        audit_round(entry, pile, hands, pot)
        audit_announcement(entry, printed)
        hands, pot = entry["hands_after"], entry["pot_after"]
        scores = [score + sum(map(value, won)) for score, won in zip(scores, entry["to_score"], strict=True)]
        assert entry["scores_after"] == scores, f"round {entry['round']}: points that follow no card"
    assert transcript["winners"] == [seat for seat, score in enumerate(scores) if score == max(scores)]


def audit_round(
    entry: Mapping[str, Any], pile: Counter[str], hands: Sequence[Sequence[str]], pot: Sequence[str]
) -> None:
    """One round; `pile` holds all cards not seen since the last recycling and is updated."""
    where = f"round {entry['round']}"
    helped = entry["empty_hand_draws"]
    option = dict(zip(entry["sacrificed"], entry["sacrifice_draws"], strict=True))
    refill = dict(entry["refill_draws"])
    drawn = [*entry["visible"], *(entry["hidden"][seat][0] for seat in helped), *option.values(), *refill.values()]
    take(pile, drawn, f"{where}, draws")

    lost = Counter[str]()
    for seat, hand in enumerate(hands):
        assert seat not in helped or not hand, f"{where}: help for a hand that is not empty"
        held = Counter(hand) + Counter(entry["hidden"][seat] if seat in helped else ())
        hidden = entry["hidden"][seat]
        assert len(hidden) <= 2, f"{where}: {hidden} is no hidden side"
        assert len({card.rpartition("-")[0] for card in hidden}) <= 1, f"{where}: {hidden} is no fusion"
        assert bool(hidden) == bool(held), f"{where}: seat {seat} hides {hidden} from {hand}"
        take(held, hidden, f"{where}, seat {seat} hides")
        new = Counter([card for draws in (option, refill) if (card := draws.get(seat))])
        after = Counter(entry["hands_after"][seat])
        if entry["event"] != "miroir_parfait" or seat in entry["winners"]:
            new[entry["visible"][seat]] += 1
        else:
            lost[entry["visible"][seat]] += 1
        assert after == held + new, f"{where}: hand of seat {seat} is {after} instead of {held + new}"

    before = together(entry["hidden"]) + lost + Counter(pot)
    assert before == together(entry["to_score"]) + Counter(entry["to_discard"]) + Counter(entry["pot_after"]), (
        f"{where}: cards lost or made"
    )
    assert not Counter(entry["to_pot"]) - Counter(entry["pot_after"]), f"{where}: what enters the pot is not in it"


def audit_announcement(entry: Mapping[str, Any], printed: Mapping[str, int]) -> None:
    """At most one of total and family is false, and the transcript owns up to it (T3)."""
    bluffer = entry["bluffer"]
    hidden = entry["hidden"][bluffer]
    total = sum(printed[card] for card in (entry["visible"][bluffer], *hidden))
    family = hidden[0].rpartition("-")[0] if hidden else None
    said = entry["announcement"]
    false = [part for part, true in (("total", total), ("family", family)) if said[part] != true]
    assert false == ([] if said["lie"] == "none" else [said["lie"]]), f"round {entry['round']}: {said} of {hidden}"
