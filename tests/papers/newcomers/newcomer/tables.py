"""Tables of a paper that nothing else knows."""

from antdoku.tables import Table, summary
from antdoku.tables.summary import AT_WORK, GROUP_KEY, SUMMARY, beside, columns

PRINTED = {"published_success_rate": ("newcomer", "success")}
FIG1 = columns(*GROUP_KEY, *SUMMARY, *AT_WORK, *PRINTED)


def fig1(runs):
    """Success at the paper's work, beside what the paper prints."""
    runs = summary.of_random_instances(runs, "newcomer")
    return beside(summary.summarise_at_work(runs, GROUP_KEY, "newcomer"), GROUP_KEY, PRINTED)


TABLES = {"newcomer_fig1": Table(fig1, FIG1), "newcomer_fig2": Table(fig1, FIG1)}
