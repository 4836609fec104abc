"""The solvers: one file each. This folder's listing is the registry.

A solver file holds ``TITLE`` (its label in tables and figures), ``KIND`` (``exact`` or
``stochastic``), a class ``Params`` of declared parameters (see `_parameters`), and
``solve(puzzle, params, rng, budget) -> Outcome``. Nothing else needs an edit.
Solvers from elsewhere need `solve` alone. A reference stands for their name: the path of a file
(``./mine.py``), a module path (``package.mine``), or an entry point of the group
``antdoku.solvers``.

A solver may promise less: ``ORDERS``, a range, if it takes puzzles of these orders only;
``SOLVES``, a range, if it solves easy puzzles of fewer orders than it takes;
``ALWAYS_ENDS = False`` if hard puzzles may keep it busy for ever. No solver may answer wrongly,
exceed its limits or depend on how it is sliced.
"""

import contextlib
import os
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import attrs
import numpy as np

from antdoku.errors import InputError, unknown
from antdoku.puzzle.grid import ORDERS
from antdoku.solvers import _own
from antdoku.solvers._own import file_of, message_of, short_name

__all__ = ["file_of", "message_of", "short_name"]  # beside those here
Given = str | os.PathLike | ModuleType | Callable  # what a user names a solver by


@cache
def shipped() -> tuple[str, ...]:
    """Return the names of the solvers of the package, in alphabetical order."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return tuple(sorted(file.stem for file in files))


def names() -> tuple[str, ...]:
    """Return the names of all solvers: those of the package, then those that others register."""
    return (*shipped(), *sorted(_own.entry_points().keys() - {*shipped()}))


def get(name: str) -> ModuleType:
    """Import the solver called `name`, or the one that a reference leads to.

    It is an `InputError` if there is none, or it cannot be used.
    """
    if name in shipped():
        return import_module(f"{__name__}.{name}")
    if (found := _own.load(name)) is None:
        if Path(f"{name}.py").exists():
            raise InputError(f"unknown solver {name!r}: write {name}.py for the file")
        if "," in name:
            raise InputError(f"unknown solver {name!r}: name each by a -s of its own")
        raise InputError(unknown("solver", name, names()))
    return found


def code_of(name: str) -> tuple[list[str | Path], bytes]:
    """Return what decides what a solver does: files for `antdoku.files`, and other code."""
    return ([f"solvers.{name}"], b"") if name in shipped() else _own.code_of(get(name))


def reference(given: Given, name: str | None = None) -> str:
    """Return what a solver is called by from now on in this process: a name, or a reference.

    A function or a module may get another `name` than its own.
    """
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    place, _, stem = getattr(given, "__name__", "").rpartition(".")
    return stem if place == __name__ else _own.remember(given, name)


def with_parameters(text: str) -> tuple[str, dict[str, str]]:
    """Return name and parameters of ``acs:m=20,q0=0.8``; none of what has no parameters."""
    name, _, words = text.rpartition(":")
    if not name or not ("=" in words or name in names()):
        return text, {}
    given = {}
    for each in words.split(","):
        parameter, _, value = map(str.strip, each.partition("="))
        if not (parameter and value):
            raise InputError(f"{text}: {each!r} is not NAME=VALUE, such as m=20")
        given[parameter] = value
    return name, given


def variant_name(text: str) -> str:
    """Return the name of a solver with parameters: ``mine:m=20`` for ``./mine.py:m=20``."""
    name, _ = with_parameters(text)
    return short_name(name) + text.removeprefix(name)


def orders(name: str) -> range:
    """Return the orders of the puzzles that the solver called `name` takes."""
    return getattr(get(name), "ORDERS", ORDERS)


def solves(name: str) -> range:
    """Return the orders of which the solver called `name` promises to solve easy puzzles."""
    return getattr(get(name), "SOLVES", orders(name))


def always_ends(name: str) -> bool:
    """Tell whether the solver called `name` promises to come to an end with hard puzzles, too."""
    return getattr(get(name), "ALWAYS_ENDS", True)


def check_takes(name: str, order: int) -> None:
    """Raise `InputError` if the solver called `name` takes no puzzles of an order."""
    known = orders(name)
    if order not in known:
        others = [each["name"] for each in list_solvers() if order in each.get("orders", ())]
        allowed = f"from {known[0]} to {known[-1]}" if len(known) > 1 else known[0]
        place, others = f"solver {short_name(name)}: order {order}", ", ".join(others)
        raise InputError(f"{place}: must be {allowed}; solvers of order {order} are {others}")


def parameters(name: str) -> list[dict]:
    """Describe the parameters of the solver called `name`.

    Each has ``name``, ``type`` (``int``, ``float`` or ``str``), ``default``, ``doc``, and either
    ``range`` (least and most) or ``words`` (each with its meaning).
    """
    return [
        {"name": each.name, "type": each.type.__name__, "default": each.default, **each.metadata}
        for each in attrs.fields(get(name).Params)
    ]


def list_solvers() -> list[dict]:
    """Describe all solvers.

    Returns
    -------
    list of dict
        Of each solver: ``name``, ``title``, ``about`` (a sentence), ``kind`` (``exact`` solvers
        can prove that there is no solution), ``orders`` that it takes and those whose easy puzzles
        it ``solves``, ``always_ends`` (with hard puzzles, too), ``params`` (defaults by name),
        ``parameters`` (see `parameters`) and ``source``; or ``name`` and ``missing``: why it cannot
        be used.

    Examples
    --------
    >>> import antdoku
    >>> [each["about"] for each in antdoku.list_solvers() if each["name"] == "acs"]
    ['Ant Colony System with best-value evaporation.']
    """
    return [describe(name) for name in names()]


def describe(name: str) -> dict:
    """Describe one solver, as `list_solvers` does all."""
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
        "orders": list(orders(name)),
        "solves": list(solves(name)),
        "always_ends": always_ends(name),
        "params": {each["name"]: each["default"] for each in declared},
        "parameters": declared,
        "source": " ".join(reference[1].split()) if reference else "",
    }


def make_params(solver: str, given: dict, others: tuple[str, ...] = ()):
    """Make the `Params` of `solver` from names and values (text is converted to the field's type).

    It is an `InputError` if the solver or a name is unknown, or a value is refused; `others` are
    names that may be meant, too.
    """
    types = {each.name: each.type for each in attrs.fields(get(solver).Params)}
    for name in given:
        if name not in types:
            known = unknown("parameter", name, types if name in others else [*types, *others])
            raise InputError(f"solver {short_name(solver)}: {known}")
    try:
        return get(solver).Params(**{name: _read(types[name], given[name]) for name in given})
    except InputError as error:
        raise InputError(f"solver {short_name(solver)}: {error}") from None


def _read(kind, value):
    """Return text or a number of NumPy as one of Python, if it is one; `Params` judges the rest."""
    value = value.item() if isinstance(value, np.generic) else value
    if kind is int and isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return kind(value)
    return value
