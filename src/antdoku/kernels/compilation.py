"""How kernels are compiled and where their machine code is kept.

Numba's cache does not notice that a helper in another file has changed, so the cache folder
carries the hash of all sources that hold kernels, and Numba's version, in its name.
"""

import hashlib
import os
from pathlib import Path

import numba

from antdoku.errors import InputError

PACKAGE = Path(__file__).parents[1]


def _sources_hash() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for file in sorted(PACKAGE.rglob("*.py")):
        source = file.read_bytes()
        if b"numba" in source or b"antdoku.kernels.compilation" in source:
            digest.update(source)
    return digest.hexdigest()[:12]


def _cache_folder() -> Path:
    """Folder of the machine code, which can be written; `InputError` if there is none."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(base) / "antdoku" / f"kernels-{_sources_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK)
    except OSError:
        usable = False
    if not usable:
        remedy = "set XDG_CACHE_HOME to a folder that can be written"
        raise InputError(f"{folder}: machine code cannot be kept there: {remedy}")
    return folder


# Not by NUMBA_CACHE_DIR: Numba may have been imported, and have read it, already.
numba.config.CACHE_DIR = numba.config.CACHE_DIR or str(_cache_folder())

# A kernel is called from Python; what it calls is inlined, as the many arrays of a call cost more
# than most of the functions do (measured: half of the time of ACS). Nothing is allocated below
# Python, so Numba's reference counts are off (5 - 10 % of ACS, 30 % of DLX); what needs them, such
# as a slice of an array that a function returns, is refused when it is compiled.
_options = {"cache": True, "error_model": "numpy", "nogil": True, "_nrt": False}
kernel = numba.njit(**_options)
inlined = numba.njit(**_options, forceinline=True)
