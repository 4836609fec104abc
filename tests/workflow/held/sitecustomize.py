"""Lets a test hold the jobs of a workflow: Python imports this when its folder is on the path.

A job stops between two runs, when a run is on disk, as long as there is the file that `HOLD` names
and the journals beside it have at least as many lines as it says.
"""

import os
import sys
import time
from pathlib import Path

HOLD = "ANTDOKU_TEST_HOLD"
_fsync = os.fsync  # a journal calls it after each line


def _hold_after_fsync(file):
    _fsync(file)
    if HOLD in os.environ and ".run.py" in sys.argv[0]:
        while _is_held(Path(os.environ[HOLD])):
            time.sleep(0.02)


def _is_held(hold):
    try:
        most = int(hold.read_text())
    except FileNotFoundError:
        return False
    journals = hold.parent.glob("results/*/journals/*/*.jsonl")
    return sum(journal.read_bytes().count(b"\n") for journal in journals) >= most


os.fsync = _hold_after_fsync
