"""Thresholds of random deletions from complete grids.

The cells of a complete grid are blanked one after the other, in a random sequence. More givens
never weaken propagation, nor do they add a solution. So each sequence has three thresholds: the
fewest givens with which propagation alone solves the grid, with which it fixes nine cells of ten,
and with which the grid has one solution. Bisection finds them. The distribution of a threshold over
many sequences is the whole curve of a phase transition.

Glossary: sequence = the cells of a grid in the order in which they are kept: the first k are givens
(int64, shape (c,)).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.budget import Budget
from antdoku.files import write_table
from antdoku.kernels.bits import without_lowest
from antdoku.kernels.closure import closure
from antdoku.kernels.compilation import kernel
from antdoku.kernels.propagation import geometry, load, new_queue, new_state
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.writing import read_integers
from antdoku.solvers import dlx

SEQUENCES = 34  # of each grid
FOLLOWED = 4  # sequences of each grid whose uniqueness is decided
MOSTLY = 0.9  # of the cells, givens included
MOST_NODES = 200_000  # of a search for a second solution
COLUMNS = {
    "experiment": "str",
    "instance_id": "str",
    "order": "int64",
    "source": "str",
    "sequence": "int64",
    "n_cells": "int64",
    "solved_givens": "int64",  # the fewest with which propagation solves the grid
    "mostly_givens": "int64",  # the fewest with which it fixes MOSTLY of the cells
    "unique_givens": "float64",  # the fewest with one solution; NaN: not followed
    "n_undecided": "int64",  # searches for a second solution that ended early
}


def propagated_givens(solution: np.ndarray, sequence: np.ndarray, share: float = 1.0) -> int:
    """Return the fewest givens with which propagation fixes a share of the cells, by default all.

    `solution` is a complete grid of order 2 to 8, int16, shape (c,); `sequence` as in the glossary.
    """
    order = round(solution.size**0.25)
    state, queue, givens = new_state(order), new_queue(order), np.zeros_like(solution)
    most_open = int((1 - share) * solution.size)
    return int(_bisect(state, geometry(order), queue, givens, solution, sequence, most_open))


@kernel
def _bisect(state, geometry, queue, givens, solution, sequence, most_open):
    """Bisect the number of givens that leave `most_open` cells open or fewer.

    `givens` is a work array like `solution`.
    """
    low, high = -1, len(sequence)  # too few givens, and enough
    while high - low > 1:
        middle = (low + high) // 2
        givens.fill(0)
        for number in range(middle):
            givens[sequence[number]] = solution[sequence[number]]
        load(state, geometry, queue, givens)
        n_open = 0
        for cell in range(geometry.n_cells):
            n_open += without_lowest(state[cell]) != 0
        if n_open <= most_open:
            high = middle
        else:
            low = middle
    return high


def unique_givens(
    solution: np.ndarray, sequence: np.ndarray, enough: int, max_nodes: int = MOST_NODES
) -> tuple[int, int]:
    """Return the fewest givens with which a grid has one solution, and the undecided searches.

    `enough` givens are known to have one. A search that ends undecided after `max_nodes` nodes of
    dancing links counts as if there were more solutions.
    """
    undecided = set()

    def is_unique(n_givens):
        number, is_certain = _count(solution, sequence[:n_givens], max_nodes)
        if not is_certain:
            undecided.add(n_givens)
        return is_certain and number == 1

    return _first_from_above(is_unique, enough), len(undecided)


def _first_from_above(holds: Callable[[int], bool], high: int) -> int:
    """Return the least k for which `holds`, which is true from some k on and for `high`.

    The steps down from `high` double until it does not hold: the threshold is near.
    """
    step, low = 1, high - 1
    while low >= 0 and holds(low):
        high, step = low, 2 * step
        low = high - step
    low = max(low, -1)
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def _count(solution, cells, max_nodes):
    """Return the number of solutions, up to 2, with the givens in `cells`; whether it is certain.

    Propagation first leaves a small search.
    """
    givens = np.zeros_like(solution)
    givens[cells] = solution[cells]
    order = round(solution.size**0.25)
    candidates, _ = closure(Puzzle(order, givens))
    is_fixed = candidates.sum(axis=1) == 1
    if is_fixed.all():
        return 1, True
    rest = Puzzle(order, np.where(is_fixed, solution, 0))
    return dlx.count(rest, 2, Budget(max_steps=max_nodes))


def write_thresholds(instances: pd.DataFrame, output: str | Path, jobs: int = 1) -> None:
    """Measure the thresholds of all complete grids among `instances`, and write the table.

    The sequences of a grid derive from its seed. Most time is spent in kernels, so that `jobs`
    threads speed it up.
    """
    complete = instances[instances["fixed_fraction"] == 1]
    with ThreadPoolExecutor(jobs) as pool:
        frames = list(pool.map(_of_grid, complete.to_dict("records")))
    table = pd.concat([pd.DataFrame(columns=list(COLUMNS)), *frames], ignore_index=True)
    write_table(table[list(COLUMNS)].astype(COLUMNS), output)


def _of_grid(row):
    """Return the thresholds of the grid in a row of an instance table."""
    solution = read_integers(row["puzzle"], row["instance_id"]).givens
    rng = np.random.default_rng(row["seed"])
    rows = []
    for number in range(SEQUENCES):
        sequence = rng.permutation(solution.size)
        solved = propagated_givens(solution, sequence)
        mostly, unique, n_undecided = propagated_givens(solution, sequence, MOSTLY), np.nan, 0
        if number < FOLLOWED:
            unique, n_undecided = unique_givens(solution, sequence, solved)
        rows.append((number, solved, mostly, unique, n_undecided))
    names = ["sequence", "solved_givens", "mostly_givens", "unique_givens", "n_undecided"]
    facts = {name: row[name] for name in ("experiment", "instance_id", "order", "source")}
    return pd.DataFrame(rows, columns=names).assign(n_cells=solution.size, **facts)
