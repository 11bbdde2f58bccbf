"""How the report calls runs of NUM BLUFF: what differs in their deck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numbluff_sim.analysis.report import measured_runs
from numbluff_sim.analysis.report.measured_runs import LabelledRun, ReportedRun

#: A run's label names the families of its deck that differ from the documented ones, up to this many.
MOST_FAMILIES_NAMED = 3


def measure(runs: Iterable[ReportedRun], alpha: float, language: str = "en") -> list[LabelledRun]:
    """All runs with their metrics, labels and order (`analysis.report.measured_runs.measure`)."""
    return measured_runs.measure(
        runs,
        alpha,
        lambda config, reference: deck_changes(config.deck, reference.deck) if config.deck != reference.deck else [],
        language,
    )


def deck_changes(deck: Any, reference: Any) -> list[str]:
    """Families that are new, gone or other than in the reference deck, as keys of a configuration; "deck" when they
    are many or only reordered.
    """
    mine, usual = ({family.name: family for family in families} for families in (deck.families, reference.families))
    names = [name for name in {**usual, **mine} if mine.get(name) != usual.get(name)]
    if not 0 < len(names) <= MOST_FAMILIES_NAMED:
        return ["deck"]
    return [change for name in names for change in family_changes(name, mine.get(name), usual.get(name))]


def family_changes(name: str, mine: Any, usual: Any) -> list[str]:
    """What differs in one family: "rainbow.reach = 5", "+ orange", "- jaune"."""
    if mine is None or usual is None:
        return [f"- {name}" if mine is None else f"+ {name}"]
    keys = [key for key in type(mine).model_fields if getattr(mine, key) != getattr(usual, key)]
    return [f"{name}.{key} = {shown(key, getattr(mine, key))}" for key in keys]


def shown(key: str, value: Any) -> str:
    """A value as a range of cards, as the cards that are left out, or as it is."""
    if key == "values":
        return f"{value[0]}-{value[1]}"
    return " + ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)
