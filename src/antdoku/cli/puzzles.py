"""``antdoku solve | generate | count | check``: puzzles."""

import json
import os
import sys

import click

from antdoku.cli.options import (
    MAX_STEPS,
    NOT_ALL,
    OK,
    PUZZLE_HELP,
    Positive,
    PuzzleCommand,
    PuzzleSource,
    compilation_announced,
    option_with_default,
    progress,
    solver_options,
)
from antdoku.errors import InputError, one_line

SYMBOLS = click.option(
    "--symbols",
    metavar="SYMBOLS",
    help="Of the puzzles, where they may be in several: 1-G, 0-F, A-P, 0-15, or all of them.",
)


@click.command(cls=PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzles", metavar="PUZZLE...", type=PuzzleSource(), nargs=-1, required=True)
@solver_options
@SYMBOLS
@click.option("--json", "as_json", is_flag=True, help="One JSON object a puzzle, a line each.")
@click.option(
    "--draw/--lines",
    "draws",
    default=None,
    help="Draw grids, or write a line a puzzle.  [default: draw on a terminal]",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="A file for lines, .txt, or for a table, .csv or .parquet; the first two also .gz.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Processes that share the puzzles; for 9x9 puzzles threads.  [default: 1 process; a "
    "thread for each core]",
)
def solve(puzzles, params, symbols, as_json, draws, output, jobs, **how):
    """Solve puzzles: draw the solutions, givens bold, or write one line a puzzle.

    A line is the solution in the symbols of the puzzle, or the puzzle itself if it is not solved,
    which is said on standard error. With a FILE, 9x9 puzzles of 81 characters may be millions.

    \b
    Examples:
      antdoku solve named:platinumblond
      antdoku solve puzzles.txt --solver dlx --timeout 5
      antdoku solve named:lloyd_amos_named --param m=20 --max-steps 1000 --json
      antdoku solve hard_36x36.txt --solver tabu_col --jobs 4
      antdoku solve - < puzzles.txt > solutions.txt
      antdoku solve puzzles.txt -o solutions.txt
    """
    from antdoku import api
    from antdoku.solvers import check_order

    request = dict(**how, **dict(params))
    if output is not None:
        if as_json or draws:
            raise click.UsageError("--json and --draw are printed, not written to --output")
        return _solve_to_file(puzzles, symbols, output, request, jobs)
    loaded, all_solved = _read_all(puzzles, symbols), True
    if draws is None:
        draws = sys.stdout is not None and sys.stdout.isatty()
    show = _print_json if as_json else _print_grid if draws else _print_line
    for order in {puzzle.order for puzzle in loaded}:
        check_order(how["solver"], order)
    with compilation_announced():
        for result in api.solve_all(loaded, jobs=jobs, **request):
            show(result)
            all_solved &= bool(result)
    return OK if all_solved else NOT_ALL


def _solve_to_file(sources, symbols, output, request, jobs):
    from antdoku.cli import files

    with compilation_announced():
        found = files.solve(sources, symbols, output, request, jobs)
    listed = ", ".join(f"{number} {status}" for status, number in found.items())
    click.echo(f"{output}: {found.total()} puzzles: {listed}")
    return OK if set(found) == {"solved"} else NOT_ALL


def _read_all(sources, symbols):
    """All puzzles of all arguments: a mistake in the last is told before the first is solved."""
    from antdoku.api import read

    loaded = []
    for number, source in enumerate(sources, start=1):
        first = len(loaded) + 1
        loaded += read(source, what=f"argument {number}", symbols=symbols, first=first)
    return loaded


def _print_json(result):
    click.echo(json.dumps(result.as_dict()))
    if result.message:
        click.echo(f"antdoku: {one_line(result.puzzle.name)}: {one_line(result.message)}", err=True)


def _print_line(result):
    click.echo(result.line)
    if not result:
        click.echo(f"antdoku: {result.headline}", err=True)


def _print_grid(result):
    from antdoku.puzzle import drawing

    # As a comment, so that what is printed can be read again.
    click.secho(f"# {result.headline}", dim=True)
    if result.solution is not None:
        encoding = getattr(sys.stdout, "encoding", None) or "ascii"
        is_unicode = encoding.lower().startswith("utf")
        frame = drawing.UNICODE_FRAME if is_unicode else drawing.ASCII_FRAME
        click.echo(drawing.draw(result.puzzle, result.solution.ravel(), frame) + "\n")


@click.command()
@click.option("--order", type=int, required=True, help="2 to 10; 3 is the usual Sudoku.")
@click.option("--fixed", type=float, required=True, help="Fraction of cells given, 0 to 1.")
@option_with_default("--count", type=int, default=1, help="Number of puzzles.")
@option_with_default("--seed", type=click.IntRange(min=0), default=1, help="Root seed.")
@option_with_default(
    "--source",
    type=click.Choice(["shuffle", "acs", "search"]),
    default="shuffle",
    help="Solved grids from: shuffle (operators of Lewis 2007), or a blank grid by acs or search.",
)
@option_with_default(
    "--base",
    type=click.Choice(["random", "root"]),
    default="random",
    help="What is shuffled: a random grid for each puzzle, or always the root solution of Lewis.",
)
@option_with_default(
    "--deletion",
    type=click.Choice(["exact", "bernoulli"]),
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
    there are some: within milliseconds, at orders 5 and 6 seconds each.

    \b
    Examples:
      antdoku generate --order 3 --fixed 0.4
      antdoku generate --order 4 --fixed 0.4 --unique
      antdoku generate --order 5 --fixed 0.45 --count 100 --seed 1 -o hard.parquet
    """
    from antdoku import api
    from antdoku.fileio import check_output
    from antdoku.instances.table import ENDINGS, write

    if output == "-":
        with compilation_announced():
            api.generate_table(**request, track=_print_each)
        return
    check_output(output, ENDINGS)
    if os.path.exists(output) and not force:
        raise InputError(f"{output}: is there already: name another, or overwrite it with --force")
    with compilation_announced():
        table = api.generate_table(**request, track=progress)
    write(table, output)
    click.echo(f"{output}: {len(table)} puzzles")


def _print_each(rows, total):
    """Yield `rows`, and print the puzzle of each as soon as it is made."""
    from antdoku.puzzle.forms import format_file, read_integers

    for row in rows:
        click.echo(format_file([read_integers(row["puzzle"])]), nl=False)
        yield row


@click.command(cls=PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzles", metavar="PUZZLE...", type=PuzzleSource(), nargs=-1, required=True)
@SYMBOLS
@option_with_default(
    "--limit",
    type=click.IntRange(1, MAX_STEPS),
    default=100,
    help="Stop at so many solutions and say 'at least'.",
)
@option_with_default(
    "--timeout",
    type=Positive(),
    default=60.0,
    help="CPU seconds for one puzzle; what is not certain by then is said, with exit status 1.",
)
def count(puzzles, symbols, limit, timeout):
    """Count the solutions of puzzles exactly, up to a limit.

    \b
    Example:
      antdoku count named:sabuncu3
    """
    from antdoku import api

    loaded, all_in_time = _read_all(puzzles, symbols), True
    with compilation_announced():
        for puzzle in loaded:
            found = api.count(puzzle, limit, timeout)
            all_in_time &= found.in_time
            click.echo(_named(puzzle, found, loaded))
    return OK if all_in_time else NOT_ALL


def _named(puzzle, answer, puzzles):
    """An answer, after the name of its puzzle where there are several."""
    return f"{one_line(puzzle.name)}: {answer}" if len(puzzles) > 1 else str(answer)


@click.command(cls=PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzle", type=PuzzleSource())
@click.argument("solution", type=PuzzleSource())
@SYMBOLS
def check(puzzle, solution, symbols):
    """Check whether SOLUTION is a solution of PUZZLE.

    Both are read alike, and may hold several, in the same order. Of JSON and of tables SOLUTION is
    the column `solution`, if there is one.

    \b
    Examples:
      antdoku solve puzzles.txt > solutions.txt
      antdoku check puzzles.txt solutions.txt
      antdoku solve puzzles.txt --json > solved.jsonl
      antdoku check solved.jsonl solved.jsonl
    """
    from antdoku import api
    from antdoku.puzzle.files import Grid

    puzzles = api.read(puzzle, what="PUZZLE", symbols=symbols)
    grids = api.read(solution, Grid, "SOLUTION", symbols=symbols)
    if len(puzzles) != len(grids):
        raise InputError(f"{len(grids)} grids for {len(puzzles)} puzzles: must be as many")
    answers = list(map(api.check, puzzles, grids))
    for each, answer in zip(puzzles, answers):
        click.echo(_named(each, answer, puzzles))
    return OK if all(answers) else NOT_ALL
