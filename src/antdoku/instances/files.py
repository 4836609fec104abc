"""Families of instances -> Parquet files, for the workflow."""

from pathlib import Path

from antdoku.instances.archive import archive_family
from antdoku.instances.given import given_family
from antdoku.instances.random import generate, generate_unique
from antdoku.record import family_name


def write_families(folder: str | Path, order: int, counts: dict[float, int], **how) -> None:
    """Write the families of one order as ``<folder>/<family>.parquet``.

    Parameters
    ----------
    counts : dict of float to int
        Number of instances by fixed fraction.
    how
        ``seed``, ``source``, ``base``, ``deletion`` as in `generate`; with
        ``source="archive"`` also ``archive``, the folder of the files.
    """
    archive = how.pop("archive", None)
    for fixed, count in counts.items():
        if how["source"] == "archive":
            table = archive_family(archive, order, fixed, count)
        else:
            table = generate(order, fixed, count, **how)
        table.to_parquet(Path(folder) / f"{family_name(order, fixed)}.parquet", index=False)


def write_puzzles(file: str | Path, *, unique: dict | None = None, **how) -> None:
    """Write a family of given puzzles to a Parquet file.

    Parameters
    ----------
    unique : dict
        For random puzzles with one solution: ``order``, ``fixed``, ``count`` and
        ``fixed_after_cp``, see `generate_unique`.
    how
        ``family`` and ``seed``; for others also ``source`` and ``equivalents``, see `given_family`.
    """
    table = generate_unique(**unique, **how) if unique else given_family(**how)
    table.to_parquet(file, index=False)
