"""Random instances: cells deleted from shuffled grids (Lewis 2007), or from those a search makes.

A grid that is shuffled is a random one. The operators permute rows, columns, bands and stacks, so
they keep what is special about a grid: all grids that come from the root solution alone have its
number of unavoidable sets, which few others have (`puzzle.unavoidable`).

Every random instance has a seed of its own, so that any one of them can be made again, alone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import cycle

import numpy as np
import pandas as pd

from antdoku.budget import Budget
from antdoku.errors import InputError, check_whole
from antdoku.instances.family import MAX_COUNT, check_grid, family_table
from antdoku.instances.unique import MAX_EXCHANGES, dig, steer
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.grid import Puzzle, root_grid
from antdoku.record import INSTANCE_COLUMNS, family_name, seed_of
from antdoku.solvers import acs, bs, tabu_col

SOURCES = ("shuffle", "acs", "search")
BASES = ("random", "root")  # what is shuffled
DELETIONS = ("exact", "bernoulli")
UNIQUE = "unique"  # the deletion of `generate_unique`
# No puzzle with fewer givens has one solution: at order 3 proved by McGuire, Tugemann & Civario
# 2014; at others, two values without a given could be exchanged.
_FEWEST_GIVENS = {2: 4, 3: 17}
# Of all the grids that an instance may take: 246 at order 3, 32 at order 5. An exchange of `steer`
# counts as one: with it an instance may take 6 grids at order 3, 5 at order 5.
CELLS_TO_DIG = 20_000
_AS_IT_IS = (None,)  # no fraction that propagation is to leave fixed
# By source of grids, what solves a blank one, in how many steps at most. ACS takes one iteration at
# order 3, some hundred at order 7. At order 8 the rule of the preprint finds none in ten thousand,
# the journal's one in a few thousand (half a minute). TabuCol takes a third of a second there; at
# order 10 it takes two to five, and 1.3 GB.
_SEARCHES = {"acs": (acs, 50_000), "search": (tabu_col, 10_000_000)}
_PARAMS = {("acs", 8): {"greedy_rule": "journal"}}

Calls = Iterable[tuple[str, Callable[[], dict]]]  # of an instance the name, and what makes its row


def one_by_one(calls: Calls) -> Iterator[dict]:
    """Make instances, and nothing else beside."""
    return (make() for _, make in calls)


def generate(
    order: int,
    fixed: float,
    count: int,
    seed: int,
    source: str = "shuffle",
    deletion: str = "exact",
    base: str = "random",
    make_all: Callable[[Calls], Iterable[dict]] = one_by_one,
) -> pd.DataFrame:
    """Generate a family of random instances.

    Parameters
    ----------
    order : int
        n, 2 to 10.
    fixed : float
        Fixed fraction p, 0 to 1.
    count : int
        Number of instances.
    seed : int
        Root seed; the seed of an instance derives from it and the instance's name.
    source : str
        Solved grids from the ``shuffle`` operators (Lewis 2007), or from a blank grid, which
        ``acs`` solves (Lloyd & Amos 2018; up to order 8) or ``search``, by `tabu_col`.
    deletion : str
        ``exact``: blank floor((1 - p) c) cells (Lloyd & Amos); ``bernoulli``: blank each cell with
        probability 1 - p (Lewis).
    base : str
        What ``shuffle`` begins with: a ``random`` grid for each instance, which `tabu_col` finds,
        or always the ``root`` solution of Lewis 2007.
    make_all : callable
        Yields the row of each instance, made or found elsewhere: to show progress, and go on later.

    Returns
    -------
    DataFrame
        `record.INSTANCE_COLUMNS`, one row an instance.

    Raises
    ------
    InputError
        If an argument is not among those allowed.
    """
    _check_request(order, fixed, count, seed, source, base, deletion)
    request = order, fixed, count, seed, source, base, deletion
    return _random_family(family_name(order, fixed), *request, make_all)


def generate_unique(
    order: int,
    fixed: float,
    count: int,
    seed: int,
    source: str = "shuffle",
    family: str | None = None,
    fixed_after_cp: Sequence[float] = (),
    base: str = "random",
    make_all: Callable[[Calls], Iterable[dict]] = one_by_one,
) -> pd.DataFrame:
    """Generate a family of random instances with exactly one solution, which `unique.dig` proves.

    Parameters
    ----------
    order, fixed, count, seed, source, base, make_all
        As for `generate`; floor((1 - p) c) cells are blank. The grids are relabelled, too.
    family : str, optional
        Name of the family, ``unique_order4_p040`` by default; seeds depend on it.
    fixed_after_cp : sequence of float
        Fractions of the cells that propagation is to leave fixed, which the instances take in turn
        (`unique.steer`); without any, they are as they come.

    Returns
    -------
    DataFrame
        As from `generate`; the deletion is ``unique``.

    Raises
    ------
    InputError
        If an argument is not among those allowed, or no such puzzle is found.
    """
    _check_request(order, fixed, count, seed, source, base)
    check_unique(order, fixed, fixed_after_cp)
    family = family or f"unique_{family_name(order, fixed)}".replace("-", "_")
    after = fixed_after_cp or _AS_IT_IS
    request = order, fixed, count, seed, source, base, UNIQUE
    return _random_family(family, *request, make_all, after)


def check_unique(order: int, fixed: float, fixed_after_cp: Sequence[float] = ()) -> None:
    """Raise `InputError` if no puzzle of a fixed fraction can have exactly one solution.

    Or if propagation cannot leave one of the fractions `fixed_after_cp` of its cells fixed.
    """
    check_grid(order, fixed)
    if order not in bs.ORDERS:
        raise InputError(
            f"order {order}: puzzles with one solution are made up to order {bs.ORDERS[-1]}"
        )
    n_givens, fewest = order**4 - _n_blank(order**4, fixed), _FEWEST_GIVENS.get(order, order**2 - 1)
    if n_givens < fewest:
        raise InputError(
            f"order {order}, fixed fraction {fixed}: {n_givens} givens: a puzzle with one solution "
            f"has at least {fewest}"
        )
    for after in fixed_after_cp:
        if not n_givens <= after * order**4 <= order**4:
            raise InputError(
                f"order {order}, fixed fraction {fixed}: fixed_after_cp {after!r}: must be from "
                f"{n_givens / order**4:.4f}, the {n_givens} givens, to 1"
            )


def solved_grid(
    order: int, rng: np.random.Generator, source: str, base: str = "random"
) -> np.ndarray:
    """A random solved grid: int16, shape (c,); see `generate` for `source` and `base`."""
    if source == "shuffle":
        grid = root_grid(order) if base == "root" else solved_grid(order, rng, "search")
        return shuffled(grid.reshape(order**2, order**2), rng).ravel()
    solver, max_steps = _SEARCHES[source]
    blank, params = Puzzle(order, np.zeros(order**4, int)), _PARAMS.get((source, order), {})
    outcome = solver.solve(blank, solver.Params(**params), rng, Budget(max_steps=max_steps))
    if outcome.solution is None:
        raise InputError(f"order {order}: {solver.TITLE} found no solved grid in {max_steps} steps")
    return outcome.solution


def check_source(source: str, order: int) -> None:
    """Raise `InputError` if there are no solved grids of an order from a source."""
    if source == "acs" and order not in acs.ORDERS:
        raise InputError(
            f"source acs: order {order}: must be from 2 to {acs.ORDERS[-1]}; shuffle and search "
            "make grids of all orders"
        )


def check_base(source: str, base: str) -> None:
    """Raise `InputError` if grids of a source cannot come from a base."""
    if base not in BASES:
        raise InputError(f"base {base!r}: must be {' or '.join(BASES)}")
    if base == "root" and source != "shuffle":
        raise InputError(f"base root: the source must be shuffle, not {source}")


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


def _random_family(
    family, order, fixed, count, seed, source, base, deletion, make_all, after=_AS_IT_IS
):
    origin = f"{source} root" if base == "root" else source

    def make(name, wanted):
        own = seed_of(seed, name, source, 0)
        grids = map(format_integers, _instance(order, fixed, own, source, base, deletion, wanted))
        values = name, family, order, fixed, *grids, own, origin, deletion
        return dict(zip(INSTANCE_COLUMNS, values))

    names = (f"{family}-{number:03d}" for number in range(count))
    calls = ((name, partial(make, name, wanted)) for name, wanted in zip(names, cycle(after)))
    return family_table(list(make_all(calls)))


def _instance(order, fixed, seed, source, base, deletion, after):
    rng = np.random.default_rng(seed)
    if deletion == UNIQUE:
        return _unique_instance(order, fixed, rng, source, base, after)
    solution = solved_grid(order, rng, source, base)
    return delete(solution, fixed, rng, deletion), solution


def _unique_instance(order, fixed, rng, source, base, after):
    """Dig grid after grid until one yields enough blanks, and what propagation is to leave."""
    n_blank, most = _n_blank(order**4, fixed), 0
    n_grids = CELLS_TO_DIG // (order**4 + (MAX_EXCHANGES if after else 0))
    for _ in range(n_grids):
        solution = relabelled(solved_grid(order, rng, source, base), rng)
        puzzle = dig(solution, n_blank, rng)
        n_dug = np.count_nonzero(puzzle == 0)
        most = max(most, n_dug)
        if n_dug == n_blank and after:
            puzzle = steer(puzzle, solution, after, rng)
        if n_dug == n_blank and puzzle is not None:
            return puzzle, solution
    steered = f", with {after} of the cells fixed after propagation" if after else ""
    raise InputError(
        f"order {order}, fixed fraction {fixed}: found no puzzle with one solution{steered} in "
        f"{n_grids} grids: {order**4 - n_blank} givens wanted, {order**4 - most} reached"
    )


def _check_request(order, fixed, count, seed, source, base, deletion="exact"):
    check_grid(order, fixed)
    check_whole("count", count, 1, MAX_COUNT)
    check_whole("seed", seed, 0)
    if source not in SOURCES:
        raise InputError(f"source {source!r}: must be {', '.join(SOURCES[:-1])} or {SOURCES[-1]}")
    check_source(source, order)
    check_base(source, base)
    if deletion not in DELETIONS:
        raise InputError(f"deletion {deletion!r}: must be {' or '.join(DELETIONS)}")
