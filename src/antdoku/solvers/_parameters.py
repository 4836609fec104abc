"""Parameters of solvers, each declared once: default, type, allowed values and meaning.

The check of values and the list of `solvers.parameters` use the same declaration.
"""

import inspect
from collections import namedtuple

import attrs

from antdoku.errors import InputError

_TYPES = {int: "a whole number", float: "a number", str: "a word"}


def integer(default: int, lowest: int, highest: int, doc: str):
    """Declare a parameter: a whole number from `lowest` to `highest`."""
    return _number(int, default, lowest, highest, doc)


def real(default: float, lowest: float, highest: float, doc: str):
    """Declare a parameter: a number from `lowest` to `highest`."""
    return _number(float, default, lowest, highest, doc)


def word(default: str, words: dict[str, str], doc: str):
    """Declare a parameter: one of `words`, a dict of each word with its meaning."""
    if not isinstance(words, dict):
        raise TypeError(f"words {words!r}: must be a dict of each word with its meaning")
    return _field(str, default, words.__contains__, " or ".join(words), doc=doc, words=words)


def with_default(cls: type, name: str, default):
    """Declare the parameter `name` of the class `cls` with another default."""
    field = attrs.fields_dict(cls)[name]
    return attrs.field(
        default=default, type=field.type, validator=field.validator, metadata=field.metadata
    )


def _number(kind, default, lowest, highest, doc):
    allowed = f"from {lowest} to {highest}"
    return _field(
        kind,
        default,
        lambda value: lowest <= value <= highest,
        allowed,
        doc=doc,
        range=[lowest, highest],
    )


def _field(kind, default, accepts, allowed, **metadata):
    kinds = (int, float) if kind is float else (kind,)

    def check(_, field, value):
        require(type(value) in kinds, field.name, value, _TYPES[kind])
        require(accepts(value), field.name, value, allowed)

    if type(default) not in kinds or not accepts(default):
        raise ValueError(f"default {default!r}: must be {_TYPES[kind]}, {allowed}")
    return attrs.field(default=default, type=kind, validator=check, metadata=metadata)


def require(condition: bool, parameter: str, value, allowed: str) -> None:
    """Raise `InputError` naming the parameter, its value and what is allowed."""
    if not condition:
        raise InputError(f"parameter {parameter} = {value!r}: must be {allowed}")


def parameters(cls: type) -> type:
    """Decorator: make a class of declared parameters a frozen attrs class.

    The class raises `InputError` for the first value that has the wrong type or is not allowed.
    Checks of several parameters belong in its `__attrs_post_init__`. Annotations are removed.
    """
    plain = [n for n, v in vars(cls).items() if n[0] != "_" and isinstance(v, int | float | str)]
    for name in (*inspect.get_annotations(cls), *plain):
        if not hasattr(vars(cls).get(name), "validator"):
            raise TypeError(f"parameter {name}: declare it by integer, real or word")
    cls.__annotations__ = {}
    return attrs.frozen(cls)


def rules_of(cls: type, *derived: str) -> type:
    """Return a class of named tuples for kernels: the numbers of `cls`, and derived values.

    ``of(params, **derived)`` makes a tuple; a derived value may replace a number. Each number gets
    its declared type: Numba would compile a kernel a second time for 1 in place of 1.0.
    """
    kinds = {field.name: field.type for field in attrs.fields(cls) if field.type is not str}
    rules = namedtuple("Rules", dict.fromkeys([*kinds, *derived]), module=cls.__module__)

    def of(params, **derived_values):
        numbers = {name: kinds[name](getattr(params, name)) for name in kinds}
        return rules(**numbers | derived_values)

    rules.of = of
    return rules
