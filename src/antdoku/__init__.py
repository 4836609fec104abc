"""Published experiments on solving Sudoku by stochastic search, reproduced and checked.

The functions of `antdoku.api` are here by name:

    puzzle, = antdoku.read("named:platinumblond")
    print(antdoku.solve(puzzle, "acs", seed=1, timeout=5))
"""

__version__ = "0.5.0.dev0"
__all__ = [
    "InputError",
    "Puzzle",
    "check",
    "check_all",
    "compare",
    "count",
    "count_all",
    "frame",
    "generate",
    "list_solvers",
    "plot",
    "read",
    "read_grids",
    "solve",
    "solve_all",
    "solve_grids",
    "summary",
    "watch",
    "write",
]


TYPE_CHECKING = False  # as in `typing`, which is not loaded for it
if TYPE_CHECKING:
    from antdoku.api import *
else:

    def __getattr__(name):
        # Loaded when it is first used (PEP 562): `import antdoku` costs nothing.
        from importlib import import_module

        if name in ("figures", "solver"):
            return import_module(f"antdoku.{name}")
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("antdoku.api"), name)


def __dir__():
    return [*__all__, "__version__", "figures", "solver"]
