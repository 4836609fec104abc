"""Print what the solvers do, in steps, not seconds: to be the same to the bit on every machine."""

import platform
import sys

import numpy as np

from antdoku import api, solvers
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.run import run_once

PUZZLES = {  # by order; what stands for them is the same for all solvers
    order: api.read(text)
    for order, text in {2: "1...............", 3: "named:platinumblond"}.items()
}
STEPS = {2: 300, 3: 3000}

print(platform.machine(), np.__version__, file=sys.stderr)
for name in solvers.shipped():
    if solvers.get(name).__dict__.get("LIBRARIES") and name != "auto":
        continue
    for order, (puzzle,) in PUZZLES.items():
        if order in solvers.orders(name):
            run = run_once(puzzle, name, solvers.make_params(name, {}), 1, None, STEPS[order])
            solution = "" if run.solution is None else run.solution.tolist()
            print(name, order, run.status, run.steps, run.trace, solution, run.message, flush=True)
