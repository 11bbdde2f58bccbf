"""Random decks, rulings, personas and tables for hypothesis."""
from __future__ import annotations

from dataclasses import fields

from hypothesis import strategies as st

from tests.reference.cards import DEFAULT_FAMILIES, Family, build_deck
from tests.reference.setup import ALTERNATIVES, BlufferWeights, Persona, Rules, Setup, Weights

MOST_CARDS = 250


def rules() -> st.SearchStrategy[Rules]:
    """Any combination of rulings."""
    return st.builds(Rules, **{name: st.sampled_from(values) for name, values in ALTERNATIVES.items()})


@st.composite
def family(draw: st.DrawFn, name: str) -> Family:
    """A family of any kind, small enough for a few of them to make a deck."""
    kind = draw(st.sampled_from(("classic", "classic", "rainbow", "shadow")))
    low = draw(st.integers(0, 5))
    high = draw(st.integers(low, low + 16))
    return Family(name, kind, low, high, draw(st.integers(1, 2)), 0 if kind == "classic" else draw(st.integers(0, 4)))


@st.composite
def decks(draw: st.DrawFn) -> tuple[Family, ...]:
    """The default deck or one of one to six families."""
    if draw(st.booleans()):
        return DEFAULT_FAMILIES
    return tuple(draw(family(f"f{i}")) for i in range(draw(st.integers(1, 6))))


def personas() -> st.SearchStrategy[Persona]:
    """Any persona; half of the weighted ones fuse, lies and options are common."""
    weight = st.integers(-200, 200)
    temperature = st.integers(0, 300)
    own = {f.name: temperature if f.name == "temperature" else weight for f in fields(Weights)}
    bluffing = {f.name: temperature if f.name == "temperature" else weight for f in fields(BlufferWeights)}
    lies = st.tuples(st.integers(0, 65536), st.integers(0, 65536)).filter(lambda chances: sum(chances) <= 65536)
    return st.builds(
        lambda lie, **rest: Persona(lie_total=lie[0], lie_family=lie[1], **rest), lie=lies, name=st.sampled_from(("ada", "bea")),
        choice=st.sampled_from(("uniform", "weights", "weights")), knowledge=st.sampled_from(("announcement", "true_cards")),
        may_fuse=st.booleans(), weights=st.builds(Weights, **own), bluffer=st.builds(BlufferWeights, **bluffing), lie_size=st.integers(1, 9),
        option_points_at_most=st.integers(-1, 32), option_rounds_left_at_least=st.integers(0, 5))


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """A table that can play at least one round."""
    families = draw(decks())
    players, hand_size = draw(st.integers(3, 6)), draw(st.integers(1, 4))
    if not players * (hand_size + 1) <= len(build_deck(families)) <= MOST_CARDS:
        families = DEFAULT_FAMILIES
    seats = tuple(draw(personas()) for _ in range(players))
    return Setup(draw(st.integers(0, 2**63 - 1)), seats, families, draw(rules()), hand_size, draw(st.integers(1, 3)))
