"""The local search of Musliu & Winter 2017: the solver against its twin and the program."""

import csv

import numpy as np
import pytest
from conftest import random_partial_grid, random_puzzle
from naive import ils as naive_ils
from scipy import stats
from statsmodels.duration.survfunc import survdiff

import antdoku
from antdoku.kernels.propagation import geometry, propagated
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import ils
from antdoku.solvers._local import read_values

RANDOM = np.random.default_rng


def new_search(puzzle, seed=1, **values):
    """Return a search before its first step, its rules and its generator, as in `solve`."""
    params = ils.Params(**values)
    locked = np.array(puzzle.givens)
    read_values(propagated(puzzle)[0], locked)
    rules = ils._rules(params, np.count_nonzero(locked == 0), puzzle.order)
    search = ils._new_search(locked, params.reset, rules.node_limit, puzzle.order)
    random = kernel_state(RANDOM(seed))
    ils._start_local(search, random)
    return search, rules, random


@pytest.mark.parametrize("seed", range(24))
def test_the_forward_check_visits_the_nodes_of_its_twin(seed):
    partial, blank = random_partial_grid(3, 22 + seed % 3, seed).givens, Puzzle(3, [0] * 81)
    twin = naive_ils.Ils(blank, ils.Params(node_limit=61), None)
    twin.values = partial.tolist()
    n_nodes = len(list(twin._forward_check()))
    search, rules, _ = new_search(blank, node_limit=61)
    search.grid.values[:] = partial
    nodes, state = ils._check_forward(search, geometry(3), rules, 10**6)
    assert nodes == n_nodes == twin.nodes
    assert (state == ils._SOLVED) == all(twin.values)
    assert search.grid.values.tolist() == twin.values


@pytest.mark.parametrize(
    "order, fixed, seed, values",
    [
        (2, 0.0, 1, {"patience": 8, "node_limit": 2, "tabu_fraction": 0.5}),
        (3, 0.3, 2, {"patience": 25, "node_limit": 6, "tabu_fraction": 0.3}),
        (3, 0.2, 3, {"patience": 15, "node_limit": 9, "acceptance": 0.5, "reset_decay": 0.5}),
        (4, 0.35, 4, {"patience": 8, "node_limit": 3}),
    ],
)
def test_the_search_equals_its_twin_step_by_step(order, fixed, seed, values):
    puzzle = random_puzzle(order, fixed, seed)
    search, rules, random = new_search(puzzle, seed, **values)
    twin = naive_ils.Ils(puzzle, ils.Params(**values), kernel_state(RANDOM(seed)))
    steps, solved, rounds = twin.steps(), False, 0
    next(steps)
    for _ in range(300):
        rounds += search.at[ils._NODES] == 1
        n_steps, solved = ils._advance(search, geometry(order), rules, random, 1)
        is_over = next(steps, "over") == "over"
        assert (n_steps, list(search.grid.values)) == (1, twin.values)
        assert solved == is_over
        if solved:
            break
        assert (search.reset[0], *random) == (twin.reset, *twin.random)
    assert rounds >= 2 or solved


# The authors' program

# Nodes of its first forward check by instance. This check starts from the locked cells, draws no
# random numbers, and finds a solution. None: more than 2500 nodes, or not counted.
FIRST_CHECK = {
    "16x16_40": (610, 271, 2526, 79, 1010, 19586),
    "16x16_45": (28, 13, 12, 62),
    "25x25_50": (64, None, 24, 11, 153, 51, None, 1814, 505, 2323),
}


@pytest.mark.parametrize("kind", FIRST_CHECK)
def test_the_first_forward_check_visits_as_many_nodes_as_the_authors_program(kind, shared_data):
    for number, expected in enumerate(FIRST_CHECK[kind]):
        file = shared_data / "lloyd_amos_archive_sample" / f"inst{kind}_{number}.txt"
        (puzzle,) = antdoku.read(file)
        search, rules, _ = new_search(puzzle, node_limit=10**6)
        search.grid.values[search.grid.free] = 0
        nodes, state = ils._check_forward(search, geometry(puzzle.order), rules, expected or 0)
        assert (nodes, state == ils._SOLVED) == (expected or 0, expected is not None)


LEVEL = 0.01  # of each of two tests
SLICE = 200  # fewer than the patience, so that we see the best cost of each local search


@pytest.fixture(scope="module")
def references(shared_data):
    """Puzzle, iterations and best cost (0: solved) of one run of the program on 30 instances."""
    with open(shared_data / "ils_reference.csv") as file:
        rows = list(csv.DictReader(file))
    sample = shared_data / "lloyd_amos_archive_sample"
    puzzles = [antdoku.read(sample / row["instance"].split("/")[1])[0] for row in rows]
    assert len(puzzles) == 30
    results = [(int(row["iterations"]), int(row["final_cost"])) for row in rows]
    return list(zip(puzzles, results, strict=True))


def result(puzzle, limit, seed, **values):
    """Return steps and best cost of a run. Less than 1 % of its steps are nodes, not iterations."""
    search, rules, random = new_search(puzzle, seed, **values)
    steps, best = 0, np.inf
    while steps < limit:
        quota = min(SLICE, limit - steps)
        n_steps, solved = ils._advance(search, geometry(5), rules, random, quota)
        steps += n_steps
        if solved:
            return steps, 0
        best = min(best, search.at[ils._BEST_COST])
    return steps, best


def compared(references, n_runs, **values):
    """Compare our runs with the run of the program, of as many iterations, on each instance.

    Return two p values: for the rank of the program's run (solved earlier, or else a lower cost, is
    better), and of the log-rank test of iterations. Instances are strata.
    """
    rank, variance, rows = 0.0, 0.0, []
    for number, (puzzle, theirs) in enumerate(references):
        runs = [result(puzzle, theirs[0], seed, **values) for seed in range(n_runs)] + [theirs]
        ranks = stats.rankdata([steps if cost == 0 else 10**9 + cost for steps, cost in runs])
        rank += (ranks[-1] - ranks.mean()) / len(runs)
        variance += ranks.var() / len(runs) ** 2
        rows += [(*run, run is theirs, number) for run in runs]
    steps, cost, is_theirs, number = np.transpose(rows)
    by_time = survdiff(steps, cost == 0, is_theirs, strata=number)[1]
    return 2 * stats.norm.sf(abs(rank) / variance**0.5), by_time


def test_costs_and_iterations_agree_with_the_authors_program(references):
    assert min(compared(references, 3)) > LEVEL


@pytest.mark.parametrize("mistake", [{"reset_decay": 1.0}, {"tabu_fraction": 0}])
def test_the_comparison_detects_a_wrong_parameter(references, mistake):
    """The sample is large enough to see a real difference."""
    assert min(compared(references, 2, **mistake)) < LEVEL
