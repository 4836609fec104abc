"""Packages that come with an extra: who lacks one is told what to install."""

from collections.abc import Iterator
from contextlib import contextmanager

from antdoku.errors import InputError

EXTRAS = dict.fromkeys(("pandas", "pyarrow", "scipy"), "tables") | {"matplotlib": "plot"}


@contextmanager
def naming_extra() -> Iterator[None]:
    """Turn a failure to import one of them, within, into an `InputError` of one line."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        remedy = f"pip install 'antdoku[{EXTRAS[package]}]'"
        raise InputError(f"needs {package}: {remedy}") from None
