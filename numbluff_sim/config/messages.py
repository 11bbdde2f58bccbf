"""Validation errors in words: which file, which key, which value, what is expected, which name was perhaps meant."""

from __future__ import annotations

import types
import typing
from typing import Any, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic import BaseModel, ValidationError

from numbluff_sim.config.merge import Layers, Path
from numbluff_sim.errors import ConfigError, nearest_name, one_of, shown_value


def refusal(error: ValidationError, schema: type[BaseModel], layers: Layers, unsaid: str | None = None) -> ConfigError:
    """The first problem of a failed validation as a `ConfigError`; `unsaid`: whose fault is what no layer says."""
    first = error.errors()[0]
    path: Path = first["loc"]
    if first["type"] == "missing" and isinstance(path[-1], int):  # a list that is too short: the list is what is wrong
        path, first = path[:-1], {**first, "type": "too_short"}
    key, value = layers.key(path), first["input"]
    more = sum(
        other["loc"] != path[: len(other["loc"])] for other in error.errors()[1:]
    )  # a list around what is wrong is not wrong as well
    rest = f" ({more} more problem{'s' if more > 1 else ''} after this one)" if more else ""
    nearest = None
    if first["type"] == "extra_forbidden":
        known = valid_names(schema, path[:-1])
        problem, expected, nearest = (
            f"unknown key {key} (value {shown_value(value)})",
            one_of(known),
            nearest_name(path[-1], known),
        )
    elif first["type"] == "missing":
        problem, expected = f"key {key} is missing", describe(*field_at(schema, path))
    else:
        annotation, metadata = field_at(schema, path)
        problem, expected = f"{key} = {shown_value(value)} cannot be used", describe(annotation, metadata)
        if isinstance(value, str) and typing.get_origin(annotation) is Literal:
            nearest = nearest_name(value, typing.get_args(annotation))
    return ConfigError(
        problem,
        file=layers.origin(path) or unsaid,
        key=key,
        value=value,
        expected=expected + rest,
        nearest=nearest,
        path=path,
    )


def field_at(schema: Any, path: Path) -> tuple[Any, list[Any]]:
    """Annotation and constraints of what stands at `path` of a schema."""
    annotation, metadata = schema, []  # type: Any, list[Any]
    for step in path:
        annotation = _present(annotation)
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            field = annotation.model_fields[str(step)]
            annotation, metadata = field.annotation, field.metadata
        else:
            inner = typing.get_args(annotation)
            annotation, metadata = inner[-1] if inner[-1] is not Ellipsis else inner[0], []
            if typing.get_origin(annotation) is typing.Annotated:
                annotation, metadata = (
                    annotation.__origin__,
                    [m for field in annotation.__metadata__ for m in getattr(field, "metadata", [field])],
                )
    return _present(annotation), metadata


def _present(annotation: Any) -> Any:
    """The type of a key that may be missing, once it is there: X of X | None."""
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        return next(kind for kind in typing.get_args(annotation) if kind is not types.NoneType)
    return annotation


def valid_names(schema: type[BaseModel], path: Path) -> list[str]:
    """The keys that the table at `path` may hold."""
    annotation, _ = field_at(schema, path)
    return list(annotation.model_fields)


def describe(annotation: Any, metadata: list[Any]) -> str:
    """What is expected of a value of this type, in words."""
    inner = typing.get_args(annotation)
    origin = typing.get_origin(annotation)
    if origin is Literal:
        return one_of(inner)
    if origin is tuple:
        count = (
            f"{len(inner)} "
            if inner[-1] is not Ellipsis
            else "one or more "
            if any(isinstance(m, MinLen) for m in metadata)
            else ""
        )
        return f"a list of {count}{describe_many(inner[0])}"
    if origin is dict:
        return "a table of dotted keys" if inner[1] is Any else "a table of named tables"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "a table with the keys " + ", ".join(annotation.model_fields)
    if annotation is bool:
        return "true or false"
    words = {int: "a whole number", float: "a finite number", str: "a text"}[annotation]
    low = next((m.ge for m in metadata if isinstance(m, Ge)), None)
    high = next((m.le for m in metadata if isinstance(m, Le)), None)
    pattern = next((m.pattern for m in metadata if getattr(m, "pattern", None)), None)
    if pattern:
        return f"{words} of small letters, digits and _"
    if low is not None and high is not None:
        return f"{words} from {low} to {high}"
    above, below = (
        next((m.gt for m in metadata if isinstance(m, Gt)), None),
        next((m.lt for m in metadata if isinstance(m, Lt)), None),
    )
    if above is not None and below is not None:
        return f"{words} above {above} and below {below}"
    return words if low is None else f"{words}, at least {low}"


def describe_many(annotation: Any) -> str:
    """The plural of what a list holds."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "tables with the keys " + ", ".join(annotation.model_fields)
    if typing.get_origin(annotation) is Literal:
        return f"names, each {one_of(typing.get_args(annotation))}"
    if typing.get_origin(annotation) is typing.Annotated:
        return (
            describe(annotation.__origin__, list(annotation.__metadata__))
            .removeprefix("a ")
            .replace("number", "numbers")
        )
    return {int: "whole numbers", str: "texts"}[annotation]
