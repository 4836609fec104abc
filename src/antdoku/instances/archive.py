"""Instances that the authors of a paper have published: a folder of files, one puzzle in each.

The files have names as ``inst9x9_45_0.txt`` of Lloyd & Amos 2018: size, percentage of fixed cells,
number. Those of AllDiff-LS (Frontiers of Computer Science 2026) are named alike, in a folder for
each size and percentage: ``INST_36x36/50/inst36x36_50_0.txt``.
"""

import hashlib
import os
import re
from pathlib import Path

from antdoku.errors import InputError
from antdoku.instances.family import ARCHIVE, family_name
from antdoku.instances.given import given_row
from antdoku.reading.files import printable
from antdoku.reading.sources import read


def archive_family(folder: str | Path, order: int, fixed: float, count: int) -> list[tuple]:
    """Read the rows of a family from its `archive_files`."""
    family, rows = family_name(order, fixed), []
    for name, path in archive_files(folder, order, fixed, count).items():
        puzzles = read(path)
        if len(puzzles) != 1 or puzzles[0].order != order:
            raise InputError(f"{printable(path)}: must hold one puzzle of order {order}")
        rows.append(given_row(puzzles[0].renamed(name), family, fixed, ARCHIVE))
    return rows


def archive_files(folder: str | Path, order: int, fixed: float, count: int) -> dict[str, Path]:
    """Find the first `count` files of a family by number, under the names of their instances.

    They are in whatever folder below `folder`. All if there are fewer; `InputError` if there is
    none.
    """
    percent = round(100 * fixed)
    if abs(100 * fixed - percent) > 1e-6:
        raise InputError(
            f"fixed fraction {fixed}: the files of an archive are named after whole percentages"
        )
    prefix = f"inst{order**2}x{order**2}_{percent}_"
    numbered = [
        (int(number[1]), file)
        for file in Path(folder).rglob(f"{prefix}*.txt")
        if (number := re.fullmatch(rf"{prefix}([0-9]+)\.txt", file.name))
    ]
    if not numbered:
        raise InputError(f"{printable(folder)}: no instance files {prefix}*.txt")
    if len(dict(numbered)) < len(numbered):
        raise InputError(f"{printable(folder)}: two files {prefix}*.txt have the same number")
    family = family_name(order, fixed)
    return {f"{family}-{number:03d}": file for number, file in sorted(numbered)[:count]}


def archive_digest(folder: str | Path, order: int) -> str:
    """Hash the files of an order in an archive, for whose changes instances are made again."""
    digest = hashlib.sha256()
    for file in sorted(Path(folder).rglob(f"inst{order**2}x{order**2}_*.txt")):
        digest.update(os.fsencode(file.relative_to(folder)) + file.read_bytes())
    return digest.hexdigest()[:12]
