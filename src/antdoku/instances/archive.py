"""Instances of an archive: files named as ``inst9x9_45_0.txt`` by Lloyd & Amos 2018.

Those of AllDiff-LS (Frontiers of Computer Science 2026) are named alike, in a folder for each size
and percentage: ``INST_36x36/50/inst36x36_50_0.txt``.

    python -m antdoku.instances.archive FOLDER [COPY]

finds the files of Lloyd & Amos below FOLDER, and copies them to COPY.
"""

import hashlib
import os
import re
from itertools import pairwise, product
from pathlib import Path

import click
import pandas as pd

from antdoku.errors import InputError, one_line_errors
from antdoku.instances.family import check_grid, family_name, family_table
from antdoku.puzzle.files import read_file, shown
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.grid import check_order

# Size, percentage of fixed cells and number of the files of Lloyd & Amos.
NAMES = list(product((9, 16, 25), range(0, 101, 5), range(100)))


def archive_family(folder: str | Path, order: int, fixed: float, count: int) -> pd.DataFrame:
    """Read a family from files named as in the archive of Lloyd & Amos: ``inst9x9_45_0.txt``.

    The number in the middle is the fixed percentage. The first `count` files by number are taken,
    or all if there are fewer, in whichever folder below `folder` they are.
    """
    files, rows = _files_of_point(folder, order, fixed)[:count], []
    family = family_name(order, fixed)
    for number, path in files:
        puzzles = read_file(path)
        if len(puzzles) != 1 or puzzles[0].order != order:
            raise InputError(f"{shown(path)}: must hold one puzzle of order {order}")
        text = format_integers(puzzles[0].givens)
        row = (f"{family}-{number:03d}", family, order, fixed, text, None, -1, "archive", "")
        rows.append(row)
    return family_table(rows)


def archive_names(folder: str | Path, order: int, fixed: float, count: int) -> list[str]:
    """Name the instances that `archive_family` reads."""
    numbered = _files_of_point(folder, order, fixed)[:count]
    return [f"{family_name(order, fixed)}-{number:03d}" for number, _ in numbered]


def _files_of_point(folder, order, fixed):
    """Pairs of a number and the file that has it in its name, ascending."""
    check_grid(order, fixed)
    size, percent = order**2, round(100 * fixed)
    if abs(100 * fixed - percent) > 1e-6:
        raise InputError(
            f"fixed fraction {fixed}: the files of an archive are named after whole percentages"
        )
    return _numbered_files(folder, f"inst{size}x{size}_{percent}_")


def _numbered_files(folder, prefix):
    """Pairs of a number and the file that has it in its name, ascending."""
    files = [
        (int(found[1]), file)
        for file in Path(folder).rglob(f"{prefix}*.txt")
        if (found := re.fullmatch(rf"{prefix}([0-9]+)\.txt", file.name))
    ]
    if not files:
        raise InputError(f"{shown(folder)}: no instance files {prefix}*.txt")
    files.sort()
    for (number, file), (other_number, other) in pairwise(files):
        if number == other_number:
            names = " and ".join(str(each.relative_to(folder)) for each in (file, other))
            raise InputError(f"{shown(folder)}: {names} have the same number: keep one of them")
    return files


def archive_digest(folder: str | Path, order: int) -> str:
    """Hash paths and contents of the files of an order in an archive, which may be missing.

    So its instances are made again when it has changed.
    """
    size = check_order(order) ** 2
    digest = hashlib.sha256()
    for file in sorted(Path(folder).rglob(f"inst{size}x{size}_*.txt")):
        content = file.read_bytes() if file.is_file() else b""  # `archive_family` refuses it
        digest.update(os.fsencode(file.relative_to(folder)) + content)
    return digest.hexdigest()[:12]


def archive_files(folder: str | Path) -> list[Path]:
    """Find the 6300 files of Lloyd & Amos below a folder, by name; other files do not count.

    `InputError` if some are missing. Their contents are those of the commit that ``make archive``
    checks out.
    """
    found = {file.name: file for file in Path(folder).rglob("inst*.txt") if file.is_file()}
    names = [f"inst{size}x{size}_{percent}_{number}.txt" for size, percent, number in NAMES]
    if missing := [name for name in names if name not in found]:
        raise InputError(
            f"{shown(folder)}: {len(missing)} of {len(names)} files are missing, "
            f"the first is {missing[0]}: make archive gets them"
        )
    return [found[name] for name in names]


@click.command()
@click.argument("folder")
@click.argument("copy", required=False)
def main(folder, copy):
    """Find the files of Lloyd & Amos below FOLDER, and copy them to COPY."""
    with one_line_errors():
        checked = archive_files(folder)
        if copy is not None:
            Path(copy).mkdir(parents=True, exist_ok=True)
            for file in checked:
                (Path(copy) / file.name).write_bytes(file.read_bytes())
    click.echo(f"archive: {len(checked)} files of Lloyd & Amos are in {copy or folder}")


if __name__ == "__main__":
    main()
