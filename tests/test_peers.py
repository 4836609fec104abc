"""The comparison with programs of others is fair: a script stands for each of them."""

import json
import sys
from itertools import chain

import psutil
import pytest
from click.testing import CliRunner
from conftest import format_archive, random_puzzle
from naive.exact_cover import items

from antdoku.api import read, solve
from antdoku.errors import InputError
from antdoku.outcome import SOLVED, Outcome
from antdoku.solvers import bs
from benchmarks import peers
from benchmarks.peers import Comparison, Peer, Run

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


def test_a_call_returns_what_is_printed_and_the_cpu_seconds(program):
    work = "import time\nwhile time.process_time() < 0.3: pass\nprint('done')"
    printed, cpu_s = called(program(work), limit_s=60)
    assert printed == "done\n"
    assert 0.3 <= cpu_s < 1


def test_a_program_is_killed_at_its_limit(program):
    printed, cpu_s = called(program("print('begun', flush=True)\nwhile True: pass"), limit_s=0.2)
    assert printed is None
    assert 0.2 <= cpu_s < 1


def test_an_interrupted_call_leaves_no_program_behind(program, monkeypatch):
    seen = []

    def interrupt(pid):
        seen.append(pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(peers.psutil, "Process", interrupt)
    with pytest.raises(KeyboardInterrupt):
        called(program("while True: pass"), limit_s=0.05)
    assert not psutil.pid_exists(seen[0])


# --- What they read and print --------------------------------------------------------------------


@pytest.mark.parametrize("order", [3, 6])
def test_an_instance_is_written_as_in_the_archive(order):
    puzzle = random_puzzle(order, 0.4, 1)
    assert peers.archive(puzzle).split() == format_archive(puzzle).split()
    assert len(peers.archive(puzzle).splitlines()) == 2 + puzzle.size, "Sudoku_ils reads by lines"


def test_the_matrix_has_the_columns_and_options_that_the_givens_leave():
    covered = {
        item
        for cell, value in enumerate(PUZZLE.givens.tolist())
        if value
        for item in items(PUZZLE, cell, value)
    }
    everything = [items(PUZZLE, cell, value) for cell in range(81) for value in range(1, 10)]
    options = [option for option in everything if not covered & set(option)]
    kinds = ["cell", "row", "column", "box"]
    columns = {item for option in everything for item in option} - covered
    columns = sorted(columns, key=lambda item: (kinds.index(item[0]), *item[1:]))
    width, *rows = peers.matrix(PUZZLE).splitlines()
    assert int(width) == len(columns)
    assert rows == [" ".join(str(columns.index(item)) for item in option) for option in options]


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


def test_tries_are_those_of_our_search_like_theirs():
    (platinumblond,) = read("named:platinumblond")
    assert peers.tries("0\n0.1\n", platinumblond) == 107, "the tries of their program"
    assert peers.tries("1\n0.1\n", platinumblond) is None


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


def too_large(**request):
    raise InputError("order 99: must be a whole number")


FAKE = """import sys
print(0, flush=True)
while sys.argv[2] == "9": pass"""


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Run the command on a folder with one program that works and one that does not compile."""
    folder = tmp_path / "checkouts"
    for name in ("fake", "broken"):
        (folder / name).mkdir(parents=True)
        (folder / name / "source").write_text(f"{PYTHON}{FAKE}")
    programs = {
        "fake": Peer("fake", "cp source {program} && chmod +x {program}"),
        "broken": Peer("broken", "echo no such file >&2; exit 1"),
        "absent": Peer("absent", "true"),
    }
    monkeypatch.setattr(peers, "PEERS", programs)
    found = {f"{name}_race": comparison(peer=name) for name in programs}
    quick = {"a": lambda *call: Run(0.001, 3)}
    found["fake_speed"] = comparison(peer="fake", metric="tries_per_s", ours=quick)
    found["fake_too_large"] = comparison(peer="fake", instances=too_large)
    monkeypatch.setattr(peers, "COMPARISONS", found)

    def run(*arguments):
        done = CliRunner().invoke(peers.main, [str(folder), *map(str, arguments)])
        assert sorted(file.name for file in folder.rglob("*")) == [
            *("broken", "fake", "source", "source")
        ]
        return done

    return run


def test_what_there_is_is_compared_and_the_rest_left_out_with_a_line(command, tmp_path):
    out = tmp_path / "peers.json"
    done = command("--out", out, "--repeats", 3, "--seeds", 2, "--limit", 5)
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines() == [
        "left out: broken: does not compile: no such file",
        f"left out: absent: there is no folder {tmp_path / 'checkouts' / 'absent'}",
        "fake_race: 2 instances, 2 times",
        "fake_speed: 2 instances, 3 times",
        "left out: fake_too_large: order 99: must be a whole number",
    ]
    heading, _, *table = done.stdout.splitlines()
    assert " cores, load " in heading
    assert [line.split(" | ")[1:4] for line in table[2:]] == [
        ["fake", "4", "seconds, limit 5"],
        ["a", "4", "seconds, limit 5"],
        ["b", "4", "seconds, limit 5"],
        ["fake", "6", "tries_per_s"],
        ["a", "6", "tries_per_s"],
    ]
    written = json.loads(out.read_text())
    assert written["headings"] == [heading]
    assert [row["program"] for row in written["summary"]] == ["fake", "a", "b", "fake", "a"]
    assert len(written["runs"]) == 2 * 2 * 3 + 2 * 3 * 2
    assert written["runs"][0].keys() == {
        *("comparison", "instance", "seed", "program", "cpu_s", "work")
    }
