"""The rules of Musliu & Winter 2017: the solver against its twin and the authors' program."""

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


def new_search(puzzle, seed=1, **given):
    """A search before its first step, its rules and its random numbers, as `solve` makes them."""
    params = ils.Params(**given)
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
    "order, fixed, seed, given",
    [
        (2, 0.0, 1, {"patience": 8, "node_limit": 2, "tabu_fraction": 0.5}),
        (3, 0.3, 2, {"patience": 25, "node_limit": 6, "tabu_fraction": 0.3}),
        (3, 0.2, 3, {"patience": 15, "node_limit": 9, "acceptance": 0.5, "reset_decay": 0.5}),
        (4, 0.35, 4, {"patience": 8, "node_limit": 3}),
    ],
)
def test_follows_its_twin_step_by_step(order, fixed, seed, given):
    puzzle = random_puzzle(order, fixed, seed)
    search, rules, random = new_search(puzzle, seed, **given)
    twin = naive_ils.Ils(puzzle, ils.Params(**given), kernel_state(RANDOM(seed)))
    steps, solved, rounds = twin.steps(), False, 0
    next(steps)
    for _ in range(300):
        rounds += search.at[ils._NODES] == 1
        n_steps, solved = ils._advance(search, geometry(order), rules, random, 1)
        ended = next(steps, "ended") == "ended"
        assert (n_steps, list(search.grid.values)) == (1, twin.values)
        assert solved == ended
        if solved:
            break
        assert (search.reset[0], *random) == (twin.reset, *twin.random)
    assert rounds >= 2 or solved


# The authors' program

# Nodes of its first forward check, which starts from the locked cells and draws no random numbers,
# by instance; all find a solution. None: more than 2500, or not counted.
FIRST_CHECK = {
    "16x16_40": (610, 271, 2526, 79, 1010, 19586),
    "16x16_45": (28, 13, 12, 62),
    "25x25_50": (64, None, 24, 11, 153, 51, None, 1814, 505, 2323),
}


@pytest.mark.parametrize("kind", FIRST_CHECK)
def test_the_first_forward_check_is_that_of_the_authors_program(kind, shared_data):
    for number, expected in enumerate(FIRST_CHECK[kind]):
        file = shared_data / "lloyd_amos_archive_sample" / f"inst{kind}_{number}.txt"
        (puzzle,) = antdoku.read(file)
        search, rules, _ = new_search(puzzle, node_limit=10**6)
        search.grid.values[search.grid.free] = 0
        nodes, state = ils._check_forward(search, geometry(puzzle.order), rules, expected or 0)
        assert (nodes, state == ils._SOLVED) == (expected or 0, expected is not None)


LEVEL = 0.01  # of each of two tests
SLICE = 200  # fewer than the patience: the best cost of no local search is overlooked


@pytest.fixture(scope="module")
def references(shared_data):
    """Puzzle, iterations and best cost (0: solved) of one run of theirs on each of 30 instances."""
    with open(shared_data / "ils_reference.csv") as file:
        rows = list(csv.DictReader(file))
    sample = shared_data / "lloyd_amos_archive_sample"
    puzzles = [antdoku.read(sample / row["instance"].split("/")[1])[0] for row in rows]
    assert len(puzzles) == 30
    outcomes = [(int(row["iterations"]), int(row["final_cost"])) for row in rows]
    return list(zip(puzzles, outcomes, strict=True))


def result(puzzle, limit, seed, **given):
    """Steps of a run and its best cost; of the steps, less than one in a hundred is a node."""
    search, rules, random = new_search(puzzle, seed, **given)
    steps, best = 0, np.inf
    while steps < limit:
        n_steps, solved = ils._advance(
            search, geometry(5), rules, random, min(SLICE, limit - steps)
        )
        steps += n_steps
        if solved:
            return steps, 0
        best = min(best, search.at[ils._BEST_COST])
    return steps, best


def compared(references, n_runs, **given):
    """Compare runs of ours with the one of theirs, of as many iterations, on each instance.

    Returns two p values: of the rank of theirs (a run is the better the sooner it has solved, or
    else the lower its best cost), and of the log-rank test of iterations. Instances are strata.
    """
    rank, variance, rows = 0.0, 0.0, []
    for number, (puzzle, theirs) in enumerate(references):
        runs = [result(puzzle, theirs[0], seed, **given) for seed in range(n_runs)] + [theirs]
        ranks = stats.rankdata([steps if cost == 0 else 10**9 + cost for steps, cost in runs])
        rank += (ranks[-1] - ranks.mean()) / len(runs)
        variance += ranks.var() / len(runs) ** 2
        rows += [(*run, run is theirs, number) for run in runs]
    steps, cost, is_theirs, number = np.transpose(rows)
    by_time = survdiff(steps, cost == 0, is_theirs, strata=number)[1]
    return 2 * stats.norm.sf(abs(rank) / variance**0.5), by_time


def test_costs_and_iterations_agree_with_the_authors_program(references):
    assert min(compared(references, 3)) > LEVEL


@pytest.mark.parametrize("rule", [{"reset_decay": 1.0}, {"tabu_fraction": 0}])
def test_another_rule_is_told_from_the_authors_program(references, rule):
    """What the sample can see: otherwise agreement would mean little."""
    assert min(compared(references, 2, **rule)) < LEVEL
