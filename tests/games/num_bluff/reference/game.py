"""A whole game in the order of PLAY.md, section 3, as a transcript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.common.randomness import Randomness, arrange
from tests.games.num_bluff.reference import streams
from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Card, build_deck, points
from tests.games.num_bluff.reference.cases import names
from tests.games.num_bluff.reference.choosing import Aim, Announcement, Candidate, Chooser, announce
from tests.games.num_bluff.reference.leads import lead_history
from tests.games.num_bluff.reference.pile import Pile
from tests.games.num_bluff.reference.resolving import Outcome, Round, Side, resolve
from tests.games.num_bluff.reference.setup import Setup


def play(setup: Setup, game: int) -> dict[str, Any]:
    """The transcript of game number `game`: the keys of `replay --json`, and more of each round for comparisons."""
    return Table(setup, game).play()


@dataclass
class Moves:
    """What happened to cards in one round besides its resolution. Seats in the order in which they acted."""

    empty_hand_draws: list[int] = field(default_factory=list)
    sacrificed: list[int] = field(default_factory=list)
    sacrifice_draws: list[Card] = field(default_factory=list)
    refill_draws: list[tuple[int, Card]] = field(default_factory=list)


class Table:
    """The table during one game: who holds what."""

    def __init__(self, setup: Setup, game: int) -> None:
        self.setup, self.game = setup, game
        self.randomness = Randomness(setup.seed, game)
        self.deck = build_deck(setup.families)
        self.players = setup.players
        dealt = setup.hand_size * self.players
        self.epoch = 0
        self.pile = self.new_pile(
            self.deck, dealt + self.players * min(setup.rounds, (len(self.deck) - dealt) // self.players)
        )
        self.hands = [[self.pile.draw_top() for _ in range(setup.hand_size)] for _ in range(self.players)]
        self.pot: list[Card] = []
        self.scores = [0] * self.players

    def new_pile(self, cards: Sequence[Card], tops: int) -> Pile:
        return Pile(cards, tops, self.epoch, self.randomness)

    def clockwise(self, bluffer: int) -> list[int]:
        """All seats, the bluffer first."""
        return [(bluffer + step) % self.players for step in range(self.players)]

    def play(self) -> dict[str, Any]:
        setup = self.setup
        initial_hands = [list(map(str, hand)) for hand in self.hands]
        rounds: list[dict[str, Any]] = []
        for number in range(setup.rounds):
            recycled = len(self.pile) < self.players and self.recycle(number)
            if len(self.pile) < self.players:
                break
            rounds.append(self.play_round(number, recycled))
        best = max(self.scores)
        winners = [seat for seat, score in enumerate(self.scores) if score == best]
        profiles = {persona.name for persona in setup.seats}
        return {
            "game": self.game,
            "seed": setup.seed,
            "players": self.players,
            "profile": setup.seats[0].name if len(profiles) == 1 else None,
            "rules": setup.rules.to_table(),
            "deck": None if setup.families == DEFAULT_FAMILIES else [asdict(f) for f in setup.families],
            "initial_hands": initial_hands,
            "winners": winners,
            "rounds": rounds,
            **lead_history([r["scores_after"] for r in rounds], setup.rounds, winners),
        }

    def recycle(self, number: int) -> bool:
        """Makes a new pile of all cards that are in no hand and not in the pot (T8), when allowed and enough."""
        held = {card.id for cards in (*self.hands, self.pot) for card in cards}
        free = [card for card in self.deck if card.id not in held]
        if self.setup.rules.empty_deck == "end_game" or len(free) < self.players:
            return False
        self.epoch += 1
        self.pile = self.new_pile(free, self.players * min(self.setup.rounds - number, len(free) // self.players))
        return True

    def play_round(self, number: int, recycled: bool) -> dict[str, Any]:
        bluffer = number % self.players
        pot_before, scores_before = list(self.pot), list(self.scores)
        moves = Moves()
        visible = [self.pile.draw_top() for _ in range(self.players)]
        self.help_empty_hands(bluffer, moves)
        choices, announcement, aims = self.choose(number, bluffer, visible)
        sides = [Side(seat, visible[seat], choice.cards if choice else ()) for seat, choice in enumerate(choices)]
        round_ = Round(self.setup.rules, bluffer, sides, pot_before, self.last_places(number, bluffer))
        outcome = resolve(round_)
        self.offer_option(number, bluffer, outcome, moves)
        self.pot = ([] if outcome.pot_taker is not None else pot_before) + outcome.to_pot
        self.scores = [score + points(won) for score, won in zip(self.scores, outcome.to_score, strict=True)]
        self.update_hands(bluffer, visible, choices, outcome, moves)
        return {
            **self.record(number, recycled, round_, announcement, outcome, moves),
            "pot_points_before": points(pot_before),
            "pot_points_after": points(self.pot),
            "pot_points_won": points(outcome.pot_won),
            "disproved": [seat for seat, aim in enumerate(aims) if aim and aim.disproved],
            "aims": [aim.total if aim else None for aim in aims],
            "slots": [list(choice.slots) if choice else [] for choice in choices],
            "gains": [after - before for before, after in zip(scores_before, self.scores, strict=True)],
        }

    def help_empty_hands(self, bluffer: int, moves: Moves) -> None:
        """Whoever has no card to hide draws one, if the ruling T7 says so and the pile has one."""
        if self.setup.rules.empty_hand != "draw":
            return
        for seat in self.clockwise(bluffer):
            if not self.hands[seat] and len(self.pile):
                self.hands[seat].append(self.pile.draw_bottom())
                moves.empty_hand_draws.append(seat)

    def choose(
        self, number: int, bluffer: int, visible: Sequence[Card]
    ) -> tuple[list[Candidate | None], Announcement, list[Aim | None]]:
        """What everybody hides (None: nothing to hide), what the bluffer says and what the others make of it."""
        choosers = [
            Chooser(self.setup, self.deck, self.randomness, number, seat, hand, visible)
            for seat, hand in enumerate(self.hands)
        ]
        choices: list[Candidate | None] = [None] * self.players
        aims: list[Aim | None] = [None] * self.players
        laid = choosers[bluffer].as_bluffer() if self.hands[bluffer] else None
        choices[bluffer] = laid
        hidden = laid.cards if laid else ()
        announcement = announce(self.setup, self.randomness, number, bluffer, visible[bluffer], hidden)
        for seat in self.clockwise(bluffer)[1:]:
            aim = choosers[seat].listen(announcement, visible[bluffer], hidden)
            aims[seat] = aim
            if self.hands[seat]:
                choices[seat] = choosers[seat].against(aim, visible[bluffer])
        return choices, announcement, aims

    def last_places(self, number: int, bluffer: int) -> list[int]:
        """Place of each seat when even the visible cards are equal (PLAY.md, section 7); the bluffer's is never
        asked.
        """
        others = self.clockwise(bluffer)[1:]
        places = list(range(len(others)))
        if self.setup.rules.last_tie == "random":
            places = arrange(
                places,
                [self.randomness.below(streams.tie_counter(number, k), len(others) - k) for k in range(len(others))],
            )
        by_seat = dict(zip(others, places, strict=True))
        return [by_seat.get(seat, self.players) for seat in range(self.players)]

    def offer_option(self, number: int, bluffer: int, outcome: Outcome, moves: Moves) -> None:
        """The option of a Coup Précis with several winners: the cards kept go to the pot, one card is drawn."""
        rounds_left = self.setup.rounds - 1 - number
        for seat in self.clockwise(bluffer):
            persona = self.setup.seats[seat]
            wants = (
                points(outcome.to_score[seat]) <= persona.option_points_at_most
                and rounds_left >= persona.option_rounds_left_at_least
            )
            if seat in outcome.may_sacrifice and wants and len(self.pile):
                outcome.fed.extend(outcome.to_score[seat])
                outcome.to_score[seat] = []
                moves.sacrificed.append(seat)
                moves.sacrifice_draws.append(self.pile.draw_bottom())

    def update_hands(
        self, bluffer: int, visible: Sequence[Card], choices: Sequence[Candidate | None], outcome: Outcome, moves: Moves
    ) -> None:
        """Hidden cards leave, visible cards return, extra draws are added."""
        for seat, hand in enumerate(self.hands):
            choice = choices[seat]
            replace_hidden(
                hand, choice.slots if choice else (), visible[seat] if seat in outcome.visible_back else None
            )
        for seat, card in zip(moves.sacrificed, moves.sacrifice_draws, strict=True):
            self.hands[seat].append(card)
        if self.setup.rules.refill_after_fusion:
            for seat in self.clockwise(bluffer):
                choice = choices[seat]
                if choice and choice.is_fusion and len(self.pile):
                    moves.refill_draws.append((seat, self.pile.draw_bottom()))
                    self.hands[seat].append(moves.refill_draws[-1][1])

    def record(
        self, number: int, recycled: bool, round_: Round, announcement: Announcement, outcome: Outcome, moves: Moves
    ) -> dict[str, Any]:
        """One entry of the transcript's rounds."""
        others = round_.others
        exact = [side for side in others if outcome.gaps[side.seat] == 0]
        sweeps = outcome.event in ("miroir_parfait", "frappe_parfaite", "coup_precis")
        return {
            "round": number,
            "bluffer": round_.bluffer,
            "recycled": recycled,
            "visible": [str(side.visible) for side in round_.sides],
            "hidden": [names(side.hidden) for side in round_.sides],
            "empty_hand_draws": moves.empty_hand_draws,
            "announcement": asdict(announcement),
            "bluffer_total": outcome.bluffer_total,
            "event": outcome.event,
            "winners": outcome.winners,
            "closest": outcome.closest,
            "farthest": outcome.farthest,
            "mechanism": outcome.mechanism,
            "gaps": outcome.gaps,
            "to_score": [names(cards) for cards in outcome.to_score],
            "to_pot": names(outcome.to_pot),
            "to_discard": names(outcome.to_discard),
            "sacrificed": moves.sacrificed,
            "sacrifice_draws": list(map(str, moves.sacrifice_draws)),
            "refill_draws": [[seat, str(card)] for seat, card in moves.refill_draws],
            "pot_after": names(self.pot),
            "scores_after": list(self.scores),
            "hands_after": [list(map(str, hand)) for hand in self.hands],
            # Beyond the transcript: what the tallies count.
            "taker": outcome.winners[0] if sweeps else None,
            "pot_taker": outcome.pot_taker,
            "winner_tie": outcome.winner_tie,
            "closest_tie": outcome.closest_tie,
            "farthest_tie": outcome.farthest_tie,
            "visible_back": outcome.visible_back,
            "miroir_seats": outcome.miroir_seats,
            "exact_seats": [side.seat for side in exact],
            "exact_one_family_seats": [side.seat for side in exact if side.one_family],
            "exact_printed_seats": [side.seat for side in others if side.printed == outcome.bluffer_total],
            "one_family_seats": [side.seat for side in round_.sides if side.one_family],
            "hand_sizes": [len(hand) for hand in self.hands],
            "epoch": self.epoch,
            "left": len(self.pile),
        }


def replace_hidden(hand: list[Card], slots: Sequence[int], returning: Card | None) -> None:
    """Takes the hidden cards out of a hand and puts the returning visible card in their place (PLAY.md, order inside
    a hand).
    """
    if not slots:
        hand.extend([returning] if returning else [])
        return
    for slot in reversed(slots[1:]):
        fill_from_end(hand, slot)
    if returning:
        hand[slots[0]] = returning
    else:
        fill_from_end(hand, slots[0])


def fill_from_end(hand: list[Card], slot: int) -> None:
    """The last card of the list moves to `slot`; the list gets shorter."""
    last = hand.pop()
    if slot < len(hand):
        hand[slot] = last
