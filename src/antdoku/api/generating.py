"""Generate random puzzles."""

from __future__ import annotations  # `help` shows the types as they are written here

from typing import Any

from antdoku.api.arguments import checked_seed
from antdoku.errors import InputError, as_int, check_whole
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.writing import read_integers
from antdoku.reading.cells import ORDER_OF_SIZE


def generate(
    order: int | None = None,
    fixed: float | None = None,
    count: int = 1,
    seed: int | None = 1,
    *,
    size: int | None = None,
    clues: int | None = None,
    source: str = "shuffle",
    deletion: str = "exact",
    base: str = "random",
    unique: bool = False,
    minimal: bool = False,
) -> list[Puzzle]:
    """Generate random puzzles that have a solution.

    Parameters
    ----------
    order : int
        Side of a box, 2 to 10; 3 is the usual Sudoku.
    fixed : float
        Fraction of the cells that are given, 0 to 1; their number is rounded up.
    count : int
        Number of puzzles.
    seed : int or None
        The same seed gives the same puzzles. None draws a seed. The names of puzzles hold it, and
        all arguments that are not the default.
    size : int
        Side of the grid, in place of `order`: 9 is the usual.
    clues : int
        Number of cells that are given, in place of `fixed`.
    source : str
        Solved grids from the ``shuffle`` operators of Lewis 2007, or from a blank grid by ``acs``,
        up to order 8, or by ``search``, which is `tabu_col`.
    deletion : str
        ``exact``: blank an exact number of cells; ``bernoulli``: each with the same probability.
    base : str
        The grid that ``shuffle`` begins with: a ``random`` one for each puzzle, which ``search``
        finds, or always the ``root`` solution of Lewis. Grids from the root are not typical.
    unique : bool
        Only puzzles with exactly one solution, which is proved.
    minimal : bool
        Only unique puzzles of which every given is needed.

    Raises
    ------
    InputError
        If an argument is not allowed, or no such puzzle is found.

    Examples
    --------
    >>> import antdoku
    >>> puzzle, = antdoku.generate(order=2, fixed=0.5, seed=1)
    >>> puzzle.n_givens, antdoku.solve(puzzle, "dlx").status
    (8, 'solved')
    """
    request: dict[str, Any] = {"order": order, "fixed": fixed, "size": size, "clues": clues}
    request |= {"count": count, "seed": seed, "source": source, "deletion": deletion, "base": base}
    rows = generate_rows(**request, unique=unique, minimal=minimal)
    return [read_integers(row["puzzle"], row["instance_id"]) for row in rows]


def generate_rows(*, order, fixed, size, clues, count, seed, deletion, unique, minimal, **sources):
    """Yield rows with `columns.INSTANCE_COLUMNS`, each as soon as its puzzle is made."""
    from antdoku.instances import random
    from antdoku.instances.family import MAX_COUNT, family_name
    from antdoku.instances.unique import generate_unique

    size = None if size is None else check_whole("size", size, 4, 100)
    side = ORDER_OF_SIZE.get(size) if order is None else random.check_asked_order(as_int(order))
    for pair in ({"order": order, "size": size}, {"fixed": fixed, "clues": clues}):
        if [*pair.values()].count(None) != 1:
            given = " and ".join(
                f"{name}={value}" for name, value in pair.items() if value is not None
            )
            raise InputError(f"{given or ' or '.join(pair)}: give one of the two")
    if side is None:
        raise InputError(f"size {size!r}: must be one of {', '.join(map(str, ORDER_OF_SIZE))}")
    if clues is not None:
        clues = check_whole("clues", clues, 0, side**4)
        fixed = clues / side**4
    count, seed = check_whole("count", count, 1, MAX_COUNT), checked_seed(seed)
    recipe = random.Recipe(side, fixed, count, seed, deletion=deletion, **sources)
    if not (unique or minimal):
        rows = random.generate(recipe)
    elif deletion != "exact":
        raise InputError(f"deletion {deletion!r}: unique puzzles blank an exact number of cells")
    else:
        rows = generate_unique(recipe, minimal=minimal)
    usual = {"shuffle", "random", "exact"}
    kinds = [word for word in (*sources.values(), deletion) if word not in usual]
    if minimal or unique:
        kinds.append("minimal" if minimal else "unique")
    givens = family_name(side, fixed) if clues is None else f"order{side}-{clues}clues"
    # Different puzzles have different names, so that tables may be joined.
    prefix = "-".join([*kinds, givens, f"seed{seed}"])
    return (row | {"instance_id": f"{prefix}-{n:03d}"} for n, row in enumerate(rows))
