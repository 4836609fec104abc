"""The answers of ``antdoku solve``, one or a million: lines, grids, JSON, tables in files.

Plain puzzles, a line or a row of 81 characters each, stay arrays from file to file.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from gzip import GzipFile
from itertools import chain, compress, groupby, islice
from typing import NamedTuple

import click
import numpy as np

from antdoku import api
from antdoku.answers import ANSWERS, Result
from antdoku.errors import at_line, one_line
from antdoku.files import atomic_write, check_output
from antdoku.outcome import EXHAUSTED, SOLVED
from antdoku.puzzle import drawing
from antdoku.puzzle.cells import Options, Skip
from antdoku.puzzle.forms import join_lines
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.reading import Part, Plain, is_stream, keep_apart, read_parts
from antdoku.solvers import many_orders

ENDINGS = (".txt", ".csv", ".txt.gz", ".csv.gz")
COLUMNS = ("name", "puzzle", "solution", "status")
BAD = "bad"  # counted beside the statuses: lines that are no puzzles
ROWS = 10_000  # rows of a file that are written at a time
GZIP_LEVEL = 1  # other levels take longer than the rest of the work
_SPECIAL = re.compile(r'[,"\r\n]')  # makes CSV quote a cell
_SIGNS = b".123456789".ljust(256)


class Rows(NamedTuple):
    """Answers as texts, one of each column for a puzzle."""

    names: list[str]
    puzzles: list[str]
    solutions: list[str]  # empty if there is no solution
    statuses: list[str]
    failures: list[str]  # a line that names an unsolved puzzle; empty if it is solved
    unique: list[bool | None] | None  # whether there is one solution; None unless that is asked


# --- Reading -------------------------------------------------------------------------------------


def bad_lines(counts: Counter, skip: bool) -> Skip | None:
    """Return the function that counts and prints bad lines, or None if they are refused."""

    def tell(error):
        if not counts[BAD]:
            at_end = click.get_current_context().call_on_close
            at_end(lambda: click.echo(f"antdoku: lines skipped: {counts[BAD]}", err=True))
        counts[BAD] += 1
        click.echo(f"antdoku: skipped: {one_line(str(error))}", err=True)

    return tell if skip else None


def read(sources: Iterable[str], options: Options, in_parts: bool = False) -> Iterable[Part]:
    """Return the puzzles of all arguments, part by part as standard input or a pipe brings them.

    Other sources are read completely before the first answer, so that a mistake in the last one
    costs nothing, unless `in_parts` is true.
    """
    parts = _read(sources, options)
    return parts if in_parts or any(map(is_stream, sources)) else list(parts)


def _read(sources, options):
    keep_apart(sources, 1)
    count = 0
    for number, source in enumerate(sources, start=1):
        parts = read_parts(source, options, f"argument {number}", count + 1)
        for part in parts:
            count += len(part)
            yield part


# --- Solving -------------------------------------------------------------------------------------


def answers(
    parts: Iterable[Part],
    request: dict,
    unique: bool,
    show: Callable[[Result, dict], None] | None = None,
    n_rows: int = 1,
) -> Iterator[Rows]:
    """Solve all parts with the arguments of `api.solve_all`, and yield the answers in their order.

    Plain puzzles stay arrays if the solver solves many at once, unless `show` prints each result.
    Other results come `n_rows` at a time.
    """
    as_arrays = show is None and 3 in many_orders(request["solver"])

    def is_plain(part):
        return as_arrays and isinstance(part, Plain)

    groups: Iterable[list[Part]] = ([part] for part in parts)  # of a stream, as they come
    if isinstance(parts, list):
        groups = (list(group) for _, group in groupby(parts, is_plain))
    for group in groups:
        if is_plain(group[0]):
            yield from (_plain_rows(part, request, unique) for part in group)
            continue
        results = api.solve_all(chain.from_iterable(group), **request)
        while batch := list(islice(results, n_rows)):
            yield _rows_of(batch, request, unique, show)


def _rows_of(results, request, unique, show):
    proofs = None
    if unique:
        proofs = [_is_unique(result.puzzle, request) if result else None for result in results]
    if show:
        for at, result in enumerate(results):
            show(result, {"unique": proofs[at]} if unique else {})
    return Rows(
        names=[result.puzzle.name for result in results],
        puzzles=[result.puzzle.line for result in results],
        solutions=[result.line if result else "" for result in results],
        statuses=[result.status for result in results],
        failures=["" if result else result.headline for result in results],
        unique=proofs,
    )


def _plain_rows(part, request, unique):
    """Solve a part in arrays, up to the second solution of each puzzle if that is asked."""
    timeout, max_steps = api.limits_of(request["timeout"], request["max_steps"])
    limits = {"timeout": timeout, "max_steps": max_steps, "jobs": request["jobs"]}
    solutions, counts, status = api.solve_grids(part.grids, 2 if unique else 1, **limits)
    suspects = np.flatnonzero(status == EXHAUSTED)
    # The reader refuses a grid that has a given twice in a unit: it is no puzzle.
    bad = [at for at in suspects if part.puzzle(at) is None]
    is_one = (counts == 1) & (status == SOLVED)
    status[counts > 0] = SOLVED  # also if the search for a second solution met a limit
    names, statuses = _names(part), status.tolist()
    rows = Rows(
        names=names,
        puzzles=_lines(part.grids),
        solutions=np.where(counts > 0, _lines(solutions), "").tolist(),
        statuses=statuses,
        failures=[
            "" if answer == SOLVED else f"{one_line(name)}: {ANSWERS.get(answer, answer)}"
            for name, answer in zip(names, statuses)
        ],
        unique=_proofs(part, counts > 0, is_one, request) if unique else None,
    )
    return _without(rows, bad) if bad else rows


def _names(part):
    """Return the names of plain puzzles: as the table has them, or else line or row."""
    before = at_line(part.source, "row ") if part.is_table else f"{part.source}:"
    numbers = range(part.first, part.first + len(part.grids))
    lines = [f"{before}{number}" for number in numbers]
    return [str(name or line) for name, line in zip(part.names, lines)] if part.names else lines


def _lines(grids):
    """Return a line of 81 characters for each grid."""
    return np.frombuffer(grids.tobytes().translate(_SIGNS), "S81").astype(str).tolist()


def _proofs(part, is_solved, is_one, request):
    """List whether each puzzle has one solution; None if it is unsolved, or time was up."""
    unique: list[bool | None] = np.where(is_one, True, None).tolist()
    for at in np.flatnonzero(is_solved & ~is_one):
        unique[at] = _is_unique(part.puzzle(at), request)
    return unique


def _without(rows, bad):
    """Return rows without the bad ones, given their indices."""
    keep = np.ones(len(rows.names), bool)
    keep[bad] = False
    return Rows(*(column and list(compress(column, keep)) for column in rows))


def _is_unique(puzzle, request):
    """Whether a puzzle has one solution; None if time was up. Print a line unless it has one."""
    count = api.count(puzzle, 2, request["timeout"] or api.DEFAULT_TIMEOUT_S)
    if count == 1 and count.in_time:
        return True
    answer = "there are several solutions" if count > 1 else "unique or not: time is up"
    click.echo(f"antdoku: {one_line(puzzle.name)}: {answer}", err=True)
    return False if count > 1 else None


# --- Writing -------------------------------------------------------------------------------------


@contextmanager
def writer(output: str | None, force: bool, unique: bool) -> Iterator[Callable[[Rows], object]]:
    """Yield the function that writes rows to a file, or prints them as lines.

    A line is the solution, or the puzzle itself if it is not solved; a row of a table has the
    name, the puzzle, the solution if there is one, the status, and whether the puzzle is unique if
    that is asked.
    """
    if output is None:
        yield _print_lines
        return
    check_output(output, ENDINGS, force)
    with atomic_write(output) as file, open(file, "wb") as stream:
        packed = GzipFile("", "wb", GZIP_LEVEL, stream) if output.endswith(".gz") else stream
        if ".txt" in output[-7:]:
            yield lambda rows: packed.write(_solution_lines(rows).encode())
        else:
            packed.write(f"{','.join(COLUMNS)}{',unique' if unique else ''}\n".encode())
            yield lambda rows: packed.write(_table(rows).encode())
        packed.close()


def _table(rows):
    """Return rows of CSV: a name may have to be quoted, other cells have no comma."""
    columns = [_quoted(rows.names), rows.puzzles, rows.solutions, rows.statuses]
    if rows.unique is not None:
        columns.append(["" if answer is None else str(answer).lower() for answer in rows.unique])
    return "".join(",".join(cells) + "\n" for cells in zip(*columns))


def _quoted(names):
    """Quote names where CSV needs it; `csv.writer` takes five times as long for a million rows."""
    if not _SPECIAL.search("".join(names)):
        return names
    escaped = (name.replace('"', '""') for name in names)
    return [f'"{name}"' if _SPECIAL.search(name) else name for name in escaped]


def _solution_lines(rows):
    pairs = zip(rows.puzzles, rows.solutions)
    return join_lines(solution or puzzle for puzzle, solution in pairs)


def _print_lines(rows):
    """Print lines, and on standard error the puzzles that are not solved."""
    click.echo(_solution_lines(rows), nl=False)
    for failure in filter(None, rows.failures):
        click.echo(f"antdoku: {failure}", err=True)


def print_json(result: Result, proof: dict) -> None:
    """Print a result, and the proof that it is the only one, as a line of JSON."""
    click.echo(json.dumps(result.as_dict() | proof))
    if result.message:
        click.echo(f"antdoku: {result.headline}", err=True)


def print_grid(result: Result, _) -> None:
    """Draw the solution, or else the puzzle.

    The headline is a comment, so that the output can be read again.
    """
    click.secho(f"# {result.headline}", dim=True)
    click.echo(drawn(result.puzzle, result.values), nl=False)


def drawn(puzzle: Puzzle, values: np.ndarray) -> str:
    """Draw a grid and a blank line, in characters that the output can show."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    frame = drawing.UNICODE_FRAME if encoding.lower().startswith("utf") else drawing.ASCII_FRAME
    return drawing.draw(puzzle, values, frame) + "\n\n"
