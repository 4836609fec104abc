"""Backtracking by a C++ program: a line with the puzzle in, a line with the answer out."""

import subprocess
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


def solve(puzzle, params, rng, budget):
    """Run the program on a puzzle; it keeps the limits itself."""
    limits = budget.step_limit, min(budget.cpu_limit, 1e9)
    line = " ".join(map(str, [puzzle.order, *limits, rng.integers(2**32), *puzzle.givens]))
    run = subprocess.run([PROGRAM], input=line, capture_output=True, check=True, text=True)
    status, steps, *values = run.stdout.split()
    return Outcome(status, np.array(values, int) if values else None, int(steps))
