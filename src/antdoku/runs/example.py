"""The puzzle of the papers' first figures: givens, solution, value sets."""

import json
from pathlib import Path

import numpy as np

from antdoku.kernels.closure import closure
from antdoku.puzzle.named import puzzles
from antdoku.runs.run import Call, run_once
from antdoku.solvers import make_params

EXAMPLE = "sabuncu4"  # propagation fixes 23 of its 57 blank cells, so the figures show an effect


def write(path) -> None:
    """Write the puzzle with its solution, and its value sets before and after propagation."""
    (puzzle,) = puzzles(EXAMPLE)
    values, givens = np.arange(1, puzzle.size + 1), puzzle.givens[:, None]
    run = run_once(Call(puzzle, "dlx", make_params("dlx", {}), seed=0))
    parts = {
        "givens": puzzle.givens,
        "solution": run.solution.ravel(),
        "before": (givens == values) | (givens == 0),
        "after": closure(puzzle)[0],
    }
    Path(path).write_text(json.dumps({key: part.tolist() for key, part in parts.items()}) + "\n")
