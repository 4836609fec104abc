"""The default solver: fast on most puzzles, and able to prove that there is no solution.

At order 2 it is backtracking, at order 3 the search in lanes, of which it takes one. Beyond,
backtracking has the first turn, which is enough where propagation does most of the work; then two
searches take turns, as neither is fast everywhere: tabu search where there are many solutions,
conflict-driven clause learning (CDCL) where there are few or none. Turns last about equally long,
and CDCL comes in once tabu search has worked as long as it takes to build the clauses and to have a
turn with them: so the pair takes about twice as long as the better one alone
(``benchmarks/auto.py``). Backtracking goes on in its place without PySAT, and where the clauses
would not fit into memory.

Reference: Huberman, Lukose & Hogg 1997, "An economics approach to hard computational problems"
(Science 275), on portfolios of algorithms.

Glossary: turn = a fixed number of steps of one of the searches. A step is one turn; at order 3 it
is one guess, and at order 2 one try of backtracking.
"""

from contextlib import ExitStack
from itertools import islice

import numpy as np

from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.kernels import lanes
from antdoku.kernels.bits import MASK_ORDERS
from antdoku.kernels.closure import closure
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, units_of_cell
from antdoku.solvers import bs_closure, tabu_col
from antdoku.solvers._local import decided, values_of
from antdoku.solvers._parameters import parameters
from antdoku.solvers._turns import Searcher

try:
    from antdoku.solvers import cdcl
except InputError:
    cdcl = None

TITLE = "Auto"
KIND = "exact"
LIBRARIES = cdcl.LIBRARIES if cdcl else ()
PARTS = ("bs_closure", "tabu_col")  # solvers that are called, and so have to be compiled

# Steps of a turn, 15 to 30 ms at order 5 and some 100 from 6 on: there each call of CDCL takes tens
# of milliseconds before its first conflict.
TRIES = 25_000
MOVES, CONFLICTS = 100_000, 500
MOVES_FROM_6, CONFLICTS_FROM_6 = 400_000, 600
# The first takes two milliseconds; at order 4 twenty, as the clauses would, and mostly is enough.
FIRST_TRIES, FIRST_TRIES_AT_4 = 3000, 40_000
MOST_CLAUSES = 3_000_000  # about a gigabyte
MOVES_PER_CLAUSE = 2  # that take as long as to build it


@parameters
class Params:
    """There is nothing to choose."""


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Search until a solution is found, none is left to find, or the budget is used up."""
    if puzzle.order == 3:
        return _solve_in_lanes(puzzle, budget)
    if puzzle.order == 2:
        return bs_closure.solve(puzzle, bs_closure.Params(), rng, budget)
    candidates, consistent = closure(puzzle)
    if outcome := decided(values_of(candidates), consistent, KIND):
        return outcome
    with ExitStack() as stack:
        schedule = _schedule(puzzle, candidates, rng, stack)
        for quota in budget.slices():
            outcome, turns = _take_turns(schedule, quota)
            budget.spend(turns)
            if outcome is not None:
                return Outcome(outcome.status, outcome.solution, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


def _solve_in_lanes(puzzle, budget):
    """The search that `batch` does with many puzzles at once."""
    grids = puzzle.givens.astype(np.uint8)[None]
    search, answers = lanes.new_search(), lanes.new_answers(1)
    for quota in budget.slices():
        budget.spend(lanes.advance(search, grids, answers, 1, lanes.NO_LIMIT, quota))
        if answers.counts[0]:
            return Outcome(SOLVED, answers.solutions[0].astype(np.int16), budget.steps)
        if not search.sets[lanes.ACTIVE]:
            return Outcome(EXHAUSTED, None, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


def _schedule(puzzle, candidates, rng, stack):
    """Yield whose turn it is, and how many steps that is; `stack` ends the searches."""

    def searcher(solver):
        return stack.enter_context(Searcher(solver, puzzle, rng))

    moves, conflicts = MOVES, CONFLICTS
    if puzzle.order >= 6:
        moves, conflicts = MOVES_FROM_6, CONFLICTS_FROM_6
    exact, steps = None, TRIES
    if puzzle.order in MASK_ORDERS:
        exact = searcher(bs_closure)
        yield exact, FIRST_TRIES_AT_4 if puzzle.order == 4 else FIRST_TRIES
    tabu = searcher(tabu_col)
    yield tabu, moves
    n_clauses = _count_clauses(candidates, puzzle.order)
    if cdcl and n_clauses <= MOST_CLAUSES:
        exact, steps, alone = searcher(cdcl), conflicts, n_clauses * MOVES_PER_CLAUSE
        for begun in range(0, alone, moves):
            yield tabu, min(moves, alone - begun)
    while True:
        if exact:
            yield exact, steps
        yield tabu, moves


def _count_clauses(candidates, order):
    """How many clauses `cdcl` makes, nearly: one for each two candidates of a group."""
    cells, values = np.nonzero(candidates)
    of_unit = units_of_cell(order)[cells].astype(np.int64) * order**2 + values[:, None]
    sizes = np.r_[candidates.sum(axis=1), np.bincount(of_unit.ravel())]
    return int((sizes * (sizes - 1) // 2).sum())


def _take_turns(schedule, quota):
    """Take up to `quota` turns; returns what one has found, if anything, and how many."""
    for turn, (searcher, steps) in enumerate(islice(schedule, quota), 1):
        if (outcome := searcher.advance(steps)) is not None:
            return outcome, turn
    return None, quota
