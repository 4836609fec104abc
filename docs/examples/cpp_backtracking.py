"""Backtracking by a C++ program that stays open: a puzzle per line in, an answer per line out."""

import subprocess
from functools import cache
from pathlib import Path

import numpy as np

from antdoku.solver import Outcome

KIND = "exact"
ALWAYS_ENDS = False  # hard puzzles may keep it busy for ever
FILES = ["backtracking.cpp"]  # besides this file, the result depends on it
SOURCE = Path(__file__).with_name(FILES[0])
PROGRAM = SOURCE.with_suffix(".program")

if not PROGRAM.exists() or PROGRAM.stat().st_mtime < SOURCE.stat().st_mtime:
    subprocess.run(["c++", "-O2", "-o", PROGRAM, SOURCE], check=True)  # outside of any run


@cache
def program():
    """Start the program, once per process: starting takes longer than an easy puzzle."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([PROGRAM], **pipes)


def solve(puzzle, params, rng, budget):
    """Send the puzzle to the program in a line, and read the line of its answer."""
    child, seed = program(), rng.integers(2**32)
    limits = budget.step_limit, min(budget.cpu_limit, 1e9)
    print(puzzle.order, *limits, seed, *puzzle.givens, file=child.stdin, flush=True)
    if not (line := child.stdout.readline()):
        raise RuntimeError(f"{PROGRAM.name} ended: exit status {child.wait()}")
    status, steps, *values = line.split()
    return Outcome(status, np.array(values, int) if values else None, int(steps))
