"""``antdoku generate | run | compare``: puzzles are made, and solvers run on many."""

import os
from collections import Counter
from functools import partial
from pathlib import Path

import click

from antdoku.cli.usage import (
    NOT_ALL,
    OK,
    PUZZLE_HELP,
    SOLVER_HELP,
    PuzzleCommand,
    PuzzleSource,
    complete_solver,
    limit_options,
    option_with_default,
    solver_options,
    together,
)
from antdoku.errors import InputError

SOURCES, BASES = ("shuffle", "acs", "search"), ("random", "root")  # as in `instances.random`
DELETIONS = ("exact", "bernoulli")


@click.command()
@click.option("--order", type=int, required=True, help="2 to 10; 3 is the usual Sudoku.")
@click.option("--fixed", type=float, required=True, help="Fraction of cells given, 0 to 1.")
@option_with_default("--count", type=int, default=1, help="Number of puzzles.")
@option_with_default("--seed", type=click.IntRange(min=0), default=1, help="Root seed.")
@option_with_default(
    "--source",
    type=click.Choice(SOURCES),
    default="shuffle",
    help="Solved grids from: shuffle (operators of Lewis 2007), or a blank grid by acs or search.",
)
@option_with_default(
    "--base",
    type=click.Choice(BASES),
    default="random",
    help="What is shuffled: a random grid for each puzzle, or always the root solution of Lewis.",
)
@option_with_default(
    "--deletion",
    type=click.Choice(DELETIONS),
    default="exact",
    help="Blank an exact number of cells, or bernoulli: each cell with the same probability.",
)
@click.option("--unique", is_flag=True, help="Puzzles with exactly one solution: it is proved.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default="-",
    help="A file .parquet, .csv or .txt; without it, lines on standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite the file.")
def generate(output, force, **request):
    """Generate random puzzles that have a solution, perhaps several.

    With --unique they have one. From --fixed 0.28, 0.36, 0.44 and 0.5 at orders 3 to 6, roughly,
    there are some: within milliseconds, at orders 5 and 6 seconds each. What is interrupted goes on
    where it was when the same command, with a FILE, is given again.

    \b
    Examples:
      antdoku generate --order 3 --fixed 0.4
      antdoku generate --order 4 --fixed 0.4 --unique
      antdoku generate --order 5 --fixed 0.45 --count 100 --seed 1 -o hard.parquet
    """
    from antdoku import api
    from antdoku.cli import bar, compiling
    from antdoku.fileio import check_output
    from antdoku.instances.table import ENDINGS

    if output == "-":
        with compiling.heard():
            api.generate_table(**request, track=_printed)
        return
    check_output(output, ENDINGS)
    if os.path.exists(output) and not force:
        raise InputError(f"{output}: is there already: name another, or overwrite it with --force")
    with compiling.heard(as_line=False) as listener:
        track = partial(bar.with_bar, compiling=listener)
        table = api.generate_table(**request, output=output, track=track)
    click.echo(f"{output}: {len(table)} puzzles")


def _printed(rows, total):
    """Yield `rows`, and print the puzzle of each as soon as it is made."""
    from antdoku.puzzle.forms import format_file, read_integers

    for row in rows:
        click.echo(format_file([read_integers(row["puzzle"])]), nl=False)
        yield row


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
    shell_complete=complete_solver,
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
    from antdoku.cli import bar, compiling
    from antdoku.fileio import check_output
    from antdoku.outcome import FAILURES, STATUSES

    output = output or _default_output(instances, "_".join(variants))
    if html:
        check_output(html, [".html"])
        with api.needing_matplotlib():
            from antdoku.figures import comparison as drawing
    with compiling.heard(as_line=False) as listener:
        track = partial(bar.with_bar, compiling=listener, quiet=quiet)
        table = api.compare(instances, variants, output=output, track=track, **options)
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

    table = comparison.shown(comparison.summary(runs))
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
