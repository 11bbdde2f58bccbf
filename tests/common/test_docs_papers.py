"""What the written pages say exists: files, commands and options, make targets, configuration keys, codes of the
play page.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from numbluff_sim.analysis.studies.check.baselines import load_baseline
from numbluff_sim.cli.main import main
from numbluff_sim.config import load
from numbluff_sim.games.num_bluff.config import BlufferWeights, Weights

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "results" / "README.md")
)


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", text_of(page), re.DOTALL)


def command_lines() -> list[str]:
    """Every call of numbluff in a shell block of the pages, from its name on."""
    return [
        found[1]
        for page in PAGES
        for block in blocks(page, "sh")
        for line in block.splitlines()
        if (found := re.search(r"numbluff (\w.*?)\s*(?:#.*)?$", line))
    ]


def test_pages__there() -> None:
    assert {
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/ARCHITECTURE.md",
        "docs/games/num_bluff/PLAY.md",
        "docs/CLI.md",
        "docs/BASELINES.md",
    } <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_links__lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", text_of(page))
    assert [link for link in links if "://" not in link and not ((ROOT / page).parent / link).exists()] == []


def test_readme__begins_with_the_two_commands() -> None:
    assert re.findall(r"^make ([a-z-]+)", blocks("README.md", "sh")[0], re.MULTILINE) == ["balance-report", "test"]


@pytest.mark.parametrize("page", PAGES)
def test_make__every_target_named_exists(page: str) -> None:
    known = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)", text_of(page)))
    assert named - known == set()


@pytest.mark.parametrize("line", command_lines())
def test_commands__exist_with_their_options(line: str) -> None:
    words, command, context = shlex.split(line), main, click.Context(main, info_name="numbluff")
    while isinstance(command, click.Group):
        found = command.get_command(context, words.pop(0))
        assert found is not None
        command = found
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} - known == set()


def test_readme__its_deck_plays(tmp_path: Path) -> None:
    (block,) = blocks("README.md", "toml")
    assert len(block.splitlines()) == 5
    file = tmp_path / "mine.toml"
    file.write_text(block, encoding="utf-8")
    families = {family.name: family for family in load(file).deck.families}
    assert (families["rainbow"].reach, families["jaune"].values) == (5, (0, 12))


def test_baselines_page__its_example_loads(tmp_path: Path) -> None:
    (block,) = blocks("docs/BASELINES.md", "toml")
    file = tmp_path / "own.toml"
    file.write_text(block, encoding="utf-8")
    assert [claim.id for claim in load_baseline(file)[0].claims] == ["frappe_rate"]


def test_play_page__names_every_weight() -> None:
    bluffer, others = re.findall(
        r"^\| weight \| feature \|\n\|---\|---\|\n((?:\|.*\n)+)", text_of("docs/games/num_bluff/PLAY.md"), re.MULTILINE
    )
    assert re.findall(r"^\| `(\w+)`", bluffer, re.MULTILINE) == list(BlufferWeights.model_fields)
    assert re.findall(r"^\| `(\w+)`", others, re.MULTILINE) == list(Weights.model_fields)


def test_changelog__has_the_rules_version_and_the_version() -> None:
    from numbluff_sim import __version__
    from numbluff_sim.contract.registry import game

    newest = text_of("CHANGELOG.md").split("\n## ")[1]
    assert newest.startswith(__version__)
    assert f"(rules version {game('num_bluff').rules_version})" in newest
