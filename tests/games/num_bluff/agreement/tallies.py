"""Every tally field of NUM BLUFF counted again from reference transcripts, from what the registry of tallies says each
field holds.

Plain Python over transcripts; shares nothing with the kernels but the shapes of the arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.games.num_bluff.reference.cards import build_deck
from tests.games.num_bluff.reference.setup import Setup

EVENTS = (
    "miroir_parfait",
    "frappe_parfaite",
    "coup_precis",
    "coup_precis_multiple",
    "epargne",
    "coup_de_maitre",
    "coup_de_maitre_bonus",
)
MECHANISMS = (None, "natural", "fusion", "adjust")
LIES = ("none", "total", "family")
TIES = ("none", "visible_card", "last_tie")
SETTLED_BY_4_TO_6 = EVENTS[4:]
Transcript = Mapping[str, Any]
Tally = dict[str, NDArray[np.int64]]


def card_points(cards: Sequence[str]) -> int:
    """Printed values of cards written family-value."""
    return sum(int(card.rpartition("-")[2]) for card in cards)


def began_empty(entry: Transcript) -> list[int]:
    """Seats that began the round without a card to hide (T7)."""
    return [p for p, side in enumerate(entry["hidden"]) if p in entry["empty_hand_draws"] or not side]


class Counting:
    """Adds reference transcripts of one setup to a tally of zeros."""

    def __init__(self, setup: Setup, zeros: Tally) -> None:
        self.setup, self.tally = setup, zeros
        self.bins = zeros["score"].shape[1]
        self.width = sum(card.value for card in build_deck(setup.families)) // self.bins + 1

    def point_bin(self, points: int) -> int:
        return min(points // self.width, self.bins - 1)

    def add(self, game: Transcript) -> None:
        """One game: all fields."""
        rounds = game["rounds"]
        self.add_moments(self.variables(game), len(rounds))
        t = self.tally
        t["games"] += 1
        t["detail_games"] += 1
        t["games_with"] += [any(r["event"] == event for r in rounds) for event in EVENTS]
        last_win = 0
        odd_hands = False
        expected = [self.setup.hand_size] * self.setup.players
        for number, entry in enumerate(rounds):
            t["round_events"][number, EVENTS.index(entry["event"])] += 1
            t["detail_rounds"][number] += 1
            t["pot_by_round"][number, self.point_bin(entry["pot_points_after"])] += 1
            if entry["pot_taker"] is not None:
                t["pot_when_won"][EVENTS.index(entry["event"]), self.point_bin(entry["pot_points_won"])] += 1
                t["pot_wait"][number + 1 - last_win] += 1
                last_win = number + 1
            self.add_gaps(entry)
            self.add_sides(entry)
            self.add_roles(entry)
            odd_hands |= self.add_hands(number, entry, expected)
        t["hand_unexplained"][2] += odd_hands
        self.add_result(game)

    def variables(self, game: Transcript) -> dict[str, int]:
        """The per-game variables behind moments and cross, by name and in order."""
        rounds, n = game["rounds"], self.setup.players
        bluffer_gains = [(r["announcement"]["lie"], r["gains"][r["bluffer"]]) for r in rounds]
        lies = [lie for lie, _ in bluffer_gains]
        others = [(p, r) for r in rounds for p in range(n) if p != r["bluffer"]]
        scores = rounds[-1]["scores_after"]
        fused = [r["gains"][p] for p, r in others if len(r["hidden"][p]) == 2]
        return {
            "rounds": len(rounds),
            **{event: sum(r["event"] == event for r in rounds) for event in EVENTS},
            "exact": sum(len(r["exact_seats"]) for r in rounds),
            "fusions": sum(len(side) == 2 for r in rounds for side in r["hidden"]),
            "options": sum(len(r["sacrificed"]) for r in rounds),
            "recycles": sum(r["recycled"] for r in rounds),
            "pot_left": rounds[-1]["pot_points_after"],
            "pot_won": sum(r["pot_points_won"] for r in rounds),
            "lies_total": lies.count("total"),
            "lies_family": lies.count("family"),
            "bluffer_honest": sum(gain for lie, gain in bluffer_gains if lie == "none"),
            "bluffer_lying": sum(gain for lie, gain in bluffer_gains if lie != "none"),
            "miroir_several": sum(len(r["miroir_seats"]) > 1 for r in rounds),
            "refills": sum(len(r["refill_draws"]) for r in rounds),
            "empty_hands": sum(len(began_empty(r)) for r in rounds),
            **{f"score_{p}": scores[p] for p in range(n)},
            **{f"win_{p}": 60 // len(game["winners"]) if p in game["winners"] else 0 for p in range(n)},
            "pot_after": sum(r["pot_points_after"] for r in rounds),
            "closest_points": sum(r["gains"][r["closest"]] for r in rounds if r["closest"] is not None),
            "fusion_points": sum(fused),
            "fusion_sides": len(fused),
            "single_points": sum(r["gains"][p] for p, r in others if len(r["hidden"][p]) == 1),
            "honest_rounds": lies.count("none"),
        }

    def add_moments(self, variables: Mapping[str, int], rounds: int) -> None:
        values = np.array(list(variables.values()), np.int64)
        per_game = values[: self.tally["moments"].shape[1]]
        self.tally["moments"] += np.array([per_game, per_game**2, per_game * rounds])
        self.tally["cross_sums"] += values
        self.tally["cross"] += np.outer(values, values)

    def add_gaps(self, entry: Transcript) -> None:
        t = self.tally
        if entry["event"] in SETTLED_BY_4_TO_6:
            for dispute, role in enumerate(("closest", "farthest")):
                if entry[role] is not None:
                    t[f"gap_{role}"][min(entry["gaps"][entry[role]], 255)] += 1
                    t["ties"][dispute, TIES.index(entry[f"{role}_tie"])] += 1
        t["exact_players"][len(entry["exact_seats"])] += 1

    def add_sides(self, entry: Transcript) -> None:
        t, bluffer = self.tally, entry["bluffer"]
        for p, side in enumerate(entry["hidden"]):
            one_family, how = p in entry["one_family_seats"], entry["mechanism"][p]
            if p == bluffer:
                t["exact_kinds"][5] += one_family
            else:
                natural = how == "natural"
                t["exact_kinds"][:5] += [
                    1,
                    how is not None,
                    how is not None and one_family,
                    natural,
                    natural and one_family,
                ]
                if how is not None:
                    t["mechanism"][EVENTS.index(entry["event"]), MECHANISMS.index(how)] += 1
            if side:
                gain = entry["gains"][p]
                t["side"][int(p == bluffer), int(len(side) == 2)] += [
                    1,
                    how is not None,
                    gain,
                    card_points(side),
                    gain**2,
                ]

    def add_roles(self, entry: Transcript) -> None:
        t, bluffer, gains = self.tally, entry["bluffer"], entry["gains"]
        own = gains[bluffer]
        t["announced"][LIES.index(entry["announcement"]["lie"])] += [
            1,
            own,
            own**2,
            len(entry["disproved"]),
            len(gains) - 1,
        ]
        for p, gain in enumerate(gains):
            roles = (p == bluffer, p == entry["closest"], p == entry["farthest"], p in entry["winners"])
            t["role_points"][roles.index(True) if any(roles) else 4] += [1, gain, gain**2]

    def add_hands(self, number: int, entry: Transcript, expected: list[int]) -> bool:
        """Counts hands after the round; `expected` sizes follow options and Miroirs alone. Gives whether a hand
        differs.
        """
        t, odd = self.tally, False
        for p, hand in enumerate(entry["hands_after"]):
            expected[p] += p in entry["sacrificed"]
            expected[p] -= p not in entry["visible_back"]
            t["hand_size"][number, min(len(hand), 63)] += 1
            t["hand_unexplained"][:2] += [1, len(hand) != expected[p]]
            odd |= len(hand) != expected[p]
        return odd

    def add_result(self, game: Transcript) -> None:
        t, rounds, winners = self.tally, game["rounds"], game["winners"]
        scores = rounds[-1]["scores_after"]
        for p, score in enumerate(scores):
            t["score"][p, self.point_bin(score)] += 1
        first, second = sorted(scores, reverse=True)[:2]
        t["margin"][self.point_bin(first - second)] += 1
        t["winners"][len(winners)] += 1
        t["lead_changes"][game["lead_changes"]] += 1
        t["decided"][0 if game["decided"] is None else game["decided"] + 1] += 1
        if len(winners) == 1:
            half = rounds[min(self.setup.rounds // 2, len(rounds)) - 1][
                "scores_after"
            ]  # a game cut short before half time: as it ended
            t["half_rank"][1 + sum(score > half[winners[0]] for score in half)] += 1
            from_pot = sum(r["pot_points_won"] for r in rounds if r["pot_taker"] == winners[0])
            t["pot_share"][100 * from_pot // first if first else 0] += 1
