"""What a colony of ACS holds from iteration to iteration: stagnation, and what is done against it.

A run says when a puzzle was solved, a trace how the best grid grew until then. Limited by
iterations, so the same on every machine; same seeds as the runs of the variants, so that a trace is
the inside of a run.

Glossary: best grid = the one with most fixed cells so far; held grid = the one whose pheromone is
reinforced, which may be worse where best-value evaporation has let go of a better one.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.fileio import atomic_write
from antdoku.hashing import seed_of
from antdoku.kernels.propagation import geometry
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.plans import Plan
from antdoku.solvers import acs, make_params, orders

ITERATIONS = 10_000
PER_DECADE = 10  # of the iterations that are recorded
SOLVERS = ("acs", "acs_closure")  # that a trace can follow
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
    """The iterations that are recorded, from 1 to the last: int64, evenly spaced in logarithm."""
    count = 1 + round(PER_DECADE * np.log10(iterations))
    return np.unique(np.geomspace(1, iterations, count).round().astype(int))


def traceable(plans: dict[str, Plan]) -> dict[str, tuple[str, dict]]:
    """Solver and parameters, by variant, of the plans that can be traced."""
    return {
        variant: (plan.solver, plan.params)
        for variant, plan in plans.items()
        if plan.solver in SOLVERS
    }


def trace(
    puzzle: Puzzle, solver: str, params: dict, seed: int, iterations: int = ITERATIONS
) -> pd.DataFrame:
    """Follow one of the `SOLVERS` until it solves a puzzle, or for so many iterations.

    Returns a row for each of the `checkpoints`: iteration, fixed cells of the best and of the held
    grid (all of them once the puzzle is solved), and whether it is solved.
    """
    marks = checkpoints(iterations)
    fixed = progress(puzzle, make_params(solver, params), np.random.default_rng(seed))
    reached = list(islice(fixed, iterations))
    # Whatever is missing comes after the solution, which is the last.
    rows = [reached[min(mark, len(reached)) - 1] for mark in marks]
    table = pd.DataFrame(rows, columns=["best_fixed", "held_fixed"])
    return table.assign(iteration=marks, solved=table["best_fixed"] == puzzle.n_cells)


def progress(puzzle, params, rng) -> Iterator[tuple[int, int]]:
    """Fixed cells of the best and of the held grid after each iteration; ends with a solution."""
    best = 0
    for colony, failed in follow(puzzle, params, rng):
        best = max(best, puzzle.n_cells - failed)
        yield best, int(np.count_nonzero(colony.best))


def follow(puzzle, params, rng) -> Iterator[tuple[acs.Colony, int]]:
    """The colony after each iteration, and in how many cells its best ant has failed.

    Ends with a solution.
    """
    rates, tables = acs.new_rates(params, puzzle.n_cells), geometry(puzzle.order)
    start, _ = acs.start_of(puzzle, rates)
    random, colony = kernel_state(rng), acs.new_colony(start, params.m, puzzle.order)
    failed = puzzle.n_cells
    while failed:
        acs.iterate(colony, tables, rates, random, 1)
        failed = int((colony.ants[:, : puzzle.n_cells] == 0).sum(axis=1).min())
        yield colony, failed


def write(
    instances: str | Path,
    variants: dict,
    seed: int,
    output: str | Path,
    iterations: int = ITERATIONS,
    jobs: int = 1,
) -> None:
    """Trace variants (see `traceable`) on a Parquet file of instances: a table with `COLUMNS`.

    `seed` is the root seed of the experiment. So many `jobs` are threads that share the traces:
    nearly all of their time is that of kernels, which do not hold the interpreter.
    """

    def traced(row, variant):
        puzzle = read_integers(row["puzzle"], row["instance_id"])
        own_seed = seed_of(seed, puzzle.name, variant, 0)
        table = trace(puzzle, *variants[variant], own_seed, iterations)
        of_instance = {name: row[name] for name in ("instance_id", "order", "fixed_fraction")}
        return table.assign(**of_instance, variant=variant, n_cells=puzzle.n_cells)

    pairs = [
        (row, variant)
        for row in pd.read_parquet(instances).to_dict("records")
        for variant, (solver, _) in variants.items()
        if row["order"] in orders(solver)
    ]
    with ThreadPoolExecutor(jobs) as pool:
        frames = pool.map(traced, *zip(*pairs)) if pairs else []
    frames = [pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS), *frames]
    table = pd.concat(frames, ignore_index=True)
    with atomic_write(output) as file:
        table[list(COLUMNS)].astype(COLUMNS).to_parquet(file, index=False)
