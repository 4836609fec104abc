"""Compare published programs with our solvers: in turn, on one machine, on the same instances.

    python benchmarks/peers.py FOLDER --out peers.json --only ls_36x36_50 --instances 20 --seeds 2

FOLDER contains checkouts of the programs, under the names that ``git clone`` gives them (`PEERS`).
The programs are compiled in a temporary folder. A line reports each program that is missing or does
not compile. Instances come from our generator, and are written in the format of the program. The
program and our solvers run one after the other on each instance, in random order; a ratio compares
two such runs.

All times are CPU seconds. The time of a program is the CPU time of its process from start to end.
Starting and reading take milliseconds (Sudoku-LS: a second at 81x81). Our time is `Result.cpu_s`:
the solver and the structures that it builds, without imports and compilation. A program that
exceeds the limit is killed. We pass it a limit ten times as long, because it may count wall time.
If a program ends earlier without a solution, it has failed, or we cannot read its output. We cannot
count this as a loss, so the whole comparison is left out.

A full comparison takes many hours. The file of ``--out`` is written after each instance. The same
command continues an interrupted comparison, and a command with other comparisons, or more instances
or seeds, adds to the file.

The programs print neither ants nor tries. We measure each metric as follows:

us_per_ant
    With ``--timeout 0`` sudoku_acs does 100 iterations of 10 ants before it first looks at its
    clock. Runs that solve the puzzle earlier are left out.
tries_per_s
    sudoku_acs does the same search as `bs`, try by try, so we count the tries of `bs` for both.
    We choose instances that this search solves in 2000 to 50,000 tries.
nodes_per_s
    The Sudoku program of dlx-cpp searches for a second solution; we count its nodes (`FRONT_END`).
    Our solver visits the same tree, except that we do not count the root and the givens. So the
    ratio of the rates is also the ratio of the times. We choose instances with 100,000 to 1,000,000
    nodes.
iterations_per_s
    Iterations of the local search, whose limit on stalled iterations is lifted. Sudoku_ils logs
    every iteration if its log is on; we link it with a log (`LOG`) that counts them.
puzzles_per_s
    The 200 puzzles with 17 clues, 250 times in one call of tdoku, to the first solution.
seconds
    Time to a solution. We check the solutions of Sudoku-LS and trust the other programs. PAR2 is
    the mean time in which an unsolved run counts as twice the limit. The ratio of two runs counts
    it in the same way.

To compare with another program, add to `PEERS` and `COMPARISONS`.
"""

import hashlib
import json
import math
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple

import click
import numpy as np
import pandas as pd
import psutil

import antdoku
from antdoku import solvers
from antdoku.answers import Result
from antdoku.budget import Budget
from antdoku.errors import InputError, one_line, quote, unknown
from antdoku.files import atomic_write, check_output, fingerprint
from antdoku.outcome import FAILURES, SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.puzzle.writing import format_file
from antdoku.runs.provenance import commit, machine
from antdoku.solvers import dlx
from antdoku.statistics import PAR_FACTOR

ENDLESS = 10**9  # iterations without a new best grid
GUARD_S = 120  # limit in CPU seconds of a run that measures speed
ANTS, ITERATIONS = 10, 100
ILS_S = 2
COPIES = 250  # of each puzzle in a call of tdoku


# --- The programs --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Peer:
    """A published program, and how to compile it.

    Parameters
    ----------
    folder : str
        Folder of its sources, in the FOLDER of the user.
    build : str
        Shell command that compiles ``{program}`` in that folder.
    code : str
        Source code that the command reads from standard input.
    """

    folder: str
    build: str
    code: str = ""


LOG = """
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include "Logger.h"
static long iterations = 0;
static void report() { printf("iterations %ld\\n", iterations); }
void Logger::init() { atexit(report); }
void Logger::logInfo(std::string line) { iterations += isdigit((unsigned char)line[0]) != 0; }
void Logger::logWarn(std::string) {}
void Logger::logError(std::string) {}
"""
FRONT_END = """
#include <dlx/AlgorithmDLX.hpp>
#include <iostream>
#include <numeric>
struct Counting : AlgorithmDLX {
  using AlgorithmDLX::AlgorithmDLX;
  Result search(const Options& options) {
    auto result = AlgorithmDLX::search(options);
    auto& nodes = result.profile;
    std::cout << "Nodes " << std::accumulate(nodes.begin(), nodes.end(), 0L) << std::endl;
    return result;
  }
};
#define AlgorithmDLX Counting
#include "SudokuSolver.cpp"
int main() {
  unsigned order, number;
  std::cin >> order >> number;
  std::vector<unsigned> cells;
  for (int value; std::cin >> value;) cells.push_back(value < 0 ? 0 : value);
  try {
    SudokuSolver().solve(Sudoku(SudokuType::make(order, order), cells));
  } catch (const std::runtime_error&) {  // more than one solution
  }
}
"""
CPP = "g++ -O3 -std=c++14 -w -o {program}"
PEERS = {
    "sudoku_acs": Peer("sudoku_acs", f"{CPP} src/*.cpp"),
    "dlx-cpp": Peer(
        "dlx-cpp",
        f"{CPP} -include stdexcept -Iinclude -Iexample/sudoku src/*.cpp "
        "example/sudoku/Sudoku.cpp example/sudoku/Sudoku[FT]*.cpp -x c++ -",
        FRONT_END,
    ),
    "Sudoku_ils": Peer(
        "AllDIff-LS/Solvers/Sudoku_ils",
        f"{CPP} -Ilogger ilsSolver/*.cpp cpProcedure/*.cpp -x c++ -",
        LOG,
    ),
    "tdoku": Peer(
        "tdoku",
        "g++ -O3 -march=native -o {program} src/solver_dpll_triad_simd.cc src/util.cc "
        "-x c example/solve.c",
    ),
    "Sudoku-LS": Peer("AllDIff-LS/Solvers/AllDiff-LS", f"{CPP} Sudoku-LS.cpp"),
}


def build(peer: Peer, folder: Path, program: Path) -> str | None:
    """Compile `program`. Return None, or the reason why it cannot be compiled."""
    sources = folder / peer.folder
    if not sources.is_dir():
        return f"there is no folder {sources}"
    command = peer.build.format(program=shlex.quote(str(program)))
    options = {"input": peer.code, "capture_output": True, "text": True}
    compiler = subprocess.run(command, shell=True, cwd=sources, **options)
    return one_line(f"does not compile: {compiler.stderr}")[:200] if compiler.returncode else None


def call(command: list[str], file: Path, limit_s: float) -> tuple[str | None, float]:
    """Run a program on a file; return its output (None if it was killed) and its CPU seconds."""
    before = getrusage(RUSAGE_CHILDREN)
    with (
        file.open() as source,
        subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, text=True) as process,
    ):
        output = _output(process, limit_s)
    after = getrusage(RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _output(process, limit_s):
    left_s = limit_s
    try:
        while left_s > 0:
            try:
                return process.communicate(timeout=max(left_s, 0.01))[0]
            except subprocess.TimeoutExpired:  # in wall time, which is ahead of CPU time
                used = psutil.Process(process.pid).cpu_times()
                left_s = limit_s - used.user - used.system
        return None
    finally:
        process.kill()  # also if we are interrupted


# --- Input and output of the programs ------------------------------------------------------------


def archive(puzzle: Puzzle) -> str:
    """Return a puzzle in the format of the archive of Lloyd & Amos."""
    cells = np.where(puzzle.givens == 0, -1, puzzle.givens).reshape(puzzle.size, -1).tolist()
    return _lines([[puzzle.order], [1], *cells])


def copies(puzzles: list[Puzzle]) -> str:
    """Return puzzles, one per line, `COPIES` times."""
    return format_file(puzzles) * COPIES


def _lines(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


# Each of the following functions returns the work of a run from the output of a program, or None if
# the work is unknown or the run failed. To solve a puzzle is 1 unit of work.


def ants(output: str, puzzle: Puzzle) -> int | None:
    """Return the ants of a run of sudoku_acs that did not solve the puzzle."""
    return ANTS * ITERATIONS if output.startswith("1") else None


def tries(output: str, puzzle: Puzzle) -> int | None:
    """Return the tries of a run of sudoku_acs that solved the puzzle."""
    return as_authors(puzzle, max_steps=ENDLESS).steps if solved(output, puzzle) else None


def nodes(output: str, puzzle: Puzzle) -> int | None:
    """Return the nodes that dlx-cpp visited, without the root and the givens."""
    return int(output.split()[1]) - 1 - 4 * puzzle.n_givens if "Nodes" in output else None


def iterations(output: str, puzzle: Puzzle) -> int | None:
    """Return the iterations of Sudoku_ils."""
    _, label, number = output.partition("iterations ")
    return int(number) if label else None


def solutions(output: str, puzzles: list[Puzzle]) -> int | None:
    """Return the number of puzzles that tdoku solved."""
    return output.count(":1:") or None


def solved(output: str, puzzle: Puzzle) -> int | None:
    """Return 1 if sudoku_acs prints the status 0, or Sudoku_ils the cost 0."""
    return 1 if output.startswith("0\n") else None


def solved_grid(output: str, puzzle: Puzzle) -> int | None:
    """Return 1 if Sudoku-LS prints a solution of the puzzle."""
    values = output.split()[: puzzle.n_cells]  # more text follows if it took several rounds
    is_complete = len(values) == puzzle.n_cells and all(map(str.isdecimal, values))
    return 1 if is_complete and is_solution(puzzle, list(map(int, values))) else None


# --- Our runs ------------------------------------------------------------------------------------


class Run(NamedTuple):
    """CPU seconds, and the work in the unit of the metric (None: unknown, or the run failed)."""

    cpu_s: float
    work: float | None


def solver(name: str, per_step: int = 0, most_s=math.inf, max_steps=None, **params) -> Callable:
    """Return a function that runs a solver.

    A step is `per_step` units of work. If `per_step` is 0, the work is 1 for a solved puzzle.
    """

    def run(puzzle: Puzzle, seed: int, limit_s: float) -> Run:
        limits = {"timeout": min(limit_s, most_s), "max_steps": max_steps}
        result = antdoku.solve(puzzle, name, seed=seed, **limits, params=params)
        if result.status in FAILURES:
            raise InputError(result.headline)
        success = 1 if result.status == SOLVED else None
        return Run(result.cpu_s, per_step * result.steps if per_step else success)

    return run


def tree(puzzle: Puzzle, seed: int, limit_s: float) -> Run:
    """Run `dlx` to a second solution; the work is the number of nodes."""
    budget = Budget(limit_s)
    is_complete = dlx.advance(dlx.new_search(puzzle), 2, budget)
    return Run(budget.cpu_s, budget.steps if is_complete else None)


def one_by_one(name: str) -> Callable:
    """Return a function that runs a solver on several puzzles, one after the other."""

    def run(puzzles: list[Puzzle], seed: int, limit_s: float) -> Run:
        cpu_s = sum(antdoku.solve(puzzle, name, timeout=limit_s).cpu_s for puzzle in puzzles)
        return Run(cpu_s, len(puzzles))

    return run


def in_lanes(puzzles: list[Puzzle], seed: int, limit_s: float) -> Run:
    """Solve all puzzles `COPIES` times by one call of `antdoku.solve_grids`, on one core."""
    grids = np.tile([puzzle.givens for puzzle in puzzles], (COPIES, 1))
    antdoku.solve_grids(grids[:1], jobs=1)  # compiles
    start = time.process_time()
    counts = antdoku.solve_grids(grids, jobs=1).counts
    return Run(time.process_time() - start, int(counts.sum()))


def as_authors(puzzle: Puzzle, max_steps: int) -> Result:
    """Solve a puzzle by `bs`, which does the same search as sudoku_acs."""
    return antdoku.solve(puzzle, "bs", max_steps=max_steps)


# --- Instances -----------------------------------------------------------------------------------


def random(
    order: int, percent: int, suits: Callable | None = None, pool: int = 1, default: str = "shuffle"
) -> Callable:
    """Return a function that generates instances.

    It generates `pool` times `count` puzzles, and returns the first `count` for which `suits` is
    true. `default` is the source of their solved grids, unless the user names another.
    """

    def instances(count: int, seed: int, source: str | None) -> list[tuple[str, Puzzle]]:
        options = {"seed": seed, "source": source or default}
        puzzles = antdoku.generate(order, percent / 100, pool * count, **options)
        return [(puzzle.name, puzzle) for puzzle in islice(filter(suits, puzzles), count)]

    return instances


def seventeen_clues(**options) -> list[tuple[str, list[Puzzle]]]:
    """Return all puzzles with 17 clues as one instance; the options do not matter."""
    return [("seventeen_clue", named.puzzles("seventeen_clue"))]


def takes_few_tries(puzzle: Puzzle) -> bool:
    """Whether `bs` solves the puzzle in 2000 to 50,000 tries."""
    result = as_authors(puzzle, max_steps=50_000)
    return result.status == SOLVED and result.steps >= 2000


def has_small_tree(puzzle: Puzzle) -> bool:
    """Whether `dlx` visits 100,000 to 1,000,000 nodes."""
    budget = Budget(max_steps=1_000_000)
    is_complete = dlx.advance(dlx.new_search(puzzle), 2, budget)
    return is_complete and budget.steps >= 100_000


# --- Comparisons ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """A published program and solvers of ours on the same instances.

    Parameters
    ----------
    peer : str
        A key of `PEERS`.
    options : str
        Command-line options of the program. ``{file}`` is the file of the instance, which is also
        its standard input; ``{late}`` is a limit in seconds that it cannot reach.
    form : callable
        Returns an instance in the format of the program.
    read : callable
        Returns the work of a run, from the output of the program and the instance.
    ours : dict of str to callable
        By name of the solver, a function of (instance, seed, limit) that returns a `Run`.
    label : str
        Name of the instances in the table.
    instances : callable
        A function of (count, seed, source) that returns pairs of a name and an instance.
    metric : str
        A metric of the docstring of this file.
    limit_s : float
        Limit of a run in CPU seconds.
    """

    peer: str
    options: str
    form: Callable
    read: Callable
    ours: dict[str, Callable]
    label: str
    instances: Callable
    metric: str = "seconds"
    limit_s: float = GUARD_S

    def theirs(self, program: Path, instance, seed: int, limit_s: float) -> Run:
        """Run the program on an instance.

        Raises
        ------
        InputError
            If the program ends within the limit without a solution: it has failed, or we cannot
            read its output. Neither may count as a puzzle that was too hard.
        """
        file = program.with_name("instance.txt")
        file.write_text(self.form(instance))
        late = math.ceil(10 * limit_s)
        options = self.options.format(file=shlex.quote(str(file)), seed=seed, late=late)
        output, cpu_s = call([str(program), *shlex.split(options)], file, limit_s)
        work = None if output is None else self.read(output, instance)
        if self.metric == "seconds" and output is not None and work is None:
            failure = f"{self.peer} ended after {cpu_s:.2f} s without a solution"
            raise InputError(f"{failure}: it printed {quote(one_line(output[-60:]), 80)}")
        return Run(cpu_s, work)


ACS, BS = "--file {file} --timeout", "--file {file} --alg 1 --timeout"
ILS = (
    "--instanceFile {file} --mcProbability 100 --tabuListSize 0.05 --alpha 0.8 --acceptanceProb 15"
)
PATIENT = f"{ILS} --timeLimit {ILS_S} --iterationLimit {ENDLESS}"
AS_PRINTED = f"{ILS} --timeLimit {{late}} --iterationLimit 1000"
COLONY = {"per_step": ANTS, "max_steps": ITERATIONS, "m": ANTS}
HARD = "25x25, 45 %"
COMPARISONS = {
    "acs_ants": Comparison(
        peer="sudoku_acs",
        options=f"{ACS} 0",
        form=archive,
        read=ants,
        ours={name: solver(name, **COLONY) for name in ("acs_closure", "acs")},
        label=HARD,
        instances=random(5, 45),
        metric="us_per_ant",
    ),
    "bs_tries": Comparison(
        peer="sudoku_acs",
        options=f"{BS} {{late}}",
        form=archive,
        read=tries,
        ours={"bs": solver("bs", 1)},
        label=HARD,
        instances=random(5, 45, takes_few_tries, pool=100),
        metric="tries_per_s",
    ),
    "dlx_nodes": Comparison(
        peer="dlx-cpp",
        options="",
        form=archive,
        read=nodes,
        ours={"dlx": tree},
        label="25x25, 50 %",
        instances=random(5, 50, has_small_tree, pool=20),
        metric="nodes_per_s",
    ),
    "ils_iterations": Comparison(
        peer="Sudoku_ils",
        options=PATIENT,
        form=archive,
        read=iterations,
        ours={"ils": solver("ils", 1, most_s=ILS_S, patience=ENDLESS)},
        label=HARD,
        instances=random(5, 45),
        metric="iterations_per_s",
    ),
    "tdoku_puzzles": Comparison(
        peer="tdoku",
        options="1",
        form=copies,
        read=solutions,
        ours={
            "dlx": one_by_one("dlx"),
            "bs_closure": one_by_one("bs_closure"),
            "solve_grids": in_lanes,
        },
        label="9x9, 17 clues",
        instances=seventeen_clues,
        metric="puzzles_per_s",
    ),
}

# Races: which program solves more instances of a family, in less time.
RACERS = {
    "acs": {
        "peer": "sudoku_acs",
        "options": f"{ACS} {{late}}",
        "read": solved,
        "ours": {name: solver(name) for name in ("acs_closure", "acs")},
    },
    "bs": {
        "peer": "sudoku_acs",
        "options": f"{BS} {{late}}",
        "read": solved,
        "ours": {name: solver(name) for name in ("bs_closure", "bs")},
    },
    "ils": {
        "peer": "Sudoku_ils",
        "options": AS_PRINTED,
        "read": solved,
        "ours": {"ils": solver("ils")},
    },
    "ls": {
        "peer": "Sudoku-LS",
        "options": "{file} {seed} {late} 1",
        "read": solved_grid,
        "ours": {"tabu_col": solver("tabu_col")},
    },
}
FAMILIES = (
    ("acs", 5, 45, 20),
    ("bs", 5, 45, 20),
    ("ils", 5, 40, 20),
    ("ils", 5, 45, 20),
    ("ls", 5, 45, 20),
    ("ls", 6, 50, 120),
    ("ls", 7, 50, 300),
    ("ls", 8, 50, 300),
    ("ls", 8, 60, 300),
    ("ls", 9, 40, 300),
)
COMPARISONS |= {
    f"{racer}_{order**2}x{order**2}_{percent}": Comparison(
        form=archive,
        label=f"{order**2}x{order**2}, {percent} %",
        instances=random(order, percent, default="search" if racer == "ls" else "shuffle"),
        limit_s=limit_s,
        **RACERS[racer],
    )
    for racer, order, percent, limit_s in FAMILIES
}


def runs(
    name: str, comparison: Comparison, program: Path, instances: list, n_rounds: int, earlier: list
) -> Iterator[list[dict]]:
    """Run all programs in turn on each instance, `n_rounds` times; yield the rows of each instance.

    The runs in the rows `earlier` are not repeated.
    """
    programs = {comparison.peer: partial(comparison.theirs, program), **comparison.ours}
    finished = {(row["instance"], row["seed"]) for row in earlier}
    rng = np.random.default_rng(0)
    for seed in range(1, n_rounds + 1):
        for instance_id, instance in instances:
            turns = rng.permutation(list(programs)).tolist()
            if (instance_id, seed) in finished:
                continue
            key = {"comparison": name, "instance": instance_id, "seed": seed}
            rows = []
            for turn in turns:
                cpu_s, work = programs[turn](instance, seed, comparison.limit_s)
                work = work if cpu_s <= comparison.limit_s else None
                rows.append(key | {"program": turn, "cpu_s": cpu_s, "work": work})
            yield rows


# --- Summaries -----------------------------------------------------------------------------------


def summary(comparison: Comparison, rows: list[dict]) -> list[dict]:
    """Return a row for the program and for each of our solvers, with its speed relative to it."""
    table = pd.DataFrame(rows, columns=["instance", "seed", "program", "cpu_s", "work"])
    table["cost"] = table["cpu_s"] / table["work"].astype(float)
    costs = table.pivot(index=["instance", "seed"], columns="program", values="cost")
    is_race = comparison.metric == "seconds"
    # A race compares all runs, the other metrics only runs in which all programs did some work.
    costs = costs.fillna(PAR_FACTOR * comparison.limit_s) if is_race else costs.dropna()
    if costs.empty:
        return []
    programs = [comparison.peer, *comparison.ours]
    return [_summary(comparison, name, costs[name], costs[comparison.peer]) for name in programs]


def _summary(comparison, name, cost, peer_cost):
    """Return the row of a program, from the seconds that a unit of work took in each run."""
    row = {"instances": comparison.label, "program": name, "metric": comparison.metric}
    row |= {"runs": len(cost), "quartiles": _quartiles(_value(comparison, cost))}
    row["times_as_fast"] = None if name == comparison.peer else _quartiles(peer_cost / cost)
    if comparison.metric == "seconds":
        n_solved = int((cost <= comparison.limit_s).sum())
        row |= {"limit_s": comparison.limit_s, "solved": n_solved, "par2_s": cost.mean()}
        row["par2_ratio"] = peer_cost.mean() / cost.mean()
    return row


def _value(comparison, cost):
    """Return the metric, from the seconds that a unit of work took."""
    match comparison.metric:
        case "seconds":
            return cost.where(cost <= comparison.limit_s, math.inf)
        case "us_per_ant":
            return 1e6 * cost
        case _:
            return 1 / cost


def _quartiles(values):
    """Return the quartiles, without interpolation because some may be infinite (None here)."""
    quartiles = np.quantile(values, (0.25, 0.5, 0.75), method="inverted_cdf").tolist()
    return [value if math.isfinite(value) else None for value in quartiles]


HEAD = (
    "| instances | program | runs | metric | median (quartiles) | times as fast (quartiles) "
    "| solved | PAR2, s | ratio |\n" + "| --- " * 9 + "|"
)


def markdown(rows: Iterable[dict]) -> str:
    """Return the rows of ``docs/results/peers.csv`` as a Markdown table."""
    lines = [HEAD]
    for row in rows:
        cells = [row["instances"], row["program"], row["runs"], row["metric"]]
        cells += [_spread(row["quartiles"]), _spread(row["times_as_fast"])]
        if "solved" in row:
            cells[3] += f", limit {row['limit_s']:g}"
            ratio = row["times_as_fast"] and _figure(row["par2_ratio"])
            cells += [row["solved"], _figure(row["par2_s"]), ratio or ""]
        else:
            cells += ["", "", ""]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _spread(quartiles):
    """Return median and quartiles as text."""
    if quartiles is None:
        return ""
    low, median, high = map(_figure, quartiles)
    return f"{median} ({low} – {high})"


def _figure(value):
    """Return a number with three significant figures, or as a whole number from 100 on."""
    if value is None:
        return "> limit"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# --- The command ---------------------------------------------------------------------------------


def heading() -> str:
    """Return a line with the machine, its load (other programs share its caches) and the commit."""
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    return f"{machine()['processor']}, {os.cpu_count()} cores, {load}; commit {commit()}"


def code() -> str:
    """Return a hash of this file and of the sources of our runs and instances, committed or not."""
    ours = fingerprint("api", *(f"solvers.{name}" for name in solvers.names()))
    return f"{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]}-{ours}"


def chosen(prefixes: tuple[str, ...]) -> dict[str, Comparison]:
    """Return the comparisons whose names begin with one of the prefixes; all without a prefix."""
    for prefix in prefixes:
        if not any(name.startswith(prefix) for name in COMPARISONS):
            message = unknown("comparison", prefix, COMPARISONS)
            raise click.BadParameter(message, param_hint="--only")
    return {name: entry for name, entry in COMPARISONS.items() if name.startswith(prefixes or "")}


def built(names: Iterable[str], folder: Path, scratch: Path) -> dict[str, Path]:
    """Compile programs, each in a separate folder; return the paths of the compiled programs."""
    programs = {}
    for name in names:
        program = scratch / name / "program"
        program.parent.mkdir()
        reason = build(PEERS[name], folder, program)
        if reason:
            click.echo(f"left out: {name}: {reason}", err=True)
        else:
            programs[name] = program
    return programs


def compare(
    name: str, comparison: Comparison, program: Path, n_rounds: int, book: "Book", **options
) -> None:
    """Do the runs that the book lacks. If a solver of ours or the program fails, drop them all."""
    earlier = list(book.rows.get(name, []))
    try:
        instances = comparison.instances(**options)
        click.echo(f"{name}: {len(instances)} instances, {n_rounds} times", err=True)
        for rows in runs(name, comparison, program, instances, n_rounds, earlier):
            book.enter(name, rows)
    except InputError as error:
        click.echo(f"left out: {name}: {error}", err=True)
        book.rows[name] = earlier
        book.write()


def json_file(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Return the path; refuse a file that cannot be written before the measurement starts."""
    try:
        if path:
            check_output(path, (".json",))
    except InputError as error:
        raise click.BadParameter(str(error)) from None
    return path


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", callback=json_file, help="A JSON file for all runs and their summary.")
@click.option(
    "--only", multiple=True, help="Comparisons whose names begin with this text; repeatable."
)
@click.option("--instances", "count", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seeds", type=click.IntRange(1), default=2, help="Runs per instance in a race [2].")
@click.option(
    "--repeats", type=click.IntRange(1), default=5, help="Runs per instance otherwise [5]."
)
@click.option("--limit", type=click.FloatRange(min=0, min_open=True), help="CPU seconds at most.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Seed of the instances [1].")
@click.option("--source", help="Source of solved grids [search for Sudoku-LS, else shuffle].")
def main(folder, out, only, seeds, repeats, limit, **options):
    """Compare the programs in FOLDER with our solvers, in turn on the same instances."""
    # Like Ctrl-C, so that the running program is ended.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    comparisons = chosen(only)
    settings = {"code": code(), "seed": options["seed"], "source": options["source"]}
    settings["limit"] = limit if limit != math.inf else None
    book = Book(out, settings)
    with tempfile.TemporaryDirectory() as scratch:
        peers = dict.fromkeys(comparison.peer for comparison in comparisons.values())
        programs = built(peers, folder.resolve(), Path(scratch))
        for name, comparison in comparisons.items():
            if comparison.peer in programs:
                program = programs[comparison.peer]
                n_rounds = seeds if comparison.metric == "seconds" else repeats
                compare(name, within(comparison, limit), program, n_rounds, book, **options)
    headings = "\n".join(book.headings)
    click.echo(f"{headings}\n\n{markdown(book.summary())}")


def within(comparison: Comparison, limit_s: float | None) -> Comparison:
    """Return the comparison with the smaller of its limit and the user's."""
    return replace(comparison, limit_s=min(comparison.limit_s, limit_s or math.inf))


class Book:
    """All runs, by comparison, and the file that contains them.

    Parameters
    ----------
    path : str or None
        The file; if it exists, its runs are kept.
    made_with : dict
        Settings that must be the same for all runs.

    Raises
    ------
    click.BadParameter
        If the file has no runs of this program, or was made with other settings.
    """

    def __init__(self, path: str | None, made_with: dict):
        self._path, self._made_with = path, made_with
        self.headings, self.rows = [heading()], {}
        if path and Path(path).exists():
            self._read()

    def _read(self):
        try:
            content = json.loads(Path(self._path).read_text())
            made_with, headings = dict(content["made_with"]), list(content["headings"])
            rows = [(row["comparison"], row) for row in content["runs"]]
        except (OSError, ValueError, LookupError, TypeError):
            text = f"{self._path}: holds no runs of peers"
            raise click.BadParameter(text, param_hint="--out") from None
        for key, value in self._made_with.items():
            if made_with.get(key) != value:
                text = f"{self._path}: made with {key} {made_with.get(key)}, not {value}"
                raise click.BadParameter(f"{text}: choose another file", param_hint="--out")
        self.headings = [*headings, *self.headings]
        for name, row in rows:
            self.rows.setdefault(name, []).append(row)

    def enter(self, name: str, rows: list[dict]) -> None:
        """Add rows of a comparison, and write the file."""
        self.rows.setdefault(name, []).extend(rows)
        self.write()

    def write(self) -> None:
        """Write all runs and their summary, if there is a file."""
        if self._path:
            content = {"made_with": self._made_with, "headings": self.headings}
            content |= {"summary": self.summary(), "runs": list(chain(*self.rows.values()))}
            with atomic_write(self._path) as file:
                file.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")

    def summary(self) -> list[dict]:
        """Return the summary of all runs, in the order of `COMPARISONS`."""
        limit = self._made_with["limit"]
        return [
            row
            for name, comparison in COMPARISONS.items()
            for row in summary(within(comparison, limit), self.rows.get(name, []))
        ]


if __name__ == "__main__":
    main()
