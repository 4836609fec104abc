"""The history of a colony of ACS: its state after each iteration of a run.

Traces show how the best grid grows, and where it stagnates.

Glossary: best grid = the one with most fixed cells so far; held grid = the one whose pheromone is
reinforced, which may be worse where best-value evaporation has let go of a better one.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.columns import RUN_COLUMNS
from antdoku.files import write_table
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.job import tasks
from antdoku.runs.recording import checkpoints, follow

ITERATIONS = 10_000
PER_DECADE = 10  # of the iterations that are recorded
SOLVERS = ("acs", "acs_closure")  # with colonies
OF_RUN = ("instance_id", "order", "fixed_fraction", "variant", "solver", "label")
NUMBERS = ("n_cells", "iteration", "best_fixed", "held_fixed")
COLUMNS = {name: RUN_COLUMNS[name] for name in OF_RUN} | dict.fromkeys(NUMBERS, "int64")
COLUMNS["solved"] = "bool"


def trace(puzzle: Puzzle, params, seed: int, iterations: int = ITERATIONS) -> pd.DataFrame:
    """Return the state of a colony at each of the `checkpoints`; a solution stays to the end."""
    colonies = islice(follow(puzzle, params, np.random.default_rng(seed)), iterations)
    fixed = [(best, np.count_nonzero(colony.best)) for colony, best in colonies]
    marks = checkpoints(iterations, PER_DECADE)
    # A run that ends early ends with the solution.
    rows = [fixed[min(mark, len(fixed)) - 1] for mark in marks]
    table = pd.DataFrame(rows, columns=["best_fixed", "held_fixed"])
    return table.assign(iteration=marks, solved=table["best_fixed"] == puzzle.n_cells)


def write_traces(
    plan: pd.DataFrame, instances: pd.DataFrame, output: str | Path, jobs: int = 1
) -> None:
    """Trace the first run of each variant with colonies on each instance, and write the table.

    `plan` has the runs on one family. The threads (`jobs`) speed it up, as most time is spent in
    kernels.
    """
    rows = plan[plan["solver"].isin(SOLVERS) & (plan["repetition"] == 0)]
    # A trace is as long as its run, if a part of the paper's work ends the run. The other traces
    # are as long as the longest of these.
    share = rows["reach"].clip(upper=1.0)
    rows = rows.assign(reach=share.fillna(share.max()).fillna(1.0))

    def traced(task):
        puzzle = read_integers(task["puzzle"], task["instance_id"])
        iterations = round(ITERATIONS * task["reach"])
        table = trace(puzzle, task["values"], task["seed"], iterations)
        return table.assign(n_cells=puzzle.n_cells, **{name: task[name] for name in OF_RUN})

    with ThreadPoolExecutor(jobs) as pool:
        frames = list(pool.map(traced, tasks(rows, instances).values()))
    table = pd.concat([pd.DataFrame(columns=list(COLUMNS)), *frames], ignore_index=True)
    write_table(table[list(COLUMNS)].astype(COLUMNS), output)
