"""Workloads, samples, results; and the loop that runs them, with progress, and gives what there is when it is
interrupted.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from subprocess import CalledProcessError
from typing import Any, Literal

from numbluff_sim.bench.children import ChildError
from numbluff_sim.bench.lab import Lab

BenchVerdict = Literal["met", "missed", "not judged", "not measured"]


@dataclass(frozen=True)
class Timing:
    """One measured value, in the unit of its workload, and the figures behind it by name (their unit in the name)."""

    value: float
    parts: dict[str, float]
    label: str = ""


@dataclass(frozen=True)
class Threshold:
    """What is asked of a workload's value."""

    bound: float
    at_most: bool = False
    aim: float | None = None

    def __str__(self) -> str:
        return f"{'<=' if self.at_most else '>='} {self.bound:g}" + (
            f" (aim {self.aim:g})" if self.aim is not None else ""
        )

    def met(self, value: float) -> bool:
        """Whether a value is on the right side."""
        return value <= self.bound if self.at_most else value >= self.bound


@dataclass(frozen=True)
class Workload:
    """A named measurement with its target. `samples` yields one sample a run; `seconds` is about how long all take."""

    name: str
    about: str
    unit: str
    target: Threshold
    seconds: float
    samples: Callable[[Lab], Iterator[Timing]]
    needs_yardstick: bool = False
    judged: bool = True
    #: The worst sample decides, not the median: samples are of different things.
    worst: bool = False


@dataclass
class BenchResult:
    """The samples of a workload. `note` says what kept it from being measured in full."""

    workload: Workload
    samples: list[Timing] = field(default_factory=list)
    note: str = ""

    @property
    def values(self) -> list[float]:
        """The samples' values in the order measured."""
        return [sample.value for sample in self.samples]

    @property
    def value(self) -> float:
        """The median, or the worst sample where that decides."""
        worst = max if self.workload.target.at_most else min
        return worst(self.values) if self.workload.worst else statistics.median(self.values)

    @property
    def verdict(self) -> BenchVerdict:
        """The value held against the target."""
        if not self.samples:
            return "not measured"
        if not self.workload.judged:
            return "not judged"
        return "met" if self.workload.target.met(self.value) else "missed"

    @property
    def parts(self) -> dict[str, float]:
        """Medians of the figures behind the samples; those of the worst sample where that decides."""
        chosen = [sample for sample in self.samples if not self.workload.worst or sample.value == self.value]
        return (
            {name: statistics.median(sample.parts[name] for sample in chosen) for name in chosen[0].parts}
            if chosen
            else {}
        )

    @property
    def label(self) -> str:
        """Which sample was the worst, where that decides."""
        return next((sample.label for sample in self.samples if self.workload.worst and sample.value == self.value), "")

    def to_json(self) -> dict[str, Any]:
        """Everything, JSON-able."""
        target = self.workload.target
        return {
            "workload": self.workload.name,
            "about": self.workload.about,
            "unit": self.workload.unit,
            "target": str(target),
            "bound": target.bound,
            "at_most": target.at_most,
            "value": self.value if self.samples else None,
            "verdict": self.verdict,
            "note": self.note,
            "statistic": "worst" if self.workload.worst else "median",
            "parts": self.parts,
            "samples": [
                {"value": sample.value, "label": sample.label, "parts": sample.parts} for sample in self.samples
            ],
        }


@dataclass(frozen=True)
class BenchProgress:
    """Which workload runs (`number` of `workloads`), how many samples it has, and the seconds that are left for all,
    about.
    """

    name: str
    number: int
    workloads: int
    samples: int
    seconds_left: float


def measure(
    workloads: Sequence[Workload], lab: Lab, results: list[BenchResult], progress: Callable[[BenchProgress], None]
) -> None:
    """Runs workloads one after the other and appends to `results`, which holds what was measured so far whenever
    this is interrupted.
    """
    start, planned_done = time.monotonic(), 0.0
    planned = sum(workload.seconds for workload in workloads)
    for number, workload in enumerate(workloads, 1):
        result = BenchResult(workload)
        results.append(result)
        if workload.needs_yardstick and lab.compiler is None:
            result.note = "no C compiler found (cc, gcc, clang or $CC)"
        else:
            spent = time.monotonic() - start
            pace = max(spent / planned_done, 0.2) if planned_done else 1.0
            try:
                progress(BenchProgress(workload.name, number, len(workloads), 0, pace * (planned - planned_done)))
                for sample in workload.samples(lab):
                    result.samples.append(sample)
                    progress(
                        BenchProgress(
                            workload.name, number, len(workloads), len(result.samples), pace * (planned - planned_done)
                        )
                    )
            except KeyboardInterrupt:
                result.note = "interrupted"
                raise
            except (ChildError, CalledProcessError) as failure:
                result.note = str(failure)
        planned_done += workload.seconds
