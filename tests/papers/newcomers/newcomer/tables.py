"""Tables of a paper that nothing else knows."""

from antdoku.tables import Rows, summary, table
from antdoku.tables.summary import AT_WORK, GROUP_KEY, SUMMARY, beside, columns

PRINTED = {"published_success_rate": ("newcomer", "success")}
FIG1 = columns(*GROUP_KEY, *SUMMARY, *AT_WORK, *PRINTED)


@table("newcomer_fig2", FIG1, Rows("newcomer", random=True, order=3))
@table("newcomer_fig1", FIG1, Rows("newcomer", random=True))
def fig1(runs):
    """Success at the paper's work, beside what the paper prints."""
    return beside(summary.summarise_at_work(runs, GROUP_KEY, "newcomer"), GROUP_KEY, PRINTED)
