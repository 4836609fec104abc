"""The solvers: one file each. This folder's listing is the registry.

A solver file holds ``TITLE`` (its label in tables and figures), ``KIND`` (``exact`` or
``stochastic``), a frozen dataclass ``Params`` that refuses nonsense, and
``solve(puzzle, params, rng, budget) -> Outcome``. Nothing else has to be told that it exists.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from antdoku.errors import InputError, unknown


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
