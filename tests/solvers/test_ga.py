"""The genetic algorithm of Mantere & Koljonen 2007: the solver against its twin."""

from itertools import islice

import numpy as np
import pytest
from conftest import random_puzzle
from naive import ga as naive_ga

from antdoku.kernels.randomness import kernel_state
from antdoku.solvers import ga


@pytest.mark.parametrize(
    "order, fixed, seed, values",
    [
        (2, 0.0, 1, {"population": 4, "guard": 2, "restart": 5}),
        (3, 0.3, 2, {}),
        (3, 0.3, 7, {"given_penalty": 0}),
        (3, 0.2, 3, {"three_swap": 0.3, "insertion": 0.3, "restart": 6, "guard": 4}),
        (3, 0.4, 4, {"population": 5, "elite": 2, "ageing": "individual", "swaps": 2}),
        (3, 0.4, 5, {"population": 2, "mutation": 1.0, "restart": 70}),
        (6, 0.5, 6, {"population": 6, "ageing": "off", "insertion": 0.5}),
        (8, 0.4, 8, {"population": 4, "three_swap": 0.2}),
    ],
)
def test_the_search_equals_its_twin_step_by_step(order, fixed, seed, values):
    puzzle, params = random_puzzle(order, fixed, seed), ga.Params(**values)
    search = ga._new_search(puzzle, params.population or ga._population(order))
    random = kernel_state(np.random.default_rng(seed))
    twin = naive_ga.Ga(puzzle, params, random.copy())
    for individual in islice(twin.steps(), min(300, 10_000 // order**3)):
        row = search.rows[int(search.at[ga._POSITION])]
        n_steps, solved = ga._evolve(search, ga._rules(params, order), random, 1)
        assert (n_steps, solved) == (1, individual.faults == 0)
        assert ga._grid(search.values[row], order).tolist() == individual.values
        assert 2 * search.faults[row] == individual.faults
        assert solved or search.penalty[row] == individual.penalty
        assert random.tolist() == twin.random.tolist()
        if solved:
            break
