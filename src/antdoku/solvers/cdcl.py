"""Conflict-driven clause learning: the puzzle as a SAT instance, for modern solvers.

A variable says that a cell has a value; there is one for each candidate that the initial
propagation leaves. Clauses: at least one and at most one value for a cell (direct encoding), and at
least one and at most one place for a value in a row, a column and a box; "at least one place" is
implied, but it is what makes unit propagation find hidden singles.

Reference: Lynce & Ouaknine 2006, "Sudoku as a SAT problem" (AIMATH), the extended encoding. The
engines: Glucose, Audemard & Simon 2009 (IJCAI); CaDiCaL, Biere et al. 2024, "CaDiCaL 2.0" (CAV);
both by way of PySAT, Ignatiev, Morgado & Marques-Silva 2018 (SAT).

Glossary: group = the variables of a cell, or of a value in a unit; exactly one of them is true.
A step is one conflict. An interrupted search continues with a restart. So the engine always works
in calls of 1,000 conflicts, and a run does not depend on the slices of the budget.
"""

import gc
from collections.abc import Iterator

import numpy as np

from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.kernels.closure import closure
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle, units_of_cell
from antdoku.solvers._local import FOUND, REFUTED, RUNNING, decided, run_kernel, values_of
from antdoku.solvers._parameters import parameters, word

try:
    from pysat.solvers import Solver
except ModuleNotFoundError:
    raise InputError("needs PySAT: pip install 'antdoku[baselines]'", "solver cdcl") from None

TITLE = "CDCL"
KIND = "exact"
LIBRARIES = ("python-sat",)

CALL = 1000  # conflicts: 10 - 50 ms at order 5


@parameters
class Params:
    """Parameters of CDCL."""

    engine = word(
        "glucose42",
        {"glucose42": "Glucose 4.2", "cadical195": "CaDiCaL 1.9.5"},
        "The SAT solver, with its own defaults.",
    )


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Run the engine until it finds a solution, proves that no solution exists, or time is up."""
    candidates, consistent = closure(puzzle)
    if outcome := decided(values_of(candidates), consistent, KIND):
        return outcome
    cells, values = np.nonzero(candidates)

    def solution():
        true, grid = np.array(engine.get_model()) > 0, np.zeros(puzzle.n_cells, np.int16)
        grid[cells[true]] = values[true] + 1
        return grid

    with _engine(params.engine, cells, values, puzzle.order) as engine:
        return run_kernel(budget, _call, (engine, budget), solution)


def _engine(name, cells, values, order):
    was_enabled = gc.isenabled()
    gc.disable()  # it would search up to a million small lists for cycles, again and again
    try:
        return Solver(name=name, bootstrap_with=clauses(cells, values, order))
    finally:
        if was_enabled:
            gc.enable()


def clauses(cells: np.ndarray, values: np.ndarray, order: int) -> Iterator[list[int]]:
    """Yield the clauses of n candidates, `cells` and `values` from 0, shape (n,).

    Variable k + 1 is candidate k. Kinds of groups come one after the other: all 750,000 clauses of
    a blank 25x25 grid would take 100 MB.
    """
    size, variables = order**2, np.arange(1, len(cells) + 1)
    of_unit = units_of_cell(order)[cells] * size + values[:, None]
    first_unit_group = size * size  # after the groups of the cells
    for group in (cells, *(first_unit_group + of_unit).T):
        yield from _exactly_one(variables, group)


def _exactly_one(variables, group):
    """Return clauses that make exactly one variable of each group true; `group` numbers them."""
    by_group = np.argsort(group, kind="stable")
    sizes = np.unique(group, return_counts=True)[1]
    members = np.split(variables[by_group], np.cumsum(sizes)[:-1])
    clauses = []
    for size in np.unique(sizes):
        # All groups of one size at once: one row a group.
        rows = np.array([row for row in members if len(row) == size])
        first, second = np.triu_indices(size, 1)
        pairs = np.stack([-rows[:, first], -rows[:, second]], axis=-1)
        clauses += rows.tolist() + pairs.reshape(-1, 2).tolist()
    return clauses


def _call(engine, budget, _):
    """Search for up to `CALL` conflicts; return their number and the result."""
    before = engine.accum_stats()["conflicts"]
    quota = min(CALL, budget.step_limit - budget.steps)
    engine.conf_budget(quota)
    answer = engine.solve_limited()
    n_conflicts = engine.accum_stats()["conflicts"] - before
    if answer is None:
        return quota, RUNNING
    # An engine may finish its current conflict: never report more steps than allowed.
    return min(quota, n_conflicts), FOUND if answer else REFUTED
