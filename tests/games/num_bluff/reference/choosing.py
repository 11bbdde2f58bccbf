"""How a persona chooses a hidden side, announces and listens (PLAY.md, sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.common.randomness import Randomness
from tests.games.num_bluff.reference import streams
from tests.games.num_bluff.reference.cards import (
    Card,
    completes_miroir,
    face,
    mean_printed,
    points,
    printed_total,
    totals,
)
from tests.games.num_bluff.reference.setup import Persona, Setup

FARTHEST_GAP = 255


@dataclass(frozen=True)
class Candidate:
    """A hidden side a hand could lay: which slots, which cards, and the number that names its random draw."""

    slots: tuple[int, ...]
    cards: tuple[Card, ...]
    number: int

    @property
    def is_fusion(self) -> bool:
        return len(self.cards) == 2


@dataclass(frozen=True)
class Announcement:
    """What the bluffer says; `family` is None when nothing lies hidden; `lie` is none, total or family."""

    total: int
    family: str | None
    lie: str


@dataclass(frozen=True)
class Aim:
    """What a non-bluffer makes of the announcement: a total to reach and perhaps the card the bluffer is thought to
    hide.
    """

    total: int
    named: tuple[str, int, bool] | None
    disproved: bool = False


def candidates(hand: Sequence[Card], may_fuse: bool) -> list[Candidate]:
    """Every hidden side of a hand, in the order in which equals are preferred."""
    singles = [Candidate((i,), (card,), i) for i, card in enumerate(hand)]
    pairs = [
        Candidate((i, j), (hand[i], hand[j]), 64 + j * (j - 1) // 2 + i)
        for j in range(1, len(hand))
        for i in range(j)
        if hand[i].family == hand[j].family
    ]
    return singles + pairs if may_fuse else singles


def same_family(visible: Card, candidate: Candidate) -> bool:
    """Whether visible card and hidden side are of one family."""
    return all(card.family == visible.family for card in candidate.cards)


@dataclass(frozen=True)
class Chooser:
    """One seat about to choose in one round."""

    setup: Setup
    deck: Sequence[Card]
    randomness: Randomness
    round: int
    seat: int
    hand: Sequence[Card]
    visible: Sequence[Card]

    @property
    def persona(self) -> Persona:
        return self.setup.seats[self.seat]

    @property
    def own(self) -> Card:
        return self.visible[self.seat]

    @property
    def may_fuse(self) -> bool:
        return self.persona.may_fuse and self.setup.rules.stands("fusion")

    def as_bluffer(self) -> Candidate:
        """The bluffer's hidden side; the hand holds a card."""
        if self.persona.choice == "uniform":
            return self.uniform()
        choices = candidates(self.hand, self.may_fuse and self.setup.rules.bluffer_may_fuse)
        return max(choices, key=self.bluffer_score)

    def against(self, aim: Aim, bluffer_visible: Card) -> Candidate:
        """Another player's hidden side; the hand holds a card."""
        if self.persona.choice == "uniform":
            singles = candidates(self.hand, may_fuse=False)
            mirrors = [c for c in singles if self.is_miroir(c, aim, bluffer_visible)]
            return mirrors[0] if mirrors and self.persona.weights.miroir > 0 else self.uniform()
        return max(candidates(self.hand, self.may_fuse), key=lambda c: self.other_score(c, aim, bluffer_visible))

    def uniform(self) -> Candidate:
        """Any single card with equal chance."""
        counter = streams.choice_counter(self.round, self.seat, 0)
        return candidates(self.hand, may_fuse=False)[self.randomness.below(counter, len(self.hand))]

    def random_term(self, candidate: Candidate, temperature: int) -> int:
        """A sum of four uniform digits around 0, times the temperature."""
        bits = self.randomness.bits(streams.choice_counter(self.round, self.seat, candidate.number))
        digits = [int(digit, 16) for digit in f"{bits:04x}"]
        return (sum(digits) - 30) * temperature // 8

    def bluffer_score(self, candidate: Candidate) -> int:
        """Weighted features of a bluffer's hidden side."""
        weights = self.persona.bluffer
        centre = round(2 * mean_printed(self.deck))
        families = {self.own.family, *(card.family for card in candidate.cards)}
        others = [card for seat, card in enumerate(self.visible) if seat != self.seat]
        return (
            weights.points * points(candidate.cards)
            + weights.centre * min(abs(printed_total(self.own, candidate.cards) - centre), FARTHEST_GAP)
            + weights.same_family * same_family(self.own, candidate)
            + weights.shared_families * sum(card.family in families for card in others)
            + weights.is_fusion * candidate.is_fusion
            + self.random_term(candidate, weights.temperature)
        )

    def other_score(self, candidate: Candidate, aim: Aim, bluffer_visible: Card) -> int:
        """Weighted features of another player's hidden side."""
        weights = self.persona.weights
        reached = totals(self.own, candidate.cards, self.setup.rules.wild_adjusts)
        gap = min(FARTHEST_GAP, *(abs(total - aim.total) for total in reached))
        single = not candidate.is_fusion
        natural = single and printed_total(self.own, candidate.cards) == aim.total
        one_family = same_family(self.own, candidate)
        return (
            weights.gap * gap
            + weights.hit_natural * natural
            + weights.hit_fusion * (candidate.is_fusion and gap == 0)
            + weights.hit_adjust * (single and gap == 0 and not natural)
            + weights.same_family * one_family
            + weights.same_family_gap * (gap if one_family else 0)
            + weights.miroir * self.is_miroir(candidate, aim, bluffer_visible)
            + weights.frappe * (one_family and gap == 0)
            + weights.points * points(candidate.cards)
            + weights.is_fusion * candidate.is_fusion
            + self.random_term(candidate, weights.temperature)
        )

    def is_miroir(self, candidate: Candidate, aim: Aim, bluffer_visible: Card) -> bool:
        """Whether a single card completes a Miroir with the bluffer's visible card and the card named."""
        if aim.named is None or candidate.is_fusion:
            return False
        return completes_miroir([face(self.own), face(candidate.cards[0])], [face(bluffer_visible), aim.named])

    def listen(self, announcement: Announcement, bluffer_visible: Card, bluffer_hidden: Sequence[Card]) -> Aim:
        """What this player aims at."""
        if self.persona.knowledge == "true_cards":
            named = face(bluffer_hidden[0]) if len(bluffer_hidden) == 1 else None
            return Aim(printed_total(bluffer_visible, bluffer_hidden), named)
        if self.persona.knowledge == "nothing":
            return Aim(bluffer_visible.printed + len(bluffer_hidden) * round(mean_printed(self.deck)), None)
        if len(bluffer_hidden) != 1:
            return Aim(announcement.total, None)
        rest = announcement.total - bluffer_visible.printed
        copies = [card for card in self.deck if card.family == announcement.family and card.printed == rest]
        in_view = {card.id for card in (*self.visible, *self.hand)}
        if all(card.id in in_view for card in copies):  # also when no such card exists
            return Aim(bluffer_visible.printed + round(mean_printed(self.deck)), None, disproved=True)
        return Aim(announcement.total, face(copies[0]))


def announce(
    setup: Setup, draws: Randomness, round_: int, bluffer: int, visible: Card, hidden: Sequence[Card]
) -> Announcement:
    """The bluffer's announcement: true, or false in one of its two parts."""
    persona = setup.seats[bluffer]
    total = printed_total(visible, hidden)
    family = hidden[0].family if hidden else None
    if not setup.rules.stands("lie"):
        return Announcement(total, family, "none")
    chance = draws.bits(streams.announcement_counter(round_, streams.KIND_OF_LIE))
    if chance < persona.lie_total:
        size = 1 + draws.below(streams.announcement_counter(round_, streams.SIZE), persona.lie_size)
        down = draws.bits(streams.announcement_counter(round_, streams.DIRECTION)) < 32768
        return Announcement(total - size if down else total + size, family, "total")
    names = [f.name for f in setup.families]
    if chance < persona.lie_total + persona.lie_family and family is not None and len(names) >= 2:
        shift = 1 + draws.below(streams.announcement_counter(round_, streams.FAMILY), len(names) - 1)
        return Announcement(total, names[(names.index(family) + shift) % len(names)], "family")
    return Announcement(total, family, "none")
