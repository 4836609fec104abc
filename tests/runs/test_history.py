"""The history of a colony: the inside of the run that the solver does, iteration by iteration."""

import json

import numpy as np
import pandas as pd
import pytest
from naive import authors_propagation as naive_authors

from antdoku import figures, tables
from antdoku.budget import Budget
from antdoku.instances import random
from antdoku.kernels.closure import closure
from antdoku.outcome import SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import is_solution
from antdoku.runs import history, plan
from antdoku.runs.run import run_once
from antdoku.solvers import acs

(PUZZLE,) = named.puzzles(history.PUZZLE)
RESTARTS = {"restart": "stagnation", "propagation": "complete"}


def same_as_the_solver(puzzle, params, seed):
    """Fixed cells by iteration, which must end with a solution when the run of the solver does."""
    outcome = acs.solve(puzzle, params, np.random.default_rng(seed), Budget(max_steps=2000))
    assert outcome.status == SOLVED
    fixed = list(history.progress(puzzle, params, np.random.default_rng(seed)))
    assert len(fixed) == outcome.steps
    assert fixed[-1] == (puzzle.n_cells, puzzle.n_cells)
    return fixed


@pytest.mark.parametrize("propagation", ["authors", "complete"])
@pytest.mark.parametrize("params", [{}, {"f_bve": 0}, {"restart": "stagnation"}])
@pytest.mark.parametrize("seed", [1, 5, 8])  # solved after 2 to 1880 iterations
def test_progress_is_the_inside_of_a_run(params, seed, propagation):
    (puzzle,) = named.puzzles("aiescargot")
    fixed = same_as_the_solver(puzzle, acs.Params(**{"propagation": propagation} | params), seed)
    best, held = np.transpose(fixed)
    assert (np.diff(best) >= 0).all()
    assert (held <= best).all()


def test_restarts_are_those_of_the_solver():
    """Stagnation of three iterations is frequent: a restart too early or too late would show."""
    (puzzle,) = named.puzzles("platinumblond")
    assert len(same_as_the_solver(puzzle, acs.Params(**RESTARTS, patience=3), 1)) > 100


def test_the_first_runs_of_colonies_are_traced_whatever_the_threads(tmp_path):
    instances = random.generate(4, 0.4, 2, 1)
    variants = [
        plan.variant_row("few", "acs", {"m": 2}, repetitions=2),
        plan.variant_row("restart", "acs", RESTARTS, reach=0.01),
        plan.variant_row("bs", "bs", {}),
    ]
    runs = plan.cross(instances, pd.DataFrame(variants), 1)
    for jobs in (1, 3):
        history.write_traces(runs, instances, tmp_path / f"{jobs}.parquet", jobs)
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "3.parquet").read_bytes()
    found = pd.read_parquet(tmp_path / "1.parquet")
    assert found.dtypes.astype(str).to_dict() == history.COLUMNS
    # As long as the shortest run.
    marks = history.checkpoints(history.ITERATIONS // 100)
    keys = [
        (row.instance_id, name) for row in instances.itertuples() for name in ("few", "restart")
    ]
    traces = dict(list(found.groupby(["instance_id", "variant"])))
    assert traces.keys() == {*keys}
    assert all(rows["iteration"].tolist() == marks.tolist() for rows in traces.values())
    first = runs.query("variant == 'few' and repetition == 0").iloc[0]
    texts = instances.set_index("instance_id")["puzzle"]
    puzzle = read_integers(texts[first["instance_id"]])
    outcome = run_once(puzzle, "acs", acs.Params(m=2), first["seed"])
    assert 1 < outcome.steps
    solved = traces[first["instance_id"], "few"].set_index("iteration")["solved"]
    assert solved.tolist() == [mark >= outcome.steps for mark in marks]
    table = tables.make("beyond_stagnation", found)
    figures.make("beyond_stagnation", table).draw_without_rendering()


def test_a_plan_without_colonies_has_no_traces(tmp_path):
    instances = random.generate(3, 0.9, 1, 1)
    runs = plan.cross(instances, pd.DataFrame([plan.variant_row("bs", "bs", {})]), 1)
    history.write_traces(runs, instances, tmp_path / "traces.parquet")
    traces = pd.read_parquet(tmp_path / "traces.parquet")
    assert traces.empty and tables.make("beyond_stagnation", traces).empty


# --- the recording -------------------------------------------------------------------------------


@pytest.mark.parametrize("propagation", ["authors", "complete"])
@pytest.mark.parametrize(("name", "seed"), [(history.PUZZLE, history.SEED), ("sabuncu6", 3)])
def test_the_recording_is_the_run_of_the_solver(name, seed, propagation):
    (puzzle,), params = named.puzzles(name), acs.Params(propagation=propagation)
    recorded = history.record(puzzle, params, seed, 1000)
    run = run_once(puzzle, "acs", params, seed)
    last = recorded["iterations"][-1]
    assert run.status == SOLVED and recorded["solved"]
    assert len(recorded["iterations"]) == run.steps
    assert last["best"] == last["grid"] == run.solution.tolist()


def test_the_recording_follows_best_value_and_grids():
    recorded = history.record(PUZZLE, acs.Params(), history.SEED, 200)
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
    history.write_recording(tmp_path / "recording.json")
    written = json.loads((tmp_path / "recording.json").read_text())
    assert written == history.record(PUZZLE, acs.Params(), history.SEED, 200)
    assert written["params"]["propagation"] == "authors" and written["solved"]
    assert 15 <= len(written["iterations"]) <= 40  # long enough to see, short enough to watch


def test_candidates_are_those_that_the_propagation_of_the_run_leaves():
    (puzzle,) = named.puzzles("sabuncu6")
    left = [
        history.record(puzzle, acs.Params(propagation=propagation), 1, 1)["candidates"]
        for propagation in ("authors", "complete")
    ]
    twin = naive_authors.propagate(3, puzzle.givens)
    assert left[0] == [sorted(values) for values in twin]
    assert left[0] != left[1] == [(np.flatnonzero(row) + 1).tolist() for row in closure(puzzle)[0]]
