"""Dancing links: Sudoku as exact cover, searched depth first.

Every cell needs one value, and every row, column and box needs each value once: 4c items, each to
be covered once. A candidate (cell, value) is an option that covers four of them. The item with
fewest options left is covered next, the first of equals. So the order of the items, which `items`
chooses, decides how large the tree is. Choosing an option takes all options that share an item with
it out of doubly linked lists, which can be undone exactly.

Reference: Knuth 2000, "Dancing Links" (arXiv:cs/0011047), algorithm X with the S heuristic; items
and options in the order of dlx-cpp's Sudoku program, which Lloyd & Amos 2018 ran.

Glossary: column of the matrix = item; row of the matrix = option; size of a column = number of its
options that are left; update = a header or a node taken out of its list (Knuth's operation 1),
counted from the state in which the givens are covered. A step is one option tried: a node of the
search tree.

Naive twin: tests/naive/exact_cover.py.
"""

from collections import namedtuple
from functools import cache

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.compilation import inlined, kernel
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, units_of_cell
from antdoku.solvers._parameters import parameters, require, word

TITLE = "DLX"
KIND = "exact"

# Indices of `Search.counters`.
LEVEL = 0  # of the search tree: options chosen so far; -1 at the end
N_SOLUTIONS = 1
UPDATES = 2

NO_COLUMN = np.uint16(2**16 - 1)  # header of an item that a given covers

# Parts of `Matrix.key`.
HEADER = np.uint32(2**16 - 1)
SIZE_SHIFT = np.uint32(16)
ONE_OPTION = np.uint32(2**16)
COVERED = np.uint32(2**31)


@parameters
class Params:
    """Parameters of DLX."""

    items = word(
        "columns",
        {
            "columns": "cells column by column, then columns, rows and boxes with a value",
            "rows": "cells row by row, then rows, columns and boxes with a value",
        },
        "The order of the items; of several items with the fewest options the first is covered.",
    )


# The exact-cover matrix, as links between nodes. The givens are covered from the start: their
# items are left out. Columns and options keep the order of `covered_items`. Nodes are numbers; the
# headers of the m columns come first, then four nodes for each option:
#
#     | header 0 .. m-1 | cell, row, column, box node of option 0 | the same of option 1 | ...
#
# As m is a multiple of 4, the other nodes of an option are node ^ 1, node ^ 2 and node ^ 3: no
# links to the left and right are needed. Nor is Knuth's list of headers: the smallest of all keys
# names the column to cover next, and a minimum is what vector instructions find at once.
Matrix = namedtuple("Matrix", "up down column key")
Search = namedtuple("Search", "matrix options path counters solution")


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Search until a solution is found, the tree is searched, or the budget is used up."""
    search = new_search(puzzle, params.items)
    if not advance(search, 1, budget):
        return Outcome(TIMEOUT, None, budget.steps)
    if search.counters[N_SOLUTIONS]:
        return Outcome(SOLVED, search.solution, budget.steps)
    return Outcome(EXHAUSTED, None, budget.steps)


def count(puzzle: Puzzle, limit: int, budget: Budget | None = None) -> tuple[int, bool]:
    """Count the solutions of `puzzle` up to `limit`; a limit below 1 is an `InputError`.

    Returns the number of solutions, and whether it is certain: the search reached the limit or
    found all solutions before the budget ended.
    """
    require(limit >= 1, "limit", limit, "at least 1")
    search = new_search(puzzle)
    certain = advance(search, limit, budget or Budget())
    return int(search.counters[N_SOLUTIONS]), certain


@cache
def covered_items(order: int, items: str) -> np.ndarray:
    """Return the numbers of the items that each option covers: uint16, shape (c * d, 4).

    Options are sorted by cell, row by row, and value. Items are numbered in the order of the
    columns of the matrix, which the parameter `items` chooses.
    """
    size = order**2
    cell, value = np.divmod(np.arange(size**3), size)
    row, column, box = (units_of_cell(order)[cell] % size).T
    if items == "columns":
        row, column = column, row
    pairs = [row * size + column, *(unit * size + value for unit in (row, column, box))]
    numbers = [kind * size**2 + pair for kind, pair in enumerate(pairs)]
    return np.column_stack(numbers).astype(np.uint16)


def new_search(puzzle: Puzzle, order_of_items: str = Params().items) -> Search:
    """Build the matrix of `puzzle` and cover the first column; a search can stop after any step."""
    items = covered_items(puzzle.order, order_of_items)
    header_of = np.zeros(4 * puzzle.n_cells, np.uint16)
    options = np.empty(len(items), np.uint32)
    options = options[: _list_options(options, header_of, items, puzzle.givens)]
    n_open = puzzle.n_cells - puzzle.n_givens
    # 16 bits are enough for the 65000 nodes of an empty grid of order 5.
    dtype = np.uint16 if puzzle.order <= 5 else np.uint32
    # The node above and below each node in its column, cyclic through the header; the header.
    up, down, column = np.empty((3, 4 * n_open + 4 * options.size), dtype)
    key = np.empty(4 * n_open, np.uint32)  # size * 2**16 + header, and COVERED while covered
    search = Search(
        matrix=Matrix(up, down, column, key),
        options=options,  # the options left, as rows of `covered_items`
        path=np.empty(n_open, np.uint32),  # chosen nodes below LEVEL; at LEVEL, the next to try
        counters=np.zeros(3, np.int64),  # LEVEL, N_SOLUTIONS, UPDATES
        solution=puzzle.givens.copy(),  # completed by the latest solution
    )
    _build(search, header_of, items)
    return search


def advance(search: Search, n_wanted: int, budget: Budget) -> bool:
    """Go on until `n_wanted` solutions are found or there are no more; False if the budget ends."""
    for quota in budget.slices():
        budget.spend(_search(search, n_wanted, quota))
        if search.counters[N_SOLUTIONS] == n_wanted or search.counters[LEVEL] < 0:
            return True
    return False


@kernel
def _list_options(options, header_of, items, givens):
    """List the options that share no item with a given; return their number. Mark covered items."""
    size = len(items) // len(givens)
    for cell in range(len(givens)):
        if givens[cell]:
            for kind in range(4):
                header_of[items[cell * size + givens[cell] - 1, kind]] = NO_COLUMN
    n_options = 0
    for option in range(len(items)):
        is_left = True
        for kind in range(4):
            is_left &= header_of[items[option, kind]] != NO_COLUMN
        # Stored in any case: no branch to guess.
        options[n_options] = option
        n_options += is_left
    return n_options


@kernel
def _build(search, header_of, items):
    """Make a column for every item that is not marked, enter the options, cover the first column.

    A puzzle without open cells is its own solution.
    """
    matrix, path, counters, n_columns = search.matrix, search.path, search.counters, 0
    for item in range(len(header_of)):
        if header_of[item] != NO_COLUMN:
            header_of[item] = n_columns
            n_columns += 1
    for header in range(n_columns):
        matrix.up[header] = matrix.down[header] = matrix.column[header] = header
        matrix.key[header] = header
    node = np.uint64(n_columns)
    for option in search.options:
        for kind in range(4):
            header = np.uint64(header_of[items[option, kind]])
            last = np.uint64(matrix.up[header])
            matrix.up[node] = last
            matrix.down[node] = matrix.column[node] = header
            matrix.up[header] = matrix.down[last] = node
            matrix.key[header] += ONE_OPTION
            node += np.uint64(1)
    if len(path) == 0:
        counters[N_SOLUTIONS] = 1
        counters[LEVEL] = -1
    else:
        counters[UPDATES] = _descend(matrix, path, 0)
        counters[LEVEL] = _next_option(matrix, path, 0)


@kernel
def _search(search, n_wanted, quota):
    """Try up to `quota` options, until `n_wanted` solutions or the end; return their number."""
    matrix, path, counters = search.matrix, search.path, search.counters
    level, n_updates, step = counters[LEVEL], 0, 0
    while step < quota and level >= 0 and counters[N_SOLUTIONS] < n_wanted:
        step += 1
        node = np.uint64(path[level])
        for offset in range(1, 4):  # the other columns of the option
            n_updates += _cover(matrix, np.uint64(matrix.column[node ^ np.uint64(offset)]))
        if level + 1 < len(path):
            level += 1
            n_updates += _descend(matrix, path, level)
        else:
            _record_solution(search)
            _take_back(matrix, path, level)
        level = _next_option(matrix, path, level)
    counters[LEVEL] = level
    counters[UPDATES] += n_updates
    return step


@inlined
def _descend(matrix, path, level):
    """Cover the column with fewest options, the leftmost of equals; return the updates."""
    smallest = matrix.key[0]
    for header in range(len(matrix.key)):
        smallest = min(smallest, matrix.key[header])
    smallest = np.uint64(smallest & HEADER)
    n_updates = _cover(matrix, smallest)
    path[level] = matrix.down[smallest]  # the next option to try
    return n_updates


@inlined
def _next_option(matrix, path, level):
    """Go up from `level` to the first level with an option left; return it, or -1."""
    while path[level] < len(matrix.key):  # a header: all options of the column have been tried
        _uncover(matrix, np.uint64(path[level]))
        level -= 1
        if level < 0:
            break
        _take_back(matrix, path, level)
    return level


@inlined
def _take_back(matrix, path, level):
    """Uncover the columns of the choice at `level`, last one first; go to the next option."""
    node = np.uint64(path[level])
    for offset in range(3, 0, -1):
        _uncover(matrix, np.uint64(matrix.column[node ^ np.uint64(offset)]))
    path[level] = matrix.down[node]


@inlined
def _cover(matrix, header):
    """Take a column out, and its options out of their other columns; return the updates."""
    n_updates = 1 + 3 * np.int64(matrix.key[header] >> SIZE_SHIFT)
    matrix.key[header] |= COVERED
    node = np.uint64(matrix.down[header])
    while node != header:
        for offset in range(1, 4):
            _unlink(matrix, node ^ np.uint64(offset))
        node = np.uint64(matrix.down[node])
    return n_updates


@inlined
def _uncover(matrix, header):
    """Undo `_cover`, in the opposite order."""
    node = np.uint64(matrix.up[header])
    while node != header:
        for offset in range(3, 0, -1):
            _relink(matrix, node ^ np.uint64(offset))
        node = np.uint64(matrix.up[node])
    matrix.key[header] &= ~COVERED


@inlined
def _unlink(matrix, node):
    """Take a node out of its column. It keeps its own links, which `_relink` uses."""
    above, below = np.uint64(matrix.up[node]), np.uint64(matrix.down[node])
    matrix.down[above] = below
    matrix.up[below] = above
    matrix.key[matrix.column[node]] -= ONE_OPTION


@inlined
def _relink(matrix, node):
    """Put a node back where `_unlink` took it from."""
    above, below = np.uint64(matrix.up[node]), np.uint64(matrix.down[node])
    matrix.down[above] = node
    matrix.up[below] = node
    matrix.key[matrix.column[node]] += ONE_OPTION


@inlined
def _record_solution(search):
    """Write the options on the path to the solution."""
    search.counters[N_SOLUTIONS] += 1
    size = round(len(search.solution) ** 0.5)
    for node in search.path:
        option = search.options[(node - len(search.matrix.key)) >> 2]
        search.solution[option // size] = option % size + 1
