"""``antdoku run | compare``: runs of solvers on many puzzles."""

import os
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from antdoku.cli import options
from antdoku.cli.options import INSTANCES_HELP, NOT_ALL, OK, listed
from antdoku.errors import several

instances_argument = options.several_sources("instances", "INSTANCES...")
run_options = options.together(
    click.option(
        *("--repetitions", "--seeds"),
        type=int,
        default=1,
        help="Runs on each puzzle, each with a seed.",
    ),
    options.jobs(1, "Processes."),
    options.symbols,
    options.column,
    options.skip_bad,
    click.option("--json", "as_json", is_flag=True, help="The ranking, a line of JSON a solver."),
    options.output(
        "File .parquet or .csv of all runs; - is standard output."
        "  [default: <instances>_<solver>.parquet]"
    ),
    click.option("--figure", metavar="FILE", help="Curves of success: .png, .svg or .pdf."),
    options.force,
    click.option(
        "--force-changed", is_flag=True, help="Repeat the runs of the file that have changed."
    ),
    options.quiet,
)


@click.command(epilog=INSTANCES_HELP)
@instances_argument
@options.one_solver
@run_options
def run(instances, solver, params, **options):
    """Run a solver on many puzzles, and write a table with a row for each run.

    If it is interrupted, the same command continues; once it has ended, it shows the result again,
    or adds the runs of more puzzles or repetitions. With --force it begins anew. A proof
    that there is no solution counts as solved. Exit status 1 means that a solver failed, or that
    lines were skipped; puzzles not solved in time are results.

    \b
    Examples:
      antdoku run hard.parquet --solver acs --timeout 12 --jobs 2 -o runs.parquet
      antdoku run named:lloyd_amos_named --solver ils --repetitions 100 -o ils.parquet
    """
    from antdoku.solvers import short_name, with_parameters

    solver, params = with_parameters(solver, params)
    return _compare(
        instances, {short_name(solver): {"solver": solver, "params": params}}, **options
    )


@click.command(epilog=INSTANCES_HELP)
@instances_argument
@options.several_solvers
@options.limits
@run_options
def compare(instances, solvers, **options):
    """Compare solvers on many puzzles: which is better, and is that decided?

    The table at the end has the best solver first, with 95 % intervals. It says how
    many instances would decide an undecided difference. A proof that there is no solution counts as
    solved. If the command is interrupted, the same command continues; once it has ended, it shows
    the result again, or adds the runs of more puzzles, solvers or repetitions. With --force it
    begins anew.

    \b
    Examples:
      antdoku compare hard.parquet -s acs -s dlx -s ./mine.py --timeout 5
      antdoku compare hard.parquet -s acs:f_bve=0 -s acs --max-steps 1000
      antdoku compare named:soto -s acs -s sa --seeds 5 -o runs.parquet --figure curves.png
    """
    return _compare(instances, solvers, **options)


def _compare(instances, solvers, output, figure, as_json, skip_bad, force_changed, **request):
    """Do the runs with the arguments of `api.compare`, and print their summary."""
    from antdoku import api
    from antdoku.cli.output import is_stdout
    from antdoku.cli.writing import bad_lines
    from antdoku.files import check_output
    from antdoku.outcome import FAILURES
    from antdoku.tables import comparison

    request["force"] = "changed" if force_changed else request["force"]
    output = output or f"{_stem(instances)}_{_names(solvers)}.parquet"
    if as_json and is_stdout(output):
        message = "--json prints the ranking, --output - the runs: leave one out"
        raise click.UsageError(message)
    if figure:  # of finished runs it is drawn again
        is_repeated = request["force"] or os.path.exists(output)
        check_output(figure, [".png", ".svg", ".pdf"], is_repeated)
        from antdoku.figures import comparison as drawing
    skipped: Counter = Counter()
    is_printed = is_stdout(output)
    request |= {"output": None if is_printed else output, "track": not options.is_quiet()}
    skip = bad_lines(skipped, skip_bad)
    with _warnings_as_notes():
        table = api.compare(list(instances), solvers, skip=skip, **request)
    counts = Counter(table["status"])
    if is_printed:
        click.echo(table.to_csv(index=False), nl=False)
        if not options.is_quiet():
            click.echo(_aligned(comparison.as_text(comparison.summary(table))), err=True)
    elif as_json:
        click.echo(comparison.summary(table).to_json(orient="records", lines=True), nl=False)
    else:
        if not options.is_quiet():
            click.echo(f"{output}: {several(len(table), 'run')}: {listed(counts)}")
        click.echo(_aligned(comparison.as_text(comparison.summary(table))))
    if figure:
        drawing.plot(table).savefig(figure)
    return NOT_ALL if skipped or {*counts} & {*FAILURES} else OK


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """Print what the library warns of as notes, without a line of its code."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def tell(message, category, *place, **more):
            if category is UserWarning:
                options.note(str(message))
            else:
                show(message, category, *place, **more)

        warnings.showwarning = tell
        yield


def _names(solvers):
    """Return the names of solvers, with their parameters, as a part of the name of a file."""
    from antdoku.solvers import variant_name

    return "_".join(re.sub(r"\W+", "-", variant_name(solver)) for solver in solvers)


def _stem(instances):
    """Return ``hard`` for hard.txt and for ``named:hard``, ``hard-and-2`` if there are two more.

    Standard input and literals have no name: ``stdin`` and ``puzzles``.
    """
    first, *others = instances
    has_name = first.startswith("named:") or os.path.lexists(first)
    unnamed = "stdin" if first == "-" else "puzzles"
    stem = Path(first.removeprefix("named:")).name.split(".")[0] if has_name else unnamed
    return f"{stem}-and-{len(others)}" if others else stem


def _aligned(table):
    """Return a table of texts as lines with aligned columns."""
    rows = [list(table), *table.to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
