"""A whole game in the order of PERUDO.md, section 2, as a transcript."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.common.randomness import Randomness
from tests.games.perudo.reference.bids import Bid
from tests.games.perudo.reference.chances import seen
from tests.games.perudo.reference.choosing import Turn, decide
from tests.games.perudo.reference.cups import Lifting, lift, matching
from tests.games.perudo.reference.endings import Ending
from tests.games.perudo.reference.setup import Setup
from tests.games.perudo.reference.turns import next_round


def roll_counter(round_: int, seat: int, die: int) -> int:
    """Counter of a die of a round."""
    return round_ * 256 + seat * 16 + die


def decision_counter(round_: int, step: int, item: int) -> int:
    """Counter of what a strategy draws at a step."""
    return 2**21 + round_ * 2**12 + step * 8 + item


def tie_counter(round_: int) -> int:
    """Counter of the draw that settles a 3 -> 2 tie."""
    return 3 * 2**21 + round_


@dataclass(frozen=True)
class RoundRecord:
    """One round: seats and rounds from 0. `lost` and `dice_before` by seat, hands empty for seats that are out,
    `stated` in 1/65536.
    """

    number: int
    opener: int
    palifico_seat: int | None
    dice_before: list[int]
    hands: list[list[int]]
    bids: list[tuple[int, Bid]]
    challenger: int
    stated: int
    count: int
    lifting: Lifting
    loser: int
    lost: list[int]
    eliminated: list[int]

    @property
    def bid(self) -> Bid:
        """The bid that was challenged."""
        return self.bids[-1][1]

    @property
    def bidder(self) -> int:
        return self.bids[-1][0]

    @property
    def bid_true(self) -> bool:
        return self.count >= self.bid.quantity


@dataclass(frozen=True)
class GameRecord:
    """One game: `places` by seat, 1 for the winner."""

    game: int
    winner: int
    places: list[int]
    rounds: list[RoundRecord] = field(repr=False)


def play(setup: Setup, game: int) -> GameRecord:
    """Game number `game`."""
    return Table(setup, game).play()


class Table:
    """The table during one game."""

    def __init__(self, setup: Setup, game: int) -> None:
        self.setup, self.game = setup, game
        self.randomness = Randomness(setup.seed, game)
        self.dice = [setup.dice] * setup.players
        self.opener = setup.first_opener
        self.palifico = False
        self.places = [1] * setup.players

    def play(self) -> GameRecord:
        rounds: list[RoundRecord] = []
        while sum(n > 0 for n in self.dice) > 1:
            rounds.append(self.play_round(len(rounds)))
        return GameRecord(self.game, next(seat for seat, n in enumerate(self.dice) if n), self.places, rounds)

    def play_round(self, number: int) -> RoundRecord:
        before, opener, palifico = list(self.dice), self.opener, self.palifico
        hands = [
            [self.randomness.below(roll_counter(number, seat, die), 6) + 1 for die in range(n)]
            for seat, n in enumerate(before)
        ]
        bids, challenger = self.bidding(number, hands)
        bidder, bid = bids[-1]
        count = sum(matching(hand, bid, palifico) for hand in hands)
        loser, winner = (challenger, bidder) if count >= bid.quantity else (bidder, challenger)
        lost = self.losses(count, bid, bidder, loser)
        after = next_round(
            self.setup.rules, before, lost, loser, winner, lambda: self.randomness.below(tie_counter(number), 2) == 0
        )
        self.give_places(after.eliminated, bidder, sum(n > 0 for n in before))
        self.dice, self.opener, self.palifico = after.dice, after.opener, after.palifico
        return RoundRecord(
            number,
            opener,
            opener if palifico else None,
            before,
            hands,
            bids,
            challenger,
            seen(bid, hands[challenger], sum(before), palifico),
            count,
            lift(hands, challenger, bid, palifico, self.setup.rules.lift_direction),
            loser,
            lost,
            after.eliminated,
        )

    def bidding(self, number: int, hands: list[list[int]]) -> tuple[list[tuple[int, Bid]], int]:
        """The round's bids as (bidder, bid), and who challenges."""
        bids: list[tuple[int, Bid]] = []
        seat, palifico_seat, ending = self.opener, self.opener if self.palifico else None, self.ending()
        while True:
            step = len(bids)
            turn = Turn(self.setup.rules, seat, self.dice, hands[seat], palifico_seat, tuple(bids), ending)
            bid = decide(self.setup.seats[seat], turn, lambda item, n, step=step: self.draw(number, step, item, n))
            if bid is None:
                return bids, seat
            bids.append((seat, bid))
            seat = turn.rivals[0]

    def ending(self) -> Ending | None:
        """The table of this round, if two are in and it is solved."""
        seats = len(self.dice)
        others = [seat for seat in ((self.opener + i) % seats for i in range(1, seats)) if self.dice[seat]]
        if len(others) != 1 or self.setup.rules.dice_lost != "one":
            return None
        return self.setup.endings.get((self.palifico, self.dice[self.opener], self.dice[others[0]]))

    def draw(self, number: int, step: int, item: int, n: int) -> int:
        """A draw of a decision; 16 bits for n = 65536."""
        counter = decision_counter(number, step, item)
        return self.randomness.bits(counter) if n == 2**16 else self.randomness.below(counter, n)

    def losses(self, count: int, bid: Bid, bidder: int, loser: int) -> list[int]:
        """Dice given up by seat."""
        if self.setup.rules.dice_lost == "one":
            return [int(seat == loser) for seat in range(len(self.dice))]
        if count == bid.quantity:
            return [int(n > 0 and seat != bidder) for seat, n in enumerate(self.dice)]
        return [min(n, abs(count - bid.quantity)) if seat == loser else 0 for seat, n in enumerate(self.dice)]

    def give_places(self, eliminated: list[int], bidder: int, players_before: int) -> None:
        """The last free places for who goes out; of several at once, clockwise from the bidder, the first takes the
        last.
        """
        seats = len(self.dice)
        for i, seat in enumerate(sorted(eliminated, key=lambda gone: (gone - bidder) % seats)):
            self.places[seat] = players_before - i
