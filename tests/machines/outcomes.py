"""Print status, steps and solution of some runs, which must be the same on every machine."""

import platform
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numba
import numpy as np

from antdoku import read, solve_grids, solvers
from antdoku.contract import random_puzzle
from antdoku.runs.run import Call, run_once

# Order, and share of the cells that are given. Most solvers need more steps for the last.
PUZZLES = (2, 0.3), (3, 0.35), (4, 0.48), (5, 0.55), (5, 0.45)
STEPS = 20_000
QUICK_STEPS = {"cp_sa": 1_000_000, "ga": 1_000_000, "sa": 1_000_000}  # a second or less
NEED_LIBRARIES = {"auto", "cdcl", "cpsat"}  # of the extra `baselines`


def outcomes(name):
    """Return a line for each order: status, steps and solution."""
    if name == "solve_grids":
        grids = np.array([puzzle.givens for puzzle in read("named:all")])
        return [f"{name} {[array.tolist() for array in solve_grids(grids, limit=50)]}"]
    lines, params, steps = [], solvers.make_params(name, {}), QUICK_STEPS.get(name, STEPS)
    for order, fixed in PUZZLES:
        run = run_once(Call(random_puzzle(order, fixed, 7), name, params, 1, None, steps))
        solution = None if run.solution is None else run.solution.ravel().tolist()
        lines.append(f"{name} {order} {run.status} {run.steps} {solution} {run.message}")
    return lines


if __name__ == "__main__":
    print(platform.machine(), f"numpy {np.__version__} numba {numba.__version__}", file=sys.stderr)
    names = sys.argv[1:] or [*sorted({*solvers.shipped()} - NEED_LIBRARIES), "solve_grids"]
    fork = get_context("fork")  # under QEMU no process can start a program
    with ProcessPoolExecutor(mp_context=fork) as pool:
        for lines in pool.map(outcomes, names):
            print(*lines, sep="\n", flush=True)
