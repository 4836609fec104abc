"""The numbers that the papers print, from the package data.

`data/published_results.csv` has one row per printed number: source (paper), item (table or
section), order, fixed_fraction, instance, solver, metric, value, unit, note.
"""

from functools import cache
from importlib.resources import files

import pandas as pd

# Preprint and journal article of Lloyd & Amos report different experiments: never mix them.
EDITIONS = {
    "arxiv": "Lloyd & Amos 2018 (arXiv:1805.03545v1)",
    "journal": "Lloyd & Amos 2019 (IEEE Trans. Games)",
}
GENERAL = "general"  # instance of the random families, as opposed to a named puzzle
TO_BASE_UNIT = {"%": 0.01, "ms": 0.001}  # to fractions and seconds


def results() -> pd.DataFrame:
    """All published numbers, as printed: one row each, columns as in the module docstring."""
    return _read().copy()


def lloyd_amos(edition: str, metric: str) -> pd.DataFrame:
    """Numbers of one metric from one edition of Lloyd & Amos.

    Parameters
    ----------
    edition : {"arxiv", "journal"}
    metric : str
        For instance ``success`` or ``mean_time`` (of the successful runs).

    Returns
    -------
    DataFrame
        order, fixed_fraction (NaN for named puzzles), instance, variant, value (fraction or s).
    """
    table = _read()
    chosen = table[(table["source"] == EDITIONS[edition]) & (table["metric"] == metric)]
    value = chosen["value"] * chosen["unit"].map(TO_BASE_UNIT).fillna(1.0)
    columns = ["order", "fixed_fraction", "instance", "solver"]
    return chosen[columns].rename(columns={"solver": "variant"}).assign(value=value)


def named_puzzles() -> list[str]:
    """The sixteen named puzzles of Lloyd & Amos, in the order of their Table 1."""
    instances = lloyd_amos("arxiv", "success")["instance"]
    return [name for name in instances.unique() if name != GENERAL]


@cache
def _read():
    with files("antdoku").joinpath("data/published_results.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)
