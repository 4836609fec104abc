"""Recordings of whole runs of ACS, for a player.

A recording drives the kernels of `antdoku.solvers.acs` with the random numbers of the run. So it
shows the same run as the solver does, on every machine.
"""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from attrs import asdict

from antdoku.errors import InputError
from antdoku.kernels.propagation import geometry
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.named import puzzles
from antdoku.solvers import acs
from antdoku.solvers._local import solution_of

PUZZLE, SEED = "aiescargot", 19  # recorded: 27 iterations, enough to see it learn
LEVELS = "0123456789abcdefghijklmnopqrstuvwxyz"  # one character a level of pheromone


def write_recording(path: str | Path) -> None:
    """Record the papers' ACS on the `PUZZLE` and write the recording as JSON."""
    (puzzle,) = puzzles(PUZZLE)
    Path(path).write_text(json.dumps(record(puzzle, acs.Params(), SEED)) + "\n")


def follow(
    puzzle: Puzzle, params: acs.Params, rng: np.random.Generator
) -> Iterator[tuple[acs.Colony, int]]:
    """Yield the colony after each iteration, and the fixed cells of the best grid so far.

    Ends with a solution.
    """
    rates, tables = acs.new_rates(params, puzzle.n_cells), geometry(puzzle.order)
    start, _ = acs.start_of(puzzle, params)
    random, colony = kernel_state(rng), acs.new_colony(start, params, puzzle.order)
    best = 0
    while best < puzzle.n_cells:
        acs.iterate(colony, tables, rates, random, 1)
        fixed = (colony.ants[:, : puzzle.n_cells] != 0).sum(axis=1)
        best = max(best, int(fixed.max()))
        yield colony, best


def record(
    puzzle: Puzzle, params: acs.Params, seed: int, max_iterations: int | None = None
) -> dict:
    """Run ACS until it solves a puzzle, or for `max_iterations`, and record every iteration.

    The recording holds values of JSON only. The pheromone ``tau`` is a text: one character of
    `LEVELS` for each cell and value. Levels are linear in the pheromone, as the chances of a value
    at the roulette wheel are.
    """
    rates, rng = acs.new_rates(params, puzzle.n_cells), np.random.default_rng(seed)
    start, is_consistent = acs.start_of(puzzle, params)
    if not is_consistent:
        raise InputError("it has no solution, as propagation proves", puzzle.name)
    is_open = not solution_of(start, puzzle.n_cells).all()
    colonies = follow(puzzle, params, rng) if is_open else iter([])
    iterations = [_after(colony) for colony, _ in islice(colonies, max_iterations)]
    highest = max((float(iteration["tau"].max()) for iteration in iterations), default=1.0)
    for iteration in iterations:
        levels = np.rint((len(LEVELS) - 1) * iteration["tau"] / highest).astype(int)
        iteration["tau"] = "".join(LEVELS[level] for level in levels.ravel())
    greedy_share = rates.q0 if rates.by_journal else 1.0 - rates.q0
    return {
        "puzzle": {"name": puzzle.name, "order": puzzle.order, "givens": puzzle.givens.tolist()},
        "params": asdict(params) | {"greedy_share": greedy_share},
        "seed": seed,
        "candidates": [
            [bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1]
            for mask in start[: puzzle.n_cells].tolist()
        ],
        "tau": {"highest": highest, "levels": len(LEVELS)},
        "iterations": iterations,
    }


def _after(colony):
    """Return the state after an iteration: grids (0: failed), fixed cells, value, pheromone."""
    n_cells = len(colony.best)
    grids = [solution_of(ant, n_cells) for ant in colony.ants]
    fixed = [int((grid > 0).sum()) for grid in grids]
    return {
        "ants": fixed,
        "grid": grids[int(np.argmax(fixed))].tolist(),
        "best": colony.best.tolist(),
        # It is infinite once the puzzle is solved; JSON has no such number.
        "best_value": float(colony.best_value[0]) if colony.best.min() == 0 else None,
        "tau": colony.tau.copy(),
    }
