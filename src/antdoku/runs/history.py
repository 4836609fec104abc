"""The history of a colony of ACS: its state after each iteration of a run.

Traces show how the best grid grows, and where it stagnates. A recording keeps one run whole, for
the report to play. Both drive the kernels of `antdoku.solvers.acs` with the random numbers of the
run, so they are the inside of the run that the solver does, the same on every machine.

Glossary: best grid = the one with most fixed cells so far; held grid = the one whose pheromone is
reinforced, which may be worse where best-value evaporation has let go of a better one.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
from attrs import asdict

from antdoku.files import write_table
from antdoku.kernels.propagation import geometry
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.named import puzzles
from antdoku.solvers import acs, make_params
from antdoku.solvers._local import solution_of

ITERATIONS = 10_000
PER_DECADE = 10  # of the iterations that are recorded
SOLVERS = ("acs", "acs_closure")  # with colonies
PUZZLE, SEED = "aiescargot", 19  # recorded: 27 iterations, enough to see it learn
LEVELS = "0123456789abcdefghijklmnopqrstuvwxyz"  # one character a level of pheromone
COLUMNS = {
    "instance_id": "str",
    "order": "int64",
    "fixed_fraction": "float64",
    "variant": "str",
    "n_cells": "int64",
    "iteration": "int64",
    "best_fixed": "int64",
    "held_fixed": "int64",
    "solved": "bool",
}


def checkpoints(iterations: int) -> np.ndarray:
    """Return the iterations that are recorded: int64, from 1 to the last, even in logarithm."""
    count = 1 + round(PER_DECADE * np.log10(iterations))
    return np.unique(np.geomspace(1, iterations, count).round().astype(int))


def trace(puzzle: Puzzle, params, seed: int, iterations: int = ITERATIONS) -> pd.DataFrame:
    """Follow a colony until it solves a puzzle, or for so many iterations.

    Returns a row for each of the `checkpoints`: iteration, fixed cells of the best and of the held
    grid (all of them once the puzzle is solved), and whether it is solved.
    """
    colonies = islice(follow(puzzle, params, np.random.default_rng(seed)), iterations)
    fixed = [(best, np.count_nonzero(colony.best)) for colony, best in colonies]
    marks = checkpoints(iterations)
    # All that is missing comes after the solution, which is the last.
    rows = [fixed[min(mark, len(fixed)) - 1] for mark in marks]
    table = pd.DataFrame(rows, columns=["best_fixed", "held_fixed"])
    return table.assign(iteration=marks, solved=table["best_fixed"] == puzzle.n_cells)


def follow(puzzle, params, rng) -> Iterator[tuple[acs.Colony, int]]:
    """Yield the colony after each iteration, and the fixed cells of the best grid so far.

    Ends with a solution.
    """
    rates, tables = acs.new_rates(params, puzzle.n_cells), geometry(puzzle.order)
    start, _ = acs.start_of(puzzle, rates)
    random, colony = kernel_state(rng), acs.new_colony(start, params.m, puzzle.order)
    best = 0
    while best < puzzle.n_cells:
        acs.iterate(colony, tables, rates, random, 1)
        fixed = (colony.ants[:, : puzzle.n_cells] != 0).sum(axis=1)
        best = max(best, int(fixed.max()))
        yield colony, best


def write_traces(
    plan: pd.DataFrame, instances: pd.DataFrame, output: str | Path, jobs: int = 1
) -> None:
    """Trace the first run of each variant on each instance, as long as the shortest of these runs.

    Parameters
    ----------
    plan : DataFrame
        Rows of one family (`runs.plan`); those of the `SOLVERS` are traced.
    instances : DataFrame
        Of its experiment.
    jobs : int
        Threads that share the traces: nearly all of their time is that of kernels.
    """
    rows = plan[plan["solver"].isin(SOLVERS) & (plan["repetition"] == 0)]
    rows = rows.merge(instances[["family", "instance_id", "puzzle"]], on=["family", "instance_id"])
    # Where runs end after a part of the paper's work, so do traces.
    iterations = round(ITERATIONS * min([1.0, *rows["reach"].dropna()]))

    def traced(row):
        puzzle = read_integers(row.puzzle, row.instance_id)
        params = make_params(row.solver, json.loads(row.params))
        known = {name: getattr(row, name) for name in COLUMNS if hasattr(row, name)}
        table = trace(puzzle, params, row.seed, iterations)
        return table.assign(**known, n_cells=puzzle.n_cells)

    with ThreadPoolExecutor(jobs) as pool:
        frames = list(pool.map(traced, rows.itertuples()))
    table = pd.concat([pd.DataFrame(columns=list(COLUMNS)), *frames], ignore_index=True)
    write_table(table[list(COLUMNS)].astype(COLUMNS), output)


def write_recording(path) -> None:
    """Record the papers' ACS on the `PUZZLE` and write the recording as JSON."""
    (puzzle,) = puzzles(PUZZLE)
    Path(path).write_text(json.dumps(record(puzzle, acs.Params(), SEED)) + "\n")


def record(puzzle: Puzzle, params: acs.Params, seed: int) -> dict:
    """Run ACS until it solves a puzzle that needs a search, and record every iteration.

    Returns what JSON can hold: the puzzle, the run, what the initial propagation leaves (one list
    of values a cell), ``tau``: the most pheromone of all and how many levels there are, and
    ``iterations``, a list of what `_after` returns with ``tau`` as text: one character of `LEVELS`
    for each cell and value. Levels are linear, as the chances of a value at the roulette wheel are.
    """
    rates, rng = acs.new_rates(params, puzzle.n_cells), np.random.default_rng(seed)
    start, _ = acs.start_of(puzzle, rates)
    iterations = [_after(colony) for colony, _ in follow(puzzle, params, rng)]
    highest = max(float(each["tau"].max()) for each in iterations)
    for each in iterations:
        levels = np.rint((len(LEVELS) - 1) * each["tau"] / highest).astype(int)
        each["tau"] = "".join(LEVELS[level] for level in levels.ravel())
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
    """Return what an iteration leaves: grids (0: failed), fixed cells, best value, pheromone."""
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
