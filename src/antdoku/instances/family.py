"""A family of instances: its table, and what may be asked for.

A family is the instances of one order and fixed fraction, or puzzles that were given together: a
DataFrame with the columns `columns.INSTANCE_COLUMNS`, rows of the file of
its experiment.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from antdoku.columns import INSTANCE_COLUMNS
from antdoku.errors import InputError
from antdoku.puzzle.grid import check_order

MAX_COUNT = 1_000_000  # instances of a family


@dataclass(frozen=True)
class Family:
    """A family as the configuration describes it."""

    name: str
    order: int
    repetitions: int  # runs of each variant on each instance
    limit_s: float  # CPU seconds of a run
    recipe: dict  # see `instances.recipes`


def family_table(rows: list[tuple] | list[dict]) -> pd.DataFrame:
    """The table of a family of rows with the `INSTANCE_COLUMNS`, tuples in this order."""
    return pd.DataFrame(rows, columns=list(INSTANCE_COLUMNS)).astype(INSTANCE_COLUMNS)


def check_grid(order: int, fixed: float) -> None:
    """Raise `InputError` if there are no instances of an order, or none of a fixed fraction."""
    check_order(order)
    if not isinstance(fixed, int | float | np.number) or not 0 <= fixed <= 1:
        raise InputError(f"fixed fraction {fixed!r}: must be from 0 to 1")
