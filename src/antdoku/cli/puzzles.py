"""``antdoku solve | generate | count | check``: commands on one puzzle, or on a million."""

import json
import sys
from collections import Counter
from itertools import chain, islice

import click

from antdoku.cli import options
from antdoku.cli.options import NOT_ALL, OK, PUZZLE_HELP
from antdoku.errors import InputError, one_line


@click.command(epilog=PUZZLE_HELP)
@options.puzzles
@options.one_solver
@options.symbols
@options.skip_bad
@options.as_json
@click.option("--draw/--lines", "draws", default=None, help="[default: draw on a terminal]")
@click.option("--unique", is_flag=True, help="Report puzzles with several solutions.")
@options.output("File of lines, .txt, or of a table, .csv; also .gz.")
@options.force
@options.jobs(None, "Processes; for 9x9 puzzles threads.  [default: 1; one for each core]")
def solve(
    puzzles, solver, params, symbols, skip_bad, as_json, draws, unique, output, force, **limits
):
    """Solve puzzles: draw the solutions, givens bold, or write one line a puzzle.

    A line is the solution, or the puzzle itself if it is not solved, which standard error then
    says. It has 81 characters for 9x9; other sizes keep the symbols and the form of the puzzle. A
    table has the columns name, puzzle, solution and status. A file may hold millions of 9x9 puzzles
    of 81 characters. Seconds of several 9x9 puzzles are means. Exit status 1 means that some are
    not solved, or were skipped, or, with --unique, have several solutions.

    \b
    Examples:
      antdoku solve named:platinumblond
      antdoku solve puzzles.txt -s acs:m=20 --timeout 5 --json
      antdoku solve - < puzzles.txt > solutions.txt
      antdoku solve puzzles.txt -o solutions.csv
    """
    from antdoku.cli import writing
    from antdoku.puzzle.cells import Options
    from antdoku.puzzle.reading import keep_apart
    from antdoku.solvers import make_params, with_parameters

    if output and (as_json or draws):
        raise click.UsageError("--json and --draw are printed, not written to --output")
    if as_json and draws:
        raise click.UsageError("one of --json and --draw is enough")
    if draws is None and not (output or as_json):
        draws = sys.stdout.isatty()
    keep_apart(puzzles, output)
    name, own_params = with_parameters(solver)
    request = {"solver": name, "params": own_params | params, **limits}
    make_params(name, request["params"])  # before anything is read
    counts: Counter = Counter()
    all_unique = True
    skip = writing.bad_lines(counts, skip_bad)
    show = writing.print_json if as_json else writing.print_grid if draws else None
    n_rows = writing.ROWS if output else 1
    with writing.writer(output, force, unique) as write:
        parts = writing.read(puzzles, Options(symbols, skip=skip), in_parts=bool(output))
        for rows in writing.answers(parts, request, unique, show, n_rows):
            if not show:
                write(rows)
            counts.update(rows.statuses)
            all_unique &= all(rows.unique or [])
    if output:
        total = options.several(counts.total(), "puzzle")
        click.echo(f"{output}: {total}: {options.listed(counts)}")
    return OK if set(counts) == {"solved"} and all_unique else NOT_ALL


@click.command()
@click.option("--order", type=int, help="Side of a box, 2 to 10; 3 is the usual Sudoku.")
@click.option("--size", type=int, help="Side of the grid, in place of --order: 9 is the usual.")
@click.option("--fixed", type=float, help="Fraction of cells given, 0 to 1.")
@click.option("--clues", type=int, help="Number of cells given, in place of --fixed.")
@click.option("--count", type=int, default=1, help="Number of puzzles.")
@options.seed
@click.option("--source", default="shuffle", help="Solved grids from shuffle, acs or search.")
@click.option("--base", default="random", help="Of shuffle: random grids, or the root of Lewis.")
@click.option("--deletion", default="exact", help="exact number of cells, or bernoulli: by chance.")
@click.option("--unique", is_flag=True, help="Puzzles with exactly one solution: it is proved.")
@click.option("--minimal", is_flag=True, help="And no given that could go.")
@click.option("--draw", "draws", is_flag=True, help="Print grids with boxes.")
@options.output("File .parquet, .csv or .txt; without it, lines on standard output.")
@options.force
def generate(draws, output, force, **request):
    """Generate random puzzles that have a solution, perhaps several.

    With --unique they have exactly one. Such puzzles exist from about --fixed 0.28, 0.36, 0.44 and
    0.5 at orders 3 to 6. One takes milliseconds, at orders 5 and 6 seconds. Most minimal 9x9
    puzzles have 23 to 26 givens.

    \b
    Examples:
      antdoku generate --size 9 --clues 24 --minimal --draw
      antdoku generate --order 4 --fixed 0.4 --unique
      antdoku generate --order 5 --fixed 0.45 --count 100 --seed 1 -o hard.parquet
    """
    from antdoku import api
    from antdoku.cli import writing
    from antdoku.files import check_output
    from antdoku.instances.family import family_table
    from antdoku.instances.given import ENDINGS
    from antdoku.puzzle.forms import format_file, read_integers

    if output and draws:
        raise click.UsageError("--draw prints, and --output writes lines or tables")
    if request["order"] == 9:
        click.echo("antdoku: order 9 is 81x81; 9x9 is order 3, or --size 9", err=True)
    if output is None:
        for row in api.generate_rows(**request):
            puzzle = read_integers(row["puzzle"])
            text = writing.drawn(puzzle, puzzle.givens) if draws else format_file([puzzle])
            click.echo(text, nl=False)
        return
    check_output(output, ENDINGS, force)
    rows = options.progress(api.generate_rows(**request), request["count"])
    is_text = output.endswith(".txt")
    puzzles = [read_integers(row["puzzle"]) for row in rows] if is_text else family_table(rows)
    api.write(puzzles, output, force=force)
    click.echo(f"{output}: {options.several(len(puzzles), 'puzzle')}")


@click.command(epilog=PUZZLE_HELP)
@options.puzzles
@options.symbols
@options.skip_bad
@click.option("--limit", type=int, default=100, help="Stop at so many solutions.")
@click.option("--list", "lists", is_flag=True, help="Print the solutions, and the number below.")
@options.as_json
@options.seconds
def count(puzzles, symbols, skip_bad, limit, lists, as_json, timeout):
    """Count the solutions of puzzles exactly, up to a limit.

    Exit status 1 means that time was up for one, or that lines were skipped.

    \b
    Examples:
      antdoku count named:sabuncu3
      antdoku count named:sabuncu3 --list --limit 5
    """
    from antdoku import api
    from antdoku.cli import writing
    from antdoku.puzzle.cells import Options
    from antdoku.puzzle.forms import join_lines

    def ask(puzzle):
        answer = api.count(puzzle, limit, timeout, keep=lists)
        if lists and not as_json:
            click.echo(join_lines(_lines(puzzle, answer.solutions)), nl=False)
        return answer, answer.in_time

    skipped: Counter = Counter()
    skip = writing.bad_lines(skipped, skip_bad)
    parts = writing.read(puzzles, Options(symbols, skip=skip))
    all_in_time = _answer(chain.from_iterable(parts), ask, as_json, "# " if lists else "")
    return OK if all_in_time and not skipped else NOT_ALL


def _answer(puzzles, ask, as_json, mark=""):
    """Print an answer to each puzzle, with its name if there are several; whether all are yes."""
    puzzles, all_yes = iter(puzzles), True
    first = list(islice(puzzles, 2))
    for puzzle in chain(first, puzzles):
        answer, is_yes = ask(puzzle)
        all_yes &= is_yes
        if as_json:
            row = {"name": puzzle.name, "puzzle": puzzle.line, "symbols": puzzle.writing.name}
            row |= answer.as_dict()
            if row.get("solutions"):
                row["solutions"] = _lines(puzzle, answer.solutions)
            click.echo(json.dumps(row))
        else:
            name = f"{one_line(puzzle.name)}: " if len(first) > 1 else ""
            click.echo(f"{mark}{name}{answer}")
    return all_yes


def _lines(puzzle, grids):
    """Return grids as lines in the symbols of their puzzle."""
    return [puzzle.writing.line(grid.ravel().tolist()) for grid in grids]


@click.command(epilog=PUZZLE_HELP)
@options.source("puzzle")
@options.source("solution", required=False)
@options.symbols
@options.skip_bad
@options.as_json
@options.seconds
def check(puzzle, solution, symbols, skip_bad, as_json, timeout):
    """Check whether SOLUTION solves PUZZLE. Without SOLUTION, check PUZZLE itself.

    A puzzle is valid if no unit has a given twice; unique if it has one solution; minimal if every
    given is needed for that. Exit status 1 means that a puzzle is not valid or not unique, that
    time was up, or that a line was skipped.

    PUZZLE and SOLUTION may hold several, in the same order. In JSON and tables SOLUTION is the
    column `solution`, if there is one. It must have no line for a puzzle that is skipped.

    \b
    Examples:
      antdoku check puzzles.txt
      antdoku check puzzles.txt solutions.txt
      antdoku check solved.jsonl solved.jsonl
    """
    from antdoku import api
    from antdoku.cli import writing
    from antdoku.puzzle.cells import Options
    from antdoku.puzzle.reading import has_solutions

    skipped: Counter = Counter()
    skip = writing.bad_lines(skipped, skip_bad)
    if solution is None and has_solutions(puzzle):
        hint = "solutions beside the puzzles are not checked: name the file twice"
        click.echo(f"antdoku: {puzzle}: {hint}", err=True)
    options = Options(symbols, rules=solution is not None, skip=skip)
    puzzles = chain.from_iterable(writing.read([puzzle], options))
    grids = None
    if solution is not None:
        puzzles = list(puzzles)
        grids = iter(_grids(solution, symbols, len(puzzles)))

    def ask(puzzle):
        if grids is None:
            answer = api.check(puzzle, timeout=timeout)
        else:
            answer = api.check(puzzle, next(grids))
        return answer, bool(answer)

    return OK if _answer(puzzles, ask, as_json) and not skipped else NOT_ALL


def _grids(solution, symbols, number):
    """Read as many grids as there are puzzles."""
    from antdoku import api

    grids = api.read(
        solution, symbols=symbols, rules=False, column="solution", source_name="SOLUTION"
    )
    if len(grids) != number:
        counts = f"{options.several(len(grids), 'grid')} for {options.several(number, 'puzzle')}"
        raise InputError(f"{counts}: must be as many")
    return grids
