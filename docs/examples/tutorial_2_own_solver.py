"""
Your own solver in one file
===========================

You need ``pip install '.[plot]'`` in a copy of the repository, and ``late_acceptance.py`` beside
this file. As a script it saves its figures in the working directory.

A solver is a Python file with a docstring, a title, parameters and a function ``solve``. This one
is late acceptance hill climbing (Burke & Bykov 2017): a move is accepted if the new grid is no
worse than the current one, or than the grid some moves ago. We compare it with ant colony system
(ACS). The how-to "Compare your own solver" begins with an empty folder.
"""

# %%
# The file
# --------

import inspect

import late_acceptance

print(inspect.getsource(late_acceptance))

# %%
# ``solve`` gets a puzzle, checked parameters, a random generator, and a budget. The budget says how
# many steps ``solve`` may do next (a *quota*); ``solve`` does them and reports their number. It has
# no clock, so a run with a limit in steps gives the same answer on every machine. It returns an
# ``Outcome``: a status, the solution or ``None``, and the steps. ``budget.note`` keeps the least
# cost so far, for the drawing below.
#
# ``values`` has the cells row by row. ``units(order)`` has the cells of all rows, then of all
# columns, then of all boxes. ``TITLE`` is the name in tables and curves. ``KIND`` is ``exact`` if
# a solver can prove that there is no solution. ``SOLVES`` and ``ALWAYS_ENDS`` say what
# ``antdoku check-solver`` may expect: at which orders it solves easy puzzles, and whether each run
# ends, or may go on for ever.
#
# Try it
# ------
# `antdoku.solve` takes the module, and parameters by name.

import antdoku

(puzzle,) = antdoku.generate(order=3, fixed=0.45, seed=1)
run = antdoku.solve(puzzle, late_acceptance, max_steps=100_000, params={"memory": 10})
print(run.status, "after", run.steps, "swaps")

# %%
# A wrong value of a parameter is refused; the message comes from its declaration.

try:
    late_acceptance.Params(memory=0)
except antdoku.InputError as error:
    print(error)

# %%
# Draw its cost
# -------------
# The cost is the number of values that repeat in their row or column. ``memory`` is the number of
# moves that the search looks back. With 1 it is hill climbing: quick, but it gets stuck.

(harder,) = antdoku.generate(order=3, fixed=0.35, seed=1)
run = antdoku.solve(harder, late_acceptance, max_steps=100_000, params={"memory": 50})
figure = run.plot()
figure.savefig("tutorial_2_cost.png")
figure

# %%
# Compare it with ACS
# -------------------
# We generate twelve random puzzles at each of three fixed fractions (shares of the cells that are
# given). Each run has at most a quarter of a second.

fractions = [0.25, 0.35, 0.45]
puzzles = [
    puzzle for p in fractions for puzzle in antdoku.generate(order=3, fixed=p, count=12, seed=7)
]
runs = antdoku.compare(puzzles, ["acs", late_acceptance], timeout=0.25)
table = antdoku.summary(runs)[["label", "solved", "n", "par2_s"]]
print(table.to_string(index=False))

# %%
# The curves show the share of puzzles that are solved within a number of steps, and within a time.

figure = antdoku.plot(runs)
figure.savefig("tutorial_2_curves.png")
figure

# %%
# ACS is ahead. It propagates the puzzle, and each choice of an ant: other cells get the values that
# follow from it. The climber starts from the givens, and is plain Python: it does some 400,000
# swaps a second, where the compiled annealing of the package does some 70 million.
#
# Use it everywhere
# -----------------
# The path of the file is the name of the solver.
#
# .. code-block:: console
#
#    $ antdoku solve named:sabuncu1 --solver ./late_acceptance.py --param memory=20
#    $ antdoku compare puzzles.txt -s acs -s ./late_acceptance.py --timeout 1
#    $ antdoku check-solver ./late_acceptance.py
#
# The how-to "Compare your own solver" shows other ways to name it, for example in a configuration
# of the workflow.
