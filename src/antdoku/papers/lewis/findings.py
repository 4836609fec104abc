"""What the runs of Lewis come to."""

import pandas as pd

from antdoku.claims.evidence import NOT_REPRODUCED, PARTLY, REPRODUCED, UNDECIDED
from antdoku.report.findings import Finding, claimed

TABLES = ()
HYBRID = {
    REPRODUCED: "Propagation before annealing helps",
    PARTLY: "Propagation before annealing helps under one reading of the paper only",
    NOT_REPRODUCED: "Propagation before annealing does not help as published",
    UNDECIDED: "Whether propagation before annealing helps is undecided with {n} {unit}",
}
HYBRID_REST = (
    "over all sizes and fixed fractions, annealing after propagation (CP+SA) solves {ours} for "
    "annealing alone (SA)"
)


def build(claims: dict, tables: dict[str, pd.DataFrame]) -> list[Finding | None]:
    """Whether propagation before annealing helps."""
    return [claimed(claims.get("lewis_hybrid_beats_sa"), "lewis_fig3", HYBRID, HYBRID_REST)]
