"""Where instances come from: shuffled grids (Lewis 2007), ACS on a blank grid, archives, files.

A family is the instances of one order and fixed fraction, or puzzles that were given together: a
DataFrame with the columns `record.INSTANCE_COLUMNS`, kept as one Parquet file. Every random
instance has a seed of its own, so that any one of them can be made again, alone.
"""

import hashlib
import os
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.budget import Budget
from antdoku.errors import InputError, one_line
from antdoku.instances.unique import dig
from antdoku.puzzle.formats import MAX_MEGABYTES, format_integers, read_file, shown
from antdoku.puzzle.grid import Puzzle, check_order, root_grid
from antdoku.puzzle.named import PREFIX, puzzles
from antdoku.record import INSTANCE_COLUMNS, NAMED_FAMILY, family_name, seed_of
from antdoku.solvers import acs, make_params

SOURCES = ("shuffle", "acs")
DELETIONS = ("exact", "bernoulli")
UNIQUE = "unique"  # the deletion of `generate_unique`
MAX_COUNT = 1_000_000  # instances of a family
# No puzzle with fewer givens has one solution: at order 3 proved by McGuire, Tugemann & Civario
# 2014; at others, two values without a given could be exchanged.
_FEWEST_GIVENS = {2: 4, 3: 17}
_CELLS_TO_DIG = 20_000  # of all the grids that an instance may take: 246 at order 3, 32 at order 5
# A blank grid takes ACS one iteration at order 3, some hundred at order 7. At order 8 the rule of
# the preprint finds none in ten thousand, the journal's one in a few thousand (half a minute).
_ACS_GRID_PARAMS = {8: {"greedy_rule": "journal"}}
_ACS_GRID_STEPS = 50_000


def generate(
    order: int,
    fixed: float,
    count: int,
    seed: int,
    source: str = "shuffle",
    deletion: str = "exact",
) -> pd.DataFrame:
    """Generate a family of random instances.

    Parameters
    ----------
    order : int
        n, 2 to 8.
    fixed : float
        Fixed fraction p, 0 to 1.
    count : int
        Number of instances.
    seed : int
        Root seed; the seed of an instance derives from it and the instance's name.
    source : str
        Solved grids from the ``shuffle`` operators (Lewis 2007) or from ``acs`` on a blank grid
        (Lloyd & Amos 2018).
    deletion : str
        ``exact``: blank floor((1 - p) c) cells (Lloyd & Amos); ``bernoulli``: blank each cell with
        probability 1 - p (Lewis).

    Returns
    -------
    DataFrame
        `record.INSTANCE_COLUMNS`, one row an instance.

    Raises
    ------
    InputError
        If an argument is not among those allowed.
    """
    _check_request(order, fixed, count, seed, source, deletion)
    return _random_family(family_name(order, fixed), order, fixed, count, seed, source, deletion)


def generate_unique(
    order: int,
    fixed: float,
    count: int,
    seed: int,
    source: str = "shuffle",
    family: str | None = None,
) -> pd.DataFrame:
    """Generate a family of random instances with exactly one solution, which `unique.dig` proves.

    Parameters
    ----------
    order, fixed, count, seed, source
        As for `generate`; floor((1 - p) c) cells are blank. The grids are relabelled, too.
    family : str, optional
        Name of the family, ``unique_order4_p040`` by default; seeds depend on it.

    Returns
    -------
    DataFrame
        As from `generate`; the deletion is ``unique``.

    Raises
    ------
    InputError
        If an argument is not among those allowed, or no such puzzle is found.
    """
    _check_request(order, fixed, count, seed, source)
    check_unique(order, fixed)
    family = family or f"unique_{family_name(order, fixed)}".replace("-", "_")
    return _random_family(family, order, fixed, count, seed, source, UNIQUE)


def check_unique(order: int, fixed: float) -> None:
    """Raise `InputError` if no puzzle of a fixed fraction can have exactly one solution."""
    _check_grid(order, fixed)
    n_givens, fewest = order**4 - _n_blank(order**4, fixed), _FEWEST_GIVENS.get(order, order**2 - 1)
    if n_givens < fewest:
        raise InputError(
            f"order {order}, fixed fraction {fixed}: {n_givens} givens: a puzzle with one solution "
            f"has at least {fewest}"
        )


def archive_family(folder: str | Path, order: int, fixed: float, count: int) -> pd.DataFrame:
    """Read a family from files named as in the archive of Lloyd & Amos: ``inst9x9_45_0.txt``.

    The number in the middle is the fixed percentage. The first `count` files by number are taken.

    Raises
    ------
    InputError
        If the folder holds no file of the family, two of one number, or one that cannot be read,
        or if `fixed` is no whole percentage.
    """
    _check_grid(order, fixed)
    size, family, percent = order**2, family_name(order, fixed), round(100 * fixed)
    if abs(100 * fixed - percent) > 1e-6:
        raise InputError(
            f"fixed fraction {fixed}: the files of an archive are named after whole percentages"
        )
    rows = []
    for number, path in _numbered_files(folder, f"inst{size}x{size}_{percent}_")[:count]:
        _refuse_link_outside(path)
        puzzles = read_file(path)
        if len(puzzles) != 1 or puzzles[0].order != order:
            raise InputError(f"{shown(path)}: must hold one puzzle of order {order}")
        text = format_integers(puzzles[0].givens)
        row = (f"{family}-{number:03d}", family, order, fixed, text, None, -1, "archive", "")
        rows.append(row)
    return _table(rows)


def _numbered_files(folder, prefix):
    """Pairs of a number and the file that has it in its name, ascending."""
    files = [
        (int(found[1]), file)
        for file in _files(folder, f"{prefix}*.txt")
        if (found := re.fullmatch(rf"{prefix}([0-9]+)\.txt", file.name))
    ]
    if not files:
        raise InputError(f"{shown(folder)}: no instance files {prefix}*.txt")
    files.sort()
    for (number, file), (other_number, other) in pairwise(files):
        if number == other_number:
            names = f"{file.name} and {other.name}"
            raise InputError(f"{shown(folder)}: {names} have the same number: keep one of them")
    return files


def archive_digest(folder: str | Path, order: int) -> str:
    """Hash the files of an archive, so that its instances can be made again when it has changed.

    Parameters
    ----------
    folder : str or Path
        The folder that `archive_family` reads; it may be missing.
    order : int
        Of the instances whose files count.

    Returns
    -------
    str
        12 hexadecimal digits of the names and contents of all files ``inst9x9_*.txt``. Of a file
        that `archive_family` refuses, because it leads out of the folder or is none, it is the
        name only.
    """
    size = check_order(order) ** 2
    digest = hashlib.sha256()
    for file in _files(folder, f"inst{size}x{size}_*.txt"):
        for part in (os.fsencode(file.name), _content(file)):
            digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()[:12]


def file_digest(file: str | Path) -> str:
    """Hash a file of puzzles, for the same end as `archive_digest`: 12 hexadecimal digits."""
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:12]


def _files(folder, pattern):
    folder = Path(folder)
    return sorted(folder.glob(pattern)) if folder.is_dir() else []


def _content(file) -> bytes:
    """What `archive_family` would read of a file; nothing if it would refuse it."""
    try:
        if not (_is_inside(file) and file.is_file()):
            return b""
        with file.open("rb") as stream:
            return stream.read(MAX_MEGABYTES * 10**6 + 1)
    except OSError:
        return b""


def _refuse_link_outside(path):
    """Refuse a link of a folder from elsewhere that leads to the files of this machine."""
    if not _is_inside(path):
        raise InputError(f"{shown(path)}: a link that leads out of the folder")


def _is_inside(path):
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(path.parent))


def named_family(collection: str) -> pd.DataFrame:
    """The puzzles of a named collection as the family ``named``."""
    return given_family(PREFIX + collection, NAMED_FAMILY)


def given_family(source: str, family: str, equivalents: int = 0, seed: int = 0) -> pd.DataFrame:
    """Make a family of given puzzles, or of puzzles equivalent to them.

    Parameters
    ----------
    source : str
        ``named:`` and a collection or puzzle, or the path of a file as `formats.read_file` reads.
    family : str
        Name of the family.
    equivalents : int
        0: the puzzles themselves; k: instead of each, k that `equivalent` makes of it.
    seed : int
        Root seed of the equivalents, each of which has one of its own.

    Returns
    -------
    DataFrame
        Instances are called after their puzzle, ``<file>-<number>`` if the file does not name it,
        and equivalents ``<puzzle>~<number>``; numbers count from 0.

    Raises
    ------
    InputError
        If there are no such puzzles, two have the same name, or a number is not allowed.
    """
    _check_whole("equivalents", equivalents, 0, MAX_COUNT)
    _check_whole("seed", seed, 0)
    origin, rows = "named" if source.startswith(PREFIX) else "file", []
    for puzzle in given_puzzles(source):
        variants = _equivalents(puzzle, equivalents, seed) if equivalents else [(puzzle, -1)]
        for each, instance_seed in variants:
            text, fixed = format_integers(each), each.fixed_fraction
            row = (each.name, family, each.order, fixed, text, None, instance_seed, origin, "")
            rows.append(row)
    return _table(rows)


def given_puzzles(source: str) -> list[Puzzle]:
    """Read the puzzles of `source`, see `given_family`, each with a name of its own."""
    if source.startswith(PREFIX):
        return puzzles(source.removeprefix(PREFIX))
    given = [
        # What the file does not name is called source:line.
        replace(puzzle, name=f"{Path(source).stem}-{number:03d}")
        if puzzle.name.startswith(f"{shown(source)}:")
        else puzzle
        for number, puzzle in enumerate(read_file(source))
    ]
    times = Counter(puzzle.name for puzzle in given)
    if twice := [name for name in times if times[name] > 1]:
        raise InputError(
            f"{shown(source)}: {one_line(twice[0])} stands there twice: each instance needs its "
            "own name"
        )
    return given


def _equivalents(puzzle, count, seed):
    """Pairs of an equivalent puzzle and its seed."""
    for number in range(count):
        name = f"{puzzle.name}~{number:03d}"
        own_seed = seed_of(seed, name, "equivalent", 0)
        givens = equivalent(puzzle.givens, np.random.default_rng(own_seed))
        yield Puzzle(puzzle.order, givens, name), own_seed


def equivalent(grid: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Shuffle and relabel a flat grid, solved or with blanks; it keeps its number of solutions.

    Parameters
    ----------
    grid : ndarray of int, shape (c,)
        Not changed.

    Returns
    -------
    ndarray of int, shape (c,)
        One of the grids that the operators of `shuffled` and permutations of the values reach.
    """
    size = round(grid.size**0.5)
    return relabelled(shuffled(grid.reshape(size, size), rng).ravel(), rng)


def relabelled(grid: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Permute the values of a flat grid; blanks stay blank."""
    values = 1 + rng.permutation(round(grid.size**0.5))
    return np.append(0, values).astype(grid.dtype)[grid]


def solved_grid(order: int, rng: np.random.Generator, source: str) -> np.ndarray:
    """A random solved grid: int16, shape (c,); see `generate` for `source`."""
    if source == "shuffle":
        return shuffled(root_grid(order), rng).ravel()
    blank = Puzzle(order, np.zeros(order**4, int))
    params = make_params("acs", _ACS_GRID_PARAMS.get(order, {}))
    outcome = acs.solve(blank, params, rng, Budget(max_steps=_ACS_GRID_STEPS))
    if outcome.solution is None:
        raise InputError(f"order {order}: ACS found no solved grid in {_ACS_GRID_STEPS} iterations")
    return outcome.solution


def shuffled(grid: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Apply the five operators of Lewis 2007, section 2, to a grid of shape (d, d).

    Transposition with probability 1/2; permutations of the bands, of the stacks, of the rows of
    each band and of the columns of each stack. Values are not relabelled.
    """
    if rng.random() < 0.5:
        grid = grid.T
    order = round(len(grid) ** 0.5)
    return grid[_line_order(order, rng)][:, _line_order(order, rng)]


def delete(grid: np.ndarray, fixed: float, rng: np.random.Generator, deletion: str) -> np.ndarray:
    """Blank cells of a flat solved grid; see `generate` for `deletion`."""
    puzzle = grid.copy()
    if deletion == "bernoulli":
        puzzle[rng.random(grid.size) >= fixed] = 0
    else:
        puzzle[rng.permutation(grid.size)[: _n_blank(grid.size, fixed)]] = 0
    return puzzle


def _n_blank(n_cells, fixed):
    # Rounded first: 0.55 * 625 must not lose a cell to binary fractions.
    return int(round((1 - fixed) * n_cells, 6))


def _line_order(order, rng):
    """A permutation of d rows that keeps bands together (or of columns that keeps stacks)."""
    blocks = rng.permutation(order)
    inside = [rng.permutation(order) for _ in range(order)]
    return np.concatenate([order * block + lines for block, lines in zip(blocks, inside)])


def _random_family(family, order, fixed, count, seed, source, deletion):
    rows = []
    for number in range(count):
        instance_id = f"{family}-{number:03d}"
        instance_seed = seed_of(seed, instance_id, source, 0)
        puzzle, solution = _instance(order, fixed, instance_seed, source, deletion)
        texts = format_integers(puzzle), format_integers(solution)
        rows.append((instance_id, family, order, fixed, *texts, instance_seed, source, deletion))
    return _table(rows)


def _instance(order, fixed, seed, source, deletion):
    rng = np.random.default_rng(seed)
    if deletion == UNIQUE:
        return _unique_instance(order, fixed, rng, source)
    solution = solved_grid(order, rng, source)
    return delete(solution, fixed, rng, deletion), solution


def _unique_instance(order, fixed, rng, source):
    """Dig grid after grid until one yields enough blanks."""
    n_blank, n_grids, most = _n_blank(order**4, fixed), _CELLS_TO_DIG // order**4, 0
    for _ in range(n_grids):
        solution = relabelled(solved_grid(order, rng, source), rng)
        puzzle = dig(solution, n_blank, rng)
        most = max(most, np.count_nonzero(puzzle == 0))
        if most == n_blank:
            return puzzle, solution
    raise InputError(
        f"order {order}, fixed fraction {fixed}: found no puzzle with one solution in {n_grids} "
        f"grids: {order**4 - n_blank} givens wanted, {order**4 - most} reached"
    )


def _check_request(order, fixed, count, seed, source, deletion="exact"):
    _check_grid(order, fixed)
    _check_whole("count", count, 1, MAX_COUNT)
    _check_whole("seed", seed, 0)
    if source not in SOURCES:
        raise InputError(f"source {source!r}: must be {' or '.join(SOURCES)}")
    if deletion not in DELETIONS:
        raise InputError(f"deletion {deletion!r}: must be {' or '.join(DELETIONS)}")


def _check_grid(order, fixed):
    check_order(order)
    if not isinstance(fixed, int | float | np.number) or not 0 <= fixed <= 1:
        raise InputError(f"fixed fraction {fixed!r}: must be from 0 to 1")


def _check_whole(name, value, least, most=None):
    if not isinstance(value, int) or value < least or (most is not None and value > most):
        allowed = f", {least} or more" if most is None else f" from {least} to {most}"
        raise InputError(f"{name} {value!r}: must be a whole number{allowed}")


def _table(rows):
    return pd.DataFrame(rows, columns=list(INSTANCE_COLUMNS)).astype(INSTANCE_COLUMNS)


def write_families(folder: str | Path, order: int, fractions: list[float], **how) -> None:
    """Write the families of one order as ``<folder>/<family>.parquet``.

    Parameters
    ----------
    how
        ``count``, ``seed``, ``source``, ``deletion`` as in `generate`; with ``source="archive"``
        also ``archive``, the folder of the files.
    """
    archive = how.pop("archive", None)
    for fixed in fractions:
        if how["source"] == "archive":
            table = archive_family(archive, order, fixed, how["count"])
        else:
            table = generate(order, fixed, **how)
        table.to_parquet(Path(folder) / f"{family_name(order, fixed)}.parquet", index=False)


def write_puzzles(
    file: str | Path,
    family: str,
    seed: int,
    source: str | None = None,
    equivalents: int = 0,
    unique: dict | None = None,
) -> None:
    """Write a family of given puzzles to a Parquet file.

    Parameters
    ----------
    source, equivalents
        As for `given_family`.
    unique : dict
        Instead: ``order``, ``fixed_fraction`` and ``count`` of random puzzles with one solution.
    """
    if unique:
        order, fixed, count = (unique[key] for key in ("order", "fixed_fraction", "count"))
        table = generate_unique(order, fixed, count, seed, family=family)
    else:
        table = given_family(source, family, equivalents, seed)
    table.to_parquet(file, index=False)
