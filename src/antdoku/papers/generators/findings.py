"""Whether grids that are shuffled from the root solution are typical."""

import pandas as pd

from antdoku.figures import style
from antdoku.report.findings import Finding, listed

TABLES = ("beyond_generators",)
ROOT = "shuffle root"  # source of grids
GRIDS = (
    "Grids shuffled from Lewis’s root solution are not typical. They have {root} unavoidable sets "
    "of four cells ({sizes}). Other grids have {typical} on average."
)


def build(claims: dict, tables: dict[str, pd.DataFrame]) -> list[Finding | None]:
    """One finding on the unavoidable sets of the root solution."""
    return [_grids(tables.get("beyond_generators"))]


def _grids(table):
    """The unavoidable sets of the root solution, beside those of the first source that has some."""
    if table is None:
        return None
    known = table.dropna(subset="unavoidable_sets")
    means = known.pivot_table(index="order", columns="source", values="unavoidable_sets").dropna()
    source = next((source for source in style.SOURCES if source in means and source != ROOT), None)
    if ROOT not in means or source is None or means.empty:
        return None
    root, typical = (listed([f"{mean:.0f}" for mean in means[name]]) for name in (ROOT, source))
    sizes = listed([style.ORDERS[order].label for order in means.index])
    text = GRIDS.format(root=root, typical=typical, sizes=sizes)
    return Finding(text, "beyond_generators")
