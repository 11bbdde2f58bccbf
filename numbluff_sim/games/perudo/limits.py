"""What a Perudo configuration must satisfy as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numbluff_sim.errors import ConfigError, nearest_name, one_of, shown_value

if TYPE_CHECKING:
    from numbluff_sim.games.perudo.config import Persona, PerudoConfig


def check(config: PerudoConfig) -> None:
    """Raise ConfigError for the first thing that no single key shows."""
    table = config.table
    if table.first_opener >= table.players:
        raise _refuse(
            ("table", "first_opener"),
            table.first_opener,
            "is no seat of this table",
            f"0 to {table.players - 1} (table.players = {table.players})",
        )
    for name, persona in config.personas.items():
        _check_keys(name, persona)


def _refuse(
    path: tuple[str | int, ...], value: object, why: str, expected: str, nearest: str | None = None
) -> ConfigError:
    key = ".".join(map(str, path))
    return ConfigError(
        f"{key} = {shown_value(value)} {why}", key=key, value=value, expected=expected, nearest=nearest, path=path
    )


def _check_keys(name: str, persona: Persona) -> None:
    """Keys that the persona's strategy does not read, but for those that say what they would be anyway."""
    from numbluff_sim.games.perudo.config import KEYS

    own = KEYS[persona.strategy]
    for key, field in type(persona).model_fields.items():
        value = getattr(persona, key)
        if key != "strategy" and key not in own and value != field.default:
            raise _refuse(
                ("personas", name, key),
                value,
                f'is not read by strategy = "{persona.strategy}"',
                one_of(own),
                nearest_name(key, own),
            )
