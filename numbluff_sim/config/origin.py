"""Where a configuration comes from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbluff_sim.config.loading import changed, load
from numbluff_sim.config.model import Config


@dataclass(frozen=True)
class Origin:
    """Where a configuration comes from: a file, a preset's name or a configuration, and what is laid over it."""

    source: str | None
    preset: str | None
    overrides: Mapping[str, Any]
    config: Config | None = None

    @classmethod
    def named(cls, name: str, overrides: Mapping[str, Any] | None = None) -> Origin:
        """A file or a preset, told apart as `base` does it: by its ending or a separator."""
        is_file = name.endswith(".toml") or os.sep in name
        return cls(name if is_file else None, None if is_file else name, dict(overrides or {}))

    @property
    def name(self) -> str:
        """What it is called: the preset, the file without its ending, or "configuration"."""
        if self.config is not None:
            return "configuration"
        return Path(self.source).stem if self.source is not None else str(self.preset)

    def load(self, changes: Mapping[str, Any] | None = None) -> Config:
        """The configuration, with changes laid over it. Raises ConfigError."""
        overrides = {**self.overrides, **(changes or {})}
        if self.config is not None:
            return changed(self.config, overrides)
        return load(self.source, preset=self.preset, overrides=overrides)
