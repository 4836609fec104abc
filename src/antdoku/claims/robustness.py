"""Two ledgers side by side: which verdicts does another complete run change?"""

import pandas as pd


def side_by_side(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Set the verdicts of two runs of one configuration side by side.

    A claim that they decide differently rests on chance. Of two tables of `verdicts.COLUMNS` comes
    a row a claim that both decide: paper, id, claim, published, verdict and ours of each (`_first`,
    `_second`), and whether the verdicts are the same (`is_same`).
    """
    suffixes = "_first", "_second"
    facts = ["paper", "id", "claim", "published", "verdict", "ours"]
    both = first[facts].merge(second[["id", "verdict", "ours"]], on="id", suffixes=suffixes)
    return both.assign(is_same=both["verdict_first"] == both["verdict_second"])
