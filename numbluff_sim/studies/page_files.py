"""How every page is written: the report's and those of all studies."""

from __future__ import annotations

from pathlib import Path

from numbluff_sim.analysis.report.page import INDEX, Rendered
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, write_bytes


def write_page(rendered: Rendered, folder: Path) -> Path:
    """Write the files of a page below `folder`, the page itself last; the page's path. Raises RunError."""
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file; expected a folder, new or of an earlier page.")
    with disk_errors(folder):
        for name in sorted(rendered.files, key=lambda name: name == INDEX):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(target, rendered.files[name], durable=False)  # made again in seconds
    return folder / INDEX


def made_with(config: Config) -> dict[str, str]:
    """Digests and versions that a study's page and its files name."""
    identity = provenance.identity(config, game(config.game))
    return {
        "code_digest": identity["code_digest"],
        "rules_version": identity["rules_version"],
        **provenance.versions(),
    }
