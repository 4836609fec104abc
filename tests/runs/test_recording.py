"""What is recorded of a run: the puzzle that papers show, and the inside of a colony."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import answer
from naive import authors_propagation as naive_authors

from antdoku.kernels.closure import closure
from antdoku.outcome import SOLVED
from antdoku.papers import published
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.runs import example, recording
from antdoku.runs.run import Call, run_once
from antdoku.solvers import acs

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def test_a_recording_is_the_run_of_the_solver():
    (puzzle,) = named.puzzles("aiescargot")
    (run,) = recording.record(puzzle, {"ACS": (acs.Params(), 19)}, 300)["runs"]
    outcome = run_once(Call(puzzle, "acs", acs.Params(), 19))
    last, frames = run["frames"][-1], run["frames"]
    assert (outcome.status, outcome.steps) == (SOLVED, last["iteration"])
    assert last["grid"] == outcome.solution.ravel().tolist() and not last["failed"]
    for before, frame in pairwise([{"grid": puzzle.givens}, *frames]):
        pairs = zip(before["grid"], frame["grid"], strict=True)
        changed = [cell for cell, (old, new) in enumerate(pairs) if new not in (0, old)]
        assert frame["changed"] == changed
        assert frame["failed"] == [cell for cell, value in enumerate(frame["grid"]) if not value]
        assert len(frame["tau"]) == 9**3 and max(frames[-1]["tau"]) == recording.LEVELS[-1]


def test_the_film_is_the_first_pair_of_published_runs_that_its_rule_names():
    """The published recording has the puzzle, seeds and ends of these runs; its note counts all."""
    film = json.loads((RESULTS / "recording.json").read_text("utf-8"))
    runs = pd.read_parquet(RESULTS / "tables" / "runs.parquet").query(
        "experiment == 'lloyd_amos' and family == 'order5-p045' and variant in @recording.FILM"
    )
    assert published.work("arxiv", "acs", 5, 0.45).steps == recording.WORK
    runs = runs.assign(solved=(runs["status"] == SOLVED) & (runs["steps"] <= recording.WORK))
    ends = runs.pivot(index="instance_id", columns="variant", values="solved").sort_index()
    with_bve, without = ends["acs"], ends["acs_no_bve"]
    name = (with_bve & ~without).idxmax()
    assert film["puzzle"]["name"] == name
    pair = runs[runs["instance_id"] == name].set_index("variant").loc[[*recording.FILM]]
    assert [run["seed"] for run in film["runs"]] == pair["seed"].tolist()
    last = [run["frames"][-1] for run in film["runs"]]
    marks = recording.checkpoints(recording.WORK, recording.PER_DECADE).tolist()
    assert [frame["iteration"] for frame in film["runs"][0]["frames"]] == marks
    assert [frame["iteration"] for frame in last] == [recording.WORK, pair.loc["acs", "steps"]]
    assert [len(frame["failed"]) for frame in last] == [2, 0] and len(ends) == 100
    counts = (with_bve & ~without, without & ~with_bve, with_bve & without, ~with_bve & ~without)
    words = "{} end like this, {} the other way round; on {} both runs succeed, on {} neither"
    assert words.format(*(count.sum() for count in counts)) in film["note"] == recording.NOTE
    assert film["finding"] == recording.FINDING


def test_the_published_film_is_todays(tmp_path, monkeypatch):
    """Up to the end of the run with evaporation."""
    monkeypatch.setattr(recording, "WORK", 400)
    recording.write_recording(tmp_path / "recording.json")
    files = tmp_path / "recording.json", RESULTS / "recording.json"
    today, film = (json.loads(file.read_text("utf-8")) for file in files)
    assert today["puzzle"] == film["puzzle"]
    for now, was in zip(today["runs"], film["runs"], strict=True):
        new, old = (
            {frame["iteration"]: frame["failed"] for frame in run["frames"]} for run in (now, was)
        )
        common = sorted({*new} & {*old})
        assert len(common) > 40 and [new[mark] for mark in common] == [old[mark] for mark in common]
    assert today["runs"][1]["frames"][-1]["failed"] == []


def test_candidates_are_those_that_the_propagation_of_the_run_leaves():
    (puzzle,) = named.puzzles("sabuncu6")
    runs = {name: (acs.Params(propagation=name), 1) for name in ("authors", "complete")}
    left = [run["candidates"] for run in recording.record(puzzle, runs, 1)["runs"]]
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
    followed = recording.follow(puzzle, params, np.random.default_rng(seed))
    best, held = np.transpose([(best, np.count_nonzero(colony.best)) for colony, best in followed])
    assert outcome.status == SOLVED and len(best) == outcome.steps
    assert (np.diff(best) >= 0).all() and (held <= best).all() and held[-1] == puzzle.n_cells


def test_the_example_is_a_known_puzzle_with_its_solution(tmp_path):
    example.write(file := tmp_path / "example.json")
    parts = {key: np.array(part) for key, part in json.loads(file.read_text()).items()}
    before, givens, after, solution = map(parts.get, ("before", "givens", "after", "solution"))
    assert (RESULTS / file.name).read_bytes() == file.read_bytes()
    assert is_solution(Puzzle(3, givens), solution)
    assert before.shape == after.shape == (81, 9)
    assert (after <= before).all()
    assert after[range(81), solution - 1].all()
    assert 1 < after.sum(axis=1).mean() < before.sum(axis=1).mean()
