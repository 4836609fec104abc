"""Tabu search on the list colouring that propagation leaves.

TODO

Reference: Hertz & de Werra 1987, "Using tabu search techniques for graph coloring" (Computing 39).

Glossary: move = another value for a cell in conflict. A step is one move.
"""

from typing import NamedTuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import count, lowest, without_lowest
from antdoku.kernels.closure import closed
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.randomness import draw, kernel_state
from antdoku.kernels.vectors import LANES, least
from antdoku.outcome import SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers._list_colouring import (
    CHOSEN,
    CONFLICTS,
    COST,
    N_IN_CONFLICT,
    TABU,
    choose,
    fill_at_random,
    new_colouring,
    new_graph,
)
from antdoku.solvers._local import decided, values_of
from antdoku.solvers._parameters import parameters, real, whole

TITLE = "TabuCol"
KIND = "stochastic"


@parameters
class Params:
    """Parameters of tabu search."""

    alpha = real(0.4, 0, 10, "Tenure.")
    spread = whole(10, 1, 1000, "Random part.")


_WHEEL = 1 << 14
_MASK = np.uint64(_WHEEL - 1)
_NOTHING = np.uint16(2**16 - 1)
_CHUNK = np.uint64(LANES)
_ALL = np.uint64(255)
_UNTABU = np.uint64(127)
_HALF = np.uint64(32)
_LOWER = np.uint64(2**32 - 1)


class Memory(NamedTuple):
    """What is tabu, and until when: a ring of moves, each of which ends a node's tabu."""

    node: np.ndarray  # uint32 (_WHEEL,): the node that the move left
    next: np.ndarray  # uint16 (_WHEEL,)
    first: np.ndarray  # uint16 (_WHEEL,)
    until: np.ndarray  # uint16 (nodes,)
    ties_row: np.ndarray  # uint32 (cells * ?,)
    ties_mask: np.ndarray
    at: np.ndarray  # int64: move, best cost


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    candidates, consistent = closed(puzzle)
    values = values_of(candidates)
    if outcome := decided(values, consistent, KIND):
        return outcome
    if not consistent:
        return Outcome(TIMEOUT, None, 0)
    graph, cells = new_graph(candidates, puzzle.order)
    colouring = new_colouring(graph)
    n = len(graph.cell)
    memory = Memory(
        np.zeros(_WHEEL, np.uint32),
        np.full(_WHEEL, _NOTHING, np.uint16),
        np.full(_WHEEL, _NOTHING, np.uint16),
        np.full(n, 65535, np.uint16),
        np.empty(n // LANES, np.uint32),
        np.empty(n // LANES, np.uint16),
        np.zeros(2, np.int64),
    )
    random = kernel_state(rng)
    _begin(colouring, graph, memory, random)
    for quota in budget.slices():
        steps = _search(colouring, graph, memory, random, float(params.alpha), params.spread, quota)
        budget.spend(steps)
        if colouring.at[COST] == 0:
            values[cells] = graph.value[colouring.chosen]
            return Outcome(SOLVED, values, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


@kernel
def _begin(colouring, graph, memory, random):
    fill_at_random(colouring, graph, random)
    memory.at[1] = colouring.at[COST]


@kernel
def _search(colouring, graph, memory, random, alpha, spread, quota):
    steps = 0
    while steps < quota and colouring.at[COST] > 0:
        _move(colouring, graph, memory, random, alpha, spread)
        steps += 1
    return steps


@inlined
def _move(colouring, graph, memory, random, alpha, spread):
    at = memory.at
    at[0] += 1
    now = np.uint64(at[0]) & _MASK
    _release(colouring, memory, now)
    n = _best(colouring, graph, memory)
    if n == 0:
        return
    bits = draw(random)
    k = ((bits >> _HALF) * n) >> _HALF
    tie = 0
    while True:
        c = count(memory.ties_mask[tie])
        if k < c:
            break
        k -= c
        tie += 1
    mask = np.uint64(memory.ties_mask[tie])
    while k:
        mask = without_lowest(mask)
        k -= np.uint64(1)
    node = np.uint64(memory.ties_row[tie]) + lowest(mask)
    cell = np.uint64(graph.cell[node])
    old = np.uint64(colouring.chosen[cell])
    choose(colouring, graph, cell, node)
    tenure = (((bits & _LOWER) * np.uint64(spread)) >> _HALF) + np.uint64(
        alpha * colouring.at[N_IN_CONFLICT]
    )
    if tenure:
        end = (now + tenure) & _MASK
        colouring.marks[old] |= TABU
        memory.until[old] = end
        memory.node[now] = old
        memory.next[now] = memory.first[end]
        memory.first[end] = now
    at[1] = min(at[1], colouring.at[COST])


@inlined
def _release(colouring, memory, now):
    entry = memory.first[now]
    memory.first[now] = _NOTHING
    while entry != _NOTHING:
        node = np.uint64(memory.node[np.uint64(entry)])
        if memory.until[node] == now:
            colouring.marks[node] &= ~TABU
        entry = memory.next[np.uint64(entry)]


@inlined
def _best(colouring, graph, memory):
    marks = colouring.marks
    best = 1 << 20
    n_ties = 0
    n = np.uint64(0)
    # cost that would be a new best one
    to_beat = memory.at[1] - colouring.at[COST]
    for i in range(colouring.at[N_IN_CONFLICT]):
        cell = np.uint64(colouring.in_conflict[i])
        conflicts = np.int64(marks[np.uint64(colouring.chosen[cell])] & CONFLICTS)
        for row in range(
            np.uint64(graph.row[cell]), np.uint64(graph.row[cell + np.uint64(1)]), _CHUNK
        ):
            word, mask = least(marks, row, _ALL)
            if to_beat > -conflicts:
                other, other_mask = least(marks, row, _UNTABU)
                if other < CHOSEN and np.int64(other) - conflicts < to_beat:
                    word, mask = other, other_mask
            if word >= CHOSEN:
                continue
            delta = np.int64(word) - conflicts
            if delta > best:
                continue
            if delta < best:
                best = delta
                n_ties = 0
                n = np.uint64(0)
            memory.ties_row[n_ties] = row
            memory.ties_mask[n_ties] = mask
            n_ties += 1
            n += count(mask)
    return n
