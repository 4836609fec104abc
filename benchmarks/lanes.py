"""Measure 9x9 puzzles per second: in lanes, one by one by backtracking, and by tdoku. Then 16x16.

    python benchmarks/lanes.py [FOLDER]

FOLDER is a checkout of https://github.com/t-dillon/tdoku; without it only our solvers are measured.
All programs solve the same puzzles in this process, in turn, on one core, in several rounds. A rate
is based on the median of the CPU times. A processor learns the branches of puzzles that it sees
again. So all puzzles differ: values, rows and columns of the published puzzles are permuted.
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
from auto import changed

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
COUNT_16 = 256  # puzzles of 16x16, as many as there are lanes
STRIDE = 20  # `bs_closure` solves every 20th puzzle
Grids = np.ndarray


def permuted(grids: Grids, count: int, seed: int = 1) -> Grids:
    """Return `count` grids, made from `grids` by permuting values, rows and columns."""
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
    """Return the givens of puzzles as an array of shape (n, 81)."""
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


def of_16(percent: int, **options) -> list[Puzzle]:
    """Generate puzzles of 16x16."""
    return antdoku.generate(4, percent / 100, COUNT_16, seed=1, **options)


FAMILIES_16: dict[str, Callable[[], list[Puzzle]]] = {
    "one solution, 36 % given": lambda: of_16(36, unique=True),
    "the same, a given changed": lambda: changed(of_16(36, unique=True)),
    "random, 40 % given": lambda: of_16(40),
    "the same, a given changed in each": lambda: changed(of_16(40)),
}


def in_lanes(grids: Grids, limit: int = 1) -> None:
    """Solve by the kernel alone."""
    search, answers = lanes.new_search(), lanes.new_answers(len(grids))
    lanes.advance(search, grids, answers, limit, lanes.NO_LIMIT, lanes.NO_LIMIT)


def judged(grids: Grids) -> None:
    """Solve by `solve_grids`, which also copies and checks, on one core."""
    bulk.solve_grids(grids, jobs=1)


def one_by_one(puzzles: list[Puzzle]) -> None:
    """Solve by `bs_closure`."""
    for puzzle in puzzles:
        bs_closure.solve(puzzle, bs_closure.Params(), None, Budget())


def tdoku(folder: Path) -> Callable[[bytes], None]:
    """Compile tdoku with a loop over puzzles in C++; return a function that calls it."""
    with tempfile.TemporaryDirectory() as scratch:
        library = Path(scratch, "tdoku.so")
        command = BUILD.format(library).split()
        subprocess.run(command, input=LOOP.encode(), cwd=folder, check=True)
        loop = ctypes.CDLL(library).solve_all
    loop.argtypes = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t
    return lambda lines: loop(lines, len(lines) // 82, 1)


def as_lines(grids: Grids) -> bytes:
    """Return puzzles in the format of tdoku: a line of 81 characters each."""
    characters = np.where(grids == 0, ord("."), grids + ord("0")).astype(np.uint8)
    return np.pad(characters, ((0, 0), (0, 1)), constant_values=ord("\n")).tobytes()


def rates(grids: Grids, peer: Callable | None, repeats: int) -> dict[str, float]:
    """Return puzzles per second, by name of the program."""
    few = [Puzzle(3, grid) for grid in grids[::STRIDE]]
    calls = {"tdoku": (len(grids), partial(peer, as_lines(grids)))} if peer else {}
    calls |= {
        "`bs_closure`": (len(few), partial(one_by_one, few)),
        "lanes": (len(grids), partial(in_lanes, grids)),
        "lanes, counting to two": (len(grids), partial(in_lanes, grids, 2)),
        "`solve_grids`": (len(grids), partial(judged, grids)),
    }
    rounds = [{name: seconds(call) for name, (_, call) in calls.items()} for _ in range(repeats)]
    return {
        name: number / np.median([times[name] for times in rounds[1:]])
        for name, (number, _) in calls.items()
    }


def times_16(puzzles: list[Puzzle], repeats: int) -> dict[str, float]:
    """Return the median CPU seconds of `solve_grids` and of `bs_closure`, in turn."""
    calls = {
        "`solve_grids`": partial(judged, np.array([puzzle.givens for puzzle in puzzles])),
        "`bs_closure`": partial(one_by_one, puzzles),
    }
    rounds = [{name: seconds(call) for name, call in calls.items()} for _ in range(repeats)]
    return {name: float(np.median([times[name] for times in rounds[1:]])) for name in calls}


def seconds(call: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--repeats", default=7, show_default=True, help="Rounds, after a first round that compiles."
)
@click.option("--count", default=COUNT, show_default=True, help="Puzzles of a family.")
def main(folder, repeats, count):
    """Measure all families, and print a table."""
    peer = tdoku(folder) if folder else None
    for label, make in FAMILIES.items():
        rate_of = rates(permuted(make(), count), peer, repeats + 1)
        if label == next(iter(FAMILIES)):
            click.echo(f"{machine()['processor']}, load {os.getloadavg()[0]:.1f}\n")
            click.echo(f"| puzzles a second | {' | '.join(rate_of)} |")
            click.echo("| --- " * (len(rate_of) + 1) + "|")
        click.echo(f"| {label} | {' | '.join(f'{rate:,.0f}' for rate in rate_of.values())} |")
    click.echo(f"\n| {COUNT_16} puzzles of 16x16 | `solve_grids`, ms | `bs_closure`, ms |")
    click.echo("| --- " * 3 + "|")
    for label, make_16 in FAMILIES_16.items():
        times = times_16(make_16(), repeats + 1).values()
        click.echo(f"| {label} | {' | '.join(f'{1000 * time_s:.3g}' for time_s in times)} |")


if __name__ == "__main__":
    main()
