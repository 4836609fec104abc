"""Instances of an archive: files named as ``inst9x9_45_0.txt`` by Lloyd & Amos 2018.

Size, percentage of fixed cells and number stand in a name. The files of AllDiff-LS (Frontiers of
Computer Science 2026) are named alike, in a folder for each size and percentage:
``INST_36x36/50/inst36x36_50_0.txt``.
"""

import hashlib
import os
import re
from pathlib import Path

from antdoku.errors import InputError
from antdoku.instances.family import check_grid, family_name
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.reading import printable, read_file


def archive_family(folder: str | Path, order: int, fixed: float, count: int) -> list[tuple]:
    """Read a family as rows: the first `count` files by number, in whatever folder below `folder`.

    All if there are fewer; `InputError` if there is none.
    """
    files, rows = _files(folder, order, fixed)[:count], []
    family = family_name(order, fixed)
    for number, path in files:
        puzzles = read_file(path)
        if len(puzzles) != 1 or puzzles[0].order != order:
            raise InputError(f"{printable(path)}: must hold one puzzle of order {order}")
        text, name = format_integers(puzzles[0].givens), f"{family}-{number:03d}"
        rows.append((name, family, order, fixed, text, None, -1, "archive", ""))
    return rows


def archive_names(folder: str | Path, order: int, fixed: float, count: int) -> list[str]:
    """Name the instances that `archive_family` reads."""
    files = _files(folder, order, fixed)[:count]
    return [f"{family_name(order, fixed)}-{number:03d}" for number, _ in files]


def _files(folder, order, fixed) -> list[tuple[int, Path]]:
    """Find the files of a family, by number."""
    check_grid(order, fixed)
    percent = round(100 * fixed)
    if abs(100 * fixed - percent) > 1e-6:
        raise InputError(
            f"fixed fraction {fixed}: the files of an archive are named after whole percentages"
        )
    prefix = f"inst{order**2}x{order**2}_{percent}_"
    found = [
        (int(number[1]), file)
        for file in Path(folder).rglob(f"{prefix}*.txt")
        if (number := re.fullmatch(rf"{prefix}([0-9]+)\.txt", file.name))
    ]
    if not found:
        raise InputError(f"{printable(folder)}: no instance files {prefix}*.txt")
    if len({number for number, _ in found}) < len(found):
        raise InputError(f"{printable(folder)}: two files {prefix}*.txt have the same number")
    return sorted(found)


def archive_digest(folder: str | Path, order: int) -> str:
    """Hash the files of an order in an archive, so that instances are made anew as they change."""
    digest = hashlib.sha256()
    for file in sorted(Path(folder).rglob(f"inst{order**2}x{order**2}_*.txt")):
        digest.update(os.fsencode(file.relative_to(folder)) + file.read_bytes())
    return digest.hexdigest()[:12]
