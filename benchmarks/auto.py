"""Compare `auto` with the best of the other solvers.

    python benchmarks/auto.py

Times are mean CPU seconds. A run that neither solves the puzzle nor proves that it has no
solution counts as twice the limit.
"""

from collections.abc import Callable
from typing import NamedTuple

import click
import numpy as np

import antdoku
from antdoku.errors import InputError
from antdoku.outcome import EXHAUSTED, SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.statistics import PAR_FACTOR

EXACT = ("bs_closure", "dlx", "cdcl")  # can prove that there is no solution


class Family(NamedTuple):
    """A function that makes the puzzles, the rivals of `auto`, and the limit of a run."""

    puzzles: Callable[[], list[Puzzle]]
    rivals: tuple[str, ...] = (*EXACT, "tabu_col")
    limit_s: float = 3


def random(order: int, percent: int, count: int = 10, **options) -> list[Puzzle]:
    """Generate puzzles."""
    return antdoku.generate(order, percent / 100, count, seed=1, **options)


def changed(puzzles: list[Puzzle]) -> list[Puzzle]:
    """Return the puzzles with another value for one given each: some have no solution."""
    rng = np.random.default_rng(1)
    return [_changed(puzzle, rng) for puzzle in puzzles]


def _changed(puzzle, rng):
    while True:
        givens, cell = puzzle.givens.copy(), rng.choice(np.flatnonzero(puzzle.givens))
        givens[cell] = rng.choice(np.delete(np.arange(1, puzzle.size + 1), givens[cell] - 1))
        try:
            return Puzzle(puzzle.order, givens, puzzle.name)
        except InputError:  # a unit of the cell has this value already
            continue


FAMILIES = {
    "9x9, 17 clues": Family(lambda: named.puzzles("seventeen_clue")[:50]),
    "16x16, 36 %, unique": Family(lambda: random(4, 36, 20, unique=True)),
    "16x16, 36 %, a given changed": Family(lambda: changed(random(4, 36, 100, unique=True)), EXACT),
    "25x25, 45 %": Family(lambda: random(5, 45, 20)),
    "25x25, 45 %, a given changed": Family(lambda: changed(random(5, 45, 100)), EXACT),
    "25x25, 50 %, a given changed": Family(lambda: changed(random(5, 50, 100)), EXACT),
    "36x36, 40 %": Family(lambda: random(6, 40, 5, source="search")),
    # The exact solvers solve none of these.
    "36x36, 50 %": Family(lambda: random(6, 50, 20, source="search"), ("tabu_col",), 30),
    "64x64, 40 %": Family(lambda: random(8, 40, 3, source="search")),
}


def seconds(family: Family, puzzles: list[Puzzle]) -> dict[str, float]:
    """Return the mean seconds of `auto` and its rivals."""
    return {
        solver: float(np.mean([_cost(puzzle, solver, family.limit_s) for puzzle in puzzles]))
        for solver in ("auto", *family.rivals)
    }


def _cost(puzzle, solver, limit_s):
    """Return PAR2 of a run. All get one seed, so `auto` does the same searches as its parts."""
    result = antdoku.solve(puzzle, solver, seed=1, timeout=limit_s)
    return result.cpu_s if result.status in (SOLVED, EXHAUSTED) else PAR_FACTOR * limit_s


@click.command()
def main():
    """Measure all families, and print a table."""
    click.echo("| puzzles | number | `auto`, s | the best, s | the best is | ratio |")
    click.echo("| --- " * 6 + "|")
    for label, family in FAMILIES.items():
        puzzles = family.puzzles()
        means = seconds(family, puzzles)
        auto_s = means.pop("auto")
        best = min(means, key=means.get)
        figures = f"{auto_s:.3g} | {means[best]:.3g} | `{best}` | {auto_s / means[best]:.2g}"
        click.echo(f"| {label} | {len(puzzles)} | {figures} |")


if __name__ == "__main__":
    main()
