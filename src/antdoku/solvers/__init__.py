"""The solvers: one file each. This folder's listing is the registry.

A solver file holds ``TITLE`` (its label in tables and figures), ``KIND`` (``exact`` or
``stochastic``), a class ``Params`` of declared parameters (see `_parameters`), and
``solve(puzzle, params, rng, budget) -> Outcome``. Nothing else needs an edit.
Solvers of users need only `solve`. A reference takes the place of a name: the path of a file
(``./mine.py``), a module path (``package.mine``), or an entry point of the group
``antdoku.solvers``.

A solver may promise less: ``ORDERS``, a range, if it accepts only puzzles of these orders;
``SOLVES``, a range, if it solves easy puzzles of fewer orders than it accepts;
``ALWAYS_ENDS = False`` if hard puzzles may keep it busy for ever. No solver may answer wrongly,
exceed its limits or depend on how its run is sliced.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import attrs
import numpy as np

from antdoku.errors import InputError, as_int, unknown
from antdoku.solvers import _code, _own
from antdoku.solvers._code import file_of, globals_of, times_of
from antdoku.solvers._own import enter, helpers, hold, pack, read_later, short_name, unpack

# Beside the functions below:
__all__ = ["enter", "file_of", "globals_of", "helpers", "hold", "pack", "read_later", "short_name"]
__all__ += ["times_of", "unpack"]
SolverLike = str | os.PathLike | ModuleType | Callable  # a name, a reference or an object


@cache
def shipped() -> tuple[str, ...]:
    """Return the names of the solvers of the package, in alphabetical order."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return tuple(sorted(file.stem for file in files))


def names() -> tuple[str, ...]:
    """Return the names of all solvers: first the package's, then the entry points."""
    return (*shipped(), *sorted(_own.entry_points().keys() - {*shipped()}))


def get(name: str) -> ModuleType:
    """Import the solver with a name or a reference; its module has all declarations.

    Raises `InputError` if it does not exist, or cannot be used.
    """
    if name in shipped():
        return _import(name)
    module = _own.load(name)
    if module is None:
        if Path(f"{name}.py").exists():
            raise InputError(f"unknown solver {name!r}: write {name}.py for the file")
        if "," in name:
            raise InputError(
                f"unknown solver {name!r}: name each by a -s of its own, in Python in a list"
            )
        raise InputError(unknown("solver", name, names()))
    return module


@cache
def _import(name):
    """Import a solver of the package."""
    return _own.complete(import_module(f"{__name__}.{name}"), name)


def code_of(name: str) -> tuple[list[str | Path], bytes]:
    """Return the code of a solver: files for `antdoku.files`, and other code."""
    if name in shipped():
        return [f"solvers.{name}"], b""
    return _code.code_of(get(name), _own.is_path(name), _own.is_object(name))


def reference(solver: SolverLike, name: str | None = None) -> str:
    """Return the name or the reference of a solver, which this process can use from now on.

    `name` replaces the name of a function or a module.
    """
    if isinstance(solver, str | os.PathLike):
        return os.fspath(solver)
    package, _, stem = str(getattr(solver, "__name__", "")).rpartition(".")
    return stem if package == __name__ else _own.remember(solver, name)


def with_parameters(text: str, params: Mapping | None = None) -> tuple[str, dict]:
    """Return the name and the parameters of ``acs:m=20,q0=0.8``, and `params` beside them.

    Raises `InputError` if a parameter is given twice.
    """
    name, _, words = text.rpartition(":")
    if not name or not ("=" in words or name in names()):
        return text, dict(params or {})
    return name, values_of(words.split(","), text, params)


def values_of(words: Iterable[str], place: str, others: Mapping | None = None) -> dict:
    """Return the parameters of words ``m=20`` by name, and the `others`.

    Raises `InputError` for another word, and if a parameter is given twice.
    """
    values = dict(others or {})
    for word in words:
        name, _, value = map(str.strip, word.partition("="))
        if not (name and value):
            raise InputError(f"{word!r} is not NAME=VALUE, such as m=20", place)
        if name in values:
            raise InputError(f"{name} is given twice", place)
        values[name] = value
    return values


def variant_name(text: str) -> str:
    """Return the name of a solver with its parameters: ``mine:m=20`` for ``./mine.py:m=20``."""
    name, _ = with_parameters(text)
    return short_name(name) + text.removeprefix(name)


def of_package(name: str, declaration: str, default):
    """Return a declaration that only solvers of the package make, or its default.

    These are ``LIBRARIES``, ``parts`` and ``profile``. Solvers of users may use these names for
    anything.
    """
    return getattr(get(name), declaration, default) if name in shipped() else default


def check_takes(name: str, order: int) -> None:
    """Raise `InputError` if the solver called `name` accepts no puzzles of an order."""
    accepted = get(name).ORDERS
    if order in accepted:
        return
    suitable = [entry["name"] for entry in list_solvers() if order in entry.get("orders", ())]
    allowed = f"from {accepted[0]} to {accepted[-1]}" if len(accepted) > 1 else accepted[0]
    text = f"must be {allowed}; solvers of order {order} are {', '.join(suitable)}"
    raise InputError(text, f"solver {short_name(name)}: order {order}")


def parameters(name: str) -> list[dict]:
    """Return descriptions of the parameters of the solver called `name`.

    Each has ``name``, ``type`` (``int``, ``float`` or ``str``), ``default``, ``doc``, and either
    ``range`` (lowest and highest value) or ``words`` (each with its meaning).
    """
    return [
        {
            "name": field.name,
            "type": field.type.__name__,
            "default": field.default,
            **field.metadata,
        }
        for field in attrs.fields(get(name).Params)
    ]


def list_solvers() -> list[dict]:
    """Return descriptions of all solvers.

    Returns
    -------
    list of dict
        For each solver: ``name``, ``title``, ``about`` (a sentence), ``kind`` (``exact`` solvers
        can prove that there is no solution), ``orders`` that it accepts, orders whose easy puzzles
        it ``solves``, ``always_ends`` (whether it ends even on hard puzzles), ``params`` (defaults
        by name), ``parameters`` (see `parameters`) and ``source``. A solver that cannot be used has
        ``name`` and ``missing``, the reason.

    Examples
    --------
    >>> import antdoku
    >>> [entry["about"] for entry in antdoku.list_solvers() if entry["name"] == "acs"]
    ['Ant Colony System with best-value evaporation.']
    """
    return [describe(name) for name in names()]


def describe(name: str) -> dict:
    """Return the description of one solver, as in `list_solvers`."""
    try:
        module = get(name)
    except InputError as error:
        return {"name": name, "missing": error.what}
    declared, text = parameters(name), module.__doc__ or ""
    reference = re.search(r"(?ms)^References?: (.+?)(?:\n\n|\Z)", text)
    return {
        "name": short_name(name),
        "title": module.TITLE,
        "about": text.strip().partition("\n")[0],
        "kind": module.KIND,
        "orders": list(module.ORDERS),
        "solves": list(module.SOLVES),
        "always_ends": module.ALWAYS_ENDS,
        "params": {parameter["name"]: parameter["default"] for parameter in declared},
        "parameters": declared,
        "source": " ".join(reference[1].split()) if reference else "",
    }


def make_params(solver: str, values: Mapping):
    """Make the `Params` of `solver` from names and values; text is converted to the field's type.

    Raises `InputError` if the solver or a name is unknown, or a value is refused.
    """
    module, place = get(solver), f"solver {short_name(solver)}"
    types = {field.name: field.type for field in attrs.fields(module.Params)}
    for name in values:
        if name not in types:
            raise InputError(unknown("parameter", name, types), place)
    try:
        return module.Params(**{name: _convert(types[name], values[name]) for name in values})
    except InputError as error:
        raise error.at(place) from None


def _convert(kind, value):
    """Convert text, or a number of NumPy, to a number of Python if possible."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return kind(value)
    return as_int(value) if kind is int else value
