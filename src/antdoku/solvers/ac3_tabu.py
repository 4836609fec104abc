"""AC3-tabu: partial grids, filled feature by feature and made arc consistent each time.

A candidate is the best grid with one more feature, drawn from a roulette wheel that leaves out tabu
features, and with the cells that AC3 then fills. The candidate with fewest empty cells becomes the
best grid, and the features by which it differs become tabu. When all candidates are dead ends, the
search goes back to the root, the puzzle after AC3.

Two other readings of an iteration have one candidate and no tabu list:

- `iteration: construction` begins with the root each time, and adds features until the grid is
  complete or a dead end.
- `iteration: cell` fills the open cell of the best grid with the smallest domain (the first of
  equals) with a random value of this domain. AC3 follows; from a dead end the search goes back to
  the root. Without AC3 in each iteration (`filtering`) the cell with the fewest allowed values is
  filled with one of them, and no other cell changes.

Reference: Soto et al. 2013, "A hybrid AC3-tabu search algorithm for solving Sudoku puzzles" (Expert
Systems with Applications 40), pseudo-code; the rest is in docs/deviations.md.

Glossary: feature = (cell, value) of an open cell; cost = number of empty cells, whose domain is not
yet a single value; root = the puzzle after AC3, or as given if AC3 never runs; allowed values = the
domain of a cell without the values of its filled peers; dead end = a grid with an open cell that
can have no value: AC3 has emptied its domain (a wipe-out) or, without AC3 in each iteration, it has
no allowed values. A step is one iteration: all its candidates, and one move to the best of them or
back to the root; or one construction; or one cell filled. The way back to the root belongs to the
step that leads to the dead end; without AC3 in each iteration it belongs to the next step, which
fills a cell of the root.

Naive twin: tests/naive/ac3_tabu.py.
"""

from collections import namedtuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import MASK_ORDERS, ONE, count, full, lowest, without_lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import NONE, mask_dtype
from antdoku.kernels.randomness import bit_of, kernel_state, uniform
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers._ac3 import ac3, fill, neighbours, new_queue
from antdoku.solvers._local import copy, decided, run_kernel, solution_of
from antdoku.solvers._parameters import integer, parameters, real, require, rules_of, word

TITLE = "AC3-tabu"
KIND = "stochastic"
ORDERS = MASK_ORDERS


@parameters
class Params:
    """Parameters of AC3-tabu; the paper gives none of them: see docs/deviations.md."""

    iteration = word(
        "feature",
        {
            "feature": "adds one feature to the best grid",
            "construction": "adds features to the root to the end; uses `wheel` alone",
            "cell": "fills the open cell with fewest values; uses `filtering` alone",
        },
        "The reading of an iteration.",
    )
    tabu_length = integer(20, 0, 100_000, "Features in the tabu list; 0 switches it off.")
    candidates = integer(5, 1, 10_000, "Candidates per iteration.")
    wheel = real(
        1.0, 0, 10, "A feature weighs s**-wheel, s values in its domain; 0: equal, 1: equal cells."
    )
    after_wipeout = word(
        "root",
        {"root": "from the root", "stay": "from the best grid, as the pseudo-code has it"},
        "Where the search goes on if every candidate is wiped out.",
    )
    filtering = word(
        "each",
        {
            "each": "before the search and in each iteration",
            "before": "before the search alone; with `iteration: cell`",
            "none": "never; with `iteration: cell`",
        },
        "When AC3 filters the domains.",
    )

    def __attrs_post_init__(self):
        can_filter_less = self.iteration == "cell" or self.filtering == "each"
        require(can_filter_less, "filtering", self.filtering, "each, unless iteration is cell")


Rules = rules_of(Params, "weights", "to_root", "constructs", "fills_cell", "filters")
Search = namedtuple("Search", "root best candidate chosen filled tabu listed ends queue")
_ENTERED, _LEFT = np.uint64(0), np.uint64(1)  # indices of `ends`
_CELL, _BIT = np.uint64(0), np.uint64(1)  # columns of `listed`
_NO_COUNT = np.uint64(65)  # above the number of values in any domain


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Run AC3-tabu until a grid is complete or the budget is used up."""
    root, consistent = _root(puzzle, params.filtering)
    if outcome := decided(solution_of(root, puzzle.n_cells), consistent, KIND):
        return outcome
    search = _new_search(root, params.tabu_length, puzzle.order)
    state = search, neighbours(puzzle.order), _rules(params, puzzle.size), kernel_state(rng)

    def solution():
        return solution_of(search.best, puzzle.n_cells)

    return run_kernel(budget, _iterate, state, solution, lambda: int((solution() == 0).sum()))


def _root(puzzle, filtering):
    """Return the domains of the root, and whether AC3, if it runs, has wiped out none."""
    if filtering != "none":
        return ac3(puzzle)
    dtype, is_given = mask_dtype(puzzle.order), puzzle.givens > 0
    values = dtype(1) << (puzzle.givens - is_given).astype(dtype)
    return np.where(is_given, values, dtype(full(puzzle.size))), True


def _new_search(root, tabu_length, order):
    return Search(
        root=root,
        best=root.copy(),
        candidate=np.empty_like(root),  # under construction
        chosen=np.empty_like(root),  # the best candidate of this iteration
        filled=new_queue(order),  # the cells that it fills, in the order in which AC3 fills them
        tabu=np.zeros_like(root),  # tabu values of each cell
        listed=np.empty((tabu_length, 2), np.uint64),  # a ring of cells and bits of values
        ends=np.zeros(2, np.uint64),  # numbers of features that have entered and left the list
        queue=new_queue(order),
    )


def _rules(params, size):
    # Weight of a feature by the number of values of its cell; 0 for filled and wiped out cells.
    weights = np.zeros(size + 1)
    weights[2:] = np.arange(2, size + 1) ** -float(params.wheel)
    return Rules.of(
        params,
        weights=weights,
        to_root=params.after_wipeout == "root",
        constructs=params.iteration == "construction",
        fills_cell=params.iteration == "cell",
        filters=params.filtering == "each",
    )


@kernel
def _iterate(search, neighbours, rules, random, quota):
    """Do up to `quota` iterations; return their number, and whether the best grid is complete."""
    for step in range(quota):
        if rules.constructs:
            complete = _construct(search, neighbours, rules, random)
        elif rules.fills_cell:
            complete = _fill_cell(search, neighbours, rules.filters, random)
        else:
            complete = _add_feature(search, neighbours, rules, random)
        if complete:
            return step + 1, True
    return quota, False


@inlined
def _construct(search, neighbours, rules, random):
    """Add features to the root as long as possible; return whether the grid is complete."""
    copy(search.best, search.root)
    while True:
        total = _sum_weights(search, rules.weights)
        if total == 0.0:
            return _is_complete(search.best)
        cell, value = _spin(search, rules.weights, total, random)
        if fill(search.best, neighbours, search.queue, cell, value) == NONE:
            return False


@inlined
def _fill_cell(search, neighbours, filters, random):
    """Fill the open cell with fewest allowed values; return whether the grid is complete."""
    cell, allowed = _choose_cell(search.best, neighbours, filters)
    if allowed == NONE:  # a dead end
        copy(search.best, search.root)
        cell, allowed = _choose_cell(search.best, neighbours, filters)
        if allowed == NONE:  # a dead end in the root
            return False
    # A single value takes no draw, so the draws are the same with and without AC3.
    is_single = without_lowest(allowed) == NONE
    value = lowest(allowed) if is_single else bit_of(random, allowed)
    if not filters:
        search.best[cell] = ONE << value
    elif fill(search.best, neighbours, search.queue, cell, value) == NONE:
        copy(search.best, search.root)
        return False
    return _is_complete(search.best)


@inlined
def _choose_cell(domains, neighbours, filters):
    """Choose the open cell with fewest allowed values, the first of equals.

    Returns the cell and the mask of its allowed values. The mask is empty at a dead end, and if no
    cell is open. After AC3 all values of a domain are allowed.
    """
    chosen, fewest, values = NONE, _NO_COUNT, NONE
    for cell in range(np.uint64(len(domains))):
        if count(domains[cell]) > ONE:
            allowed = np.uint64(domains[cell])
            if not filters:
                allowed &= ~_taken(domains, neighbours, cell)
            if count(allowed) < fewest:
                chosen, fewest, values = cell, count(allowed), allowed
    return chosen, values


@inlined
def _taken(domains, neighbours, cell):
    """Return the mask of the values of the filled peers of `cell`."""
    taken = NONE
    for k in range(np.uint64(neighbours.shape[1])):
        domain = np.uint64(domains[neighbours[cell, k]])
        if count(domain) == ONE:
            taken |= domain
    return taken


@inlined
def _add_feature(search, neighbours, rules, random):
    """Move to the best candidate, or back after a wipe-out; return whether the grid is complete."""
    n_filled = _choose_candidate(search, neighbours, rules, random)
    if n_filled:
        # A candidate never costs more than the best grid: it has the same cells filled, and more.
        for k in range(n_filled):
            cell = np.uint64(search.filled[k])
            _enter(search, cell, search.chosen[cell])
        copy(search.best, search.chosen)
        return _is_complete(search.best)
    if rules.to_root:
        copy(search.best, search.root)
    return False


@inlined
def _choose_candidate(search, neighbours, rules, random):
    """Try candidates and keep the one with fewest empty cells, the first of equals.

    Returns the number of cells that it fills, 0 if all candidates were wiped out. The feature of a
    candidate that is wiped out enters the tabu list at once.
    """
    most_filled = NONE
    for _ in range(rules.candidates):
        total = _sum_weights(search, rules.weights)
        if total == 0.0:  # all are tabu
            while search.ends[_LEFT] < search.ends[_ENTERED]:
                _expire(search)
            total = _sum_weights(search, rules.weights)
            if total == 0.0:
                break
        cell, value = _spin(search, rules.weights, total, random)
        copy(search.candidate, search.best)
        n_filled = fill(search.candidate, neighbours, search.queue, cell, value)
        if n_filled == NONE:
            _enter(search, cell, ONE << value)
        elif n_filled > most_filled:
            most_filled = n_filled
            copy(search.chosen, search.candidate)
            copy(search.filled, search.queue)
    return most_filled


@inlined
def _sum_weights(search, weights):
    """Return the weight of all features that are not tabu."""
    total = 0.0
    for cell in range(len(search.best)):
        total += _weight(search, weights, cell)
    return total


@inlined
def _weight(search, weights, cell):
    """Return the weight of the features of `cell` that are not tabu."""
    domain = search.best[cell]
    return count(domain & ~search.tabu[cell]) * weights[count(domain)]


@inlined
def _spin(search, weights, total, random):
    """Draw a feature that is not tabu from the roulette wheel of the best grid."""
    threshold = uniform(random) * total
    chosen = NONE
    for cell in range(np.uint64(len(search.best))):
        weight = _weight(search, weights, cell)
        if weight > 0.0:
            # Rounding may leave the threshold just above zero: then the last cell is chosen.
            chosen = cell
            threshold -= weight
            if threshold < 0.0:
                break
    return chosen, bit_of(random, search.best[chosen] & ~search.tabu[chosen])


@inlined
def _enter(search, cell, bit):
    """Enter a feature into the tabu list; the oldest makes room. A listed feature stays."""
    length = np.uint64(len(search.listed))
    if length == NONE or search.tabu[cell] & bit:
        return
    if search.ends[_ENTERED] - search.ends[_LEFT] == length:
        _expire(search)
    index = search.ends[_ENTERED] % length
    search.listed[index, _CELL] = cell
    search.listed[index, _BIT] = bit
    search.tabu[cell] |= bit
    search.ends[_ENTERED] += ONE


@inlined
def _expire(search):
    """Take the oldest feature out of the tabu list."""
    index = search.ends[_LEFT] % np.uint64(len(search.listed))
    search.tabu[search.listed[index, _CELL]] &= ~search.listed[index, _BIT]
    search.ends[_LEFT] += ONE


@inlined
def _is_complete(domains):
    complete = True
    for cell in range(len(domains)):
        complete &= count(domains[cell]) == ONE
    return complete
