"""Ant Colony System with best-value evaporation.

Ants walk over the grid in turn, one cell at a time. They choose values by pheromone and propagate
each choice. The best grid so far is reinforced by a value that decays in every iteration.

Nearly all failures of ACS are stagnation: the pheromone has settled away from all solutions. With
`restart: stagnation` the colony forgets pheromone and best grid after some iterations without a
better grid.

Reference: Lloyd & Amos 2018, "Solving Sudoku with Ant Colony Optimisation" (arXiv:1805.03545),
section 3; parameters from section 4. Propagation follows their program; in `acs_closure` it follows
their text. Restarts are ours.

Glossary: m ants; tau pheromone of (cell, value); tau_0 = 1/c its start; xi local and rho global
evaporation; q0 selection threshold; f_bve best-value evaporation; f cells of an ant that are fixed;
start = the iterations between two restarts; a better grid has fewer failed cells than all grids of
this start. A step is one iteration: all ants complete their walks.

Naive twins of both propagations: tests/naive/authors_propagation.py, tests/naive/grid.py.
"""

from collections import namedtuple

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import MASK_ORDERS, lowest, without_lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import assign, geometry, new_queue, propagated
from antdoku.kernels.randomness import below, kernel_state, uniform
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import _authors_propagation as authors
from antdoku.solvers._local import copy, decided, read_values, run_kernel, solution_of
from antdoku.solvers._parameters import integer, parameters, real, rules_of, word

TITLE = "ACS"
KIND = "stochastic"
ORDERS = MASK_ORDERS


@parameters
class Params:
    """Parameters of ACS, with the values of Lloyd & Amos 2018, section 4, as defaults."""

    m = integer(10, 1, 10_000, "Number of ants.")
    q0 = real(0.9, 0, 1, "Selection threshold.")
    rho = real(0.9, 0, 1, "Global evaporation.")
    xi = real(0.1, 0, 1, "Local evaporation.")
    f_bve = real(0.005, 0, 1, "Best-value evaporation; 0 switches it off.")
    greedy_rule = word(
        "arxiv",
        {
            "arxiv": "greedy if q > q0 (eq. 3 of the preprint, and the authors' code)",
            "journal": "greedy if q < q0 (text of the 2019 journal version)",
        },
        "When an ant takes the value with most pheromone.",
    )
    propagation = word(
        "authors",
        {"authors": "that of their program, weaker", "complete": "all naked and hidden singles"},
        "The propagation of a choice.",
    )
    restart = word(
        "none",
        {"none": "never, as in the paper", "stagnation": "after `patience` iterations"},
        "When the colony restarts.",
    )
    patience = integer(300, 1, 10**9, "Iterations without a better grid that end a start.")


Rules = rules_of(Params, "by_journal", "tau_0")
Colony = namedtuple("Colony", "start ants first_cell tau best best_value queue frames at")
# Indices of `Colony.at`: iterations since the last better grid of this start; fewest failed cells.
_STALLED, _FEWEST = range(2)
_FOR_EVER = 2**62


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Run ACS until a grid is complete or the budget is used up."""
    start, consistent = start_of(puzzle, params)
    if outcome := decided(solution_of(start, puzzle.n_cells), consistent, KIND):
        return outcome
    colony, rates = new_colony(start, params, puzzle.order), new_rates(params, puzzle.n_cells)
    state, best = (colony, geometry(puzzle.order), rates, kernel_state(rng)), colony.best
    return run_kernel(budget, iterate, state, lambda: best, lambda: int((best == 0).sum()))


def start_of(puzzle: Puzzle, params: Params) -> tuple[np.ndarray, bool]:
    """Return the state (masks) of a propagated puzzle, and whether it is consistent."""
    return (propagated if params.propagation == "complete" else authors.propagated)(puzzle)


def new_colony(start: np.ndarray, params: Params, order: int) -> Colony:
    """Return a colony before its first iteration; `start` is a propagated puzzle (masks)."""
    n_cells = order**4
    return Colony(
        start=start,
        ants=np.empty((params.m, start.size), start.dtype),  # the grid of each ant
        first_cell=np.empty(params.m, np.uint64),  # where each ant starts
        tau=np.full((n_cells, order**2), 1.0 / n_cells),
        best=np.zeros(n_cells, np.int16),  # values of the best grid, 0 where it failed
        best_value=np.zeros(1),  # decayed
        queue=new_queue(order) if params.propagation == "complete" else None,
        frames=authors.new_frames(order),
        at=np.array([0, n_cells + 1]),  # see _STALLED and what follows
    )


def new_rates(params: Params, n_cells: int) -> Rules:
    """Return the parameters for kernels."""
    return Rules.of(
        params,
        by_journal=params.greedy_rule == "journal",
        tau_0=1.0 / n_cells,
        patience=params.patience if params.restart == "stagnation" else _FOR_EVER,
    )


@kernel
def iterate(colony, geometry, rates, random, quota):
    """Do up to `quota` iterations; return their number, and whether the best grid is complete."""
    at = colony.at
    for step in range(quota):
        if at[_STALLED] == rates.patience:
            _forget(colony, rates)
        walk(colony, geometry, rates, random)
        n_failed = update_best(colony, geometry)
        if n_failed == 0:
            return step + 1, True
        reinforce(colony, rates)
        at[_STALLED] += 1
        if n_failed < at[_FEWEST]:
            at[_STALLED], at[_FEWEST] = 0, n_failed
    return quota, False


@inlined
def _forget(colony, rates):
    """Reset the colony to the state before its first iteration."""
    colony.best.fill(0)
    colony.tau.fill(rates.tau_0)
    colony.best_value[0] = 0.0
    colony.at[_STALLED], colony.at[_FEWEST] = 0, len(colony.best) + 1


@inlined
def walk(colony, geometry, rates, random):
    """Let all ants fill their grids, one cell each in turn (Lloyd & Amos 2018, alg. 1)."""
    ants, first_cell = colony.ants, colony.first_cell
    for ant in range(len(ants)):
        copy(ants[ant], colony.start)
        first_cell[ant] = below(random, geometry.n_cells)
    for step in range(geometry.n_cells):
        for ant in range(len(ants)):
            cell = first_cell[ant] + step
            if cell >= geometry.n_cells:
                cell -= geometry.n_cells
            mask = np.uint64(ants[ant, cell])
            if without_lowest(mask):
                value = _choose(colony.tau[cell], mask, rates, random)
                _propagate(ants[ant], geometry, colony.queue, colony.frames, cell, value)
                # Eq. 4, local update: makes the choice less attractive for the next ant.
                colony.tau[cell, value] += rates.xi * (rates.tau_0 - colony.tau[cell, value])


@inlined
def _propagate(state, geometry, queue, frames, cell, value):
    """Propagate with the chosen engine.

    `queue is None` is known at compile time, so only one branch is compiled.
    """
    if queue is None:
        authors.assign(state, geometry, frames, cell, value, False)
    else:
        assign(state, geometry, queue, cell, value, False)


@inlined
def _choose(tau, mask, rates, random):
    """Return a value of `mask`, chosen by the pheromone `tau` (float64, (d,)): eq. 3."""
    # Greedy in one choice of ten by eq. 3 (q > q0), in nine of ten by the text of the journal.
    if (uniform(random) < rates.q0) == rates.by_journal:
        best = lowest(mask)
        while mask:
            value = lowest(mask)
            if tau[value] > tau[best]:  # the smallest of equals
                best = value
            mask = without_lowest(mask)
        return best
    total, rest = 0.0, mask
    while rest:
        total += tau[lowest(rest)]
        rest = without_lowest(rest)
    threshold = uniform(random) * total
    while without_lowest(mask):
        threshold -= tau[lowest(mask)]
        if threshold < 0.0:
            break
        mask = without_lowest(mask)
    return lowest(mask)


@inlined
def update_best(colony, geometry):
    """Keep the best ant if it beats the decayed best value; return its number of failed cells."""
    n_cells = np.int64(geometry.n_cells)
    fewest, best_ant = n_cells + 1, 0
    for ant in range(len(colony.ants)):
        n_failed = 0
        for cell in range(n_cells):
            n_failed += colony.ants[ant, cell] == 0
        if n_failed < fewest:
            fewest, best_ant = n_failed, ant
    # Eq. 5: value of the best ant of this iteration; infinite if it has solved the puzzle.
    value = n_cells / fewest  # c / (c - f)
    if value > colony.best_value[0]:
        colony.best_value[0] = value
        read_values(colony.ants[best_ant], colony.best)
    return fewest


@inlined
def reinforce(colony, rates):
    """Global update of the best grid's pheromone (eq. 6) and best-value evaporation (eq. 7)."""
    deposit = rates.rho * colony.best_value[0]
    for cell in range(len(colony.best)):
        if colony.best[cell]:
            value = colony.best[cell] - 1
            colony.tau[cell, value] = (1.0 - rates.rho) * colony.tau[cell, value] + deposit
    colony.best_value[0] *= 1.0 - rates.f_bve
