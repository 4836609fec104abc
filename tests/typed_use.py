"""How a typed program uses the package: mypy reads this (`make lint`), nothing runs it."""

from pathlib import Path
from typing import assert_type

import numpy as np

import antdoku
from antdoku.answers import Check, Count, Result

puzzles = antdoku.read("named:platinumblond")
assert_type(puzzles, list[antdoku.Puzzle])
puzzles += antdoku.read(Path("puzzles.txt")) + antdoku.read(np.zeros((9, 9), int))
puzzles += antdoku.read([[0] * 9] * 9) + antdoku.generate(order=5, fixed=0.45, count=3)

run = antdoku.solve(puzzles[0], "acs", seed=1, timeout=5, m=20, rho=0.9, propagation="authors")
assert_type(run, Result)
assert_type(run.steps, int)
if run.solution is not None:
    assert_type(antdoku.check(puzzles[0], run.solution), Check)
assert_type(antdoku.count("named:sabuncu3", limit=100), Count)
names = [str(each["name"]) for each in antdoku.list_solvers()]
antdoku.compare(puzzles, names, timeout=5)
antdoku.compare("puzzles.txt", {"acs_20_ants": {"solver": "acs", "params": {"m": 20}}})
antdoku.write(puzzles, "puzzles.csv")

antdoku.solve_it(puzzles[0])  # type: ignore[attr-defined]
