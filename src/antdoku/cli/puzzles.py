"""``antdoku solve | generate | count | check``: one puzzle, or a million."""

import sys
from collections import Counter

import click

from antdoku.cli import options
from antdoku.cli.options import NOT_ALL, OK, PUZZLE_HELP
from antdoku.errors import InputError, one_line


@click.command(epilog=PUZZLE_HELP)
@options.puzzles
@options.one_solver
@options.symbols
@click.option("--json", "as_json", is_flag=True, help="One JSON object a puzzle, a line each.")
@click.option("--draw/--lines", "draws", default=None, help="[default: draw on a terminal]")
@options.output("File of lines, .txt, or of a table, .csv or .parquet; the first two also .gz.")
@options.force
@options.jobs(None, "Processes; for 9x9 puzzles threads.  [default: 1; one for each core]")
def solve(puzzles, symbols, as_json, draws, output, force, **how):
    """Solve puzzles: draw the solutions, givens bold, or write one line a puzzle.

    A line is the solution in the symbols of the puzzle, or the puzzle itself if it is not solved,
    as standard error then says. Of 9x9 puzzles of 81 characters there may be millions.

    \b
    Examples:
      antdoku solve named:platinumblond
      antdoku solve puzzles.txt --solver acs --param m=20 --timeout 5 --json
      antdoku solve - < puzzles.txt > solutions.txt
      antdoku solve puzzles.txt -o solutions.csv
    """
    from antdoku.cli import writing
    from antdoku.puzzle.reading import keep_apart

    if output and (as_json or draws):
        raise click.UsageError("--json and --draw are printed, not written to --output")
    if draws is None and not (output or as_json):
        draws = sys.stdout is not None and sys.stdout.isatty()
    keep_apart(puzzles, output)
    parts, found = writing.read(puzzles, symbols, not (as_json or draws)), Counter()
    if not output:
        parts = list(parts)  # a mistake in the last is met before the first is solved
    size = writing.ROWS if output else 1
    with writing.writer(output, force, as_json, draws) as write:
        for answers in writing.answers(parts, size, **how):
            write(answers)
            found.update(writing.statuses(answers))
    if output:
        click.echo(f"{output}: {found.total()} puzzles: {options.listed(found)}")
    return OK if set(found) == {"solved"} else NOT_ALL


@click.command()
@click.option("--order", type=int, required=True, help="2 to 10; 3 is the usual Sudoku.")
@click.option("--fixed", type=float, required=True, help="Fraction of cells given, 0 to 1.")
@click.option("--count", type=int, default=1, help="Number of puzzles.")
@options.seed
@click.option("--source", default="shuffle", help="Solved grids from shuffle, acs or search.")
@click.option("--base", default="random", help="Of shuffle: random grids, or the root of Lewis.")
@click.option("--deletion", default="exact", help="exact number of cells, or bernoulli: by chance.")
@click.option("--unique", is_flag=True, help="Puzzles with exactly one solution: it is proved.")
@options.output("File .parquet, .csv or .txt; without it, lines on standard output.")
@options.force
def generate(output, force, **request):
    """Generate random puzzles that have a solution, perhaps several.

    With --unique they have one. From --fixed 0.28, 0.36, 0.44 and 0.5 at orders 3 to 6, roughly,
    there are some: within milliseconds, at orders 5 and 6 seconds each.

    \b
    Examples:
      antdoku generate --order 4 --fixed 0.4 --unique
      antdoku generate --order 5 --fixed 0.45 --count 100 --seed 1 -o hard.parquet
    """
    from antdoku import api
    from antdoku.files import check_output
    from antdoku.instances.table import ENDINGS

    if output is None:
        api.generate_table(**request, track=_printed)
        return
    check_output(output, ENDINGS, force)
    table = api.generate_table(**request, track=options.progress)
    api.write(table, output)
    click.echo(f"{output}: {len(table)} puzzles")


def _printed(rows, total):
    """Yield rows, and print the puzzle of each as soon as it is made."""
    from antdoku.puzzle.forms import format_file, read_integers

    for row in rows:
        click.echo(format_file([read_integers(row["puzzle"])]), nl=False)
        yield row


@click.command(epilog=PUZZLE_HELP)
@options.puzzles
@options.symbols
@click.option("--limit", type=int, default=100, help="Stop at so many solutions.")
@click.option("--timeout", type=float, default=60.0, help="CPU seconds for one puzzle.")
def count(puzzles, symbols, limit, timeout):
    """Count the solutions of puzzles exactly, up to a limit.

    Exit status 1 means that the time was up before.

    \b
    Example:
      antdoku count named:sabuncu3
    """
    from antdoku import api
    from antdoku.cli import writing

    loaded, all_in_time = [*writing.puzzles_of(writing.read(puzzles, symbols))], True
    for puzzle in loaded:
        found = api.count(puzzle, limit, timeout)
        all_in_time &= found.in_time
        click.echo(_named(puzzle, found, loaded))
    return OK if all_in_time else NOT_ALL


def _named(puzzle, answer, puzzles):
    """Return an answer, after the name of its puzzle where there are several."""
    return f"{one_line(puzzle.name)}: {answer}" if len(puzzles) > 1 else str(answer)


@click.command(epilog=PUZZLE_HELP)
@click.argument("puzzle")
@click.argument("solution")
@options.symbols
def check(puzzle, solution, symbols):
    """Check whether SOLUTION is a solution of PUZZLE.

    Both are read alike, and may hold several, in the same order. Of JSON and of tables SOLUTION is
    the column `solution`, if there is one.

    \b
    Examples:
      antdoku check puzzles.txt solutions.txt
      antdoku check solved.jsonl solved.jsonl
    """
    from antdoku import api
    from antdoku.puzzle.reading import Grid

    puzzles = api.read(puzzle, what="PUZZLE", symbols=symbols)
    grids = api.read(solution, Grid, "SOLUTION", symbols=symbols)
    if len(puzzles) != len(grids):
        raise InputError(f"{len(grids)} grids for {len(puzzles)} puzzles: must be as many")
    answers = list(map(api.check, puzzles, grids))
    for each, answer in zip(puzzles, answers):
        click.echo(_named(each, answer, puzzles))
    return OK if all(answers) else NOT_ALL
