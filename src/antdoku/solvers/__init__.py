"""The solvers: one file each. This folder's listing is the registry.

A solver file holds ``TITLE`` (its label in tables and figures), ``KIND`` (``exact`` or
``stochastic``), a class ``Params`` of declared parameters (see `_parameters`), and
``solve(puzzle, params, rng, budget) -> Outcome``. Nothing else has to be told that it exists.

What it does not promise it declares: ``ORDERS``, a range, if it does not take puzzles of all orders
(the tests then ask for no others); ``SOLVES``, a range, if it solves easy puzzles of fewer orders
than it takes; ``COMPLETE = False`` if hard puzzles may keep it busy for ever, where others find the
solution, or an exact one the proof that there is none. `KIND` says what an answer means, `COMPLETE`
whether one comes. No solver may answer wrongly, exceed its limits or depend on how it is sliced.
"""

import contextlib
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from antdoku.errors import InputError, unknown
from antdoku.puzzle.grid import ORDERS
from antdoku.solvers._parameters import described

_NUMBERS = {"int": int, "float": float}


@cache
def names() -> tuple[str, ...]:
    """Names of all solvers, in alphabetical order."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return tuple(sorted(file.stem for file in files))


def get(name: str) -> ModuleType:
    """Import the solver called `name`.

    Raises
    ------
    InputError
        If there is none; the message lists those there are.
    """
    if name not in names():
        raise InputError(unknown("solver", name, names()))
    return import_module(f"{__name__}.{name}")


def orders(name: str) -> range:
    """Orders of the puzzles that the solver called `name` takes."""
    return getattr(get(name), "ORDERS", ORDERS)


def solves(name: str) -> range:
    """Orders of which the solver called `name` promises to solve easy puzzles."""
    return getattr(get(name), "SOLVES", orders(name))


def is_complete(name: str) -> bool:
    """Whether the solver called `name` promises to come to an end with hard puzzles, too."""
    return getattr(get(name), "COMPLETE", True)


def check_order(name: str, order: int) -> None:
    """Raise `InputError` if the solver called `name` takes no puzzles of an order."""
    known = orders(name)
    if order not in known:
        others = [each["name"] for each in catalogue() if order in each.get("orders", ())]
        raise InputError(
            f"solver {name}: order {order}: must be from {known[0]} to {known[-1]}; solvers of "
            f"order {order} are {', '.join(others)}"
        )


def parameters(name: str) -> list[dict]:
    """What the solver called `name` declares about its parameters.

    Returns
    -------
    list of dict
        Of each parameter: ``name``, ``type`` (``int``, ``float`` or ``str``), ``default``, ``doc``,
        and either ``range`` (least and most) or ``words`` (each with its meaning).
    """
    return described(get(name).Params)


def catalogue() -> list[dict]:
    """Describe all solvers; ``antdoku.solvers()`` is short for it.

    Returns
    -------
    list of dict
        Of each solver: ``name``, ``title``, ``kind``, ``orders``, ``solves`` and ``complete``
        (see `solves` and `is_complete`), ``params`` (defaults by name), ``parameters`` (see
        `parameters`) and ``source``; or ``name`` and ``missing``: why it cannot be used.
    """
    return [_entry(name) for name in names()]


def _entry(name):
    try:
        module = get(name)
    except InputError as error:
        return {"name": name, "missing": str(error)}
    declared = parameters(name)
    reference = re.search(
        r"^References?: (.+?)(?:\n\n|\Z)", module.__doc__, re.DOTALL | re.MULTILINE
    )
    return {
        "name": name,
        "title": module.TITLE,
        "kind": module.KIND,
        "orders": list(orders(name)),
        "solves": list(solves(name)),
        "complete": is_complete(name),
        "params": {each["name"]: each["default"] for each in declared},
        "parameters": declared,
        "source": " ".join(reference[1].split()) if reference else "",
    }


def make_params(solver: str, given: dict):
    """Make the `Params` of `solver` from names and values (text is converted to the field's type).

    Raises
    ------
    InputError
        For an unknown solver or parameter, or a value that the solver refuses.
    """
    types = {parameter["name"]: parameter["type"] for parameter in parameters(solver)}
    for name in given:
        if name not in types:
            raise InputError(f"solver {solver}: {unknown('parameter', name, types)}")
    values = {name: _from_text(types[name], value) for name, value in given.items()}
    try:
        return get(solver).Params(**values)
    except InputError as error:
        raise InputError(f"solver {solver}: {error}") from None


def _from_text(kind, value):
    """Text from the command line as a number, if it is one; `Params` judges the rest."""
    if isinstance(value, str) and kind in _NUMBERS:
        with contextlib.suppress(ValueError):
            return _NUMBERS[kind](value)
    return value


class _Registry(ModuleType):
    """This package, when it is called: `antdoku.solvers()` lists what `antdoku.solvers` holds."""

    def __call__(self) -> list[dict]:
        return catalogue()


sys.modules[__name__].__class__ = _Registry
