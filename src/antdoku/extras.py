"""Packages of extras: a message says what to install if one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from antdoku.errors import InputError

EXTRAS = dict.fromkeys(("pandas", "pyarrow", "scipy"), "tables")
EXTRAS |= {"matplotlib": "plot", "sklearn": "studies"}


@contextmanager
def naming_extra() -> Iterator[None]:
    """Turn the failed import of such a package into an `InputError` that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        remedy = f"pip install 'antdoku[{EXTRAS[package]}]'"
        raise InputError(f"needs {package}: {remedy}") from None
