"""The files of a picture: what is worked out for them, and how often."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.transforms import Bbox

from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.page import _draw
from numbluff_sim.analysis.report.sheet import sheet


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
