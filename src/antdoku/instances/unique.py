"""Puzzles with exactly one solution, dug out of a solved grid.

Cells are blanked one by one in random order. A blank stays only if a search refutes every other
value of the cell: each solution of the new puzzle then has the old value there, so it is a solution
of the puzzle before, which had only one. A search that does not end within a number of steps proves
nothing, and the given is put back, as it is if another value leads to a solution.

How much of such a puzzle propagation fixes is a matter of luck, and most of those of order 3 it
solves. To have puzzles of which it leaves as much as of others, givens are exchanged for blanks.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.instances.family import family_name
from antdoku.instances.random import check_request, n_blank, random_rows, relabelled, solved_grid
from antdoku.kernels import lanes
from antdoku.kernels.closure import closure, profile
from antdoku.outcome import EXHAUSTED
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import bs_closure, dlx

# Values tried to refute one rival. From order 5 on the limit is felt: the more tries, the harder
# the puzzles are for a depth-first search (docs/deviations.md).
MAX_TRIES = 10_000
# Of a given for a blank, tried to steer one puzzle. Those like the puzzles of Lewis's Table 1 took
# up to 251 (median of a row), at most 2,580 (docs/deviations.md).
MAX_EXCHANGES = 3_000
# Of all the grids that an instance may take: 246 at order 3, 32 at order 5. An exchange of `steer`
# counts as one: with it an instance may take 6 grids at order 3, 5 at order 5.
CELLS_TO_DIG = 20_000
TOLERANCE = 0.01  # of a fixed fraction after propagation: papers print it to two decimals


def generate_unique(
    order: int,
    fixed: float,
    count: int,
    seed: int,
    source: str = "shuffle",
    family: str | None = None,
    fixed_after_cp: Sequence[float] = (),
    base: str = "random",
    minimal: bool = False,
) -> Iterator[dict]:
    """Yield the rows of random instances with exactly one solution, which `dig` proves.

    As `random.generate` with exact deletion. The grids are relabelled, too. Seeds depend on the
    name of the family, ``unique_order4_p040`` by default. The instances take in turn the fractions
    of the cells that propagation is to leave fixed (`steer`); without any, they are as they come.
    Of `minimal` ones no given can go.
    """
    check_request(order, fixed, count, seed, source, base)
    check_unique(order, fixed, fixed_after_cp)
    family = family or f"unique_{family_name(order, fixed)}".replace("-", "_")

    def grids(number, rng):
        wanted = fixed_after_cp[number % len(fixed_after_cp)] if fixed_after_cp else None
        return _instance(order, fixed, rng, source, base, wanted, minimal)

    return random_rows(grids, family, order, fixed, count, seed, source, base, "unique")


def check_unique(order: int, fixed: float, fixed_after_cp: Sequence[float] = ()) -> None:
    """Raise `InputError` if there are no such puzzles of an order and a fixed fraction.

    Or if propagation cannot leave one of the fractions `fixed_after_cp` of its cells fixed.
    """
    if order not in bs_closure.ORDERS:
        most = bs_closure.ORDERS[-1]
        raise InputError(f"order {order}: puzzles with one solution are made up to order {most}")
    n_givens = order**4 - n_blank(order**4, fixed)
    for after in fixed_after_cp:
        if not n_givens <= after * order**4 <= order**4:
            raise InputError(
                f"order {order}, fixed fraction {fixed}: fixed_after_cp {after!r}: must be from "
                f"{n_givens / order**4:.4f}, the {n_givens} givens, to 1"
            )


def _instance(order, fixed, rng, source, base, after, minimal):
    """Dig grid after grid until one yields enough blanks, and what else is wanted."""
    wanted, reached = order**4 - n_blank(order**4, fixed), []
    n_grids = CELLS_TO_DIG // (order**4 + (MAX_EXCHANGES if after else 0))
    for _ in range(n_grids):
        solution = relabelled(solved_grid(order, rng, source, base), rng)
        puzzle = dig(solution, order**4 - (0 if minimal else wanted), rng)
        reached.append(np.count_nonzero(puzzle))
        if reached[-1] == wanted and after:
            puzzle = steer(puzzle, solution, after, rng)
        if reached[-1] == wanted and puzzle is not None and not (minimal and _has_needless(puzzle)):
            return puzzle, solution
    kind = "minimal puzzle" if minimal else "puzzle with one solution"
    steered = f", with {after} of the cells fixed after propagation" if after else ""
    remedy = ": ask for one of these" if wanted not in reached else ""
    raise InputError(
        f"order {order}, fixed fraction {fixed:.4g}: found no {kind}{steered} in {n_grids} grids: "
        f"{wanted} givens (clues) wanted, {min(reached)} to {max(reached)} reached{remedy}"
    )


def dig(solution: np.ndarray, n_blank: int, rng: np.random.Generator) -> np.ndarray:
    """Blank cells of a flat solved grid as long as the solution provably stays the only one.

    Fewer than `n_blank` are blank if no other given could go.
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
    """Exchange givens for blanks until propagation leaves a wanted fraction of the cells fixed.

    One given for one blank, both drawn at random, as long as the solution provably stays the only
    one and the fraction comes no farther from the wanted one. The puzzle returned is within
    `TOLERANCE` of it, or half a cell where that is more. None if `MAX_EXCHANGES` do not lead there.
    """
    off, tolerance = _off(puzzle, fixed_after_cp), max(TOLERANCE, 0.5 / puzzle.size)
    for _ in range(MAX_EXCHANGES):
        if off <= tolerance:
            return puzzle
        given, blank = (rng.choice(np.flatnonzero(is_one)) for is_one in (puzzle, puzzle == 0))
        other = puzzle.copy()
        other[given], other[blank] = 0, solution[blank]
        now = _off(other, fixed_after_cp)
        if now <= off and is_forced(other, given, solution[given]):
            puzzle, off = other, now
    return None


def _off(puzzle, fixed_after_cp):
    """Measure how far propagation is from fixing a fraction of the cells."""
    return abs(profile(_puzzle(puzzle)).fixed - fixed_after_cp)


def _puzzle(givens):
    return Puzzle(round(givens.size**0.25), givens)


def is_forced(givens: np.ndarray, cell: int, value: int) -> bool:
    """Tell whether it is proved that no solution of a puzzle has another value in a blank cell."""
    if givens.size == 3**4:
        return _is_forced_in_lanes(givens, cell, value)
    rivals = np.flatnonzero(closure(_puzzle(givens))[0][cell]) + 1
    return all(_is_refuted(givens, cell, rival) for rival in rivals if rival != value)


def is_needed(puzzle: Puzzle, cell: int, budget: Budget) -> bool | None:
    """Tell whether a puzzle with one solution has more without a given; None if time is up."""
    rest = puzzle.givens.copy()
    rest[cell] = 0
    number, is_certain = dlx.count(Puzzle(puzzle.order, rest), 2, budget)
    return number > 1 if is_certain else None


def _has_needless(givens):
    """Tell whether a given can go, or it is not proved that none can."""
    budgets = ((cell, Budget(max_steps=MAX_TRIES)) for cell in np.flatnonzero(givens))
    return not all(is_needed(_puzzle(givens), *each) for each in budgets)


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
