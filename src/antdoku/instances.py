"""Where instances come from: Lewis's shuffle generator, ACS on a blank grid, archives, names.

A family is the instances of one order and fixed fraction: a DataFrame with the columns
`record.INSTANCE_COLUMNS`, kept as one Parquet file. Every random instance has a seed of its own,
so that any one of them can be made again, alone.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.formats import format_integers, read_file
from antdoku.grid import Puzzle, check_order, root_grid
from antdoku.named import puzzles
from antdoku.record import INSTANCE_COLUMNS, NAMED_FAMILY, family_name
from antdoku.run import make_params, seed_of
from antdoku.solvers import acs

SOURCES = ("shuffle", "acs")
DELETIONS = ("exact", "bernoulli")
MAX_COUNT = 1_000_000  # instances of a family
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
    family = family_name(order, fixed)
    rows = []
    for number in range(count):
        instance_id = f"{family}-{number:03d}"
        instance_seed = seed_of(seed, instance_id, source, 0)
        puzzle, solution = _instance(order, fixed, instance_seed, source, deletion)
        texts = format_integers(puzzle), format_integers(solution)
        rows.append((instance_id, family, order, fixed, *texts, instance_seed, source, deletion))
    return _table(rows)


def archive_family(folder: str | Path, order: int, fixed: float, count: int) -> pd.DataFrame:
    """Read a family from files named as in the archive of Lloyd & Amos: ``inst9x9_45_0.txt``.

    The number in the middle is the fixed percentage. The first `count` files by number are taken.

    Raises
    ------
    InputError
        If the folder holds no file of the family, or one that cannot be read.
    """
    size, family = check_order(order) ** 2, family_name(order, fixed)
    prefix = f"inst{size}x{size}_{round(100 * fixed)}_"
    numbers = [
        int(found[1])
        for file in Path(folder).glob(f"{prefix}*.txt")
        if (found := re.fullmatch(rf"{prefix}(\d+)\.txt", file.name))
    ]
    if not numbers:
        raise InputError(f"{folder}: no instance files {prefix}*.txt for {family}")
    rows = []
    for number in sorted(numbers)[:count]:
        path = Path(folder) / f"{prefix}{number}.txt"
        puzzles = read_file(path)
        if len(puzzles) != 1 or puzzles[0].order != order:
            raise InputError(f"{path}: must hold one puzzle of order {order}")
        text = format_integers(puzzles[0].givens)
        row = (f"{family}-{number:03d}", family, order, fixed, text, None, -1, "archive", "")
        rows.append(row)
    return _table(rows)


def named_family(collection: str) -> pd.DataFrame:
    """The puzzles of a named collection as one family."""
    rows = []
    for puzzle in puzzles(collection):
        text = format_integers(puzzle.givens)
        fixed = puzzle.fixed_fraction
        row = (puzzle.name, NAMED_FAMILY, puzzle.order, fixed, text, None, -1, "named", "")
        rows.append(row)
    return _table(rows)


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
    """Apply the five operators of Lewis 2007, section 2, to a solved grid of shape (d, d).

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
        # Rounded first: 0.55 * 625 must not lose a cell to binary fractions.
        n_blank = int(round((1 - fixed) * grid.size, 6))
        puzzle[rng.permutation(grid.size)[:n_blank]] = 0
    return puzzle


def _line_order(order, rng):
    """A permutation of d rows that keeps bands together (or of columns that keeps stacks)."""
    blocks = rng.permutation(order)
    inside = [rng.permutation(order) for _ in range(order)]
    return np.concatenate([order * block + lines for block, lines in zip(blocks, inside)])


def _instance(order, fixed, seed, source, deletion):
    rng = np.random.default_rng(seed)
    solution = solved_grid(order, rng, source)
    return delete(solution, fixed, rng, deletion), solution


def _check_request(order, fixed, count, seed, source, deletion):
    check_order(order)
    if not isinstance(fixed, int | float | np.number) or not 0 <= fixed <= 1:
        raise InputError(f"fixed fraction {fixed!r}: must be from 0 to 1")
    if not isinstance(count, int) or not 1 <= count <= MAX_COUNT:
        raise InputError(f"count {count!r}: must be a whole number from 1 to {MAX_COUNT}")
    if not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed {seed!r}: must be a whole number, 0 or more")
    if source not in SOURCES:
        raise InputError(f"source {source!r}: must be {' or '.join(SOURCES)}")
    if deletion not in DELETIONS:
        raise InputError(f"deletion {deletion!r}: must be {' or '.join(DELETIONS)}")


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


def write_named(folder: str | Path, collection: str) -> None:
    """Write a named collection as ``<folder>/named.parquet``."""
    table = named_family(collection)
    table.to_parquet(Path(folder) / f"{NAMED_FAMILY}.parquet", index=False)
