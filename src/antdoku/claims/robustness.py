"""Two ledgers side by side: which verdicts does another complete run change?"""

import pandas as pd


def side_by_side(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Set the verdicts of two runs of one configuration side by side.

    A claim that they decide differently rests on chance.

    Parameters
    ----------
    first, second : DataFrame
        Columns `verdicts.COLUMNS`.

    Returns
    -------
    DataFrame
        paper, id, claim, published, and verdict and ours of both (`_first`, `_second`), one row a
        claim that both decide; `is_same` tells whether their verdicts are.
    """
    suffixes = "_first", "_second"
    facts = ["paper", "id", "claim", "published", "verdict", "ours"]
    both = first[facts].merge(second[["id", "verdict", "ours"]], on="id", suffixes=suffixes)
    return both.assign(is_same=both["verdict_first"] == both["verdict_second"])
