"""Comparisons as the Python interface asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numbluff_sim.notebook.asking import Asked, Options, Source, origin_of
from numbluff_sim.notebook.results import ComparisonResult
from numbluff_sim.studies.compare.study import Listed, compare, listed, numbered, with_relevance
from numbluff_sim.studies.compare.variants import Variant, set_apart, variant

__all__ = ["Other", "compared", "listed", "variants_of"]

#: What is compared with a base: dotted keys and values laid over it, a whole configuration, or a pair of a name and one
#: of these.
Other = Mapping[str, Any] | Source | tuple[str, Mapping[str, Any] | Source]


def variants_of(task: Asked, others: Sequence[Other], options: Options) -> list[Variant]:
    """The variants of a base; a preset is one of the base's game. Raises ConfigError."""
    found = []
    for other in others:
        name, what = other if isinstance(other, tuple) else (None, other)
        if isinstance(what, Mapping):
            config = task.origin.load(what)
            found.append(set_apart(task.config, config, what) if name is None else variant(task.config, config, name))
        else:
            origin = origin_of(what, {**options, "game": task.config.game} if isinstance(what, str) else options)
            found.append(variant(task.config, origin.load(), name or origin.name))
    return numbered(found)


def compared(study: str, task: Asked, found: Listed, *, replace: bool) -> ComparisonResult:
    """Play a base and its variants, on the same deals. Raises ConfigError, RunError, Interrupted."""
    variants, refused = found
    name, config = task.origin.name, task.config
    comparison = compare(config, name, variants, task.out, study=study, refused=refused, replace=replace, **task.how)
    comparison = with_relevance(comparison, config, {})
    return ComparisonResult(comparison, task.out, f"{study}({name!r}, ...)")
