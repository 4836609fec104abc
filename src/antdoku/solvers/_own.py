"""Solvers that stand elsewhere: in a file, under a module path or an entry point, in memory.

Each becomes a module that has what a file of this folder has; only `solve` is asked for.
"""

import importlib
import importlib.util
import marshal
import os
import sys
import traceback
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType

import attrs

from antdoku.errors import InputError
from antdoku.solvers._parameters import parameters

GROUP = "antdoku.solvers"  # of the entry points
IN_MEMORY = "own:"  # begins what a function or a module is called that was handed over
CALL = "solve(puzzle, params, rng, budget)"
KINDS = ("exact", "stochastic")
_in_memory: dict[str, ModuleType] = {}
_files: dict[Path, tuple[int, ModuleType]] = {}  # with the time of their last change


@parameters
class NoParams:
    """There is nothing to choose."""


@cache
def entry_points() -> dict[str, metadata.EntryPoint]:
    """Solvers that other packages have registered, by name."""
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def short_name(reference: str) -> str:
    """What a solver is called: ``mine`` for ``./mine.py``, ``package.mine`` and a function."""
    if _is_file(reference):
        return Path(reference).stem
    return reference.removeprefix(IN_MEMORY).rpartition(".")[2]


def remember(given, name: str | None = None) -> str:
    """Take a function or a module as a solver; returns the reference by which it is found."""
    name = (name or getattr(given, "__name__", type(given).__name__)).strip("<>")
    module = given
    if not isinstance(given, ModuleType):
        if not callable(given):
            raise InputError(f"solver {given!r}: must be a name, a file, a module or a function")
        module = ModuleType(name, given.__doc__)
        vars(module).update(vars(given), solve=given)
    reference = f"{IN_MEMORY}{name.rpartition('.')[2]}"
    _in_memory[reference] = _complete(module, reference)
    return reference


def load(reference: str) -> ModuleType | None:
    """The solver of a reference that is no name of this package's; None if there is none."""
    if reference in _in_memory:
        return _in_memory[reference]
    if _is_file(reference):
        return _load_file(Path(reference))
    if point := entry_points().get(reference):
        found = _guarded(point.load, reference, reference)
        return found if _is_complete(found) else _in_memory[remember(found, reference)]
    if "." not in reference:
        return None
    sys.path += {os.getcwd()} - {*sys.path}
    module = _guarded(lambda: importlib.import_module(reference), reference, reference)
    return _complete(module, reference)


def _is_file(reference):
    return reference.endswith(".py") or os.sep in reference


def _load_file(path):
    """Run a file as a module, again if it has changed since."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        remedy = f"antdoku new-solver {path} writes one to begin with"
        raise InputError(f"{path}: there is no such file: {remedy}") from None
    known = _files.get(path.resolve())
    if known and known[0] == changed:
        return known[1]
    # What stands beside it can be imported, as by a script.
    sys.path += {str(path.resolve().parent)} - {*sys.path}
    name = f"antdoku_solver_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: the name of a solver's file ends in .py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    _guarded(lambda: spec.loader.exec_module(module), path, str(path.resolve()))
    _files[path.resolve()] = changed, _complete(module, str(path))
    return module


def _guarded(run, name, file):
    """Run somebody's code; whatever it raises is one line with the place in it."""
    try:
        return run()
    except SyntaxError as error:
        place = name if error.filename == file else error.filename
        raise InputError(f"{place}:{error.lineno}: {error.msg}: correct this line") from None
    except InputError:
        raise
    except Exception as error:
        remedy = "install it, or correct this line"
        remedy = remedy if isinstance(error, ImportError) else "correct this line"
        raise InputError(f"{told(error, file, name)}: {remedy}") from None


def told(error: BaseException, file: str | None, name: object = None) -> str:
    """An exception in one line: the last place in a file, or of all, and what was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    within = [frame for frame in frames if frame.filename == file]
    place = str(name or Path(file or frames[-1].filename).name)
    if within or not file:
        place += f":{(within or frames)[-1].lineno}"
    return f"{place}: {type(error).__name__}: {error}".partition("\n")[0]


def _is_complete(module):
    return isinstance(module, ModuleType) and {"TITLE", "KIND", "Params"} <= vars(module).keys()


def _complete(module, reference):
    """Give a module what it does not declare; refuse one that cannot be used."""
    if not callable(getattr(module, "solve", None)):
        remedy = "antdoku new-solver writes one to begin with"
        raise InputError(f"{reference}: there is no function {CALL}: {remedy}")
    vars(module).setdefault("TITLE", short_name(reference))
    vars(module).setdefault("KIND", KINDS[1])
    vars(module).setdefault("Params", NoParams)
    if module.KIND not in KINDS:
        raise InputError(f"{reference}: KIND = {module.KIND!r}: must be {' or '.join(KINDS)}")
    if not attrs.has(module.Params):
        remedy = "declare it with antdoku.solver.parameters"
        raise InputError(f"{reference}: Params declares no parameters: {remedy}")
    return module


def file_of(module: ModuleType) -> str | None:
    """The file that an own solver stands in, as a traceback names it; None if it is in none."""
    code = getattr(module.solve, "__code__", None)
    return getattr(module, "__file__", None) or (code and code.co_filename)


def version_of(reference: str) -> int:
    """Another number whenever a file has changed, or another function has taken the name."""
    if reference in _in_memory:
        return id(_in_memory[reference])
    return os.stat(reference).st_mtime_ns if _is_file(reference) else 0


def code_of(module: ModuleType) -> tuple[list[Path], bytes]:
    """What decides what an own solver does: its file, or the code of a function without one."""
    file = file_of(module)
    if file and os.path.exists(file):
        return [Path(file)], b""
    code = getattr(module.solve, "__code__", None)
    return [], marshal.dumps(code) if code else repr(module.solve).encode()
