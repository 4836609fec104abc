"""The benchmarks: what they print, not how fast anything is."""

import json
import math

import pytest
from click.testing import CliRunner
from conftest import ROOT

from benchmarks import auto, kernels, lanes

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


def test_auto_stands_beside_the_best_of_its_rivals(monkeypatch):
    family = auto.Family(lambda: auto.changed(auto.random(3, 40, 2)), rivals=("bs", "dlx"))
    monkeypatch.setattr(auto, "FAMILIES", {"small": family})
    done = CliRunner().invoke(auto.main)
    ((label, number, own, best, name, ratio),) = table_cells(done.stdout.strip().splitlines())
    assert (label, number) == ("small", "2") and name in ("`bs`", "`dlx`")
    assert float(own) / float(best) == pytest.approx(float(ratio), rel=0.1)


def test_puzzles_in_lanes_stand_beside_the_same_one_by_one(monkeypatch):
    name, make = next(iter(lanes.FAMILIES.items()))
    monkeypatch.setattr(lanes, "FAMILIES", {name: make})
    done = CliRunner().invoke(lanes.main, ["--count", "60", "--repeats", "1"])
    ((label, *found),) = table_cells(done.stdout.splitlines()[2:])  # after the machine
    assert label == name and len(found) == 4
    assert all(int(rate.replace(",", "")) > 0 for rate in found)
