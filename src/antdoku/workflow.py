"""What the workflow and its scripts need beside the computing: logs, messages of one line, locks.

Scripts end with the Snakemake process that called them. Snakemake's own lock stays behind when that
process is killed; a file that the system lets go of tells such a lock from that of a live one.
"""

import faulthandler
import os
import platform
import sys
from contextlib import contextmanager
from pathlib import Path

from antdoku.errors import InputError
from antdoku.processes import end_with, hold

LOCKS = Path(".snakemake/locks")  # of Snakemake: each names files that are being made
PID = "ANTDOKU_WORKFLOW_PID"  # environment variable: the process that scripts end with
_held = []  # the file that says that a workflow is at work


@contextmanager
def one_line_errors():
    """Turn an `InputError`, or an `OSError`, into one line on standard error and exit status 2."""
    try:
        yield
    except InputError as error:
        print(f"antdoku: error: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except OSError as error:  # a full disk, above all
        place = f"{error.filename}: " if error.filename else ""
        print(f"antdoku: error: {place}{error.strerror or error}", file=sys.stderr)
        raise SystemExit(2) from None


@contextmanager
def logged(log):
    """Send all that a script prints to the file `log`, bad input as one line."""
    # Not closed here: a traceback is printed when the script is left.
    sys.stdout = sys.stderr = open(log, "w", buffering=1)
    faulthandler.enable(sys.stderr)  # a crash of compiled code leaves a trace, too
    if PID in os.environ:
        end_with(int(os.environ[PID]))
    with one_line_errors():
        yield


def begin(name: str) -> None:
    """Mark the workflow `name` as at work, as long as this process lives.

    Removes the locks that a killed one has left, and says so if another one is at work.
    """
    if _held:
        return
    LOCKS.parent.mkdir(exist_ok=True)
    file = open(LOCKS.parent / f"antdoku-{name}", "a+")
    file.seek(0)
    machine, _, pid = file.read().partition(" ")
    locks = [lock for lock in LOCKS.glob("*") if f"results/{name}/" in lock.read_text()]
    free = hold(file)
    if free is False and locks:
        message = f"results/{name}: a workflow is at work there: process {pid} on {machine}"
        print(f"antdoku: error: {message}", file=sys.stderr)
    # Not all file systems know what another machine holds.
    if free and locks and machine == platform.node():
        for lock in locks:
            lock.unlink()
        print(f"antdoku: results/{name}: goes on where a killed workflow was", file=sys.stderr)
    if free:
        file.truncate(0)
        file.write(f"{platform.node()} {os.getpid()}")
        file.flush()
        _held.append(file)  # open, and so held, until the process ends
