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
from antdoku.instances.family import seed_of
from antdoku.instances.random import Recipe, generate
from antdoku.kernels.propagation import geometry
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.writing import read_integers
from antdoku.solvers import acs
from antdoku.solvers._local import solution_of

# The film: two runs of the published experiment, on the first of its 100 puzzles of this kind that
# ACS solves within the paper's work and does not solve there without best-value evaporation.
ORDER, FIXED, ROOT_SEED, NUMBER = 5, 0.45, 2018, 1
WORK = 10_700  # iterations of the paper's program within its limit
FILM = {  # titles and parameters by variant
    "acs_no_bve": ("Without best-value evaporation", acs.Params(f_bve=0)),
    "acs": ("With best-value evaporation", acs.Params()),
}
FINDING = (
    "Best-value evaporation (BVE) frees a stuck colony. Without it, two cells stay without a value "
    "to the end; with it, the grid is complete after 396 iterations."
)
NOTE = (
    "The puzzle is the first of our 100 random 25x25 puzzles with 45 % of the cells given on which "
    "the published run with BVE succeeds and the run without it fails. Of the 100 puzzles, 42 end "
    "like this, 7 the other way round; on 41 both runs succeed, on 10 neither. A run may take "
    "10,700 iterations, as many as the paper’s program did within its limit."
)
WITH_VALUES = 3  # the largest order of which values and pheromone are recorded, too
PER_DECADE = 60  # of the iterations that are recorded: the first all, later each 4 %
LEVELS = "0123456789abcdefghijklmnopqrstuvwxyz"  # one character a level of pheromone


def write_recording(path: str | Path) -> None:
    """Record the film of best-value evaporation and write it as JSON."""
    *_, row = generate(Recipe(ORDER, FIXED, NUMBER + 1, ROOT_SEED))
    puzzle = read_integers(row["puzzle"], row["instance_id"])
    runs = {
        title: (params, seed_of(ROOT_SEED, puzzle.name, variant, 0))
        for variant, (title, params) in FILM.items()
    }
    content = record(puzzle, runs, WORK) | {"finding": FINDING, "note": NOTE}
    Path(path).write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")


def checkpoints(iterations: int, per_decade: int) -> np.ndarray:
    """Return the iterations that are recorded: int64, from 1 to the last, with equal ratios."""
    count = 1 + round(per_decade * np.log10(iterations))
    return np.unique(np.geomspace(1, iterations, count).round().astype(int))


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


def record(puzzle: Puzzle, runs: dict[str, tuple[acs.Params, int]], max_iterations: int) -> dict:
    """Record runs of ACS on a puzzle, each until it is solved or for `max_iterations`.

    `runs` has the parameters and the seed of each run by its title. The recording holds values of
    JSON only. A run has a frame for each of the `checkpoints` and for its last iteration: which
    cells of the best grid failed, and which have another value than in the frame before. The best
    grid is what the colony reinforces. Up to order `WITH_VALUES` a frame also has its values and
    the pheromone, a text: one character of `LEVELS` for each cell and value. Levels are linear in
    the pheromone, as the chances of a value at the roulette wheel are.
    """
    return {
        "puzzle": {"name": puzzle.name, "order": puzzle.order, "givens": puzzle.givens.tolist()},
        "runs": [
            {"title": title, **_run(puzzle, params, seed, max_iterations)}
            for title, (params, seed) in runs.items()
        ],
    }


def _run(puzzle, params, seed, max_iterations):
    """Return a run of `record` without its title."""
    start, is_consistent = acs.start_of(puzzle, params)
    if not is_consistent:
        raise InputError("it has no solution, as propagation proves", puzzle.name)
    is_open = not solution_of(start, puzzle.n_cells).all()
    colonies = follow(puzzle, params, np.random.default_rng(seed)) if is_open else iter([])
    frames = [*_frames(islice(colonies, max_iterations), puzzle, max_iterations)]
    if puzzle.order <= WITH_VALUES:
        _encode_pheromone(frames)
    candidates = [
        [bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1]
        for mask in start[: puzzle.n_cells].tolist()
    ]
    values = asdict(params)
    return {"seed": seed, "params": values, "candidates": candidates, "frames": frames}


def _encode_pheromone(frames):
    """Replace the pheromone of frames, arrays, by texts; the highest of all has the last level."""
    highest = max((float(frame["tau"].max()) for frame in frames), default=1.0)
    for frame in frames:
        levels = np.rint((len(LEVELS) - 1) * frame["tau"] / highest).astype(int)
        frame["tau"] = "".join(LEVELS[level] for level in levels.ravel())


def _frames(colonies, puzzle, max_iterations):
    """Yield the frames of `record`, with the pheromone as an array."""
    marks, before = {*checkpoints(max_iterations, PER_DECADE).tolist()}, puzzle.givens
    for iteration, (colony, best) in enumerate(colonies, 1):
        if iteration not in marks and best < puzzle.n_cells:
            continue
        frame = {
            "iteration": iteration,
            "failed": np.flatnonzero(colony.best == 0).tolist(),
            "changed": np.flatnonzero((colony.best != before) & (colony.best > 0)).tolist(),
        }
        before = colony.best.copy()
        if puzzle.order <= WITH_VALUES:
            frame |= {"grid": before.tolist(), "tau": colony.tau.copy()}
        yield frame
