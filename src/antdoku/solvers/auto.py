"""The default solver: fast on most puzzles, and able to prove that there is no solution.

Order 2 is backtracking, order 3 the search in lanes: `solve` uses one lane, `solve_grids` all.
Larger puzzles get a sequence of short searches, each from its beginning. The first is backtracking.
Then tabu search and conflict-driven clause learning (CDCL) alternate: tabu search is fast if there
are many solutions, CDCL if there are few or none. Both get about the same time, which doubles from
pair to pair; the first pair gets the time that building the clauses takes. So the loss is a small
multiple of the time of the better one alone (``benchmarks/auto.py``). Backtracking replaces CDCL if
PySAT is not installed, or if the clauses would not fit into memory.

References: Huberman, Lukose & Hogg 1997, "An economics approach to hard computational problems"
(Science 275), on portfolios of algorithms; Luby, Sinclair & Zuckerman 1993, "Optimal speedup of Las
Vegas algorithms" (Inf. Process. Lett. 47), on restarts.

Glossary: search = a run of one of the solvers from its beginning, limited in steps. A step is a
step of the current search: a try of backtracking, a move or a conflict; at order 3 it is one guess.

Naive twin of the search in lanes: tests/naive/lanes.py.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from types import ModuleType

import numpy as np

from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.kernels import lanes
from antdoku.kernels.bits import MASK_ORDERS
from antdoku.kernels.closure import closure
from antdoku.outcome import TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, units_of_cell
from antdoku.solvers import bs_closure, tabu_col
from antdoku.solvers._local import FOUND, REFUTED, RUNNING, decided, run_kernel, values_of
from antdoku.solvers._parameters import parameters

try:
    from antdoku.solvers import cdcl
except InputError:
    cdcl = None

TITLE = "Auto"
KIND = "exact"
LIBRARIES = cdcl.LIBRARIES if cdcl else ()

# Steps of a search, 15 to 30 ms at order 5 and some 100 from 6 on: there each call of CDCL takes
# tens of milliseconds before its first conflict.
TRIES = 25_000
MOVES, CONFLICTS = 100_000, 500
MOVES_FROM_6, CONFLICTS_FROM_6 = 400_000, 600
# The first search takes 2 ms; at order 4 it takes 20 ms, as the clauses would, and mostly solves.
FIRST_TRIES, FIRST_TRIES_AT_4 = 3000, 40_000
MOST_CLAUSES = 3_000_000  # about a gigabyte
MOVES_PER_CLAUSE = 2  # which take as long as building the clause


@parameters
class Params:
    """This solver has no parameters."""


def parts(order: int) -> tuple[str, ...]:
    """Return the solvers that are called at an order: their kernels must be compiled."""
    return {2: ("bs_closure",), 3: ()}.get(order, ("bs_closure", "tabu_col"))


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Search until a solution is found, a search proves that none exists, or the budget ends."""
    if puzzle.order == 3:
        return _solve_in_lanes(puzzle, budget)
    if puzzle.order == 2:
        return bs_closure.solve(puzzle, bs_closure.Params(), rng, budget)
    candidates, consistent = closure(puzzle)
    if outcome := decided(values_of(candidates), consistent, KIND):
        return outcome
    searches = _searches(candidates, puzzle.order)
    for _ in budget.slices():
        solver, steps = next(searches)
        outcome = solver.solve(puzzle, solver.Params(), rng, budget.part(steps))
        budget.spend(outcome.steps)
        if outcome.status != TIMEOUT:
            return replace(outcome, steps=budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


def _solve_in_lanes(puzzle, budget):
    """Search in one lane, as `antdoku.bulk` does in each."""
    grids = puzzle.givens.astype(np.uint8)[None]
    search, answers = lanes.new_search(), lanes.new_answers(1)

    def advance(quota):
        steps = lanes.advance(search, grids, answers, 1, lanes.NO_LIMIT, quota)
        unsolved = RUNNING if search.sets[lanes.ACTIVE] else REFUTED
        return steps, FOUND if answers.counts[0] else unsolved

    return run_kernel(budget, advance, (), lambda: answers.solutions[0].astype(np.int16))


def _searches(candidates: np.ndarray, order: int) -> Iterator[tuple[ModuleType, int]]:
    """Yield the solver of each search and its limit in steps, given the candidates of `closure`."""
    moves, conflicts = (MOVES_FROM_6, CONFLICTS_FROM_6) if order >= 6 else (MOVES, CONFLICTS)
    exact, steps, times = None, TRIES, 1
    if order in MASK_ORDERS:
        exact = bs_closure
        yield exact, FIRST_TRIES_AT_4 if order == 4 else FIRST_TRIES
    n_clauses = _count_clauses(candidates, order)
    if cdcl and n_clauses <= MOST_CLAUSES:
        exact, steps, times = cdcl, conflicts, max(1, n_clauses * MOVES_PER_CLAUSE // moves)
    for doublings in count():
        yield tabu_col, moves * times << doublings
        if exact:
            yield exact, steps * times << doublings


def _count_clauses(candidates, order):
    """Return about how many clauses `cdcl` makes: one for each pair of candidates of a group."""
    cells, values = np.nonzero(candidates)
    of_unit = units_of_cell(order)[cells].astype(np.int64) * order**2 + values[:, None]
    sizes = np.r_[candidates.sum(axis=1), np.bincount(of_unit.ravel())]
    return int((sizes * (sizes - 1) // 2).sum())
