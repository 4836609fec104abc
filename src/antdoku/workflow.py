"""What the Snakefile and its scripts need beside the computing: messages, and dependencies on code.

Snakemake does not see that an imported module was edited. So every rule names the files of the
package that its result depends on among its inputs; here they are found by following imports.
"""

import ast
import faulthandler
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from antdoku.errors import InputError

PACKAGE = Path(__file__).parent


@contextmanager
def one_line_errors():
    """Turn an `InputError` into one line on standard error and exit status 2."""
    try:
        yield
    except InputError as error:
        print(f"antdoku: error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


@contextmanager
def logged(log):
    """Send all that a script prints to the file `log`, bad input as one line."""
    # Not closed here: a traceback is printed when the script is left.
    sys.stdout = sys.stderr = open(log, "w", buffering=1)
    faulthandler.enable(sys.stderr)  # a crash of compiled code leaves a trace, too
    with one_line_errors():
        yield


def sources(*modules: str, without: tuple[str, ...] = ()) -> list[str]:
    """Files of the modules and of all modules of the package that they import, directly or not.

    Parameters
    ----------
    modules : str
        Names below the package: ``tables``, ``solvers.acs``.
    without : tuple of str
        Modules that are left out, with what they alone import.

    Returns
    -------
    list of str
        Paths relative to the working directory, sorted. The package's own ``__init__.py``, which
        only holds the version, is not among them.
    """
    left_out = {PACKAGE / "__init__.py", *map(_file, without)}
    found, waiting = set(), [_file(module) for module in modules]
    while waiting:
        file = waiting.pop()
        if file not in found | left_out:
            found.add(file)
            waiting += _imports(file)
    return sorted(map(os.path.relpath, found))


@cache
def _imports(file) -> frozenset:
    """Files of the package that one of its files imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return frozenset(_files(names))


def _files(names) -> Iterator[Path]:
    """Files of those dotted names that are modules of the package, and of the packages above."""
    for name in names:
        package, *parts = name.split(".")
        if package == PACKAGE.name:
            steps = [".".join(parts[: n + 1]) for n in range(len(parts))]
            yield from (file for step in steps if (file := _file(step)).exists())


def _file(module):
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
