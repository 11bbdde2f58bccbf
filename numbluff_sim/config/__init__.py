"""Configuration: a TOML file or a preset becomes one frozen, validated `Config`. Knows no game; games bring their
schema.
"""

from numbluff_sim.config.loading import load, presets, restore
from numbluff_sim.config.model import Config, RunSection, Section

__all__ = ["Config", "RunSection", "Section", "load", "presets", "restore"]
