"""Files that ask a question over axes: `base`, [set], [axes], [targets], and [sweep] or [tune]. Checked before
anything is played.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.studies.question.targets import Targets, read_targets
from numbluff_sim.config import Config, Section, load
from numbluff_sim.config.loading import DEFAULT_PRESET, OVERRIDE, changed, read_toml
from numbluff_sim.config.merge import Layers
from numbluff_sim.config.messages import field_at, refusal
from numbluff_sim.config.model import NOT_IN_DIGEST
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, shown_value
from numbluff_sim.studies.check.asked import flattened
from numbluff_sim.studies.question.axes import Axis, axis, flat_axes, values_json

#: Keys that a question states in a table of its own: they say how games are played, not what the game is.
RUN_KEYS = {f"run.{key}" for key in (*NOT_IN_DIGEST, "seed")}
#: Values of an axis that are loaded one by one; of more, the ends and so many between.
MOST_LOADED = 100
Settings = TypeVar("Settings", bound=BaseModel)

#: What a base is called that is a configuration, neither a preset nor a file.
CONFIGURATION = "configuration"


class FileSchema(Section):
    """A question's file. `sweep` and `tune` may stand in one file: each command reads its own."""

    base: str = DEFAULT_PRESET
    game: str | None = None
    sweep: dict[str, Any] = Field(default_factory=dict)
    tune: dict[str, Any] = Field(default_factory=dict)
    set: dict[str, Any] = Field(default_factory=dict)
    axes: dict[str, Any] = Field(default_factory=dict)
    targets: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """A base, changes for all points, axes, targets: what `sweep` and `tune` have in common.

    `run` are the keys of `run` (games, seed, threads, ...) that every point has; `content` is the digest of what the
    file says; `given`: the base itself, where it is none that a file can name.
    """

    origin: str
    base_name: str
    source: Path | None
    changes: Mapping[str, Any]
    axes: tuple[Axis, ...]
    run: Mapping[str, Any]
    targets: Targets | None = None
    content: str = ""
    given: Config | None = None

    def config(self, values: Mapping[str, Any] | None = None) -> Config:
        """The configuration of the base with `values` of axes by key. Raises ConfigError naming the file and its
        table.
        """
        overrides = {**self.changes, **(values or {}), **self.run}
        try:
            if self.given is not None:
                return changed(self.given, overrides)
            return load(self.source, preset=None if self.source else self.base_name, overrides=overrides)
        except ConfigError as error:
            if error.file == OVERRIDE:
                table = next(
                    (name for name, keys in (("axes", values or {}), ("set", self.changes)) if _names(error.key, keys)),
                    None,
                )
                error.file = self.origin + (f", [{table}]" if table else "")
            elif error.key == "preset":
                error.file, error.key = self.origin, "base"
            raise

    @cached_property
    def base(self) -> Config:
        """The base with the changes for all points."""
        return self.config()

    def with_run(self, **run: Any) -> Question:
        """The same with other games, seed or threads (None: as it is)."""
        return replace(
            self, run={**self.run, **{f"run.{key}": value for key, value in run.items() if value is not None}}
        )

    def base_values(self) -> dict[str, Any]:
        """The base's own value of every axis; None where the base has none."""
        return {one.key: value_at(self.base, one.key) for one in self.axes}

    def to_json(self) -> dict[str, Any]:
        """JSON-able: all that decides which points are played (not the targets)."""
        run = {key: value for key, value in self.run.items() if key in ("run.games", "run.seed")}
        return {"base": self.base_name, "set": dict(self.changes), "axes": values_json(self.axes), "run": run}


def of_game(data: dict[str, Any], game_name: str | None) -> dict[str, Any]:
    """What a file says, of the game asked for. Raises ConfigError where the file is of another one."""
    said = data.get("game", game_name)
    if game_name is not None and said != game_name:
        raise ConfigError(
            f"game = {shown_value(game_name)}, but the file is of the game {shown_value(said)}",
            file="--game",
            key="game",
            value=game_name,
            expected="one game",
        )
    return data if game_name is None else {**data, "game": game_name}


def read_settings(data: Mapping[str, Any], origin: str, table: str, model: type[Settings]) -> Settings:
    """The table of a command ([sweep], [tune]) of a question's file. Raises ConfigError."""
    schema = validated(data, origin, "", FileSchema)
    return validated(getattr(schema, table), origin, table, model)


def read_question(
    path: Path,
    data: Mapping[str, Any],
    *,
    run: Mapping[str, Any],
    alpha: float = 0.05,
    given: Config | None = None,
) -> Question:
    """The question that a file's `data` ask, every value of every axis checked on the base. `run`: keys of `run`, None
    for those unsaid; `given`: the base, in the place of the one that the data name.

    Raises ConfigError.
    """
    origin = str(path)
    schema = validated(data, origin, "", FileSchema)
    source = path.parent / schema.base if _is_path(schema.base) else None
    if source is not None:
        read_toml(source, named_by=origin)
    changes = flattened(_once(schema.set, origin, "set"))
    if schema.game is not None:
        changes = {"game": schema.game, **changes}
    axes = tuple(axis(key, said, origin) for key, said in _once_each(flat_axes(schema.axes), origin))
    if not axes:
        raise ConfigError(
            "there are no axes",
            file=origin,
            key="axes",
            expected='keys with values under [axes], such as "deck.rainbow.reach" = [1, 2, 3]',
        )
    _refuse_keys(changes, axes, origin)
    said = {f"run.{key}": value for key, value in {**run, "rows": "none"}.items() if value is not None}
    name = schema.base if given is None else CONFIGURATION
    question = Question(origin, name, source, changes, axes, said, given=given)
    base = question.base
    for one in axes:
        _check_axis(question, one)
    targets = read_targets(schema.targets, known_metrics(base), origin, alpha=alpha) if schema.targets else None
    return replace(question, targets=targets, content=content_digest(data))


def validated(data: Mapping[str, Any], origin: str, table: str, model: type[Settings]) -> Settings:
    """`data` as a pydantic section; `table` is where it stands in the file. Raises ConfigError."""
    layers = Layers({})
    layers.add(dict(data), origin)
    try:
        return model.model_validate(layers.data)
    except ValidationError as error:
        refused = refusal(error, model, layers, origin)
        if table:
            refused.problem, refused.key = (
                refused.problem.replace(str(refused.key), f"{table}.{refused.key}", 1),
                f"{table}.{refused.key}",
            )
        raise refused from None
    except ConfigError as error:
        error.file = error.file or origin
        raise


def known_metrics(config: Config) -> Mapping[str, Estimator]:
    """The metrics that runs of a configuration have, by name."""
    return game(config.game).metrics.known(config)


def content_digest(data: Mapping[str, Any]) -> str:
    """16 hexadecimal digits of what a file says, whatever its comments and layout."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":"), default=str).encode()).hexdigest()[
        :16
    ]


def value_at(config: Config, key: str) -> Any:
    """What stands at a dotted key of a configuration (families and the like by name); None where there is nothing."""
    here: Any = config.resolved()
    path: tuple[str, ...] = ()
    for step in key.split("."):
        named = config.named_lists.get(path)
        if isinstance(here, dict) and step not in here and named in here:
            here = next((entry for entry in here[named] if entry.get("name") == step), None)
        else:
            here = here.get(step) if isinstance(here, dict) else None
        path = (*path, step)
    if key == "play.seats" and isinstance(here, list) and len(set(here)) == 1:
        return here[0]
    return here


def _is_path(base: str) -> bool:
    return base.endswith(".toml") or "/" in base


def _names(key: str | None, keys: Mapping[str, Any]) -> bool:
    """Whether an error's key is one of `keys`, or within one, or a table around one."""
    return key is not None and any(
        key == other or key.startswith(f"{other}.") or other.startswith(f"{key}.") for other in keys
    )


def _once(table: Mapping[str, Any], origin: str, name: str) -> Mapping[str, Any]:
    """Refuse a key that is said quoted and unquoted ("a.b" and a.b)."""
    seen: set[str] = set()
    for key in _dotted(table):
        if key in seen:
            raise ConfigError(f"[{name}] says {key} twice", file=origin, key=f"{name}.{key}", expected="each key once")
        seen.add(key)
    return table


def _dotted(table: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _dotted(value, f"{above}{key}.")
        else:
            yield f"{above}{key}"


def _once_each(pairs: Iterator[tuple[str, Any]], origin: str) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for key, said in pairs:
        if key in seen:
            raise ConfigError(
                f"[axes] says {key} twice", file=origin, key=f"axes.{key}", value=said, expected="each key once"
            )
        seen.add(key)
        yield key, said


def _refuse_keys(changes: Mapping[str, Any], axes: tuple[Axis, ...], origin: str) -> None:
    for key in (*changes, *(one.key for one in axes)):
        if key in RUN_KEYS:
            raise ConfigError(
                f"{key} says how games are played, not what the game is",
                file=origin,
                key=key,
                expected="games and seed beside the design, under [sweep] or [tune]; threads as --threads",
            )
    for one in axes:
        if one.key == "game":
            raise ConfigError(
                "the game is no axis: games have other keys", file=origin, key="axes.game", expected="axes of one game"
            )
        other = next(
            (
                key
                for key in (*changes, *(two.key for two in axes if two is not one))
                if key == one.key or one.key.startswith(f"{key}.") or key.startswith(f"{one.key}.")
            ),
            None,
        )
        if other is not None:
            raise ConfigError(
                f"{one.key} is an axis, and {other} is given too",
                file=origin,
                key=f"axes.{one.key}",
                value=other,
                expected="a key either under [axes] or under [set], once",
            )


def _check_axis(question: Question, one: Axis) -> None:
    """Every value of an axis makes a configuration alone on the base (of very many: the ends and some between)."""
    step = max(-(-len(one) // MOST_LOADED), 1) if one.kind != "choice" else 1
    for index in [*range(0, len(one), step), len(one) - 1]:
        try:
            question.config({one.key: one.value(index)})
        except ConfigError as error:
            if not _names(error.key, {one.key: None}):
                error.problem = f"axis {one.key} = {one.value(index)}: {error.problem}"
            raise
    if _free_text(type(question.base), one.key):
        raise ConfigError(
            f"axis {one.key}: this is a text of one's own, neither a number nor one of several words",
            file=question.origin,
            key=f"axes.{one.key}",
            expected="a numeric or enumerated key",
        )
    if value_at(question.base, one.key) is None and not any(
        value_at(point, one.key) is not None for point in _alone(question)
    ):
        raise ConfigError(
            f"axis {one.key} changes nothing: no configuration here has this key in play",
            file=question.origin,
            key=f"axes.{one.key}",
            expected="a key that `numbluff config show` prints (a persona's, if it sits at the table)",
        )


def _alone(question: Question) -> Iterator[Config]:
    """The base with one value of one axis each."""
    return (
        question.config({one.key: one.value(index)})
        for one in question.axes
        for index in range(min(len(one), MOST_LOADED))
    )


def _free_text(schema: type[Config], key: str) -> bool:
    """Whether the schema takes any text there."""
    path: tuple[str | int, ...] = ()
    steps = key.split(".")
    for place, step in enumerate(steps):
        named = schema.named_lists.get(tuple(steps[:place]))
        path = (*path, named, 0) if named is not None and step != named else (*path, step)
    try:
        return field_at(schema, path)[0] is str
    except (KeyError, IndexError, AttributeError):
        return False  # a key that loading takes away, such as a persona's base
