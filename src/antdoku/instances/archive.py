"""Instances of an archive: files named as ``inst9x9_45_0.txt`` by Lloyd & Amos 2018.

Those of AllDiff-LS (Frontiers of Computer Science 2026) are named alike, in a folder for each size
and percentage: ``INST_36x36/50/inst36x36_50_0.txt``.

    python -m antdoku.instances.archive FOLDER [COPY]

compares the files below FOLDER with the sums of those of Lloyd & Amos, and copies them to COPY.
"""

import gzip
import hashlib
import os
import re
from itertools import pairwise
from pathlib import Path

import click
import pandas as pd

from antdoku import papers
from antdoku.errors import InputError, one_line_errors
from antdoku.families import family_name
from antdoku.instances.family import check_grid, family_table
from antdoku.puzzle.files import read_file, shown
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.grid import check_order

SUMS = "archive.sha256.gz"  # of a paper, as `sha256sum` writes them; the files have no licence
SHOWN = 3  # names of files in a message


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


def check_archive(folder: str | Path) -> list[Path]:
    """Find the 6300 files of Lloyd & Amos below a folder, by name; other files do not count.

    `InputError` if some are missing or differ from the sums we ship: how many, and the first.
    """
    sums = archive_sums()
    found = {file.name: file for file in Path(folder).rglob("inst*.txt") if file.is_file()}
    there = sorted(sums.keys() & found.keys())
    wrong = {
        "missing": sorted(sums.keys() - found.keys()),
        "not the authors'": [name for name in there if _sha256(found[name]) != sums[name]],
    }
    told = [_told(names, len(sums), what) for what, names in wrong.items() if names]
    if told:
        raise InputError(f"{shown(folder)}: {'; '.join(told)}")
    return [found[name] for name in there]


def archive_sums() -> dict[str, str]:
    """SHA-256 sums of the files of Lloyd & Amos, by name."""
    texts = [gzip.decompress(file.read_bytes()).decode("ascii") for file in papers.with_file(SUMS)]
    rows = (line.split() for text in texts for line in text.splitlines())
    return {name: digest for digest, name in rows}


def _sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _told(names, number, what):
    more = ", ..." if len(names) > SHOWN else ""
    verb = "is" if len(names) == 1 else "are"
    return f"{len(names)} of {number} files {verb} {what}: {', '.join(names[:SHOWN])}{more}"


@click.command()
@click.argument("folder")
@click.argument("copy", required=False)
def main(folder, copy):
    """Check the files of Lloyd & Amos below FOLDER, and copy them to COPY."""
    with one_line_errors():
        checked = check_archive(folder)
        if copy is not None:
            Path(copy).mkdir(parents=True, exist_ok=True)
            for file in checked:
                (Path(copy) / file.name).write_bytes(file.read_bytes())
    click.echo(f"archive: {len(checked)} files of Lloyd & Amos are in {copy or folder}")


if __name__ == "__main__":
    main()
