"""
Solve, count, generate and draw puzzles
=======================================

You need ``pip install '.[plot]'`` in a copy of the repository. Run this file as a notebook, which
draws under each cell, or as a script, which prints, and saves its figures in the working directory.
"""

# %%
# Read a puzzle
# -------------
# `antdoku.read` accepts a text of 81 characters, a file, an array, or the name of a built-in
# puzzle. It returns a list of puzzles.

import antdoku

(puzzle,) = antdoku.read(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
puzzle

# %%
# ``givens`` is an array of the 81 cells, row by row; 0 is a blank cell. The *order* is the side
# of a box: 3 for 9 x 9. The *size* is the side of the grid: 9.

print("order", puzzle.order, "size", puzzle.size, "givens", puzzle.n_givens)
print("first row:", puzzle.givens[:9])

# %%
# Solve it
# --------
# The default solver is ``auto``. It is fast on most puzzles of any size. Up to 64 x 64 it can prove
# that a puzzle has no solution. The first call of a solver compiles it, which takes some seconds.

run = antdoku.solve(puzzle)
run

# %%
# antdoku checks every answer. ``steps`` is the work of the run, in the unit of its solver. ``auto``
# counts guesses at 9 x 9: after 0 steps it needed none, as propagation alone solved the puzzle.
# ``status`` is ``solved``, ``timeout`` if a limit ended the run, or ``exhausted`` if the solver
# proved that there is no solution.

print(run.status, "after", run.steps, "steps")
print("first row:", run.solution[0])

# %%
# ``platinumblond`` is hard. We try ``acs``, the ant colony system of Lloyd & Amos. It is a random
# search, so it takes a seed. A limit in steps makes the run the same on every machine; a limit in
# seconds does not.

(hard,) = antdoku.read("named:platinumblond")
by_ants = antdoku.solve(hard, "acs", seed=1, max_steps=2000)
print(by_ants.status, "after", by_ants.steps, "iterations")

# %%
# Pass parameters of a solver by name; `antdoku.list_solvers` lists them. ``m`` is the number of
# ants. More ants need fewer iterations, but each iteration does more work.

import numpy as np

for ants in (5, 10, 20):
    solver = f"acs:m={ants}"
    steps = [antdoku.solve(hard, solver, seed=seed, max_steps=5000).steps for seed in range(20)]
    print(f"{ants} ants: {np.median(steps):g} iterations (median)")

# %%
# Press Play to watch the ants. The darker a candidate, the more pheromone it has.

antdoku.watch("named:aiescargot", seed=19)

# %%
# See what propagation finds
# --------------------------
# Before the ants start, the solver sets naked and hidden singles. `acs` does so like its authors'
# program, which overlooks some; `acs_closure` goes on until nothing changes. On a hard puzzle both
# set hardly any cell. The picture shows the values that each cell can have, before and after
# complete propagation.

from antdoku.figures import puzzles as pictures
from antdoku.kernels.closure import closure

values = np.arange(1, hard.size + 1)
before = (hard.givens[:, None] == values) | (hard.givens[:, None] == 0)
after, *_ = closure(hard)
figure = pictures.value_sets(hard, before, after)
figure.savefig("tutorial_1_value_sets.png")
figure

# %%
# Count the solutions
# -------------------
# A proper Sudoku has one solution. ``limit`` stops the count.

print("the first puzzle:", antdoku.count(puzzle))
print("sabuncu3:", antdoku.count("named:sabuncu3"))
print("a blank grid:", antdoku.count("." * 81, limit=1000))

# %%
# Check a solution
# ----------------
# `antdoku.check` says whether a result, or a grid, is a solution, or else the first mistake.

wrong = run.solution.copy()
wrong[0, 2] = 5
print(antdoku.check(puzzle, run))
print(antdoku.check(puzzle, wrong))

# %%
# Generate puzzles
# ----------------
# ``fixed`` is the share of the cells that are given; ``clues=24`` would be their number. A
# generated puzzle has at least one solution, with ``unique=True`` exactly one.

sizes = [antdoku.generate(order=order, fixed=0.5, seed=3)[0] for order in (2, 4)]
proper = antdoku.generate(order=3, fixed=0.32, count=2, seed=3, unique=True)
for new in [*sizes, *proper]:
    number = antdoku.count(new)
    print(f"{new.size} x {new.size}: {new.n_givens} givens, solutions: {number}")

# %%
# Draw them for print
# -------------------
# A notebook shows a figure at the end of a cell; in a loop, write ``display(figure)``. The method
# ``savefig`` of a figure writes a file, here for print.

solved = antdoku.solve(proper[0])
figure = pictures.puzzle_and_solution(proper[0], solved.solution)
figure.savefig("tutorial_1_solution.pdf")
figure

# %%
# `pictures.puzzle` draws a puzzle alone, here of 16 x 16.

figure = pictures.puzzle(sizes[1])
figure.savefig("tutorial_1_16x16.png")
figure

# %%
# Save puzzles
# ------------
# A ``.txt`` file has one line for each puzzle; ``.csv`` and ``.parquet`` are tables.
# `antdoku.read`, the command line and the workflow read all three.

import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "proper.txt"
    antdoku.write(proper, file, force=True)
    print(file.read_text())
    print(len(antdoku.read(file)), "puzzles")
