"""What the runs of a paper that nothing else knows come to."""

from antdoku.report.findings import Finding, percent

TABLES = ("newcomer_fig1",)


def build(claims, tables):
    """One finding: the best rate."""
    table = tables.get("newcomer_fig1")
    if table is None or table.empty:
        return []
    best = percent(table["success_rate"].max())
    return [Finding(f"The walk solves {best} % at its best point.", "newcomer_fig1")]
