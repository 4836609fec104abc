"""The recorded run: that of the solver, iteration by iteration, ready for the page."""

import json

import numpy as np
import pytest
from naive import authors_propagation as naive_authors

from antdoku.kernels.closure import closure
from antdoku.outcome import SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.grid import is_solution
from antdoku.runs import recording
from antdoku.runs.run import run_once
from antdoku.solvers import acs

(PUZZLE,) = named.puzzles(recording.PUZZLE)


@pytest.mark.parametrize("propagation", ["authors", "complete"])
@pytest.mark.parametrize(("name", "seed"), [(recording.PUZZLE, recording.SEED), ("sabuncu6", 3)])
def test_the_recording_is_the_run_of_the_solver(name, seed, propagation):
    (puzzle,), params = named.puzzles(name), acs.Params(propagation=propagation)
    recorded = recording.record(puzzle, params, seed, 1000)
    run = run_once(puzzle, "acs", params, seed)
    last = recorded["iterations"][-1]
    assert run.status == SOLVED and recorded["solved"]
    assert len(recorded["iterations"]) == run.steps
    assert last["best"] == last["grid"] == run.solution.tolist()


def test_the_recording_follows_best_value_and_grids():
    recorded = recording.record(PUZZLE, acs.Params(), recording.SEED, 200)
    best_value = 0.0
    for each in recorded["iterations"][:-1]:
        fixed = max(each["ants"])
        assert fixed == np.count_nonzero(each["grid"])
        value = 81 / (81 - fixed)
        if value > best_value:  # eq. 5, then eq. 7
            best_value = value
            assert each["best"] == each["grid"]
        best_value *= 1 - 0.005
        assert each["best_value"] == pytest.approx(best_value)
    assert is_solution(PUZZLE, np.array(recorded["iterations"][-1]["best"]))


def test_the_run_that_is_written_is_the_papers_own(tmp_path):
    recording.write(tmp_path / "recording.json")
    written = json.loads((tmp_path / "recording.json").read_text())
    assert written == recording.record(PUZZLE, acs.Params(), recording.SEED, 200)
    assert written["params"]["propagation"] == "authors" and written["solved"]
    assert 15 <= len(written["iterations"]) <= 40  # long enough to see, short enough to watch


def test_candidates_are_those_that_the_propagation_of_the_run_leaves():
    (puzzle,) = named.puzzles("sabuncu6")
    left = [
        recording.record(puzzle, acs.Params(propagation=propagation), 1, 1)["candidates"]
        for propagation in ("authors", "complete")
    ]
    twin = naive_authors.propagate(3, puzzle.givens)
    assert left[0] == [sorted(values) for values in twin]
    assert left[0] != left[1] == [(np.flatnonzero(row) + 1).tolist() for row in closure(puzzle)[0]]
