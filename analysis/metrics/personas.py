"""What each way of playing gets at a table whose seats play differently. Knows no game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from numbluff_sim.analysis.metrics.tally_reader import TallyReader
from numbluff_sim.analysis.statistics.clusters import Combination
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import mean
from numbluff_sim.contract.game import SeatResult

#: The group in which these metrics stand, and how their names begin.
GROUP, PREFIX = "personas", "persona_"
#: Who sits where: seats from 0 by persona.
Seating = Mapping[str, tuple[int, ...]]


def personas(
    sample: TallyReader, seating: Seating, results: Sequence[SeatResult], most: float = 0.0
) -> Iterator[Estimator]:
    """`persona_{name}_win_share` and, in a game that has points (`most` a game at most), `persona_{name}_points`: the
    mean over the seats that a persona has, simultaneous over the personas.

    Shares are those of one player, so that 1 / players is fair to all, however many seats a persona has. What is the
    persona's and what its seats' is not told apart.
    """
    for what, unit, limit in (("win_share", "share", 1.0), ("points", "points", most)):
        for name, seats in seating.items():
            each = [results[p].win if what == "win_share" else results[p].points for p in seats]
            got = [one for one in each if one is not None]
            if got:
                yield mean(
                    f"{PREFIX}{name}_{what}",
                    sample.sums_of(combined := _mean(got)).ratio(combined),
                    n=sample.games,
                    denominator="games",
                    games=sample.games,
                    unit=unit,
                    within=(0.0, limit),
                ).one_of(len(seating))


def _mean(combinations: Sequence[Combination]) -> Combination:
    total: dict[str, float] = {}
    for combination in combinations:
        for variable, weight in combination.items():
            total[variable] = total.get(variable, 0.0) + weight / len(combinations)
    return total


def expected_metric(known: Collection[str]) -> str:
    """What a message says is expected of a name that is none of `known`."""
    mixed = any(name.startswith(PREFIX) for name in known)
    return f"one of the {len(known)} metrics of numbluff check --list-metrics" + (
        " (none that compares seats: these are played differently here)" if mixed else ""
    )
