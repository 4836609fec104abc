"""What the workflow and its scripts need beside the computing: logs, messages of one line, locks.

Scripts end with the Snakemake process that called them. Snakemake's own lock stays behind when that
process is killed; a file that the system lets go of tells such a lock from that of a live one.
"""

import faulthandler
import os
import platform
import sys
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path

from antdoku.errors import InputError, one_line
from antdoku.runs.processes import end_with, hold

LOCKS = Path(".snakemake/locks")  # of Snakemake: each names files that are being made
PID = "ANTDOKU_WORKFLOW_PID"  # environment variable: the process that scripts end with
_held = []  # the file that says that a workflow is at work


@contextmanager
def one_line_errors():
    """Turn an `InputError`, or an `OSError`, into one line on standard error and exit status 2."""
    try:
        yield
    except InputError as error:
        print(f"antdoku: error: {one_line(str(error))}", file=sys.stderr)
        raise SystemExit(2) from None
    except OSError as error:  # a full disk, above all
        place = f"{error.filename}: " if error.filename else ""
        reason = one_line(f"{place}{error.strerror or error}")
        print(f"antdoku: error: {reason}", file=sys.stderr)
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


def by_paper(names: Iterable[str], experiments: Iterable[str]) -> dict[str, list[str]]:
    """Tables or figures by what their names begin with: an experiment, or else their first word."""
    papers = tuple(experiments)
    found = {}
    for name in names:
        paper = next((paper for paper in papers if name.startswith(paper)), name.split("_")[0])
        found.setdefault(paper, []).append(name)
    return found


def clear_locks(name: str) -> None:
    """Remove the locks that a workflow `name` has left that was killed; say if one is at work."""
    if _held:  # closing the file would let go of it
        return
    with _mark(name) as mark:
        machine, free = mark.read().partition(" ")[0], hold(mark)
        if free is False:
            print(f"antdoku: {_at_work(name, mark)}", file=sys.stderr)
        # Not all file systems know what another machine holds.
        locks = _locks(name) if free and machine == platform.node() else []
    for lock in locks:
        lock.unlink(missing_ok=True)
    if locks:
        print(f"antdoku: results/{name}: goes on where a killed workflow was", file=sys.stderr)


def begin(name: str) -> None:
    """Mark the workflow `name` as at work, as long as this process lives.

    Snakemake has looked at its own locks before; they do not always tell, as each workflow that
    ends removes those of all others in the folder.

    Raises
    ------
    InputError
        If another process is at work on it.
    """
    mark = _mark(name)
    free = hold(mark)
    if free is False:
        raise InputError(_at_work(name, mark))
    if free:
        mark.truncate(0)
        mark.write(f"{platform.node()} {os.getpid()}")
        mark.flush()
        _held.append(mark)  # open, and so held, until the process ends


def _mark(name):
    LOCKS.parent.mkdir(exist_ok=True)
    mark = open(LOCKS.parent / f"antdoku-{name}", "a+")
    mark.seek(0)
    return mark


def _at_work(name, mark):
    mark.seek(0)
    machine, _, pid = mark.read().partition(" ")
    return f"results/{name}: a workflow is at work there: process {pid} on {machine}"


def _locks(name):
    """Locks of Snakemake on files of a workflow."""
    return [lock for lock in LOCKS.glob("*") if f"results/{name}/" in lock.read_text()]
