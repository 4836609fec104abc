"""Measure waiting times of users: compilation, a solve, its imports, generating instances.

    python benchmarks/waiting.py

Each time is measured in a new process. Compilation means all kernels of all solvers, into an empty
cache: once for orders up to 5, and once for higher orders as well, which have wider masks.
"""

import os
import statistics
import subprocess
import sys
import tempfile

REPEATS = 9
COMPILE = """
from antdoku import solvers
from antdoku.solvers import make_params
from antdoku.runs.run import warm_up
for name in solvers.names():
    for order in {orders}:
        warm_up(name, order, make_params(name, {{}}))
"""
SOLVE = "from antdoku.cli import main; main(['solve', 'named:platinumblond'])"
IMPORT = "import antdoku.cli, antdoku.runs.run, antdoku.solvers.acs"
GENERATE = """
from antdoku.instances import random
for order in (3, 4, 5):
    for percent in range(0, 100, 5):
        list(random.generate(random.Recipe(order, percent / 100, 100, 2018)))
"""
# The plan of the default, which Snakemake makes whenever it parses the workflow.
PLAN = "from snakemake.cli import main; main(['--dry-run', '--quiet'])"


def seconds(code, **environment):
    """Return wall and CPU seconds of a Python process that runs `code`."""
    command, before = [sys.executable, "-c", code], os.times()
    environment = os.environ | environment
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    wall, user, system = (
        getattr(os.times(), name) - getattr(before, name)
        for name in ("elapsed", "children_user", "children_system")
    )
    return wall, user + system


def cold(orders):
    """Return wall and CPU seconds of the compilation for some orders."""
    with tempfile.TemporaryDirectory() as empty:
        return seconds(COMPILE.format(orders=orders), XDG_CACHE_HOME=empty, NUMBA_CACHE_DIR="")


def warm(code):
    """Return medians of wall and CPU seconds, without the first process, which fills the caches."""
    _, *counted = [seconds(code) for _ in range(1 + REPEATS)]
    return map(statistics.median, zip(*counted))


def main():
    """Measure all tasks in turn, and print a table."""
    print("| task | wall, s | CPU, s | goal |\n| --- | --- | --- | --- |")
    for task, measure, argument, goal in (
        ("all kernels compiled, orders 2 to 5", cold, [5], "60 s CPU"),
        ("all kernels compiled, orders 2 to 8", cold, [5, 8], "60 s CPU"),
        ("`antdoku solve` of a 9x9 puzzle", warm, SOLVE, "1.5 s wall"),
        ("its imports", warm, IMPORT, "1 s wall"),
        ("`snakemake --dry-run` of the default", warm, PLAN, "3 s CPU"),
        ("6000 instances generated, one core", seconds, GENERATE, "60 s wall on two cores"),
    ):
        wall, cpu = measure(argument)
        print(f"| {task} | {wall:.2f} | {cpu:.2f} | {goal} |", flush=True)


if __name__ == "__main__":
    main()
