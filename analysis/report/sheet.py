"""What a figure is drawn on: one of its own by default; within `drawn_by_pyplot` one that a notebook shows, or given
axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.axes import wrapped
from numbluff_sim.analysis.report.style import FONT, WIDTH
from numbluff_sim.errors import UserError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: Letters of a line of a label that stands upright, at least, and for every inch of a figure's height.
LEAST_LETTERS, INCH_LETTERS = 14, 8.5
PAD, SPACE = 0.04, 0.02  # inches around axes; share of the height of axes between them


@dataclass(frozen=True)
class _Pyplot:
    """Figures are pyplot's; with `axes` what is drawn goes there."""

    axes: Axes | None


_PLACE: ContextVar[_Pyplot | None] = ContextVar("place", default=None)


def sheet(
    height: float,
    rows: int = 1,
    columns: int = 1,
    *,
    width: float = WIDTH,
    pad: float = PAD,
    space: float = SPACE,
    **grid: Any,
) -> tuple[Canvas, Any]:
    """A figure of so many inches and its axes, an array (rows, columns). `grid`: as `Figure.subplots` takes it.

    Raises UserError where axes were given for a figure of several panels.
    """
    import numpy as np
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    place = _PLACE.get()
    if place is not None and place.axes is not None:
        if rows * columns > 1:
            raise UserError(f"this figure has {rows * columns} panels and cannot be drawn on one ax; leave ax= out.")
        root = place.axes.get_figure(root=True)
        assert root is not None
        return root, np.array([[place.axes]], dtype=object)
    layout = ConstrainedLayoutEngine(w_pad=PAD, h_pad=pad, hspace=space, wspace=space)
    if place is None:
        canvas = Figure(figsize=(width, height), layout=layout)
    else:
        import matplotlib.pyplot as plt

        canvas = plt.figure(figsize=(width, height), layout=layout)
    return canvas, canvas.subplots(rows, columns, squeeze=False, **grid)


def outer_labels(canvas: Canvas, panels: Sequence[Axes], x_label: str, y_label: str) -> None:
    """What the axes of all panels show: at the only panel, or once for all of them."""
    letters = max(LEAST_LETTERS, int(INCH_LETTERS * canvas.get_figheight()))
    if len(panels) == 1:
        panels[0].set_xlabel(wrapped(x_label), fontsize=FONT)
        panels[0].set_ylabel(wrapped(y_label, letters), fontsize=FONT)
    else:
        canvas.supxlabel(x_label, fontsize=FONT)
        canvas.supylabel(wrapped(y_label, letters), fontsize=FONT)


@contextmanager
def drawn_by_pyplot(axes: Axes | None = None) -> Iterator[None]:
    """Within, what is drawn belongs to pyplot, so that a notebook shows it; with `axes` it goes there."""
    token = _PLACE.set(_Pyplot(axes))
    try:
        yield
    finally:
        _PLACE.reset(token)
