"""Iterated local search with constraint programming.

Boxes are kept complete; a min-conflicts search with tabu swaps values inside boxes to repair rows
and columns. When it stalls, the perturbation empties the cells in conflict and some more, and a
forward-checking search tries to complete the rest. If it fails, the empty cells are filled at
random and the local search starts again. Later perturbations empty fewer cells.

Reference: Musliu & Winter 2017, "A Hybrid Approach for the Sudoku Problem: Using Constraint
Programming in Iterated Local Search" (IEEE Intelligent Systems 32(2)), and the authors' published
program where the paper leaves a rule open.

Glossary: round = one local search, one perturbation, one forward check; free cell = not locked by
the initial propagation; slot of a free cell = its number among the free cells of its box; tenure =
a swap chosen in iteration t is tabu before iteration t + tenure; reset factor = share of the free
cells that a perturbation empties beside those in conflict. A step is one iteration of the local
search or one node (assignment with propagation) of the forward check.

A forward check ends after 5 s of CPU time in the authors' program. Here it ends after the nodes
that their program visits in 5 s (`NODES_IN_5_S`), so that a run does not depend on the machine:
25,000 at orders 2 and 3, 10,000 at order 4, 400 above. The default of `acceptance`, 15 / 101, is
from their program: it accepts at 15 of the 101 whole numbers from 0 to 100.

Naive twin: tests/naive/ils.py.
"""

from collections import namedtuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import MASK_ORDERS, ONE
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import NONE, geometry, new_state, propagated
from antdoku.kernels.randomness import below, draw, kernel_state, uniform
from antdoku.outcome import SOLVED, Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import _box_search as boxes
from antdoku.solvers._depth_first import new_path
from antdoku.solvers._forward_check import visit_child, visit_root
from antdoku.solvers._local import copy, read_values, run_kernel, solution_of
from antdoku.solvers._parameters import integer, parameters, real, rules_of

TITLE = "ILS"
KIND = "stochastic"
ORDERS = MASK_ORDERS

# Nodes that forward checking visits within 5 s if it computes all candidate sets again after every
# cell, as the authors' program does (measured: 330 - 440 at order 5, p = 0.40 - 0.50; 7000 - 11,000
# at order 4; 18,000 - 30,000 on hard puzzles of order 3). Larger orders get as many as order 5.
NODES_IN_5_S = {2: 25_000, 3: 25_000, 4: 10_000, 5: 400, 6: 400, 7: 400, 8: 400}


@parameters
class Params:
    """Parameters of ILS; the defaults, for all orders, are the values of the authors' program."""

    tabu_fraction = real(0.05, 0, 1, "Tenure as a fraction of the free cells; 0 switches tabu off.")
    acceptance = real(15 / 101, 0, 1, "Probability of accepting a swap that raises the cost.")
    patience = integer(1000, 1, 10**9, "Iterations without a new best that end a local search.")
    reset = real(1.0, 0, 1, "Reset factor of the first perturbation.")
    reset_decay = real(0.8, 0, 1, "Factor of the reset factor after each perturbation ...")
    reset_floor = real(0.01, 0, 1, "... as long as it is above this value.")
    node_limit = integer(
        0, 0, 10**9, "Nodes that a forward check may visit; 0: `NODES_IN_5_S` of the order."
    )


Rules = rules_of(Params, "tenure")
Search = namedtuple("Search", "grid best stamp reset shuffled path at")
# Indices of `Search.at`.
_PHASE, _COST, _BEST_COST, _ITERATION, _STALLED, _LEVEL, _NODES = range(7)
# Phases.
_BEGIN, _LOCAL, _FORWARD = range(3)
# Results of a phase.
_RUNNING, _ENDED, _SOLVED = 0, 1, 2
_NEVER = -(2**63)  # stamp of a swap that was never chosen
_NO_SWAP = 2**62  # a key above all others


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Run ILS until a grid is complete and correct or the budget is used up."""
    state, consistent = propagated(puzzle)
    locked = solution_of(state, puzzle.n_cells) if consistent else np.array(puzzle.givens)
    if locked.all():
        return Outcome(SOLVED, locked, 0)
    rules = _rules(params, np.count_nonzero(locked == 0), puzzle.order)
    search = _new_search(locked, params.reset, rules.node_limit, puzzle.order)
    state = search, geometry(puzzle.order), rules, kernel_state(rng)
    at = search.at
    return run_kernel(budget, _advance, state, lambda: search.grid.values, lambda: int(at[_COST]))


def _rules(params, n_free, order):
    node_limit = params.node_limit or NODES_IN_5_S[order]
    tenure = int(params.tabu_fraction * n_free)
    return Rules.of(params, tenure=tenure, node_limit=node_limit)


def _new_search(locked, reset, node_limit, order):
    grid = boxes.new_box_grid(locked, order)
    return Search(
        grid=grid,  # of the local search; the partial grid of the forward check
        best=np.empty_like(grid.values),  # of this local search
        stamp=np.empty((locked.size, order**2), np.int64),  # last choice of cell, partner's slot
        reset=np.array([reset], np.float64),  # reset factor of the next perturbation
        shuffled=grid.free.copy(),  # the free cells in any order
        path=new_path(new_state(order), min(len(grid.free), node_limit), order),
        at=np.zeros(7, np.int64),  # state of the search, see _PHASE and what follows
    )


@kernel
def _advance(search, geometry, rules, random, quota):
    """Do up to `quota` steps; return their number, and whether `grid.values` is a solution."""
    steps = 0
    while True:
        if search.at[_PHASE] == _BEGIN:
            _start_local(search, random)
        if steps >= quota:
            return steps, False
        if search.at[_PHASE] == _LOCAL:
            n_steps, state = _improve(search, rules, random, quota - steps)
            if state == _ENDED:
                _perturb(search, rules, random)
                search.at[_PHASE], search.at[_LEVEL], search.at[_NODES] = _FORWARD, 0, 0
        else:
            n_steps, state = _check_forward(search, geometry, rules, quota - steps)
            if state == _ENDED:
                search.at[_PHASE] = _BEGIN
        steps += n_steps
        if state == _SOLVED:
            return steps, True


@inlined
def _start_local(search, random):
    """Begin a local search: fill the blank cells at random, with no swap tabu."""
    cost = boxes.fill_blanks(search.grid, random)
    copy(search.best, search.grid.values)
    search.stamp.fill(_NEVER)
    at = search.at
    at[_PHASE], at[_COST], at[_BEST_COST], at[_ITERATION], at[_STALLED] = _LOCAL, cost, cost, 0, 0


@inlined
def _improve(search, rules, random, quota):
    """Do up to `quota` iterations of min-conflicts with tabu; return their number and the state."""
    grid, at = search.grid, search.at
    cost, best_cost = at[_COST], at[_BEST_COST]
    iteration, stalled = at[_ITERATION], at[_STALLED]
    steps = 0
    while cost > 0 and stalled < rules.patience and steps < quota:
        cell = grid.free[below(random, len(grid.free))]
        while not boxes.in_conflict(grid, cell):  # a cell is, as the cost is not 0
            cell = grid.free[below(random, len(grid.free))]
        oldest = iteration - rules.tenure
        slot, delta = _best_swap(grid, cell, search.stamp[cell], oldest, best_cost - cost, random)
        steps += 1
        stalled += 1
        if delta <= 0 or uniform(random) < rules.acceptance:
            boxes.swap(grid, cell, boxes.free_cell(grid, cell, slot))
            cost += delta
            if cost < best_cost:
                best_cost, stalled = cost, 0
                copy(search.best, grid.values)
        # A refused swap becomes tabu, too.
        search.stamp[cell, slot] = iteration
        iteration += 1
    at[_COST], at[_BEST_COST], at[_ITERATION], at[_STALLED] = cost, best_cost, iteration, stalled
    if cost == 0:
        return steps, _SOLVED
    return steps, _ENDED if stalled >= rules.patience else _RUNNING


@inlined
def _best_swap(grid, cell, stamps, oldest, slack, random):
    """Choose the partner of `cell` in its box; return its slot (uint64) and the change of cost.

    The least key wins; a key has the change of the cost (upper half) and 32 random bits (lower
    half). A swap is tabu if its stamp is after the iteration `oldest`. The cell itself (the null
    swap) is a candidate, and is taken if all swaps are tabu. `slack` is the change that leads to
    the best cost so far.
    """
    allowed, tabu = np.uint64(grid.slot_of[cell]), NONE
    allowed_key, tabu_key, box = _NO_SWAP, _NO_SWAP, np.uint64(grid.box_of[cell])
    for slot in range(np.uint64(grid.first[box + ONE] - grid.first[box])):
        delta = boxes.swap_delta(grid, cell, boxes.free_cell(grid, cell, slot))
        key = (delta << 32) | np.int64(draw(random) >> np.uint64(32))
        if stamps[slot] <= oldest:
            if key < allowed_key:
                allowed, allowed_key = slot, key
        elif key < tabu_key:
            tabu, tabu_key = slot, key
    # Aspiration: a tabu swap must beat all allowed swaps and the best cost of this local search.
    if tabu_key >> 32 < min(allowed_key >> 32, slack):
        return tabu, tabu_key >> 32
    return allowed, 0 if allowed_key == _NO_SWAP else allowed_key >> 32


@inlined
def _perturb(search, rules, random):
    """Empty the cells in conflict of the best grid, and random cells by the reset factor."""
    grid, values, shuffled = search.grid, search.grid.values, search.shuffled
    copy(values, search.best)
    # The counts do not change while cells are emptied: all conflicts of the best grid count.
    boxes.count_lines(grid)
    for cell in grid.free:
        if boxes.in_conflict(grid, cell):
            values[cell] = 0
    n_free = np.uint64(len(shuffled))
    for k in range(np.uint64(search.reset[0] * n_free)):
        drawn = k + below(random, n_free - k)
        shuffled[k], shuffled[drawn] = shuffled[drawn], shuffled[k]
        values[shuffled[k]] = 0
    if search.reset[0] > rules.reset_floor:
        search.reset[0] *= rules.reset_decay


@inlined
def _check_forward(search, geometry, rules, quota):
    """Search for a completion, for up to `quota` nodes; return their number and the state."""
    at, path = search.at, search.path
    level, nodes = at[_LEVEL], at[_NODES]
    steps, state = 0, _RUNNING
    while steps < quota and state == _RUNNING:
        steps += 1
        nodes += 1
        if nodes == 1:
            is_filled = visit_root(path, geometry, search.grid.values)
        else:
            is_filled = visit_child(path, geometry, level)
            level += 1
        if is_filled:
            read_values(path.states[level], search.grid.values)
            return steps, _SOLVED
        while level >= 0 and path.untried[level] == NONE:
            level -= 1
        if level < 0 or nodes == rules.node_limit:
            state = _ENDED
    at[_LEVEL], at[_NODES] = level, nodes
    return steps, state
