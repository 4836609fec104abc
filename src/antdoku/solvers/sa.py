"""Simulated annealing.

Every box is filled with the values that it lacks, at random. A move swaps two free cells of one
box; it is accepted if the cost does not rise, else with a probability that falls with the rise and
with the temperature. The temperature falls from chain to chain. After 20 chains in succession that
did not lower the cost, the search begins again, hot and from a new grid.

The costs of random swaps of the initial grid give the initial temperature. A proposal takes one
draw of 64 bits. The upper 32, times the number of movable cells, give the cell (the whole part) and
its partner (the fraction, scaled in turn). The lower 32 decide on acceptance, by a table of the
temperature. The probability of a pair of cells is off by at most one part in 4,000 (order 10;
280,000 at order 5), and the probability of acceptance by 2**-32.

Reference: Lewis 2007, "Metaheuristics can solve sudoku puzzles" (Journal of Heuristics 13(4)).

Glossary: cost = values that are absent, summed over all rows and columns; free cell = not fixed;
movable cell = free cell of a box with at least two free cells; delta = change of the cost by a
swap; t = temperature, t0 = its initial value; chain = (number of free cells)^2 proposed swaps at
one temperature; stale chain = a chain that did not lower the cost. A step is one proposed swap.

Naive twin: tests/naive/sa.py.
"""

from collections import namedtuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.randomness import draw, kernel_state
from antdoku.outcome import TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers._box_search import fill_blanks, new_box_grid, swap, swap_delta
from antdoku.solvers._local import run_kernel
from antdoku.solvers._parameters import integer, parameters, real, rules_of, word

TITLE = "SA"
KIND = "stochastic"


@parameters
class Params:
    """Parameters of simulated annealing, with the values of the journal paper as defaults."""

    t0_sample = word(
        "neighbours",
        {"neighbours": "neighbours of the initial grid", "walk": "a random walk that begins there"},
        "The grids whose costs decide on t0.",
    )
    t0_statistic = word(
        "std",
        {"std": "standard deviation (journal paper)", "variance": "variance (paper on the hybrid)"},
        "The statistic of these costs that becomes t0.",
    )
    t0_moves = integer(100, 1, 10**6, "Number of these grids.")
    cooling = real(0.99, 0, 1, "Factor of t after each chain.")
    patience_chains = integer(20, 1, 10**9, "Stale chains in succession that lead back to t0.")
    restart = word(
        "random",
        {"random": "a new random grid (journal paper)", "reheat": "the same (paper on the hybrid)"},
        "The grid with which the search goes on then.",
    )


Rules = rules_of(Params, "walks", "from_variance", "refill", "chain_length")
Search = namedtuple("Search", "grid movable thresholds temperature sample at")
# The movable cells, box after box; for each the index of the first one of its box, and the number
# of its possible partners.
Movable = namedtuple("Movable", "cells begin n_partners")

# Indices of `Search.at`: cost of the grid; costs in the sample; swaps left in the chain; cost when
# it began; stale chains in succession.
_COST, _SAMPLED, _LEFT, _COST_BEFORE, _STALE = range(5)
# Indices of `Search.temperature`.
_T, _T0 = range(2)

_MOST = 4  # a swap changes two rows and two columns, each of which loses and gets one value
_ALWAYS = 2**32  # threshold that no half of a draw reaches
_HALF = np.uint64(32)
_LOWER = np.uint64(2**32 - 1)


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Anneal until the grid is a solution or the budget is used up."""
    return anneal(puzzle.order, puzzle.givens, params, rng, budget)


def anneal(
    order: int, locked: np.ndarray, params: Params, rng: np.random.Generator, budget: Budget
) -> Outcome:
    """Anneal with the cells of `locked` (int16, (c,), 0 free) as they are.

    Without a movable cell the grid can be filled in one way only. If this is no solution, the
    outcome is `TIMEOUT` at once.
    """
    search, random = _new_search(locked, params.t0_moves, order), kernel_state(rng)
    search.at[_COST] = fill_blanks(search.grid, random)
    if search.at[_COST] > 0 and len(search.movable.cells) == 0:
        return Outcome(TIMEOUT, None, 0)
    state, at = (search, _rules(params, len(search.grid.free)), random), search.at
    return run_kernel(budget, _advance, state, lambda: search.grid.values, lambda: int(at[_COST]))


def _rules(params, n_free):
    return Rules.of(
        params,
        walks=params.t0_sample == "walk",
        from_variance=params.t0_statistic == "variance",
        refill=params.restart == "random",
        chain_length=n_free**2,
    )


def _new_search(locked, t0_moves, order):
    grid = new_box_grid(locked, order)
    n_free = np.diff(grid.first.astype(np.int64))
    cells = grid.free[n_free[grid.box_of[grid.free]] > 1]
    box = grid.box_of[cells]
    movable = cells, np.searchsorted(box, box), n_free[box] - 1
    return Search(
        grid=grid,
        movable=Movable(*(table.astype(np.uint16) for table in movable)),
        thresholds=np.full(2 * _MOST + 1, _ALWAYS, np.uint64),  # of delta = -_MOST, ..., _MOST
        temperature=np.full(2, np.inf),  # t and t0
        sample=np.empty(t0_moves, np.int64),  # the costs that decide on t0
        at=np.zeros(5, np.int64),  # state of the search, see _COST and what follows
    )


@kernel
def _advance(search, rules, random, quota):
    """Do up to `quota` steps; return their number, and whether `grid.values` is a solution."""
    at, steps = search.at, 0
    while steps < quota and at[_COST] > 0:
        if at[_LEFT]:
            at[_COST] += _propose(search, random)
            at[_LEFT] -= 1
            steps += 1
        elif at[_SAMPLED] < len(search.sample):
            _take_sample(search, rules, random)
            steps += 1
        else:
            _next_chain(search, rules, random)
    return steps, at[_COST] == 0


@inlined
def _take_sample(search, rules, random):
    """Take the cost of a random swap as a sample; the last sample determines t0."""
    at, sample = search.at, search.sample
    if rules.walks:
        at[_COST] += _propose(search, random)
        sample[at[_SAMPLED]] = at[_COST]
    else:
        cell, partner = _pair(search.movable, draw(random))
        sample[at[_SAMPLED]] = at[_COST] + swap_delta(search.grid, cell, partner)
    at[_SAMPLED] += 1
    if at[_SAMPLED] == len(sample):
        search.temperature[_T0] = sample.var() if rules.from_variance else sample.std()
        _begin_chain(search, rules, search.temperature[_T0])


@inlined
def _next_chain(search, rules, random):
    """Begin a chain at a lower temperature, or at t0 after too many stale chains."""
    at, grid = search.at, search.grid
    at[_STALE] = 0 if at[_COST] < at[_COST_BEFORE] else at[_STALE] + 1
    temperature = rules.cooling * search.temperature[_T]
    if at[_STALE] >= rules.patience_chains:
        at[_STALE], temperature = 0, search.temperature[_T0]
        if rules.refill:
            for cell in grid.free:
                grid.values[cell] = 0
            at[_COST] = fill_blanks(grid, random)
    _begin_chain(search, rules, temperature)


@inlined
def _begin_chain(search, rules, temperature):
    """Tabulate the acceptance min(1, exp(-delta / t)) of a chain, in units of 2**-32."""
    search.at[_LEFT], search.at[_COST_BEFORE] = rules.chain_length, search.at[_COST]
    search.temperature[_T] = temperature
    for k in range(2 * _MOST + 1):
        delta = k - _MOST
        # This holds at t = 0, too: exp(-delta / 0) is 0.
        acceptance = np.exp(-delta / temperature) if delta > 0 else 1.0
        search.thresholds[k] = np.uint64(acceptance * _ALWAYS)


@inlined
def _propose(search, random):
    """Propose a swap, and do it if it is accepted; return the change of the cost (int64)."""
    grid, bits = search.grid, draw(random)
    cell, partner = _pair(search.movable, bits)
    delta = swap_delta(grid, cell, partner)
    if (bits & _LOWER) < search.thresholds[np.uint64(delta + _MOST)]:
        swap(grid, cell, partner)
        return delta
    return 0


@inlined
def _pair(movable, bits):
    """Return a movable cell and a partner in its box, drawn by the upper half of `bits`."""
    scaled = (bits >> _HALF) * np.uint64(len(movable.cells))
    index, fraction = scaled >> _HALF, scaled & _LOWER
    partner = movable.begin[index] + ((fraction * movable.n_partners[index]) >> _HALF)
    partner += np.uint64(partner >= index)  # not the cell itself
    return movable.cells[index], movable.cells[partner]
