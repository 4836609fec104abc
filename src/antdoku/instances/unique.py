"""Puzzles with exactly one solution, dug out of a solved grid.

Cells are blanked one by one in random order. A blank stays only if a search refutes every other
value of the cell. Each solution of the new puzzle then has the old value there, so it is a solution
of the puzzle before, which had only one. The given is put back if another value leads to a
solution, or if the search does not end within a number of steps and so proves nothing.

Propagation solves most of these puzzles at order 3. To reach a given fraction of fixed cells after
propagation, `steer` exchanges givens for blanks.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.instances.family import family_name
from antdoku.instances.random import Recipe, n_blank, random_rows, relabelled, solved_grid
from antdoku.kernels import lanes
from antdoku.kernels.closure import closure, profile
from antdoku.outcome import EXHAUSTED
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import bs_closure, dlx

# Values tried to refute one rival. From order 5 on the limit matters: the more tries, the harder
# the puzzles are for a depth-first search (docs/deviations.md).
MAX_TRIES = 10_000
# Exchanges of a given for a blank, tried to steer one puzzle. Puzzles like Lewis's Table 1 took up
# to 251 (median of a row), at most 2,580 (docs/deviations.md).
MAX_EXCHANGES = 3_000
# Cells of all grids that an instance may use: 246 grids at order 3, 32 at order 5. `steer` counts
# each exchange as a cell: with it an instance may use 6 grids at order 3, 5 at order 5.
CELLS_TO_DIG = 20_000
# Fewest givens of a puzzle with one solution, by order: exhaustive searches, McGuire et al. 2014.
FEWEST = {2: 4, 3: 17}
TOLERANCE = 0.01  # of a fixed fraction after propagation: papers print it to two decimals


def generate_unique(
    recipe: Recipe,
    family: str | None = None,
    fixed_after_cp: Sequence[float] = (),
    minimal: bool = False,
) -> Iterator[dict]:
    """Yield the rows of random instances with exactly one solution, which `dig` proves.

    As `random.generate` with exact deletion, but the grids are relabelled. Seeds depend on the name
    of the family, by default ``unique_order4_p040``. The instances take the fractions of cells
    fixed after propagation in turn (`steer`); without fractions, any puzzle is accepted. Every
    given of a `minimal` puzzle is necessary for its one solution.
    """
    check_unique(recipe.order, recipe.fixed, fixed_after_cp)
    family = family or f"unique_{family_name(recipe.order, recipe.fixed)}".replace("-", "_")

    def grids(number, rng):
        after = fixed_after_cp[number % len(fixed_after_cp)] if fixed_after_cp else None
        return _instance(recipe, rng, after, minimal)

    return random_rows(grids, family, recipe, "unique")


def check_unique(order: int, fixed: float, fixed_after_cp: Sequence[float] = ()) -> None:
    """Raise `InputError` if `generate_unique` cannot make puzzles of an order and a fixed fraction.

    Or if a fraction after propagation is smaller than the fraction of given cells, or more than 1.
    """
    if order not in bs_closure.ORDERS:
        highest = bs_closure.ORDERS[-1]
        text = f"puzzles with one solution are made up to order {highest}"
        raise InputError(text, f"order {order}")
    n_givens = order**4 - n_blank(order**4, fixed)
    if n_givens < FEWEST.get(order, 0):
        text = f"{n_givens} givens (clues): a puzzle with one solution has {FEWEST[order]} or more"
        raise InputError(text, f"order {order}")
    for after in fixed_after_cp:
        if not n_givens <= after * order**4 <= order**4:
            text = f"must be from {n_givens / order**4:.4f}, the {n_givens} givens, to 1"
            argument = f"order {order}, fixed fraction {fixed}: fixed_after_cp {after!r}"
            raise InputError(text, argument)


def _instance(recipe, rng, after, minimal):
    """Dig grid after grid until a puzzle has the givens, and the other properties, asked for."""
    n_cells = recipe.order**4
    n_givens = n_cells - n_blank(n_cells, recipe.fixed)
    n_reached = []
    n_grids = CELLS_TO_DIG // (n_cells + (MAX_EXCHANGES if after else 0))
    for _ in range(n_grids):
        grid = solved_grid(recipe.order, rng, recipe.source, recipe.base)
        solution = relabelled(grid, rng)
        puzzle = dig(solution, n_cells - (0 if minimal else n_givens), rng)
        n_reached.append(np.count_nonzero(puzzle))
        if n_reached[-1] != n_givens:
            continue
        if after:
            puzzle = steer(puzzle, solution, after, rng)
        if puzzle is not None and not (minimal and _has_needless(puzzle)):
            return puzzle, solution
    kind = "minimal puzzle" if minimal else "puzzle with one solution"
    steered = f", with {after} of the cells fixed after propagation" if after else ""
    numbers = f"{n_givens} givens (clues) asked for, {min(n_reached)} to {max(n_reached)} reached"
    text = f"found no {kind}{steered} in {n_grids} grids: {numbers}"
    remedy = None if n_givens in n_reached else "ask for a number that was reached"
    raise InputError(text, f"order {recipe.order}", remedy=remedy)


def dig(solution: np.ndarray, n_blank: int, rng: np.random.Generator) -> np.ndarray:
    """Blank cells of a flat solved grid as long as the solution provably stays the only one.

    The puzzle has fewer than `n_blank` blanks if no further given can be removed.
    """
    puzzle = solution.copy()
    for cell in rng.permutation(solution.size):
        if n_blank == 0:
            break
        puzzle[cell] = 0
        if is_forced(puzzle, cell, solution[cell]):
            n_blank -= 1
        else:
            puzzle[cell] = solution[cell]
    return puzzle


def steer(
    puzzle: np.ndarray, solution: np.ndarray, fixed_after_cp: float, rng: np.random.Generator
) -> np.ndarray | None:
    """Exchange givens for blanks until the fraction of cells fixed after propagation is reached.

    Each exchange swaps a given and a blank, both drawn at random. It is kept if the solution
    provably stays the only one and the distance to the fraction does not grow. Returns a puzzle
    within `TOLERANCE` of the fraction, or within half a cell if that is more; None if
    `MAX_EXCHANGES` do not lead to such a puzzle.
    """
    distance, tolerance = _distance(puzzle, fixed_after_cp), max(TOLERANCE, 0.5 / puzzle.size)
    for _ in range(MAX_EXCHANGES):
        if distance <= tolerance:
            return puzzle
        given, blank = (rng.choice(np.flatnonzero(is_one)) for is_one in (puzzle, puzzle == 0))
        candidate = puzzle.copy()
        candidate[given], candidate[blank] = 0, solution[blank]
        distance_now = _distance(candidate, fixed_after_cp)
        if distance_now <= distance and is_forced(candidate, given, solution[given]):
            puzzle, distance = candidate, distance_now
    return None


def _distance(puzzle, fixed_after_cp):
    """Return the distance of the fraction of cells fixed after propagation to a fraction."""
    return abs(profile(_puzzle(puzzle)).fixed - fixed_after_cp)


def _puzzle(givens):
    return Puzzle(round(givens.size**0.25), givens)


def is_forced(givens: np.ndarray, cell: int, value: int) -> bool:
    """Whether a search proves that all solutions of a puzzle have this value in a blank cell."""
    if givens.size == 3**4:
        return _is_forced_in_lanes(givens, cell, value)
    rivals = np.flatnonzero(closure(_puzzle(givens))[0][cell]) + 1
    return all(_is_refuted(givens, cell, rival) for rival in rivals if rival != value)


def is_needed(puzzle: Puzzle, cell: int, budget: Budget) -> bool | None:
    """Whether a puzzle with one solution has more without a given; None if the budget is spent."""
    rest = puzzle.givens.copy()
    rest[cell] = 0
    number, is_certain = dlx.count(Puzzle(puzzle.order, rest), 2, budget)
    return number > 1 if is_certain else None


def _has_needless(givens):
    """Whether a given may be needless: no search proves that each of them is needed."""
    puzzle = _puzzle(givens)
    cells = np.flatnonzero(givens)
    return not all(is_needed(puzzle, cell, Budget(max_steps=MAX_TRIES)) for cell in cells)


def _is_forced_in_lanes(givens, cell, value):
    """Decide `is_forced` at order 3, with all values of the cell at once."""
    values = np.arange(1, 10, dtype=np.uint8)
    grids = np.tile(givens.astype(np.uint8), (values.size, 1))
    grids[:, cell] = values
    search, answers = lanes.new_search(), lanes.new_answers(values.size)
    lanes.advance(search, grids, answers, 1, MAX_TRIES, lanes.NO_LIMIT)
    is_refuted = (answers.counts == 0) & (answers.status != lanes.CUT)
    return bool(is_refuted[values != value].all())


def _is_refuted(givens, cell, rival):
    puzzle = _puzzle(np.where(np.arange(givens.size) == cell, rival, givens))
    no_rng, budget = None, Budget(max_steps=MAX_TRIES)  # bs draws no random numbers
    return bs_closure.solve(puzzle, bs_closure.Params(), no_rng, budget).status == EXHAUSTED
