"""What the first solver of the frontier solves where most work is."""

import pandas as pd

from antdoku.figures import style
from antdoku.report.findings import Finding, listed, percent

TABLES = ("frontier_growth",)
LARGE = "At its hardest point of each size, {label} solves {solved}.{growth}"
GROWTH = (
    " Its median work there grows as the number of cells to the power of {exponent} (95 % "
    "interval: {low} to {high})."
)


def build(claims: dict, tables: dict[str, pd.DataFrame]) -> list[Finding | None]:
    """One finding on the growth of its work."""
    return [_large(tables.get("frontier_growth"))]


def _large(growth):
    """What the solver that the frontier is about, the first one, solves at its peaks."""
    if growth is None or growth.empty:
        return None
    rows = growth[growth["variant"] == growth["variant"].iloc[0]]
    solved = [f"{row.solved} of {row.n} ({_place(row)})" for row in rows.itertuples()]
    first, law = rows.iloc[0], ""
    if not pd.isna(first["exponent_low"]):
        names = {"exponent": "exponent", "low": "exponent_low", "high": "exponent_high"}
        law = GROWTH.format(**{name: f"{first[column]:.1f}" for name, column in names.items()})
    label = style.variant(first["variant"]).label
    text = LARGE.format(label=label, solved=listed(solved), growth=law)
    return Finding(text, "frontier_growth")


def _place(row):
    """A peak of the table; its fraction is missing where nothing is solved at several points."""
    size = style.ORDERS[row.order].label
    if pd.isna(row.fixed_fraction):
        return f"{size}, at several points"
    return f"{size}, {percent(row.fixed_fraction)} % fixed"
