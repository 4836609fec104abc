"""The code of a user's solver: its files, or the parts of a function in memory.

A run records a hash of this code. So a comparison sees that a solver has changed since older runs.
"""

import copyreg
import dis
import hashlib
import importlib.util
import os
import re
import sys
import sysconfig
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, MutableMapping, MutableSequence
from functools import cache, partial
from inspect import CO_COROUTINE, CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from itertools import chain
from numbers import Number
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple

import numpy as np

from antdoku.errors import InputError
from antdoku.files import PACKAGE, code, sources

CONSTANTS = (type(None), str, bytes, Number, np.generic, range, slice, type(...))
OF_CONSTANTS = {"builtins", "numpy", "decimal", "fractions"}
WRAPPERS = (staticmethod, classmethod, type(cache(len)))
ROUNDS = 10  # at most; in each one a value learns of parts that lie one level deeper
DECLARED = ("KIND", "ORDERS", "SOLVES", "ALWAYS_ENDS")
LATER = {  # attributes of a class that Python fills in later, or that tell its place
    *("__slotnames__", "__annotations__", "__annotations_cache__"),
    *("__firstlineno__", "__static_attributes__"),
}
STARTED_NS = time.time_ns()
_times: dict[Path, int] = {}  # when the files of functions had changed, as they were first read
JUMPS = {*dis.hasjrel, *dis.hasjabs}
AROUND = ("PUSH_NULL", "EXTENDED_ARG")  # instructions that only prepare another one
OF_CALL = re.compile(r"NULL(?:\|self)? \+ | \+ NULL(?:\|self)?")
INSTALLED = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}


def file_of(module: ModuleType) -> str | None:
    """Return the file of a user's solver, as a traceback names it, or None."""
    code = getattr(getattr(module, "solve", None), "__code__", None)
    return getattr(module, "__file__", None) or (code and code.co_filename)


class _Reader(NamedTuple):
    """The state of a reader of a solver in memory."""

    home: str | None  # the module in which the solver is written
    names: set[str]  # of the user's other modules that it reads
    codes: list[CodeType]  # of the functions that it reads


def own_files(file: Path) -> list[Path]:
    """Return a file and the files beside it that it imports; none if its syntax is wrong."""
    try:
        return [path for path in sources(file) if PACKAGE not in path.parents]
    except SyntaxError:
        return []


def times_of(files: Iterable[Path]) -> dict[Path, int]:
    """Return when files were last changed, in nanoseconds; 0 for a file that is gone."""
    return {file: file.stat().st_mtime_ns if file.exists() else 0 for file in files}


def code_of(module: ModuleType, is_path: bool, is_object: bool) -> tuple[list[Path], bytes]:
    """Return the code of a user's solver: its file, and other bytes.

    The bytes are the contents of its `FILES`, and all that a solver reads which is not given by its
    path: a notebook may set constants of a module, and a module in memory may be older than its
    file. The file of an object in memory is left out: a script may hold more than the solver.
    """
    file, text = file_of(module), b""
    if not is_path:
        declared = [str(getattr(module, name)) for name in DECLARED]
        text = f"{_text(module.solve, _reader_of(module))} {declared}".encode()
    has_file = bool(file) and os.path.exists(file)
    folder = Path(file).parent if has_file else Path()  # a cell of a notebook has no file
    files = [folder / name for name in module.FILES]
    for path in files:
        if not path.is_file():
            place = file if has_file else module.__name__
            raise InputError(f"FILES: there is no file {path}", place)
    contents = b"".join([*map(Path.read_bytes, files), text])
    return [Path(file)] if has_file and not is_object else [], contents


def refuse_old(module: ModuleType) -> None:
    """Refuse a solver that reads a function which is older than its file.

    What runs would not be what the file says. Functions of a file that this session did not edit
    may differ from it: an import hook may have changed them.
    """
    reader = _reader_of(module)
    _graph(module.solve, reader)
    for part in reader.codes:
        file = Path(part.co_filename)
        changed_ns = times_of([file])[file]
        is_edited = changed_ns > STARTED_NS or changed_ns != _times.setdefault(file, changed_ns)
        if is_edited and _plain(part) not in _codes_in(file, changed_ns):
            remedy = "reload it, and then what imports it (importlib.reload)"
            raise InputError("has changed since it was imported", str(file), remedy=remedy)


@cache
def _codes_in(file, _changed_ns):
    """Return the plain code of all functions in a file; none if its syntax is wrong."""
    try:
        return {*map(_plain, _inner_codes(compile(file.read_bytes(), str(file), "exec")))}
    except (SyntaxError, ValueError):
        return set()


def _reader_of(module):
    return _Reader(_home(module.solve), set(), [])


def _home(solve):
    """Return the name of the module in which a function, or the class of an object, is written."""
    while isinstance(solve, partial):
        solve = solve.func
    return getattr(solve, "__module__", None)


def globals_of(solve: object) -> dict[str, Any]:
    """Return the values of the module of a function, or of the class of an object."""
    return getattr(solve, "__globals__", None) or vars(sys.modules.get(_home(solve), object))


def _text(solve, reader):
    """Return a hash of a solver with all that it reads, as a text.

    Functions and classes of the user count with their code, other objects with what pickle copies.
    Values that can change count, too, such as lists: no run changes them, as a user's solver runs
    in a process of its own.

    Values may read each other. So each begins with the hash of its own texts, and then gets the
    hash of this one and of the hashes of its parts (sorted for a set), until no more values differ.
    """
    texts, parts, are_sets = _graph(solve, reader)
    hashes = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) for text in texts]
    n_different = 0
    for _ in range(ROUNDS):
        if n_different == (n_different := len({*hashes})):
            break
        below = ([hashes[number] for number in numbers] for numbers in parts)
        below = (sorted(part) if is_set else part for part, is_set in zip(below, are_sets))
        # Python salts the hashes of texts, but not of whole numbers.
        hashes = [hash((before, *part)) for before, part in zip(hashes, below)]
    return hashlib.sha256(repr((hashes[0], sorted(hashes))).encode()).hexdigest()


def _graph(solve, reader):
    """Return the values that a solver reads, itself first: their texts, parts, and if it is a set.

    The parts of a value are the numbers of other values; its text holds its constants.
    """
    values, numbers = [solve], {id(solve): 0}
    texts, parts = [], []
    for value in values:  # which grow
        constants, members = [], []
        for part in _parts(value, reader):
            if _is_constant(part):
                constants.append(_text_of_constant(part))
                continue
            members.append(numbers.setdefault(id(part), len(values)))
            constants.append("#")
            if members[-1] == len(values):
                values.append(part)
        texts.append(" ".join(sorted(constants) if _is_set(value) else constants))
        parts.append(members)
    return texts, parts, [*map(_is_set, values)]


def _is_set(value):
    return isinstance(value, set | frozenset)


def _is_constant(value):
    """Whether a value is a number, a text or the like, and of no class of the user."""
    return isinstance(value, CONSTANTS) and type(value).__module__ in OF_CONSTANTS


def _text_of_constant(value):
    return hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else repr(value)


def _parts(value, reader):
    """Return the parts of a value, and texts that tell it from a value of other parts."""
    if str(type(value).__module__).startswith("numba."):
        value = _of_numba(value)
    if isinstance(value, WRAPPERS):
        value = value.__wrapped__
    if _is_constant(value):
        return [value]
    if type(value) in (list, tuple, set, frozenset):
        return [type(value).__name__, *value]
    if type(value) in (dict, MappingProxyType):
        return ["dict", *chain.from_iterable(value.items())]
    if isinstance(value, property):
        return ["property", value.fget, value.fset, value.fdel]
    if isinstance(value, FunctionType | type | ModuleType):
        return _parts_of_code(value, reader)
    is_method = isinstance(value, MethodType | BuiltinFunctionType)
    if is_method and (name := _name_in_module(value, reader.home)):
        return [name]
    return [type(value), *_copied(value)]


def _of_numba(value):
    """Return the function of a kernel, or a container of Numba as one of Python."""
    if isinstance(value, MutableMapping):
        return dict(value)
    if isinstance(value, MutableSequence):
        return list(value)
    return getattr(value, "py_func", value)


def _name_in_module(method, home):
    """Return the name of a method that an installed module offers, such as random.shuffle."""
    name = method.__name__
    for module in (method.__module__, type(method.__self__).__module__):
        is_installed = module != home and not _own_file(module)
        if is_installed and getattr(sys.modules.get(module), name, None) == method:
            return f"{module}.{name}"
    return None


def _parts_of_code(value, reader):
    """Return the parts of a function, a class or a module; its name if it is installed."""
    is_module = isinstance(value, ModuleType)
    name = vars(value).get("__name__") if is_module else value.__module__
    if isinstance(value, FunctionType):  # a decorator may have given it another `__module__`
        name = value.__globals__.get("__name__")
    file_text = "" if name == reader.home else _code_of(name, reader)
    parts = [name, getattr(value, "__qualname__", ""), file_text]
    is_own = name == reader.home or name in reader.names
    if not is_own and isinstance(value, FunctionType) and _wraps_own(value, reader.home):
        return [*parts, value.__dict__, *_captured(value)]
    if not is_own or (isinstance(value, FunctionType) and _is_generated(value)):
        return parts
    if isinstance(value, FunctionType):
        reader.codes.append(value.__code__)
        imported = [_imported(module, reader) for module in _imports_inside(value)]
        read = _with_attributes([*_globals(value), *imported], value.__code__)
        defaults = value.__defaults__, value.__kwdefaults__, value.__dict__
        return [*parts, _plain(value.__code__), *defaults, *_captured(value), *read]
    if is_module:
        return parts
    held = [item for item in vars(value).items() if item[0] not in LATER]
    return [*parts, type(value), *value.__bases__, *chain.from_iterable(held)]


def _wraps_own(function, home):
    """Whether a function of an installed module, such as a decorator, calls one of the user."""
    functions = [function]
    for wrapper in functions:  # which grow
        inner = [*_captured(wrapper), vars(wrapper).get("__wrapped__")]
        inner = [part for part in inner if isinstance(part, FunctionType)]
        names = [part.__globals__.get("__name__") for part in inner]
        if any(name == home or _own_file(name) for name in names):
            return True
        functions += [part for part in inner if part not in functions]
    return False


def _is_generated(function):
    """Whether attrs has made a function; its code may hold a random number."""
    return function.__code__.co_filename.startswith("<attrs generated")


def _with_attributes(values, code):
    """Return values, and of the user's modules among them the attributes that code names."""
    names = {name for part in _inner_codes(code) for name in part.co_names}
    for value in values:  # which grow: a package has modules
        if isinstance(value, ModuleType) and _own_file(value.__name__):
            held = [vars(value)[name] for name in sorted(names & vars(value).keys())]
            values += [part for part in held if not any(part is other for other in values)]
    return values


def _imported(name, reader):
    """Return a module that is imported, or the code of one that will be."""
    return sys.modules.get(name) or _code_of(name, reader)


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
    file = _own_file(name)
    if not file or name in reader.names:  # which was read before
        return ""
    reader.names.add(name)
    files = {*own_files(file), file}
    if file.name == "__init__.py":
        files.update(file.parent.rglob("*.py"))
    return "".join(map(_code_or_text, sorted(files)))


def _own_file(name):
    """Return the file of a module of the user; None for another one."""
    file = Path(file_of_module(name) or os.devnull).resolve()
    is_installed = not (INSTALLED | {PACKAGE}).isdisjoint(file.parents)
    return None if is_installed or file.suffix != ".py" else file


def file_of_module(name: str) -> str | None:
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
    for part in _inner_codes(code):
        yield from dis.get_instructions(part)


def _inner_codes(code):
    """Yield code, and the code of the functions inside."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _inner_codes(part)


def _plain(code):
    """Return the instructions, handlers and constants of code, without its file and lines.

    Python calls an attribute of an imported name in another way than a method. If `%autoreload`
    compiles a function alone, it does not know which names are imported. Then instructions stand at
    other offsets. So a jump counts with the number of the instruction at which it ends.
    """
    bytecode = dis.Bytecode(code)
    steps = [step for step in bytecode if step.opname not in AROUND]
    number = partial(bisect_left, [step.offset for step in steps])
    handlers = [
        (*map(number, (entry.start, entry.end, entry.target)), entry.depth, entry.lasti)
        for entry in bytecode.exception_entries
    ]
    texts = [f"{_operation(step)} {_argument(step, number)}" for step in steps]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    kinds = code.co_flags & (CO_VARARGS | CO_VARKEYWORDS | CO_GENERATOR | CO_COROUTINE)
    constants = " ".join(map(_constant, code.co_consts))
    return f"{texts} {handlers} {code.co_varnames} {counts} {kinds} {constants}"


def _operation(step):
    return "LOAD_ATTR" if step.opname == "LOAD_METHOD" else step.opname


def _argument(step, number):
    """Return the argument of an instruction: a name, a constant, a number or where a jump ends."""
    if step.opcode in JUMPS:
        return number(step.argval)
    if isinstance(step.argval, CodeType | frozenset):
        return ""  # `_constant` writes them
    return OF_CALL.sub("", step.argrepr) or step.arg


def _constant(value):
    if isinstance(value, CodeType):
        return _plain(value)
    return repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)  # in any order
