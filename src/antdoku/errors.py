"""The one exception that bad input raises, and how messages are written."""

import faulthandler
import sys
from collections.abc import Iterable
from contextlib import contextmanager
from difflib import get_close_matches
from numbers import Integral, Real


class InputError(ValueError):
    """Input that cannot be used: a puzzle, a parameter, a file or a configuration.

    Its text is one line that names the place, what is wrong there and what is allowed. The
    command line prints it and exits with status 2.
    """


@contextmanager
def one_line_errors():
    """Turn an `InputError`, or an `OSError`, into one line on standard error and exit status 2.

    Ctrl-C is exit status 130.
    """
    try:
        yield
    except (InputError, OSError) as error:
        print(f"antdoku: error: {one_line(message_of(error))}", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:  # a traceback would look like a fault
        raise SystemExit(130) from None


@contextmanager
def logged(log: str):
    """Send all that a script of the workflow prints to the file `log`, bad input as one line."""
    # Not closed here: a traceback is printed when the script is left.
    sys.stdout = sys.stderr = open(log, "w", buffering=1)
    faulthandler.enable(sys.stderr)  # a crash of compiled code leaves a trace, too
    with one_line_errors():
        yield


def message_of(error: Exception) -> str:
    """Return the text of an error; of the system's, the file and the reason: a full disk."""
    if not isinstance(error, OSError):
        return str(error)
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"


def check_whole(name: str, value: int, least: int, most: int | None = None) -> None:
    """Raise `InputError` if the argument called `name` is no whole number, or out of its range."""
    if not isinstance(value, Integral) or value < least or (most is not None and value > most):
        allowed = f", {least} or more" if most is None else f" from {least} to {most}"
        raise InputError(f"{name} {value!r}: must be a whole number{allowed}")


def one_line(text: str) -> str:
    """`text` in one line, every sign that could disturb a terminal written as an escape."""
    words = " ".join(text.split())
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words)


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """Text for a `name` that is not among the `known` ones, with the likeliest of them."""
    known = list(known)
    similar = get_close_matches(str(name).lower(), known, n=1)
    hint = f" (did you mean {similar[0]}?)" if similar else ""
    there_are = f"known are {', '.join(known)}" if known else "there is none"
    return f"unknown {kind} {name!r}{hint}: {there_are}"


def quote(text: str, limit: int = 24) -> str:
    """Return `text` as it may stand in a message: quoted, printable and short."""
    return ascii(text if len(text) <= limit else text[: limit - 3] + "...")


def as_int(value: object) -> object:
    """Return a whole number of any type (3.0, NumPy's 3) as int, and any other value unchanged."""
    if isinstance(value, bool):
        return value
    is_whole = isinstance(value, Integral) or (isinstance(value, Real) and value == value // 1)
    return int(value) if is_whole else value
