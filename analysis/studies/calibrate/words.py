"""A calibration in words: cells, rates, answers, what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numbluff_sim.analysis.studies.calibrate.cells import Cell, Rated
from numbluff_sim.analysis.studies.calibrate.result import Calibration
from numbluff_sim.analysis.studies.calibrate.screening import Power
from numbluff_sim.analysis.studies.calibrate.space import Answer
from numbluff_sim.analysis.studies.check.claims import Claim
from numbluff_sim.analysis.studies.game_wording import GameWording
from numbluff_sim.contract.registry import game
from numbluff_sim.i18n import page_catalogue

#: Cells that a page shows one by one.
SHOWN = 12


@dataclass(frozen=True)
class CalibrationWords(GameWording):
    """The wording of one calibration."""

    found: Calibration

    @classmethod
    def of(cls, found: Calibration, game_name: str, language: str) -> CalibrationWords:
        """In "en" or "fr"."""
        return cls(
            page_catalogue("numbluff_sim.analysis.studies.calibrate:calibrate", language),
            found.levels.alpha,
            game_name,
            found,
        )

    def rate(self, claim: Claim) -> str:
        """The metric of a rate, or the two whose difference it is."""
        return " − ".join(self.metric(name) for name in claim.metrics)

    def claim(self, claim: Claim) -> str:
        """What a rate says."""
        return claim.text.in_language(self.language)

    def answers(self, changes: dict[str, Answer]) -> str:
        """Answers in the rule book's words."""
        return ", ".join(self.answer(name, answer) for name, answer in changes.items())

    def answer(self, ruling: str, answer: Answer) -> str:
        """An answer to a ruling."""
        return self.setting(f"rules.{ruling}", answer)

    def subject(self, ruling: str) -> str:
        """What a ruling is about."""
        return game(self.game).rules.ruling(ruling).subject.in_language(self.language)

    def case(self, cell: Cell) -> str:
        """A cell by its way of playing and what it changes in the rulings."""
        changes = self.found.space.changes(cell.assignment)
        return f"{cell.persona}, {self.answers(changes) if changes else self.text('cells.own')}"

    def number(self, place: int) -> str:
        """What a listed cell is called in tables: C1, C2, ..."""
        return f"C{place + 1}"

    def status(self, one: Rated) -> str:
        """The verdict in a word or two."""
        return self.text(f"status.{one.status}")

    def combinations(self, count: int) -> str:
        """A number of combinations."""
        return self.numbers.integer(count)

    def rulings(self, names: Sequence[str]) -> str:
        """What rulings are about, in a row."""
        return ", ".join(map(self.subject, names)) if names else self.text("cells.none")

    def fixed(self) -> dict[str, Answer]:
        """The rulings that act with every listed way of playing and have one answer in all listed cells."""
        acting = [self.found.acting(one.cell) for one in self.found.listed]
        first = acting[0] if acting else {}
        return {
            name: answer
            for name, answer in first.items()
            if all(name in cell and cell[name] == answer for cell in acting)
        }

    def undecided(self) -> dict[str, list[Answer]]:
        """The rulings that act and have several answers among the listed cells."""
        acting = [self.found.acting(one.cell) for one in self.found.listed]
        names = dict.fromkeys(name for cell in acting for name in cell)
        several = {name: list(dict.fromkeys(cell[name] for cell in acting if name in cell)) for name in names}
        return {name: answers for name, answers in several.items() if len(answers) > 1}

    def silent(self) -> list[str]:
        """The rulings that act with no listed way of playing."""
        free = [set(self.found.free(one.cell)) for one in self.found.listed]
        return [name for name in self.found.space.names if free and all(name in names for names in free)]

    def acting_anywhere(self) -> list[int]:
        """Numbers of the rulings that act with any way of playing."""
        return [
            i
            for i in range(len(self.found.space.names))
            if any(self.found.powers(p)[i] is Power.ACTS for p in self.found.personas)
        ]

    def glossary(self) -> list[tuple[str, str]]:
        """What the rulings that act ask."""
        book = game(self.game).rules
        entries = []
        for i in self.acting_anywhere():
            ruling = book.ruling(self.found.space.names[i])
            meanings = [
                self.text(
                    "common.named",
                    name=answer.label.in_language(self.language),
                    text=answer.meaning.in_language(self.language),
                )
                for answer in ruling.answers
            ]
            entries.append(
                (
                    f"{self.subject(ruling.name)} ({ruling.name})",
                    " ".join([ruling.question.in_language(self.language), *meanings]),
                )
            )
        return entries
