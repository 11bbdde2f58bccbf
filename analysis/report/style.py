"""How figures look: Okabe-Ito colours named by role, paper colours, the Matplotlib settings, SVG for a page.

Every colour has a light and a dark form. Figures are drawn with the light ones; in the SVG that goes into the page each
becomes a CSS variable, so that one picture serves light mode, dark mode and print.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

#: role -> (light, dark). The accents are Okabe-Ito's colours and say nothing by themselves: a game gives each of its
#: own roles one of them, in its own folder. good, bad and open are three of them where something is judged. Seats are
#: one purple from dark to light, each also marked with its number.
COLOURS: dict[str, tuple[str, str]] = {
    # what a page is drawn on and with: ground, text, lesser text, lines, shaded ground
    "paper": ("#ffffff", "#1b2027"),
    "ink": ("#1f2329", "#e6e9ed"),
    "muted": ("#5b636d", "#a3acb8"),
    "rule": ("#d9dee4", "#3a424d"),
    "wash": ("#eef1f4", "#29313b"),
    # as wanted; not as wanted; cannot be told yet
    "good": ("#009e73", "#2cc79b"),
    "bad": ("#d55e00", "#ff8a3c"),
    "open": ("#e69f00", "#f2b52e"),
    # neither one nor the other; what somebody states and nobody measured
    "neutral": ("#8a929c", "#8b95a1"),
    "stated": ("#1e1e1f", "#f0e442"),
    # what is told apart: blue, vermillion, green, orange, sky blue, purple
    "accent_1": ("#0072b2", "#4aa8e0"),
    "accent_2": ("#d55e00", "#ff8a3c"),
    "accent_3": ("#009e73", "#2cc79b"),
    "accent_4": ("#e69f00", "#f2b52e"),
    "accent_5": ("#56b4e9", "#7cc8f2"),
    "accent_6": ("#bf7aa6", "#c47ba9"),
    # the same as letters, which need more contrast than dots and bars: 4.5 to 1 on paper and on wash (WCAG AA)
    "good_text": ("#006b4e", "#2dc89c"),
    "bad_text": ("#a84300", "#ff8b3d"),
    "open_text": ("#7f5600", "#f2b62f"),
    "neutral_text": ("#5a626c", "#a2abb7"),
    "accent_1_text": ("#0068a3", "#63b4e6"),
    "accent_2_text": ("#a74300", "#ff8c3e"),
    "accent_3_text": ("#006a4e", "#2ec99d"),
    "accent_4_text": ("#7e5600", "#f2b730"),
    "accent_5_text": ("#1d6a96", "#7dc9f2"),
    "accent_6_text": ("#8f4472", "#d193ba"),
    # letters on a bright colour, in both modes
    "on_bright": ("#000001", "#000002"),
    "seat0": ("#4f1f3f", "#f0d4e6"),
    "seat1": ("#6d3459", "#e6bdd7"),
    "seat2": ("#8b4a74", "#dba6c8"),
    "seat3": ("#a8618f", "#d090b9"),
    "seat4": ("#bf7aa6", "#c47ba9"),
    "seat5": ("#cc79a7", "#b56899"),
}
#: The accents in the order in which lines of one picture take them.
ACCENTS = tuple(name for name in COLOURS if name.startswith("accent_") and not name.endswith("_text"))
WIDTH = 4.8  # inches; figures are shown at about that width on a phone and two abreast on a desk
FONT = 9.5
#: Digits of places, in widths and heights of a figure.
PLACE_DIGITS = 6
SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": FONT,
    "axes.titlesize": FONT,
    "axes.labelsize": FONT,
    "xtick.labelsize": FONT - 0.5,
    "ytick.labelsize": FONT - 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": COLOURS["muted"][0],
    "axes.labelcolor": COLOURS["ink"][0],
    "xtick.color": COLOURS["muted"][0],
    "ytick.color": COLOURS["muted"][0],
    "text.color": COLOURS["ink"][0],
    "text.parse_math": False,  # a name may have dollars
    "xtick.labelcolor": COLOURS["ink"][0],
    "ytick.labelcolor": COLOURS["ink"][0],
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": COLOURS["rule"][0],
    "grid.linewidth": 0.7,
    "svg.fonttype": "none",
    "svg.hashsalt": "numbluff",
    "savefig.dpi": 180,
}
#: How NumPy prints unless a user has changed it: Matplotlib names parts of an SVG by what it prints.
NUMPY: dict[str, Any] = {"precision": 8, "suppress": False, "sign": "-", "floatmode": "maxprec", "legacy": False}


def colour(role: str) -> str:
    """The light colour of a role."""
    return COLOURS[role][0]


def text_colour(role: str) -> str:
    """The light colour of a role's letters on paper or wash."""
    return colour(f"{role}_text" if f"{role}_text" in COLOURS else role)


def letters_on(role: str, opacity: float = 1.0) -> str:
    """The light colour of letters on a patch of a role's colour: of paper, ink and black the one that stands out most
    in the mode in which it stands out least.
    """

    def least(letters: str) -> float:
        return min(
            contrast(COLOURS[letters][mode], blended(COLOURS[role][mode], COLOURS["paper"][mode], opacity))
            for mode in (0, 1)
        )

    return colour(max(("paper", "ink", "on_bright"), key=least))


def blended(top: str, ground: str, opacity: float) -> str:
    """The colour "#rrggbb" that a see-through one makes on its ground."""
    parts = ((int(top[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(opacity * a + (1 - opacity) * b):02x}" for a, b in parts)


def contrast(first: str, second: str) -> float:
    """The contrast of two colours "#rrggbb", 1 to 21 (WCAG 2)."""

    def luminance(hexadecimal: str) -> float:
        shares = [int(hexadecimal[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@contextmanager
def settings() -> Iterator[None]:
    """Context in which figures are drawn and saved: Matplotlib's own settings and ours, none of the user's. A letter
    that the font lacks is not told of: in a page the browser has a font for it.
    """
    import numpy as np
    from matplotlib import style

    chosen: Any = SETTINGS  # its keys are literals to the type checker
    with style.context(["default", chosen]), np.printoptions(**NUMPY), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        yield


def css_variables(mode: int) -> str:
    """CSS declarations of all colours; mode 0 light, 1 dark."""
    return "".join(f"--{name}:{both[mode]};" for name, both in COLOURS.items())


def laid_out(canvas: Canvas) -> None:
    """Settles where everything of the figure stands, once, by the widths of text in an SVG: each of its files would
    work it out again. Places are rounded: the solver's last digits follow from where its variables lie in memory.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.transforms import Bbox

    FigureCanvasSVG(canvas)
    layout = canvas.get_layout_engine()
    if layout is not None:
        layout.execute(canvas)
        if canvas.get_tightbbox().xmax > canvas.get_figwidth():
            layout.execute(canvas)  # a label beside a mark moves as its axes shrink: once more makes room for it
        canvas.set_layout_engine(None)
        for axes in canvas.axes:
            for which in ("original", "active"):
                place = axes.get_position(original=which == "original")
                axes.set_position(Bbox(place.get_points().round(PLACE_DIGITS)), which)
            axes.set_in_layout(True)  # a place that is set takes them out of it


def svg_text(canvas: Canvas) -> str:
    """The figure as a whole SVG document, the same bytes each time."""
    buffer = io.StringIO()
    with settings():
        canvas.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return re.sub(r"[ \t]+$", "", buffer.getvalue(), flags=re.MULTILINE)


def page_svg(document: str, identifier: str, alt: str) -> str:
    """The SVG document as an element for a page: own ids, colours as CSS variables, the page's font, a name for
    screen readers.
    """
    from markupsafe import escape

    svg = document[document.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{identifier}-\1"', svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>{identifier}-", svg)
    svg = re.sub(r"#[0-9a-f]{6}\b", lambda match: _as_variable(match.group()), svg)
    svg = re.sub(
        r"font: (?:(\w+) )?([\d.]+)px [^;\"]*", lambda m: f"font: {m[1] or 'normal'} {m[2]}px var(--font)", svg
    )
    width, height = (float(re.search(rf'{side}="([\d.]+)pt"', svg)[1]) for side in ("width", "height"))  # type: ignore[index]
    head = (
        f'<svg role="img" aria-label="{escape(alt)}" viewBox="0 0 {width:g} {height:g}" '
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
    return re.sub(r"<svg[^>]*>", lambda _: head, svg, count=1)


def _as_variable(hexadecimal: str) -> str:
    for name, (light, _) in COLOURS.items():
        if light == hexadecimal:
            return f"var(--{name})"
    return hexadecimal
