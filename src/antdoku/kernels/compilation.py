"""Compilation of kernels, and the folders in which their machine code is kept.

Numba's cache does not notice that a helper in another file has changed. So the machine code of each
module lies in a folder of its own, whose name carries a hash of the module's source, of all that it
imports from the package, and Numba's version: an edit leaves the machine code of all modules that
do not import the file. A folder that is found by its contents holds nothing old, and what processes
find there that compile at the same time is right, whoever wrote it.
"""

import logging
import os
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from stat import S_ISDIR
from tempfile import gettempdir, mkdtemp
from threading import Lock

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
logger = logging.getLogger(PACKAGE.name)


@cache
def folder(module: str) -> Path:
    """Return the folder of the machine code of a module (``solvers.acs``), which is made.

    Raises `InputError` if it cannot be written.
    """
    path = _base_folder() / f"{module}-{numba.__version__}-{fingerprint(module)}"
    if not _is_writable(path):
        remedy = "set XDG_CACHE_HOME to a folder that can be written"
        raise InputError("machine code cannot be kept there", str(path), remedy=remedy)
    return path


@cache
def _base_folder():
    """Return the folder of all machine code: Numba's, the user's, or a temporary one."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    usual = Path(numba.config.CACHE_DIR or os.path.join(home, PACKAGE.name))
    if _is_writable(usual):
        return usual
    temporary = _temporary_folder()
    logger.warning("%s cannot be written: machine code is kept in %s", usual, temporary)
    return temporary


def _is_writable(path):
    """Make a folder if there is none; return whether it can be written."""
    with suppress(OSError):
        path.mkdir(parents=True, exist_ok=True)
    return os.access(path, os.W_OK)


def _temporary_folder():
    """Return a temporary folder in which only this user can write: machine code is executed.

    It is the same for all processes, unless another user has made a folder of this name.
    """
    path = Path(gettempdir(), f"{PACKAGE.name}-{os.getuid()}")
    with suppress(FileExistsError):
        path.mkdir(0o700)
    status = path.lstat()
    is_private = status.st_uid == os.getuid() and not status.st_mode & 0o022
    return path if S_ISDIR(status.st_mode) and is_private else Path(mkdtemp())


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


class _Announcement(event.Listener):
    """A listener that logs the first compilation of a kernel of the package."""

    is_made = False

    def on_start(self, event):
        """Log it, unless one was logged."""
        kernel = (event.data or {}).get("dispatcher")
        package, *_ = getattr(kernel, "__module__", "").partition(".")
        if package == PACKAGE.name and not self.is_made:
            self.is_made = True
            logger.info("compiling once, which takes some seconds")

    def on_end(self, event):
        """Do nothing."""


event.register("numba:compile", _Announcement())
