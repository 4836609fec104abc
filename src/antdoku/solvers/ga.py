"""Genetic algorithm on grids whose boxes are permutations.

A small population is sorted by fitness. In every generation each individual behind the elite is
overwritten, from the last to the first, by a child of two individuals that stand before it: every
box comes from one of the parents, then values of one box may change cells. The best gets older,
and hence worse, in each generation. After many generations a new random population begins.

Reference: Mantere & Koljonen 2007, "Solving, Rating and Generating Sudoku Puzzles with GA" (IEEE
Congress on Evolutionary Computation), as re-implementations and quotations describe it.

Glossary: position = rank by fitness, 0 is the best; row = where an individual lies in memory; line
= row or column of the grid, or its part in a box; slot of a cell = its number in its box; fault = a
value that is absent from a line; clash = a cell of another box, in the row or column of a cell,
that holds the same value; taken value = a value that a given in the row or column of a cell has;
guard = how often a row and a column together may hold a value that a mutation moves to their cell:
2 is a cell without clash, from twice the order on everything passes. A step is one fitness
evaluation.

Memory: besides its values, an individual has a mask of the values in each line of each box. A
crossover copies both; fitness and guard only read the masks.

Naive twin: tests/naive/ga.py.
"""

from collections import namedtuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import MASK_ORDERS, ONE, count
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import NONE, mask_dtype
from antdoku.kernels.randomness import below, draw, kernel_state, two_below, uniform
from antdoku.outcome import SOLVED, Outcome
from antdoku.puzzle.grid import MIN_ORDER, Puzzle, units
from antdoku.solvers._local import copy, run_kernel
from antdoku.solvers._parameters import integer, parameters, real, require, rules_of, word

TITLE = "GA"
KIND = "stochastic"
ORDERS = MASK_ORDERS
ALWAYS_ENDS = False  # see docs/deviations.md


@parameters
class Params:
    """Parameters of the GA; docs/deviations.md lists the values that the sources leave open."""

    population = integer(
        0, 0, 1000, "Individuals, at least 2; 0: seven times the order, 21 at order 3."
    )
    elite = integer(1, 1, 999, "The best that survive a generation, less than the population.")
    mutation = real(0.6, 0, 1, "Probability that a child is mutated, in one box.")
    swaps = integer(5, 1, 10**9, "Longest sequence of swaps of a mutation.")
    three_swap = real(0.3, 0, 1, "Probability that a mutation is a 3-swap.")
    insertion = real(0.2, 0, 1, "Probability that it is an insertion; else it is swaps.")
    given_penalty = integer(
        4, 0, 10**9, "Fitness of a cell whose value is taken; that of an absent value is 2."
    )
    guard = integer(
        0, 0, 10**9, "How often a row and a column may hold a moved value; 0: max(3, order)."
    )
    ageing = word(
        "grid",
        {
            "grid": "a child equal to one that stands before it has its age",
            "individual": "every child is born young",
            "off": "it does not",
        },
        "Whether the best gets worse by 1 in each generation.",
    )
    restart = integer(
        0, 0, 10**9, "Generations of a population; 0: 2000 at order 3, growing as c squared."
    )

    def __attrs_post_init__(self):
        for name in ("population", "guard"):
            require(getattr(self, name) != 1, name, 1, "0, or at least 2")
        smallest = self.population or _population(MIN_ORDER)
        require(self.elite < smallest, "elite", self.elite, f"less than the population, {smallest}")
        room = 1 - self.three_swap
        require(self.insertion <= room, "insertion", self.insertion, "at most 1 - three_swap")


def _population(order):
    return 7 * order


Rules = rules_of(Params, "clashes", "ageing", "equal_age")
Search = namedtuple("Search", "values lines faults penalty age rows slots n_free taken moved at")
# Indices of `Search.at`: generation (0: random individuals), position of the next child, row of the
# best of the last generation.
_GENERATION, _POSITION, _BEST = range(3)


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Run the GA until an individual has no fault or the budget is used up."""
    if puzzle.n_givens == puzzle.n_cells:
        return Outcome(SOLVED, puzzle.givens, 0)
    search = _new_search(puzzle, params.population or _population(puzzle.order))

    def solution():
        return _grid(search.values[search.rows[search.at[_POSITION]]], puzzle.order)

    state = search, _rules(params, puzzle.order), kernel_state(rng)
    return run_kernel(budget, _evolve, state, solution, lambda: int(search.faults.min()))


def _rules(params, order):
    return Rules.of(
        params,
        insertion=float(params.three_swap + params.insertion),  # or a 3-swap
        clashes=(params.guard or max(3, order)) - 2,  # that each value moved may bring about
        ageing=int(params.ageing != "off"),
        equal_age=params.ageing == "grid",
        restart=params.restart or 2000 * order**8 // 81**2,
    )


def _new_search(puzzle, m):
    order, size = puzzle.order, puzzle.size
    boxes = puzzle.givens[units(order)[2 * size :]]
    is_given = boxes > 0
    for box in boxes:  # any filling will do: the first generation shuffles it
        box[box == 0] = np.setdiff1d(np.arange(1, size + 1), box)
    return Search(
        values=np.repeat((boxes - 1).astype(np.uint8)[None], m, axis=0),  # by individual; from 0
        lines=np.zeros((m, size, 2 * order), mask_dtype(order)),  # of a box: its rows, its columns
        faults=np.full(m, 2 * size**2, np.int64),  # the most, until it is counted
        penalty=np.zeros(m, np.int64),  # for values that are taken
        age=np.zeros(m, np.int64),
        rows=np.arange(m, dtype=np.uint64),  # of the individuals by position
        slots=np.argsort(is_given, axis=1, kind="stable").astype(np.uint64),  # free slots first
        n_free=np.count_nonzero(~is_given, axis=1).astype(np.uint64),  # of each box
        taken=_taken(puzzle),
        moved=np.empty(size, np.uint64),  # slots whose values a mutation moves
        at=np.array([0, m - 1, 0], np.uint64),  # see _GENERATION and what follows
    )


def _taken(puzzle):
    """Return the mask of the values of givens in the row or column of each cell, box by box."""
    size, dtype = puzzle.size, mask_dtype(puzzle.order)
    lines, boxes = np.split(units(puzzle.order), [2 * size])
    masks = np.zeros(puzzle.n_cells, dtype)
    for line in lines:
        given = puzzle.givens[line]
        masks[line] |= np.bitwise_or.reduce(dtype(1) << (given[given > 0] - 1).astype(dtype))
    return masks[boxes]


def _grid(boxes, order):
    """Return the values of a grid (int16, shape (c,), from 1); `boxes` has them by box, from 0."""
    grid = np.empty(order**4, np.int16)
    grid[units(order)[2 * order**2 :]] = boxes + 1
    return grid


@kernel
def _evolve(search, rules, random, quota):
    """Do up to `quota` evaluations; return their number, and whether the last found a solution."""
    at = search.at
    for step in range(quota):
        row = search.rows[at[_POSITION]]
        if at[_GENERATION] == 0:
            _scatter(search, row, random)
        else:
            _breed(search, rules, row, random)
        search.faults[row] = _count_faults(search.lines[row])
        if search.faults[row] == 0:
            return step + 1, True
        search.penalty[row] = rules.given_penalty * _count_taken(search, row)
        search.age[row] = _age_at_birth(search, row) if rules.equal_age else 0
        last = rules.elite if at[_GENERATION] else 0
        if at[_POSITION] > last:
            at[_POSITION] -= ONE
        else:
            _end_generation(search, rules)
    return quota, False


@inlined
def _scatter(search, row, random):
    """Make a random individual: shuffle the free values of every box."""
    for box in range(np.uint64(len(search.n_free))):
        values, slots, n_free = search.values[row, box], search.slots[box], search.n_free[box]
        for k in range(n_free):
            slot, partner = slots[k], slots[k + below(random, n_free - k)]
            values[slot], values[partner] = values[partner], values[slot]
        _mask_lines(search.lines[row, box], values)


@inlined
def _mask_lines(lines, values):
    """Compute the masks (2n,) of a box from its values (d,)."""
    order = np.uint64(len(lines) // 2)
    for line in range(2 * order):
        lines[line] = 0
    for row in range(order):
        for column in range(order):
            mask = ONE << np.uint64(values[row * order + column])
            lines[row] |= mask
            lines[order + column] |= mask


@inlined
def _count_faults(lines):
    """Return the number of values absent from rows and columns, from the masks (d, 2n).

    A line of d cells has as many surplus values as absent values. So the two parts of the fitness
    (+1 for an absent value, +(k-1) for a value that occurs k > 1 times) are always equal.
    """
    order = np.uint64(lines.shape[1] // 2)
    present = NONE
    for chute in range(order):  # a band of boxes, and the stack of the same number
        for line in range(order):
            row, column = NONE, NONE
            for box in range(order):
                row |= np.uint64(lines[chute * order + box, line])
                column |= np.uint64(lines[box * order + chute, order + line])
            present += count(row) + count(column)
    return 2 * len(lines) ** 2 - np.int64(present)


@inlined
def _count_taken(search, row):
    """Return the number of free cells whose value a given of the row or column has."""
    n_taken = 0
    for box in range(np.uint64(len(search.n_free))):
        for k in range(search.n_free[box]):
            slot = search.slots[box, k]
            value = ONE << np.uint64(search.values[row, box, slot])
            n_taken += search.taken[box, slot] & value != NONE
    return n_taken


@inlined
def _breed(search, rules, row, random):
    """Overwrite `row` with a child of two individuals that stand before it."""
    values, lines, position = search.values, search.lines, search.at[_POSITION]
    mother = search.rows[below(random, position)]
    father = search.rows[below(random, position)]
    choice = draw(random)
    for box in range(np.uint64(values.shape[1])):
        # One bit a box, from the top: the uppermost are the most random ones.
        parent = mother if choice >> np.uint64(63) else father
        choice <<= ONE
        copy(values[row, box], values[parent, box])
        copy(lines[row, box], lines[parent, box])
    if uniform(random) < rules.mutation:
        _mutate(search, rules, row, random)


@inlined
def _mutate(search, rules, row, random):
    """Move values inside one random box: 3-swap, insertion or a sequence of swaps."""
    values, lines = search.values[row], search.lines[row]
    box = below(random, np.uint64(len(values)))
    kind = uniform(random)
    n_moves = ONE + below(random, rules.swaps) if kind >= rules.insertion else ONE
    for _ in range(n_moves):
        n_moved = _draw_slots(search, rules, box, kind, random)
        if n_moved == 0:  # a sequence of swaps ends at a given
            break
        _rotate(values, lines, box, search.moved[:n_moved], rules.clashes)
    _mask_lines(lines[box], values[box])


@inlined
def _draw_slots(search, rules, box, kind, random):
    """Draw the slots whose values move; return their number, 0 without room or at a given."""
    slots, moved, n_free = search.slots[box], search.moved, search.n_free[box]
    is_three, is_swap = kind < rules.three_swap, kind >= rules.insertion
    if n_free < (3 if is_three else 2):
        return 0
    # The partner of a swap is any slot of the box.
    first, second = two_below(random, n_free, np.uint64(len(slots)) if is_swap else n_free)
    if is_swap:
        moved[0], moved[1] = slots[first], slots[second]
        return 2 if second < n_free else 0
    low, high = min(first, second), max(first, second)
    if is_three:
        third = below(random, n_free - np.uint64(2))
        third += np.uint64(third >= low)
        third += np.uint64(third >= high)
        moved[0], moved[1], moved[2] = slots[first], slots[second], slots[third]
        return 3
    # An insertion moves the values of all free slots from the first to the second.
    for k in range(high - low + ONE):
        moved[k] = slots[first + k if first < second else first - k]
    return np.int64(high - low) + 1


@inlined
def _rotate(values, lines, box, moved, max_clashes):
    """Give each slot of `moved` the value of the next slot, and the last one the first value.

    No value moves if one of them would have more than `max_clashes` clashes.
    """
    for k in range(len(moved)):
        value = values[box, moved[k + 1 if k + 1 < len(moved) else 0]]
        if _count_clashes(lines, box, moved[k], value) > max_clashes:
            return
    for k in range(len(moved) - 1):
        slot, following = moved[k], moved[k + 1]
        values[box, slot], values[box, following] = values[box, following], values[box, slot]


@inlined
def _count_clashes(lines, box, slot, value):
    """Return the number of cells of other boxes in the row or column that hold `value`."""
    order, mask = np.uint64(lines.shape[1] // 2), ONE << np.uint64(value)
    band, stack = box // order, box % order
    row, column = slot // order, order + slot % order
    clashes = 0
    for k in range(order):
        beside, beneath = band * order + k, k * order + stack
        clashes += beside != box and lines[beside, row] & mask != NONE
        clashes += beneath != box and lines[beneath, column] & mask != NONE
    return clashes


@inlined
def _age_at_birth(search, row):
    """Return the age of an equal individual that stands before a child, else 0."""
    if search.at[_GENERATION]:
        for position in range(search.at[_POSITION]):
            elder = search.rows[position]
            alike = search.faults[elder] == search.faults[row]
            if alike and _are_equal(search.values[elder], search.values[row]):
                return search.age[elder]
    return 0


@inlined
def _are_equal(values, second_values):
    for box in range(len(values)):
        for slot in range(len(values)):
            if values[box, slot] != second_values[box, slot]:
                return False
    return True


@inlined
def _end_generation(search, rules):
    """Sort the population; the best ages if it was the best before. Begin a new generation."""
    at, rows = search.at, search.rows
    _sort(search)
    if at[_GENERATION] and rows[0] == at[_BEST]:
        search.age[rows[0]] += rules.ageing
    at[_BEST], at[_POSITION] = rows[0], len(rows) - 1
    at[_GENERATION] = at[_GENERATION] + ONE if at[_GENERATION] < rules.restart else NONE


@inlined
def _sort(search):
    """Sort by fitness (insertion sort); among equals the elder stays in front."""
    rows = search.rows
    for k in range(ONE, np.uint64(len(rows))):
        row, position = rows[k], k
        while position > NONE and _fitness(search, row) < _fitness(search, rows[position - ONE]):
            rows[position] = rows[position - ONE]
            position -= ONE
        rows[position] = row


@inlined
def _fitness(search, row):
    return 2 * search.faults[row] + search.penalty[row] + search.age[row]
