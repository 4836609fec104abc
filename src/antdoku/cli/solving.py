"""``antdoku solve | count | check``: something is asked about puzzles."""

import json
import sys

import click

from antdoku.cli.usage import (
    MAX_STEPS,
    NOT_ALL,
    OK,
    PUZZLE_HELP,
    Positive,
    PuzzleCommand,
    PuzzleSource,
    solver_options,
)
from antdoku.errors import InputError, one_line


@click.command(cls=PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzles", metavar="PUZZLE...", type=PuzzleSource(), nargs=-1, required=True)
@solver_options
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
    from antdoku.cli import compiling
    from antdoku.solvers import check_order

    loaded, all_solved = _read_all(puzzles), True
    for order in {puzzle.order for puzzle in loaded}:
        check_order(solver, order)
    limits = {"timeout": timeout, "max_steps": max_steps}
    with compiling.heard():
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


@click.command(cls=PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzles", metavar="PUZZLE...", type=PuzzleSource(), nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_STEPS),
    default=100,
    show_default=True,
    help="Stop at so many solutions and say 'at least'.",
)
@click.option(
    "--timeout",
    type=Positive(),
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
    from antdoku.cli import compiling

    loaded, all_in_time = _read_all(puzzles), True
    with compiling.heard():
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
def check(puzzle, solution):
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

    puzzles, grids = api.read(puzzle, what="PUZZLE"), api.read(solution, Grid, "SOLUTION")
    if len(puzzles) != len(grids):
        raise InputError(f"{len(grids)} grids for {len(puzzles)} puzzles: must be as many")
    answers = list(map(api.check, puzzles, grids))
    for each, answer in zip(puzzles, answers):
        click.echo(_named(each, answer, puzzles))
    return OK if all(answers) else NOT_ALL
