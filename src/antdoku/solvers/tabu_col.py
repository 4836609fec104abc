"""Tabu search on the list colouring that propagation leaves.

Every open cell has one of its candidates. A move gives a cell in conflict another candidate: the
move that lowers the number of conflicts most (or raises it least), at random among equals. The
previous value is tabu for the cell for a while, longer the more cells are in conflict, unless it
leads to the fewest conflicts of this round.

A long tenure makes the search wander, a short one makes it settle, as temperatures do in annealing.
So the search goes in rounds, in which the tenure falls. The next round goes on from the current
grid and is longer, up to a length that grows with the puzzle.

References: Hertz & de Werra 1987, "Using tabu search techniques for graph coloring" (Computing 39);
Galinier & Hao 1999, "Hybrid evolutionary algorithms for graph coloring" (J. Comb. Optim. 3) for the
tenure; Jin & Hao 2019, "Solving the Latin square completion problem by memetic graph coloring"
(IEEE Trans. Evol. Comput. 23) for colours from lists.

Glossary: cost = pairs of equal values in cells that see each other; delta = change of the cost by a
move; tenure = moves for which a value is tabu; aspiration = taking a tabu value nevertheless.
A step is one move.

Naive twin: tests/naive/tabu_col.py.
"""

from collections import namedtuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import ONE, count, lowest, without_lowest
from antdoku.kernels.closure import closure
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.randomness import draw, kernel_state
from antdoku.kernels.vectors import LANES, lanes_of_sum, least, lower_to_sum
from antdoku.outcome import TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import _list_colouring as graphs
from antdoku.solvers._local import decided, run_kernel, values_of
from antdoku.solvers._parameters import integer, parameters, real, require, rules_of

TITLE = "TabuCol"
KIND = "stochastic"


@parameters
class Params:
    """Parameters of tabu search. Tenures and rounds are ours (docs/deviations.md)."""

    most_factor = real(0.5, 0, 1, "Tenure for each cell in conflict when a round begins.")
    least_factor = real(0.2, 0, 1, "When it ends; in between it falls by the same at each move.")
    spread = integer(10, 1, 1000, "A tenure is longer by 0 to spread - 1 moves, at random.")
    round_moves = integer(100_000, 1, 10**12, "Moves of the first round.")
    growth = real(2.0, 1, 100, "How many times as long as a round the next one is.")
    longest_round = real(10.0, 0, 10**6, "Moves of a later round at most, over (open cells)².")

    def __attrs_post_init__(self):
        is_least, most = self.least_factor <= self.most_factor, self.most_factor
        require(is_least, "least_factor", self.least_factor, f"at most most_factor, {most}")


Rules = rules_of(Params, "factor_span")
Search = namedtuple("Search", "graph colouring tabu moves at")
# Tabu nodes, in a ring of moves; a move, counted modulo `_RING`, makes at most one node tabu. The
# moves whose tabu ends at the same move are linked. A node whose end was postponed is not freed.
TabuList = namedtuple("TabuList", "node first next end")
# The moves of the cells in conflict, as rows of `LANES` nodes, and the best of them.
Moves = namedtuple("Moves", "row addend least best_row best_lanes")

# Indices of `Search.at`: number of the move; moves of the round, and those left; its least cost.
_MOVE, _LENGTH, _LEFT, _LEAST_COST = range(4)

_RING = 1 << 14  # more than the longest tenure, with 100x100 cells in conflict
_IN_RING = np.uint64(_RING - 1)
_NO_MOVE = np.uint16(2**16 - 1)
_ROW = np.uint64(LANES)
_ALL, _NOT_TABU = np.uint64(255), np.uint64(255 - graphs.TABU)
_UNCHANGED = np.uint64(3 * graphs.CHOSEN)  # sum of a move that leaves the cost as it is
_NONE = np.uint64(255)  # sum where no move is possible
_HALF = np.uint64(32)
_LOWER = np.uint64(2**32 - 1)


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Search until nothing is in conflict or the budget is used up."""
    candidates, consistent = closure(puzzle)
    values = values_of(candidates)
    if outcome := decided(values, consistent, KIND):
        return outcome
    if not consistent:  # there are no candidates to choose from
        return Outcome(TIMEOUT, None, 0)
    graph, cells = graphs.new_graph(candidates, puzzle.order)
    search, rules, random = _new_search(graph), _rules(params, len(cells)), kernel_state(rng)
    graphs.fill_at_random(search.colouring, graph, random)

    def solution():
        values[cells] = graph.value[search.colouring.chosen]
        return values

    state, at = (search, rules, random), search.colouring.at
    return run_kernel(budget, _advance, state, solution, lambda: int(at[graphs.COST]))


def _rules(params, n_open):
    return Rules.of(
        params,
        spread=np.uint64(params.spread),
        factor_span=float(params.most_factor - params.least_factor),
        longest_round=max(params.round_moves, int(params.longest_round * n_open**2)),
    )


def _new_search(graph):
    n_rows = len(graph.cell) // LANES
    tabu = TabuList(
        node=np.zeros(_RING, np.uint32),  # that a move made tabu
        first=np.full(_RING, _NO_MOVE),  # first move whose tabu ends at a move
        next=np.full(_RING, _NO_MOVE),  # the next such move
        end=np.zeros(len(graph.cell), np.uint16),  # when the tabu of a node ends
    )
    moves = Moves(
        row=np.empty(n_rows, np.uint32),  # node at which a row begins
        addend=np.empty(n_rows, np.uint8),  # makes sums of the marks of a row, see `_list_rows`
        least=np.empty(LANES, np.uint8),  # the least sums so far
        best_row=np.empty(n_rows, np.uint32),  # the rows with best moves
        best_lanes=np.empty(n_rows, np.uint16),  # masks of the best nodes in these rows
    )
    return Search(graph, graphs.new_colouring(graph), tabu, moves, at=np.zeros(4, np.int64))


@kernel
def _advance(search, rules, random, quota):
    """Do up to `quota` moves; return their number, and whether nothing is in conflict."""
    at, cost = search.at, search.colouring.at
    moves = 0
    while moves < quota and cost[graphs.COST] > 0:
        if at[_LEFT] == 0:
            longer = max(rules.round_moves, np.int64(at[_LENGTH] * rules.growth))
            at[_LENGTH] = min(longer, rules.longest_round)
            at[_LEFT], at[_LEAST_COST] = at[_LENGTH], cost[graphs.COST]
        _move(search, rules, random)
        at[_LEFT] -= 1
        at[_LEAST_COST] = min(at[_LEAST_COST], cost[graphs.COST])
        moves += 1
    return moves, cost[graphs.COST] == 0


@inlined
def _move(search, rules, random):
    """Make one of the best moves; if all moves are tabu, only wait."""
    graph, colouring, at = search.graph, search.colouring, search.at
    at[_MOVE] += 1
    now = np.uint64(at[_MOVE]) & _IN_RING
    _free(search, now)
    n_best = _find_best(search)
    if n_best:
        bits = draw(random)
        node = _pick(search.moves, ((bits >> _HALF) * n_best) >> _HALF)
        cell = np.uint64(graph.cell[node])
        old = np.uint64(colouring.chosen[cell])
        graphs.choose(colouring, graph, cell, node)
        factor = rules.least_factor + rules.factor_span * (at[_LEFT] / at[_LENGTH])
        tenure = np.uint64(factor * colouring.at[graphs.N_IN_CONFLICT])
        tenure += ((bits & _LOWER) * rules.spread) >> _HALF
        if tenure:
            end, tabu = (now + tenure) & _IN_RING, search.tabu
            colouring.marks[old] |= graphs.TABU
            tabu.node[now], tabu.end[old] = old, end
            tabu.next[now], tabu.first[end] = tabu.first[end], now


@inlined
def _find_best(search):
    """Collect the moves of the least delta; return their number (uint64)."""
    marks, moves = search.colouring.marks, search.moves
    n_rows, most_conflicts = _list_rows(search)
    least_sum = np.uint64(least(moves.least))
    below_least = search.at[_LEAST_COST] - search.colouring.at[graphs.COST]
    # Tabu moves count only if they make the cost the least of the round. Only moves of the cell
    # with most conflicts could do so.
    if -most_conflicts < below_least:
        moves.least[:] = _NONE
        for k in range(n_rows):
            row, addend = np.uint64(moves.row[k]), np.uint64(moves.addend[k])
            lower_to_sum(moves.least, marks, row, _NOT_TABU, addend)
        least_with_tabu = np.uint64(least(moves.least))
        if np.int64(least_with_tabu) - np.int64(_UNCHANGED) < below_least:
            return _collect(marks, moves, n_rows, _NOT_TABU, least_with_tabu)
    return _collect(marks, moves, n_rows, _ALL, least_sum)


@inlined
def _list_rows(search):
    """List the rows of cells in conflict; return their number (uint64) and the most conflicts.

    The sum of a mark and the addend is `_UNCHANGED` plus the delta of the move, or `_NONE` for a
    node that is tabu or chosen, and for no node.
    """
    graph, colouring, moves = search.graph, search.colouring, search.moves
    moves.least[:] = _NONE
    n_rows, most_conflicts = np.uint64(0), np.int64(0)
    for k in range(colouring.at[graphs.N_IN_CONFLICT]):
        cell = np.uint64(colouring.in_conflict[k])
        conflicts = np.uint64(colouring.marks[np.uint64(colouring.chosen[cell])] & graphs.CONFLICTS)
        most_conflicts = max(most_conflicts, np.int64(conflicts))
        addend = _UNCHANGED - conflicts
        for row in range(np.uint64(graph.row[cell]), np.uint64(graph.row[cell + ONE]), _ROW):
            lower_to_sum(moves.least, colouring.marks, row, _ALL, addend)
            moves.row[n_rows], moves.addend[n_rows] = row, addend
            n_rows += ONE
    return n_rows, most_conflicts


@inlined
def _collect(marks, moves, n_rows, mask, total):
    """Collect the nodes with the sum `total`; return their number (uint64)."""
    n_best_rows, n_best = np.uint64(0), np.uint64(0)
    if total != _NONE:
        for k in range(n_rows):
            row, addend = np.uint64(moves.row[k]), np.uint64(moves.addend[k])
            lanes = lanes_of_sum(marks, row, mask, addend, total)
            moves.best_row[n_best_rows], moves.best_lanes[n_best_rows] = row, lanes
            n_best_rows += np.uint64(lanes != 0)  # no branch: it is mostly 0
            n_best += count(lanes)
    return n_best


@inlined
def _pick(moves, number):
    """Return the node of this number among the best moves."""
    k = 0
    while number >= count(moves.best_lanes[k]):
        number -= count(moves.best_lanes[k])
        k += 1
    lanes = np.uint64(moves.best_lanes[k])
    for _ in range(number):
        lanes = without_lowest(lanes)
    return np.uint64(moves.best_row[k]) + lowest(lanes)


@inlined
def _free(search, now):
    """Free the nodes whose tabu ends with this move."""
    tabu = search.tabu
    move = tabu.first[now]
    tabu.first[now] = _NO_MOVE
    while move != _NO_MOVE:
        node = np.uint64(tabu.node[np.uint64(move)])
        if tabu.end[node] == now:
            search.colouring.marks[node] &= _NOT_TABU
        move = tabu.next[np.uint64(move)]
