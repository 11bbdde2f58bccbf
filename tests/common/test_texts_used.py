"""Every text of a catalogue is said somewhere."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from numbluff_sim.i18n import load_catalogue
from tests.common.test_i18n import DOMAINS, HOMES, ROOT

#: Letters of an f-string that tell a key from anything else.
LEAST_LETTERS = 4
#: Their keys are names of metrics with placeholders, looked up by the name.
BY_METRIC = "metrics"


@cache
def spoken(folder: Path) -> tuple[list[re.Pattern[str]], str]:
    """Keys that the code of a folder may ask for, as patterns, and the text of its templates."""
    found: set[str] = set()
    for file in folder.rglob("*.py"):
        found |= set(said(ast.parse(file.read_text(encoding="utf-8"))))
    templates = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("*.j2"))
    return [re.compile(pattern) for pattern in sorted(found)], templates


def said(tree: ast.AST) -> Iterator[str]:
    """Patterns of whole texts in the code: plain ones, f-strings with anything in their places, heads and tails that
    are joined by + or cut off by `under`.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[\w.]+", node.value):
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            plain = "".join(str(part) for part in parts if part is not None)
            if len(plain) >= LEAST_LETTERS and re.fullmatch(r"[\w.]+", plain):
                yield "".join(r"[\w.]*" if part is None else re.escape(str(part)) for part in parts)
        elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            yield re.escape(node.left.value) + r"[\w.]*"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "under":
            for argument in node.args:
                if isinstance(argument, ast.Constant):
                    yield re.escape(str(argument.value)) + r"\..+"


def folders(domain: str) -> list[Path]:
    """Where the texts of a domain may be said: in its own package, in what pages and games share, and where a game's
    are, in its analysis.
    """
    package = domain.partition(":")[0]
    home, inside = next(
        (home, package.removeprefix(name)) for home, name in reversed(HOMES.items()) if package.startswith(name)
    )
    shared = [ROOT / "analysis" / "report", ROOT / "analysis" / "studies" / "question", ROOT / "numbluff_sim" / "cli"]
    game = package.removeprefix("numbluff_sim.games.")
    return [
        ROOT / home / inside.replace(".", "/").lstrip("/"),
        ROOT / "analysis" / game,
        ROOT / "numbluff_sim" / "single",
        *shared,
    ]


@pytest.mark.parametrize("domain", [domain for domain in DOMAINS if not domain.endswith(f":{BY_METRIC}")])
def test_catalogues__every_text_is_said_somewhere(domain):
    keys = list(load_catalogue(domain, "en").texts)
    everywhere = domain == "numbluff_sim.analysis.report:balance"  # said in the reports of all games
    places = [ROOT / "analysis"] if everywhere else folders(domain)
    said_here = [spoken(place) for place in places if place.is_dir()]
    silent = [
        key
        for key in keys
        if not any(
            any(pattern.fullmatch(key) for pattern in patterns) or f"words.{key.removeprefix('page.')}" in templates
            for patterns, templates in said_here
        )
    ]
    assert silent == []
