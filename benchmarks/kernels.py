"""Speed of the kernels in units of work, one core, CPU time: median of interleaved repeats.

Run it as ``make bench``. Rates do not depend on lucky runs: each kernel does a fixed amount of
work on a fixed instance, made by the project's own generator.
"""

import statistics
import time

import numpy as np

from antdoku import instances, named
from antdoku.budget import Budget
from antdoku.grid import Puzzle
from antdoku.propagation import geometry, load, new_queue, new_state, profile
from antdoku.run import make_params, warm_up
from antdoku.solvers import acs, bs, dlx, ils

REPEATS = 9


def random_puzzle(order, fixed, seed):
    """A puzzle of the shuffle generator."""
    row = instances.generate(order, fixed, 1, seed).iloc[0]
    return Puzzle(order, np.array(row["puzzle"].split(), int), row["instance_id"])


def unsolvable_in_time(order, fixed):
    """A puzzle that the exact solvers do not solve at once, so that their rate can be measured."""
    for seed in range(1, 100):
        puzzle = random_puzzle(order, fixed, seed)
        if bs.solve(puzzle, bs.Params(), None, Budget(max_steps=500_000)).solution is None:
            return puzzle
    raise RuntimeError("no hard puzzle among the first hundred")


def cpu_s(work):
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def acs_us_per_ant(puzzle, iterations):
    """Microseconds for one walk of one ant, updates of the pheromone included."""
    params = make_params("acs", {})

    def work():
        # A fresh start until the iterations are used up: the colony must not converge.
        done = 0
        while done < iterations:
            budget = Budget(max_steps=iterations - done)
            done += max(1, acs.solve(puzzle, params, np.random.default_rng(done), budget).steps)

    return lambda: cpu_s(work) / (iterations * params.m) * 1e6


def steps_per_s(solver, puzzle, steps):
    """Steps of a solver in a second of CPU time."""

    def measure():
        rng, budget = np.random.default_rng(1), Budget(max_steps=steps)
        outcome = []
        elapsed = cpu_s(
            lambda: outcome.append(solver.solve(puzzle, solver.Params(), rng, budget).steps)
        )
        return outcome[0] / elapsed

    return measure


def dlx_updates_per_us(puzzle, steps):
    """Knuth's updates in a microsecond; the matrix is built before."""

    def measure():
        search = dlx.new_search(puzzle)
        elapsed = cpu_s(lambda: dlx.advance(search, 1, Budget(max_steps=steps)))
        return int(search.counters[dlx.UPDATES]) / elapsed / 1e6

    return measure


def us_per_propagation(puzzle, times):
    """Microseconds to propagate a given puzzle to the fixpoint."""
    state, queue, tables = new_state(puzzle.order), new_queue(puzzle.order), geometry(puzzle.order)

    def work():
        for _ in range(times):
            load(state, tables, queue, puzzle.givens)

    return lambda: cpu_s(work) / times * 1e6


def generation_s():
    """Seconds to generate the 6000 instances of the default experiment."""

    def work():
        for order in (3, 4, 5):
            for percent in range(0, 100, 5):
                instances.generate(order, percent / 100, 100, 1)

    return lambda: cpu_s(work)


def main():
    """Measure everything in turn, `REPEATS` times, and print a table."""
    for solver in ("acs", "bs", "dlx", "ils"):
        warm_up(solver, 5, make_params(solver, {}))
    hardest = unsolvable_in_time(5, 0.45)
    middle, classic = random_puzzle(4, 0.40, 1), named.puzzles("platinumblond")[0]
    profile(hardest)
    measures = {
        "acs, us per ant, 25x25 45 %": acs_us_per_ant(hardest, 100),
        "acs, us per ant, 16x16 40 %": acs_us_per_ant(middle, 300),
        "acs, us per ant, 9x9 hard": acs_us_per_ant(classic, 1000),
        "bs, tries per s, 25x25 45 %": steps_per_s(bs, hardest, 400_000),
        "dlx, updates per us, 25x25 45 %": dlx_updates_per_us(hardest, 1_000_000),
        "ils, steps per s, 25x25 45 %": steps_per_s(ils, hardest, 400_000),
        "propagation, us per puzzle, 25x25 45 %": us_per_propagation(hardest, 2000),
        "generation, s for 6000 instances": generation_s(),
    }
    found = {name: [] for name in measures}
    for _ in range(REPEATS):
        for name, measure in measures.items():
            found[name].append(measure())
    for name, values in found.items():
        print(f"{name:40} {statistics.median(values):>14,.2f}")


if __name__ == "__main__":
    main()
