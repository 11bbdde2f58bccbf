"""A Page becomes files: one self-contained HTML page, PNG and SVG pictures, CSV and JSON of every number shown."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.model import Page, Picture, Table
from numbluff_sim.analysis.report.style import FONT, colour, css_variables, laid_out, page_svg, settings, svg_text
from numbluff_sim.encoding import json_text
from numbluff_sim.run.tables import csv_bytes

if TYPE_CHECKING:
    from markupsafe import Markup

#: The page itself among its files.
INDEX, FINDINGS = "index.html", "data/findings.json"


@dataclass(frozen=True)
class Rendered:
    """All files of a page by path relative to its folder."""

    files: dict[str, bytes]


def _blocks(page: Page) -> Iterator[Any]:
    for section in (*([page.claims] if page.claims else []), *page.sections, page.making):
        yield from section.blocks


def _groups(blocks: Any) -> list[dict[str, Any]]:
    """Neighbouring blocks of one kind together, so that pictures can stand side by side."""
    return [
        {"kind": kind, "blocks": list(members)}
        for kind, members in groupby(blocks, key=lambda block: type(block).__name__)
    ]


def _breakable(cell: str) -> Markup:
    """A cell of numbers that breaks before its brackets alone, so that columns are as wide as one number."""
    from markupsafe import Markup

    parts = cell.replace(" (", "\0(").split("\0")
    return Markup(" ").join(Markup('<span class="whole">{}</span>').format(part) for part in parts)


def _draw(picture: Picture) -> tuple[str, dict[str, bytes]]:
    """The SVG for the page, and the files of the picture with its question and caption written into them."""
    assert picture.draw is not None
    with settings():
        canvas = picture.draw()
        laid_out(canvas)
        document = svg_text(canvas)
        title = textwrap.fill(picture.question, 56)
        canvas.text(0.0, 1.02, title, fontsize=FONT + 2, weight="bold", va="bottom", ha="left")
        canvas.text(
            0.0,
            -0.02,
            textwrap.fill(picture.caption, 86),
            fontsize=FONT - 1.5,
            va="top",
            ha="left",
            color=colour("muted"),
        )
        whole = canvas.get_tightbbox().padded(0.12)
        saved = {}
        for kind, metadata in (
            ("png", {"Software": None}),
            ("svg", {"Date": None, "Creator": None, "Format": None, "Type": None}),
        ):
            buffer = io.BytesIO()
            canvas.savefig(buffer, format=kind, metadata=metadata, bbox_inches=whole)
            saved[f"figures/{picture.name}.{kind}"] = buffer.getvalue()
    return page_svg(document, picture.name, picture.alt), saved


def render(page: Page) -> Rendered:
    """The report's files: index.html, figures/*.png and *.svg, data/*.csv and *.json. Bytes depend on the page
    alone.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    output: dict[str, bytes] = {}
    drawn: dict[str, Markup] = {}
    for block in _blocks(page):
        if isinstance(block, Picture | Table) and block.records:
            assert f"data/{block.name}.csv" not in output, f"two blocks are named {block.name}"
            output[f"data/{block.name}.csv"] = csv_bytes(block.records)
            output[f"data/{block.name}.json"] = json_text(block.records, indent=1).encode(errors="replace")
        if isinstance(block, Picture) and block.draw is not None:
            svg, saved = _draw(block)
            drawn[block.name] = Markup(svg)  # noqa: S704 - the program's own drawing; its texts were escaped by Matplotlib
            output.update(saved)
    findings = [dict(finding.record) for finding in (*page.findings, *page.more_findings)]
    output[FINDINGS] = json_text(findings, indent=1).encode(errors="replace")
    environment = Environment(
        loader=PackageLoader("numbluff_sim.analysis.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["groups"] = _groups
    environment.filters["breakable"] = _breakable
    css, script = Markup(_css()), Markup(_read("page.js"))  # noqa: S704 - the program's own files
    html = environment.get_template("page.html.j2").render(
        page=page, words=page.words, drawn=drawn, css=css, script=script
    )
    output[INDEX] = html.encode(errors="replace")
    return Rendered(output)


def _read(name: str) -> str:
    return (files("numbluff_sim.analysis.report") / name).read_text(encoding="utf-8")


def _css() -> str:
    return (
        f":root{{color-scheme:light dark;{css_variables(0)}}}\n@media "
        f"(prefers-color-scheme:dark){{:root{{{css_variables(1)}}}}}\n"
        f"@media print{{:root{{{css_variables(0)}}}}}\n" + _read("page.css")
    )
