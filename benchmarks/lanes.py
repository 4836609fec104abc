"""9x9 puzzles a second: in lanes, one by one by backtracking, and by tdoku.

    python benchmarks/lanes.py [FOLDER]

FOLDER holds a checkout of https://github.com/t-dillon/tdoku; without it there are ours alone. All
solve the same puzzles in this process, in turn, on one core, round after round; a rate is that of
the median of the CPU times. No puzzle stands there twice: published ones get other values, rows and
columns, as a processor learns the branches of puzzles that it sees again.
"""

import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import numpy as np

import antdoku
from antdoku import bulk
from antdoku.budget import Budget
from antdoku.kernels import lanes
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.provenance import machine
from antdoku.solvers import bs_closure

BUILD = (
    "g++ -O3 -march=native -shared -fPIC -o {} src/solver_dpll_triad_simd.cc src/util.cc -x c++ -"
)
LOOP = """
#include <cstddef>
extern "C" size_t TdokuSolverDpllTriadSimd(const char *, size_t, unsigned, char *, size_t *);
extern "C" size_t solve_all(const char *lines, size_t number, size_t limit) {
  char solution[81];
  size_t guesses, found = 0;
  for (size_t k = 0; k < number; ++k)
    found += TdokuSolverDpllTriadSimd(lines + 82 * k, limit, 0, solution, &guesses);
  return found;
}
"""
COUNT = 20_000  # puzzles of a family
PART = 20  # of them, every so many-th is enough for a solver that takes them one by one
Grids = np.ndarray


def permuted(grids: Grids, count: int, seed: int = 1) -> Grids:
    """So many grids, each one of the given ones with values, rows and columns permuted."""
    rng = np.random.default_rng(seed)
    return np.array([_permuted(grids[k % len(grids)], rng) for k in range(count)], np.uint8)


def _permuted(grid, rng):
    rows, columns = (
        np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
        for _ in range(2)
    )
    values = np.r_[0, rng.permutation(9) + 1]
    grid = values[grid.reshape(9, 9)][rows][:, columns]
    return (grid.T if rng.random() < 0.5 else grid).ravel()


def givens(puzzles: list[Puzzle]) -> Grids:
    """Puzzles as an array."""
    return np.array([puzzle.givens for puzzle in puzzles])


FAMILIES: dict[str, Callable[[], Grids]] = {
    "17 clues, permuted": lambda: givens(named.puzzles("seventeen_clue")),
    "40 % given, permuted": lambda: givens(antdoku.generate(3, 0.4, 1000, seed=1)),
    "40 % given, one solution, permuted": lambda: givens(
        antdoku.generate(3, 0.4, 300, seed=1, unique=True)
    ),
    "the papers' puzzles, permuted": lambda: givens(
        [puzzle for puzzle in named.puzzles("all") if puzzle.order == 3]
    ),
}


def in_lanes(grids: Grids, limit: int = 1) -> None:
    """The kernel alone."""
    search, answers = lanes.new_search(), lanes.new_answers(len(grids))
    lanes.advance(search, grids, answers, limit, lanes.NO_LIMIT, lanes.NO_LIMIT)


def judged(grids: Grids) -> None:
    """All that `solve_grids` does, on one core."""
    bulk.solve_grids(grids, jobs=1)


def one_by_one(puzzles: list[Puzzle]) -> None:
    """`bs_closure`, from puzzles that are made already."""
    for puzzle in puzzles:
        bs_closure.solve(puzzle, bs_closure.Params(), None, Budget())


def tdoku(folder: Path) -> Callable[[bytes], None]:
    """Its solver, called in a loop of its own language."""
    with tempfile.TemporaryDirectory() as built:
        library = Path(built, "tdoku.so")
        command = BUILD.format(library).split()
        subprocess.run(command, input=LOOP.encode(), cwd=folder, check=True)
        loop = ctypes.CDLL(library).solve_all
    loop.argtypes = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t
    return lambda lines: loop(lines, len(lines) // 82, 1)


def as_lines(grids: Grids) -> bytes:
    """Puzzles as tdoku reads them."""
    signs = np.where(grids == 0, ord("."), grids + ord("0")).astype(np.uint8)
    return np.pad(signs, ((0, 0), (0, 1)), constant_values=ord("\n")).tobytes()


def rates(grids: Grids, peer: Callable | None, repeats: int) -> dict[str, float]:
    """Puzzles a second of all, by their names."""
    few = [Puzzle(3, grid) for grid in grids[::PART]]
    calls = {"tdoku": (len(grids), partial(peer, as_lines(grids)))} if peer else {}
    calls |= {
        "`bs_closure`": (len(few), partial(one_by_one, few)),
        "lanes": (len(grids), partial(in_lanes, grids)),
        "lanes, counting to two": (len(grids), partial(in_lanes, grids, 2)),
        "`solve_grids`": (len(grids), partial(judged, grids)),
    }
    times = [{name: seconds(call) for name, (_, call) in calls.items()} for _ in range(repeats)]
    return {
        name: number / np.median([each[name] for each in times[1:]])
        for name, (number, _) in calls.items()
    }


def seconds(call: Callable[[], object]) -> float:
    """CPU time of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True))
@click.option("--repeats", default=7, show_default=True, help="Rounds, after one that compiles.")
@click.option("--count", default=COUNT, show_default=True, help="Puzzles of a family.")
def main(folder, repeats, count):
    """Measure, and print a table."""
    peer = tdoku(folder) if folder else None
    for label, make in FAMILIES.items():
        found = rates(permuted(make(), count), peer, repeats + 1)
        if label == next(iter(FAMILIES)):
            click.echo(f"{machine()['processor']}, load {os.getloadavg()[0]:.1f}\n")
            click.echo(f"| puzzles a second | {' | '.join(found)} |")
            click.echo("| --- " * (len(found) + 1) + "|")
        click.echo(f"| {label} | {' | '.join(f'{rate:,.0f}' for rate in found.values())} |")


if __name__ == "__main__":
    main()
