"""Solvers of users: a file, a module path, an entry point, or an object in memory.

Each becomes a module with the names of a file of this folder; only `solve` is required.
"""

import importlib
import importlib.util
import inspect
import os
import pickle
import sys
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from subprocess import SubprocessError
from types import MethodType, ModuleType
from typing import NamedTuple

import attrs

from antdoku.errors import InputError, message_with_place
from antdoku.files import import_root
from antdoku.puzzle.grid import ORDERS
from antdoku.solvers._code import (
    file_of,
    file_of_module,
    globals_of,
    own_files,
    refuse_old,
    times_of,
)
from antdoku.solvers._parameters import parameters

GROUP = "antdoku.solvers"  # of the entry points
IN_MEMORY = "own:"  # begins the reference of a function or a module in memory
NEVER = -1  # the time of a file whose solver has to be loaded again
REMEDY = "antdoku new-solver writes one to begin with"


class _Loaded(NamedTuple):
    """A solver of a file."""

    module: ModuleType
    times: dict[Path, int]  # when it, and its own files, were last changed
    helpers: dict[str, ModuleType]  # of the files beside it that it imports, by name


_files: dict[Path, _Loaded] = {}


class _Remembered(NamedTuple):
    """A solver in memory."""

    module: ModuleType
    solver: object  # as it was given
    name: str
    helpers: dict[str, ModuleType]  # as in `_Loaded`


_in_memory: dict[str, _Remembered] = {}  # by reference


@cache
def entry_points() -> dict[str, metadata.EntryPoint]:
    """Return the solvers that installed packages register, by name."""
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def short_name(reference: str) -> str:
    """Return the name of a solver: ``mine`` for ``./mine.py``, ``package.mine`` and a function."""
    if is_object(reference):
        return _in_memory[reference].name
    return Path(reference).stem if is_path(reference) else reference.rpartition(".")[2]


def is_path(reference: str) -> bool:
    """Whether a reference is the path of a file."""
    return reference not in _in_memory and (reference.endswith(".py") or os.sep in reference)


def is_object(reference: str) -> bool:
    """Whether a reference is of a function or a module in memory."""
    return reference in _in_memory


# --- Declarations --------------------------------------------------------------------------------


def _are_orders(value):
    return isinstance(value, range | list | tuple) and {*value} <= {*ORDERS}


def _are_texts(value):
    return isinstance(value, list | tuple) and {*map(type, value)} <= {str}


@parameters
class NoParams:
    """The parameters of a solver that declares none."""


_SOME_ORDERS = f"orders from {ORDERS[0]} to {ORDERS[-1]}, such as (3, 4): 3 is 9x9"
DECLARED = {  # by name, a test of a value and the text of the allowed values
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


def complete(module: ModuleType, place: str, name: str | None = None) -> ModuleType:
    """Add the declarations that a solver leaves out to its module, and return the module.

    Raises `InputError` if a declaration is not allowed, or if there is no function `solve`.
    """
    if not callable(getattr(module, "solve", None)):
        call = "solve(puzzle, params, rng, budget)"
        raise InputError(f"there is no function {call}: {REMEDY}", place)
    try:
        inspect.signature(module.solve).bind("puzzle", "params", "rng", "budget")
    except (TypeError, ValueError) as error:  # ValueError: of int, which has no signature
        raise InputError(
            f"solve must take puzzle, params, rng and budget: {error}", place
        ) from None
    defaults = {
        "TITLE": name or short_name(place),
        "KIND": "stochastic",
        "Params": NoParams,
        "ORDERS": ORDERS,
        "ALWAYS_ENDS": True,
        "FILES": (),
    }
    values = vars(module)
    values.update(defaults | values)
    values.setdefault("SOLVES", values["ORDERS"])
    for name, (is_valid, allowed) in DECLARED.items():
        if not is_valid(values[name]):
            raise InputError(f"{name} = {values[name]!r}: must be {allowed}", place)
    return module


# --- Objects in memory ---------------------------------------------------------------------------


def remember(solver: object, name: str | None = None, reference: str | None = None) -> str:
    """Remember a function or a module as a solver, and return its reference.

    A function gets the declarations of its module, except for values that a solver may not
    declare: in a notebook other objects may have these names. Another object gets another
    reference, as runs of the first one may still go on.
    """
    own_name = str(getattr(solver, "__name__", type(solver).__name__))
    name, module = name or own_name.rpartition(".")[2].strip("<>"), solver
    if not isinstance(solver, ModuleType):
        if not callable(solver):
            text = f"solver {solver!r}: must be a name, a file, a module or a function"
            has_method = callable(getattr(solver, "solve", None))
            raise InputError(text, remedy="give its method solve" if has_method else None)
        home = globals_of(solver)
        declared = {
            key: home[key]
            for key, (is_valid, _) in DECLARED.items()
            if key in home and is_valid(home[key])
        }
        module = ModuleType(name, solver.__doc__)
        declared |= {key: getattr(solver, key) for key in DECLARED if hasattr(solver, key)}
        vars(module).update(declared, solve=solver)
    keys = (key for key, entry in _in_memory.items() if _is_entry_of(entry, solver, name))
    reference = reference or next(keys, f"{IN_MEMORY}{len(_in_memory) + 1}")
    refuse_old(complete(module, name, name))
    _in_memory[reference] = _Remembered(module, solver, name, {})
    return reference


def _is_entry_of(entry, solver, name):
    """Whether an entry is of a solver and a name; each access to a method makes a new object."""
    is_method = isinstance(solver, MethodType)
    return entry.name == name and (entry.solver is solver or (is_method and entry.solver == solver))


def hold(reference: str) -> str:
    """Return a reference to a user's solver as it is loaded now, whatever becomes of its file."""
    module, name = load(reference), short_name(reference)
    if module is None or is_object(reference):
        return reference
    for key, entry in _in_memory.items():
        if entry.module is module and entry.name == name:
            return key
    held = f"{IN_MEMORY}{len(_in_memory) + 1}"
    _in_memory[held] = _Remembered(module, reference, name, helpers(reference))
    return held


def read_later(reference: str, is_forked: bool) -> list[Path]:
    """Return the files that a run of a user's solver reads: `FILES`, and imports inside functions.

    A process that is not forked reads all files of the solver.
    """
    module = load(reference)
    if module is None:
        return []
    file = file_of(module)
    if not file or not os.path.exists(file):  # a cell of a notebook, in the working folder
        return [Path(name) for name in module.FILES]
    loaded = [module, *helpers(reference).values(), *sys.modules.copy().values()]
    names = {getattr(module, "__file__", None) for module in loaded} if is_forked else ()
    imported = (path for path in own_files(Path(file).resolve()) if str(path) not in names)
    return [*(Path(file).parent / name for name in module.FILES), *imported]


def pack(reference: str) -> bytes | None:
    """Return a solver in memory for a new process, which `unpack` reads; None for other solvers.

    Raises `InputError` if the new process could not import it.
    """
    if not is_object(reference):
        return None
    _, solver, name, _ = _in_memory[reference]
    if isinstance(solver, ModuleType):
        solver = solver.__name__
        if solver not in sys.modules:
            raise _not_importable(name)
    try:
        return pickle.dumps((solver, name, reference))
    except (pickle.PicklingError, AttributeError, TypeError):
        raise _not_importable(name) from None


def unpack(packed: bytes) -> None:
    """Remember a solver that another process has packed."""
    try:
        solver, name, reference = pickle.loads(packed)
        if isinstance(solver, str):
            solver = load(solver) if is_path(solver) else importlib.import_module(solver)
    except (AttributeError, ImportError) as error:
        raise _not_importable(error) from None
    remember(solver, name, reference)


def _not_importable(name):
    remedy = "define it at the top level of a file, or give the path of the file"
    return InputError("cannot be sent to another process", f"solver {name}", remedy=remedy)


# --- Files and other references ------------------------------------------------------------------


def load(reference: str) -> ModuleType | None:
    """Load the solver of a reference; return None if it does not exist."""
    if is_object(reference):
        return _in_memory[reference].module
    if is_path(reference):
        return _load_file(Path(reference))
    if reference in entry_points():
        solver = _run(entry_points()[reference].load, reference, reference)
        return _in_memory[remember(solver, reference)].module
    if "." not in reference:
        return None
    _add_to_path(os.getcwd())
    module = _run(partial(importlib.import_module, reference), reference, reference)
    refuse_old(complete(module, reference))
    return module


def _add_to_path(folder):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _load_file(path):
    """Return the module of a file; run it if it, or a file beside it, is new or has changed."""
    if path.suffix != ".py":
        raise InputError("the name of a solver's file ends in .py", str(path))
    if not path.exists():
        raise InputError(f"there is no such file: {REMEDY}", str(path))
    full = path.resolve()
    if full in _files and (times := _files[full].times) == times_of(times):
        return _files[full].module
    # The user may have imported files beside it, and changed them: the solver gets new modules.
    of_user = _modules_of({*own_files(full)} - {full})
    _forget(of_user)
    before = _contents(own_files(full))
    _add_to_path(full.parent)  # so that it can import its neighbours, as a script can
    try:
        module = complete(_run_file(full, _module_name(full), path), str(path))
        files = own_files(full)
        for file in files:
            _check_import(file, path)
    finally:
        modules = _modules_of({*own_files(full)} - {full})
        _forget(modules)
        _put(of_user)
    times = times_of([*files, *(full.parent / name for name in module.FILES)])
    changed = before.items() - _contents(before).items()  # while the file was run
    _files[full] = _Loaded(module, times | dict.fromkeys(dict(changed), NEVER), modules)
    return module


def _contents(files):
    return {file: file.read_bytes() if file.exists() else b"" for file in files}


def helpers(reference: str) -> dict[str, ModuleType]:
    """Return the modules beside the file of a solver that it imports, by name."""
    if is_object(reference):
        return _in_memory[reference].helpers
    return _files[Path(reference).resolve()].helpers if is_path(reference) else {}


def enter(reference: str) -> None:
    """Let this process, which runs a solver, find the modules that its file has imported.

    The solver may import them when it runs, or send their functions to other processes. In the
    user's process others may have these names.
    """
    _put(helpers(reference))


def _check_import(file, path):
    """Refuse a solver at a path that gets another module than the file beside it, of that name."""
    name = _dotted(file, import_root(path.resolve()))
    imported = Path(file_of_module(name) or file).resolve()
    if name != path.stem and imported != file:
        text = f"imports {imported}, not {file.name} beside it: rename one of them"
        raise InputError(text, str(path))


def _modules_of(files):
    """Return the imported modules of files by their names."""
    names = {*map(str, files)}
    modules = sys.modules.copy().items()
    return {name: module for name, module in modules if getattr(module, "__file__", "") in names}


def _forget(modules):
    """Forget modules, by name, which the next import then runs again."""
    for name in modules:
        del sys.modules[name]
        package, _, stem = name.rpartition(".")
        if package in sys.modules:
            vars(sys.modules[package]).pop(stem, None)


def _put(modules):
    """Make modules those that an import of their names finds."""
    sys.modules.update(modules)
    for name, module in modules.items():
        package, _, stem = name.rpartition(".")
        if package in sys.modules:
            setattr(sys.modules[package], stem, module)


def _run_file(full, name, path):
    """Run a file, and return it as a module of this name.

    If the user has imported the file, the user's module keeps its place.
    """
    earlier = sys.modules.get(name)
    is_ours = any(earlier is entry.module for entry in _files.values())
    spec = importlib.util.spec_from_file_location(name, full)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        _run(partial(spec.loader.exec_module, module), path, str(full))
    except BaseException:  # Ctrl-C, too
        del sys.modules[name]  # it is not complete
        raise
    if earlier and not is_ours:
        sys.modules[name] = earlier
    return module


def _module_name(file):
    """Return the name by which a file is imported, which also names its code in Numba's cache.

    If another module has this name, the file gets a name of ours.
    """
    name = _dotted(file, import_root(file))
    _add_to_path(import_root(file))
    names = [entry.module.__name__ for entry in _files.values()]
    try:
        spec = None if name in names else importlib.util.find_spec(name)
    except Exception:  # of a module that was made by hand, or a package that fails
        spec = None
    is_free = spec is None or spec.origin == str(file)
    return name if is_free else f"antdoku_solver_{file.stem}"


def _dotted(file, folder):
    """Return the name by which a file is imported from a folder."""
    parts = file.relative_to(folder).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


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
        remedy = ": correct this line"
        if isinstance(error, ImportError):
            remedy = ": install it, or correct this line"
        elif isinstance(error, OSError | SubprocessError):
            remedy = ""
        raise InputError(message_with_place(error, file, name) + remedy) from None
