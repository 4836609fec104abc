"""What verdicts hang on: the root seed, and the margin of agreement."""

import pandas as pd

from antdoku.claims import REPRODUCED

MARGINS = (0.2, 0.3, 0.4, 0.5)  # Cohen's h


def by_seed(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Set the verdicts of complete runs with several root seeds side by side.

    A claim that they decide differently rests on chance. Of tables of `verdicts.COLUMNS`, by the
    name of the run, comes a row a claim of the first that another has, too: paper, id, claim,
    published, a column of verdicts for each run, and whether these are the same (`is_same`).
    """
    first = next(iter(tables.values()))
    both = first[["paper", "id", "claim", "published"]]
    for name, table in tables.items():
        verdicts = table.set_index("id")["verdict"].rename(name)
        both = both.join(verdicts, on="id")
    known = both[[*tables]]
    both = both.assign(is_same=known.nunique(axis=1) == 1)[known.notna().sum(axis=1) > 1]
    return both.fillna("").reset_index(drop=True)


def by_margin(decided: pd.DataFrame) -> pd.DataFrame:
    """Count the reproduced claims if rates had to agree within other margins: margin, reproduced.

    Agreement is tested against the margin; directions and facts are the same under each.
    """
    is_shown = decided["verdict"] == REPRODUCED
    is_agreement = decided["within"].notna()
    other = int((is_shown & ~is_agreement).sum())
    counts = [other + int((decided["within"] < margin).sum()) for margin in MARGINS]
    return pd.DataFrame({"margin": [*map(str, MARGINS)], "reproduced": counts})
