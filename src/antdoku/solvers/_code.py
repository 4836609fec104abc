"""The code of a user's solver: its files, or the parts of a function in memory.

A run records a hash of this code. So a comparison sees that a solver has changed since older runs.
"""

import copyreg
import dis
import hashlib
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from numbers import Number
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from antdoku.errors import InputError
from antdoku.files import PACKAGE, code, sources

CONSTANTS = (type(None), str, Number, np.generic, range, slice, type(...))
DECLARED = ("KIND", "ORDERS", "SOLVES", "ALWAYS_ENDS")
# Of a class, from Python 3.13 on: its place, and what is filled in later.
OF_PLACE = ("__firstlineno__", "__static_attributes__", "__annotations_cache__")
INSTALLED = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}


def file_of(module: ModuleType) -> str | None:
    """Return the file of a user's solver, as a traceback names it, or None."""
    code = getattr(getattr(module, "solve", None), "__code__", None)
    return getattr(module, "__file__", None) or (code and code.co_filename)


class _Reader(NamedTuple):
    """The state of a reader of the parts of a solver."""

    home: str | None  # the module in which the solver is written
    seen: dict[int, tuple[int, object]]  # values by identity, with their numbers
    files: set[Path]  # of the user's other modules


def files_of(module: ModuleType) -> list[Path]:
    """Return the file of a user's solver, and the files beside it that this file imports.

    Of a function without a file (of a notebook) these are the files of the modules that it reads.
    """
    file = file_of(module)
    if file and os.path.exists(file):
        return own_files(Path(file))
    return sorted(_read(module.solve)[1])


def _read(solve):
    """Return a text of an object with all that it reads, see `_text`, and the files of modules."""
    reader = _Reader(_home(solve), {}, set())
    try:
        return _text(solve, reader), reader.files
    except RecursionError:
        text = "reads objects that are linked too deep to see whether they change"
        raise InputError(text, "solver", remedy="give the path of its file") from None


def own_files(file: Path) -> list[Path]:
    """Return a file and the files beside it that it imports; none if its syntax is wrong."""
    try:
        return [path for path in sources(file) if PACKAGE not in path.parents]
    except SyntaxError:
        return []


def times_of(files: Iterable[Path]) -> dict[Path, int]:
    """Return when files were last changed, in nanoseconds; 0 for a file that is gone."""
    return {file: file.stat().st_mtime_ns if file.exists() else 0 for file in files}


def specs_of(files: Iterable[Path]) -> dict[Path, object]:
    """Return the specification of the module that is imported from each file, or None."""
    loaded = {getattr(module, "__file__", None): module for module in [*sys.modules.values()]}
    return {file: getattr(loaded.get(str(file)), "__spec__", None) for file in files}


def code_of(module: ModuleType, is_object: bool) -> tuple[list[Path], bytes]:
    """Return the code of a user's solver: its files, and other bytes.

    The bytes are the contents of its `FILES`, and what an object in memory reads (`_text`): a file
    may hold several functions, and a notebook may set constants of a module.
    """
    file, text = file_of(module), b""
    if is_object or not file:
        declared = [str(getattr(module, name)) for name in DECLARED]
        text = f"{_read(module.solve)[0]} {declared}".encode()
    if not file or not os.path.exists(file):
        return [], text
    files = [Path(file).parent / name for name in module.FILES]
    for path in files:
        if not path.is_file():
            raise InputError(f"FILES: there is no file {path}", file)
    return [Path(file)], b"".join([*map(Path.read_bytes, files), text])


def _home(solve):
    """Return the name of the module in which a function, or the class of an object, is written."""
    while isinstance(solve, partial):
        solve = solve.func
    return getattr(solve, "__module__", None)


def globals_of(solve: object) -> dict[str, Any]:
    """Return the values of the module of a function, or of the class of an object."""
    return getattr(solve, "__globals__", None) or vars(sys.modules.get(_home(solve), object))


def _text(value, reader):
    """Return a text of a value with all that it reads: another value has another text.

    Functions and classes of the user count with their code, other objects with what pickle copies.
    Values that can change count, too, such as lists: no run changes them, as a user's solver runs
    in a process of its own.
    """
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, CONSTANTS):
        return repr(value)
    if id(value) in reader.seen:
        return f"#{reader.seen[id(value)][0]}"
    # The value lives as long as the reader, so that no other value gets its identity.
    reader.seen[id(value)] = len(reader.seen), value
    if isinstance(value, set | frozenset):  # each part as if it came first: they are in any order
        texts = (_text(part, reader._replace(seen={**reader.seen})) for part in value)
        return f"{type(value).__name__}({', '.join(sorted(texts))})"
    return f"({', '.join(_text(part, reader) for part in _parts(value, reader))})"


def _parts(value, reader):
    """Return the parts of a value, and texts that tell it from a value of other parts."""
    value = getattr(value, "py_func", value)  # of a kernel
    if not isinstance(value, FunctionType):
        value = getattr(value, "__wrapped__", value)  # of a cache, or of a static method
    if type(value) in (list, tuple):
        return [type(value).__name__, *value]
    if type(value) is dict:
        return ["dict", *chain.from_iterable(value.items())]
    if isinstance(value, property):
        return ["property", value.fget]
    is_beside = getattr(value, "__module__", None) == reader.home
    if isinstance(value, FunctionType) and is_beside:
        imported = [_code_of(name, reader) for name in _imports_inside(value)]
        defaults = value.__defaults__, value.__kwdefaults__
        return [_plain(value.__code__), *defaults, *_captured(value), *_globals(value), *imported]
    if isinstance(value, type) and is_beside:
        held = [item for item in vars(value).items() if item[0] not in OF_PLACE]
        return [value.__qualname__, *value.__bases__, *chain.from_iterable(held)]
    if isinstance(value, FunctionType | type | ModuleType):
        name = value.__name__ if isinstance(value, ModuleType) else value.__module__
        return [name, getattr(value, "__qualname__", ""), _code_of(name, reader)]
    return [type(value), *_copied(value)]


def _copied(value):
    """Return what `pickle` copies of an object; its attributes if it cannot."""
    reduce = copyreg.dispatch_table.get(type(value))
    try:
        parts = reduce(value) if reduce else value.__reduce_ex__(4)
    except Exception:  # attributes may lack a value; a lock or an open file has no copy
        parts = (object.__getstate__(value),)
    if isinstance(parts, str):
        return [parts]
    return [[*part] if isinstance(part, Iterator) else part for part in parts]


def _code_of(name, reader):
    """Return the code of a module of the user, and of all that it imports; empty for another one.

    To a package belong all files in its folder, whether they are imported yet or not.
    """
    file = Path(_file_of_module(name) or os.devnull).resolve()
    if file.suffix != ".py" or not (INSTALLED | {PACKAGE}).isdisjoint(file.parents):
        return ""
    files = {*own_files(file), file}
    if file.name == "__init__.py":
        files.update(file.parent.rglob("*.py"))
    reader.files.update(files)
    return "".join(map(_code_or_text, sorted(files)))


def _file_of_module(name):
    """Return the file of a module, which may be imported later; None for one without a file."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__file__", None)
    try:
        return importlib.util.find_spec(name).origin
    except Exception:  # there is none, or no name, or its package fails
        return None


def _code_or_text(file):
    try:
        return code(file).decode()
    except SyntaxError:  # it was edited after its import
        return file.read_text("utf-8", "replace")


def _imports_inside(function):
    """Return the names of the modules that a function imports when it runs."""
    steps = _steps(function.__code__)
    return sorted({step.argval for step in steps if step.opname == "IMPORT_NAME"})


def _captured(function):
    """Return the values that a function captures from the functions around it."""
    return [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]


def _globals(function):
    """Return the values of its module that a function reads."""
    steps = _steps(function.__code__)
    read = {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    names = sorted(read & function.__globals__.keys())
    return [function.__globals__[name] for name in names]


def _steps(code):
    """Yield the instructions of code, and of the functions inside."""
    yield from dis.get_instructions(code)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _steps(part)


def _plain(code):
    """Return the instructions, names and constants of code, without its file and lines."""
    parts = " ".join(map(_constant, code.co_consts))
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {parts}"


def _constant(value):
    if isinstance(value, CodeType):
        return _plain(value)
    return repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)  # in any order
