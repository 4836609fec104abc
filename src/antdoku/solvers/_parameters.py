"""Parameters of solvers, each declared once: default, type, what is allowed, and what it means.

The check of a value and what `solvers.parameters` lists come from it.
"""

import inspect
from collections import namedtuple

import attrs

from antdoku.errors import InputError

_TYPES = {int: "a whole number", float: "a number", str: "a word"}


def integer(default: int, least: int, most: int, doc: str):
    """Declare a parameter that is a whole number, from `least` to `most`."""
    return _number(int, default, least, most, doc)


def real(default: float, least: float, most: float, doc: str):
    """Declare a parameter that is a number, from `least` to `most`."""
    return _number(float, default, least, most, doc)


def word(default: str, words: dict[str, str], doc: str):
    """Declare a parameter that is one of some words; `words` says what each of them means."""
    if not isinstance(words, dict):
        raise TypeError(f"words {words!r}: must be a dict of each word with its meaning")
    return _field(str, default, words.__contains__, " or ".join(words), doc=doc, words=words)


def with_default(cls: type, name: str, default):
    """Declare a parameter as `cls` declares it, but for its default."""
    field = attrs.fields_dict(cls)[name]
    return attrs.field(
        default=default, type=field.type, validator=field.validator, metadata=field.metadata
    )


def _number(kind, default, least, most, doc):
    allowed = f"from {least} to {most}"
    return _field(
        kind, default, lambda value: least <= value <= most, allowed, doc=doc, range=[least, most]
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
    """Make a class of declared parameters a frozen attrs class.

    It raises `InputError` for the first parameter that is of the wrong type or not allowed. What
    concerns several parameters at once is for its `__attrs_post_init__`. Annotations are left out.
    """
    plain = [n for n, v in vars(cls).items() if n[0] != "_" and isinstance(v, int | float | str)]
    for name in (*inspect.get_annotations(cls), *plain):
        if not hasattr(vars(cls).get(name), "validator"):
            raise TypeError(f"parameter {name}: declare it by integer, real or word")
    cls.__annotations__ = {}
    return attrs.frozen(cls)


def rules_of(cls: type, *derived: str) -> type:
    """Make the named tuple of what kernels get: the numbers of `cls`, and derived values.

    Its `of` takes parameters, and derived values by name, which may replace a number. It makes each
    number the declared type: a kernel would be compiled anew for 1 where 1.0 is meant.
    """
    kinds = {each.name: each.type for each in attrs.fields(cls) if each.type is not str}
    rules = namedtuple("Rules", dict.fromkeys([*kinds, *derived]), module=cls.__module__)

    def of(params, **given):
        return rules(**{name: kinds[name](getattr(params, name)) for name in kinds} | given)

    rules.of = of
    return rules
