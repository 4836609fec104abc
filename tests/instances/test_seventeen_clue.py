"""Lewis's Table 1 prints 0.30 fixed and 0.16 solved for 17 clues: which singles give these?"""

import numpy as np
import pytest
from naive import grid as naive

from antdoku.kernels.closure import profile
from antdoku.outcome import SOLVED
from antdoku.papers import published
from antdoku.puzzle import named
from antdoku.runs.run import Call, run_once
from antdoku.solvers import make_params

PUZZLES = named.puzzles("seventeen_clue")
# Slices of the units in which hidden singles are sought, in addition to naked singles.
ROWS, COLUMNS, BOXES, LINES = slice(9), slice(9, 18), slice(18, None), slice(18)


def after_singles(puzzle, hidden_in):
    """Return the cells that naked singles, and hidden singles in some units, fix (0: open)."""
    candidates = naive.propagate(3, puzzle.givens, hidden_in)
    return np.array([min(values) if len(values) == 1 else 0 for values in candidates])


@pytest.mark.parametrize(
    ("hidden_in", "fixed"),
    [(slice(0), 0.213), (ROWS, 0.311), (COLUMNS, 0.325), (BOXES, 0.310), (LINES, 0.566)],
)
def test_hidden_singles_in_one_kind_of_unit_fix_about_the_printed_share(hidden_in, fixed):
    share = np.mean([np.mean(after_singles(puzzle, hidden_in) > 0) for puzzle in PUZZLES])
    assert share == pytest.approx(fixed, abs=0.0005)


def test_the_procedure_in_the_text_fixes_more_than_twice_the_printed_share():
    shares = np.array([profile(puzzle).fixed for puzzle in PUZZLES])
    assert shares.mean() == pytest.approx(0.715, abs=0.0005)
    assert shares.std() / np.sqrt(len(PUZZLES)) < 0.02
    assert np.count_nonzero(shares == 1) == 89


@pytest.mark.parametrize(("hidden", "low", "high"), [("boxes", 0.1, 0.27), ("all", 0.75, 0.95)])
def test_annealing_solves_the_printed_share_only_after_hidden_singles_in_boxes(hidden, low, high):
    steps = published.work("lewis_hybrid", "cp_sa", 3).steps
    params = make_params("cp_sa", {"hidden": hidden})
    solved = [
        run_once(Call(puzzle, "cp_sa", params, seed, max_steps=steps)).status == SOLVED
        for seed, puzzle in enumerate(PUZZLES[:60])
    ]
    assert low < np.mean(solved) < high
