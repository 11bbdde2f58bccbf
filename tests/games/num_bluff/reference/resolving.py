"""Resolution of one round (rules 1 to 8), from the cards on the table to where each of them goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.games.num_bluff.reference.cards import Card, completes_miroir, face, printed_total, totals
from tests.games.num_bluff.reference.setup import Rules


@dataclass(frozen=True)
class Side:
    """What one seat has on the table. `hidden` holds one card, two of one family, or none."""

    seat: int
    visible: Card
    hidden: tuple[Card, ...]

    @property
    def is_fusion(self) -> bool:
        return len(self.hidden) == 2

    @property
    def one_family(self) -> bool:
        """Whether visible and hidden match in family; a visible card alone makes no match (T7)."""
        return bool(self.hidden) and {card.family for card in self.hidden} == {self.visible.family}

    @property
    def printed(self) -> int:
        return printed_total(self.visible, self.hidden)

    @property
    def cards(self) -> tuple[Card, ...]:
        return (self.visible, *self.hidden)

    def mirrors(self, other: Side) -> bool:
        """Miroir Parfait: two natural classic cards each, same families, same values."""
        return completes_miroir([face(card) for card in self.cards], [face(card) for card in other.cards])


@dataclass
class Outcome:
    """How a round ended. Lists are by seat unless they say otherwise."""

    event: str
    bluffer_total: int
    gaps: list[int | None]
    mechanism: list[str | None]
    to_score: list[list[Card]]
    to_pot: list[Card] = field(default_factory=list)
    to_discard: list[Card] = field(default_factory=list)
    #: Whether there is a pot; without one, what would go there is discarded.
    has_pot: bool = True
    winners: list[int] = field(default_factory=list)
    winner_tie: str = "none"
    closest: int | None = None
    closest_tie: str = "none"
    farthest: int | None = None
    farthest_tie: str = "none"
    pot_taker: int | None = None
    pot_won: list[Card] = field(default_factory=list)
    visible_back: list[int] = field(default_factory=list)
    may_sacrifice: list[int] = field(default_factory=list)
    miroir_seats: list[int] = field(default_factory=list)

    @property
    def fed(self) -> list[Card]:
        """Where cards lie that rule 8 sends to the pot."""
        return self.to_pot if self.has_pot else self.to_discard


@dataclass(frozen=True)
class Round:
    """A round before its resolution. `last_places[seat]`: who is before whom when even the visible cards are equal."""

    rules: Rules
    bluffer: int
    sides: Sequence[Side]
    pot: Sequence[Card]
    last_places: Sequence[int]

    @property
    def bluffer_side(self) -> Side:
        return self.sides[self.bluffer]

    @property
    def others(self) -> list[Side]:
        return [side for side in self.sides if side.seat != self.bluffer]

    def reached(self, side: Side) -> set[int]:
        return totals(side.visible, side.hidden, self.rules.wild_adjusts)

    def bluffer_total(self) -> int:
        """The real total of the bluffer (C8)."""
        printed = self.bluffer_side.printed
        if self.rules.bluffer_wild == "printed":
            return printed

        def harm(total: int) -> tuple[int, int]:
            return sum(total in self.reached(side) for side in self.others), abs(total - printed)

        return min(self.reached(self.bluffer_side), key=harm)

    def decide(self, contenders: Sequence[Side]) -> tuple[int, str]:
        """Rule 7: which of several equals it is, and what decided."""

        def height(side: Side) -> int:
            return side.visible.printed if self.rules.tie_value == "signed" else side.visible.value

        lowest = [side for side in contenders if height(side) == min(map(height, contenders))]
        winner = min(lowest, key=lambda side: self.last_places[side.seat])
        return winner.seat, "none" if len(contenders) == 1 else "visible_card" if len(lowest) == 1 else "last_tie"


def mechanism(side: Side, total: int) -> str:
    """How an exact side came to its total."""
    if side.is_fusion:
        return "fusion"
    return "natural" if side.printed == total else "adjust"


def resolve(round_: Round) -> Outcome:
    """Settles a round by the first of rules 1 to 3 that applies, else by rules 4 to 6."""
    rules, others, total = round_.rules, round_.others, round_.bluffer_total()
    gaps: list[int | None] = [None] * len(round_.sides)
    how: list[str | None] = [None] * len(round_.sides)
    for side in others:
        gaps[side.seat] = min(abs(total - reached) for reached in round_.reached(side))
        how[side.seat] = mechanism(side, total) if gaps[side.seat] == 0 else None
    mirrors = [side for side in others if side.mirrors(round_.bluffer_side) and rules.stands("miroir_parfait")]
    outcome = Outcome(
        "",
        total,
        gaps,
        how,
        [[] for _ in round_.sides],
        has_pot=rules.stands("pot"),
        visible_back=[side.seat for side in round_.sides],
        miroir_seats=[side.seat for side in mirrors],
    )
    exact = [side for side in others if gaps[side.seat] == 0]
    frappes = [
        side
        for side in exact
        if rules.stands("frappe_parfaite")
        and side.one_family
        and (rules.frappe_with_fusion or not side.is_fusion)
        and (rules.frappe_exact == "any" or side.printed == total)
    ]
    if mirrors:
        sweep(round_, outcome, "miroir_parfait", mirrors)
    elif len(frappes) == 1 or (frappes and rules.several_frappes == "tie_break"):
        sweep(round_, outcome, "frappe_parfaite", frappes)
    elif not exact or not rules.stands("coup_precis"):
        settle(round_, outcome)
    elif len(exact) == 1:
        sweep(round_, outcome, "coup_precis", exact)
    else:
        share(round_, outcome, exact)
    return outcome


def sweep(round_: Round, outcome: Outcome, event: str, contenders: Sequence[Side]) -> None:
    """One winner takes every hidden card: rules 1 (with all other visible cards and the pot), 2 (with the pot) and
    3.
    """
    winner, outcome.winner_tie = round_.decide(contenders)
    outcome.event, outcome.winners = event, [winner]
    loot = outcome.to_score[winner]
    loot.extend(card for side in round_.sides for card in side.hidden)
    if event == "miroir_parfait":
        loot.extend(side.visible for side in round_.sides if side.seat != winner)
        outcome.visible_back = [winner]
    if event != "coup_precis":
        take_pot(outcome, winner, round_.pot)


def share(round_: Round, outcome: Outcome, exact: Sequence[Side]) -> None:
    """Rule 3 with several winners: each keeps their own hidden cards."""
    outcome.event = "coup_precis_multiple"
    outcome.winners = [side.seat for side in exact]
    outcome.may_sacrifice = list(outcome.winners) if round_.rules.stands("option") else []
    for side in round_.others:
        destination = outcome.to_score[side.seat] if side in exact else outcome.fed
        destination.extend(side.hidden)
    destinations = {"discard": outcome.to_discard, "pot": outcome.fed, "keep": outcome.to_score[round_.bluffer]}
    destinations[round_.rules.several_exact_bluffer_card].extend(round_.bluffer_side.hidden)


def settle(round_: Round, outcome: Outcome) -> None:
    """Rules 4 to 6 and 8: nobody is exact, or rule 3 is out."""
    rules, bluffer = round_.rules, round_.bluffer_side

    def gap(side: Side) -> int:
        return outcome.gaps[side.seat] or 0  # None is the bluffer's, who is not asked

    def counts(side: Side) -> bool:
        """A fusion that misses may be good for nothing (T2)."""
        return rules.fusion_scope == "any" or not side.is_fusion or gap(side) == 0

    may_be_closest = [side for side in round_.others if counts(side) and rules.stands("ca_chauffe")]
    if may_be_closest:
        nearest = min(map(gap, may_be_closest))
        outcome.closest, outcome.closest_tie = round_.decide([side for side in may_be_closest if gap(side) == nearest])
        outcome.to_score[outcome.closest].extend(round_.sides[outcome.closest].hidden)
    rest = [side for side in round_.others if side.seat != outcome.closest]
    outcome.farthest, outcome.farthest_tie = round_.decide([side for side in rest if gap(side) == max(map(gap, rest))])
    far = round_.sides[outcome.farthest]
    between = [card for side in rest if side is not far for card in side.hidden]

    may_be_spared = rules.stands("epargne") and counts(far) and (rules.spared_with_fusion or not far.is_fusion)
    if far.one_family and may_be_spared:
        outcome.event = "epargne"
        outcome.to_score[far.seat].extend(far.hidden)
        (outcome.to_score[bluffer.seat] if rules.spared_bluffer_card == "keep" else outcome.to_discard).extend(
            bluffer.hidden
        )
        outcome.fed.extend(between)
        return
    outcome.event = "coup_de_maitre"
    outcome.to_score[bluffer.seat].extend(bluffer.hidden + far.hidden)
    shown_by_others = {card.family for side in round_.others for card in side.cards}
    bonus = rules.master_bonus and not shown_by_others & {card.family for card in bluffer.cards}
    if bonus:
        outcome.event = "coup_de_maitre_bonus"
    if bonus and outcome.has_pot and rules.bonus_pot == "after_feed":
        take_pot(outcome, bluffer.seat, [*round_.pot, *between])
        return
    if bonus:
        take_pot(outcome, bluffer.seat, round_.pot)
    outcome.fed.extend(between)


def take_pot(outcome: Outcome, seat: int, pot: Sequence[Card]) -> None:
    """The pot goes to one seat, with what was fed into it this round where the ruling says so."""
    outcome.pot_taker, outcome.pot_won = seat, list(pot)
    outcome.to_score[seat].extend(pot)
