"""``antdoku solve | generate | count | check``: commands on one puzzle, or on a million."""

import json
import sys
from collections import Counter
from itertools import starmap
from operator import attrgetter

import click

from antdoku.cli import options
from antdoku.cli.options import NOT_ALL, OK, OUTPUT_HELP, PUZZLE_HELP
from antdoku.errors import several

puzzles_argument = options.several_sources("puzzles", "PUZZLE...")
shared = options.together(
    options.symbols,
    options.column,
    options.skip_bad,
    options.as_json,
    options.output(OUTPUT_HELP),
    options.force,
    options.quiet,
)


@click.command(epilog=PUZZLE_HELP)
@puzzles_argument
@options.one_solver
@shared
@click.option("--draw", "draws", is_flag=True, help="Print grids.  [default: on a terminal]")
@click.option("--lines", is_flag=True, help="Print a line for each puzzle.  [default: elsewhere]")
@click.option("--unique", is_flag=True, help="Report puzzles with several solutions.")
@options.jobs(None, "Processes; for 9x9 puzzles threads.  [default: 1; one for each core]")
def solve(
    puzzles, symbols, column, skip_bad, as_json, draws, lines, unique, output, force, **arguments
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
    from antdoku import api
    from antdoku.cli import writing
    from antdoku.cli.output import JSON, is_stdout, opened
    from antdoku.reading.cells import Options
    from antdoku.reading.files import keep_apart

    if [draws, lines, as_json].count(True) > 1:
        raise click.UsageError("--draw, --lines, --json: give one of them")
    if draws and output:
        raise click.UsageError("--draw prints grids: leave out --output")
    if not (draws or lines or output or as_json):
        draws = sys.stdout.isatty()
    keep_apart(puzzles, output)
    request = api.checked_request(**arguments)  # before anything is read
    counts: Counter = Counter()
    all_unique = True
    reading = Options(symbols, skip=writing.bad_lines(counts, skip_bad), named=column or "")
    with opened(output, force, as_json) as out:
        parts = writing.read(puzzles, reading, in_parts=out.is_file)
        show = writing.print_grid if draws else None
        n_rows = writing.ROWS if out.is_file else 1
        for rows in writing.answers(parts, request, unique, out.form == JSON, show, n_rows):
            if not draws:
                writing.write_rows(rows, out)
            counts.update(rows.statuses)
            all_unique &= all(rows.unique or [])
    if output and not (is_stdout(output) or options.is_quiet()):
        total = several(counts.total(), "puzzle")
        click.echo(f"{output}: {total}: {options.listed(counts)}")
    return OK if set(counts) == {"solved"} and all_unique else NOT_ALL


@click.command()
@click.option("--order", type=int, help="Side of a box, 2 to 10; 3 is the usual Sudoku.")
@click.option("--size", type=int, help="Side of the grid, in place of --order: 9 is the usual.")
@click.option("--fixed", type=float, help="Fraction of cells given, 0 to 1.")
@click.option("--clues", type=int, help="Number of cells given, in place of --fixed.")
@click.option("--count", type=int, default=1, help="Number of puzzles.")
@options.seed
@options.word("source", "SOURCES", "shuffle", "Solved grids from shuffle, acs or search.")
@options.word("base", "BASES", "random", "Of shuffle: random grids, or the root of Lewis.")
@options.word("deletion", "DELETIONS", "exact", "exact number of cells, or bernoulli: by chance.")
@click.option("--unique", is_flag=True, help="Puzzles with exactly one solution: it is proved.")
@click.option("--minimal", is_flag=True, help="And no given that could go.")
@click.option("--draw", "draws", is_flag=True, help="Print grids with boxes.")
@options.as_json
@options.output(OUTPUT_HELP)
@options.force
@options.quiet
def generate(draws, as_json, output, force, **request):
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
    from antdoku.cli.output import JSON, TABLE, opened
    from antdoku.columns import INSTANCE_COLUMNS
    from antdoku.progress import tracked
    from antdoku.puzzle.writing import format_file, read_integers

    if draws and (output or as_json):
        raise click.UsageError("--draw prints grids: leave out --json and --output")
    if request["order"] == 9:
        options.note("order 9 is 81x81; 9x9 is order 3, or --size 9")
    rows = api.generate_rows(**request)
    with opened(output, force, as_json) as out:
        is_shown = out.is_file and not options.is_quiet()
        for row in tracked(rows, request["count"], is_shown):
            puzzle = read_integers(row["puzzle"])
            if out.form == TABLE:
                out.write({name: [row[name]] for name in INSTANCE_COLUMNS})
            elif out.form == JSON:
                out.write(json.dumps({name: row[name] for name in INSTANCE_COLUMNS}) + "\n")
            else:
                out.write(writing.drawn(puzzle, puzzle.givens) if draws else format_file([puzzle]))
    if out.is_file and not options.is_quiet():
        click.echo(f"{output}: {several(request['count'], 'puzzle')}")


@click.command(epilog=PUZZLE_HELP)
@puzzles_argument
@click.option("--limit", type=int, default=100, help="Stop at so many solutions.")
@click.option("--list", "lists", is_flag=True, help="Print the solutions, and the number below.")
@options.seconds
@shared
def count(puzzles, symbols, column, limit, lists, timeout, **files):
    """Count the solutions of puzzles exactly, up to a limit.

    Exit status 1 means that time was up for one, or that lines were skipped.

    \b
    Examples:
      antdoku count named:sabuncu3
      antdoku count named:sabuncu3 --list --limit 5
    """
    from antdoku import api
    from antdoku.cli.output import JSON, TABLE
    from antdoku.cli.writing import Verdicts, lines_of, one_by_one
    from antdoku.puzzle.writing import join_lines

    def verdicts(parts, form, _):
        if lists and form == TABLE:
            raise click.UsageError("--list writes solutions: name a file .txt or .json")
        for part in one_by_one(parts):
            (puzzle,) = part
            answer = api.count(puzzle, limit, timeout, keep=lists)
            is_listed = lists and form != JSON
            above = join_lines(lines_of(puzzle, answer.solutions)) if is_listed else ""
            yield Verdicts(part, [answer], above)

    mark = "# " if lists else ""
    reading = {"symbols": symbols, "named": column or ""}
    return _answer(puzzles, verdicts, attrgetter("in_time"), mark, **reading, **files)


def _answer(
    puzzles,
    verdicts,
    is_yes,
    mark="",
    in_parts=False,
    *,
    skip_bad,
    as_json,
    output,
    force,
    **reading,
):
    """Write the verdicts on all puzzles, and return the exit status."""
    from antdoku.cli import writing
    from antdoku.cli.output import opened
    from antdoku.reading.cells import Options
    from antdoku.reading.files import keep_apart

    keep_apart(puzzles, output)
    skipped: Counter = Counter()
    counts: Counter = Counter()
    reading_options = Options(skip=writing.bad_lines(skipped, skip_bad), **reading)

    def counted(batches):
        for batch in batches:
            counts.update(map(bool, map(is_yes, batch.answers)))
            yield batch

    with opened(output, force, as_json) as out:
        parts = writing.read(puzzles, reading_options, in_parts)
        batches = verdicts(parts, out.form, reading_options.skip)
        writing.write_verdicts(counted(batches), out, mark)
    if out.is_file and not options.is_quiet():
        click.echo(f"{output}: {several(counts.total(), 'puzzle')}")
    return NOT_ALL if skipped or counts[False] else OK


@click.command(epilog=PUZZLE_HELP)
@options.several_sources("sources", "PUZZLE [SOLUTION]")
@options.seconds
@shared
def check(sources, symbols, column, timeout, **files):
    """Check whether SOLUTION solves PUZZLE. Without SOLUTION, check PUZZLE itself.

    A puzzle is valid if no unit has a given twice; unique if it has one solution; minimal if every
    given is needed for that. Exit status 1 means that a puzzle is not valid or not unique, that a
    solution is wrong, that time was up, or that a line was skipped.

    PUZZLE and SOLUTION may hold millions, in the same order; if both have the same names (ids), in
    any order. The solution of a skipped puzzle is skipped if both have names; else SOLUTION must
    have no line for it. If solutions stand beside the puzzles in a file, `check FILE` checks them,
    also of standard input; `solve FILE --unique` tells which are the only ones.

    \b
    Examples:
      antdoku check puzzles.txt
      antdoku check puzzles.txt solutions.txt
      antdoku check puzzles_and_solutions.csv
    """
    from antdoku.cli.writing import checked, judged
    from antdoku.reading.cells import Options
    from antdoku.reading.files import keep_apart
    from antdoku.reading.pairs import joined
    from antdoku.reading.sources import read_parts

    if len(sources) > 2:
        raise click.UsageError("a puzzle and its solution are wanted, not more")
    keep_apart(sources, files["output"])
    is_pair = len(sources) == 2

    def verdicts(parts, _, skip):
        if not is_pair:
            return checked(parts, timeout)
        grids = read_parts(sources[1], Options(symbols, False, "solution"), "SOLUTION")
        return starmap(judged, joined(parts, grids, skip))

    reading = {"symbols": symbols, "rules": is_pair, "in_parts": is_pair, "named": column or ""}
    reading["column"] = "puzzle" if is_pair else "both"
    return _answer(sources[:1], verdicts, bool, **reading, **files)
