"""Compilation of kernels, and the folders in which their machine code is kept.

Numba's cache does not notice that a helper in another file has changed. So the machine code of each
module lies in a folder of its own, whose name carries a hash of the module's source, of all that it
imports from the package, and Numba's version: an edit leaves the machine code of all modules that
do not import the file. A folder that is found by its contents holds nothing old, and what processes
find there that compile at the same time is right, whoever wrote it.
"""

import os
import signal
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from threading import Lock, current_thread, main_thread

import numba
from numba.core import event

from antdoku.errors import InputError
from antdoku.files import PACKAGE, fingerprint

# A kernel is called from Python; what it calls is inlined, as the many arrays of a call cost more
# than most of the functions do (measured: half of the time of ACS). Nothing is allocated below
# Python, so Numba's reference counts are off (5 - 10 % of ACS, 30 % of DLX); what needs them, such
# as a slice of an array that a function returns, is refused when it is compiled.
_OPTIONS = {"error_model": "numpy", "nogil": True, "_nrt": False}
_setting = Lock()  # Numba has one setting for all threads, any of which may import a solver


@cache
def folder(module: str) -> Path:
    """Folder of the machine code of a module (``solvers.acs``), made if it is not there.

    It is below Numba's own folder, if one is set (``NUMBA_CACHE_DIR``). Raises `InputError` if it
    cannot be written.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    base = Path(numba.config.CACHE_DIR or os.path.join(home, "antdoku"))
    path = base / f"{module}-{numba.__version__}-{fingerprint(module)}"
    with suppress(OSError):
        path.mkdir(parents=True, exist_ok=True)
    if not os.access(path, os.W_OK):
        remedy = "set XDG_CACHE_HOME to a folder that can be written"
        raise InputError(f"{path}: machine code cannot be kept there: {remedy}")
    return path


def kernel(function, **options):
    """Decorator: compile a function when it is called, and keep its code if it is the package's.

    It may allocate nothing, such as an array. For kernels of your own `numba.njit(cache=True)` is
    simpler.
    """
    package, _, module = function.__module__.partition(".")
    options |= _OPTIONS
    if package != PACKAGE.name:
        return numba.njit(**options)(function)
    with _setting:
        kept, found = folder(module), numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(kept)
        try:
            return numba.njit(**options, cache=True)(function)
        finally:
            numba.config.CACHE_DIR = found


inlined = partial(kernel, forceinline=True)


class _Interrupts(event.Listener):
    """A listener that lets Ctrl-C wait for the end of a compilation, unless it comes again.

    An exception raised within is lost in a callback of the compiler.
    """

    depth, came = 0, False

    def on_start(self, event):
        """Count the compilation, and take the signal, unless somebody else has."""
        is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if current_thread() is main_thread() and (self.depth or is_usual):
            self.depth += 1
            if self.depth == 1:
                signal.signal(signal.SIGINT, self._wait)

    def _wait(self, *_):
        self.came = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def on_end(self, event):
        """Give the signal back after the last compilation, and raise what came."""
        if current_thread() is main_thread() and self.depth:
            self.depth -= 1
            if not self.depth:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                came, self.came = self.came, False
                if came:
                    raise KeyboardInterrupt


event.register("numba:compile", _Interrupts())
