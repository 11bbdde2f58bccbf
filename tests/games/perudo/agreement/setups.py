"""Random rulings, personas and tables of Perudo for hypothesis. All of them are configurations."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.games.perudo.reference.setup import ALTERNATIVES, Persona, Rules, Setup

CHANCE = st.one_of(st.sampled_from((0.0, 0.25, 0.4, 0.55, 0.6, 1.0)), st.floats(0, 1))
SHARPNESS = st.one_of(st.just(12.0), st.floats(0, 60), st.just(1000.0))
WEIGHT = st.one_of(st.sampled_from((0.0, 0.5, 1.0)), st.floats(0, 16))
LISTENING = {
    "sharpness": SHARPNESS,
    "fields_beyond": st.integers(1, 10),
    "first_bid_weight": WEIGHT,
    "raise_weight": WEIGHT,
}
KEYS: dict[str, dict[str, st.SearchStrategy[object]]] = {
    "random": {"challenge_one_in": st.one_of(st.integers(1, 12), st.just(1000))},
    "threshold": {"challenge_below": CHANCE, "raise_at_least": CHANCE, "doubt_below": CHANCE, "open_at_least": CHANCE},
    "value": {"sharpness": SHARPNESS, "fields_beyond": st.integers(1, 10)},
    "bayes": LISTENING,
    "scripted": {"opens": st.sampled_from(("one", "third"))},
}
LANES = ("random", "threshold", "scripted")


def rules() -> st.SearchStrategy[Rules]:
    """Often the usual rulings, else any combination."""
    return st.one_of(
        st.just(Rules()), st.builds(Rules, **{name: st.sampled_from(values) for name, values in ALTERNATIVES.items()})
    )


@st.composite
def personas(draw: st.DrawFn, name: str, strategies: Sequence[str]) -> Persona:
    """A persona of one of these strategies, with its usual parameters or any."""
    strategy = draw(st.sampled_from(tuple(strategies)))
    if draw(st.booleans()):
        return Persona(name, strategy)
    return Persona(name, strategy, **{key: draw(values) for key, values in KEYS[strategy].items()})  # type: ignore[arg-type]


@st.composite
def setups(draw: st.DrawFn, strategies: Sequence[str] = tuple(KEYS)) -> Setup:
    """Any table; every other one has the same persona in all seats."""
    players = draw(st.integers(2, 6))
    if draw(st.booleans()):
        seats = (draw(personas("all", strategies)),) * players
    else:
        seats = tuple(draw(personas(f"p{seat}", strategies)) for seat in range(players))
    return Setup(
        draw(st.integers(0, 2**63 - 1)),
        seats,
        draw(st.sampled_from((5, 5, 1, 2, 3, 4))),
        draw(st.integers(0, players - 1)),
        draw(rules()),
    )
