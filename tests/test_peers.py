"""The comparison with programs of others is fair: a script stands for each of them."""

import sys
from itertools import chain

import pytest
from conftest import random_puzzle

from antdoku.api import solve
from antdoku.errors import InputError
from antdoku.outcome import SOLVED, Outcome
from antdoku.solvers import bs
from benchmarks import peers
from benchmarks.peers import Comparison, Run

pytestmark = pytest.mark.thorough

PYTHON = f"#!{sys.executable} -SE\n"
PUZZLE = random_puzzle(3, 0.4, 1)
SOLUTION = solve(PUZZLE, "dlx").solution
WRONG = SOLUTION[::-1]


@pytest.fixture
def program(tmp_path):
    """Write a script that stands for a program."""

    def write(code):
        file = tmp_path / "program"
        file.write_text(PYTHON + code)
        file.chmod(0o755)
        return file

    return write


def called(program, limit_s):
    return peers.call([str(program)], program, limit_s)


def comparison(**changes):
    """Who solves `PUZZLE`: a program or two solvers that do nothing."""
    plain = {
        "peer": "theirs",
        "options": "{file} {seed}",
        "form": peers.archive,
        "read": peers.is_solved,
        "ours": {"a": lambda *call: Run(0.5, 1), "b": lambda *call: Run(0.1, None)},
        "label": "9x9",
        "instances": lambda **request: [("first", PUZZLE), ("second", PUZZLE)],
        "limit_s": 10.0,
    }
    return Comparison(**plain | changes)


# --- Programs ------------------------------------------------------------------------------------


def test_a_program_is_killed_at_its_limit(program):
    printed, cpu_s = called(program("print('begun', flush=True)\nwhile True: pass"), limit_s=0.2)
    assert printed is None
    assert 0.2 <= cpu_s < 1


# --- What they read and print --------------------------------------------------------------------


TRAILER = "\n=====\ncurrent min clash length: 0\n"  # of Sudoku-LS, after more than one round


def grid_text(grid):
    return "\n".join("\t".join(map(str, row)) for row in grid.tolist())


@pytest.mark.parametrize(
    ("read", "printed", "work"),
    [
        (peers.ants, "1\n2.5e-09\n", 1000),
        (peers.ants, "0\n0.01\n", None),
        (peers.is_solved, "0\n0.01\n", 1),
        (peers.is_solved, "1\n20.01\n", None),
        (peers.is_solved, "04\niterations 9\n", None),
        (peers.nodes, "solutions: 2\n\nNodes at depth 0: 1\nNodes at depth 1: 4\n", 4),
        (peers.iterations, "4\niterations 17950\n", 17950),
        (peers.solutions, "1..:1:123\n2..:1:231\n3..:0:\n", 2),
        (peers.is_grid, grid_text(SOLUTION), 1),
        (peers.is_grid, grid_text(SOLUTION) + TRAILER, 1),
        (peers.is_grid, grid_text(WRONG) + TRAILER, None),
        (peers.is_grid, grid_text(SOLUTION[1:]), None),
        (peers.is_grid, TRAILER, None),
    ],
)
def test_the_work_is_read_from_what_was_printed(read, printed, work):
    assert read(printed, PUZZLE) == work
    assert read("", PUZZLE) is None, "it broke down"


# --- Our runs ------------------------------------------------------------------------------------


def test_a_solver_of_ours_that_fails_is_not_taken_for_beaten(monkeypatch):
    monkeypatch.setattr(bs, "solve", lambda *call: Outcome(SOLVED, WRONG.ravel(), 1))
    with pytest.raises(InputError, match="invalid: claimed a solution that is none"):
        peers.solver("bs")(PUZZLE, 1, 60)


# --- In turn -------------------------------------------------------------------------------------


def test_on_each_instance_everyone_runs_before_the_next_in_changing_order(program):
    script = program("print(0)")
    rows = list(
        chain(*peers.runs("race", comparison(), script, [("p", PUZZLE), ("q", PUZZLE)], 6, []))
    )
    turns = [rows[at : at + 3] for at in range(0, len(rows), 3)]
    assert [(row["instance"], row["seed"]) for row, *_ in turns] == [
        (name, seed) for seed in range(1, 7) for name in "pq"
    ]
    orders = [tuple(row["program"] for row in turn) for turn in turns]
    assert {frozenset(order) for order in orders} == {frozenset({"theirs", "a", "b"})}
    assert len(set(orders)) > 1


@pytest.mark.parametrize("code", ["print('no grid')", "raise SystemExit(1)"])
def test_a_program_that_ends_early_without_a_solution_is_not_taken_for_beaten(program, code):
    call = program(code), PUZZLE, 1, 10
    with pytest.raises(InputError, match=r"theirs ended after 0\.\d\d s without a solution"):
        comparison().theirs(*call)
    assert comparison(metric="tries_per_s").theirs(*call).work is None


# --- What it comes to ----------------------------------------------------------------------------


def rows_of(**costs):
    """Rows of runs, each program's as pairs of CPU seconds and work."""
    return [
        {"instance": k, "seed": 1, "program": name, "cpu_s": cpu_s, "work": work}
        for name, pairs in costs.items()
        for k, (cpu_s, work) in enumerate(pairs)
    ]


def test_speed_is_compared_where_all_did_some_work():
    rows = rows_of(
        theirs=[(1, 100), (2, 100), (4, 100), (1, None)],
        a=[(1, 200), (1, 200), (1, 200), (1, 200)],
        b=[(1, 400)] * 4,
    )
    theirs, a, b = peers.summary(comparison(metric="tries_per_s"), rows)
    assert [row["program"] for row in (theirs, a, b)] == ["theirs", "a", "b"]
    assert theirs["runs"] == a["runs"] == 3
    assert theirs["quartiles"] == [25, 50, 100]
    assert theirs["times_as_fast"] is None
    assert a["quartiles"] == [200, 200, 200]
    assert a["times_as_fast"] == [2, 4, 8]
    assert b["times_as_fast"] == [4, 8, 16]
    theirs, *_ = peers.summary(comparison(metric="us_per_ant"), rows)
    assert theirs["quartiles"] == pytest.approx([1e4, 2e4, 4e4])


def test_of_a_race_every_run_counts():
    rows = rows_of(theirs=[(4, 1), (10, None), (10, None)], a=[(1, 1), (5, 1), (10, None)])
    theirs, a = peers.summary(comparison(ours={"a": None}), rows)
    assert (theirs["solved"], theirs["par2_s"]) == (1, 44 / 3)
    assert (a["solved"], a["par2_s"], a["par2_ratio"]) == (2, 26 / 3, 44 / 26)
    assert theirs["quartiles"] == [4, None, None]
    assert a["quartiles"] == [1, 5, None]
    assert a["times_as_fast"] == [1, 4, 4]


# --- The command ---------------------------------------------------------------------------------
