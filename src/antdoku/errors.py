"""The one exception that bad input raises, and how messages are written."""

import faulthandler
import os
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from errno import ENOSPC
from importlib.util import find_spec
from itertools import islice, takewhile
from numbers import Integral, Real
from pathlib import Path
from threading import Timer

MOST_NAMES = 50  # in a message
LONGEST = 300  # characters of an exception of a user's code in a message
RETRY_S = 0.05  # seconds until Ctrl-C is tried again
# The extra of the package that installs each package.
EXTRAS = dict.fromkeys(("pandas", "pyarrow", "scipy"), "tables")
EXTRAS |= {"matplotlib": "plot", "sklearn": "studies"}


class InputError(ValueError):
    """Input that cannot be used: a puzzle, a parameter, a file or a configuration.

    Its text is one line, ``place:line: what; remedy``. The command line prints it and exits with
    status 2. A notebook shows it without a traceback.

    Parameters
    ----------
    what : str
        What is wrong, and what is allowed.
    place : str, optional
        The file, argument, solver or parameter that is wrong.
    line : int or str, optional
        The number of the line, or the row: ``row 3`` of a table.
    remedy : str, optional
        What the user may do.
    """

    def __init__(
        self,
        what: str,
        place: str | None = None,
        line: int | str | None = None,
        remedy: str | None = None,
    ):
        super().__init__(what, place, line, remedy)  # `pickle` passes these on
        self.what, self.place, self.line, self.remedy = what, place, line, remedy

    def __str__(self):
        place = at_line(self.place or "", self.line)
        text = f"{place}: {self.what}" if place else self.what
        return f"{text}; {self.remedy}" if self.remedy else text

    def _render_traceback_(self):
        """Return the lines that a notebook shows: IPython asks for them in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]

    def at(self, place: str, line: int | str | None = None) -> "InputError":
        """Return the same error at a place, and a line, that enclose its own."""
        if self.place is None:
            return InputError(self.what, place, self.line if line is None else line, self.remedy)
        what = f"{at_line(self.place, self.line)}: {self.what}"
        return InputError(what, place, line, self.remedy)


def at_line(place: str, line: int | str | None) -> str:
    """Return the text of a place and a line: ``in.txt:3``, ``in.csv: row 3``."""
    if line is None:
        return place
    if isinstance(line, int):
        return f"{place}:{line}" if place else f"line {line}"
    return f"{place}: {line}" if place else line


@contextmanager
def one_line_errors():
    """Turn an `InputError`, or an `OSError`, into one line on standard error and exit status 2.

    Ctrl-C is exit status 130.
    """
    try:
        yield
    except (InputError, OSError) as error:
        _print_line(f"antdoku: error: {one_line(message_of(error))}")
        raise SystemExit(2) from None
    except KeyboardInterrupt:  # a traceback would look like a fault
        raise SystemExit(130) from None


def _print_line(line: str) -> None:
    """Print a line to standard error; to the terminal if that is a file that cannot be written."""
    try:
        print(line, file=sys.stderr)
    except OSError:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        print(line, file=sys.stderr)


@contextmanager
def interrupts_after_compilation():
    """Let Ctrl-C wait for the end of a call of LLVM, in whose callbacks exceptions are lost."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # a shell may have it ignored
        signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(_, frame):
    """Raise `KeyboardInterrupt`, unless a call of LLVM goes on; then try it again soon."""
    while frame:
        if "llvmlite" in frame.f_code.co_filename:
            Timer(RETRY_S, signal.raise_signal, [signal.SIGINT]).start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


@contextmanager
def logged(log: str):
    """Redirect the output of a script of the workflow to the file `log`, bad input as one line."""
    # Not closed here: a traceback is printed when the script is left.
    sys.stdout = sys.stderr = open(log, "w", buffering=1)
    faulthandler.enable(sys.stderr)  # a crash of compiled code leaves a trace, too
    with one_line_errors(), interrupts_after_compilation(), _naming_full_disk(log):
        yield


@contextmanager
def _naming_full_disk(file):
    """Turn an exception that a full disk causes into an `OSError` that names a file on this disk.

    Matplotlib raises others while it handles the first.
    """
    try:
        yield
    except InputError:  # which names a file
        raise
    except Exception as error:
        cause = error
        while cause and getattr(cause, "errno", None) != ENOSPC:
            cause = cause.__cause__ or cause.__context__
        if not cause:
            raise
        raise OSError(ENOSPC, os.strerror(ENOSPC), cause.filename or file) from None


@contextmanager
def naming_extra(extra: str | None = None) -> Iterator[None]:
    """Turn the failed import of a package of `EXTRAS` into an `InputError` that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        remedy = f"pip install 'antdoku[{extra or EXTRAS[package]}]'"
        raise InputError(f"needs {package}: {remedy}") from None


def require(extra: str, *packages: str) -> None:
    """Raise `InputError` that names an extra of the package unless all its packages are there."""
    for package in packages:
        if find_spec(package) is None:
            raise InputError(f"needs {package}: pip install 'antdoku[{extra}]'")


def message_with_place(error: BaseException, file: str | None, name: object = None) -> str:
    """Return an exception in one line, with its last place in `file`, or in any file."""
    frames = traceback.extract_tb(error.__traceback__)
    within = [frame for frame in frames if frame.filename == file]
    place = str(name or Path(file or frames[-1].filename).name)
    if within or not file:
        place += f":{(within or frames)[-1].lineno}"
    text = _first_line(error)
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    return f"{place}: {type(error).__name__}: {text}"


def _first_line(error):
    """Return the first line of an exception; for Numba's, also the line of the code."""
    first, *lines = (line.strip(": ") for line in f"{error}\n".split("\n"))
    if not type(error).__module__.startswith("numba."):
        return first
    lines = [line for line in (first, *lines) if line and not line.startswith("Failed in nopython")]
    reason = takewhile(lambda line: not line.startswith(("File ", "During", "There are")), lines)
    file = [line for line in lines if line.startswith("File ")]
    return ", ".join([*islice(reason, 2), *file[:1]])


def message_of(error: Exception) -> str:
    """Return the text of an error; for an `OSError` the file and the reason."""
    if not isinstance(error, OSError):
        return str(error)
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"


def check_whole(name: str, value: object, lowest: int, highest: int | None = None) -> int:
    """Return the argument called `name` as int; raise `InputError` if it is not whole or in range.

    A float may stand for a whole number: 1e3.
    """
    number = as_int(value)
    is_int = isinstance(number, int) and not isinstance(number, bool)
    if not is_int or number < lowest or (highest is not None and number > highest):
        allowed = f", {lowest} or more" if highest is None else f" from {lowest} to {highest}"
        raise InputError(f"{name} {value!r}: must be a whole number{allowed}")
    return number


def one_line(text: str) -> str:
    """Return `text` in one line; signs that could disturb a terminal become escapes."""
    words = " ".join(text.split())
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words)


def several(number: int, word: str) -> str:
    """Return a number with its noun: 1 puzzle, 2 puzzles."""
    return f"{number} {word}{'s' * (number != 1)}"


def unknown(kind: str, name: object, choices: Iterable) -> str:
    """Return the text for a `name` that is not among the `choices`, with the most similar one.

    Of numbers it is the nearest one.
    """
    choices = [*choices]
    names = [*map(str, choices)]
    similar = get_close_matches(str(name).lower(), names, n=1)
    numbers = [choice for choice in choices if isinstance(choice, Real)]
    if similar and numbers and isinstance(name, Real):
        similar = [min(numbers, key=lambda number: abs(number - name))]
    hint = f" (did you mean {similar[0]}?)" if similar else ""
    listing = f"known are {', '.join(names)}" if names else "there is none"
    if len(names) > MOST_NAMES:
        nearest = get_close_matches(str(name).lower(), names, n=5, cutoff=0)
        listing = f"the nearest of {len(names)} are {', '.join(nearest)}"
    return f"unknown {kind} {name!r}{hint}: {listing}"


def quote(text: str, limit: int = 24) -> str:
    """Return `text` as it may stand in a message: quoted, printable and short."""
    return ascii(text if len(text) <= limit else text[: limit - 3] + "...")


def as_int(value: object) -> object:
    """Return a whole number of any type (3.0, NumPy's 3) as int, and any other value unchanged."""
    if isinstance(value, bool):
        return value
    is_whole = isinstance(value, Integral) or (isinstance(value, Real) and value == value // 1)
    return int(value) if is_whole else value
