"""The command line: ``antdoku solve | generate | run | count | check | solvers``.

A command reads its arguments, calls `antdoku.api` and prints. What it needs is imported inside it,
so that ``--help`` is quick and ``solve`` does without pandas. Mistakes, in usage as in input, are
one line on standard error and exit status 2.
"""

import json
import math
import os
import re
import sys
from collections import Counter
from functools import partial

import click

from antdoku import __version__
from antdoku.errors import InputError, one_line

OK, NOT_ALL, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
MAX_STEPS = 2**53  # whole numbers that every JSON reader knows

PUZZLE_HELP = """\b
PUZZLE is one of
  a file     text (81 characters, letters, grids, integers), .csv or .parquet
  -          standard input
  named:X    a named puzzle or collection: named:platinumblond,
             named:lloyd_amos_named, named:mantere_koljonen_46, named:soto,
             named:seventeen_clue, named:all
  a literal  '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28...'
"""


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit status; prints at most one line of complaint."""
    _print_anything()
    try:
        with cli.make_context("antdoku", sys.argv[1:] if argv is None else list(argv)) as context:
            status = cli.invoke(context)
        if sys.stdout:
            sys.stdout.flush()
        return status or OK
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as error:
        return _complain(error.format_message().rstrip(".") + _help_hint(error))
    except InputError as error:
        return _complain(str(error))
    except KeyboardInterrupt as interrupt:
        _complain(f"interrupted{': ' if str(interrupt) else ''}{interrupt}")
        return INTERRUPTED
    except BrokenPipeError:  # whoever read has enough
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:  # a full disk, above all
        place = f"{error.filename}: " if error.filename else ""
        _drop_output()
        return _complain(f"{place}{error.strerror or error}")


def _drop_output():
    """Keep the interpreter from trying once more, at its exit, to write what is left."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_anything():
    """Write signs that the terminal's encoding lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _complain(message: str) -> int:
    print(f"antdoku: error: {one_line(message)}", file=sys.stderr)
    return BAD_INPUT


def _help_hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" (see {context.command_path} --help)" if context else ""


# --- Arguments -----------------------------------------------------------------------------------


class _Commands(click.Group):
    def list_commands(self, ctx):
        return list(self.commands)  # in the order of this file


class _PuzzleCommand(click.Command):
    def parse_args(self, ctx, args):
        # A literal may begin like an option: with the integer -1 or with the frame of a grid.
        literal = re.compile(r"(-1|--[-+])[^=]*\s")
        return super().parse_args(ctx, [f" {arg}" if literal.match(arg) else arg for arg in args])


class _Positive(click.ParamType):
    """A number more than 0; not NaN, but perhaps infinite."""

    name = "seconds"

    def convert(self, value, param, ctx):
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not number > 0:
            self.fail(f"{value!r} is not a number of seconds more than 0", param, ctx)
        return number


class _Parameter(click.ParamType):
    """NAME=VALUE, as a pair."""

    name = "name=value"

    def convert(self, value, param, ctx):
        name, equals, text = value.partition("=")
        if not (name.strip() and equals and text.strip()):
            self.fail(f"{value!r} is not NAME=VALUE, such as m=20", param, ctx)
        return name.strip(), text.strip()


def _solver_options(command):
    """Options that say how to solve, for `solve` and `run`."""
    options = [
        click.option("--solver", default="auto", show_default=True, help="See: antdoku solvers."),
        click.option(
            "--param", "params", type=_Parameter(), multiple=True, help="Of the solver; repeatable."
        ),
        click.option(
            "--timeout",
            type=_Positive(),
            help="CPU seconds for one puzzle.  [default: 10; none with --max-steps]",
        ),
        click.option(
            "--max-steps",
            type=click.IntRange(1, MAX_STEPS),
            help="Steps for one puzzle, counted by the solver: the same on any machine.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="The same seed gives the same random numbers.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


# --- Commands ------------------------------------------------------------------------------------


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 yes or all solved, 1 no or not all solved, 2 bad input or usage.",
)
@click.version_option(__version__, prog_name="antdoku")
@click.pass_context
def cli(context):
    """Solve Sudoku of orders 2 to 10 by stochastic and exact search, and run experiments on it.

    \b
    A first try:
      antdoku solve named:platinumblond
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command(cls=_PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)
@_solver_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a puzzle, a line each.")
def solve(puzzles, solver, params, timeout, max_steps, seed, as_json):
    """Solve puzzles and draw the solutions, givens bold.

    \b
    Examples:
      antdoku solve named:platinumblond
      antdoku solve puzzles.txt --solver dlx --timeout 5
      antdoku solve named:lloyd_amos_named --param m=20 --max-steps 1000 --json
      cat puzzles.txt | antdoku solve - > solutions.txt
    """
    from antdoku import api
    from antdoku.solvers import check_order

    loaded, all_solved = _read_all(puzzles), True
    for order in {puzzle.order for puzzle in loaded}:
        check_order(solver, order)
    limits = {"timeout": timeout, "max_steps": max_steps}
    for result in api.solve_all(loaded, solver, seed=seed, **limits, **dict(params)):
        _print_json(result) if as_json else _print_grid(result)
        all_solved &= result.status == "solved"
    return OK if all_solved else NOT_ALL


def _read_all(sources):
    """All puzzles of all arguments: a mistake in the last is told before the first is solved."""
    from antdoku.api import read

    numbered = enumerate(sources, start=1)
    return [
        puzzle for number, source in numbered for puzzle in read(source, what=f"argument {number}")
    ]


def _print_json(result):
    click.echo(json.dumps(result.as_dict()))
    if result.message:
        click.echo(f"antdoku: {one_line(result.puzzle.name)}: {one_line(result.message)}", err=True)


def _print_grid(result):
    from antdoku.puzzle import drawing

    # As a comment, so that what is printed can be read again.
    click.secho(f"# {result.headline}", dim=True)
    if result.solution is not None:
        encoding = getattr(sys.stdout, "encoding", None) or "ascii"
        is_unicode = encoding.lower().startswith("utf")
        frame = drawing.UNICODE_FRAME if is_unicode else drawing.ASCII_FRAME
        click.echo(drawing.draw(result.puzzle, result.solution.ravel(), frame) + "\n")


@cli.command()
@click.option("--order", type=int, required=True, help="2 to 10; 3 is the usual Sudoku.")
@click.option("--fixed", type=float, required=True, help="Fraction of cells given, 0 to 1.")
@click.option("--count", type=int, default=1, show_default=True, help="Number of puzzles.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Root seed.")
@click.option(
    "--source",
    default="shuffle",
    show_default=True,
    help="Solved grids from: shuffle (operators of Lewis 2007), or a blank grid by acs or search.",
)
@click.option(
    "--deletion",
    default="exact",
    show_default=True,
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
def generate(output, **request):
    """Generate random puzzles that have a solution, perhaps several.

    With --unique they have one. From --fixed 0.28, 0.36, 0.44 and 0.5 at orders 3 to 6, roughly,
    there are some: within milliseconds, at orders 5 and 6 seconds each.

    \b
    Examples:
      antdoku generate --order 3 --fixed 0.4
      antdoku generate --order 4 --fixed 0.4 --unique
      antdoku generate --order 5 --fixed 0.45 --count 100 --seed 1 -o hard.parquet
    """
    from antdoku import api
    from antdoku.puzzle.forms import format_file, read_integers

    if output == "-":
        table = api.generate_table(**request)
        click.echo(format_file(map(read_integers, table["puzzle"])), nl=False)
        return
    api.check_output(output, api.ENDINGS)
    table = api.generate_table(**request)
    api.write(table, output)
    click.echo(f"{output}: {len(table)} puzzles")


@cli.command(epilog=PUZZLE_HELP.replace("PUZZLE is", "INSTANCES is"), cls=_PuzzleCommand)
@click.argument("instances")
@_solver_options
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs of each puzzle, with seeds of their own.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Processes."
)
@click.option("-o", "--output", metavar="FILE", default="runs.parquet", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def run(instances, solver, params, output, quiet, **options):
    """Run a solver on many puzzles, one row of a table a run.

    A run that is interrupted resumes where it was when the same command is given again. Exit status
    1 means that a solver failed; puzzles that it does not solve in time are results.

    \b
    Examples:
      antdoku run hard.parquet --solver acs --timeout 12 --jobs 2 -o runs.parquet
      antdoku run named:lloyd_amos_named --solver ils --repetitions 100 -o ils.parquet
    """
    from antdoku import api
    from antdoku.outcome import FAILURES, STATUSES

    variants = {solver: {"solver": solver, "params": dict(params)}}
    bar = partial(_with_bar, quiet=quiet)
    table = api.compare(instances, variants, output=output, track=bar, **options)
    found = Counter(table["status"])
    listed = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    click.echo(f"{output}: {len(table)} runs: {listed}")
    return NOT_ALL if any(found[status] for status in FAILURES) else OK


def _with_bar(rows, total, quiet):
    """Yield `rows`, and show on a terminal how many there have been."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(elapsed_when_finished=True)
    console = Console(stderr=True)
    hidden = quiet or not console.is_terminal
    # The thread that draws it uses CPU time of the runs: 1 % at rich's ten times a second.
    options = {"transient": True, "disable": hidden, "refresh_per_second": 2}
    with Progress(*columns, console=console, **options) as bar:
        yield from bar.track(rows, total=total)


@cli.command(cls=_PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_STEPS),
    default=100,
    show_default=True,
    help="Stop at so many solutions and say 'at least'.",
)
@click.option(
    "--timeout",
    type=_Positive(),
    default=60.0,
    show_default=True,
    help="CPU seconds for one puzzle; what is not certain by then is said, with exit status 1.",
)
def count(puzzles, limit, timeout):
    """Count the solutions of puzzles exactly, up to a limit.

    \b
    Example:
      antdoku count named:sabuncu3
    """
    from antdoku import api

    loaded, all_in_time = _read_all(puzzles), True
    for puzzle in loaded:
        found = api.count(puzzle, limit, timeout)
        all_in_time &= found.in_time
        click.echo(_named(puzzle, found, loaded))
    return OK if all_in_time else NOT_ALL


def _named(puzzle, answer, puzzles):
    """An answer, after the name of its puzzle where there are several."""
    return f"{one_line(puzzle.name)}: {answer}" if len(puzzles) > 1 else str(answer)


@cli.command(cls=_PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzle")
@click.argument("solution")
def check(puzzle, solution):
    """Check whether SOLUTION is a solution of PUZZLE.

    Both are read alike, and may hold several, in the same order.

    \b
    Example:
      antdoku solve puzzles.txt > solutions.txt
      antdoku check puzzles.txt solutions.txt
    """
    from antdoku import api

    puzzles, grids = api.read(puzzle, what="PUZZLE"), api.read(solution, api.Grid, "SOLUTION")
    if len(puzzles) != len(grids):
        raise InputError(f"{len(grids)} grids for {len(puzzles)} puzzles: must be as many")
    answers = list(map(api.check, puzzles, grids))
    for each, answer in zip(puzzles, answers):
        click.echo(_named(each, answer, puzzles))
    return OK if all(answers) else NOT_ALL


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
def solvers(as_json):
    """List the solvers, with orders, parameters, defaults and sources."""
    from antdoku.solvers import catalogue

    found = catalogue()
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for solver in found:
        if "missing" in solver:
            click.echo(f"{click.style(solver['name'], bold=True)}  {solver['missing']}")
            continue
        params = " ".join(f"{name}={value}" for name, value in solver["params"].items())
        title = click.style(solver["name"], bold=True)
        least, *_, most = solver["orders"]
        click.echo(f"{title}  {solver['title']}, {solver['kind']}, orders {least} to {most}")
        click.echo(f"    parameters: {params or 'none'}")
        click.echo(f"    source: {solver['source']}")
