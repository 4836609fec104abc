"""Names, seeds and tables of families of instances.

A family holds the instances of one order and fixed fraction, or puzzles from one source. Its table
has the columns `columns.INSTANCE_COLUMNS`.
"""

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from antdoku.columns import INSTANCE_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

MAX_COUNT = 1_000_000  # instances of a family
RANDOM, GIVEN = "random", "given"  # kinds of families: the column family_kind
ARCHIVE = "archive"  # source of instances that the authors of a paper have published


def family_name(order: int, fixed_fraction: float) -> str:
    """Name a family: ``order5-p045`` is order 5, 45 % fixed; ``order3-p012_5`` is 12.5 %."""
    percent, _, part = f"{100 * fixed_fraction:.8f}".rstrip("0").rstrip(".").partition(".")
    return f"order{order}-p{int(percent):03d}" + (f"_{part}" if part else "")


def instance_names(family: str, count: int) -> list[str]:
    """Return the names of the instances of a random family."""
    return [f"{family}-{number:03d}" for number in range(count)]


def seed_of(root_seed: int, instance_id: str, variant: str, repetition: int) -> int:
    """Return the seed of a run or an instance: 63 bits that depend on the four arguments alone."""
    key = f"{root_seed}/{instance_id}/{variant}/{repetition}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") >> 1


def family_table(rows: Iterable[tuple] | Iterable[dict]) -> "pd.DataFrame":
    """Make the table of a family from rows of `INSTANCE_COLUMNS`, tuples in the same order."""
    import pandas as pd

    return pd.DataFrame(rows, columns=list(INSTANCE_COLUMNS)).astype(INSTANCE_COLUMNS)
