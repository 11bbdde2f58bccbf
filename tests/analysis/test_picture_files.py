"""The files of a picture: what is worked out for them, and how often."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.transforms import Bbox

from numbluff_sim.analysis.report.axes import ValueAxis
from numbluff_sim.analysis.report.dots import Mark, Panel, Row, dots
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.page import _draw
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.report.style import laid_out, settings
from numbluff_sim.i18n.numbers import Numbers


def drawn() -> Figure:
    canvas, [[axes]] = sheet(2.0)
    axes.plot([0, 1], [0, 1])
    axes.set_xlabel("how often, in percent of all rounds that were played")
    return canvas


def test_picture__is_laid_out_once_and_each_file_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"laid out": 0, "drawn": 0}

    def counted(name: str, function: object) -> object:
        def count(*args: object) -> object:
            calls[name] += 1
            return function(*args)  # type: ignore[operator]

        return count

    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", counted("laid out", ConstrainedLayoutEngine.execute))
    monkeypatch.setattr(Figure, "draw", counted("drawn", Figure.draw))
    _, files = _draw(Picture("line", "Does it rise?", "It does.", "A rising line.", (), drawn))
    assert calls == {"laid out": 1, "drawn": 3}  # the page's SVG, and PNG and SVG with question and caption
    assert sorted(files) == ["figures/line.png", "figures/line.svg"]


def test_picture__same_bytes_whatever_the_last_digits_of_the_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver's sums come in the order of addresses: between processes they differ by some 1e-16."""
    picture, execute = (
        Picture("line", "Does it rise?", "It does.", "A rising line.", (), drawn),
        ConstrainedLayoutEngine.execute,
    )
    usual = _draw(picture)

    def moved(engine: ConstrainedLayoutEngine, canvas: Figure) -> None:
        execute(engine, canvas)
        for axes in canvas.axes:
            place = axes.get_position()
            axes._set_position(Bbox(place.get_points() * (1 + 4e-16)))  # type: ignore[attr-defined]

    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", moved)
    assert _draw(picture) == usual


def test_picture__a_label_beside_a_mark_at_the_right_has_room() -> None:
    """It moves left as its axes shrink, but not by as much as they do."""
    axis = ValueAxis("percent of rounds", Numbers("en"), percent=True, log=True)
    marks = [
        Mark(0.0001, 0.00009, 0.0002),
        Mark(1.0),
        Mark(0.016, label="the rulebook's rate, for 4 players at the table"),
    ]
    canvas = dots([Panel("documented", [Row("Frappe Parfaite", marks)])], axis)
    with settings():
        laid_out(canvas)
        assert canvas.get_tightbbox().xmax <= canvas.get_figwidth()
