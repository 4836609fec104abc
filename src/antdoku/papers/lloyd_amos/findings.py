"""What the runs of Lloyd & Amos come to at the instances that they find the hardest."""

import pandas as pd

from antdoku.claims.evidence import NOT_REPRODUCED, PARTLY, REPRODUCED, UNDECIDED
from antdoku.papers.lloyd_amos.tables import EXPERIMENT
from antdoku.report.findings import Finding, claimed, listed, percent
from antdoku.tables.summary import POINT

TABLES = ("lloyd_amos_fig7",)
HARDEST = (5, 0.45)  # order and fixed fraction
PLACE = "25 × 25, 45 % fixed"

RANKING = (
    "Of the systems of Lloyd & Amos, {most} on the hardest instances ({place}). Their ranking is "
)
MOST = {
    REPRODUCED: RANKING + "reproduced",
    PARTLY: RANKING + "reproduced in part",
    NOT_REPRODUCED: RANKING + "not reproduced",
    UNDECIDED: "Who solves most of the hardest instances ({place}) is undecided with {n} {unit}",
}
MOST_REST = "at the paper’s work {rates} (published: {published_rates} %)"
BVE = {
    REPRODUCED: "Best-value evaporation helps",
    PARTLY: "Best-value evaporation helps under one reading of the paper only",
    NOT_REPRODUCED: "Best-value evaporation does not help as published",
    UNDECIDED: "Whether best-value evaporation helps is undecided with {n} {unit}",
}
BVE_REST = "at {place}, ACS solves {ours} without it (published: {published})"


def build(claims: dict, tables: dict[str, pd.DataFrame]) -> list[Finding | None]:
    """Who solves most, and whether best-value evaporation helps."""
    bve = claims.get("arxiv_bve_p45")
    return [
        _most(claims.get("arxiv_ranking_p45"), at_hardest(tables.get("lloyd_amos_fig7"))),
        claimed(bve, "lloyd_amos_fig9", BVE, BVE_REST, place=PLACE),
    ]


def at_hardest(table: pd.DataFrame | None) -> pd.DataFrame | None:
    """Rows of a table of random instances at the hardest point."""
    if table is None:
        return None
    chosen = table[(table[POINT] == list(HARDEST)).all(axis=1)]
    return chosen[chosen["experiment"] == EXPERIMENT] if "experiment" in table else chosen


def _most(claim, table):
    """Which of the paper's solvers solves most."""
    if table is None or table.empty:
        return None
    table = table.sort_values("success_rate", ascending=False, kind="stable")
    first = table.loc[table["success_rate"] == table["success_rate"].max(), "label"].tolist()
    rates = [f"{row.label} {percent(row.success_rate)} %" for row in table.itertuples()]
    values = {
        "place": PLACE,
        "most": f"{listed(first)} {'solves' if len(first) == 1 else 'solve'} most",
        "rates": ", ".join(rates),
        "published_rates": ", ".join(map(percent, table["arxiv_success_rate"])),
    }
    return claimed(claim, "lloyd_amos_fig7", MOST, MOST_REST, **values)
