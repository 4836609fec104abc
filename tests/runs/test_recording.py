"""The recorded run: that of the solver, iteration by iteration, ready for the page."""

import json

import numpy as np
import pytest

from antdoku.outcome import SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.grid import is_solution
from antdoku.runs import recording
from antdoku.runs.run import run_once
from antdoku.solvers import acs

(PUZZLE,) = named.puzzles(recording.PUZZLE)


@pytest.mark.parametrize(("name", "seed"), [(recording.PUZZLE, recording.SEED), ("sabuncu6", 3)])
def test_the_recording_is_the_run_of_the_solver(name, seed):
    (puzzle,) = named.puzzles(name)
    recorded = recording.record(puzzle, acs.Params(), seed, 1000)
    run = run_once(puzzle, "acs", acs.Params(), seed)
    last = recorded["iterations"][-1]
    assert run.status == SOLVED and recorded["solved"]
    assert len(recorded["iterations"]) == run.steps
    assert last["best"] == last["grid"] == run.solution.tolist()


def test_the_recording_of_a_failure_is_as_long_as_the_run():
    recorded = recording.record(PUZZLE, acs.Params(), recording.SEED, 7)
    assert len(recorded["iterations"]) == 7
    assert not recorded["solved"]


def test_the_recording_follows_best_value_and_grids():
    recorded = recording.record(PUZZLE, acs.Params(), recording.SEED, 200)
    assert 10 <= len(recorded["iterations"]) <= 40  # long enough to see, short enough to watch
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


def test_levels_of_pheromone_are_characters_up_to_the_last():
    recorded = recording.record(PUZZLE, acs.Params(), recording.SEED, 3)
    for each in recorded["iterations"]:
        assert len(each["tau"]) == 81 * 9
        assert set(each["tau"]) <= set(recording.LEVELS)
    assert any(recording.LEVELS[-1] in each["tau"] for each in recorded["iterations"])
    json.dumps(recorded, allow_nan=False)
