"""Published programs and ours on one machine: in turn, on the same instances.

    python benchmarks/peers.py FOLDER --out peers.json --only ls_36x36_50 --instances 20 --seeds 2

FOLDER holds checkouts that the user has got, under the names that ``git clone`` gives them
(`PEERS`). They are compiled in a temporary folder; what is absent or does not compile is left out
with a line. Instances come from our generator, and are written in the form that a program reads. On
each of them the program and our solvers run one after the other, in an order drawn anew each time;
a ratio is that of two such runs.

All seconds are CPU seconds. Those of a program are what its process took from start to end: to
start and to read takes milliseconds, Sudoku-LS a second at 81x81. Ours are `Result.cpu_s`: the
solver and the structures that it builds, without imports and compilation. A program that has used
up the limit is killed; its own limit is ten times as long, because it may count seconds on the
wall. One that ends before without a solution has failed, or is misread: that is no loss of its, so
the comparison is left out.

A full comparison takes many hours. The file of ``--out`` has what is done, instance by instance:
the same command goes on with it, whatever has ended it, and one with other comparisons, or more
instances or seeds, adds to it.

How each metric is found, as the programs print neither ants nor tries:

us_per_ant
    With ``--timeout 0`` sudoku_acs does 100 iterations of 10 ants, and looks at its clock for the
    first time. Runs that solve the puzzle before are left out.
tries_per_s
    The search of sudoku_acs is that of `bs`, try by try, so that ours counts for both. The
    instances are those that this search solves in 2000 to 50,000 tries.
nodes_per_s
    The Sudoku program of dlx-cpp searches for a second solution; we count its nodes (`FRONT_END`).
    Ours makes the same tree, whose root and givens are not counted: the ratio is also that of the
    times. The instances are those with 100,000 to 1,000,000 nodes.
iterations_per_s
    Of the local search alone, which is told never to stall here. Sudoku_ils logs every iteration if
    its log is on; the log that it is linked with here (`LOG`) counts them.
puzzles_per_s
    The 200 puzzles with 17 clues, 250 times in one call of tdoku, to the first solution.
seconds
    To a solution. Those of Sudoku-LS are checked, the other programs are believed. PAR2 is the mean
    in which an unsolved run counts as twice the limit, as it does in the ratio of two runs.

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
from antdoku.api import check_output
from antdoku.budget import Budget
from antdoku.errors import InputError, one_line, quote, unknown
from antdoku.files import atomic_write, fingerprint
from antdoku.outcome import FAILURES, SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.forms import format_file
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.runs.provenance import commit, machine
from antdoku.solvers import dlx
from antdoku.statistics import PAR_FACTOR

ENDLESS = 10**9  # iterations without a new best
GUARD_S = 120  # CPU seconds of a run that measures speed
ANTS, ITERATIONS = 10, 100
ILS_S = 2
COPIES = 250  # of the puzzles in a call of tdoku


# --- The programs --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Peer:
    """A program of others.

    Parameters
    ----------
    folder : str
        Its sources, in the FOLDER of the user.
    build : str
        Command of the shell in that folder, which makes ``{program}``.
    code : str
        What the command reads from standard input.
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
    """Compile `program`; returns why it cannot be had, None if it can."""
    sources = folder / peer.folder
    if not sources.is_dir():
        return f"there is no folder {sources}"
    command = peer.build.format(program=shlex.quote(str(program)))
    kept = {"input": peer.code, "capture_output": True, "text": True}
    done = subprocess.run(command, shell=True, cwd=sources, **kept)
    return one_line(f"does not compile: {done.stderr}")[:200] if done.returncode else None


def call(command: list[str], file: Path, limit_s: float) -> tuple[str | None, float]:
    """Run a program with a file to read: what it printed (None: it was killed), and CPU seconds."""
    before = getrusage(RUSAGE_CHILDREN)
    with (
        file.open() as source,
        subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, text=True) as process,
    ):
        printed = _printed(process, limit_s)
    after = getrusage(RUSAGE_CHILDREN)
    return printed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _printed(process, limit_s):
    left = limit_s
    try:
        while left > 0:
            try:
                return process.communicate(timeout=max(left, 0.01))[0]
            except subprocess.TimeoutExpired:  # on the wall, which runs ahead of CPU time
                used = psutil.Process(process.pid).cpu_times()
                left = limit_s - used.user - used.system
        return None
    finally:
        process.kill()  # also if we are interrupted


# --- What a program reads and prints -------------------------------------------------------------


def archive(puzzle: Puzzle) -> str:
    """A puzzle as in the archive of Lloyd & Amos."""
    cells = np.where(puzzle.givens == 0, -1, puzzle.givens).reshape(puzzle.size, -1).tolist()
    return _lines([[puzzle.order], [1], *cells])


def copies(puzzles: list[Puzzle]) -> str:
    """Puzzles, a line each, many times."""
    return format_file(puzzles) * COPIES


def _lines(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


# What was done, from what a program printed; None if it is not known or nothing came of it. The
# work of a puzzle to be solved is 1.


def ants(printed: str, puzzle: Puzzle) -> int | None:
    return ANTS * ITERATIONS if printed.startswith("1") else None  # not solved


def tries(printed: str, puzzle: Puzzle) -> int | None:
    return as_authors(puzzle, max_steps=ENDLESS).steps if is_solved(printed, puzzle) else None


def nodes(printed: str, puzzle: Puzzle) -> int | None:
    return int(printed.split()[1]) - 1 - 4 * puzzle.n_givens if "Nodes" in printed else None


def iterations(printed: str, puzzle: Puzzle) -> int | None:
    _, found, number = printed.partition("iterations ")
    return int(number) if found else None


def solutions(printed: str, puzzles: list[Puzzle]) -> int | None:
    return printed.count(":1:") or None


def is_solved(printed: str, puzzle: Puzzle) -> int | None:
    """Of sudoku_acs, which prints its status, and Sudoku_ils, which prints the cost."""
    return 1 if printed.startswith("0\n") else None


def is_grid(printed: str, puzzle: Puzzle) -> int | None:
    values = printed.split()[: puzzle.n_cells]  # it goes on if it has taken more than one round
    is_whole = len(values) == puzzle.n_cells and all(map(str.isdecimal, values))
    return 1 if is_whole and is_solution(puzzle, list(map(int, values))) else None


# --- Our runs ------------------------------------------------------------------------------------


class Run(NamedTuple):
    """CPU seconds, and the work done in the unit of a metric, None if nothing came of it."""

    cpu_s: float
    work: float | None


def solver(name: str, per_step: int = 0, own_s=math.inf, max_steps=None, **params) -> Callable:
    """Runs of a solver that does so much work in a step; without that, it is to solve."""

    def run(puzzle: Puzzle, seed: int, limit_s: float) -> Run:
        limits = {"timeout": min(limit_s, own_s), "max_steps": max_steps}
        done = antdoku.solve(puzzle, name, seed=seed, **limits, params=params)
        if done.status in FAILURES:
            raise InputError(done.headline)
        success = 1 if done.status == SOLVED else None
        return Run(done.cpu_s, per_step * done.steps if per_step else success)

    return run


def tree(puzzle: Puzzle, seed: int, limit_s: float) -> Run:
    """All nodes of `dlx` up to a second solution."""
    budget = Budget(limit_s)
    is_whole = dlx.advance(dlx.new_search(puzzle), 2, budget)
    return Run(budget.cpu_s, budget.steps if is_whole else None)


def each_of(name: str) -> Callable:
    """Runs of a solver on several puzzles."""

    def run(puzzles: list[Puzzle], seed: int, limit_s: float) -> Run:
        cpu_s = sum(antdoku.solve(puzzle, name, timeout=limit_s).cpu_s for puzzle in puzzles)
        return Run(cpu_s, len(puzzles))

    return run


def in_lanes(puzzles: list[Puzzle], seed: int, limit_s: float) -> Run:
    """All puzzles in one call of `antdoku.solve_grids`, as tdoku takes them, on one core."""
    grids = np.tile([puzzle.givens for puzzle in puzzles], (COPIES, 1))
    antdoku.solve_grids(grids[:1], jobs=1)  # compiles
    begun = time.process_time()
    counts = antdoku.solve_grids(grids, jobs=1).counts
    return Run(time.process_time() - begun, int(counts.sum()))


def as_authors(puzzle: Puzzle, max_steps: int) -> Result:
    """The search of sudoku_acs."""
    return antdoku.solve(puzzle, "bs", max_steps=max_steps)


# --- Instances -----------------------------------------------------------------------------------


def random(
    order: int, percent: int, suits: Callable | None = None, pool: int = 1, usual: str = "shuffle"
) -> Callable:
    """Instances of the generator: the first that suit, of `pool` times as many as are wanted.

    Their solved grids are from the `usual` source, if the user asks for no other.
    """

    def instances(count: int, seed: int, source: str | None) -> list[tuple[str, Puzzle]]:
        request = {"seed": seed, "source": source or usual}
        puzzles = antdoku.generate(order, percent / 100, pool * count, **request)
        return [(each.name, each) for each in islice(filter(suits, puzzles), count)]

    return instances


def seventeen_clues(**request) -> list[tuple[str, list[Puzzle]]]:
    """All puzzles as one instance."""
    return [("seventeen_clue", named.puzzles("seventeen_clue"))]


def takes_few_tries(puzzle: Puzzle) -> bool:
    done = as_authors(puzzle, max_steps=50_000)
    return done.status == SOLVED and done.steps >= 2000


def has_small_tree(puzzle: Puzzle) -> bool:
    budget = Budget(max_steps=1_000_000)
    is_whole = dlx.advance(dlx.new_search(puzzle), 2, budget)
    return is_whole and budget.steps >= 100_000


# --- What is compared ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """A program of others and solvers of ours on the same instances.

    Parameters
    ----------
    peer : str
        One of `PEERS`.
    options : str
        Those of the program; ``{file}`` is the instance, which is its standard input, too, and
        ``{late}`` are seconds after it would have been killed.
    form, read : callable
        The instance as the program reads it; the work from what it printed, and the instance.
    ours : dict of str to callable
        (instance, seed, limit) to `Run`, by the name of the solver.
    label : str
        The instances, as the table names them.
    instances : callable
        (count, seed, source) to pairs of a name and an instance.
    metric : str
        One of those in the docstring of this file.
    limit_s : float
        CPU seconds of a run.
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
        """Run the program.

        Raises
        ------
        InputError
            If it ends without a solution before it would be killed: it failed, or we cannot read
            what it printed, and neither may count as a puzzle that was too hard.
        """
        file = program.with_name("instance.txt")
        file.write_text(self.form(instance))
        place = {"file": shlex.quote(str(file)), "seed": seed, "late": math.ceil(10 * limit_s)}
        options = self.options.format(**place)
        printed, cpu_s = call([str(program), *shlex.split(options)], file, limit_s)
        work = None if printed is None else self.read(printed, instance)
        if self.metric == "seconds" and printed is not None and work is None:
            ended = f"{self.peer} ended after {cpu_s:.2f} s without a solution"
            raise InputError(f"{ended}: it printed {quote(one_line(printed[-60:]), 80)}")
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
        ours={"ils": solver("ils", 1, own_s=ILS_S, patience=ENDLESS)},
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
            "dlx": each_of("dlx"),
            "bs_closure": each_of("bs_closure"),
            "solve_grids": in_lanes,
        },
        label="9x9, 17 clues",
        instances=seventeen_clues,
        metric="puzzles_per_s",
    ),
}

# Who solves more of a family, and sooner.
RACERS = {
    "acs": {
        "peer": "sudoku_acs",
        "options": f"{ACS} {{late}}",
        "read": is_solved,
        "ours": {name: solver(name) for name in ("acs_closure", "acs")},
    },
    "bs": {
        "peer": "sudoku_acs",
        "options": f"{BS} {{late}}",
        "read": is_solved,
        "ours": {name: solver(name) for name in ("bs_closure", "bs")},
    },
    "ils": {
        "peer": "Sudoku_ils",
        "options": AS_PRINTED,
        "read": is_solved,
        "ours": {"ils": solver("ils")},
    },
    "ls": {
        "peer": "Sudoku-LS",
        "options": "{file} {seed} {late} 1",
        "read": is_grid,
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
        instances=random(order, percent, usual="search" if racer == "ls" else "shuffle"),
        limit_s=limit_s,
        **RACERS[racer],
    )
    for racer, order, percent, limit_s in FAMILIES
}


def runs(
    name: str, comparison: Comparison, program: Path, instances: list, n_rounds: int, known: list
) -> Iterator[list[dict]]:
    """Run everything in turn on each instance, `n_rounds` times; yields the rows of an instance.

    Those that are `known` are not run again.
    """
    everyone = {comparison.peer: partial(comparison.theirs, program), **comparison.ours}
    done = {(row["instance"], row["seed"]) for row in known}
    rng = np.random.default_rng(0)
    for seed in range(1, n_rounds + 1):
        for instance_id, instance in instances:
            turns, rows = rng.permutation(list(everyone)).tolist(), []
            if (instance_id, seed) in done:
                continue
            for who in turns:
                cpu_s, work = everyone[who](instance, seed, comparison.limit_s)
                work = work if cpu_s <= comparison.limit_s else None
                place = {"comparison": name, "instance": instance_id, "seed": seed}
                rows.append(place | {"program": who, "cpu_s": cpu_s, "work": work})
            yield rows


# --- What it comes to ----------------------------------------------------------------------------


def summary(comparison: Comparison, rows: list[dict]) -> list[dict]:
    """A row for the program, and one for each solver of ours with how many times as fast it is."""
    table = pd.DataFrame(rows, columns=["instance", "seed", "program", "cpu_s", "work"])
    table["cost"] = table["cpu_s"] / table["work"].astype(float)
    costs = table.pivot(index=["instance", "seed"], columns="program", values="cost")
    is_race = comparison.metric == "seconds"
    # Runs are compared in which all did some work; of a race, all of them.
    costs = costs.fillna(PAR_FACTOR * comparison.limit_s) if is_race else costs.dropna()
    found = []
    for who in [comparison.peer, *comparison.ours] if len(costs) else []:
        theirs, own = costs[comparison.peer], costs[who]
        row = {"instances": comparison.label, "program": who, "metric": comparison.metric}
        row |= {"runs": len(own), "quartiles": _quartiles(_value(comparison, own))}
        row["times_as_fast"] = None if who == comparison.peer else _quartiles(theirs / own)
        if is_race:
            solved = int((own <= comparison.limit_s).sum())
            row |= {"limit_s": comparison.limit_s, "solved": solved, "par2_s": own.mean()}
            row["par2_ratio"] = theirs.mean() / own.mean()
        found.append(row)
    return found


def _value(comparison, cost):
    """The metric, from the seconds that a unit of work took."""
    match comparison.metric:
        case "seconds":
            return cost.where(cost <= comparison.limit_s, math.inf)
        case "us_per_ant":
            return 1e6 * cost
        case _:
            return 1 / cost


def _quartiles(values):
    """Values that there are, as some may be infinite; those are None here."""
    found = np.quantile(values, (0.25, 0.5, 0.75), method="inverted_cdf").tolist()
    return [value if math.isfinite(value) else None for value in found]


HEAD = (
    "| instances | program | runs | metric | median (quartiles) | times as fast (quartiles) "
    "| solved | PAR2, s | ratio |\n" + "| --- " * 9 + "|"
)


def markdown(found: Iterable[dict]) -> str:
    """A Markdown table of what ``docs/results/peers.csv`` has."""
    lines = [HEAD]
    for row in found:
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
    """Median and quartiles."""
    if quartiles is None:
        return ""
    low, median, high = map(_figure, quartiles)
    return f"{median} ({low} – {high})"


def _figure(value):
    """Three figures, or a whole number; what took more than the limit has none."""
    if value is None:
        return "> limit"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# --- The command ---------------------------------------------------------------------------------


def heading() -> str:
    """The machine, and how busy it is: what runs beside also takes of its caches."""
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    return f"{machine()['processor']}, {os.cpu_count()} cores, {load}; commit {commit()}"


def code() -> str:
    """Hash of all that our runs and instances depend on, committed or not, and of this file."""
    ours = fingerprint("api", *(f"solvers.{name}" for name in solvers.names()))
    return f"{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]}-{ours}"


def chosen(prefixes: tuple[str, ...]) -> dict[str, Comparison]:
    """The comparisons whose names begin with one of the prefixes; all if there is none."""
    for prefix in prefixes:
        if not any(name.startswith(prefix) for name in COMPARISONS):
            message = unknown("comparison", prefix, COMPARISONS)
            raise click.BadParameter(message, param_hint="--only")
    return {name: each for name, each in COMPARISONS.items() if name.startswith(prefixes or "")}


def built(names: Iterable[str], folder: Path, scratch: Path) -> dict[str, Path]:
    """Compile programs, each in a folder of its own; those that can be had."""
    programs = {}
    for name in names:
        program = scratch / name / "program"
        program.parent.mkdir()
        if reason := build(PEERS[name], folder, program):
            click.echo(f"left out: {name}: {reason}", err=True)
        else:
            programs[name] = program
    return programs


def compare(
    name: str, comparison: Comparison, program: Path, n_rounds: int, book: "Book", **request
) -> None:
    """Do what the book does not have; nothing of it stays if ours refuse, or theirs fails."""
    known = list(book.rows.get(name, []))
    try:
        instances = comparison.instances(**request)
        click.echo(f"{name}: {len(instances)} instances, {n_rounds} times", err=True)
        for rows in runs(name, comparison, program, instances, n_rounds, known):
            book.enter(name, rows)
    except InputError as error:
        click.echo(f"left out: {name}: {error}", err=True)
        book.rows[name] = known  # what earlier calls have done stays
        book.write()


def json_file(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that cannot be written before anything is measured."""
    try:
        if path:
            check_output(path, (".json",))
    except InputError as error:
        raise click.BadParameter(str(error)) from None
    return path


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", callback=json_file, help="A JSON file for all runs and what they come to.")
@click.option("--only", multiple=True, help="Comparisons whose names begin so; repeatable.")
@click.option("--instances", "count", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seeds", type=click.IntRange(1), default=2, help="Runs on each, to solve it [2].")
@click.option("--repeats", type=click.IntRange(1), default=5, help="Runs on each, for speed [5].")
@click.option("--limit", type=click.FloatRange(min=0, min_open=True), help="CPU seconds at most.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Of the instances [1].")
@click.option("--source", help="Of their solved grids [search for Sudoku-LS, else shuffle].")
def main(folder, out, only, seeds, repeats, limit, **request):
    """Compare the programs in FOLDER with ours, in turn on the same instances."""
    # As Ctrl-C: the program that runs is ended, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    comparisons = chosen(only)
    asked = {"seed": request["seed"], "source": request["source"]}
    asked["limit"] = limit if limit != math.inf else None
    book = Book(out, {"code": code(), **asked})
    with tempfile.TemporaryDirectory() as scratch:
        names = dict.fromkeys(each.peer for each in comparisons.values())
        programs = built(names, folder.resolve(), Path(scratch))
        for name, each in comparisons.items():
            if each.peer in programs:
                n_rounds = seeds if each.metric == "seconds" else repeats
                limited = within(each, limit)
                compare(name, limited, programs[each.peer], n_rounds, book, **request)
    headings = "\n".join(book.headings)
    click.echo(f"{headings}\n\n{markdown(book.summary())}")


def within(comparison: Comparison, limit_s: float | None) -> Comparison:
    """A comparison with a limit of the user, if that is the smaller one."""
    return replace(comparison, limit_s=min(comparison.limit_s, limit_s or math.inf))


class Book:
    """All runs, by comparison, and the file that has them.

    Parameters
    ----------
    path : str or None
        The file; what it has is gone on with.
    made_with : dict
        What must be the same for all runs.

    Raises
    ------
    click.BadParameter
        If the file is another one, or was made with other things.
    """

    def __init__(self, path: str | None, made_with: dict):
        self._path, self._made_with = path, made_with
        self.headings, self.rows = [heading()], {}
        if path and Path(path).exists():
            self._read()

    def _read(self):
        try:
            known = json.loads(Path(self._path).read_text())
            made_with, headings = dict(known["made_with"]), list(known["headings"])
            rows = [(row["comparison"], row) for row in known["runs"]]
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
        """Add rows of a comparison, and write."""
        self.rows.setdefault(name, []).extend(rows)
        self.write()

    def write(self) -> None:
        """Write all that there is, if there is a file for it."""
        if self._path:
            content = {"made_with": self._made_with, "headings": self.headings}
            content |= {"summary": self.summary(), "runs": list(chain(*self.rows.values()))}
            with atomic_write(self._path) as file:
                file.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")

    def summary(self) -> list[dict]:
        """What all runs come to, in the order of `COMPARISONS`."""
        limit = self._made_with["limit"]
        return [
            row
            for name, each in COMPARISONS.items()
            for row in summary(within(each, limit), self.rows.get(name, []))
        ]


if __name__ == "__main__":
    main()
