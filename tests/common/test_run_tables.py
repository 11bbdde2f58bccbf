"""Row tables: schema, encoding, provenance, and the way from the trace to columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from numbluff_sim.config import load
from numbluff_sim.contract.registry import LOADED, game
from numbluff_sim.docs_pages import column_table
from numbluff_sim.errors import RunError
from numbluff_sim.games.num_bluff import columns
from numbluff_sim.kernels.num_bluff import codes
from numbluff_sim.run import runner, spans
from numbluff_sim.run.arrow import Column, arrow_schema, arrow_table
from numbluff_sim.run.buffers import RowBuffers
from numbluff_sim.run.store import check_part, load_run, read_tally, write_part, write_tally
from tests.common.fake_game import FAKE, draws, fake_config

COLUMNS = (
    Column("game", "int64", "index", "game index", ordered_key=True),
    Column("points", "int16", "points", "points of the round", sentinel=-1),
    Column("family", "int8", "family", "family named", sentinel=-1, categories=("rouge", "vert")),
)
ARRAYS = {"game": np.arange(3), "points": np.array([5, -1, 300]), "family": np.array([1, -2, 0])}


def test_arrow_table__narrow_columns_names_and_nulls() -> None:
    table = arrow_table(COLUMNS, ARRAYS, arrow_schema(COLUMNS, {"seed": "1"}))
    assert table.schema.types == [pa.int64(), pa.int16(), pa.dictionary(pa.int8(), pa.string())]
    assert table.to_pydict() == {"game": [0, 1, 2], "points": [5, -1, 300], "family": ["vert", None, "rouge"]}


def test_arrow_schema__says_unit_meaning_and_sentinel() -> None:
    schema = arrow_schema(COLUMNS, {"seed": "1"})
    assert schema.field("points").metadata == {
        b"unit": b"points",
        b"meaning": b"points of the round",
        b"sentinel": b"-1",
    }
    assert schema.metadata == {b"seed": b"1"}


@pytest.mark.parametrize("change", [{"points": None}, {"more": np.zeros(3)}])
def test_buffers__other_columns_than_the_registry_are_a_mistake(change: dict[str, object]) -> None:
    arrays = {name: values for name, values in {**ARRAYS, **change}.items() if values is not None}
    with pytest.raises(ValueError, match=r"rows have the columns .*; expected those of the registry"):
        RowBuffers({"rounds": COLUMNS}, {"rounds": 10}).add({"rounds": arrays})


def test_buffers__rows_in_order_and_used_again() -> None:
    buffers = RowBuffers({"rounds": COLUMNS}, {"rounds": 7})
    for first in (0, 3):
        buffers.add({"rounds": {**ARRAYS, "game": np.arange(first, first + 3)}})
    assert {name: values.tolist() for name, values in buffers.rows("rounds").items()} == {
        "game": [0, 1, 2, 3, 4, 5],
        "points": [5, -1, 300] * 2,
        "family": [1, -2, 0] * 2,
    }
    buffers.clear()
    buffers.add({"rounds": ARRAYS})
    assert len(buffers.rows("rounds")["game"]) == 3


def test_write_part__round_trip_in_one_row_group(tmp_path: Path) -> None:
    path = tmp_path / "part-000000.parquet"
    write_part(path, COLUMNS, ARRAYS, {"seed": "1", "first_game": "0"})
    file = pq.ParquetFile(path)
    assert file.metadata.num_row_groups == 1
    assert {file.metadata.row_group(0).column(i).compression for i in range(3)} == {"ZSTD"}
    assert file.read().to_pydict() == {"game": [0, 1, 2], "points": [5, -1, 300], "family": ["vert", None, "rouge"]}
    check_part(path, {"seed": "1", "first_game": "0"})
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_column_table__a_row_a_column() -> None:
    lines = column_table(COLUMNS).splitlines()
    assert lines[3] == "| `points` | int16 | points | -1 | points of the round |"
    assert lines[4] == "| `family` | int8 codes of rouge, vert | family | null | family named |"
    assert len(lines) == 2 + len(COLUMNS)


def test_tally_file__long_form_of_non_zero_cells(tmp_path: Path) -> None:
    shapes: dict[str, tuple[int, ...]] = {
        "games": (),
        "empty": (4,),
        "by_event": (3,),
        "cross": (2, 2),
        "side": (2, 1, 3),
    }
    tally = {
        "games": np.array(7),
        "empty": np.zeros(4, np.int64),
        "by_event": np.array([0, 2**40, 5]),
        "cross": np.array([[1, 0], [-3, 4]]),
        "side": np.array([[[0, 0, 8]], [[9, 0, 0]]]),
    }
    write_tally(tmp_path / "tally.parquet", tally, shapes, {"games": "7"})
    table = pq.read_table(tmp_path / "tally.parquet")
    assert table.schema.types == [
        pa.dictionary(pa.int16(), pa.string()),
        pa.int32(),
        pa.int32(),
        pa.int32(),
        pa.int64(),
    ]
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("games", -1, -1, -1, 7),
        ("by_event", 1, -1, -1, 2**40),
        ("by_event", 2, -1, -1, 5),
        ("cross", 0, 0, -1, 1),
        ("cross", 1, 0, -1, -3),
        ("cross", 1, 1, -1, 4),
        ("side", 0, 0, 2, 8),
        ("side", 1, 0, 0, 9),
    ]
    back, metadata = read_tally(tmp_path / "tally.parquet", shapes)
    assert metadata == {"games": "7"}
    assert list(back) == list(shapes)
    assert all((back[name] == values).all() and back[name].shape == shapes[name] for name, values in tally.items())


def test_read_tally__cells_of_another_table_size(tmp_path: Path) -> None:
    write_tally(tmp_path / "tally.parquet", {"seats": np.arange(5)}, {"seats": (5,)}, {})
    with pytest.raises(
        RunError, match=r"tally field seats has a cell \(4, -1, -1\) outside of the expected shape \(4,\)"
    ):
        read_tally(tmp_path / "tally.parquet", {"seats": (4,)})
    with pytest.raises(RunError, match=r'the tally field "seats", which this version does not know'):
        read_tally(tmp_path / "tally.parquet", {"chairs": (5,)})


def test_rows__are_the_games_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LOADED, "fake", FAKE)
    monkeypatch.setattr(spans, "PART_ROWS", 5120)
    runner.run_simulation(fake_config(rows="rounds", threads=2, games=3000), tmp_path / "run")
    run = load_run(tmp_path / "run")
    points = draws(1, 0, 3000) % np.uint64(50)
    assert (run.rows("games")["game"].to_numpy() == np.arange(3000)).all()
    assert (run.rows("games")["points"].to_numpy() == points.sum(axis=1)).all()
    rounds = run.rows("rounds", ["game", "points"])
    assert (rounds["game"].to_numpy() == np.repeat(np.arange(3000), 5)).all()
    assert (rounds["points"].to_numpy() == points.reshape(-1)).all()
    assert len(list((tmp_path / "run/rounds").iterdir())) == 3


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_num_bluff_registry__names_are_unique_and_values_fit(players: int) -> None:
    tables = game("num_bluff").columns(load(overrides={"table.players": players}))
    for table in tables.values():
        assert len({column.name for column in table}) == len(table)
        assert all(column.meaning and column.unit and "{" not in column.meaning for column in table)
        for column in table:
            room = np.iinfo(column.dtype)
            assert column.sentinel is None or room.min <= column.sentinel <= room.max
            assert column.categories is None or len(column.categories) <= room.max


def random_trace(rng: np.random.Generator, blocks: int, rounds: int, players: int) -> np.ndarray:
    """A trace whose values say where they stand; seats and gaps in range."""
    trace = rng.integers(0, 120, (blocks, rounds, codes.TRACE_SCALARS + codes.TRACE_BLOCKS * players, 64)).astype(
        np.int16
    )
    trace[:, :, codes.TR_PLAYED] = rng.integers(0, 5, (blocks, rounds, 64)) > 0
    trace[:, :, codes.TR_CLOSEST] = rng.integers(-1, players, (blocks, rounds, 64))
    trace[:, :, codes.TR_FARTHEST] = rng.integers(-1, players, (blocks, rounds, 64))
    hidden2 = codes.TRACE_SCALARS + codes.TS_HIDDEN2 * players
    trace[:, :, hidden2 : hidden2 + players][rng.random((blocks, rounds, players, 64)) < 0.8] = codes.NO_CARD
    return trace


def test_round_columns__each_row_is_the_round_of_the_trace() -> None:
    rng, players, rounds, first, games = np.random.default_rng(5), 4, 7, 64 * 9 + 50, 100
    trace = random_trace(rng, 3, rounds, players)
    made = columns.round_columns(first, games, trace, players)
    assert list(made)
    assert set(made) == {column.name for column in columns.round_registry(players, ["rouge"])}
    row = 0
    for game_index in range(first, first + games):
        for number in range(rounds):
            fields = trace[game_index // 64 - 9, number, :, game_index % 64]
            if not fields[codes.TR_PLAYED]:
                continue

            def seat(block: int, p: int, fields: np.ndarray = fields) -> int:
                return int(fields[codes.TRACE_SCALARS + block * players + p])

            closest, farthest = int(fields[codes.TR_CLOSEST]), int(fields[codes.TR_FARTHEST])
            expected = {
                "game": game_index,
                "round": number,
                "event": fields[codes.TR_EVENT],
                "announced_family": fields[codes.TR_ANNOUNCED_FAMILY],
                "pot_after": fields[codes.TR_POT_AFTER],
                "closest": closest,
                "farthest": farthest,
                "gap_closest": seat(codes.TS_GAP, closest) if closest >= 0 else -1,
                "gap_farthest": seat(codes.TS_GAP, farthest) if farthest >= 0 else -1,
                "fusions": sum(1 << p for p in range(players) if seat(codes.TS_HIDDEN2, p) != codes.NO_CARD),
                **{f"points_{p}": seat(codes.TS_GAIN, p) for p in range(players)},
                **{f"mechanism_{p}": seat(codes.TS_MECHANISM, p) for p in range(players)},
            }
            assert {name: int(made[name][row]) for name in expected} == {
                name: int(value) for name, value in expected.items()
            }
            row += 1
    assert {len(values) for values in made.values()} == {row}
    assert 0 < row < games * rounds


def test_game_columns__by_name_and_seat() -> None:
    players = 3
    rows = np.arange(5 * (codes.GAME_SCALARS + codes.GAME_BLOCKS * players), dtype=np.int32).reshape(5, -1) % 100
    made = columns.game_columns(1000, rows, players)
    assert list(made) == [column.name for column in columns.game_registry(players)]
    assert made["game"].tolist() == [1000, 1001, 1002, 1003, 1004]
    assert (made["coup_de_maitre_bonus"] == rows[:, codes.G_BONUS]).all()
    assert (made["lies"] == rows[:, codes.G_LIES]).all()
    assert (made["score_2"] == rows[:, codes.GAME_SCALARS + 2]).all()
    assert (made["pot_1"] == rows[:, codes.GAME_SCALARS + codes.GS_POT * players + 1]).all()
