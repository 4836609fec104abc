"""One run of ACS, recorded iteration by iteration, for the report to play.

The recorder drives the same kernels as `antdoku.solvers.acs` on the same random numbers, and looks
at the colony after each iteration: what it records is the run that the solver would do.
"""

import json
from itertools import islice
from pathlib import Path

import numpy as np
from attrs import asdict

from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.named import puzzles
from antdoku.runs.traces import follow
from antdoku.solvers import acs
from antdoku.solvers._local import solution_of

PUZZLE, SEED = "aiescargot", 19  # 27 iterations: enough to see it learn, few enough to watch
LEVELS = "0123456789abcdefghijklmnopqrstuvwxyz"  # one character a level of pheromone


def write(path, name: str = PUZZLE, seed: int = SEED, max_steps: int = 200) -> None:
    """Record the papers' ACS on a named puzzle and write the recording as JSON."""
    (puzzle,) = puzzles(name)
    Path(path).write_text(json.dumps(record(puzzle, acs.Params(), seed, max_steps)) + "\n")


def record(puzzle: Puzzle, params: acs.Params, seed: int, max_steps: int) -> dict:
    """Run ACS, at most so many iterations, and record every one; the puzzle needs a search.

    Returns what JSON can hold: the puzzle, the run, what the initial propagation leaves (one list
    of values a cell), ``tau``: the most pheromone of all and how many levels there are, and
    ``iterations``, a list of what `_after` returns with ``tau`` as text: one character of `LEVELS`
    for each cell and value.
    """
    rates, rng = acs.new_rates(params, puzzle.n_cells), np.random.default_rng(seed)
    start, _ = acs.start_of(puzzle, rates)
    followed = islice(follow(puzzle, params, rng), max_steps)
    iterations = [_after(colony) for colony, _ in followed]
    highest = _quantise(iterations)
    greedy_share = rates.q0 if rates.by_journal else 1.0 - rates.q0
    return {
        "puzzle": {"name": puzzle.name, "order": puzzle.order, "givens": puzzle.givens.tolist()},
        "params": asdict(params) | {"greedy_share": greedy_share},
        "seed": seed,
        "solved": 0 not in iterations[-1]["best"],
        "candidates": [
            [bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1]
            for mask in start[: puzzle.n_cells].tolist()
        ],
        "tau": {"highest": highest, "levels": len(LEVELS)},
        "iterations": iterations,
    }


def _after(colony):
    """What an iteration has left: grids (0: failed), counts of fixed cells, best value, tau."""
    n_cells = len(colony.best)
    grids = [solution_of(ant, n_cells) for ant in colony.ants]
    fixed = [int((grid > 0).sum()) for grid in grids]
    return {
        "ants": fixed,
        "grid": grids[int(np.argmax(fixed))].tolist(),
        "best": colony.best.tolist(),
        # Infinite once the puzzle is solved, which JSON has no number for.
        "best_value": float(colony.best_value[0]) if colony.best.min() == 0 else None,
        "tau": colony.tau.copy(),
    }


def _quantise(iterations):
    """Replace the pheromone of all iterations by levels, from none to the most, which it returns.

    They are linear, as the chances of a value at the roulette wheel are.
    """
    highest = max(float(iteration["tau"].max()) for iteration in iterations)
    for iteration in iterations:
        levels = np.rint((len(LEVELS) - 1) * iteration["tau"] / highest).astype(int)
        iteration["tau"] = "".join(LEVELS[k] for k in levels.ravel())
    return highest
