"""
Does best-value evaporation help?
=================================

A referee's walk through one claim of a paper, from the instances to the verdict. Lloyd & Amos
(2018) add best-value evaporation (BVE) to ant colony system: the pheromone of the best grid so far
fades a little, so that another can take its place. They say that it makes the difference on hard
puzzles.

This page is a small version: 24 instances instead of 100, and a tenth of the paper's work. It takes
some 15 seconds on one core, and cannot decide much: it shows how deciding is done. The last section
has what the whole experiment says.
"""

# %%
# The claim
# ---------
# All claims of the papers stand in a ledger. An entry says what is claimed, where, which runs
# decide it, and by which test. Nobody writes a verdict by hand.

from antdoku.claims import ledger

(claim,) = (each for each in ledger.load() if each.id == "arxiv_bve_p45")
print(claim.claim, f"({claim.place})")
print("published:", claim.published)
print("decided by:", claim.test, "on", claim.runs)

# %%
# How many instances?
# -------------------
# That is asked before the first run. So many find the published difference, 92 against 58 % solved,
# with a power of 80 %: four times out of five.

from antdoku import inference

print(inference.runs_for_rates(0.92, 0.58))

# %%
# The instances
# -------------
# Random 25 x 25 puzzles with 45 % of the cells given: there, they are hardest. A seed gives the
# same puzzles everywhere. They are written to a file, as in the workflow, where each stage reads
# the files of the one before.

import tempfile
from pathlib import Path

import antdoku
from antdoku.api import generate_table
from antdoku.figures import puzzles as pictures
from antdoku.figures import style

folder = Path(tempfile.mkdtemp())
instances = generate_table(
    order=5, fixed=0.45, count=24, seed=2018, source="shuffle", deletion="exact"
)
antdoku.write(instances, folder / "instances.parquet")
puzzles = antdoku.read(folder / "instances.parquet")
first = style.styled(pictures.puzzle)(puzzles[0].givens)
first

# %%
# The systems
# -----------
# Two variants of one solver; only the parameter in question differs. `authors` is the propagation
# of the authors' program, which does a little less than their text says.

variants = {
    "acs": {"solver": "acs", "params": {"propagation": "authors"}},
    "acs_no_bve": {"solver": "acs", "params": {"propagation": "authors", "f_bve": 0}},
}

# %%
# The limit
# ---------
# The paper gives each run 120 s. Its program did some 10,700 iterations in that time; ours does
# them in a twentieth of it. Seconds would compare computers. So both variants get the paper's work,
# the same on every machine; here a tenth of it.

from antdoku import published

papers = published.work("arxiv", "acs", 5)
limit = papers.steps // 10
print(papers.steps, "iterations in the paper;", limit, "here")

# %%
# The runs
# --------
# Each instance is given to both variants, one after the other. They are pairs, and will be
# tested as such.

runs = antdoku.compare(folder / "instances.parquet", variants, max_steps=limit, seed=2018)
runs.pivot(index="instance_id", columns="variant", values=["status", "steps"]).head()

# %%
# The picture
# -----------
# Solved so far, against iterations. Early on the two are alike. Later BVE seems to be ahead; but is
# that more than chance?

import numpy as np


@style.styled
def draw_solved(runs):
    """Share of the runs that are solved within so many iterations."""
    fig = style.figure("25 x 25, 45 % given, 24 instances", height=2.9)
    ax = fig.subplots()
    for name, group in runs.groupby("variant"):
        look = style.variant(name)
        steps = np.sort(group.loc[group["status"] == "solved", "steps"])
        share = 100 * np.arange(1, len(steps) + 1) / len(group)
        x, y = [0, *steps, limit], [0, *share, share[-1]]
        ax.step(x, y, where="post", color=look.color, label=look.label)
    ax.set(xlabel="iterations", ylabel="solved (%)", ylim=(0, 100), xlim=(0, limit))
    ax.legend(loc="upper left")
    return fig


solved_by = draw_solved(runs)
solved_by

# %%
# The test
# --------
# A pair in which both are solved, or neither, says nothing. Left are those in which one variant was
# better; were there no difference, either would be so half of the time. That is McNemar's test,
# which is exact.

runs["experiment"] = "lloyd_amos"
table = runs.pivot(index="instance_id", columns="variant", values="status") == "solved"
print("only with BVE:", int((table["acs"] & ~table["acs_no_bve"]).sum()))
print("only without:", int((~table["acs"] & table["acs_no_bve"]).sum()))

# %%
# The named test of the claim does the same, with the published figures at hand.

from antdoku.claims.tests import TESTS
from antdoku.claims.verdicts import select

found = TESTS[claim.test].run(select(runs, claim), **claim.expect)
print(f"{found.ours}; p = {found.p:.2g}; {found.n} {found.unit}, {found.needed} needed")

# %%
# The verdict
# -----------
# It is ahead, and p is below 0.05: chance alone seldom makes such a difference. But the claim is
# about the paper's work, and runs that were not solved ended before it: with more work the other
# variant may catch up. So the claim stays undecided.

from antdoku.claims.verdicts import decide

decided = decide(runs, [claim]).iloc[0]
print(decided["verdict"], "because:", decided["reason"])

# %%
# The whole experiment
# --------------------
# It has 100 instances. What came of it is published with the project, in ``docs/results``:

import pandas as pd

results = Path("../results/tables/claims.csv")
whole = pd.read_csv(results).set_index("id")
about_bve = whole.index.str.contains("_bve_p45")
pd.set_option("display.max_colwidth", None)
whole.loc[about_bve, ["claim", "published", "ours", "verdict"]]

# %%
# So it does help. By how much is another claim, which is decided by itself: agreement with the
# printed figure has to be shown, within a margin. And a verdict is more than a p value: it names
# the work, the number of instances, and how many the claim would need.
#
# .. image:: /results/figures/lloyd_amos_fig9.png
#    :alt: ACS without and with best-value evaporation, three orders
#
# The same in the workflow, all claims at once: ``make reproduce CONFIG=quick``, then
# ``results/quick/report.html``. How a claim is entered: :doc:`/howto/claim`.
