"""The table of the study: success by number of ants."""

import pandas as pd

from antdoku.columns import columns
from antdoku.tables import Rows, summary, table
from antdoku.tables.summary import GROUP_KEY, RATE

COLUMNS = columns(*GROUP_KEY, "label", "n", "solved", *RATE)


@table("ants", COLUMNS, Rows("ants"))
def ants(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the success of each number of ants at each fraction."""
    return summary.summarise(runs, GROUP_KEY)
