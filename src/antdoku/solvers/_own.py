"""Solvers from elsewhere: a file, a module path, an entry point, or an object in memory.

Each becomes a module with the names that a file of this folder has; only `solve` is required.
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
IN_MEMORY = "own:"  # begins the reference of a function or a module that was handed over
REMEDY = "antdoku new-solver writes one to begin with"
_in_memory: dict[str, ModuleType] = {}
_objects: dict[str, tuple[object, str | None]] = {}  # what each of them was made of
_files: dict[Path, tuple[int, ModuleType]] = {}  # with the time of their last change


@cache
def entry_points() -> dict[str, metadata.EntryPoint]:
    """Return the solvers that other packages have registered, by name."""
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def short_name(reference: str) -> str:
    """Return the name of a solver: ``mine`` for ``./mine.py``, ``package.mine`` and a function."""
    if _is_file(reference):
        return Path(reference).stem
    return reference.removeprefix(IN_MEMORY).rpartition(".")[2]


def remember(given, name: str | None = None) -> str:
    """Take a function or a module as a solver; returns the reference by which it is found.

    A function gets what its module declares, but for values that a solver may not declare: in a
    notebook other things may have these names.
    """
    name = (name or getattr(given, "__name__", type(given).__name__)).strip("<>")
    module = given
    if not isinstance(given, ModuleType):
        if not callable(given):
            raise InputError(f"solver {given!r}: must be a name, a file, a module or a function")
        home = getattr(given, "__globals__", {})
        declared = {each: home[each] for each in DECLARED if each in home}
        declared = {each: value for each, value in declared.items() if DECLARED[each][0](value)}
        module = ModuleType(name, given.__doc__)
        vars(module).update(declared | getattr(given, "__dict__", {}), solve=given)
    reference = f"{IN_MEMORY}{name.rpartition('.')[2]}"
    _in_memory[reference] = _complete(module, reference)
    _objects[reference] = given, name
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
    where = "a new process imports it: define it at the top level of a file"
    return InputError(f"solver {name}: {where}, or give the path of the file")


def load(reference: str) -> ModuleType | None:
    """Load the solver of a reference that is no name of this package's; None if there is none."""
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
    """Run a file as a module, again if it has changed since."""
    if path.suffix != ".py":
        raise InputError(f"{path}: the name of a solver's file ends in .py")
    if not path.exists():
        raise InputError(f"{path}: there is no such file: {REMEDY}")
    full, changed = path.resolve(), path.stat().st_mtime_ns
    if full in _files and _files[full][0] == changed:
        return _files[full][1]
    sys.path += {str(full.parent)} - {*sys.path}  # to import what stands beside it, as a script can
    name = _module_name(full)
    if full in _files or (module := sys.modules.get(name)) is None or file_of(module) != str(full):
        spec = importlib.util.spec_from_file_location(name, full)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            _run(partial(spec.loader.exec_module, module), path, str(full))
        except BaseException:  # Ctrl-C, too
            del sys.modules[name]  # half of it
            raise
    _files[full] = changed, _complete(module, str(path))
    return module


def _module_name(file):
    """Return the name by which a file is imported: what Numba has cached is found by it.

    If it is that of another module, which is not a solver of the user's, the file gets one of ours.
    """
    folder, name = file.parent, file.stem
    while (folder / "__init__.py").exists():
        folder, name = folder.parent, f"{folder.name}.{name}"
    sys.path += {str(folder)} - {*sys.path}
    known = [module.__name__ for _, module in _files.values()]
    try:
        found = None if name in known else importlib.util.find_spec(name)
    except (ImportError, ValueError):  # of a module that was made by hand
        found = None
    is_free = found is None or found.origin == str(file)
    return name if is_free else f"antdoku_solver_{file.stem}"


def _run(load, name, file):
    """Run code of a user; what it raises becomes one line that names the place."""
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
    """Return the first line of a text; of Numba's, what is wrong and in which line."""
    first, *lines = (line.strip(": ") for line in f"{error}\n".split("\n"))
    if not type(error).__module__.startswith("numba."):
        return first
    lines = [line for line in (first, *lines) if line and not line.startswith("Failed in nopython")]
    said = takewhile(lambda line: not line.startswith(("File ", "During", "There are")), lines)
    return ", ".join([*islice(said, 2), *[line for line in lines if line.startswith("File ")][:1]])


def _complete(module, reference):
    """Give a module what it does not declare; refuse one that cannot be used."""
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
DECLARED = {  # what a solver may declare: a test, and what is allowed
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
    """Return the file that an own solver stands in, as a traceback names it, if there is one."""
    code = getattr(getattr(module, "solve", None), "__code__", None)
    return getattr(module, "__file__", None) or (code and code.co_filename)


def code_of(module: ModuleType) -> tuple[list[Path], bytes]:
    """Return the code that an own solver consists of: its files, or the code of a function."""
    file = file_of(module)
    if file and os.path.exists(file):
        others = [Path(file).parent / name for name in getattr(module, "FILES", ())]
        if missing := [other for other in others if not other.is_file()]:
            raise InputError(f"{file}: FILES: there is no file {missing[0]}")
        return [Path(file)], b"".join(map(Path.read_bytes, others))
    code = getattr(module.solve, "__code__", None)
    return [], marshal.dumps(code) if code else repr(module.solve).encode()
