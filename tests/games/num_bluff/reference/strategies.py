"""Random decks, rulings, personas and tables for hypothesis. All of them fit a configuration's limits."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tests.games.num_bluff.reference.cards import DEFAULT_FAMILIES, Family, build_deck
from tests.games.num_bluff.reference.setup import (
    ALTERNATIVES,
    REMOVABLE,
    BlufferWeights,
    Persona,
    Rules,
    Setup,
    Weights,
)

MOST_CARDS = 250
FLAG, PER_POINT, PER_GAP = st.integers(-300, 300), st.integers(-60, 60), st.integers(-40, 40)
TEMPERATURE = st.integers(0, 300)


def rules() -> st.SearchStrategy[Rules]:
    """Any combination of rulings; in every other one some rules are out."""
    some = st.sets(st.sampled_from(REMOVABLE), max_size=3).map(lambda out: tuple(sorted(out, key=REMOVABLE.index)))
    return st.builds(
        Rules,
        without=st.one_of(st.just(()), some),
        **{name: st.sampled_from(values) for name, values in ALTERNATIVES.items()},
    )


def left_out(low: int, high: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Often none of the values of a family; never all of them."""
    some = st.sets(st.integers(low, high), max_size=min(3, high - low)).map(lambda values: tuple(sorted(values)))
    return st.one_of(st.just(()), some)


@st.composite
def family(draw: st.DrawFn, name: str) -> Family:
    """A family of any kind, small enough for a few of them to make a deck; often of few values, now and then of high
    ones.
    """
    kind = draw(st.sampled_from(("classic", "classic", "rainbow", "shadow")))
    low = draw(st.sampled_from((0, 0, 0, 1, 5, 50)))
    high = low + draw(st.one_of(st.integers(0, 2), st.integers(0, 16)))
    return Family(
        name,
        kind,
        low,
        high,
        draw(st.integers(1, 6)),
        0 if kind == "classic" else draw(st.integers(0, 4)),
        draw(left_out(low, high)),
    )


@st.composite
def decks(draw: st.DrawFn) -> tuple[Family, ...]:
    """The default deck, perhaps without some of its cards, or one of one to six families."""
    if draw(st.booleans()):
        return (
            tuple(replace(f, without=draw(left_out(f.low, f.high))) for f in DEFAULT_FAMILIES)
            if draw(st.booleans())
            else DEFAULT_FAMILIES
        )
    return tuple(draw(family(f"f{i}")) for i in range(draw(st.integers(1, 6))))


def weights() -> st.SearchStrategy[Weights]:
    """Weights of a non-bluffer whose scores stay within 16 bits; a Miroir is often wanted above all."""
    flags = ("hit_natural", "hit_fusion", "hit_adjust", "same_family", "frappe", "is_fusion")
    return st.builds(
        Weights,
        gap=PER_GAP,
        same_family_gap=PER_GAP,
        points=PER_POINT,
        temperature=TEMPERATURE,
        miroir=st.one_of(st.just(3200), FLAG),
        **dict.fromkeys(flags, FLAG),
    )


def bluffer_weights() -> st.SearchStrategy[BlufferWeights]:
    """Weights of a bluffer whose scores stay within 16 bits."""
    return st.builds(
        BlufferWeights,
        points=PER_POINT,
        centre=PER_GAP,
        temperature=TEMPERATURE,
        **dict.fromkeys(("same_family", "shared_families", "is_fusion"), FLAG),
    )


@st.composite
def personas(draw: st.DrawFn, name: str) -> Persona:
    """Any persona; fusions, lies and options are common."""
    choice = draw(st.sampled_from(("uniform", "weights", "weights", "weights")))
    lie_total = draw(st.integers(0, 65536))
    return Persona(
        name,
        choice,
        draw(st.sampled_from(("announcement", "true_cards", "nothing"))),
        choice == "weights" and draw(st.booleans()),
        draw(weights()),
        draw(bluffer_weights()),
        lie_total,
        draw(st.integers(0, 65536 - lie_total)),
        draw(st.integers(1, 20)),
        draw(st.sampled_from((-1, 0, 8, 20, 200))),
        draw(st.integers(0, 5)),
    )


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """A table that can play at least one round; some personas sit on several seats."""
    players, hand_size = draw(st.integers(3, 6)), draw(st.integers(1, 4))
    families = draw(decks())
    times = -(-players * (hand_size + 1) // len(build_deck(families)))  # too few cards: more copies of each
    families = tuple(replace(f, copies=f.copies * times) for f in families)
    if len(build_deck(families)) > MOST_CARDS:
        families = DEFAULT_FAMILIES
    pool = [draw(personas(f"p{i}")) for i in range(draw(st.integers(1, players)))]
    seats = tuple(draw(st.sampled_from(pool)) for _ in range(players))
    return Setup(draw(st.integers(0, 2**63 - 1)), seats, families, draw(rules()), hand_size, draw(st.integers(1, 3)))
