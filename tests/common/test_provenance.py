"""The digest of a game's code: what is in it and what is not."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from numbluff_sim.run.provenance import code_digest

FILES = ("engine.py", "page.py", "moves/__init__.py", "moves/leading.py", "words/__init__.py", "words/said.py")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with two packages in it."""
    folder = tmp_path / "game_of_packages"
    for name in ("__init__.py", *FILES):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, folder.name, raising=False)
    return folder


@pytest.mark.parametrize(("modules", "counted"), [((), FILES), (("engine", "moves"), FILES[:1] + FILES[2:4])])
def test_code_digest__sees_modules_of_packages_in_packages(
    package: Path, modules: tuple[str, ...], counted: tuple[str, ...]
) -> None:
    entry: Any = SimpleNamespace(name="toy", rules_version=1, sources={package.name: modules})
    before, changed = code_digest(entry), []
    for name in FILES:
        (package / name).write_text("# changed\n", encoding="utf-8")
        if code_digest(entry) != before:
            changed.append(name)
        (package / name).write_text("", encoding="utf-8")
    assert tuple(changed) == counted
