"""A game's transcript as text to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from numbluff_sim.games.num_bluff.phrases import Phrases
from numbluff_sim.i18n import load_catalogue

Entry = Mapping[str, Any]


def game_text(transcript: Mapping[str, Any], language: str, planned_rounds: int) -> str:
    """The whole game in "en" or "fr"; a game with fewer rounds than planned was cut short."""
    return "\n".join(GameText(language).lines(transcript, planned_rounds))


class GameText:
    """Writes transcripts in one language."""

    def __init__(self, language: str) -> None:
        self.language, self.phrases = language, Phrases(language)
        self.say = load_catalogue("numbluff_sim.games.num_bluff:replay", language).text

    def lines(self, game: Mapping[str, Any], planned_rounds: int) -> Iterator[str]:
        """All lines of a game."""
        about = {key: game[key] for key in ("game", "seed", "players", "profile")}
        yield self.say("title", **about) if game["profile"] else self.say("title_mixed", **about)
        yield from self._unusual(game)
        for seat, hand in enumerate(game["initial_hands"]):
            yield "  " + self.say("hand", seat=self.phrases.seat(seat), cards=self.phrases.listed(hand))
        for entry in game["rounds"]:
            yield ""
            yield self.say("round", number=entry["round"] + 1, seat=self.phrases.seat(entry["bluffer"]))
            for part in (self._before(entry), self._sides(entry), self._outcome(entry), self._after(entry)):
                yield from (f"  {line}" for line in part)
        yield ""
        if len(game["rounds"]) < planned_rounds:
            yield self.say("cut_short")
        yield self._end(game)

    def _unusual(self, game: Mapping[str, Any]) -> Iterator[str]:
        for ruling in self.phrases.book.rulings:
            value = game["rules"][ruling.name]
            if value != ruling.default:
                yield self.say("changed", **self.phrases.answered(ruling, value))
        if game["deck"] is not None:
            families = [
                self.say(
                    "family" if f["copies"] == 1 else "family_copies",
                    name=f["name"],
                    low=f["values"][0],
                    high=f["values"][1],
                    copies=f["copies"],
                )
                for f in game["deck"]
            ]
            yield self.say("deck", families=self.phrases.listed(families))

    def _before(self, entry: Entry) -> Iterator[str]:
        if entry["recycled"]:
            yield self.say("recycled")
        for seat in entry["empty_hand_draws"]:
            yield _capital(self.say("empty_hand", seat=self.phrases.seat(seat)))

    def _sides(self, entry: Entry) -> Iterator[str]:
        b, said, players = entry["bluffer"], entry["announcement"], len(entry["visible"])
        alone = "" if entry["hidden"][b] else "_alone"
        truth = "truth_none_alone" if said["lie"] == "none" and alone else f"truth_{said['lie']}"
        yield _capital(
            self.say(
                f"bluffer{alone}",
                seat=self.phrases.seat(b),
                visible=entry["visible"][b],
                hidden=self.phrases.side(entry["hidden"][b]),
                total=said["total"],
                family=said["family"],
                truth=self.say(truth),
            )
        )
        for seat in ((b + k) % players for k in range(1, players)):
            how = entry["mechanism"][seat]
            key = "side" + ("" if entry["hidden"][seat] else "_alone") + ("_exact" if how else "")
            yield _capital(
                self.say(
                    key,
                    seat=self.phrases.seat(seat),
                    visible=entry["visible"][seat],
                    hidden=self.phrases.side(entry["hidden"][seat]),
                    gap=entry["gaps"][seat],
                    how=self.say(how) if how else "",
                )
            )

    def _outcome(self, entry: Entry) -> Iterator[str]:
        parts = [self.say("event", total=entry["bluffer_total"], **self.phrases.event(entry["event"]))]
        if entry["winners"]:
            parts.append(self.say("winners", seats=self.phrases.seats(entry["winners"])))
        parts += [
            self.say(role, seat=self.phrases.seat(entry[role]))
            for role in ("closest", "farthest")
            if entry[role] is not None
        ]
        yield " ".join(parts)

    def _after(self, entry: Entry) -> Iterator[str]:
        for seat, won in enumerate(entry["to_score"]):
            if won:
                yield _capital(self.say("scores", seat=self.phrases.seat(seat), cards=self.phrases.worth(won)))
        for seat, card in zip(entry["sacrificed"], entry["sacrifice_draws"], strict=True):
            yield _capital(self.say("sacrifice", seat=self.phrases.seat(seat), card=card))
        for key in ("to_pot", "to_discard"):
            if entry[key]:
                yield self.say(key, cards=self.phrases.worth(entry[key]))
        for seat, card in entry["refill_draws"]:
            yield _capital(self.say("refill", seat=self.phrases.seat(seat), card=card))
        yield self.say(
            "state", scores=", ".join(map(str, entry["scores_after"])), pot=self.phrases.worth(entry["pot_after"])
        )

    def _end(self, game: Mapping[str, Any]) -> str:
        winners = game["winners"]
        best = game["rounds"][-1]["scores_after"][winners[0]]
        key, seats = (
            ("won", self.phrases.seat(winners[0])) if len(winners) == 1 else ("shared", self.phrases.seats(winners))
        )
        return self.say(
            "end",
            seats=self.say(key, seat=seats) if key == "won" else self.say(key, seats=seats),
            points=self.phrases.points(best),
        )


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
