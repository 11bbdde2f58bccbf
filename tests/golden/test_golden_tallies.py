"""No configuration plays other games than it did: digests of tallies."""

from __future__ import annotations

import json

import pytest

from numbluff_sim.config import Config
from tests.golden.tally_digest import GOLDEN, configurations, digest

EXPECTED = json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_configurations__are_those_of_the_golden_file() -> None:
    assert [name for name, _ in configurations()] == list(EXPECTED)


@pytest.mark.agreement
@pytest.mark.parametrize(("name", "config"), list(configurations()), ids=list(EXPECTED))
def test_games__are_the_same_as_before(name: str, config: Config) -> None:
    assert digest(config) == EXPECTED[name]
