"""Many puzzles at once: judged, limited, the same on any number of threads."""

import csv
import signal
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from conftest import answer, random_partial_grid, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st

import antdoku
from antdoku import bulk
from antdoku.budget import Budget
from antdoku.kernels import lanes
from antdoku.kernels.closure import profile
from antdoku.kernels.trivial import are_trivial
from antdoku.outcome import EXHAUSTED, INVALID, SOLVED, TIMEOUT
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, flaw, given_twice, have_twice, is_solution, root_grid
from antdoku.reading import formats
from antdoku.reading.batches import batches_of_puzzles
from antdoku.solvers import bs_closure, dlx

MOST_STEPS = 100_000  # some random grids of order 4 without a solution take hours


def grids_of(name):
    return np.array([puzzle.givens for puzzle in named.puzzles(name)])


@settings(deadline=None, max_examples=20)
@given(
    st.sampled_from([(3, 0, 40), (4, 60, 110)]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 10**6)), min_size=1, max_size=9),
)
def test_counts_are_those_of_dancing_links_and_solutions_true(of, cases):
    order, low, high = of
    shares = ((round(low + share * (high - low)), seed) for share, seed in cases)
    puzzles = [random_partial_grid(order, *case) for case in shares]
    grids = [puzzle.givens for puzzle in puzzles]
    solved = antdoku.solve_grids(grids, 30, max_steps=MOST_STEPS)
    for puzzle, solution, count, status in zip(puzzles, *solved):
        number, is_certain = dlx.count(puzzle, 30, Budget(None, MOST_STEPS))
        proof = answer(bs_closure, puzzle, max_steps=MOST_STEPS).status
        assert count == number or status == TIMEOUT or not is_certain
        assert status in (TIMEOUT, SOLVED if count else EXHAUSTED)
        assert TIMEOUT in (status, proof) or status == proof
        assert is_solution(puzzle, solution) if count else not solution.any()


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_the_answers_do_not_depend_on_the_threads(jobs, monkeypatch):
    grids = grids_of("all")
    expected = antdoku.solve_grids(grids, limit=2, max_steps=20)
    assert set(expected.status) == {SOLVED, TIMEOUT}
    monkeypatch.setattr(bulk, "CHUNK", 17)
    solved = antdoku.solve_grids(grids, 2, max_steps=20, jobs=jobs)
    for values, alone in zip(solved, expected):
        np.testing.assert_array_equal(values, alone)


def test_a_limit_of_steps_leaves_a_lower_bound():
    blank = np.zeros((2, 81), int)
    solutions, counts, status = antdoku.solve_grids(blank, limit=10**6, max_steps=1000)
    assert status.tolist() == [TIMEOUT] * 2 and 0 < counts[0] == counts[1] < 10**6
    assert is_solution(Puzzle(3, blank[0]), solutions[0])


def test_a_limit_of_time_holds_for_each_puzzle(monkeypatch):
    now, calls, advance = iter(range(10**6)), [], lanes.advance
    monkeypatch.setattr(bulk.time, "thread_time", lambda: next(now))  # a second at each look
    monkeypatch.setattr(lanes, "advance", lambda *call: calls.append(advance(*call)))
    grids = np.zeros((70, 81), int)
    grids[-1] = grids_of("sabuncu1")[0]
    _, counts, status = antdoku.solve_grids(grids, 10**9, timeout=3, jobs=1)
    assert len(calls) == 3 * 4 + 1, "the lanes filled three times, and nothing left"
    assert status.tolist() == [TIMEOUT] * 69 + [SOLVED] and counts[-1] == 1


def test_a_wrong_solution_is_not_handed_out(monkeypatch):
    advance = lanes.advance

    def with_mistakes(search, grids, answers, *rest):
        steps = advance(search, grids, answers, *rest)
        answers.solutions[0, :2] = answers.solutions[0, 1::-1]  # a row, but no columns
        answers.solutions[1] = answers.solutions[2]  # of another puzzle
        return steps

    monkeypatch.setattr(lanes, "advance", with_mistakes)
    solutions, counts, status = antdoku.solve_grids(grids_of("mantere_koljonen_46"))
    assert status.tolist() == [INVALID] * 2 + [SOLVED] * 44
    assert not solutions[:2].any() and counts.tolist() == [0] * 2 + [1] * 44


@settings(deadline=None, max_examples=50)
@given(st.sampled_from([3, 4]), st.integers(0, 80), st.integers(0, 80), st.integers(0, 12))
def test_the_judge_of_batches_agrees_with_the_judge(order, first, second, value):
    puzzle = random_puzzle(order, 0.5, 1)
    grids = puzzle.givens.astype(np.uint8)[None]
    solution = antdoku.solve_grids(grids).solutions
    solution[0, first], solution[0, second] = solution[0, second], value or solution[0, first]
    answers = lanes.new_answers(1, order)._replace(solutions=solution.copy())
    answers.counts[0] = 1
    bulk.judge(grids, answers)
    assert (answers.counts[0] == 1) == is_solution(puzzle, solution[0])


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 6), st.integers(0, 1295), st.integers(0, 36))
def test_a_grid_has_the_same_flaw_in_a_batch_and_alone(order, cell, value):
    solution = root_grid(order).ravel()
    wrong = solution.copy()
    wrong[cell % wrong.size] = value % (order**2 + 1)
    puzzle = Puzzle(order, np.where(np.arange(solution.size) % 2, solution, 0))
    (puzzles,) = batches_of_puzzles([puzzle] * 2)
    grids = replace(puzzles, grids=np.array([solution, wrong], np.uint8))
    assert bulk.flaws(puzzles, grids) == [None, flaw(next(iter(puzzles)), wrong)]


def test_grids_are_read_from_whatever_holds_puzzles(tmp_path):
    lines = [puzzle.line for puzzle in named.puzzles("mantere_koljonen_46")]
    grids = grids_of("mantere_koljonen_46")
    table = pd.DataFrame({"id": range(len(lines)), "puzzle": lines})
    table.to_csv(tmp_path / "in.csv", index=False)
    table.to_csv(tmp_path / "quoted.csv", index=False, quoting=csv.QUOTE_ALL)
    (tmp_path / "in.txt").write_text("\n".join(lines))
    sources = [lines, table, table["puzzle"], antdoku.read(lines), iter(antdoku.read(lines))]
    sources += [tmp_path / "in.txt", str(tmp_path / "in.csv"), tmp_path / "quoted.csv"]
    sources += [grids, grids.reshape(-1, 9, 9), grids.tolist(), [*grids], pd.DataFrame(grids)]
    sources += [
        np.array(lines),
        np.array(lines, object),
        "\n".join(lines),
        "named:mantere_koljonen_46",
        [*lines[:-1], lines[-1] + "  "],
    ]
    for source in sources:
        read = antdoku.read_grids(source)
        assert read.dtype == np.uint8 and (read == grids).all()
    for source in (lines, tmp_path / "in.csv", grids.reshape(-1, 9, 9)):
        assert (antdoku.solve_grids(source).status == SOLVED).all()
    assert (antdoku.read_grids(["." * 256]) == np.zeros((1, 256))).all()
    assert antdoku.read_grids(np.zeros((1, 16, 16), int)).shape == (1, 256)


@pytest.mark.parametrize("order", [3, 4])
def test_arrays_of_all_types_are_read_at_once(order, monkeypatch):
    grids = np.array([random_puzzle(order, 0.6, seed).givens for seed in range(5)])
    monkeypatch.setattr(formats, "cells_of_value", None)  # which reads cell by cell
    with_nan = np.where(grids, grids, np.nan)
    sources = [with_nan, with_nan.astype(np.float32), np.where(grids, grids, -1), list(with_nan)]
    sources += [grids.astype(float), grids.astype(object), np.where(grids, grids, None).tolist()]
    sources += [
        np.ma.masked_equal(grids, 0),
        pd.DataFrame(with_nan),
        pd.DataFrame(grids, dtype="Int8"),
    ]
    sources += [np.asfortranarray(grids), with_nan.reshape(5, order**2, order**2)]
    sources += [pd.DataFrame(with_nan).astype("Int64")]
    for source in sources:
        assert (antdoku.read_grids(source) == grids).all()
        assert [puzzle.givens.tolist() for puzzle in antdoku.read(source)] == grids.tolist()


def test_a_wrong_value_in_as_many_rows_as_cells_makes_no_large_grid():
    grids, errors = np.tile(grids_of("soto"), (9, 1)), []
    grids[5, 7], grids[80, 3] = 10, 70
    assert len(antdoku.read_grids(grids, skip=errors.append)) == 79
    assert [error.line for error in errors] == [6, 81]


@pytest.mark.parametrize("order", [3, 4])
def test_a_value_twice_is_refused_with_its_row_or_has_no_solution(order):
    grids = np.array([random_puzzle(order, 0.3, seed).givens for seed in range(5)])
    grids[3, :2] = 5
    for source in (grids, [" ".join(map(str, row)) for row in grids]):
        with pytest.raises(antdoku.InputError, match=r":4: .*the given 5 twice"):
            antdoku.read_grids(source)
    assert (antdoku.read_grids(grids, rules=False) == grids).all()
    assert antdoku.solve_grids(grids).status[3] == EXHAUSTED


@settings(deadline=None, max_examples=30)
@given(st.sampled_from([3, 4]), st.integers(0, 10**6))
def test_puzzles_with_a_value_twice_and_trivial_ones_are_told_together(order, seed):
    rng = np.random.default_rng(seed)
    grids = rng.integers(0, order**2 + 1, (20, order**4), np.uint8)
    grids[rng.random(grids.shape) < 0.97] = 0
    grids[:5] = [random_puzzle(order, share / 10, seed).givens for share in range(2, 7)]
    twice = have_twice(grids)
    assert twice.tolist() == [given_twice(grid, order) is not None for grid in grids]
    puzzles = [Puzzle(order, grid) for grid in grids[~twice]]
    assert are_trivial(grids[~twice]).tolist() == [profile(puzzle).trivial for puzzle in puzzles]


@pytest.mark.parametrize(
    "grids, options, message",
    [
        ([[0] * 80], {}, "grids:1: 80 cells: a 9x9 puzzle has 81"),
        ([[0] * 81, [0]], {}, "grids:2: 1 cell: a 9x9 puzzle has 81"),
        ([[0.5] * 81], {}, "grids:1: r1c1: 0.5: must be a whole number"),
        ([[0] * 16], {}, "grids: 4x4 puzzles: must be 9x9 or 16x16; solve_all takes"),
        (["." * 81, "." * 256], {}, "grids: puzzles of 9x9 and 16x16 in one array; read takes"),
        (["." * 80], {}, "grids:1: 80 cells"),
        ([[0] * 81, [0] * 80 + [10]], {}, "grids:2: r9c9: 10: must be a whole number"),
        ([[0] * 81], {"limit": 0}, "limit 0: must be a whole number from 1 to"),
        ([[0] * 81], {"timeout": 0}, "time limit 0: must be more than 0 seconds"),
        ([[0] * 81], {"jobs": 0}, "jobs 0: must be a whole number, 1 or more"),
    ],
)
def test_other_arrays_and_limits_are_refused(grids, options, message):
    with pytest.raises(antdoku.InputError, match=message):
        antdoku.solve_grids(grids, **options)


def test_ctrl_c_ends_the_search_of_all_threads():
    def interrupt(*_):
        raise KeyboardInterrupt

    blank = np.zeros((2, 81), np.uint8)
    antdoku.solve_grids(blank)  # compiles
    usual = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            antdoku.solve_grids(blank, limit=2**31, timeout=100)
    finally:
        signal.signal(signal.SIGALRM, usual)
    assert time.monotonic() - start < 50
