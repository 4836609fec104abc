"""What the workflow's scripts need beside the computing: logs, and messages of one line."""

import faulthandler
import sys
from contextlib import contextmanager

from antdoku.errors import InputError


@contextmanager
def one_line_errors():
    """Turn an `InputError` into one line on standard error and exit status 2."""
    try:
        yield
    except InputError as error:
        print(f"antdoku: error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


@contextmanager
def logged(log):
    """Send all that a script prints to the file `log`, bad input as one line."""
    # Not closed here: a traceback is printed when the script is left.
    sys.stdout = sys.stderr = open(log, "w", buffering=1)
    faulthandler.enable(sys.stderr)  # a crash of compiled code leaves a trace, too
    with one_line_errors():
        yield
