"""
Solve, count, generate and draw puzzles
=======================================

What a puzzle is, how it is solved, how one knows that it has only one solution, and how new ones
are made: all of it from Python. It needs no more than ``pip install .`` in a checkout, and
matplotlib for the drawings.
"""

# %%
# Read a puzzle
# -------------
# A puzzle is read from whatever is at hand: its 81 characters, a file of many, an array, or a name.
# What comes back is a list; here it has one entry, which ``what`` gives a name. At the end of a
# notebook cell, as here, a puzzle is drawn.

import antdoku

(puzzle,) = antdoku.read(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    what="easy",
)
puzzle

# %%
# Its givens are an array, row by row, 0 for a blank cell.

print(puzzle.order, puzzle.size, puzzle.n_givens)
print(puzzle.givens[:9])

# %%
# Solve it
# --------
# Without a solver named, ``auto`` is used: fast on most puzzles of any size, and able to prove that
# there is no solution.

run = antdoku.solve(puzzle)
run

# %%
# The answer is checked before you get it. The solution is an array, too; ``steps`` is the work in
# the unit of the solver.

print(run.status, run.steps)
print(run.solution[0])

# %%
# This one is easy: naked and hidden singles do it. ``platinumblond`` is a hard one. Let the
# ants try (ant colony system, the solver of Lloyd & Amos). A limit in steps, not in seconds, makes
# the run the same on every machine.

(hard,) = antdoku.read("named:platinumblond")
by_ants = antdoku.solve(hard, "acs", seed=1, max_steps=2000)
print(by_ants.status, "after", by_ants.steps, "iterations")

# %%
# Parameters of a solver are given by name; :doc:`/reference/solvers` lists them. How many ants? The
# search is random, so one run tells little: here are twenty each.

import numpy as np

for ants in (5, 10, 20):
    limits = {"max_steps": 5000, "m": ants}
    steps = [antdoku.solve(hard, "acs", seed=seed, **limits).steps for seed in range(20)]
    print(f"{ants} ants: {np.median(steps):g} iterations (median)")

# %%
# What propagation sees
# ---------------------
# Before any ant walks, naked and hidden singles are set until nothing changes. On a hard puzzle
# that achieves next to nothing. The figures of the package draw from plain arrays: here the values
# that each cell can still have, before and after.

from antdoku.figures import puzzles as pictures
from antdoku.figures import style
from antdoku.kernels.closure import closed

values = np.arange(1, hard.size + 1)
before = (hard.givens[:, None] == values) | (hard.givens[:, None] == 0)
after, *_ = closed(hard)
value_sets = style.styled(pictures.value_sets)(hard.givens, before, after)

# %%
# Count the solutions
# -------------------
# A proper Sudoku has one solution. Many that are printed have more.

print(antdoku.count(puzzle))
print(antdoku.count("named:sabuncu3"))
print(antdoku.count("." * 81, limit=1000))

# %%
# Check a solution
# ----------------
# The first reason is told if it is none.

wrong = run.solution.copy()
wrong[0, 2] = 5
print(antdoku.check(puzzle, run.solution))
print(antdoku.check(puzzle, wrong))

# %%
# Generate puzzles
# ----------------
# Random instances of the papers have so many given cells and at least one solution. With
# ``unique=True`` they have exactly one, which is proved.

sizes = [antdoku.generate(order=order, fixed=0.5, seed=3)[0] for order in (2, 4)]
proper = antdoku.generate(order=3, fixed=0.32, count=2, seed=3, unique=True)
for made in [*sizes, *proper]:
    found = antdoku.count(made)
    print(f"{made.size} x {made.size}: {made.n_givens} givens, solutions: {found}")

# %%
# Draw them for print
# -------------------
# The style of all figures of the package, as PNG, PDF or SVG: ``style.save(figure, "name")`` writes
# all three.

solved = antdoku.solve(proper[0])
drawn = style.styled(pictures.puzzle_and_solution)(proper[0].givens, solved.solution.ravel())

# %%
# A larger one: 16 x 16.

large = style.styled(pictures.puzzle)(sizes[1].givens)

# %%
# Keep them
# ---------
# ``.txt`` is a line each, ``.csv`` and ``.parquet`` are tables. What is written can be read again,
# by `antdoku.read`, by the command line, and by the workflow.

import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "proper.txt"
    antdoku.write(proper, file)
    print(file.read_text())
    print(len(antdoku.read(file)), "puzzles")
