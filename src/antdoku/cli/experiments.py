"""``antdoku run | compare``: runs of solvers on many puzzles."""

import os
import re
from collections import Counter
from functools import partial
from pathlib import Path

import click

from antdoku.cli import options
from antdoku.cli.options import INSTANCES_HELP, NOT_ALL, OK

run_options = options.together(
    options.jobs(1, "Processes."),
    options.output("File .parquet or .csv.  [default: <instances>_<solver>.parquet]"),
    click.option("--figure", metavar="FILE", help="Curves of success: .png, .svg or .pdf."),
    options.force,
    click.option("-q", "--quiet", is_flag=True, help="No progress bar."),
    options.symbols,
)
repetitions = click.option(
    "--repetitions", "--seeds", type=int, default=1, help="Runs on each puzzle, each with a seed."
)
SEVERAL = {"multiple": True, "required": True, "help": f"Repeatable. {options.SOLVER_HELP}"}


@click.command(epilog=INSTANCES_HELP)
@options.source("instances")
@options.one_solver
@repetitions
@run_options
def run(instances, solver, params, **options):
    """Run a solver on many puzzles, and write a table with a row for each run.

    If it is interrupted, the same command continues. A proof that there is no solution counts as
    solved. Exit status 1 means that a solver failed; puzzles not solved in time are results.

    \b
    Examples:
      antdoku run hard.parquet --solver acs --timeout 12 --jobs 2 -o runs.parquet
      antdoku run named:lloyd_amos_named --solver ils --repetitions 100 -o ils.parquet
    """
    from antdoku.solvers import short_name, with_parameters

    solver, own_params = with_parameters(solver)
    variant = {"solver": solver, "params": own_params | params}
    return _compare(instances, {short_name(solver): variant}, **options)


@click.command(epilog=INSTANCES_HELP)
@options.source("instances")
@click.option("-s", "--solver", "solvers", **SEVERAL)
@options.limits
@repetitions
@run_options
def compare(instances, solvers, **options):
    """Compare solvers on many puzzles: which is better, and is that decided?

    The table at the end has the best solver first, with 95 % intervals. It says how
    many instances would decide an undecided difference. A proof that there is no solution counts as
    solved. If the command is interrupted, the same command continues.

    \b
    Examples:
      antdoku compare hard.parquet -s acs -s dlx -s ./mine.py --timeout 5
      antdoku compare hard.parquet -s acs:f_bve=0 -s acs --max-steps 1000
      antdoku compare named:soto -s acs -s sa --seeds 5 -o runs.parquet --figure curves.png
    """
    return _compare(instances, solvers, **options)


def _compare(instances, solvers, output, figure, quiet, symbols, **request):
    """Do the runs with the arguments of `api.compare`, and print their summary."""
    from antdoku import api
    from antdoku.files import check_output
    from antdoku.outcome import FAILURES
    from antdoku.puzzle.reading import keep_apart
    from antdoku.solvers import variant_name
    from antdoku.tables import comparison

    names = "_".join(re.sub(r"\W+", "-", variant_name(solver)) for solver in solvers)
    output = output or f"{_stem(instances)}_{names}.parquet"
    if figure:
        check_output(figure, [".png", ".svg", ".pdf"], request["force"])
        from antdoku.figures import comparison as drawing
    track = partial(options.progress, quiet=quiet)
    keep_apart([instances], output)
    puzzles = api.read(instances, symbols=symbols) if symbols else instances
    table = api.compare(puzzles, solvers, output=output, track=track, **request)
    counts = Counter(table["status"])
    click.echo(f"{output}: {options.several(len(table), 'run')}: {options.listed(counts)}")
    click.echo(_aligned(comparison.as_text(comparison.summary(table))))
    if figure:
        drawing.plot(table).savefig(figure)
    return NOT_ALL if {*counts} & {*FAILURES} else OK


def _stem(instances):
    """Return ``hard`` for hard.txt and for ``named:hard``, and ``puzzles`` for a literal."""
    has_name = instances.startswith("named:") or os.path.lexists(instances)
    return Path(instances.removeprefix("named:")).name.split(".")[0] if has_name else "puzzles"


def _aligned(table):
    """Return a table of texts as lines with aligned columns."""
    rows = [list(table), *table.to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
