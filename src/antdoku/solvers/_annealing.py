"""Simulated annealing on grids whose boxes are permutations: what `sa` and `cp_sa` share.

Random swaps of the initial grid come first, whose costs give the initial temperature; then follow
Markov chains of equal length, each at its own temperature.

A proposal takes one draw of 64 bits. The upper 32, times the number of movable cells, give the cell
(the whole part) and its partner (the fraction, scaled in turn); the lower 32 decide on acceptance,
against a table made once for each temperature. The probability of a pair of cells is off by at most
one part in 4,000 (order 10; 280,000 at order 5), that of an acceptance by 2**-32.

Glossary: t = temperature, t0 = its initial value; delta = change of the cost by a swap; chain = the
swaps proposed at one temperature; stale chain = one that ends at no lower cost than it began;
free cell = not fixed; movable cell = free cell of a box that has another one.
"""

from typing import NamedTuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.randomness import draw, kernel_state
from antdoku.outcome import SOLVED, TIMEOUT, Outcome
from antdoku.solvers._box_search import BoxGrid, fill_blanks, new_box_grid, swap
from antdoku.solvers._parameters import integer, parameters, real, word


@parameters
class Params:
    """Parameters of simulated annealing; the defaults are those of the journal paper."""

    t0_sample = word(
        "neighbours",
        {
            "neighbours": "of neighbours of the initial grid (each swap is looked at and taken "
            "back)",
            "walk": "along a random walk that begins there",
        },
        "Costs of which grids decide on t0.",
    )
    t0_statistic = word(
        "std",
        {
            "std": "their standard deviation (journal paper)",
            "variance": "their variance (paper on the hybrid)",
        },
        "What of these costs becomes t0.",
    )
    t0_moves = integer(100, 1, 10**6, "How many these grids are.")
    cooling = real(0.99, 0, 1, "What t is multiplied by after each chain.")
    patience_chains = integer(
        20, 1, 10**9, "Successive stale chains after which t becomes t0 again."
    )
    restart = word(
        "random",
        {
            "random": "from a new random grid (journal paper)",
            "reheat": "from the grid it has (paper on the hybrid)",
        },
        "Where the search goes on then.",
    )


class Rules(NamedTuple):
    """The parameters as the kernels want them."""

    walks: bool  # for t0
    from_variance: bool  # t0
    cooling: float
    patience: int
    refill: bool  # at a restart
    chain_length: int


class Movable(NamedTuple):
    """The movable cells, box after box, and where their partners are among them."""

    cells: np.ndarray  # uint16 (n,)
    begin: np.ndarray  # uint16 (n,): place of the first cell of the same box
    n_partners: np.ndarray  # uint16 (n,): other cells of the same box


class Search(NamedTuple):
    """Everything that lasts from one step to the next, as arrays."""

    grid: BoxGrid
    movable: Movable
    thresholds: np.ndarray  # uint64 (2 * _MOST + 1,): acceptance of delta = -_MOST, ..., _MOST
    temperature: np.ndarray  # float64 (2,): t and t0
    sample: np.ndarray  # int64 (t0_moves,): the costs that decide on t0
    at: np.ndarray  # int64 (5,): where the search stands, see _COST and what follows


# Places in `Search.at`: cost of the grid; costs in the sample; swaps left in the chain; cost at its
# beginning; stale chains in succession.
_COST, _SAMPLED, _LEFT, _COST_BEFORE, _STALE = range(5)
# Places in `Search.temperature`.
_T, _T0 = range(2)

_MOST = 4  # a swap changes two rows and two columns, each of which loses and gets one value
_HALF = np.uint64(32)
_LOWER = np.uint64(2**32 - 1)


def anneal(
    order: int, locked: np.ndarray, params: Params, rng: np.random.Generator, budget: Budget
) -> Outcome:
    """Anneal until the grid is a solution or the budget is used up.

    Parameters
    ----------
    locked : ndarray of int16, shape (c,)
        Values of the cells that never change, 0 for the free ones.

    Returns
    -------
    Outcome
        A time-out at once if there is nothing to try: no movable cell, so that the grid can be
        filled in one way only, and that is no solution.
    """
    search, random = _new_search(locked, params.t0_moves, order), kernel_state(rng)
    rules = _rules(params, len(search.grid.free))
    _begin(search, random)
    if search.at[_COST] > 0 and len(search.movable.cells) == 0:
        return Outcome(TIMEOUT, None, 0)
    for quota in budget.slices():
        steps, solved = _advance(search, rules, random, quota)
        budget.spend(steps)
        budget.note(int(search.at[_COST]))
        if solved:
            return Outcome(SOLVED, search.grid.values, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


def _rules(params, n_free):
    return Rules(
        walks=params.t0_sample == "walk",
        from_variance=params.t0_statistic == "variance",
        cooling=float(params.cooling),
        patience=params.patience_chains,
        refill=params.restart == "random",
        chain_length=n_free**2,
    )


def _new_search(locked, t0_moves, order):
    grid = new_box_grid(locked, order)
    return Search(
        grid=grid,
        movable=_movable(grid),
        thresholds=np.empty(2 * _MOST + 1, np.uint64),
        temperature=np.empty(2),
        sample=np.empty(t0_moves, np.int64),
        at=np.zeros(5, np.int64),
    )


def _movable(grid):
    n_free = np.diff(grid.first.astype(np.int64))
    cells = grid.free[n_free[grid.box_of[grid.free]] > 1]
    boxes = grid.box_of[cells]
    tables = cells, np.searchsorted(boxes, boxes), n_free[boxes] - 1
    return Movable(*(table.astype(np.uint16) for table in tables))


@kernel
def _begin(search, random):
    """Fill the grid at random, ready for the sample."""
    search.at[_COST] = fill_blanks(search.grid, random)
    _set_temperature(search, np.inf)


@kernel
def _advance(search, rules, random, quota):
    """Do up to `quota` steps; returns how many, and whether `grid.values` is a solution."""
    at = search.at
    steps = 0
    while steps < quota and at[_COST] > 0:
        if at[_SAMPLED] < len(search.sample):
            steps += _take_sample(search, rules, random, quota - steps)
        else:
            if at[_LEFT] == 0:
                _next_chain(search, rules, random)
            steps += _run_chain(search, random, min(quota - steps, at[_LEFT]))
    return steps, at[_COST] == 0


@inlined
def _take_sample(search, rules, random, quota):
    """Do, or look at, up to `quota` swaps, whatever they cost; the last cost decides on t0."""
    at, sample = search.at, search.sample
    steps = 0
    while steps < quota and at[_SAMPLED] < len(sample) and at[_COST] > 0:
        if rules.walks:
            at[_COST] += _propose(search, random)
            sample[at[_SAMPLED]] = at[_COST]
        else:
            cell, partner = _pair(search.movable, draw(random))
            sample[at[_SAMPLED]] = at[_COST] + _delta(search.grid, cell, partner)
        at[_SAMPLED] += 1
        steps += 1
    if at[_SAMPLED] == len(sample):
        search.temperature[_T0] = sample.var() if rules.from_variance else sample.std()
        _heat(search, rules)
    return steps


@inlined
def _run_chain(search, random, n_swaps):
    """Propose up to `n_swaps` swaps of the chain; returns how many."""
    cost, steps = search.at[_COST], 0
    while steps < n_swaps and cost > 0:
        cost += _propose(search, random)
        steps += 1
    search.at[_COST] = cost
    search.at[_LEFT] -= steps
    return steps


@inlined
def _next_chain(search, rules, random):
    """Cool down, or begin again at t0 after too many stale chains."""
    at, grid = search.at, search.grid
    at[_STALE] = 0 if at[_COST] < at[_COST_BEFORE] else at[_STALE] + 1
    if at[_STALE] < rules.patience:
        _begin_chain(search, rules, rules.cooling * search.temperature[_T])
        return
    if rules.refill:
        for cell in grid.free:
            grid.values[cell] = 0
        at[_COST] = fill_blanks(grid, random)
    _heat(search, rules)


@inlined
def _heat(search, rules):
    """Begin the first chain at t0."""
    search.at[_STALE] = 0
    _begin_chain(search, rules, search.temperature[_T0])


@inlined
def _begin_chain(search, rules, temperature):
    """Begin a chain: the cost to improve is that of the grid as it is."""
    _set_temperature(search, temperature)
    search.at[_LEFT], search.at[_COST_BEFORE] = rules.chain_length, search.at[_COST]


@inlined
def _set_temperature(search, temperature):
    """Tabulate the acceptance min(1, exp(-delta / t)), in units of 2**-32."""
    search.temperature[_T] = temperature
    for k in range(2 * _MOST + 1):
        delta = k - _MOST
        # At t = 0, too: exp(-delta / 0) is 0.
        acceptance = np.exp(-delta / temperature) if delta > 0 else 1.0
        search.thresholds[k] = np.uint64(acceptance * 2.0**32)


@inlined
def _propose(search, random):
    """Propose a swap and do it if it is accepted; returns the change of the cost (int64)."""
    grid, bits = search.grid, draw(random)
    cell, partner = _pair(search.movable, bits)
    delta = _delta(grid, cell, partner)
    if (bits & _LOWER) < search.thresholds[np.uint64(delta + _MOST)]:
        swap(grid, cell, partner)
        return delta
    return 0


@inlined
def _pair(movable, bits):
    """Draw a movable cell and another one of its box, by the upper half of `bits`."""
    scaled = (bits >> _HALF) * np.uint64(len(movable.cells))
    place, fraction = scaled >> _HALF, scaled & _LOWER
    other = movable.begin[place] + ((fraction * movable.n_partners[place]) >> _HALF)
    other += np.uint64(other >= place)  # not the cell itself
    return movable.cells[place], movable.cells[other]


@inlined
def _delta(grid, cell, partner):
    """What `swap_delta` says, without a branch, which would be guessed wrongly too often."""
    values, counts, line_of = grid.values, grid.counts, grid.line_of
    value, other = np.uint64(values[cell]), np.uint64(values[partner])
    delta = 0
    for kind in range(2):
        line, line_2 = line_of[cell, kind], line_of[partner, kind]
        lost = np.int64(counts[line, value] == 1) + np.int64(counts[line_2, other] == 1)
        won = np.int64(counts[line, other] == 0) + np.int64(counts[line_2, value] == 0)
        delta += (lost - won) * np.int64(line != line_2)
    return delta
