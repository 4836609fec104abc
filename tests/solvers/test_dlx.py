"""Dancing links: the tree and the updates of a naive exact cover, counts and proofs."""

import numpy as np
import pytest
from conftest import answer, random_partial_grid, random_puzzle
from naive import exact_cover as naive_exact_cover

import antdoku
from antdoku.budget import Budget
from antdoku.contract import dead_end_puzzle
from antdoku.errors import InputError
from antdoku.outcome import EXHAUSTED, TIMEOUT
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import dlx

ALL = 2**40


def traced(puzzle, max_nodes=ALL, order="columns"):
    """Return the result of the search in the form of the naive twin, observed step by step."""
    search = dlx.new_search(puzzle, order)
    nodes, solutions = [], []
    while search.counters[dlx.LEVEL] >= 0 and len(nodes) < max_nodes:
        node = search.path[search.counters[dlx.LEVEL]]
        option = int(search.options[(node - search.matrix.key.size) // 4])
        nodes.append((option // puzzle.size, option % puzzle.size + 1))
        dlx.advance(search, ALL, Budget(max_steps=1))
        if search.counters[dlx.N_SOLUTIONS] > len(solutions):
            solutions.append(search.solution.tolist())
    return nodes, search.counters[dlx.UPDATES], solutions


@pytest.mark.parametrize(
    "order, n_givens, n_seeds, max_nodes",
    [
        *((2, n_givens, 20, ALL) for n_givens in (1, 3, 5, 8)),
        (3, 26, 20, 300),
        *((4, n_givens, 1, 150) for n_givens in (0, 60, 100, 140)),
    ],
)
def test_the_search_equals_the_naive_twin(order, n_givens, n_seeds, max_nodes):
    for seed in range(n_seeds):
        solvable = random_puzzle(order, n_givens / order**4, seed)
        for puzzle in (solvable, random_partial_grid(order, n_givens, seed)):
            for items in ("columns", "rows"):
                expected = naive_exact_cover.search(puzzle, max_nodes, items)
                assert traced(puzzle, max_nodes, items) == expected


# Nodes of dlx-cpp's Sudoku program up to a second solution, including root and givens.
THEIR_NODES = {
    "16x16_40": (661, 571, 946, 1793, 1573, 573),
    "16x16_50": (645, 651, 645, 647),
    "25x25_50": (1864, 344681, 2217, 1738, 1574, 1699, None, 3261, 2576, 86670),
}


@pytest.mark.parametrize("kind", THEIR_NODES)
def test_the_tree_is_as_large_as_in_the_authors_program(kind, shared_data):
    for number, nodes in enumerate(THEIR_NODES[kind]):
        if nodes:
            file = shared_data / "lloyd_amos_archive_sample" / f"inst{kind}_{number}.txt"
            (puzzle,) = antdoku.read(file)
            budget = Budget()
            assert dlx.advance(dlx.new_search(puzzle), 2, budget)
            assert budget.steps + 1 + 4 * puzzle.n_givens == nodes


def test_counts_equal_the_published_counts_up_to_a_limit():
    counts = {row.name: dlx.count(named.puzzles(row.name)[0], 100) for row in named.table()}
    assert counts == {row.name: (row.n_solutions, True) for row in named.table()}
    for limit, count in ((1000, 288), (288, 288), (7, 7), (1, 1)):
        assert dlx.count(Puzzle(2, [0] * 16), limit) == (count, True)
    blank = Puzzle(3, [0] * 81)
    with pytest.raises(InputError, match="limit = 0"):
        dlx.count(blank, 0)
    n_solutions, certain = dlx.count(blank, 10**6, Budget(max_steps=1000))
    assert n_solutions < 1000 and not certain


def test_the_step_that_completes_a_proof_is_the_last():
    puzzle = dead_end_puzzle()
    n_steps = answer(dlx, puzzle).steps
    assert n_steps > 100  # the proof takes a search
    assert answer(dlx, puzzle, max_steps=n_steps).status == EXHAUSTED
    stopped = answer(dlx, puzzle, max_steps=n_steps - 1)
    assert (stopped.status, stopped.steps) == (TIMEOUT, n_steps - 1)


@pytest.mark.parametrize("order", [2, 5, 6])  # integers are wider from 6 on
def test_the_matrix_is_restored_at_the_end(order):
    """Each list is the same downwards and upwards, and has the length in its key."""
    search = dlx.new_search(random_puzzle(order, 0.9, 3))
    assert dlx.advance(search, ALL, Budget())
    matrix = search.matrix
    headers, nodes = np.arange(matrix.key.size), np.arange(matrix.down.size)
    np.testing.assert_array_equal(matrix.key & dlx.HEADER, headers)
    np.testing.assert_array_equal(matrix.down[matrix.up], nodes)
    np.testing.assert_array_equal(matrix.column[matrix.down], matrix.column)
    sizes = np.bincount(matrix.column) - 1
    np.testing.assert_array_equal(matrix.key >> dlx.SIZE_SHIFT, sizes)
