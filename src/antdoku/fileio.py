"""How files are written: complete or not at all."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from antdoku.errors import InputError


@contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """Have a file written complete or not at all: yields the name to write it to meanwhile."""
    temporary = Path(f"{path}.unfinished")
    try:
        with naming(path):
            yield temporary
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Have an `OSError`, of a full disk above all, say which file could not be written."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename not in (None, f"{path}.unfinished"):
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from None


def check_output(path: str | Path, endings: Iterable[str]) -> None:
    """Raise `InputError` for a file that cannot be written, before anything is computed."""
    folder = Path(path).parent
    if not str(path).endswith(tuple(endings)):
        raise InputError(f"{path or 'output'}: the name must end in {' or '.join(endings)}")
    if not folder.is_dir():
        raise InputError(f"{path}: there is no folder {folder}")
    if Path(path).is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{path}: cannot be written")
