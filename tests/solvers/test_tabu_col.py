"""Tabu search on the list colouring: the search against its twin, and tabu marks."""

import numpy as np
import pytest
from conftest import answer, random_puzzle
from naive.tabu_col import TabuCol

from antdoku.contract import dead_end_puzzle
from antdoku.kernels.closure import closure
from antdoku.kernels.randomness import kernel_state
from antdoku.outcome import SOLVED
from antdoku.solvers import _list_colouring as colouring
from antdoku.solvers import tabu_col


def start(puzzle, params, seed):
    """Return a search, its generator, its twin, and the cells of the graph."""
    candidates, _ = closure(puzzle)
    graph, cells = colouring.new_graph(candidates, puzzle.order)
    search, random = tabu_col._new_search(graph), kernel_state(np.random.default_rng(seed))
    twin = TabuCol(candidates, puzzle.order, params, random.copy())
    colouring.fill_at_random(search.colouring, graph, random)
    return search, random, twin, cells


@pytest.mark.parametrize(
    ("order", "fixed", "values", "moves"),
    [
        (2, 0.3, {"spread": 1000}, 600),  # sometimes every move is tabu
        (3, 0.3, {}, 600),
        (3, 0.0, {"round_moves": 7, "growth": 1.5, "longest_round": 0.005}, 300),
        (4, 0.35, {"least_factor": 0.1, "most_factor": 1}, 100),
        (5, 0.42, {"spread": 1, "round_moves": 20, "growth": 1}, 40),  # rows of more than 16
        (6, 0.5, {}, 20),
    ],
)
def test_the_search_equals_its_twin_move_by_move(order, fixed, values, moves):
    params = tabu_col.Params(**values)
    search, random, twin, cells = start(random_puzzle(order, fixed, 1), params, 1)
    for _ in range(moves):
        colours = search.graph.value[search.colouring.chosen].tolist()
        assert dict(zip(cells.tolist(), colours)) == twin.value
        assert search.colouring.at.tolist() == [twin.cost, len(twin.in_conflict)]
        if not twin.cost:
            break
        twin.move()
        assert tabu_col._advance(search, tabu_col._rules(params, len(cells)), random, 1)[0] == 1


def test_a_tabu_mark_expires():
    # The puzzle has no solution, so the ring of moves is filled several times.
    params = tabu_col.Params(least_factor=0, most_factor=0, spread=10)
    search, random, _, cells = start(dead_end_puzzle(), params, 1)
    moves = 3 * tabu_col._RING + 20
    assert tabu_col._advance(search, tabu_col._rules(params, len(cells)), random, moves)[0] == moves
    last_ten = np.arange(moves - 9, moves + 1) % tabu_col._RING
    marks = search.colouring.marks
    is_tabu = (marks != colouring.NO_NODE) & (marks & colouring.TABU > 0)
    assert set(np.flatnonzero(is_tabu)) <= set(search.tabu.node[last_ten])
    assert is_tabu.any()


def test_the_hardest_instances_of_25x25_are_solved():
    puzzles = [random_puzzle(5, 0.45, seed) for seed in range(10)]
    outcomes = [answer(tabu_col, puzzle, seed, 10**7) for seed, puzzle in enumerate(puzzles)]
    assert [outcome.status for outcome in outcomes] == [SOLVED] * 10
    assert np.median([outcome.steps for outcome in outcomes]) < 10**6
