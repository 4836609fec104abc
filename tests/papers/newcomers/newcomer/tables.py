"""Tables of a paper that nothing else knows."""

from antdoku import published
from antdoku.tables import Table, summary
from antdoku.tables.summary import AT_WORK, GROUP_KEY, SUMMARY, beside, columns, typed

FIG1 = columns(*GROUP_KEY, *SUMMARY, *AT_WORK, "published_success_rate")


def fig1(runs):
    """Success at the paper's work, beside what the paper prints."""
    runs = summary.of_random_instances(runs, "newcomer")
    table = summary.summarise_at_work(runs, GROUP_KEY, "newcomer")
    rates = published.values("newcomer", "success")
    return typed(beside(table, rates, "published_success_rate", GROUP_KEY), FIG1)


TABLES = {"newcomer_fig1": Table(fig1, FIG1), "newcomer_fig2": Table(fig1, FIG1)}
