"""Files that are opened once, compressed or not, and their names in messages."""

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

from antdoku.errors import InputError, one_line

GZIP = b"\x1f\x8b"  # how compressed data begin
ALLOWED = "allowed are text, JSON, .csv, .parquet and .npy, also compressed as .gz"


def printable(path: str | Path) -> str:
    """Return the name of a file in messages, and of its puzzles: quoted if it is not printable."""
    name = "standard input" if path == "-" else str(path)
    return name if name.isprintable() else ascii(name)


def ending(path: str | Path) -> str:
    """Return the ending of a file in small letters, without ``.gz``: ``.csv`` of a.csv.gz."""
    return _uncompressed(path).suffix.lower()


def stem(path: str | Path) -> str:
    """Return the name of a file without folder and ending."""
    return _uncompressed(path).stem


def _uncompressed(path):
    path = Path(path)
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file, compressed or not; ``-`` is standard input. Failures become one line."""
    if path == "-" and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as stream:
            is_packed = stream.peek(2).startswith(GZIP)
            yield io.BufferedReader(gzip.GzipFile(fileobj=stream)) if is_packed else stream
    except InputError:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as error:  # ValueError: a name with NUL
        raise unreadable(path, error) from None


def unreadable(path, error):
    reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    return InputError(f"cannot be read: {one_line(reason)[:200]}", printable(path))


def is_stream(source: str) -> bool:
    """Whether a source is standard input or a pipe, which may bring its puzzles slowly."""
    with suppress(OSError, ValueError):
        return source == "-" or stat.S_ISFIFO(os.stat(source).st_mode)
    return False


def keep_apart(sources: Iterable[object], output: object) -> None:
    """Raise `InputError` if the file to write, or standard output (1), is also read."""
    target = _identity(output)
    files = (source for source in sources if isinstance(source, str | os.PathLike))
    for file in files:  # a table or an array is none
        if target and _identity(0 if file == "-" else file) == target:
            raise InputError("is read: name another file to write to", printable(file))


def _identity(file):
    """Return device and inode of a regular file, the same for all its names; else None."""
    with suppress(OSError, TypeError, ValueError):
        status = os.stat(file)
        return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def decoded(data: bytes, name: str) -> str:
    """Return the data of a file as text; `InputError` if they are none."""
    if b"\0" in data:
        remedy = "save a spreadsheet as CSV UTF-8, unpack an archive"
        raise InputError(f"a binary file: {ALLOWED}", name, remedy=remedy)
    return characters(data)


def characters(data: bytes) -> str:
    """Return bytes as text: UTF-8, or else Latin-1, as comments may be."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
