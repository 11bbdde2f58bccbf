"""Lead changes, the round that decided and the comeback rank (PLAY.md, section 8)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any


def leaders(scores: Sequence[int]) -> set[int]:
    """The seats with the highest score; nobody while all have none."""
    return {seat for seat, score in enumerate(scores) if score == max(scores) and score > 0}


def lead_history(scores_after: Sequence[Sequence[int]], planned: int, winners: Sequence[int]) -> dict[str, Any]:
    """`lead_changes`; `decided`, the round (0 = first) from which on the leaders are the winners, None if never;
    `half_ranks` of the winners by the score after half of the planned rounds."""
    history = [leaders(scores) for scores in scores_after]
    changes = sum(bool(before) and before != after for before, after in itertools.pairwise(history))
    decided = next((r for r in range(len(history)) if all(led == set(winners) for led in history[r:])), None)
    half = planned // 2
    scores = scores_after[half - 1] if 0 < half <= len(scores_after) else None
    ranks = [1 + sum(other > scores[seat] for other in scores) for seat in winners] if scores else None
    return {"lead_changes": changes, "decided": decided, "half_ranks": ranks}
