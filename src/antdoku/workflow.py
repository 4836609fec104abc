"""What the workflow and its scripts need beside the computing: logs, messages of one line, a mark.

Scripts end with the Snakemake process that called them. Snakemake's own locks, which stay behind
when that process is killed, are off; the system lets go of a file that marks it as at work.
"""

import faulthandler
import os
import platform
import sys
from contextlib import contextmanager
from pathlib import Path

from antdoku.errors import InputError, one_line_errors
from antdoku.runs.processes import end_with, hold

PID = "ANTDOKU_WORKFLOW_PID"  # environment variable: the process that scripts end with
_held = []  # the file that says that a workflow is at work


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


def check_folder(checkout: str | Path) -> None:
    """Raise `InputError` in a folder without the configuration, which is not that of a checkout."""
    if not Path("config/config.yaml").exists():
        raise InputError(f"no config/config.yaml here: add --directory {checkout}")


def begin(name: str) -> None:
    """Mark the workflow `name` as at work as long as this process lives; refuse a second one."""
    mark = open(f".snakemake/antdoku-{name}", "a+")
    if not hold(mark):
        mark.seek(0)
        raise InputError(f"results/{name}: a workflow is at work there: process {mark.read()}")
    mark.truncate(0)
    mark.write(f"{os.getpid()} on {platform.node()}")
    mark.flush()
    _held.append(mark)  # open, and so held, until the process ends
