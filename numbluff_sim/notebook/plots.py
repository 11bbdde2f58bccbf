"""Pictures of a result in a notebook: those of its page, each by its name, as Matplotlib axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.model import Page, Picture
from numbluff_sim.analysis.report.sheet import drawn_by_pyplot
from numbluff_sim.errors import UserError, nearest_name, one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Pictures by language and name, kept by the result: it takes a while to make a page.
Kept = dict[str, dict[str, Picture]]


class Plots:
    """The pictures of a result's page: `plots.names()`, and each as a method, such as `plots.seat_wins()`.

    A picture is drawn with pyplot, so that a notebook shows it, in this project's own style; Matplotlib's settings
    stay as they are. `ax=`: axes to draw on, where the picture has one panel.
    """

    def __init__(self, page: Callable[[str], Page], kept: Kept) -> None:
        self._page, self._kept = page, kept

    def _pictures(self, language: str) -> dict[str, Picture]:
        if language not in self._kept:
            self._kept[language] = {one.name: one for one in pictures(self._page(language))}
        return self._kept[language]

    def names(self, language: str = "en") -> list[str]:
        """Names of the pictures, in the order of the page."""
        return [name for name, one in self._pictures(language).items() if one.draw is not None]

    def question(self, name: str, language: str = "en") -> str:
        """What a picture asks. Raises UserError for a name that is none."""
        return self._picture(name, language).question

    def draw(self, name: str, ax: Axes | None = None, language: str = "en") -> Any:
        """A picture by name: its Axes, or an array of them where it has several panels. Raises UserError for a name
        that is none, and for `ax` where there are several panels.
        """
        picture = self._picture(name, language)
        if picture.draw is None:
            raise UserError(f"{name} cannot be drawn: {picture.caption}")
        return drawn(picture, ax)

    def _picture(self, name: str, language: str) -> Picture:
        found = self._pictures(language)
        if name not in found:
            near = nearest_name(name, found)
            raise UserError(
                f'"{name}" is no picture of this result; expected {one_of(found) if found else "none: it has no page"}.'
                + (f' Did you mean "{near}"?' if near else "")
            )
        return found[name]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda ax=None, language="en": self.draw(name, ax, language)

    def __dir__(self) -> Sequence[str]:
        return [*object.__dir__(self), *self.names()]


def pictures(page: Page) -> list[Picture]:
    """All pictures of a page."""
    return [block for section in page.sections for block in section.blocks if isinstance(block, Picture)]


def drawn(picture: Picture, ax: Axes | None = None) -> Any:
    """A picture on pyplot's own figure or on `ax`: its Axes, or an array of them."""
    import numpy as np

    assert picture.draw is not None
    with drawn_by_pyplot(ax):
        canvas = picture.draw()
    if ax is not None:
        return ax
    seen = [axes for axes in canvas.axes if axes.get_visible()]
    return seen[0] if len(seen) == 1 else np.array(seen, dtype=object)
