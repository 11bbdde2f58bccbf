"""Single games as transcripts, read off the kernels' trace; the form is that of `numbluff replay --json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.config import load
from numbluff_sim.games.num_bluff.code_names import LIE_NAMES, MECHANISM_NAMES
from numbluff_sim.games.num_bluff.config import Deck, NumBluffConfig
from numbluff_sim.games.num_bluff.engine import Engine
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.kernels.num_bluff import codes
from numbluff_sim.kernels.num_bluff.calculator import deal
from numbluff_sim.kernels.num_bluff.layout import BOOK_SIZE, L_CARDS, STATE_SIZE

LANES = 64
#: One lane of a round's trace: fields TR_* and TS_*.
Fields = Sequence[int]


def transcripts(config: NumBluffConfig, first: int, last: int) -> Iterator[dict[str, Any]]:
    """The transcripts of games first .. last of a configuration, in order, made a block of 64 at a time."""
    return Recorder(config).games(first, last)


def card_name(family: str, value: int) -> str:
    """A card as text: rouge-7."""
    return f"{family}-{value}"


@cache
def usual_deck() -> Deck:
    """The deck of the documented preset."""
    config = load()
    assert isinstance(config, NumBluffConfig)
    return config.deck


def new_book() -> Any:
    """Empty bounds for a kernel: an array for compiled code; plain Python integers take NumPy's lane types as they
    are.
    """
    return np.zeros(BOOK_SIZE, np.int64) if COMPILED else [0] * BOOK_SIZE


class Cards:
    """The deck's cards by id."""

    def __init__(self, config: NumBluffConfig) -> None:
        self.names = [card_name(family.name, value) for family, value in config.deck.cards]
        self.families = [family.name for family in config.deck.families]

    def listed(self, ids: Sequence[int]) -> list[str]:
        """Names in this order."""
        return [self.names[i] for i in ids]

    def sorted(self, ids: Sequence[int]) -> list[str]:
        """Names, sorted as text."""
        return sorted(self.listed(ids))


@dataclass(frozen=True)
class RoundView:
    """One round as the kernels traced it. Seats are 0 .. players - 1, cards are ids, `None` is nobody."""

    fields: Fields
    players: int
    bonus_takes_feed: bool

    def by_seat(self, block: int) -> list[int]:
        """A TS_* block."""
        start = codes.TRACE_SCALARS + block * self.players
        return [int(x) for x in self.fields[start : start + self.players]]

    def seat(self, scalar: int) -> int | None:
        """A TR_* field that names a seat."""
        return None if self.fields[scalar] == codes.NO_SEAT else int(self.fields[scalar])

    def seats(self, scalar: int) -> list[int]:
        """A TR_* field of seat bits, in ascending order."""
        return [p for p in range(self.players) if self.fields[scalar] >> p & 1]

    def clockwise(self, scalar: int) -> list[int]:
        """A TR_* field of seat bits, clockwise from the bluffer."""
        return sorted(self.seats(scalar), key=lambda p: (p - self.bluffer) % self.players)

    @property
    def bluffer(self) -> int:
        """Seat of the bluffer."""
        return int(self.fields[codes.TR_BLUFFER])

    @property
    def event(self) -> int:
        """Code of the event."""
        return int(self.fields[codes.TR_EVENT])

    @cached_property
    def visible(self) -> list[int]:
        """The visible cards."""
        return self.by_seat(codes.TS_VISIBLE)

    @cached_property
    def hidden(self) -> list[list[int]]:
        """The hidden sides, each of 0 to 2 cards."""
        pairs = zip(self.by_seat(codes.TS_HIDDEN1), self.by_seat(codes.TS_HIDDEN2), strict=True)
        return [[card for card in pair if card != codes.NO_CARD] for pair in pairs]

    @cached_property
    def visible_back(self) -> list[int]:
        """Who takes the visible card back."""
        return [p for p, back in enumerate(self.by_seat(codes.TS_BACK)) if back]

    @property
    def gaps(self) -> list[int | None]:
        """Gaps; the bluffer has none."""
        return [None if p == self.bluffer else gap for p, gap in enumerate(self.by_seat(codes.TS_GAP))]

    @property
    def mechanisms(self) -> list[str | None]:
        """How each exact player hit."""
        return [None if how == codes.NOT_EXACT else MECHANISM_NAMES[how] for how in self.by_seat(codes.TS_MECHANISM)]

    def moves(self, pot: Sequence[int]) -> Moves:
        """Where the cards of the round go, given the pot before it."""
        moves = Moves([[] for _ in range(self.players)])
        taker, pot_taker = self.seat(codes.TR_TAKER), self.seat(codes.TR_POT_TAKER)
        for p, fate in enumerate(self.by_seat(codes.TS_FATE)):
            if fate == codes.TAKEN:
                assert taker is not None, "a card that is taken has a taker"
                moves.to_score[taker] += self.hidden[p]
            elif fate != codes.NOTHING:
                {codes.KEEP: moves.to_score[p], codes.POT: moves.to_pot, codes.DISCARD: moves.to_discard}[fate].extend(
                    self.hidden[p]
                )
        if self.event == codes.MIROIR:
            assert taker is not None, "a Miroir Parfait has a winner"
            moves.to_score[taker] += [card for p, card in enumerate(self.visible) if p != taker]
        moves.pot_after = [*pot, *moves.to_pot]
        if pot_taker is not None:
            won, moves.pot_after = list(pot), list(moves.to_pot)
            if self.event == codes.BONUS and self.bonus_takes_feed:
                won, moves.to_pot, moves.pot_after = [*won, *moves.to_pot], [], []
            moves.to_score[pot_taker] += won
        return moves


@dataclass
class Moves:
    """Where card ids go at the end of a round: each seat's score pile, the pot, the discard; and the pot then."""

    to_score: list[list[int]]
    to_pot: list[int] = field(default_factory=list)
    to_discard: list[int] = field(default_factory=list)
    pot_after: list[int] = field(default_factory=list)


def takes_feed(config_rules: Any) -> bool:
    """Whether the bonus wins the cards that this round puts into the pot (rule 6)."""
    return bool(config_rules.bonus_pot == "after_feed")


class Recorder(Engine):
    """An engine that writes its games down."""

    def __init__(self, config: NumBluffConfig) -> None:
        super().__init__(config)
        self.cards = Cards(config)
        self.points = [value for _, value in config.deck.cards]
        seats = set(config.seats)
        self._about = {
            "seed": self.seed,
            "players": self.players,
            "profile": config.seats[0] if len(seats) == 1 else None,
            "rules": config.rules.model_dump(mode="json"),
            "deck": self._unusual_deck(),
        }

    def games(self, first: int, last: int) -> Iterator[dict[str, Any]]:
        """Transcripts of games first .. last."""
        for start in range(first - first % LANES, last + 1, LANES):
            low, high = max(first, start), min(last, start + LANES - 1)
            trace = self.trace(low, high - low + 1)[0]
            hands = self.starting_hands(start)
            for g in range(low, high + 1):
                yield self._game(g, trace[:, :, g % LANES].tolist(), hands[g % LANES].tolist())

    def starting_hands(self, first_game: int) -> NDArray[np.uint8]:
        """Card ids uint8 (64, players, hand size) of games first_game .. first_game + 63, first_game a multiple of
        64.
        """
        block = self._blank.copy()
        with np.errstate(over="ignore"):
            deal(self._seats, self._plan, block, np.zeros(STATE_SIZE, np.uint64), new_book(), self.seed, first_game)
        size, start = self.config.table.hand_size, int(self._plan[L_CARDS])
        return np.ascontiguousarray(block[start : start + self.players * size].T).reshape(LANES, self.players, size)

    def _unusual_deck(self) -> list[dict[str, Any]] | None:
        deck = self.config.deck
        return None if deck == usual_deck() else [family.model_dump(mode="json") for family in deck.families]

    def _game(self, number: int, trace: list[Fields], hands: list[list[int]]) -> dict[str, Any]:
        game: dict[str, Any] = {
            "game": number,
            **self._about,
            "initial_hands": [self.cards.listed(hand) for hand in hands],
        }
        pot: list[int] = []
        scores = [0] * self.players
        rounds: list[dict[str, Any]] = []
        for fields in trace:
            if fields[codes.TR_PLAYED]:
                view = RoundView(fields, self.players, takes_feed(self.config.rules))
                moves = view.moves(pot)
                pot = moves.pot_after
                scores = [
                    score + sum(self.points[card] for card in won)
                    for score, won in zip(scores, moves.to_score, strict=True)
                ]
                draws = update_hands(view, hands)
                rounds.append(self._round(len(rounds), view, moves, scores, hands, draws))
        game["winners"] = [p for p, score in enumerate(scores) if score == max(scores)]
        game["rounds"] = rounds
        return game

    def _round(
        self,
        number: int,
        view: RoundView,
        moves: Moves,
        scores: list[int],
        hands: list[list[int]],
        refills: list[tuple[int, int]],
    ) -> dict[str, Any]:
        cards, fields = self.cards, view.fields
        family = fields[codes.TR_ANNOUNCED_FAMILY]
        options = view.clockwise(codes.TR_OPTIONS)
        option_draws = view.by_seat(codes.TS_OPTION_DRAW)
        return {
            "round": number,
            "bluffer": view.bluffer,
            "recycled": bool(fields[codes.TR_RECYCLED]),
            "visible": cards.listed(view.visible),
            "hidden": [cards.sorted(side) for side in view.hidden],
            "empty_hand_draws": view.clockwise(codes.TR_EMPTY_DRAWS),
            "announcement": {
                "total": fields[codes.TR_ANNOUNCED_TOTAL],
                "family": None if family == codes.NO_FAMILY else cards.families[family],
                "lie": LIE_NAMES[fields[codes.TR_LIE]],
            },
            **described(view, moves, cards),
            "sacrificed": options,
            "sacrifice_draws": cards.listed([option_draws[p] for p in options]),
            "refill_draws": [[p, cards.names[card]] for p, card in refills],
            "pot_after": cards.sorted(moves.pot_after),
            "scores_after": list(scores),
            "hands_after": [cards.listed(hand) for hand in hands],
        }


def described(view: RoundView, moves: Moves, cards: Cards) -> dict[str, Any]:
    """What the ladder decided, in the keys that transcripts and resolved rounds share."""
    return {
        "bluffer_total": view.fields[codes.TR_TOTAL],
        "event": EVENT_NAMES[view.event],
        "winners": view.seats(codes.TR_WINNERS),
        "closest": view.seat(codes.TR_CLOSEST),
        "farthest": view.seat(codes.TR_FARTHEST),
        "mechanism": view.mechanisms,
        "gaps": view.gaps,
        "to_score": [cards.sorted(won) for won in moves.to_score],
        "to_pot": cards.sorted(moves.to_pot),
        "to_discard": cards.sorted(moves.to_discard),
    }


def update_hands(view: RoundView, hands: list[list[int]]) -> list[tuple[int, int]]:
    """Hands after the round, in place and in the order of docs/games/num_bluff/PLAY.md section 3; gives the refills
    as (seat, card), the bluffer's side first.
    """
    option_draws, refill_draws = view.by_seat(codes.TS_OPTION_DRAW), view.by_seat(codes.TS_REFILL_DRAW)
    refills = []
    for k in range(view.players):
        p = (view.bluffer + k) % view.players
        hand, side = hands[p], view.hidden[p]
        if side and not hand:
            hand.extend(side)  # an empty hand's drawn card (T7)
        slots = sorted(hand.index(card) for card in side)
        returning = [view.visible[p]] if p in view.visible_back else []
        for slot in reversed(slots[1:]):
            fill_from_end(hand, slot)
        if slots and returning:
            hand[slots[0]] = returning[0]
        elif slots:
            fill_from_end(hand, slots[0])
        else:
            hand.extend(returning)
        hand.extend(draw[p] for draw in (option_draws, refill_draws) if draw[p] != codes.NO_CARD)
        if refill_draws[p] != codes.NO_CARD:
            refills.append((p, refill_draws[p]))
    return refills


def fill_from_end(hand: list[int], slot: int) -> None:
    """The last card of a hand moves to `slot`; the hand gets shorter."""
    last = hand.pop()
    if slot < len(hand):
        hand[slot] = last
