"""Speed of the kernels in units of work, by CPU time on one core; beside each, its goal.

    python benchmarks/kernels.py --kernel acs --kernel dlx --repeats 50 --json

Every value is the time of a fixed amount of work on a fixed hard instance, never that of a lucky
run: a solver that ends before starts afresh. Repeats are interleaved, so that a slow spell of the
machine hits all benchmarks alike, and the median of them counts.

To measure another kernel, add to `BENCHMARKS`, and to `METRICS` if its unit of work is new.
"""

import json
import statistics
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from time import thread_time  # a progress bar has a thread of its own

import click
import numpy as np
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from antdoku.budget import Budget
from antdoku.instances import random
from antdoku.kernels.propagation import geometry, load, new_queue, new_state
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import dlx, get, make_params


def steps_per_s(kernel: str, puzzle: Puzzle, steps: int) -> float:
    """Steps of a solver in a second; a solved puzzle is started afresh, with another seed."""
    solver, params = get(kernel), make_params(kernel, {})
    done, start = 0, thread_time()
    while done < steps:
        rng, budget = np.random.default_rng(done), Budget(max_steps=steps - done)
        done += solver.solve(puzzle, params, rng, budget).steps
    return steps / (thread_time() - start)


def us_per_ant(kernel: str, puzzle: Puzzle, iterations: int) -> float:
    """Microseconds for the walk of one ant of a colony of m, its share of all updates included."""
    return 1e6 / (steps_per_s(kernel, puzzle, iterations) * make_params(kernel, {}).m)


def updates_per_us(kernel: str, puzzle: Puzzle, steps: int) -> float:
    """Updates of `dlx` (Knuth's operation 1) in a microsecond; the matrix is built in that time."""
    start = thread_time()
    search = dlx.new_search(puzzle)
    dlx.advance(search, 1, Budget(max_steps=steps))
    return int(search.counters[dlx.UPDATES]) / (thread_time() - start) / 1e6


def us_per_propagation(kernel: str, puzzle: Puzzle, times: int) -> float:
    """Microseconds to propagate the givens of a puzzle until nothing changes any more."""
    state, queue, tables = new_state(puzzle.order), new_queue(puzzle.order), geometry(puzzle.order)
    start = thread_time()
    for _ in range(times):
        load(state, tables, queue, puzzle.givens)
    return (thread_time() - start) / times * 1e6


# How each metric is measured: a function of kernel, puzzle and amount of work.
METRICS = {
    "us_per_ant": us_per_ant,
    "tries_per_s": steps_per_s,
    "proposals_per_s": steps_per_s,
    "moves_per_s": steps_per_s,
    "updates_per_us": updates_per_us,
    "us_per_propagation": us_per_propagation,
}


@dataclass(frozen=True)
class Benchmark:
    """A kernel, the `instance` of an order, what is measured, and what it ought to be.

    Parameters
    ----------
    kernel : str
        A solver, or ``propagation``.
    metric : str
        One of `METRICS`. Times (``us_per_...``) should be small, rates large.
    work : int
        Amount of work of one measurement, in the metric's unit: some 50 ms.
    goal, stretch : float
        The value that the project promises, and one that it would like.
    authors : float
        The value of the published program of the kernel's authors.
    """

    kernel: str
    order: int
    metric: str
    work: int
    goal: float
    stretch: float | None = None
    authors: float | None = None

    def measure(self, work: int | None = None) -> float:
        """Measure once, with another amount of `work` if one is given."""
        return METRICS[self.metric](self.kernel, instance(self.order), work or self.work)

    def is_met(self, value: float) -> bool:
        """Whether `value` reaches the goal."""
        return value <= self.goal if self.metric.startswith("us_per") else value >= self.goal


BENCHMARKS = (
    Benchmark("acs_closure", 5, "us_per_ant", 300, goal=15, stretch=12, authors=671),
    Benchmark("acs_closure", 4, "us_per_ant", 1000, goal=5.2, stretch=4, authors=149),
    Benchmark("acs_closure", 3, "us_per_ant", 3000, goal=1.7, stretch=1.3, authors=22.9),
    Benchmark("acs", 5, "us_per_ant", 100, goal=55, authors=671),
    Benchmark("acs", 4, "us_per_ant", 300, goal=20, authors=149),
    Benchmark("acs", 3, "us_per_ant", 800, goal=7.5, authors=22.9),
    Benchmark("bs_closure", 5, "tries_per_s", 200_000, goal=1_500_000, authors=12_500),
    Benchmark("bs", 5, "tries_per_s", 40_000, goal=500_000, authors=12_500),
    Benchmark("bs", 4, "tries_per_s", 80_000, goal=500_000),
    Benchmark("bs", 3, "tries_per_s", 100_000, goal=500_000),
    Benchmark("dlx", 5, "updates_per_us", 300_000, goal=80, authors=9),
    *(Benchmark("sa", order, "proposals_per_s", 5_000_000, goal=60_000_000) for order in (3, 4, 5)),
    Benchmark("tabu_col", 6, "moves_per_s", 500_000, goal=4_000_000),
    Benchmark("propagation", 5, "us_per_propagation", 2000, goal=30),
)
KERNELS = tuple(dict.fromkeys(benchmark.kernel for benchmark in BENCHMARKS))


@cache
def instance(order: int) -> Puzzle:
    """The instance that kernels are measured on at an order.

    Order 3 is platinumblond. The others come from the generator, with seeds chosen by hardness. At
    order 4, 40 %, two iterations of ACS are enough as a rule, and a quarter of the time goes into
    the start. The instance here takes 25 in the median and 42 in the mean, so that the start is
    2 % of the time; what propagation leaves of it, which is what an ant has to do, is ordinary
    (46 % of the cells fixed, quartiles of the family 44 and 47; 2.99 candidates a cell, quartiles
    2.92 and 3.20). At order 5, 45 %, it takes ACS more than 300 iterations three times in four, and
    BS and DLX more than a million steps. At order 6, 50 %, tabu search takes more than four
    million.
    """
    if order == 3:
        return Puzzle(3, named.puzzles("platinumblond")[0].givens, "9x9, platinumblond")
    percent, seed = {4: (40, 43106), 5: (45, 6), 6: (50, 2)}[order]
    text = next(random.generate(order, percent / 100, 1, seed, base="root"))["puzzle"]
    return Puzzle(order, np.array(text.split(), int), f"{order**2}x{order**2}, {percent} %")


def interleaved(benchmarks: list[Benchmark], repeats: int) -> Iterator[float]:
    """Yield a value of every benchmark in turn, `repeats` times; compilation is not measured."""
    for benchmark in benchmarks:
        benchmark.measure(work=1)
    for _ in range(repeats):
        yield from (benchmark.measure() for benchmark in benchmarks)


def results(benchmarks: list[Benchmark], values: list[float]) -> list[tuple[Benchmark, float]]:
    """Each benchmark with its median of the values that `interleaved` yields."""
    n = len(benchmarks)
    return [(benchmark, statistics.median(values[k::n])) for k, benchmark in enumerate(benchmarks)]


def row(benchmark: Benchmark, value: float) -> dict:
    """A result as ``--json`` prints it."""
    known = {name: getattr(benchmark, name) for name in ("kernel", "order", "metric")}
    return known | {"value": value, "goal": benchmark.goal}


def table(found: Iterable[tuple[Benchmark, float]]) -> Table:
    """Benchmarks and their values as a Markdown table: that of ``docs/benchmarks.md``."""
    drawn = Table(box=box.MARKDOWN)
    for heading in ("kernel", "instance", "metric"):
        drawn.add_column(heading, overflow="fold")
    for heading in ("measured", "goal", "met", "stretch", "authors' program"):
        drawn.add_column(heading, overflow="fold", justify="right")
    for benchmark, value in found:
        names = benchmark.kernel, instance(benchmark.order).name, benchmark.metric
        met = "yes" if benchmark.is_met(value) else "no"
        beyond = _figure(benchmark.stretch), _figure(benchmark.authors)
        drawn.add_row(*names, _figure(value), _figure(benchmark.goal), met, *beyond)
    return drawn


def _figure(value):
    """Three figures, or a whole number; empty if there is none."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


@click.command()
@click.option(
    "--kernel",
    "kernels",
    type=click.Choice(KERNELS),
    multiple=True,
    default=KERNELS,
    help="This alone; repeatable.",
)
@click.option("--repeats", type=click.IntRange(min=1), default=15, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a benchmark, a line each.")
def main(kernels, repeats, as_json):
    """Measure the speed of the kernels: CPU time on one core, median of interleaved repeats."""
    chosen = [benchmark for benchmark in BENCHMARKS if benchmark.kernel in kernels]
    progress = Console(stderr=True)
    values = track(
        interleaved(chosen, repeats),
        total=len(chosen) * repeats,
        console=progress,
        transient=True,
        disable=not progress.is_terminal,
    )
    found = results(chosen, list(values))
    if as_json:
        for each in found:
            click.echo(json.dumps(row(*each)))
    else:
        # What is not a terminal is as wide as it needs to be.
        Console(width=None if sys.stdout.isatty() else 150).print(table(found))


if __name__ == "__main__":
    main()
