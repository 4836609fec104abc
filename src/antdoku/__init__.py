"""Published experiments on solving Sudoku by stochastic search, reproduced and checked.

The functions of `antdoku.api` are here by name:

    puzzle, = antdoku.read("named:platinumblond")
    print(antdoku.solve(puzzle, "acs", seed=1, timeout=5))
"""

__version__ = "0.4.1"
__all__ = [
    "InputError",
    "Puzzle",
    "check",
    "compare",
    "count",
    "generate",
    "list_solvers",
    "plot",
    "read",
    "solve",
    "solve_all",
    "solve_grids",
    "summary",
    "watch",
    "write",
]


def _choose_cache():
    """Let machine code be kept in a temporary folder where the usual one cannot be written."""
    import os
    import sys

    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    cache = os.environ.get("NUMBA_CACHE_DIR") or os.path.join(home, "antdoku")
    try:
        os.makedirs(cache, exist_ok=True)
        is_ready = os.access(cache, os.W_OK)
    except OSError:
        is_ready = False
    if not is_ready:
        from tempfile import gettempdir

        folder = os.path.join(gettempdir(), f"antdoku-{os.getuid()}")
        os.makedirs(folder, 0o700, exist_ok=True)
        os.environ |= {"XDG_CACHE_HOME": folder, "NUMBA_CACHE_DIR": ""}
        text = f"{cache} cannot be written: machine code is kept in {folder}"
        print(f"antdoku: warning: {text}", file=sys.stderr)


_choose_cache()

TYPE_CHECKING = False  # as in `typing`, which is not loaded for it
if TYPE_CHECKING:
    from antdoku.api import (
        InputError,
        Puzzle,
        check,
        compare,
        count,
        generate,
        list_solvers,
        plot,
        read,
        solve,
        solve_all,
        solve_grids,
        summary,
        watch,
        write,
    )
else:

    def __getattr__(name):
        # Loaded when it is first used (PEP 562): `import antdoku` costs nothing.
        from importlib import import_module

        if name == "solver":
            return import_module("antdoku.solver")
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("antdoku.api"), name)


def __dir__():
    return __all__
