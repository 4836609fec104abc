"""The benchmarks: what they print, not how fast anything is."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import ROOT

from antdoku import solvers
from antdoku.kernels.closure import profile
from benchmarks import auto, kernels, lanes, peers

DOCUMENT = ROOT / "docs" / "benchmarks.md"


@pytest.fixture(autouse=True)
def little_work(monkeypatch):
    """Measure a thousandth of the usual work."""
    little = {
        name: lambda kernel, puzzle, work, measure=measure: measure(
            kernel, puzzle, work // 1000 + 1
        )
        for name, measure in kernels.METRICS.items()
    }
    monkeypatch.setattr(kernels, "METRICS", little)


def measured(*arguments):
    """Run the script; returns the lines on standard output."""
    done = CliRunner().invoke(kernels.main, ["--repeats", "2", *arguments])
    assert (done.exit_code, done.stderr) == (0, ""), "the progress bar is for terminals"
    return done.stdout.strip().splitlines()


def table_cells(lines):
    """Cells of the rows of a Markdown table, without the two of its head."""
    return [[cell.strip() for cell in line.strip().split("|")[1:-1]] for line in lines[2:]]


def test_json_has_a_line_for_each_benchmark_with_the_same_fields():
    rows = [json.loads(line) for line in measured("--json")]
    assert [(row["kernel"], row["order"], row["metric"], row["goal"]) for row in rows] == [
        (each.kernel, each.order, each.metric, each.goal) for each in kernels.BENCHMARKS
    ]
    for row in rows:
        assert list(row) == ["kernel", "order", "metric", "value", "goal"]
        assert 0 < row["value"] < math.inf


def test_the_table_is_that_of_the_document_but_for_what_was_measured():
    lines = DOCUMENT.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("| kernel "))
    written = table_cells(lines[start : start + 2 + len(kernels.BENCHMARKS)])
    printed = table_cells(measured())
    constant = [0, 1, 2, 4, 6, 7]
    assert [[row[k] for k in constant] for row in printed] == [
        [row[k] for k in constant] for row in written
    ]


def test_kernels_are_chosen_by_name():
    lines = measured("--json", "--kernel", "propagation", "--kernel", "bs_closure")
    assert [json.loads(line)["kernel"] for line in lines] == ["bs_closure", "propagation"]


def test_an_unknown_kernel_is_refused_with_those_there_are():
    done = CliRunner().invoke(kernels.main, ["--kernel", "asc"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'asc' is not one of 'acs_closure', 'acs', 'bs_closure', 'bs', 'dlx'" in done.stderr


def test_each_kernel_is_a_solver_or_the_propagation_and_measured_once():
    keys = [(each.kernel, each.order, each.metric) for each in kernels.BENCHMARKS]
    assert len(set(keys)) == len(keys)
    named = {each.kernel for each in kernels.BENCHMARKS}
    assert named <= {*solvers.names(), "propagation"}


@pytest.mark.parametrize("order", [3, 4, 5, 6])
def test_instances_leave_something_to_search(order):
    puzzle = kernels.instance(order)
    assert puzzle.order == order
    assert not profile(puzzle).trivial


def test_times_should_be_small_and_rates_large():
    by_metric = {each.metric: each for each in kernels.BENCHMARKS}
    for metric, up in (("us_per_ant", False), ("tries_per_s", True), ("updates_per_us", True)):
        goal = by_metric[metric].goal
        assert by_metric[metric].is_met(goal)
        assert by_metric[metric].is_met(2 * goal) == up
        assert by_metric[metric].is_met(goal / 2) != up


def test_values_are_medians_of_what_was_measured_in_turn():
    first, second = kernels.BENCHMARKS[:2]
    values = [1.0, 10.0, 3.0, 30.0, 2.0, 20.0]
    assert kernels.results([first, second], values) == [(first, 2.0), (second, 20.0)]


def test_auto_stands_beside_the_best_of_its_rivals(monkeypatch):
    family = auto.Family(lambda: auto.changed(auto.random(3, 40, 2)), rivals=("bs", "dlx"))
    monkeypatch.setattr(auto, "FAMILIES", {"small": family})
    done = CliRunner().invoke(auto.main)
    ((label, number, own, best, name, ratio),) = table_cells(done.stdout.strip().splitlines())
    assert (label, number) == ("small", "2") and name in ("`bs`", "`dlx`")
    assert float(own) / float(best) == pytest.approx(float(ratio), rel=0.1)


def test_a_changed_puzzle_differs_in_one_given():
    (puzzle,) = auto.random(4, 40, 1)
    (other,) = auto.changed([puzzle])
    (cell,) = np.flatnonzero(puzzle.givens != other.givens)
    assert puzzle.givens[cell] and other.givens[cell]


def test_comparisons_with_others_are_of_programs_that_there_are():
    for name, each in peers.COMPARISONS.items():
        assert each.peer in peers.PEERS, name
        assert "{" not in each.options.format(file="file", seed=1, late=1), name


def test_puzzles_in_lanes_stand_beside_the_same_one_by_one(monkeypatch):
    name, make = next(iter(lanes.FAMILIES.items()))
    monkeypatch.setattr(lanes, "FAMILIES", {name: make})
    done = CliRunner().invoke(lanes.main, ["--count", "60", "--repeats", "1"])
    ((label, *found),) = table_cells(done.stdout.splitlines()[2:])  # after the machine
    assert label == name and len(found) == 4
    assert all(int(rate.replace(",", "")) > 0 for rate in found)


def test_permuted_puzzles_are_puzzles_and_differ():
    grids = lanes.givens(auto.random(3, 40, 2))
    found = lanes.permuted(grids, 6)
    assert len({grid.tobytes() for grid in found}) == 6
    counts = lanes.batch.solve_grids(found, limit=50).counts.tolist()
    assert counts == lanes.batch.solve_grids(grids, limit=50).counts.tolist() * 3
