"""Checks of a single entry: a name among others, and the types of values."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from antdoku import yaml_files
from antdoku.errors import unknown

TYPES = ConfigDict(strict=True, arbitrary_types_allowed=True)


def check_name(kind: str, name: object, names: Iterable, file: Path, *path) -> None:
    """Refuse a name that is not among `names`; it stands at a path of a YAML file."""
    if name not in names:
        raise yaml_files.mistake(unknown(kind, name, names), file, *path)


def check_types(entry: object, file: Path, *path) -> None:
    """Refuse keys of a YAML file whose values have another type than the attributes of `entry`."""
    if mistake := wrong_type(entry):
        keys, text = mistake
        raise yaml_files.mistake(text, file, *path, *keys)


@cache
def _adapter(kind):
    return TypeAdapter(kind, config=TYPES)


def wrong_type(entry: object) -> tuple[tuple, str] | None:
    """Return path and text of the first attribute of another type than declared; None if none."""
    for name, kind in get_type_hints(type(entry)).items():
        try:
            _adapter(kind).validate_python(getattr(entry, name))
        except ValidationError as error:
            keys, text = yaml_files.first_mistake(error)
            return (name, *keys), text
    return None
