"""
Your own solver in one file
===========================

You need ``pip install '.[plot]'`` in a copy of the repository.

A solver is a Python file: a docstring, a title, its parameters and a function ``solve``. This one
is late acceptance hill climbing (Burke & Bykov 2017): a move is accepted if the grid is then no
worse than now, or than some moves ago. We compare it with ant colony system (ACS).
:doc:`/howto/own_solver` begins from an empty folder.

The file
--------
.. literalinclude:: /examples/late_acceptance.py
   :language: python

``solve`` gets a puzzle, checked parameters, a random generator, and a budget. It asks the budget
how many steps it may do (a *quota*), does them, and reports them. It owns no clock. So a run with a
limit in steps gives the same answer everywhere. It returns an ``Outcome``: a status, the solution
or ``None``, and the steps.
"""

# %%
# Try it
# ------
# Call the function as it is.

import late_acceptance
import numpy as np

import antdoku
from antdoku.budget import Budget


def climb(puzzle, seed, memory=10, max_steps=100_000):
    """One run of our solver, limited in steps."""
    params = late_acceptance.Params(memory=memory)
    rng = np.random.default_rng(seed)
    return late_acceptance.solve(puzzle, params, rng, Budget(max_steps=max_steps))


(puzzle,) = antdoku.generate(order=3, fixed=0.45, seed=1)
outcome = climb(puzzle, seed=1)
print(outcome.status, "after", outcome.steps, "swaps")
print(antdoku.check(puzzle, outcome.solution))

# %%
# The declaration of a parameter also makes the message for a wrong value.

try:
    late_acceptance.Params(memory=0)
except antdoku.InputError as error:
    print(error)

# %%
# Watch it
# --------
# The parameter ``memory`` says how far back the search looks. With 1 it is hill climbing: quick,
# but it gets stuck. With 50 it is slow. Each line is the cost of one run: the number of values that
# stand in a row or column again.

from random import Random

from antdoku.figures import style

(harder,) = antdoku.generate(order=3, fixed=0.35, seed=1)


@style.styled
def draw_costs(memories, n_points=120, swaps=400):
    """Cost against swaps, a line for each memory."""
    fig = style.figure("Late acceptance on a 9 x 9 puzzle, 35 % given", height=2.9)
    ax = fig.subplots()
    for memory, look in zip(memories, style.ORDERS.values()):
        search, costs = late_acceptance.Search(harder, memory, Random(1)), []
        for _ in range(n_points):
            costs.append(search.cost)
            search.climb(swaps)
        done = np.arange(n_points) * swaps
        ax.plot(done, costs, color=look.color, label=f"memory {memory}")
    ax.set(xlabel="swaps", ylabel="cost", ylim=(0, None))
    ax.legend()
    return fig


draw_costs([1, 10, 50])

# %%
# Compare it with ACS
# -------------------
# We generate twelve random puzzles at each of five fixed fractions (shares of the cells that are
# given). Our solver gets 100,000 swaps a puzzle, a quarter of a second; ACS gets 2000 iterations,
# which take no longer.

fractions = [0.25, 0.35, 0.45, 0.55, 0.65]
families = {p: antdoku.generate(order=3, fixed=p, count=12, seed=7) for p in fractions}

ours = [
    {"fixed_fraction": p, "solved": climb(puzzle, seed).status == "solved"}
    for p, puzzles in families.items()
    for seed, puzzle in enumerate(puzzles)
]
everything = [puzzle for puzzles in families.values() for puzzle in puzzles]
ants = antdoku.compare(everything, ["acs"], max_steps=2000, seed=1)
print(ants["status"].value_counts().to_dict())

# %%
# Each rate has its 95 % interval (Wilson).

import pandas as pd

from antdoku.statistics import wilson

ours = pd.DataFrame(ours)
ants["solved"] = ants["status"] == "solved"
fractions_of = {puzzle.name: p for p, puzzles in families.items() for puzzle in puzzles}
ants["fixed_fraction"] = ants["instance_id"].map(fractions_of)


@style.styled
def draw_success(tables):
    """Success against the fixed fraction."""
    fig = style.figure("9 x 9, twelve random puzzles a point", height=2.9)
    ax = fig.subplots()
    for name, table in tables.items():
        look = style.variant(name)
        counts = table.groupby("fixed_fraction")["solved"].agg(["sum", "size"])
        rate = counts["sum"] / counts["size"]
        low, high = wilson(counts["sum"].to_numpy(), counts["size"].to_numpy())
        bars = 100 * np.abs([rate - low, high - rate])
        dots = {"color": look.color, "marker": look.marker, "label": look.label}
        ax.errorbar(rate.index, 100 * rate, yerr=bars, capsize=2, **dots)
    ax.set(xlabel="fixed fraction", ylabel="solved (%)", ylim=(-3, 103))
    ax.legend(loc="lower right")
    return fig


draw_success({"acs": ants, "late_acceptance": ours})

# %%
# ACS solves all puzzles. The climber fails on some, most of them with 25 and 35 % given. The
# intervals overlap, so twelve puzzles do not show how large the difference is. ACS starts from what
# propagation leaves (`antdoku.kernels.closure.closure`); the climber starts from the givens.
#
# Use it everywhere
# -----------------
# The file itself is the name of the solver.
#
# .. code-block:: console
#
#    $ antdoku solve named:sabuncu1 --solver ./late_acceptance.py --param memory=20
#    $ antdoku compare puzzles.txt -s acs -s ./late_acceptance.py --timeout 1
#    $ antdoku check-solver ./late_acceptance.py
#
# :doc:`/howto/own_solver` shows other places, such as a configuration of the workflow.
#
# In plain Python it does some 400,000 swaps a second; the compiled annealing of the package does a
# hundred million (:doc:`/design`).
