"""Which files a result depends on, found by following imports.

Neither Snakemake nor a journal of runs nor Numba sees that an imported module was edited: rules
have a `fingerprint` of these files among their parameters, runs carry a hash of them, and machine
code is kept under one.
"""

import ast
import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent


def sources(*modules: str | Path) -> list[str]:
    """Files of the modules and of all modules of the package that they import, directly or not.

    Modules are names below the package (``tables``, ``solvers.acs``), or files. Not among what is
    found is the package's own ``__init__.py``, which holds the version and names for users.
    """
    return list(map(os.path.relpath, _followed(modules)))


@cache
def fingerprint(*modules: str | Path) -> str:
    """Hash of the contents of the files that `sources` finds, as they were when first read.

    One parameter instead of thirty inputs: Snakemake looks at every input of every job that is
    ready whenever a job ends, which for thousands of jobs takes longer than the jobs.
    """
    digest = hashlib.sha256()
    for file in _followed(modules):
        digest.update(_content(file))
    return digest.hexdigest()[:12]


def _followed(modules) -> list[Path]:
    found, waiting = set(), [_file(module) for module in modules]
    while waiting:
        file = waiting.pop()
        if file not in found and file != PACKAGE / "__init__.py":
            found.add(file)
            waiting += _imports(file)
    return sorted(found)


@cache
def _content(file) -> bytes:
    """What a file holds, read once: a process goes on with what it has imported, too."""
    return file.read_bytes()


@cache
def _imports(file) -> frozenset:
    """Files of the package that one of its files imports."""
    names = set()
    for node in ast.walk(ast.parse(_content(file))):
        if isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    beside = (file.parent / f"{name.partition('.')[0]}.py" for name in names - {None})
    own = () if PACKAGE in file.parents else (path for path in beside if path.exists())
    return frozenset([*_files(names - {None}), *own])


def _files(names) -> Iterator[Path]:
    """Files of those dotted names that are modules of the package, and of the packages above."""
    for name in names:
        package, *parts = name.split(".")
        if package == PACKAGE.name:
            steps = [".".join(parts[: n + 1]) for n in range(len(parts))]
            yield from (file for step in steps if (file := _file(step)).exists())


def _file(module):
    if isinstance(module, Path):
        return module
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
