"""CP-SAT: the puzzle as a constraint program, for a modern solver.

Each cell is an integer variable, whose domain is the candidates that the initial propagation
leaves. Each unit is an all-different constraint, which CP-SAT rewrites before its search: each
value stands exactly once.

Reference: Perron & Furnon, OR-Tools (Google).

Glossary: model = variables and constraints, built before the search starts. A step is one conflict.
The search is one call, which cannot pause; a thread that reads the budget's clock ends it. One
worker, so that a run is reproducible.
"""

import threading

import numpy as np

from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.kernels.closure import closure
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, units
from antdoku.solvers._local import decided, values_of
from antdoku.solvers._parameters import integer, parameters

try:
    from ortools.sat.python import cp_model
except ModuleNotFoundError:
    raise InputError("needs OR-Tools: pip install 'antdoku[baselines]'", "solver cpsat") from None

TITLE = "CP-SAT"
KIND = "exact"
LIBRARIES = ("ortools",)

PAUSE_S = 0.01  # between two readings of the clock


@parameters
class Params:
    """Parameters of CP-SAT."""

    linearization = integer(1, 0, 2, "``linearization_level`` of CP-SAT.")


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Run CP-SAT until it finds a solution or proves that none exists, or the budget is used up."""
    candidates, consistent = closure(puzzle)
    if outcome := decided(values_of(candidates), consistent, KIND):
        return outcome
    model, cells = cp_model.CpModel(), []
    for row in candidates:
        domain = cp_model.Domain.from_values((np.flatnonzero(row) + 1).tolist())
        cells.append(model.new_int_var_from_domain(domain, ""))
    for unit in units(puzzle.order):
        model.add_all_different([cells[cell] for cell in unit])
    for _ in budget.slices():
        return _search(model, cells, params, rng, budget)
    return Outcome(TIMEOUT, None, 0)


def _search(model, cells, params, rng, budget):
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = params.linearization
    solver.parameters.random_seed = int(rng.integers(2**31))
    solver.parameters.max_number_of_conflicts = budget.step_limit
    ended = threading.Event()
    watch = threading.Thread(target=_stop_in_time, args=(solver, budget, ended))
    watch.start()
    try:
        status = solver.solve(model)
    finally:
        ended.set()
        watch.join()
    budget.spend(min(solver.num_conflicts, budget.step_limit))
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        values = np.array([solver.value(cell) for cell in cells], np.int16)
        return Outcome(SOLVED, values, budget.steps)
    return Outcome(EXHAUSTED if status == cp_model.INFEASIBLE else TIMEOUT, None, budget.steps)


def _stop_in_time(solver, budget, ended):
    """Stop the search when the time of the budget is over; return when the search has ended."""
    while not ended.wait(PAUSE_S):
        if budget.cpu_s >= budget.cpu_limit:
            solver.stop_search()
