"""How many claims are reproduced with systems that have deliberate mistakes."""

import pandas as pd

from antdoku.claims.mutation import verdicts_of_mutants
from antdoku.columns import Column, columns
from antdoku.tables import Rows, table

COLUMNS = {
    "system": Column("str", "system"),
    **columns("variant"),
    "mistake": Column("str", "mistake"),
    "margin": Column("float64", "margin"),
    "n_claims": Column("int64", "claims"),  # about the system; both have all runs for them
    "n_reproduced": Column("int64", "reproduced with the mutant"),
    "n_real": Column("int64", "reproduced with the system"),  # with as many runs
}
ROWS = [Rows("mutants"), Rows("lewis_mutants")]


@table("mutants", COLUMNS, *ROWS)
def mutants(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of claims that are reproduced with a wrong system and the real one.

    Both have equally many runs. margin: within which rates have to agree (Cohen's h); claims of a
    direction or a fact are the same under each.
    """
    claims = verdicts_of_mutants(runs.astype({"variant": "str"}))
    groups = claims.groupby(["system", "variant", "mistake", "margin"], sort=False)
    return groups.agg(
        n_claims=("id", "size"),
        n_reproduced=("is_reproduced", "sum"),
        n_real=("real_is_reproduced", "sum"),
    ).reset_index()
