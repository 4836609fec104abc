"""Thresholds of random deletions, against a search over every number of givens."""

import numpy as np
import pandas as pd
import pytest

from antdoku.instances import thresholds
from antdoku.instances.random import solved_grid
from antdoku.kernels.closure import profile
from antdoku.puzzle.grid import Puzzle, root_grid
from antdoku.puzzle.writing import format_integers
from antdoku.solvers import dlx


def puzzles(solution, sequence):
    """Yield the puzzle with the first k cells of a sequence, for k = 0, 1, ..."""
    for n_givens in range(solution.size + 1):
        givens = np.zeros_like(solution)
        givens[sequence[:n_givens]] = solution[sequence[:n_givens]]
        yield Puzzle(round(solution.size**0.25), givens)


def first(values):
    return next(number for number, value in enumerate(values) if value)


@pytest.mark.parametrize("seed", range(6))
def test_thresholds_are_the_first_number_of_givens_that_suffices(seed):
    rng = np.random.default_rng(seed)
    order = 2 + seed % 2
    solution = root_grid(order).ravel() if seed == 0 else solved_grid(order, rng, "search")
    sequence = rng.permutation(solution.size)
    profiles = [profile(puzzle) for puzzle in puzzles(solution, sequence)]
    solved = thresholds.propagated_givens(solution, sequence)
    assert solved == first(entry.trivial for entry in profiles)
    n_most_open = int(0.1 * solution.size)
    n_open = [round((1 - entry.fixed) * solution.size) for entry in profiles]
    assert thresholds.propagated_givens(solution, sequence, 0.9) == first(
        count <= n_most_open for count in n_open
    )
    unique, n_undecided = thresholds.unique_givens(solution, sequence, solved)
    # With few givens there are many solutions: the count is cut short.
    counts = [dlx.count(puzzle, 2)[0] for puzzle in puzzles(solution, sequence)]
    assert (unique, n_undecided) == (first(count == 1 for count in counts), 0)


def test_a_search_that_is_cut_short_is_counted():
    rng = np.random.default_rng(1)
    solution = solved_grid(3, rng, "search")
    sequence = rng.permutation(81)
    _, n_undecided = thresholds.unique_givens(solution, sequence, 81, max_nodes=1)
    assert n_undecided > 0


def test_the_table_has_all_complete_grids_and_the_same_values_for_any_number_of_threads(tmp_path):
    rng = np.random.default_rng(2)
    rows = [
        {"experiment": "scaling", "instance_id": f"grid{number}", "order": 2, "seed": number}
        | {"source": "search", "fixed_fraction": fraction}
        | {"puzzle": format_integers(solved_grid(2, rng, "search"))}
        for number, fraction in enumerate((1.0, 0.5, 1.0))
    ]
    for jobs in (1, 2):
        thresholds.write_thresholds(pd.DataFrame(rows), tmp_path / f"{jobs}.parquet", jobs)
    one, two = (pd.read_parquet(tmp_path / f"{jobs}.parquet") for jobs in (1, 2))
    pd.testing.assert_frame_equal(one, two)
    assert one["instance_id"].unique().tolist() == ["grid0", "grid2"]
    assert one["unique_givens"].notna().sum() == 2 * thresholds.FOLLOWED
    assert (one["mostly_givens"] <= one["solved_givens"]).all()
    followed = one.dropna(subset="unique_givens")
    assert (followed["unique_givens"] <= followed["solved_givens"]).all()
