"""docs/PYTHON.md and the notebook say what their code gives today."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "examples" / "notebook.ipynb"


@pytest.fixture(scope="module")
def execute() -> ModuleType:
    """docs/examples/execute.py, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("execute", ROOT / "docs" / "examples" / "execute.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_python_page__outputs_are_what_its_code_prints(execute: ModuleType) -> None:
    page = (ROOT / "docs" / "PYTHON.md").read_text(encoding="utf-8")
    outputs = execute.page_outputs(page, "docs/PYTHON.md")
    assert len(outputs) >= 6
    for printed, said in outputs:
        assert said == printed, "run `make docs`"


def test_notebook__outputs_are_what_its_cells_give(execute: ModuleType) -> None:
    written = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    now = execute.executed_notebook(written)
    for before, after in zip(written["cells"], now["cells"], strict=True):
        assert before == after, "run `make docs`"


def test_notebook__text_alone_and_small() -> None:
    written = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert NOTEBOOK.stat().st_size < 100_000
    assert (written["nbformat"], written["nbformat_minor"]) == (4, 5)
    outputs: list[dict[str, Any]] = [out for cell in written["cells"] for out in cell.get("outputs", [])]
    assert len(outputs) >= 8
    assert {kind for out in outputs for kind in out.get("data", {})} == {"text/plain", "text/html"}
