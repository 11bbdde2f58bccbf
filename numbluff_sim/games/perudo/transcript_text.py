"""A game's transcript as text to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from numbluff_sim.games.perudo.config import TableSection
from numbluff_sim.games.perudo.rules_section import Rules
from numbluff_sim.i18n import load_catalogue

Entry = Mapping[str, Any]
STAR = 6
#: A stated chance of 1.
WHOLE = 65536


def game_text(transcript: Mapping[str, Any], language: str) -> str:
    """The whole game in "en" or "fr"."""
    return "\n".join(GameText(language).lines(transcript))


class GameText:
    """Writes transcripts in one language."""

    def __init__(self, language: str) -> None:
        self.catalogue = load_catalogue("numbluff_sim.games.perudo:replay", language)
        self.say, self.numbers = self.catalogue.text, self.catalogue.numbers

    def lines(self, game: Mapping[str, Any]) -> Iterator[str]:
        """All lines of a game."""
        about = {key: game[key] for key in ("game", "seed", "players", "profile")}
        yield self.say("title", **about) if game["profile"] else self.say("title_mixed", **about)
        yield from self._unusual(game)
        for entry in game["rounds"]:
            yield ""
            yield self.say(
                "round",
                number=entry["round"] + 1,
                seat=self.seat(entry["opener"]),
                why=self.say(f"rules.{entry['opener_rule']}"),
                dice=sum(entry["dice"]),
            )
            for line in (*self._bidding(entry), *self._outcome(entry, game["places"])):
                yield f"  {line}"
        yield ""
        yield self.say("end", seat=self.seat(game["winner"]), dice=self.dice(game["winner_dice"]))

    def seat(self, seat: int) -> str:
        """A seat in words."""
        return self.say("seat", seat=seat + 1)

    def dice(self, count: int) -> str:
        """A number of dice in words."""
        return self.say("one_die") if count == 1 else self.say("more_dice", dice=count)

    def face(self, face: int) -> str:
        """A face."""
        return self.say("star") if face == STAR else str(face)

    def bid(self, quantity: int, face: int) -> str:
        """A bid."""
        return self.say("of_face", quantity=quantity, face=self.face(face))

    def listed(self, parts: Sequence[str]) -> str:
        """One, two and three."""
        return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + self.say("and") + parts[-1]

    def _unusual(self, game: Mapping[str, Any]) -> Iterator[str]:
        for name, answer in game["rules"].items():
            if answer != Rules.model_fields[name].default:
                yield self.say("changed", name=name, answer=str(answer).lower() if isinstance(answer, bool) else answer)
        if game["dice"] != TableSection.model_fields["dice"].default:
            yield self.say("dice_each", dice=game["dice"])

    def _bidding(self, entry: Entry) -> Iterator[str]:
        if entry["palifico"] is not None:
            yield _capital(self.say("palifico", seat=self.seat(entry["palifico"])))
        for seat, hand in enumerate(entry["faces"]):
            if hand:
                yield _capital(self.say("hand", seat=self.seat(seat), faces=" ".join(map(self.face, hand))))
        yield self.say(
            "bids",
            bids=", ".join(self.say("bid", seat=self.seat(seat), bid=self.bid(*bid)) for seat, *bid in entry["bids"]),
        )

    def _outcome(self, entry: Entry, places: Sequence[int]) -> Iterator[str]:
        chance = self.numbers.percent(entry["stated"] / WHOLE)
        yield _capital(
            self.say("challenge", seat=self.seat(entry["challenger"]), bid=self.bid(*entry["bid"]), chance=chance)
        )
        yield self.say("true" if entry["bid_true"] else "false", count=entry["count"], seat=self.seat(entry["loser"]))
        lifted, covered = (
            self.listed([self.seat(seat) for seat in entry[key]]) if entry[key] else ""
            for key in ("cups_lifted", "cups_covered")
        )
        yield self.say("covered", lifted=lifted, covered=covered) if covered else self.say("all_lifted", lifted=lifted)
        for seat, lost in enumerate(entry["dice_lost"]):
            if lost:
                yield _capital(self.say("lost", seat=self.seat(seat), dice=self.dice(lost)))
        for seat in entry["eliminated"]:
            yield _capital(self.say("out", seat=self.seat(seat), place=places[seat]))
        yield self.say("state", dice=", ".join(map(str, entry["dice_after"])))


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
