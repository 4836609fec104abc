"""Dancing links: the tree and the updates of a naive exact cover, counts, proofs, slices."""

import csv
from pathlib import Path

import numpy as np
import pytest
from naive import exact_cover as naive_exact_cover

import antdoku
from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT
from antdoku.puzzle.grid import ORDERS, Puzzle, is_solution
from antdoku.solvers import dlx

NAMED = Path(antdoku.__file__).parent / "data" / "named_9x9.csv"
PLATINUMBLOND = (  # unique
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."
)
ALL = 2**40


def solved_grid(order, rng):
    """Cyclic rows, shifted by n inside a band and by 1 more per band; values and rows permuted."""
    size = order**2
    rows = np.arange(size).reshape(order, order)
    rows = rng.permuted(rng.permutation(rows), axis=1).ravel()
    starts = order * (rows % order) + rows // order
    return rng.permutation(size)[(starts[:, None] + np.arange(size)) % size].ravel() + 1


def random_puzzle(order, n_givens, seed):
    rng = np.random.default_rng(seed)
    givens = solved_grid(order, rng)
    givens[rng.permutation(order**4)[n_givens:]] = 0
    return Puzzle(order, givens)


def random_legal_givens(order, n_givens, seed):
    """Givens that obey the rules, but that in most cases no solution completes."""
    rng = np.random.default_rng(seed)
    givens = np.zeros(order**4, int)
    while np.count_nonzero(givens) < n_givens:
        attempt = givens.copy()
        attempt[rng.integers(order**4)] = rng.integers(1, order**2 + 1)
        try:
            givens = Puzzle(order, attempt).givens
        except InputError:
            continue
    return Puzzle(order, givens)


def traced(puzzle, max_nodes=ALL):
    """What the naive twin returns, observed step by step."""
    search = dlx.new_search(puzzle)
    nodes, solutions = [], []
    while search.counters[dlx.LEVEL] >= 0 and len(nodes) < max_nodes:
        node = search.path[search.counters[dlx.LEVEL]]
        option = (node - search.matrix.key.size) // 4
        nodes.append((search.cell[option], search.value[option]))
        dlx.advance(search, ALL, Budget(max_steps=1))
        if search.counters[dlx.FOUND] > len(solutions):
            solutions.append(search.solution.tolist())
    return nodes, search.counters[dlx.UPDATES], solutions


def named_puzzles():
    with NAMED.open(newline="") as file:
        return [
            pytest.param(row["puzzle"], int(row["solutions"]), id=row["name"])
            for row in csv.DictReader(file)
        ]


def from_characters(text):
    return Puzzle(3, [int(sign) if sign.isdigit() else 0 for sign in text])


def with_one_wrong_value(puzzle, n_cells):
    """Puzzles that break no rule, but give one of the first open cells a wrong value."""
    solution = run(puzzle).solution
    for cell in np.flatnonzero(puzzle.givens == 0)[:n_cells]:
        for value in {*range(1, 10)} - {int(solution[cell])}:
            givens = puzzle.givens.copy()
            givens[cell] = value
            try:
                yield Puzzle(3, givens)
            except InputError:
                continue


def run(puzzle, **limits):
    return dlx.solve(puzzle, dlx.Params(), np.random.default_rng(1), Budget(**limits))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n_givens", [1, 3, 5, 8])
def test_order_2_is_searched_as_by_the_naive_twin(n_givens, seed):
    for puzzle in (random_puzzle(2, n_givens, seed), random_legal_givens(2, n_givens, seed)):
        assert traced(puzzle) == naive_exact_cover.search(puzzle)


@pytest.mark.parametrize("seed", range(20))
def test_order_3_is_searched_as_by_the_naive_twin(seed):
    for puzzle in (random_puzzle(3, 26, seed), random_legal_givens(3, 26, seed)):
        assert traced(puzzle, 300) == naive_exact_cover.search(puzzle, 300)


@pytest.mark.parametrize("n_givens", [0, 60, 100, 140])
def test_order_4_is_begun_as_by_the_naive_twin(n_givens):
    puzzle = random_puzzle(4, n_givens, n_givens)
    assert traced(puzzle, 150) == naive_exact_cover.search(puzzle, 150)


@pytest.mark.parametrize(("text", "n_solutions"), named_puzzles())
def test_named_puzzles_have_the_published_number_of_solutions(text, n_solutions):
    assert dlx.count(from_characters(text), 100) == (n_solutions, True)


def test_count_stops_at_its_limit():
    blank = Puzzle(2, np.zeros(16, int))
    assert dlx.count(blank, 1000) == (288, True)
    assert dlx.count(blank, 288) == (288, True)
    assert dlx.count(blank, 7) == (7, True)
    assert dlx.count(blank, 1) == (1, True)


def test_count_refuses_what_it_cannot_do():
    blank = Puzzle(3, np.zeros(81, int))
    with pytest.raises(InputError, match="limit = 0"):
        dlx.count(blank, 0)
    n_solutions, certain = dlx.count(Puzzle(3, np.zeros(81, int)), 10**6, Budget(max_steps=1000))
    assert n_solutions < 1000 and not certain


@pytest.mark.parametrize("order", ORDERS)
def test_all_orders_are_solved(order):
    puzzle = random_puzzle(order, int(0.7 * order**4), order)
    outcome = run(puzzle, max_steps=200_000)
    assert outcome.status == SOLVED
    assert is_solution(puzzle, outcome.solution)
    assert outcome.solution.dtype == np.int16
    assert outcome.steps >= puzzle.n_cells - puzzle.n_givens


@pytest.mark.parametrize("order", ORDERS)
def test_an_empty_grid_of_any_order_fits(order):
    search = dlx.new_search(Puzzle(order, np.zeros(order**4, int)))
    assert search.cell.size == order**6
    assert_is_consistent(search)
    dlx.advance(search, 1, Budget(max_steps=2 * order**4))
    assert_is_consistent(search)


def test_a_complete_grid_is_its_own_solution():
    puzzle = random_puzzle(3, 81, 1)
    outcome = run(puzzle)
    assert (outcome.status, outcome.steps) == (SOLVED, 0)
    assert is_solution(puzzle, outcome.solution)
    assert dlx.count(puzzle, 5) == (1, True)


def test_givens_that_leave_a_cell_empty_are_exhausted_at_once():
    givens = np.zeros((9, 9), int)
    givens[0, 1:] = range(1, 9)
    givens[5, 0] = 9
    outcome = run(Puzzle(3, givens))
    assert (outcome.status, outcome.solution, outcome.steps) == (EXHAUSTED, None, 0)
    assert dlx.count(Puzzle(3, givens), 5) == (0, True)


def test_wrong_values_in_a_unique_puzzle_are_refuted():
    puzzles = with_one_wrong_value(from_characters(PLATINUMBLOND), n_cells=4)
    outcomes = [run(puzzle) for puzzle in puzzles]
    assert {outcome.status for outcome in outcomes} == {EXHAUSTED}
    assert all(outcome.solution is None for outcome in outcomes)
    assert max(outcome.steps for outcome in outcomes) > 1000  # a search, not a look


def test_the_step_that_completes_a_proof_is_the_last():
    puzzle = next(with_one_wrong_value(from_characters(PLATINUMBLOND), n_cells=1))
    n_steps = run(puzzle).steps
    assert run(puzzle, max_steps=n_steps).status == EXHAUSTED
    assert run(puzzle, max_steps=n_steps - 1).status == TIMEOUT


def test_the_step_limit_is_exact():
    outcome = run(Puzzle(5, np.zeros(625, int)), max_steps=300)
    assert (outcome.status, outcome.solution, outcome.steps) == (TIMEOUT, None, 300)


def test_slices_do_not_change_the_search():
    puzzle = random_puzzle(5, 250, 1)
    whole, sliced = dlx.new_search(puzzle), dlx.new_search(puzzle)
    dlx.advance(whole, 1, Budget(max_steps=5000))
    for n_steps in (1, 2, 997, 3000, 1000):
        dlx.advance(sliced, 1, Budget(max_steps=n_steps))
    assert whole.counters.tolist() == sliced.counters.tolist()
    level = whole.counters[dlx.LEVEL]
    assert whole.path[: level + 1].tolist() == sliced.path[: level + 1].tolist()
    assert_is_consistent(whole)


def test_everything_is_undone_at_the_end():
    puzzle = random_puzzle(3, 26, 3)
    search = dlx.new_search(puzzle)
    assert dlx.advance(search, ALL, Budget())
    sizes = search.matrix.key >> dlx.SIZE_SHIFT
    assert sizes.sum() == 4 * search.cell.size
    assert_is_consistent(search)


def assert_is_consistent(search):
    """Each list is the same downwards and upwards, and as long as its key says."""
    matrix = search.matrix
    n_columns = matrix.key.size
    np.testing.assert_array_equal(matrix.key & dlx.HEADER, np.arange(n_columns))
    sizes = (matrix.key & ~dlx.COVERED) >> dlx.SIZE_SHIFT
    for header in range(n_columns):
        node, length = matrix.down[header], 0
        while node != header:
            assert matrix.column[node] == header
            assert matrix.down[matrix.up[node]] == node
            node, length = matrix.down[node], length + 1
        assert length == sizes[header]
