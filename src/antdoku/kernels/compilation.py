"""Compilation of kernels, and the folders in which their machine code is kept.

Numba's cache does not notice that a helper in another file has changed. So each module has its own
folder of machine code. The folder's name has Numba's version, and a hash of the code of the module
and of all modules of the package that it imports. After an edit, only modules that import the file
are compiled again. Processes that compile at the same time may share a folder: each of them writes
the same machine code.
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

# Python calls kernels. Functions that kernels call are inlined: passing the many arrays of a call
# takes longer than most functions (measured: half of the time of ACS). Kernels allocate nothing, so
# Numba's reference counts are off (5 - 10 % of ACS, 30 % of DLX). The compiler refuses code that
# needs them, such as a function that returns a slice of an array.
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
    """Decorator: compile a function at its first call, and keep the machine code of the package.

    A kernel must not allocate, for example an array. Outside of the package
    `numba.njit(cache=True)` is simpler.
    """
    package, _, module = function.__module__.partition(".")
    options |= _OPTIONS
    if package != PACKAGE.name:
        return numba.njit(**options)(function)
    if numba.config.DISABLE_JIT:
        raise InputError("NUMBA_DISABLE_JIT is set, and kernels must be compiled: unset it")
    with _setting:
        path, before = folder(module), numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(path)
        try:
            return numba.njit(**options, cache=True)(function)
        finally:
            numba.config.CACHE_DIR = before


inlined = partial(kernel, forceinline=True)


class _Announcement(event.Listener):
    """A listener that logs the first compilation of a kernel of the package."""

    is_made = False

    def on_start(self, event):
        """Log it, unless one was logged."""
        kernel = (event.data or {}).get("dispatcher")
        package, *_ = (getattr(kernel, "__module__", None) or "").partition(".")
        if package == PACKAGE.name and not self.is_made:
            self.is_made = True
            logger.info("compiling once, which takes some seconds")

    def on_end(self, event):
        """Do nothing."""


event.register("numba:compile", _Announcement())
