"""The code of a user's solver: its files, or what a function in memory consists of.

A run has a hash of it, by which a changed solver is told from the one that made older runs.
"""

import dis
import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType

from antdoku.errors import InputError
from antdoku.files import PACKAGE, sources

STORE = "STORE_GLOBAL"  # an instruction
CONSTANTS = (type(None), bool, int, float, complex, str, bytes)


def file_of(module: ModuleType) -> str | None:
    """Return the file of a user's solver, as a traceback names it, or None."""
    code = getattr(getattr(module, "solve", None), "__code__", None)
    return getattr(module, "__file__", None) or (code and code.co_filename)


def files_of(module: ModuleType) -> list[Path]:
    """Return the file of a user's solver and those beside it that it imports, if it has a file."""
    file = file_of(module)
    own = sources(Path(file)) if file and os.path.exists(file) else []
    return [path for path in own if PACKAGE not in path.parents]


def times_of(files: Iterable[Path]) -> dict[Path, int]:
    """Return when files were last changed, in nanoseconds; 0 for a file that is gone."""
    return {file: file.stat().st_mtime_ns if file.exists() else 0 for file in files}


def code_of(module: ModuleType) -> tuple[list[Path], bytes]:
    """Return the code of a user's solver: its files, and other bytes.

    The bytes are the contents of its `FILES`, and of a function what it consists of (`_text`).
    """
    file = file_of(module)
    if not file or not os.path.exists(file):
        return [], _text(module.solve, module.solve, set()).encode()
    files = [Path(file).parent / name for name in module.FILES]
    for path in files:
        if not path.is_file():
            raise InputError(f"FILES: there is no file {path}", file)
    cells = getattr(module.solve, "__closure__", None) or ()
    captured = "".join(_text(cell.cell_contents, module.solve, set()) for cell in cells)
    return [Path(file)], b"".join([*map(Path.read_bytes, files), captured.encode()])


def _text(value, solve, seen):
    """Return what a value consists of, as far as a function `solve` in memory depends on it.

    These are the code of functions of the same module, what they capture, and constants. Lists,
    dictionaries and arrays change while a solver runs, and count by their type.
    """
    if isinstance(value, CONSTANTS):
        return repr(value)
    if id(value) in seen:
        return ""
    seen.add(id(value))

    def texts(values):
        return ", ".join(_text(part, solve, seen) for part in values)

    value = getattr(value, "py_func", value)  # of a kernel
    if isinstance(value, tuple):
        return f"({texts(value)})"
    if isinstance(value, partial):
        return f"partial({texts([value.func, value.args, *value.keywords.items()])})"
    if isinstance(value, MethodType):
        return texts([value.__func__, value.__self__])
    if isinstance(value, FunctionType) and _is_beside(value, solve):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        named = [value.__globals__[name] for name in _globals_of(value)]
        return f"{_plain(value.__code__)}({texts([value.__defaults__, *cells, *named])})"
    if isinstance(value, type) and _is_beside(value, solve):
        return f"{value.__qualname__}({texts(vars(value).values())})"
    if _is_beside(type(value), solve):  # an object of a class beside the solver
        return f"{texts([type(value)])}({texts(getattr(value, '__dict__', {}).values())})"
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", type(value).__name__)
    return f"{getattr(value, '__module__', '')}.{name}"


def _is_beside(value, solve):
    """Whether a function or a class has the module of the solver, or is called by it."""
    solve = solve if isinstance(solve, FunctionType) else type(solve)
    return value is solve or getattr(value, "__module__", None) == solve.__module__


def _globals_of(function):
    """Return the names of the module that a function reads and does not set, sorted."""
    codes, names, written = [function.__code__], set(), set()
    while codes:
        code = codes.pop()
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
        names |= {*code.co_names}
        written |= {step.argval for step in dis.get_instructions(code) if step.opname == STORE}
    return sorted((names - written) & {*function.__globals__})


def _plain(code):
    """Return the instructions, names and constants of code, without its file and lines."""
    parts = [_plain(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {' '.join(parts)}"
