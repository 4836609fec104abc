"""Solvers of users: a file, a module path, an entry point, or an object in memory.

Each becomes a module with the names of a file of this folder; only `solve` is required.
"""

import importlib
import importlib.util
import marshal
import os
import pickle
import sys
import traceback
from functools import cache, partial
from importlib import metadata
from itertools import islice, takewhile
from pathlib import Path
from subprocess import SubprocessError
from types import ModuleType

import attrs

from antdoku.errors import InputError
from antdoku.puzzle.grid import ORDERS
from antdoku.solvers._parameters import parameters

GROUP = "antdoku.solvers"  # of the entry points
IN_MEMORY = "own:"  # begins the reference of a function or a module in memory
REMEDY = "antdoku new-solver writes one to begin with"
_in_memory: dict[str, ModuleType] = {}
_objects: dict[str, tuple[object, str | None]] = {}  # what each of them was made of
_files: dict[Path, tuple[int, ModuleType]] = {}  # with the time of their last change


@cache
def entry_points() -> dict[str, metadata.EntryPoint]:
    """Return the solvers that installed packages register, by name."""
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def short_name(reference: str) -> str:
    """Return the name of a solver: ``mine`` for ``./mine.py``, ``package.mine`` and a function."""
    if _is_file(reference):
        return Path(reference).stem
    return reference.removeprefix(IN_MEMORY).rpartition(".")[2]


def remember(solver, name: str | None = None) -> str:
    """Remember a function or a module as a solver, and return its reference.

    A function gets the declarations of its module, except for values that a solver may not
    declare: in a notebook other objects may have these names.
    """
    name = (name or getattr(solver, "__name__", type(solver).__name__)).strip("<>")
    module = solver
    if not isinstance(solver, ModuleType):
        if not callable(solver):
            raise InputError(f"solver {solver!r}: must be a name, a file, a module or a function")
        home = getattr(solver, "__globals__", {})
        declared = {key: home[key] for key in DECLARED if key in home}
        declared = {key: value for key, value in declared.items() if DECLARED[key][0](value)}
        module = ModuleType(name, solver.__doc__)
        vars(module).update(declared | getattr(solver, "__dict__", {}), solve=solver)
    reference = f"{IN_MEMORY}{name.rpartition('.')[2]}"
    _in_memory[reference] = _complete(module, reference)
    _objects[reference] = solver, name
    return reference


def pack(reference: str) -> bytes | None:
    """Return a solver in memory for a new process, which `unpack` reads; None for other solvers.

    Raises `InputError` if the new process could not import it.
    """
    if reference not in _objects:
        return None
    solver, name = _objects[reference]
    if isinstance(solver, ModuleType):
        solver = solver.__name__
        if solver not in sys.modules:
            raise _not_importable(name)
    try:
        return pickle.dumps((solver, name))
    except (pickle.PicklingError, AttributeError, TypeError):
        raise _not_importable(name) from None


def unpack(packed: bytes) -> None:
    """Remember a solver that another process has packed."""
    try:
        solver, name = pickle.loads(packed)
        solver = importlib.import_module(solver) if isinstance(solver, str) else solver
    except (AttributeError, ImportError) as error:
        raise _not_importable(error) from None
    remember(solver, name)


def _not_importable(name):
    remedy = "define it at the top level of a file, or give the path of the file"
    return InputError("cannot be sent to another process", f"solver {name}", remedy=remedy)


def load(reference: str) -> ModuleType | None:
    """Load the solver of a reference; return None if it does not exist."""
    if reference in _in_memory:
        return _in_memory[reference]
    if _is_file(reference):
        return _load_file(Path(reference))
    if point := entry_points().get(reference):
        return _in_memory[remember(_run(point.load, reference, reference), reference)]
    if "." not in reference:
        return None
    sys.path += {os.getcwd()} - {*sys.path}
    module = _run(partial(importlib.import_module, reference), reference, reference)
    return _complete(module, reference)


def _is_file(reference):
    return reference.endswith(".py") or os.sep in reference


def _load_file(path):
    """Return the module of a file; run the file if it is new or has changed."""
    if path.suffix != ".py":
        raise InputError(f"{path}: the name of a solver's file ends in .py")
    if not path.exists():
        raise InputError(f"{path}: there is no such file: {REMEDY}")
    full, changed = path.resolve(), path.stat().st_mtime_ns
    if full in _files and _files[full][0] == changed:
        return _files[full][1]
    sys.path += {str(full.parent)} - {
        *sys.path
    }  # so that it can import its neighbours, as a script can
    name = _module_name(full)
    if full in _files or (module := sys.modules.get(name)) is None or file_of(module) != str(full):
        spec = importlib.util.spec_from_file_location(name, full)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            _run(partial(spec.loader.exec_module, module), path, str(full))
        except BaseException:  # Ctrl-C, too
            del sys.modules[name]  # it is not complete
            raise
    _files[full] = changed, _complete(module, str(path))
    return module


def _module_name(file):
    """Return the name by which a file is imported, which also names its code in Numba's cache.

    If another module has this name, the file gets a name of ours.
    """
    folder, name = file.parent, file.stem
    while (folder / "__init__.py").exists():
        folder, name = folder.parent, f"{folder.name}.{name}"
    sys.path += {str(folder)} - {*sys.path}
    names = [module.__name__ for _, module in _files.values()]
    try:
        spec = None if name in names else importlib.util.find_spec(name)
    except (ImportError, ValueError):  # of a module that was made by hand
        spec = None
    is_free = spec is None or spec.origin == str(file)
    return name if is_free else f"antdoku_solver_{file.stem}"


def _run(load, name, file):
    """Run code of a user; an exception becomes one line that names the place."""
    try:
        return load()
    except InputError:
        raise
    except SyntaxError as error:
        place = name if error.filename == file else error.filename
        raise InputError(f"{place}:{error.lineno}: {error.msg}: correct this line") from None
    except (Exception, SystemExit) as error:
        remedy = "" if isinstance(error, OSError | SubprocessError) else ": correct this line"
        remedy = ": install it, or correct this line" if isinstance(error, ImportError) else remedy
        raise InputError(message_with_place(error, file, name) + remedy) from None


def message_with_place(error: BaseException, file: str | None, name: object = None) -> str:
    """Return an exception in one line: the last place in a file, or of all, and what was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    within = [frame for frame in frames if frame.filename == file]
    place = str(name or Path(file or frames[-1].filename).name)
    if within or not file:
        place += f":{(within or frames)[-1].lineno}"
    return f"{place}: {type(error).__name__}: {_one_line(error)}"


def _one_line(error):
    """Return the first line of an exception; for Numba's, also the line of the code."""
    first, *lines = (line.strip(": ") for line in f"{error}\n".split("\n"))
    if not type(error).__module__.startswith("numba."):
        return first
    lines = [line for line in (first, *lines) if line and not line.startswith("Failed in nopython")]
    reason = takewhile(lambda line: not line.startswith(("File ", "During", "There are")), lines)
    return ", ".join(
        [*islice(reason, 2), *[line for line in lines if line.startswith("File ")][:1]]
    )


def _complete(module, reference):
    """Add default declarations to a module; refuse a module that cannot be used."""
    place = reference.removeprefix(IN_MEMORY)
    if not callable(getattr(module, "solve", None)):
        call = "solve(puzzle, params, rng, budget)"
        raise InputError(f"{place}: there is no function {call}: {REMEDY}")
    usual = {
        "TITLE": short_name(reference),
        "KIND": "stochastic",
        "Params": parameters(type("Params", (), {})),
    }
    vars(module).update(usual | vars(module))
    for name, (is_right, allowed) in DECLARED.items():
        if name in vars(module) and not is_right(value := getattr(module, name)):
            raise InputError(f"{place}: {name} = {value!r}: must be {allowed}")
    return module


def _are_orders(value):
    return isinstance(value, range | list | tuple) and {*value} <= {*ORDERS}


def _are_texts(value):
    return isinstance(value, list | tuple) and {*map(type, value)} <= {str}


_SOME_ORDERS = f"orders from {ORDERS[0]} to {ORDERS[-1]}, such as (3, 4): 3 is 9x9"
DECLARED = {  # by name, a test of a declaration and the text of what is allowed
    "Params": (
        lambda value: isinstance(value, type) and attrs.has(value),
        "a class decorated with @antdoku.solver.parameters",
    ),
    "KIND": (lambda value: str(value) in ("exact", "stochastic"), "exact or stochastic"),
    "TITLE": (lambda value: isinstance(value, str), "a text"),
    "ORDERS": (lambda value: _are_orders(value) and len(value) > 0, _SOME_ORDERS),
    "SOLVES": (_are_orders, _SOME_ORDERS),
    "ALWAYS_ENDS": (lambda value: isinstance(value, bool), "True or False"),
    "FILES": (_are_texts, 'a list of files, such as ["mine.cpp"]'),
}


def file_of(module: ModuleType) -> str | None:
    """Return the file of a user's solver, as a traceback names it, or None."""
    code = getattr(getattr(module, "solve", None), "__code__", None)
    return getattr(module, "__file__", None) or (code and code.co_filename)


def code_of(module: ModuleType) -> tuple[list[Path], bytes]:
    """Return the code of a user's solver: its files and other bytes, or the code of a function."""
    file = file_of(module)
    if file and os.path.exists(file):
        files = [Path(file).parent / name for name in getattr(module, "FILES", ())]
        if missing := [path for path in files if not path.is_file()]:
            raise InputError(f"{file}: FILES: there is no file {missing[0]}")
        return [Path(file)], b"".join(map(Path.read_bytes, files))
    code = getattr(module.solve, "__code__", None)
    return [], marshal.dumps(code) if code else repr(module.solve).encode()
