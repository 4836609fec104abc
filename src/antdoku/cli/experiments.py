"""``antdoku run | compare``: solvers on many puzzles."""

import os
from collections import Counter
from functools import partial
from pathlib import Path

import click

from antdoku.cli.options import (
    NOT_ALL,
    OK,
    PUZZLE_HELP,
    SOLVER_HELP,
    PuzzleCommand,
    PuzzleSource,
    compilation_announced,
    limit_options,
    option_with_default,
    progress,
    solver_options,
    together,
)
from antdoku.errors import InputError

run_options = together(
    option_with_default("--jobs", type=click.IntRange(1, 1024), default=1, help="Processes."),
    click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="A file .parquet or .csv.  [default: <instances>_<solver>.parquet]",
    ),
    click.option("--html", metavar="FILE", help="A page with the table and a figure, too."),
    click.option("--force", is_flag=True, help="Overwrite a file that holds other runs."),
    click.option("-q", "--quiet", is_flag=True, help="No progress bar."),
)
INSTANCES_HELP = PUZZLE_HELP.replace("PUZZLE is", "INSTANCES is")


@click.command(epilog=INSTANCES_HELP, cls=PuzzleCommand)
@click.argument("instances", type=PuzzleSource())
@solver_options
@option_with_default(
    "--repetitions",
    type=click.IntRange(min=1),
    default=1,
    help="Runs of each puzzle, with seeds of their own.",
)
@run_options
def run(instances, solver, params, **options):
    """Run a solver on many puzzles, one row of a table a run.

    A run that is interrupted resumes where it was when the same command is given again; with more
    repetitions or puzzles, it does those that are missing. Exit status 1 means that a solver
    failed; puzzles that it does not solve in time are results.

    \b
    Examples:
      antdoku run hard.parquet --solver acs --timeout 12 --jobs 2 -o runs.parquet
      antdoku run named:lloyd_amos_named --solver ils --repetitions 100 -o ils.parquet
    """
    from antdoku.solvers import short_name

    variants = {short_name(solver): {"solver": solver, "params": dict(params)}}
    return _do_runs(instances, variants, **options)


@click.command(epilog=INSTANCES_HELP, cls=PuzzleCommand)
@click.argument("instances", type=PuzzleSource())
@click.option(
    "-s",
    "--solver",
    "solvers",
    multiple=True,
    required=True,
    help=f"Repeatable. {SOLVER_HELP}",
)
@limit_options
@option_with_default(
    "--seeds",
    "repetitions",
    type=click.IntRange(min=1),
    default=1,
    help="Runs of each solver on each puzzle, with seeds of their own.",
)
@run_options
def compare(instances, solvers, **options):
    """Compare solvers on many puzzles: which is better, and is that decided?

    The table at the end has the best solver first, with 95 % intervals, and says how many instances
    would decide what is not decided yet. What is interrupted resumes when the same command is given
    again.

    \b
    Examples:
      antdoku compare hard.parquet -s acs -s dlx -s ./mine.py --timeout 5
      antdoku compare named:soto -s acs -s sa --seeds 5 -o runs.parquet --html page.html
    """
    from antdoku.solvers import short_name

    names = [short_name(solver) for solver in solvers]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"two solvers are called {twice}: give one of the files another name")
    return _do_runs(instances, dict(zip(names, solvers)), **options)


def _do_runs(instances, variants, output, html, quiet, **options):
    """Do the runs, and print what they come to."""
    from antdoku import api
    from antdoku.fileio import check_output
    from antdoku.outcome import FAILURES, STATUSES

    output = output or _default_output(instances, "_".join(variants))
    if html:
        check_output(html, [".html"])
        with api.needing_matplotlib():
            from antdoku.figures import comparison as drawing
    with compilation_announced():
        track = partial(progress, quiet=quiet)
        try:
            table = api.compare(instances, variants, output=output, track=track, **options)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("the same command goes on where it was") from None
    found = Counter(table["status"])
    listed = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    click.echo(f"{output}: {len(table)} runs: {listed}")
    click.echo(_ranking(table))
    if html:
        Path(html).write_text(drawing.page(table, f"{instances}: {' and '.join(variants)}"))
    return NOT_ALL if any(found[status] for status in FAILURES) else OK


def _ranking(runs):
    """The summary as text, its columns side by side."""
    from antdoku.tables import comparison

    table = comparison.as_text(comparison.summary(runs))
    rows = [list(table), *table.to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


def _default_output(instances, solver):
    """``hard_acs.parquet`` for hard.txt; what is no file and has no name is called `puzzles`."""
    from antdoku.puzzle.files import stem
    from antdoku.puzzle.named import PREFIX

    name = "puzzles"
    if instances.startswith(PREFIX):
        name = Path(instances.removeprefix(PREFIX)).name
    elif os.path.lexists(instances):
        name = stem(instances)
    return f"{name}_{solver}.parquet"
