"""The code of a user's solver: its files, or the parts of a function in memory.

A run records a hash of this code. So a comparison sees that a solver has changed since older runs.
"""

import copyreg
import dis
import importlib.util
import os
import sys
import sysconfig
from argparse import Namespace
from collections.abc import Hashable, Iterable, Iterator
from functools import partial
from itertools import chain
from numbers import Number
from operator import attrgetter, itemgetter, methodcaller
from pathlib import Path
from types import (
    CellType,
    CodeType,
    FunctionType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any, NamedTuple

import numpy as np

from antdoku.errors import InputError
from antdoku.files import PACKAGE, code, sources

CONSTANTS = (type(None), bool, int, float, complex, str, bytes, Number, np.generic, range, slice)
DECLARED = ("KIND", "ORDERS", "SOLVES", "ALWAYS_ENDS")
OF_PLACE = ("__firstlineno__", "__static_attributes__")  # of a class, from Python 3.13 on
GETTERS = (attrgetter, itemgetter, methodcaller)
INSTALLED = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}


def file_of(module: ModuleType) -> str | None:
    """Return the file of a user's solver, as a traceback names it, or None."""
    code = getattr(getattr(module, "solve", None), "__code__", None)
    return getattr(module, "__file__", None) or (code and code.co_filename)


class _Reader(NamedTuple):
    """The state of a reader of the parts of a solver."""

    home: str | None  # the module in which the solver is written
    seen: dict[int, object]  # values by their numbers
    files: set[Path]  # of the user's other modules
    written: set[str]  # attributes that the solver sets, which are no part of it


def files_of(module: ModuleType) -> list[Path]:
    """Return the file of a user's solver, and the files beside it that this file imports.

    Of a function without a file (of a notebook) these are the files of the modules that it reads.
    """
    file = file_of(module)
    if file and os.path.exists(file):
        return own_files(Path(file))
    return sorted(_parts(module.solve)[1])


def _parts(solve):
    """Return a text of the parts of an object, see `_text`, and the files that it reads."""
    reader = _Reader(_home(solve), {}, set(), _written("STORE_ATTR", *_functions_of(solve)))
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

    The bytes are the contents of its `FILES`, and the parts (`_text`) of an object in memory: a
    file may hold several functions, and a notebook may set constants of a module.
    """
    file, text = file_of(module), b""
    if is_object or not file:
        declared = [str(getattr(module, name)) for name in DECLARED]
        text = f"{_parts(module.solve)[0]} {declared}".encode()
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
    """Return a text of the parts of a value: it changes if the code of a function changes.

    Parts are the code of functions and classes in the module of the solver and in the user's other
    modules, with all that these import, the values that functions capture, constants and other
    values that cannot change, and the attributes of namespaces and of objects of the user's
    classes. Lists, dictionaries, sets and arrays change while a solver runs: of them count the
    types, and the functions in lists and dictionaries. Global values and attributes that functions
    and methods set do not count.
    """
    if isinstance(value, CONSTANTS):
        return repr(value)
    if id(value) in reader.seen:
        return ""
    reader.seen[id(value)] = value  # which lives as long, so that no other value gets this number

    def texts(values):
        return ", ".join(_text(part, reader) for part in values)

    value = getattr(value, "py_func", value)  # of a kernel
    if not isinstance(value, FunctionType):
        value = getattr(value, "__wrapped__", value)  # of a cache
    if isinstance(value, tuple):
        return f"({texts([type(value), *value])})"
    if isinstance(value, list | dict):
        return f"[{texts([type(value), *_functions_in(value, {})])}]"
    if isinstance(value, frozenset) and all(isinstance(part, CONSTANTS) for part in value):
        return f"{{{', '.join(sorted(map(repr, value)))}}}"
    if isinstance(value, frozenset):  # each part as if it came first: they are in any order
        first = (reader._replace(seen={**reader.seen}) for _ in value)
        return f"{{{', '.join(sorted(map(_text, value, first)))}}}"
    if isinstance(value, SimpleNamespace | Namespace):
        items = (item for item in sorted(vars(value).items()) if item[0] not in reader.written)
        return f"{type(value).__name__}({texts(chain(*items))})"
    if isinstance(value, staticmethod | classmethod):
        return texts([value.__func__])
    if isinstance(value, property):
        return texts([value.fget])
    if isinstance(value, partial):
        return f"partial({texts([value.func, value.args, *value.keywords.items()])})"
    if isinstance(value, MethodType):
        return texts([value.__func__, value.__self__])
    is_beside = getattr(value, "__module__", None) == reader.home
    if isinstance(value, FunctionType) and is_beside:
        keywords = tuple((value.__kwdefaults__ or {}).items())
        parts = value.__defaults__, keywords, *_captured(value), *_read_globals(value)
        imported = "".join(_code_of(name, reader) for name in _imports_inside(value))
        return f"{_plain(value.__code__)}({texts(parts)}){imported}"
    if isinstance(value, type) and is_beside:
        held = [part for name, part in vars(value).items() if name not in OF_PLACE]
        return f"{value.__qualname__}({texts([*value.__bases__, *held])})"
    if type(value).__module__ == reader.home or _code_of_own_module(type(value), reader):
        return f"{texts([type(value)])}({texts(_kept_attributes(value, reader.written))})"
    if parts := _parts_of_value(value):
        return f"{texts([type(value)])}({texts(parts)})"
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", type(value).__name__)
    return f"{getattr(value, '__module__', '')}.{name}{_code_of_own_module(value, reader)}"


def _functions_in(container, seen) -> Iterator:
    """Yield the functions and classes in a list, a dictionary or a tuple, however deep."""
    seen[id(container)] = container
    for part in container.values() if isinstance(container, dict) else container:
        if callable(part):
            yield part
        elif isinstance(part, list | dict | tuple) and id(part) not in seen:
            yield from _functions_in(part, seen)


def _parts_of_value(value):
    """Return the parts of a value that cannot change, such as a date; none of other objects."""
    is_value = isinstance(value, Hashable) and type(value).__eq__ is not object.__eq__
    if hasattr(value, "__qualname__") or not (is_value or isinstance(value, GETTERS)):
        return []
    try:
        reduce = copyreg.dispatch_table.get(type(value))
        _, arguments, *rest = reduce(value) if reduce else value.__reduce_ex__(2)
    except Exception:  # it cannot be copied, or its copy is itself
        return []
    states = rest[0] if rest and isinstance(rest[0], tuple) else rest[:1]
    states = (sorted(state.items()) if isinstance(state, dict) else [state] for state in states)
    return [arguments, *chain.from_iterable(states)]


def _code_of_own_module(value, reader):
    """Return the code of the module in which a value is defined, unless that is installed."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return _code_of(name, reader)


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
    """Return the values that a function captures from the functions around it and does not set."""
    written = _written("STORE_DEREF", function)
    pairs = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    pairs = (pair for pair in pairs if pair[0] not in written)
    return [cell.cell_contents for _, cell in pairs if cell != CellType()]  # which is empty


def _read_globals(function):
    """Return the values of its module that a function reads and does not set."""
    read = {
        step.argval
        for step in _steps(function.__code__)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    names = (read - _written("STORE_GLOBAL", function)) & function.__globals__.keys()
    return [function.__globals__[name] for name in sorted(names)]


def _kept_attributes(value, written):
    """Return the attributes of an object that are set by `__init__` alone.

    Attributes that other methods set are left out, and those that the solver sets (`written`).
    """
    written = written | _written("STORE_ATTR", *_functions_of(value))
    members = chain.from_iterable(vars(kind).items() for kind in type(value).__mro__)
    slots = [name for name, part in members if isinstance(part, MemberDescriptorType)]
    attributes = {name: getattr(value, name, None) for name in slots}
    attributes |= getattr(value, "__dict__", {})
    return [attributes[name] for name in sorted(attributes.keys() - written)]


def _functions_of(value):
    """Return a function, or the methods of the class of a method or an object, but `__init__`."""
    value = getattr(value, "py_func", value)
    if isinstance(value, FunctionType):
        return [value]
    methods = vars(type(getattr(value, "__self__", value)))
    parts = [part for name, part in methods.items() if name != "__init__"]
    return [part for part in parts if isinstance(part, FunctionType)]


def _written(operation, *functions):
    """Return the names to which functions assign by an operation of Python's byte code."""
    steps = chain.from_iterable(_steps(function.__code__) for function in functions)
    return {step.argval for step in steps if step.opname == operation}


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
