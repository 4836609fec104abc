"""Families of instances: their names, their seeds and their tables.

A family is the instances of one order and fixed fraction, or puzzles that were given together: rows
with the columns `columns.INSTANCE_COLUMNS`, in the file of its experiment.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from antdoku.columns import INSTANCE_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

MAX_COUNT = 1_000_000  # instances of a family
RANDOM_FAMILY = re.compile(r"order([2-9]|10)-p\d{3}(_\d+)?")  # what `family_name` makes


@dataclass(frozen=True)
class Family:
    """A family as the configuration describes it."""

    name: str
    order: int
    repetitions: int  # runs of each variant on each instance
    limit_s: float  # CPU seconds of a run
    recipe: dict  # see `instances.recipes`


def family_name(order: int, fixed_fraction: float) -> str:
    """Name a family: ``order5-p045`` is order 5, 45 % fixed; ``order3-p012_5`` is 12.5 %."""
    percent, _, part = f"{100 * fixed_fraction:.8f}".rstrip("0").rstrip(".").partition(".")
    return f"order{order}-p{int(percent):03d}" + (f"_{part}" if part else "")


def is_random(family: str) -> bool:
    """Tell whether a family is one of random instances, by its name; others are given puzzles."""
    return RANDOM_FAMILY.fullmatch(family) is not None


def seed_of(root_seed: int, instance_id: str, variant: str, repetition: int) -> int:
    """Return the seed of a run or an instance: 63 bits that depend on the four arguments alone."""
    key = f"{root_seed}/{instance_id}/{variant}/{repetition}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") >> 1


def family_table(rows: Iterable[tuple] | Iterable[dict]) -> "pd.DataFrame":
    """Make the table of a family of rows with the `INSTANCE_COLUMNS`, tuples in this order."""
    import pandas as pd

    return pd.DataFrame(rows, columns=list(INSTANCE_COLUMNS)).astype(INSTANCE_COLUMNS)
