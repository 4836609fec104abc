"""Systems that are wrong on purpose: how many claims are reproduced with them all the same."""

import pandas as pd

from antdoku.claims.mutation import verdicts_of_mutants
from antdoku.tables import Rows, table

COLUMNS = {
    "system": "str",
    "variant": "str",
    "mistake": "str",
    "margin": "float64",
    "n_claims": "int64",  # about the system, that both have all runs for
    "n_reproduced": "int64",  # with the mutant
    "n_real": "int64",  # with the system itself, on as many runs
}
ROWS = [Rows("mutants"), Rows("lewis_mutants")]


@table("mutants", COLUMNS, *ROWS)
def mutants(runs: pd.DataFrame) -> pd.DataFrame:
    """Claims that are reproduced with a system that is wrong on purpose, and with the real one, on
    equally many runs. margin: within which rates have to agree (Cohen's h); claims of a direction
    or a fact are the same under each.
    """
    claims = verdicts_of_mutants(runs)
    groups = claims.groupby(["system", "variant", "mistake", "margin"], sort=False)
    return groups.agg(
        n_claims=("id", "size"),
        n_reproduced=("is_reproduced", "sum"),
        n_real=("real_is_reproduced", "sum"),
    ).reset_index()
