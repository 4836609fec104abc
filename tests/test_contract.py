"""``antdoku check-solver``: what it says of solvers that keep the rules, and that break one."""

import os
import subprocess
import sys

import pytest
from conftest import TEMPLATE

from antdoku import cli, contract

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="patches reach a worker by a fork")

TWO_ORDERS = "ORDERS = (2, 3)\n"
ENDLESS = f"{TWO_ORDERS}def solve(*_):\n    while True:\n        pass\n"
FAILING = f"{TWO_ORDERS}def solve(*_):\n    raise ValueError('so')\n"


def check_solver(capsys, solver):
    status = cli.main(["check-solver", solver])
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.splitlines()


def choose(monkeypatch, *names, **changes):
    """Check only some of the rules."""
    rules = {name: contract.RULES[name]._replace(**changes) for name in names}
    monkeypatch.setattr(contract, "RULES", rules)


def test_the_template_keeps_the_rules_and_bad_solvers_are_not_asked_on(mine, capsys, monkeypatch):
    choose(monkeypatch, "easy_puzzles", "slices", "refutation", "complete_grid", cpu_s=2)
    status, lines = check_solver(capsys, mine(TEMPLATE + TWO_ORDERS))
    assert status == 0 and [line.split()[0] for line in lines] == ["ok"] * 4
    status, lines = check_solver(capsys, mine(ENDLESS))
    assert status == 1 and lines[1:] == [f"           4x4: {contract.NO_END}"]
    status, lines = check_solver(capsys, mine(FAILING))
    assert status == 1 and lines[1:] == [
        f"           4x4: mine.py:3: ValueError: so{contract.REST}"
    ]
    weak = TEMPLATE.replace("ALWAYS_ENDS", "SOLVES = (2,)\nALWAYS_ENDS")
    assert check_solver(capsys, mine(weak + TWO_ORDERS))[0] == 0


CLAIM = f"from antdoku.solver import *\n{TWO_ORDERS}KIND = {{}}\ndef solve(*_):\n    return {{}}\n"
NOTHING, PROOF = "Outcome(TIMEOUT, None, 0)", "Outcome(EXHAUSTED, None, 0)"


@pytest.mark.parametrize(
    ("kind", "answer", "rule", "reason"),
    [
        ("stochastic", NOTHING, "seeds", "it solved 0 of 5"),
        ("stochastic", PROOF, "refutation", 'exhausted: only KIND = "exact" may claim this'),
        ("exact", PROOF, "easy_puzzles", contract.FALSE_PROOF),
        ("exact", PROOF, "complete_grid", contract.FALSE_PROOF),
        ("exact", "__import__('os')._exit(3)", "refutation", "its process ended: exit status 3; "),
        ("exact", "Outcome(TIMEOUT, None, 38)", "limits", "38 steps of 37: do no more"),
        ("exact", "Outcome(SOLVED, _[0].givens + 1, 0)", "refutation", "there is no solution, but"),
    ],
)
def test_a_verdict_has_a_reason(mine, monkeypatch, kind, answer, rule, reason):
    choose(monkeypatch, rule)
    solver = mine(CLAIM.format(repr(kind), answer))
    ((_, verdict, (line, *_)),) = contract.verdicts(solver)
    assert line.partition(": ")[2].startswith(reason)
    assert verdict == (contract.UNDECIDED if rule == "seeds" else contract.BROKEN)


RESTARTING = """from antdoku.solver import *
ORDERS = range(3, 4)
def solve(puzzle, params, rng, budget):
    seed, blank = rng.integers(2**32), (puzzle.givens == 0).nonzero()[0]
    for quota in budget.slices():
        rng = np.random.default_rng(seed)  # the same draws in each slice
        for step in range(quota):
            if rng.random() < 0.01:
                return Outcome(SOLVED, root_grid(puzzle.order).ravel(), budget.steps + step)
        budget.spend(quota)
    return Outcome(TIMEOUT, None, budget.steps)
import numpy as np
from antdoku.puzzle.grid import root_grid
"""
NOT_COUNTING = RESTARTING.replace("< 0.01", "< 0").replace("def solve", "def search") + (
    "def solve(*arguments):\n    return Outcome(TIMEOUT, None, search(*arguments).steps % 7)\n"
)
REMEMBERING = f"""{TEMPLATE}
search, outcomes = solve, {{}}
def solve(puzzle, params, rng, budget):
    key = rng.integers(2**62), budget.step_limit
    if key not in outcomes:
        outcomes[key] = search(puzzle, params, rng, budget)
    return outcomes[key]
"""
IDLE = CLAIM.format("'stochastic'", "Outcome(TIMEOUT, None, 5)")


@pytest.mark.parametrize(
    ("text", "rule", "verdict", "reason"),
    [
        (RESTARTING, "slices", "BROKEN", "rng is the only source of chance and begins once"),
        (NOT_COUNTING, "slices", "BROKEN", "return the steps of all slices"),
        (REMEMBERING, "slices", "BROKEN", contract.KEEPS),
        (IDLE, "slices", "undecided", "it solved no puzzle in more than one step"),
    ],
)
def test_slices(mine, monkeypatch, text, rule, verdict, reason):
    choose(monkeypatch, rule)
    root = contract.random_puzzle(3, 1.0, 17)  # which the restarting solver solves
    if text == RESTARTING:
        monkeypatch.setattr(contract, "random_puzzle", lambda *_: root)
    ((_, word, (line, *_)),) = contract.verdicts(mine(text), largest_order=3)
    assert word == verdict and reason in line


def test_only_the_default_parameters_are_checked(mine, capsys):
    assert cli.main(["check-solver", f"{mine(TEMPLATE)}:restart=9"]) == 2
    assert "check-solver asks with the default parameters" in capsys.readouterr().err


@pytest.mark.parametrize("level", [pytest.param("1", marks=pytest.mark.thorough), "2"])
def test_optimised_python_passes_no_liar(mine, level):
    liar = mine(CLAIM.format("'exact'", PROOF))
    command = [sys.executable, "-m", "antdoku", "check-solver", liar]
    environment = os.environ | {"PYTHONOPTIMIZE": level}
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert contract.FALSE_PROOF in run.stdout and "BROKEN" in run.stdout
