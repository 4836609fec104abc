"""Random instances: cells deleted from shuffled grids (Lewis 2007), or from grids of a search.

By default the grid that is shuffled is itself random. The operators permute rows, columns, bands
and stacks, and so keep the number of unavoidable sets. All grids shuffled from the root solution
have the same number, which is rare among grids (`puzzle.unavoidable`).

Every random instance has its own seed, so it can be made again without the others.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np

from antdoku import solvers
from antdoku.budget import Budget
from antdoku.errors import InputError, check_whole
from antdoku.instances.family import MAX_COUNT, family_name, instance_names, seed_of
from antdoku.puzzle.grid import MAX_ORDER, MIN_ORDER, Puzzle, check_order, root_grid
from antdoku.puzzle.writing import format_integers

SOURCES = ("shuffle", "acs", "search")
BASES = ("random", "root")  # the grid that is shuffled
DELETIONS = ("exact", "bernoulli")
# The solver that fills a blank grid, and its most steps, by source. ACS takes one iteration at
# order 3 and some hundred at order 7. At order 8 the preprint's rule finds no grid in ten thousand,
# and the journal's rule finds one in a few thousand (half a minute). TabuCol takes a third of a
# second at order 8; at order 10 it takes two to five seconds, and 1.3 GB.
_SEARCHES = {"acs": ("acs_closure", 50_000), "search": ("tabu_col", 10_000_000)}
_PARAMS = {("acs", 8): {"greedy_rule": "journal"}}


@dataclass(frozen=True)
class Recipe:
    """Random instances that are asked for; `antdoku.generate` explains the fields.

    The deletion ``exact`` blanks floor((1 - p) c) cells, as Lloyd & Amos do; ``bernoulli`` blanks
    each cell with probability 1 - p, as Lewis does. Raises `InputError` for other values.
    """

    order: int
    fixed: float
    count: int
    seed: int
    source: str = "shuffle"
    base: str = "random"
    deletion: str = "exact"

    def __post_init__(self):
        check_asked_order(self.order)
        if not isinstance(self.fixed, int | float | np.number) or not 0 <= self.fixed <= 1:
            is_percent = isinstance(self.fixed, int | float) and 1 < self.fixed <= 100
            remedy = f"{self.fixed:g} % is {self.fixed / 100:g}" if is_percent else None
            raise InputError("must be from 0 to 1", f"fixed fraction {self.fixed!r}", remedy=remedy)
        check_whole("count", self.count, 1, MAX_COUNT)
        check_whole("seed", self.seed, 0)
        check_word("source", self.source, SOURCES)
        check_word("base", self.base, BASES)
        check_word("deletion", self.deletion, DELETIONS)
        check_source(self.source, self.base, self.order)


def generate(recipe: Recipe) -> Iterator[dict]:
    """Yield the rows of random instances.

    The seed of an instance derives from the root seed and the name of the instance.
    """

    def grids(_, rng):
        solution = solved_grid(recipe.order, rng, recipe.source, recipe.base)
        return delete(solution, recipe.fixed, rng, recipe.deletion), solution

    family = family_name(recipe.order, recipe.fixed)
    return random_rows(grids, family, recipe, recipe.deletion)


def grid_solver(source: str, base: str = "random") -> str | None:
    """Return the name of the solver that makes the grids of a source, or None."""
    if base == "root":
        return None
    return _SEARCHES["search" if source == "shuffle" else source][0]


def solved_grid(
    order: int, rng: np.random.Generator, source: str, base: str = "random"
) -> np.ndarray:
    """Make a random solved grid: int16, shape (c,); see `Recipe` for `source` and `base`."""
    if source == "shuffle":
        grid = root_grid(order) if base == "root" else solved_grid(order, rng, "search")
        return shuffled(grid.reshape(order**2, order**2), rng).ravel()
    name, max_steps = _SEARCHES[source]
    solver = solvers.get(name)
    blank, params = Puzzle(order, np.zeros(order**4, int)), _PARAMS.get((source, order), {})
    outcome = solver.solve(blank, solver.Params(**params), rng, Budget(max_steps=max_steps))
    if outcome.solution is None:
        raise InputError(
            f"{solver.TITLE} found no solved grid in {max_steps} steps", f"order {order}"
        )
    return outcome.solution


def check_source(source: str, base: str, order: int) -> None:
    """Raise `InputError` if a source with a base makes no solved grids of an order."""
    if base == "root" and source != "shuffle":
        raise InputError(f"the source must be shuffle, not {source}", "base root")
    if source != "acs":
        return
    orders = solvers.get(grid_solver(source)).ORDERS
    if order not in orders:
        text, remedy = (
            f"must be from 2 to {orders[-1]}",
            "shuffle and search make grids of all orders",
        )
        raise InputError(text, f"source acs: order {order}", remedy=remedy)


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
    """Blank cells of a flat solved grid; see `Recipe` for `deletion`."""
    puzzle = grid.copy()
    if deletion == "bernoulli":
        puzzle[rng.random(grid.size) >= fixed] = 0
    else:
        puzzle[rng.permutation(grid.size)[: n_blank(grid.size, fixed)]] = 0
    return puzzle


def n_blank(n_cells: int, fixed: float) -> int:
    """Return the number of cells to blank."""
    # Rounded first: otherwise 0.55 * 625 loses a cell to binary fractions.
    return int(round((1 - fixed) * n_cells, 6))


def _line_order(order, rng):
    """Draw a permutation of d rows that keeps bands together, or of d columns, and stacks."""
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
    recipe: Recipe,
    deletion: str,
) -> Iterator[dict]:
    """Yield the rows of a family of instances, each made with its own random numbers.

    `grids` returns a puzzle and its solution, from the number of an instance and a generator. The
    column `source` also names the base ``root``.
    """
    source = f"{recipe.source} root" if recipe.base == "root" else recipe.source
    columns = {"family": family, "order": recipe.order, "fixed_fraction": recipe.fixed}
    columns |= {"source": source, "deletion": deletion}
    for number, name in enumerate(instance_names(family, recipe.count)):
        seed = seed_of(recipe.seed, name, recipe.source, 0)
        row = columns | {"instance_id": name, "seed": seed}
        puzzle, solution = grids(number, np.random.default_rng(seed))
        row["puzzle"], row["solution"] = format_integers(puzzle), format_integers(solution)
        yield row


def check_asked_order(order: int) -> int:
    """Return `order`; the `InputError` for another one says if it may be meant as a size."""
    if isinstance(order, int) and order > MAX_ORDER and isqrt(order) ** 2 == order:
        text = f"order {order}: must be a whole number from {MIN_ORDER} to {MAX_ORDER}"
        raise InputError(text, remedy=as_size(order))
    return check_order(order)


def as_size(order: int) -> str:
    """Return a text for an order that may be meant as a size: ``16x16 is order 4``."""
    return f"{order}x{order} is order {isqrt(order)}"


def check_word(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise `InputError` if the argument called `name` is not one of the allowed words."""
    if value not in allowed:
        raise InputError(f"must be {' or '.join(allowed)}", f"{name} {value!r}")
