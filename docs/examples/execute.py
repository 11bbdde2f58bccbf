"""Run the code of a notebook (.ipynb) or of a page (.md) in order and write its outputs into it; needs no Jupyter.

    python docs/examples/execute.py docs/examples/notebook.ipynb docs/PYTHON.md

A notebook's cells get what they print and what their last expression is, as text/plain and text/html. In a page every
block of Python that is followed by a block of text gets there what it prints.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:\n```text\n(?P<text>.*?)```\n)?", re.DOTALL)


def ran(code: str, names: dict[str, Any], where: str) -> tuple[str, Any]:
    """What a piece of code prints, and the value of its last expression (None where it ends with a statement)."""
    tree, printed, value = ast.parse(code, where), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, where, "exec"), names)  # noqa: S102  its own documents
        if last is not None:
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)  # noqa: S307
    return printed.getvalue(), value


def page_outputs(page: str, where: str) -> list[tuple[str, str | None]]:
    """Of every block of Python what it prints now, and what the page says (None: nothing)."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [(ran(block["code"], names, where)[0], block["text"]) for block in BLOCK.finditer(page)]


def executed_page(page: str, where: str) -> str:
    """A page with what its blocks print."""
    outputs = iter(page_outputs(page, where))

    def filled(block: re.Match[str]) -> str:
        printed = next(outputs)[0]
        if block["text"] is None:
            return block[0]
        return f"```python\n{block['code']}```\n\n```text\n{printed}```\n"

    return BLOCK.sub(filled, page)


def cell_outputs(code: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """The outputs of a cell, as a notebook keeps them."""
    printed, value = ran(code, names, f"cell {count}")
    found: list[dict[str, Any]] = []
    if printed:
        found.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)})
    if value is not None:
        html = getattr(value, "_repr_html_", lambda: None)()
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if html is not None:
            data["text/html"] = html.splitlines(keepends=True)
        found.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return found


def executed_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """A notebook with the outputs of its cells."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell = {**cell, "execution_count": count, "outputs": cell_outputs("".join(cell["source"]), names, count)}
        cells.append(cell)
    return {**notebook, "cells": cells}


def main(files: list[str]) -> None:
    """Execute files in place."""
    for file in files:
        path = Path(file)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = json.dumps(executed_notebook(json.loads(text)), ensure_ascii=False, indent=1) + "\n"
        else:
            text = executed_page(text, file)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
