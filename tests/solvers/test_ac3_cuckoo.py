"""The cuckoo search: the solver against its twin, and rows that are hard to fill."""

import numpy as np
import pytest
from conftest import random_puzzle
from naive import ac3_cuckoo as naive_cuckoo

from antdoku.kernels.randomness import kernel_state
from antdoku.solvers import ac3_cuckoo as cuckoo
from antdoku.solvers._ac3 import ac3
from antdoku.solvers._local import solution_of


def random_of(seed):
    return kernel_state(np.random.default_rng(seed))


def grid_of(nest):
    """Return a nest as a list of rows of values."""
    size = int(np.sqrt(nest.size))
    return solution_of(nest, nest.size).reshape(size, size).tolist()


def tight_rows():
    """Return rows of order 8 whose cells allow two neighbouring values each, in a circle."""
    domains = np.full((64, 64), np.uint64(0))
    for column in range(64):
        domains[:, column] = np.uint64(1 << column | 1 << (column + 1) % 64)
    return domains


def test_rows_with_two_permutations_are_built_and_a_row_without_any_is_detected():
    search = cuckoo._new_search(tight_rows().ravel(), 20, 8)
    assert cuckoo._build_all(search, random_of(1))
    for nest in search.nests:
        assert (np.sort(grid_of(nest), axis=1) == np.arange(1, 65)).all()
        assert (nest & search.domains == nest).all()
    domains = tight_rows()
    domains[5, 7], domains[5, 9] = domains[5, 8], domains[5, 8]  # three cells for two values
    search = cuckoo._new_search(domains.ravel(), 2, 8)
    assert not cuckoo._build_all(search, random_of(1))


@pytest.mark.parametrize(
    "order, fixed, seed, values",
    [
        (2, 0.0, 1, {"nests": 4, "p_abandon": 0.5, "mutated_rows": 2}),
        (3, 0.3, 2, {"nests": 5, "p_pmx": 0.4, "p_mutation": 0.8, "mutated_rows": 9}),
        (3, 0.2, 3, {"nests": 8, "p_pmx": 0.9, "p_mutation": 0.2, "p_abandon": 0.3}),
        (4, 0.35, 4, {"nests": 3, "p_pmx": 0.5, "mutated_rows": 3}),
        (3, 0.3, 5, {"nests": 4, "patience": 3}),
        (5, 0.6, 6, {"nests": 3}),
    ],
)
def test_the_search_equals_its_twin_step_by_step(order, fixed, seed, values):
    puzzle, params = random_puzzle(order, fixed, seed), cuckoo.Params(**values)
    random, twin = random_of(seed), naive_cuckoo.Cuckoo(puzzle, params, random_of(seed))
    search = cuckoo._new_search(ac3(puzzle)[0], params.nests, order)
    assert cuckoo._build_all(search, random)
    rules = cuckoo._rules(params, puzzle.size)
    for _ in range(40):
        assert [grid_of(nest) for nest in search.nests] == twin.nests
        assert (search.best[0], search.costs.tolist()) == (twin.best, twin.costs)
        assert grid_of(search.previous) == twin.previous
        np.testing.assert_array_equal(random, twin.random)
        if twin.costs[twin.best] == 0:
            break
        _, solved = cuckoo._iterate(search, rules, random, 1)
        twin.iterate()
        assert solved == (twin.costs[twin.best] == 0)
