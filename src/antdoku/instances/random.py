"""Random instances: cells deleted from shuffled grids (Lewis 2007), or from those a search makes.

A grid that is shuffled is a random one. The operators permute rows, columns, bands and stacks, so
they keep what is special about a grid: all grids that come from the root solution alone have its
number of unavoidable sets, which few others have (`puzzle.unavoidable`).

Every random instance has a seed of its own, so that any one of them can be made again, alone.
"""

from collections.abc import Callable, Iterator

import numpy as np

from antdoku import solvers
from antdoku.budget import Budget
from antdoku.errors import InputError, check_whole
from antdoku.instances.family import MAX_COUNT, family_name, seed_of
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.grid import Puzzle, check_order, root_grid

SOURCES = ("shuffle", "acs", "search")
BASES = ("random", "root")  # what is shuffled
DELETIONS = ("exact", "bernoulli")
# By source of grids, what solves a blank one, in how many steps at most. ACS takes one iteration at
# order 3, some hundred at order 7. At order 8 the rule of the preprint finds none in ten thousand,
# the journal's one in a few thousand (half a minute). TabuCol takes a third of a second there; at
# order 10 it takes two to five, and 1.3 GB.
_SEARCHES = {"acs": ("acs_closure", 50_000), "search": ("tabu_col", 10_000_000)}
_PARAMS = {("acs", 8): {"greedy_rule": "journal"}}


def generate(
    order: int,
    fixed: float,
    count: int,
    seed: int,
    source: str = "shuffle",
    deletion: str = "exact",
    base: str = "random",
) -> Iterator[dict]:
    """Yield the rows of random instances; the arguments are those of `antdoku.generate`.

    The deletion ``exact``, of floor((1 - p) c) cells, is that of Lloyd & Amos; ``bernoulli`` that
    of Lewis. The seed of an instance derives from the root seed and the instance's name.
    """
    check_request(order, fixed, count, seed, source, base, deletion)

    def grids(_, rng):
        solution = solved_grid(order, rng, source, base)
        return delete(solution, fixed, rng, deletion), solution

    family = family_name(order, fixed)
    return random_rows(grids, family, order, fixed, count, seed, source, base, deletion)


def grid_solver(source: str, base: str = "random") -> str | None:
    """Name the solver that makes the grids of a source; None if none does."""
    if base == "root":
        return None
    return _SEARCHES["search" if source == "shuffle" else source][0]


def solved_grid(
    order: int, rng: np.random.Generator, source: str, base: str = "random"
) -> np.ndarray:
    """Make a random solved grid: int16, shape (c,); see `generate` for `source` and `base`."""
    if source == "shuffle":
        grid = root_grid(order) if base == "root" else solved_grid(order, rng, "search")
        return shuffled(grid.reshape(order**2, order**2), rng).ravel()
    name, max_steps = _SEARCHES[source]
    solver = solvers.get(name)
    blank, params = Puzzle(order, np.zeros(order**4, int)), _PARAMS.get((source, order), {})
    outcome = solver.solve(blank, solver.Params(**params), rng, Budget(max_steps=max_steps))
    if outcome.solution is None:
        raise InputError(f"order {order}: {solver.TITLE} found no solved grid in {max_steps} steps")
    return outcome.solution


def check_source(source: str, base: str, order: int) -> None:
    """Raise `InputError` if no solved grids of an order come from a source and a base."""
    if base == "root" and source != "shuffle":
        raise InputError(f"base root: the source must be shuffle, not {source}")
    if source == "acs" and order not in (known := solvers.orders(grid_solver(source))):
        remedy = "shuffle and search make grids of all orders"
        raise InputError(f"source acs: order {order}: must be from 2 to {known[-1]}; {remedy}")


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
        puzzle[rng.permutation(grid.size)[: n_blank(grid.size, fixed)]] = 0
    return puzzle


def n_blank(n_cells: int, fixed: float) -> int:
    """Return the number of cells to blank."""
    # Rounded first: 0.55 * 625 must not lose a cell to binary fractions.
    return int(round((1 - fixed) * n_cells, 6))


def _line_order(order, rng):
    """Draw a permutation of d rows that keeps bands together (or of columns, and stacks)."""
    blocks = rng.permutation(order)
    inside = [rng.permutation(order) for _ in range(order)]
    return np.concatenate([order * block + lines for block, lines in zip(blocks, inside)])


def relabelled(grid: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Permute the values of a flat grid; blanks stay blank."""
    values = 1 + rng.permutation(round(grid.size**0.5))
    return np.append(0, values).astype(grid.dtype)[grid]


def random_rows(
    grids: Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]],
    family: str,
    order: int,
    fixed: float,
    count: int,
    seed: int,
    source: str,
    base: str,
    deletion: str,
) -> Iterator[dict]:
    """Yield the rows of a family of instances, each with random numbers of its own.

    `grids` returns the puzzle and its solution for the number of an instance and its generator. The
    base ``root`` becomes a part of the source.
    """
    columns = {"family": family, "order": order, "fixed_fraction": fixed, "deletion": deletion}
    columns["source"] = f"{source} root" if base == "root" else source
    for number, name in enumerate(instance_names(family, count)):
        own = seed_of(seed, name, source, 0)
        puzzle, solution = map(format_integers, grids(number, np.random.default_rng(own)))
        yield columns | {"instance_id": name, "puzzle": puzzle, "solution": solution, "seed": own}


def instance_names(family: str, count: int) -> list[str]:
    """Name the instances of a random family."""
    return [f"{family}-{number:03d}" for number in range(count)]


def check_request(order, fixed, count, seed, source, base, deletion="exact"):
    """Raise `InputError` if an argument of `generate` is not among those allowed."""
    check_order(order)
    if not isinstance(fixed, int | float | np.number) or not 0 <= fixed <= 1:
        raise InputError(f"fixed fraction {fixed!r}: must be from 0 to 1")
    check_whole("count", count, 1, MAX_COUNT)
    check_whole("seed", seed, 0)
    words = ("source", source, SOURCES), ("base", base, BASES), ("deletion", deletion, DELETIONS)
    for name, value, allowed in words:
        if value not in allowed:
            raise InputError(f"{name} {value!r}: must be {' or '.join(allowed)}")
    check_source(source, base, order)
