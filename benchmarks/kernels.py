"""Measure the speed of the kernels in units of work, by CPU time on one core.

    python benchmarks/kernels.py --kernel acs --kernel dlx --repeats 50 --json

Each value is the time of a fixed amount of work on a fixed hard instance. A solver that finds a
solution earlier starts again, so a lucky run is not faster. Repeats are interleaved, so a slow
spell of the machine affects all benchmarks alike. The median of the repeats counts.

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
    """Return steps of a solver per second. After a solution it starts again, with another seed."""
    solver, params = get(kernel), make_params(kernel, {})
    n_steps, start = 0, thread_time()
    while n_steps < steps:
        rng, budget = np.random.default_rng(n_steps), Budget(max_steps=steps - n_steps)
        n_steps += solver.solve(puzzle, params, rng, budget).steps
    return steps / (thread_time() - start)


def us_per_ant(kernel: str, puzzle: Puzzle, iterations: int) -> float:
    """Return microseconds for the walk of one ant, including its share of the colony's updates."""
    return 1e6 / (steps_per_s(kernel, puzzle, iterations) * make_params(kernel, {}).m)


def updates_per_us(kernel: str, puzzle: Puzzle, steps: int) -> float:
    """Return updates of `dlx` (Knuth's operation 1) per microsecond, including the set-up."""
    start = thread_time()
    search = dlx.new_search(puzzle)
    dlx.advance(search, 1, Budget(max_steps=steps))
    return int(search.counters[dlx.UPDATES]) / (thread_time() - start) / 1e6


def us_per_propagation(kernel: str, puzzle: Puzzle, times: int) -> float:
    """Return microseconds to propagate the givens of a puzzle until nothing changes."""
    state, queue, tables = new_state(puzzle.order), new_queue(puzzle.order), geometry(puzzle.order)
    start = thread_time()
    for _ in range(times):
        load(state, tables, queue, puzzle.givens)
    return (thread_time() - start) / times * 1e6


# Each metric is measured by a function of kernel, puzzle and amount of work.
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
    """A kernel, the order of its `instance`, a metric, and goals.

    Parameters
    ----------
    kernel : str
        A solver, or ``propagation``.
    metric : str
        A key of `METRICS`. Times (``us_per_...``) should be small, rates large.
    work : int
        Amount of work of one measurement, in the metric's unit: some 50 ms.
    goal, stretch : float
        The value that the project promises, and a better value that it hopes for.
    authors : float
        The value of the published program of the algorithm's authors.
    """

    kernel: str
    order: int
    metric: str
    work: int
    goal: float
    stretch: float | None = None
    authors: float | None = None

    def measure(self, work: int | None = None) -> float:
        """Measure once; `work` replaces the usual amount."""
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
    """Return the instance for the benchmarks of an order.

    At order 3 it is platinumblond. The others come from the generator, with seeds chosen for
    hardness:

    - Order 4, 40 %: two iterations of ACS usually suffice, and its start takes a quarter of the
      time. This instance takes 25 iterations (median; mean 42), so the start is 2 % of the time.
      After propagation, where the ants begin, it is ordinary: 46 % of the cells are fixed
      (quartiles of the family 44 and 47), with 2.99 candidates a cell (quartiles 2.92 and 3.20).
    - Order 5, 45 %: ACS takes more than 300 iterations three times in four, BS and DLX more than a
      million steps.
    - Order 6, 50 %: tabu search takes more than four million steps.
    """
    if order == 3:
        return Puzzle(3, named.puzzles("platinumblond")[0].givens, "9x9, platinumblond")
    percent, seed = {4: (40, 43106), 5: (45, 6), 6: (50, 2)}[order]
    request = random.Recipe(order, percent / 100, 1, seed, base="root")
    text = next(random.generate(request))["puzzle"]
    return Puzzle(order, np.array(text.split(), int), f"{order**2}x{order**2}, {percent} %")


def interleaved(benchmarks: list[Benchmark], repeats: int) -> Iterator[float]:
    """Yield a value of each benchmark in turn, `repeats` times; compilation is not measured."""
    for benchmark in benchmarks:
        benchmark.measure(work=1)
    for _ in range(repeats):
        yield from (benchmark.measure() for benchmark in benchmarks)


def results(benchmarks: list[Benchmark], values: list[float]) -> list[tuple[Benchmark, float]]:
    """Return each benchmark with the median of its values, from the values of `interleaved`."""
    n = len(benchmarks)
    return [(benchmark, statistics.median(values[k::n])) for k, benchmark in enumerate(benchmarks)]


def row(benchmark: Benchmark, value: float) -> dict:
    """Return a result as ``--json`` prints it."""
    fields = {name: getattr(benchmark, name) for name in ("kernel", "order", "metric")}
    return fields | {"value": value, "goal": benchmark.goal}


def table(values: Iterable[tuple[Benchmark, float]]) -> Table:
    """Return benchmarks and their values as the Markdown table in ``docs/benchmarks.md``."""
    markdown = Table(box=box.MARKDOWN)
    for heading in ("kernel", "instance", "metric"):
        markdown.add_column(heading, overflow="fold")
    for heading in ("measured", "goal", "met", "stretch", "authors' program"):
        markdown.add_column(heading, overflow="fold", justify="right")
    for benchmark, value in values:
        names = benchmark.kernel, instance(benchmark.order).name, benchmark.metric
        is_met = "yes" if benchmark.is_met(value) else "no"
        numbers = value, benchmark.goal, benchmark.stretch, benchmark.authors
        measured, goal, stretch, authors = map(_figure, numbers)
        markdown.add_row(*names, measured, goal, is_met, stretch, authors)
    return markdown


def _figure(value):
    """Return a number with three significant figures, or as a whole number from 100 on."""
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
    help="Measure only this kernel; repeatable.",
)
@click.option("--repeats", type=click.IntRange(min=1), default=15, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON per benchmark.")
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
    medians = results(chosen, list(values))
    if as_json:
        for benchmark, value in medians:
            click.echo(json.dumps(row(benchmark, value)))
    else:
        # A file gets the whole width of the table.
        Console(width=None if sys.stdout.isatty() else 150).print(table(medians))


if __name__ == "__main__":
    main()
