"""Tables of a paper that nothing else knows."""

from antdoku.columns import columns, printed
from antdoku.tables import Rows, summary, table
from antdoku.tables.summary import AT_WORK, GROUP_KEY, SUMMARY, beside

PRINTED = {"published_success_rate": printed("newcomer", "success", "success rate", "share")}
FIG1 = columns(*GROUP_KEY, *SUMMARY, *AT_WORK) | PRINTED


@table(
    "newcomer_fig1",
    FIG1,
    Rows("newcomer", random=True),
    heading="Table 1",
    caption="Success by fixed fraction.",
)
def fig1(runs):
    """Return success at the paper's work, beside the printed rates."""
    return beside(summary.summarise_at_work(runs, GROUP_KEY, "newcomer"), GROUP_KEY, PRINTED)


@table("newcomer_fig2", FIG1, Rows("newcomer", random=True, order=3))
def fig2(runs):
    """Return the rows of 9x9."""
    return fig1(runs)
