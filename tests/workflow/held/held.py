"""Lets a test hold the jobs of a workflow, whose script of runs imports it (`make_project`).

A job stops before its first run while the file `HOLD` says 0; the file `BEGUN` tells that it has
begun. It stops after a run while `HOLD` exists and the journals of its folder have at least as many
lines as it says.
"""

import os
import time
from pathlib import Path

from antdoku.runs.job import Journal

HOLD = Path(os.environ["ANTDOKU_TEST_HOLD"])
BEGUN = HOLD.with_name("begun")
add = Journal.add


def add_and_wait(journal, key, row):
    """Add a row to a journal, and wait until the test lets the job go on."""
    add(journal, key, row)
    while is_held():
        time.sleep(0.02)


def is_held():
    """Whether the journals have enough lines for the job to stop."""
    try:
        n_lines = int(HOLD.read_text())
    except FileNotFoundError:
        return False
    journals = HOLD.parent.glob("results/*/journals/*/*.jsonl")
    return sum(journal.read_bytes().count(b"\n") for journal in journals) >= n_lines


Journal.add = add_and_wait
BEGUN.touch()
while HOLD.exists() and HOLD.read_text() == "0":
    time.sleep(0.02)
