"""High card as numbluff sees it: the object that the entry point of this package names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from numbluff_sim.contract.fields import Grain
from numbluff_sim.contract.game import Calculator, Changes, Counts, Game, Json, Played
from numbluff_sim.contract.ways import Ways, parameters_of
from numbluff_sim.errors import CaseError
from numbluff_sim.i18n import load_catalogue
from toy_game.analysis import DOMAIN, METRICS, WORDS, report_page
from toy_game.config import Persona, ToyConfig
from toy_game.engine import TALLY, WHOLE, Engine, columns, seat_results, settle

EXPECTED = 'expected rounds such as {"cards": [3, 5, 5]}, 2 to 4 whole numbers'


class Rounds(Calculator[ToyConfig]):
    """{"rounds": [{"cards": [3, 5, 5]}, ...]}, or such cards as text, a line a round."""

    listed, or_text = "rounds", " or cards as text, a line a round"

    def resolve(self, data: Mapping[str, object], config: ToyConfig, file: str) -> Json:
        """The points of every round."""
        rounds = data.get("rounds")
        hands = [dict(case).get("cards") for case in rounds] if isinstance(rounds, list) else [None]
        if not all(isinstance(hand, list) and set(map(type, hand)) == {int} and 1 < len(hand) < 5 for hand in hands):
            raise CaseError(f"{file}: {EXPECTED}.")
        return {"rounds": [outcome(config, hand) for hand in hands]}

    def resolve_text(self, text: str, config: ToyConfig, file: str) -> Json:
        """The same from text."""
        hands = [[int(word) if word.isdigit() else word for word in line.split()] for line in text.splitlines()]
        return self.resolve({"rounds": [{"cards": hand} for hand in hands]}, config, file)

    def explained(self, cases: str | Mapping[str, object], config: ToyConfig, language: str, file: str) -> str:
        """The same in words."""
        return told((self.resolve_text if isinstance(cases, str) else self.resolve)(cases, config, file), language)


class HighCard(Game[ToyConfig]):
    """The game. Everything it gives is small, so it is imported with it."""

    name, title, rules_version, players = "high_card", "High card", 1, range(2, 5)
    package, sources = "toy_game", {"toy_game": ("config", "engine")}
    grains = (Grain("games", "game", lambda config: 1), Grain("rounds", "round", lambda config: config.rounds))
    schema, tally, metrics, words, calculator = ToyConfig, TALLY, METRICS, WORDS, Rounds()
    columns, engine, seat_results = staticmethod(columns), staticmethod(Engine), staticmethod(seat_results)
    report_page = staticmethod(report_page)
    ways = Ways(lambda config, persona: parameters_of(Persona, {"redraw_below": ("value", "puts a lower card back")}))

    @property
    def changes(self) -> Changes[ToyConfig]:
        """Other answers; nothing can be taken out."""
        return Changes(self.rules, lambda config: [])

    def played(self, tally: Counts) -> Played:
        """Rounds."""
        return Played(int(tally["moments"][0, 0]), "rounds")

    def transcripts(self, config: ToyConfig, first: int, last: int) -> Iterator[Json]:
        """Cards and points of every round."""
        about = {"seed": config.run.seed, "players": config.players, "rules": config.rules.model_dump()}
        for game, hands in enumerate(Engine(config).cards(first, last - first + 1).tolist(), first):
            yield {"game": game, **about, "rounds": [{"round": r, **outcome(config, h)} for r, h in enumerate(hands)]}

    def transcript_text(self, transcript: Json, _: ToyConfig, language: str) -> str:
        """A line a round."""
        head = load_catalogue(DOMAIN, language).text("told.game", game=transcript["game"], seed=transcript["seed"])
        return f"{head}\n\n{told(transcript, language)}"


def outcome(config: ToyConfig, cards: list[int]) -> Json:
    """One round's cards with their points."""
    return {"cards": cards, "points": (settle(np.array(cards), config.rules.ties) / WHOLE).tolist()}


def told(found: Json, language: str) -> str:
    """Rounds in words."""
    say = load_catalogue(DOMAIN, language).text
    rounds = [
        {name: " ".join(f"{value:g}" for value in one[name]) for name in ("cards", "points")} for one in found["rounds"]
    ]
    return "\n\n".join(say("told.round", number=number, **words) for number, words in enumerate(rounds, 1))


GAME = HighCard()
