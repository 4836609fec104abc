"""What is recorded of a run: the puzzle that papers show, and the history of a colony."""

import json

import numpy as np
import pandas as pd
import pytest
from conftest import answer, random_puzzle, random_table
from naive import authors_propagation as naive_authors

from antdoku.kernels.closure import closure
from antdoku.outcome import SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.runs import example, history, plan, recording
from antdoku.runs.run import Call, run_once
from antdoku.solvers import acs

(PUZZLE,) = named.puzzles(recording.PUZZLE)


def test_the_recording_is_the_run_of_the_solver_with_best_value_and_grids(tmp_path):
    recording.write_recording(tmp_path / "recording.json")
    recorded = json.loads((tmp_path / "recording.json").read_text())
    assert 15 <= len(recorded["iterations"]) <= 40  # long enough to see, short enough to watch
    best_value = 0.0
    for iteration in recorded["iterations"][:-1]:
        fixed = max(iteration["ants"])
        assert fixed == np.count_nonzero(iteration["grid"])
        value = 81 / (81 - fixed)
        if value > best_value:  # eq. 5, then eq. 7
            best_value = value
            assert iteration["best"] == iteration["grid"]
        best_value *= 1 - 0.005
        assert iteration["best_value"] == pytest.approx(best_value)
    run = run_once(Call(PUZZLE, "acs", acs.Params(), recording.SEED))
    last = recorded["iterations"][-1]
    assert (run.status, run.steps) == (SOLVED, len(recorded["iterations"]))
    assert last["best"] == last["grid"] == run.solution.ravel().tolist()


def test_candidates_are_those_that_the_propagation_of_the_run_leaves():
    (puzzle,) = named.puzzles("sabuncu6")
    left = [
        recording.record(puzzle, acs.Params(propagation=propagation), 1)["candidates"]
        for propagation in ("authors", "complete")
    ]
    twin = naive_authors.propagate(3, puzzle.givens)
    assert left[0] == [sorted(values) for values in twin]
    assert left[0] != left[1] == [(np.flatnonzero(row) + 1).tolist() for row in closure(puzzle)[0]]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("aiescargot", {}),
        ("aiescargot", {"propagation": "complete"}),
        # Stagnation of three iterations is frequent: a restart too early or too late would show.
        ("platinumblond", {"propagation": "complete", "restart": "stagnation", "patience": 3}),
    ],
)
@pytest.mark.parametrize("seed", [1, 5])
def test_a_trace_is_the_inside_of_the_run_of_the_solver(name, given, seed):
    (puzzle,), params = named.puzzles(name), acs.Params(**given)
    outcome = answer(acs, puzzle, seed, 5000, **given)
    followed = history.follow(puzzle, params, np.random.default_rng(seed))
    best, held = np.transpose([(best, np.count_nonzero(colony.best)) for colony, best in followed])
    assert outcome.status == SOLVED and len(best) == outcome.steps
    assert (np.diff(best) >= 0).all() and (held <= best).all() and held[-1] == puzzle.n_cells


def test_the_first_runs_of_all_colonies_are_traced_whatever_the_threads(tmp_path):
    instances = random_table(3, 0.35, 2, 1)
    given = {"few": ("acs", {"m": 2}), "other": ("acs_closure", {}), "bs": ("bs", {})}
    rows = [plan.variant_row(name, *solver, repetitions=2) for name, solver in given.items()]
    planned = plan.cross(instances, pd.DataFrame(rows), 1)
    written = []
    for jobs in (1, 3):
        history.write_traces(planned, instances, tmp_path / "history.parquet", jobs)
        written.append(pd.read_parquet(tmp_path / "history.parquet"))
    pd.testing.assert_frame_equal(*written)
    assert {*written[0]["variant"]} == {"few", "other"}
    assert {*written[0]["label"]} == {"ACS, m=2", "ACS, complete propagation"}
    assert written[0]["iteration"].max() == history.ITERATIONS
    nothing = planned[planned["solver"] == "bs"]
    history.write_traces(nothing, instances, tmp_path / "history.parquet")
    assert pd.read_parquet(tmp_path / "history.parquet").empty


def test_traces_are_as_long_as_the_share_of_the_papers_work(tmp_path):
    instances = random_table(3, 0.35, 1, 1)
    given = {"tenth": {"reach": 0.1}, "less": {"reach": 0.05}, "by_seconds": {}}
    rows = [plan.variant_row(name, "acs", {}, **limits) for name, limits in given.items()]
    rows = pd.DataFrame(rows)
    history.write_traces(plan.cross(instances, rows, 1), instances, tmp_path / "history.parquet")
    ends = pd.read_parquet(tmp_path / "history.parquet").groupby("variant")["iteration"].max()
    assert ends.to_dict() == {"tenth": 1000, "less": 500, "by_seconds": 1000}


def test_a_trace_goes_on_after_the_solution():
    table = history.trace(random_puzzle(4, 0.4, 1), acs.Params(), 1, iterations=100)
    assert list(table["iteration"]) == list(history.checkpoints(100))
    assert (table["solved"] == (table["best_fixed"] == 256)).all() and table["solved"].any()


def test_the_example_is_a_known_puzzle_with_its_solution(tmp_path):
    example.write(file := tmp_path / "example.json")
    keys = ["before", "givens", "after", "solution"]
    before, givens, after, solution = example.read(keys, file)
    assert is_solution(Puzzle(3, givens), solution)
    assert before.shape == after.shape == (81, 9)
    assert (after <= before).all()
    assert after[range(81), solution - 1].all()
    assert 1 < after.sum(axis=1).mean() < before.sum(axis=1).mean()
