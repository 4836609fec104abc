"""Cuckoo search with geometric operators on grids whose rows are permutations, after AC3.

AC3 filters the domains once. A nest is a complete grid: every row is a permutation within the
domains, columns and boxes may repeat values. In every iteration all nests but the best are crossed
with it (and sometimes with the previous best) and mutated. Nests that are worse than the best are
abandoned with some probability: they are built again from scratch. When the best has not improved
for a while, all nests are abandoned.

Reference: Soto et al. 2014, "A Prefiltered Cuckoo Search Algorithm with Geometric Operators for
Solving Sudoku Problems" (The Scientific World Journal 2014, 465359); the sorting crossover is by
Moraglio, Togelius & Lucas 2006, "Product Geometric Crossover for the Sudoku Puzzle" (CEC 2006).

Glossary: cost = values that repeat, summed over columns and boxes; free cell = a cell whose domain
has several values after AC3; P1, P2, p_a = the symbols of the paper for the parameters p_pmx,
p_mutation and p_abandon. A step is one iteration: every nest but the best is changed and evaluated
once.

Naive twin: tests/naive/ac3_cuckoo.py.
"""

from collections import namedtuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import MASK_ORDERS, ONE, count, full, lowest, without_lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import NONE
from antdoku.kernels.randomness import below, bit_of, kernel_state, two_below, uniform
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers._ac3 import ac3
from antdoku.solvers._local import copy, decided, run_kernel, solution_of
from antdoku.solvers._parameters import integer, parameters, real, rules_of

TITLE = "AC3-cuckoo"
KIND = "stochastic"
ORDERS = MASK_ORDERS
ALWAYS_ENDS = False  # see docs/deviations.md

N_PARENTS = 3  # of a sorting crossover: nest, best and previous best


@parameters
class Params:
    """Parameters of the cuckoo search; no source gives them: see docs/deviations.md."""

    nests = integer(10, 2, 10_000, "Number of nests.")
    p_pmx = real(0.7, 0, 1, "P1, probability of the partially matched crossover; else it sorts.")
    p_mutation = real(0.5, 0, 1, "P2, probability of a mutation after the crossover.")
    mutated_rows = integer(9, 1, 64, "Most swaps of a mutation; their number is drawn.")
    p_abandon = real(0.1, 0, 1, "p_a, probability that a nest worse than the best is abandoned.")
    patience = integer(
        100, 0, 10**9, "Iterations without a better best before all nests are built anew; 0: never."
    )


Rules = rules_of(Params)
# A grid is kept as one mask per cell, with the bit of its value set.
Search = namedtuple(
    "Search",
    "size order domains free first missing nests costs best stale previous parents mask unions "
    "came_from queue",
)


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Run the cuckoo search until a nest is a solution or the budget is used up."""
    domains, consistent = ac3(puzzle)
    if outcome := decided(solution_of(domains, puzzle.n_cells), consistent, KIND):
        return outcome
    random, search = kernel_state(rng), _new_search(domains, params.nests, puzzle.order)
    if not consistent or not _build_all(search, random):
        # No row-wise permutation respects the domains: there is no solution. Search all the same.
        search = _new_search(_row_domains(puzzle, domains.dtype), params.nests, puzzle.order)
        _build_all(search, random)
    state = search, _rules(params, puzzle.size), random

    def solution():
        return solution_of(search.nests[search.best[0]], puzzle.n_cells)

    return run_kernel(budget, _iterate, state, solution, lambda: search.costs[search.best[0]])


def _rules(params, size):
    return Rules.of(params, mutated_rows=np.uint64(min(params.mutated_rows, size)))


def _row_domains(puzzle, dtype):
    """Return domains that only keep the givens, and the values of givens out of their rows."""
    values = puzzle.grid.astype(dtype)
    bits = np.where(values > 0, dtype.type(1) << (values - (values > 0)), 0).astype(dtype)
    return np.where(values > 0, bits, _missing(bits)).ravel()


def _missing(bits):
    """Return the masks (d, 1) of the values that no mask of a row has."""
    return ~np.bitwise_or.reduce(bits, axis=1, keepdims=True) & bits.dtype.type(full(len(bits)))


def _new_search(domains, n_nests, order):
    size, sizes = order**2, np.bitwise_count(domains)
    row = np.arange(domains.size) // size
    by_row = np.lexsort((sizes, row))
    free = by_row[sizes[by_row] > 1]
    masks, work = np.empty((2, 2 * size), domains.dtype), np.empty((2, size), np.uint32)
    return Search(
        size=np.uint64(size),
        order=np.uint64(order),
        domains=domains,
        free=free.astype(np.uint32),  # row by row, small domains first, then by column
        # Row k owns free[first[k]:first[k+1]], which share out the values missing[k].
        first=np.searchsorted(row[free], np.arange(size + 1)).astype(np.uint32),
        missing=_missing(np.where(sizes == 1, domains, 0).reshape(size, size)).ravel(),
        nests=np.tile(domains, (n_nests, 1)),
        costs=np.zeros(n_nests, np.int64),
        best=np.zeros(1, np.int64),  # number of the best nest
        stale=np.zeros(1, np.int64),  # iterations since the best improved
        previous=np.empty_like(domains),  # the previous best grid
        parents=masks[0],  # rows of the best and the previous best while they are sorted
        mask=np.empty(size, np.uint64),  # of a sorting crossover: 0 nest, 1 best, 2 previous best
        unions=masks[1],  # values that occur in each column, in each box
        came_from=work[0],  # of an alternating path, see `_make_room`
        queue=work[1],  # of the same
    )


@kernel
def _build_all(search, random):
    """Build all nests and find the best; return False if a row has no permutation."""
    for nest in range(len(search.nests)):
        if not _build(search, nest, random):
            return False
    search.best[0], search.stale[0] = 0, 0
    _find_best(search)
    copy(search.previous, search.nests[search.best[0]])
    return True


@kernel
def _iterate(search, rules, random, quota):
    """Do up to `quota` iterations; return their number, and whether the best is a solution."""
    best, costs = search.best, search.costs
    for step in range(quota):
        if costs[best[0]] == 0:
            return step, True
        cost_before = costs[best[0]]
        for nest in range(len(costs)):
            if nest != best[0]:
                _change(search, rules, nest, random)
        _find_best(search)
        _replace(search, random)
        for nest in range(len(costs)):  # abandon some of the worse nests
            if costs[nest] > costs[best[0]] and uniform(random) < rules.p_abandon:
                _build(search, nest, random)
        search.stale[0] = search.stale[0] + 1 if costs[best[0]] == cost_before else 0
        if rules.patience and search.stale[0] >= rules.patience:
            _build_all(search, random)
    return quota, costs[best[0]] == 0


@inlined
def _change(search, rules, nest, random):
    """Cross a nest with the best, mutate and evaluate it; it may get worse."""
    grid = search.nests[nest]
    if uniform(random) < rules.p_pmx:
        _partially_matched(grid, search, random)
    else:
        # The parent that the crossover follows in each column of a row.
        for column in range(search.size):
            search.mask[column] = below(random, N_PARENTS)
        _sort(grid, search)
    if uniform(random) < rules.p_mutation:
        _mutate(grid, search, rules.mutated_rows, random)
    search.costs[nest] = _cost(grid, search)


@inlined
def _replace(search, random):
    """Compare two random nests, and copy the better one over the worse one."""
    n_nests = np.uint64(len(search.costs))
    better, worse = two_below(random, n_nests, n_nests)
    if search.costs[better] > search.costs[worse]:
        better, worse = worse, better
    if search.costs[better] < search.costs[worse]:
        copy(search.nests[worse], search.nests[better])
        search.costs[worse] = search.costs[better]


@inlined
def _find_best(search):
    """Find the best nest. A nest of equal cost replaces it, so the search drifts on plateaus."""
    best = search.best[0]
    for nest in range(len(search.costs)):
        if nest != search.best[0] and search.costs[nest] <= search.costs[best]:
            best = nest
    if best != search.best[0]:
        copy(search.previous, search.nests[search.best[0]])
        search.best[0] = best


@inlined
def _partially_matched(grid, search, random):
    """PMX in each row: the best nest's values between two cut points are exchanged in."""
    size, best = search.size, search.nests[search.best[0]]
    for row in range(size):
        start = row * size
        low, high = two_below(random, size, size)
        if low > high:
            low, high = high, low
        for cell in range(start + low, start + high + ONE):
            if grid[cell] != best[cell]:
                _put(grid, search.domains, start, cell, best[cell])


@inlined
def _sort(grid, search):
    """Multiparental sorting crossover of a nest, the best and the previous best along the mask.

    The mask names a parent for every column of a row. An exchange in the two other parents brings
    its value to this column, so that in the end all three are the child.
    """
    size, mask, parents = search.size, search.mask, search.parents
    best, previous = search.nests[search.best[0]], search.previous
    for row in range(size):
        start = row * size
        for column in range(size):
            parents[column] = best[start + column]
            parents[size + column] = previous[start + column]
        for column in range(size):
            cell = start + column
            if mask[column]:
                value = parents[(mask[column] - ONE) * size + column]
                if grid[cell] != value:
                    _put(grid, search.domains, start, cell, value)
            # Where the domains do not allow the exchange, the other parents follow the nest.
            if parents[column] != grid[cell]:
                _exchange(parents, NONE, column, grid[cell])
            if parents[size + column] != grid[cell]:
                _exchange(parents, size, size + column, grid[cell])


@inlined
def _mutate(grid, search, most_rows, random):
    """Swap two free cells in each of some random rows, where the domains allow it."""
    domains, free = search.domains, search.free
    for _ in range(below(random, most_rows) + ONE):
        row = below(random, search.size)
        first = np.uint64(search.first[row])
        n_free = np.uint64(search.first[row + ONE]) - first
        if n_free:
            number, second_number = two_below(random, n_free, n_free)
            cell = np.uint64(free[first + number])
            partner = np.uint64(free[first + second_number])
            if domains[cell] & grid[partner] and domains[partner] & grid[cell]:
                value = grid[cell]
                grid[cell] = grid[partner]
                grid[partner] = value


# A call with an array costs more than a comparison, so callers of these two compare first.


@inlined
def _put(grid, domains, start, cell, value):
    """Exchange `value` into a cell of the row from `start`, if the domains allow the exchange."""
    partner = _find(grid, start, value)
    if domains[cell] & value and domains[partner] & grid[cell]:
        grid[partner] = grid[cell]
        grid[cell] = value


@inlined
def _exchange(grid, start, cell, value):
    """Exchange `value` into a cell of the row from `start`."""
    grid[_find(grid, start, value)] = grid[cell]
    grid[cell] = value


@inlined
def _find(grid, start, value):
    """Return the cell of `value` in the row from `start`."""
    while grid[start] != value:
        start += ONE
    return start


@inlined
def _cost(grid, search):
    """Return the cost: d minus the number of different values, summed over columns and boxes."""
    size, order, unions = search.size, search.order, search.unions
    unions.fill(0)
    box = size
    for band in range(order):
        for stack in range(order):
            for column in range(stack * order, (stack + ONE) * order):
                cell, union = band * order * size + column, NONE
                for _ in range(order):
                    union |= np.uint64(grid[cell])
                    cell += size
                unions[column] |= union
                unions[box] |= union
            box += ONE
    cost = 2 * len(grid)
    for unit in range(len(unions)):
        cost -= np.int64(count(unions[unit]))
    return cost


@inlined
def _build(search, nest, random):
    """Build and evaluate a nest; return False if a row has no permutation in its domains.

    In each row the free cells get random values in order of domain size, those of one size in order
    of columns. If no value is left for a cell, it takes the value of another cell, and so on: this
    is the backtracking inside the row.
    """
    grid = search.nests[nest]
    for row in range(search.size):
        left = np.uint64(search.missing[row])
        for k in range(search.first[row], search.first[row + ONE]):
            grid[search.free[k]] = 0
        for k in range(search.first[row], search.first[row + ONE]):
            cell = np.uint64(search.free[k])
            choices = np.uint64(search.domains[cell]) & left
            if choices:
                value = ONE << bit_of(random, choices)
                grid[cell] = value
            else:
                value = _make_room(grid, search, cell, left)
                if value == NONE:
                    return False
            left &= ~value
    search.costs[nest] = _cost(grid, search)
    return True


@inlined
def _make_room(grid, search, cell, left):
    """Give `cell` a value by the shortest alternating path to one of the values that are `left`.

    Returns the value (as a bit) that the row has gained; 0 if no path exists.
    """
    queue, came_from = search.queue, search.came_from
    start = cell - cell % search.size
    queue[0] = cell
    n_done, n_queued, seen = NONE, ONE, NONE
    while n_done < n_queued:
        taker = np.uint64(queue[n_done])
        n_done += ONE
        new = np.uint64(search.domains[taker]) & ~seen
        seen |= new
        while new:
            value = new & ~without_lowest(new)
            new = without_lowest(new)
            came_from[lowest(value)] = taker
            if value & left:
                handed = value  # along the path, which ends at a cell without a value
                while handed:
                    taker = came_from[lowest(handed)]
                    handed, grid[taker] = np.uint64(grid[taker]), handed
                return value
            queue[n_queued] = _find(grid, start, value)
            n_queued += ONE
    return NONE
