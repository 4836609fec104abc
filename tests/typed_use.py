"""How a typed program uses the package: mypy reads this (`make lint`), nothing runs it."""

from collections.abc import Iterator
from pathlib import Path
from typing import assert_type

import numpy as np

import antdoku
from antdoku.answers import Check, Count, PuzzleCheck, Result

puzzles = antdoku.read("named:platinumblond")
assert_type(puzzles, list[antdoku.Puzzle])
puzzles += antdoku.read(Path("puzzles.txt")) + antdoku.read(np.zeros((9, 9), int))
puzzles += antdoku.read([[0] * 9] * 9) + antdoku.generate(order=5, fixed=0.45, count=3)
puzzles += antdoku.read({"a": "53.."}) + antdoku.read([{"puzzle": "53..", "id": 1}])
puzzles += antdoku.read({"puzzle": ["53.."]})

ants = {"m": 20, "rho": 0.9}
run = antdoku.solve(puzzles[0], "acs", seed=1, timeout=5, params=ants)
run = antdoku.solve(puzzles[0], "acs", params={"m": 20, "propagation": "authors"})
assert_type(run, Result)
assert_type(antdoku.solve("puzzles.txt"), Result)
assert_type(antdoku.solve_all("puzzles.txt", max_steps=1000, jobs=2), Iterator[Result])
assert_type(antdoku.solve_all(iter(puzzles)), Iterator[Result])
assert_type(run.steps, int)
if run.solution is not None:
    assert_type(antdoku.check(puzzles[0], run.solution), Check)
assert_type(antdoku.count("named:sabuncu3", limit=100), Count)
names = [str(solver["name"]) for solver in antdoku.list_solvers()]
antdoku.compare(puzzles, names, timeout=5)
antdoku.compare("puzzles.txt", {"acs_20_ants": {"solver": "acs", "params": {"m": 20}}})
antdoku.write(puzzles, "puzzles.csv")

assert_type(antdoku.check(puzzles[0]), PuzzleCheck)
assert_type(antdoku.check_all(puzzles), Iterator[PuzzleCheck])
assert_type(antdoku.check_all(puzzles, antdoku.solve_all(puzzles)), Iterator[Check])
assert_type(antdoku.count_all(["a.txt", "b.txt"]), Iterator[Count])
antdoku.solve_grids(antdoku.read_grids(["a.txt", "b.txt"]))
antdoku.frame(antdoku.solve_all(puzzles, seed=None, track=True))

# Mistakes that mypy must find: it reports an `ignore` that it does not need.
antdoku.solve_it(puzzles[0])  # type: ignore[attr-defined]
antdoku.solve(puzzles[0], timout=5)  # type: ignore[call-arg]
antdoku.solve_all(puzzles, sed=3)  # type: ignore[call-arg]
antdoku.solve(puzzles[0], "acs", m=20)  # type: ignore[call-arg]
antdoku.solve(puzzles[0], seed="3")  # type: ignore[arg-type]
antdoku.watch(puzzles[0], steps=300)  # type: ignore[call-arg]
