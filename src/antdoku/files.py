"""Files: the sources that a result depends on, and how a file is written.

Neither Snakemake nor a journal of runs nor Numba sees that an imported module was edited. So rules
have a `fingerprint` of the sources among their parameters, runs carry a hash of them, and machine
code is kept under one.
"""

import ast
import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from antdoku.errors import InputError, one_line

if TYPE_CHECKING:
    import pandas as pd

PACKAGE = Path(__file__).parent
# No result depends on these: the version and names for users; how results and puzzles are shown.
LEFT_OUT = {PACKAGE / name for name in ("__init__.py", "answers.py", "puzzle/drawing.py")}
PACKED = (".txt", ".csv", ".json", ".jsonl")  # files of puzzles that gzip may pack
ENDINGS = (*PACKED, ".parquet", *(f"{name}.gz" for name in PACKED))
WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def sources(*modules: str | Path) -> list[Path]:
    """Return the files of modules, and of all modules of the package that they import, sorted.

    Modules are names below the package (``tables``, ``solvers.acs``), or files. The files in
    `LEFT_OUT` are left out, with their imports.
    """
    files, waiting = set(), [_file(module) for module in modules]
    while waiting:
        file = waiting.pop()
        if file not in files and file not in LEFT_OUT:
            files.add(file)
            waiting += _imports(file, file.stat().st_mtime_ns)
    return sorted(files)


@cache
def fingerprint(*modules: str | Path) -> str:
    """Hash the code of the files that `sources` returns, as it was when first read.

    It takes the place of thirty inputs of a rule: whenever a job ends, Snakemake looks at every
    input of every job that is ready, which for many jobs takes longer than the jobs.
    """
    return hashlib.sha256(b"".join(map(_code_when_first_read, sources(*modules)))).hexdigest()[:12]


@cache
def _code_when_first_read(file) -> bytes:
    """Read a file once: a process goes on with the code that it has imported, too."""
    return code(file)


def code(file: Path) -> bytes:
    """Return the code of a Python file without comments, docstrings and layout."""
    return _parse(file, file.stat().st_mtime_ns)[1]


def _imports(file, changed_ns):
    """Return the files of the package that a file imports, and the ones beside a user's solver."""
    files = set()
    for name in _parse(file, changed_ns)[0]:
        package, *parts = name.split(".")
        if package == PACKAGE.name:  # a dotted name, and the packages above it
            files |= {_file(".".join(parts[: n + 1])) for n in range(len(parts))}
        if PACKAGE not in file.parents:  # a user's solver: files and packages beside it
            parts = name.lstrip(".").split(".")
            level = len(name) - len(name.lstrip("."))
            folders = file.parents[level - 1 : level] if level else (file.parent, import_root(file))
            for folder, number in product(folders, range(len(parts))):
                path = folder.joinpath(*parts[: number + 1])
                files |= {path.with_suffix(".py"), path / "__init__.py"}
    return filter(Path.exists, files)


def import_root(file: Path) -> Path:
    """Return the folder that holds a file, or the package to which the file belongs."""
    folder = file.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


@cache
def _parse(file, _changed_ns) -> tuple[set[str], bytes]:
    """Return the names that a file imports, and its code as `code` does."""
    names, tree = set(), ast.parse(file.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):  # a dot for each level of a relative import
            module = "." * node.level + (f"{node.module}." if node.module else "")
            names |= {f"{module}{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return names, ast.unparse(tree).encode()


def _file(module):
    if isinstance(module, Path):
        return module
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """Yield a temporary name to write to; the file gets its own name at the end, if it is complete.

    Another process may write the same file meanwhile: the last one to end wins.
    """
    temporary = Path(f"{path}.{os.getpid()}.unfinished")
    try:
        with naming(path):
            yield temporary
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Turn an `OSError`, of a full disk above all, into an `InputError` that names the file."""
    try:
        yield
    except OSError as error:
        own = Path(path).name  # with which the name of an unfinished file begins
        if error.filename is not None and not Path(str(error.filename)).name.startswith(own):
            raise
        reason = os.strerror(error.errno) if error.errno else one_line(str(error))
        raise InputError(f"cannot be written: {reason}", str(path)) from None


def check_output(path: str | Path, endings: Iterable[str], force: bool = True) -> None:
    """Raise `InputError` for a file that cannot be written, before anything is computed.

    Without `force` it must not be there yet.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"{type(path).__name__} in place of the path of a file to write")
    folder = Path(path).parent
    name = Path(path).name.lower()
    if name in endings or not name.endswith(tuple(endings)):
        raise InputError(f"{path or 'output'}: the name must end in {' or '.join(endings)}")
    if not folder.is_dir():
        raise InputError(f"{path}: there is no folder {folder}")
    if Path(path).is_dir() or not os.access(folder, os.W_OK):
        why = "is a folder" if Path(path).is_dir() else f"no permission to write in {folder}"
        raise InputError(f"{path}: cannot be written: {why}")
    if Path(path).exists() and not force:
        remedy = "name another, or overwrite it with --force (in Python force=True)"
        raise InputError(f"{path}: is there already: {remedy}")


def write_table(table: "pd.DataFrame", path: str | Path) -> None:
    """Write a table as CSV, lines of JSON or Parquet, by the ending, complete or not at all.

    Gzip packs files ``.csv.gz`` and ``.json.gz``.
    """
    name = str(path).lower()
    packing = {"method": "gzip", "mtime": 0} if name.endswith(".gz") else None
    name = name.removesuffix(".gz")
    with atomic_write(path) as file:
        if name.endswith(".csv"):
            table.to_csv(file, index=False, compression=packing)
        elif name.endswith((".json", ".jsonl")):
            table.to_json(file, orient="records", lines=True, compression=packing)
        else:
            table.to_parquet(file, index=False)
