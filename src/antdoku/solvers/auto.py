"""The default solver: fast on most puzzles, and able to prove that there is no solution.

Order 2 is backtracking, order 3 is the search in lanes, in one lane. Larger orders get short
searches one after the other, each from its beginning. The first is backtracking. Then tabu search
and conflict-driven clause learning (CDCL) alternate: tabu search is fast where there are many
solutions, CDCL where there are few or none. Both get about the same time, which doubles each time
and begins with the time that building the clauses takes. So the total is a small multiple of the
time of the better one alone (``benchmarks/auto.py``). Backtracking replaces CDCL without PySAT, and
where the clauses would not fit into memory.

References: Huberman, Lukose & Hogg 1997, "An economics approach to hard computational problems"
(Science 275), on portfolios of algorithms; Luby, Sinclair & Zuckerman 1993, "Optimal speedup of Las
Vegas algorithms" (Inf. Process. Lett. 47), on restarts.

Glossary: search = a run of one of the solvers from its beginning, limited in steps. A step is a
step of the current search: a try of backtracking, a move or a conflict; at order 3 it is one guess.
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
# The first search takes two milliseconds, or twenty at order 4 (as building the clauses would),
# where it mostly suffices.
FIRST_TRIES, FIRST_TRIES_AT_4 = 3000, 40_000
MOST_CLAUSES = 3_000_000  # about a gigabyte
MOVES_PER_CLAUSE = 2  # which take as long as building it


@parameters
class Params:
    """No parameters."""


def parts(order: int) -> tuple[str, ...]:
    """Return the solvers that are called at an order, which must be compiled."""
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
    """The search that `batch` does with many puzzles at once."""
    grids = puzzle.givens.astype(np.uint8)[None]
    search, answers = lanes.new_search(), lanes.new_answers(1)

    def advance(quota):
        steps = lanes.advance(search, grids, answers, 1, lanes.NO_LIMIT, quota)
        left = RUNNING if search.sets[lanes.ACTIVE] else REFUTED
        return steps, FOUND if answers.counts[0] else left

    return run_kernel(budget, advance, (), lambda: answers.solutions[0].astype(np.int16))


def _searches(candidates: np.ndarray, order: int) -> Iterator[tuple[ModuleType, int]]:
    """Yield the solver of each search, and its steps; `candidates` comes from `closure`."""
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
    """Return about the number of clauses of `cdcl`: one for each pair of candidates of a group."""
    cells, values = np.nonzero(candidates)
    of_unit = units_of_cell(order)[cells].astype(np.int64) * order**2 + values[:, None]
    sizes = np.r_[candidates.sum(axis=1), np.bincount(of_unit.ravel())]
    return int((sizes * (sizes - 1) // 2).sum())
