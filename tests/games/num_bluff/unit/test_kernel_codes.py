"""The kernels' integer codes and the registries that users see name the same things in the same order."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

from numbluff_sim.config import load
from numbluff_sim.games.num_bluff import code_names, engine, tally
from numbluff_sim.games.num_bluff.engine import Engine
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.kernels.common.jit import COMPILED, jit
from numbluff_sim.kernels.num_bluff import codes, layout
from numbluff_sim.kernels.num_bluff.playing import play

#: Codes with a longer name in the registry.
LONGER = {
    "miroir": "miroir_parfait",
    "frappe": "frappe_parfaite",
    "coup": "coup_precis",
    "coups": "coup_precis_multiple",
    "maitre": "coup_de_maitre",
    "bonus": "coup_de_maitre_bonus",
}


def coded(module: Any, prefix: str) -> list[str]:
    """Names of the module's codes with a prefix, small letters, in the order of their values, which follow each
    other.
    """
    values = {
        name.removeprefix(prefix).lower(): value
        for name, value in vars(module).items()
        if name.startswith(prefix) and isinstance(value, int)
    }
    ordered = sorted(values, key=lambda name: values[name])
    first = values[ordered[0]]
    assert [values[name] for name in ordered] == list(range(first, first + len(ordered)))
    return [LONGER.get(name, name) for name in ordered]


def test_codes__variables_of_a_game() -> None:
    assert coded(codes, "V_") == [name for name, _ in tally.GAME_VARIABLES]
    assert len(tally.GAME_VARIABLES) == codes.VARIABLES
    assert coded(layout, "X_") == [name for name, _ in tally.DETAIL_VARIABLES]
    assert len(tally.DETAIL_VARIABLES) == layout.EXTRA_VARIABLES


def test_codes__every_count_goes_to_the_variable_of_its_name() -> None:
    bytes_, wide = coded(layout, "C_"), coded(layout, "W_")
    assert (len(bytes_), len(wide)) == (layout.COUNTS8, layout.COUNTS16)
    variables = [name for name, _ in tally.GAME_VARIABLES]
    shortened = {"several": "miroir_several", "honest": "bluffer_honest", "lying": "bluffer_lying"}
    assert [variables[v] for v in layout.BYTE_VARIABLES] == [shortened.get(name, name) for name in bytes_]
    assert [variables[v] for v in layout.WIDE_VARIABLES] == [shortened.get(name, name) for name in wide]


def test_codes__detail_fields() -> None:
    in_registry = tuple(field.name for field in tally.TALLY_FIELDS if field.every == "detail")
    assert in_registry == layout.DETAIL_FIELDS
    assert coded(layout, "D_") == list(layout.DETAIL_FIELDS)


def test_codes__events() -> None:
    numbers = (codes.MIROIR, codes.FRAPPE, codes.COUP, codes.COUPS, codes.EPARGNE, codes.MAITRE, codes.BONUS)
    assert numbers == tuple(range(codes.EVENTS)) == tuple(range(len(EVENT_NAMES)))
    assert [EVENT_NAMES[code] for code in numbers] == [
        "miroir_parfait",
        "frappe_parfaite",
        "coup_precis",
        "coup_precis_multiple",
        "epargne",
        "coup_de_maitre",
        "coup_de_maitre_bonus",
    ]


@pytest.mark.parametrize(
    ("name_tuple", "numbers"),
    [
        (
            code_names.MECHANISM_NAMES,
            {"none": codes.NOT_EXACT, "natural": codes.NATURAL, "fusion": codes.FUSION, "adjust": codes.ADJUST},
        ),
        (code_names.LIE_NAMES, {"none": codes.TRUTH, "total": codes.LIE_TOTAL, "family": codes.LIE_FAMILY}),
        (code_names.TIE_NAMES, {"none": codes.TIE_NONE, "visible_card": codes.TIE_CARD, "last_tie": codes.TIE_LAST}),
        (
            code_names.KNOWLEDGE_NAMES,
            {
                "announcement": codes.KNOWS_ANNOUNCEMENT,
                "true_cards": codes.KNOWS_CARDS,
                "nothing": codes.KNOWS_NOTHING,
            },
        ),
        (code_names.KIND_NAMES, {"classic": codes.CLASSIC, "rainbow": codes.RAINBOW, "shadow": codes.SHADOW}),
    ],
)
def test_codes__names_in_code_order(name_tuple: tuple[str, ...], numbers: dict[str, int]) -> None:
    assert {name: code for code, name in enumerate(name_tuple)} == numbers


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_tally__sizes_are_what_the_kernels_write(players: int) -> None:
    tally_of_none = Engine(load(overrides={"table.players": players})).new_tally()
    assert tally_of_none["moments"].shape == (3, codes.VARIABLES + 2 * players)
    side = codes.VARIABLES + 2 * players + layout.EXTRA_VARIABLES
    assert tally_of_none["cross"].shape == (side, side)
    assert tally_of_none["score"].shape == (players, codes.BINS)
    assert tally_of_none["hand_size"].shape == (3 * players, tally.FIXED_DIMS["hand"])


@pytest.mark.thorough
@pytest.mark.skipif(not COMPILED, reason="looks at compiled code")
@pytest.mark.skipif(not llvm.get_host_cpu_features().get("avx2"), reason="this processor has no registers of 256 bits")
def test_play__compiled_to_vector_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lane value that fell apart into 64 scalars would leave hardly any. Without mask registers, masks that leave
    their block do fall apart (22 % of the lines are left on AVX2, 30 % and more on AVX-512): the bound is by form.
    """
    fresh = jit(play.py_func)  # code from the cache cannot be looked at
    monkeypatch.setattr(engine, "play", fresh)
    played = Engine(load(overrides={"table.players": 3}))
    into = played.new_tally()
    played.play(0, 64, into)
    assert into["games"] == 64
    (assembly,) = fresh.inspect_asm().values()
    lines = assembly.splitlines()
    vector = sum("%ymm" in line or "%zmm" in line for line in lines)
    least = 1 / 4 if llvm.get_host_cpu_features().get("avx512bw") else 1 / 5
    assert vector > least * len(lines), f"{vector} of {len(lines)} lines use a register of 256 bits or more"
    assert np.any(into["moments"])
