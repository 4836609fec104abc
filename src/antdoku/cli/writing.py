"""The answers of ``antdoku solve``, one or a million: lines, grids, JSON, tables in files.

Plain puzzles, a line or a row of 81 characters each, stay arrays from file to file.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from gzip import GzipFile
from itertools import groupby, islice
from typing import NamedTuple

import click
import numpy as np

from antdoku import api
from antdoku.answers import ANSWERS, Result
from antdoku.errors import one_line
from antdoku.files import atomic_write, check_output
from antdoku.outcome import SOLVED
from antdoku.puzzle import drawing
from antdoku.puzzle.cells import Skip
from antdoku.puzzle.forms import join_lines
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.reading import Part, Plain, keep_apart, read_parts
from antdoku.runs import batch

ENDINGS = (".txt", ".csv", ".txt.gz", ".csv.gz")
COLUMNS = ("puzzle", "solution", "status")
BAD = "bad"  # beside statuses: lines that are no puzzles
ROWS = 10_000  # of a file that are written at a time
FAST = 1  # level of gzip: others take longer than the rest of the work
_SIGNS = b".123456789".ljust(256)


class Batch(NamedTuple):
    """Plain puzzles that are solved."""

    part: Plain
    solutions: np.ndarray  # uint8, shape (n, 81); zeros where there is none
    codes: np.ndarray  # places in `batch.STATUS`, shape (n,)


Answers = Batch | list[Result]
Uniqueness = list[bool | None] | None


def bad_lines(found: Counter, skip: bool) -> Skip | None:
    """Return what counts a bad line and tells of it; None if bad lines are refused."""

    def tell(error):
        if not found[BAD]:
            at_end = click.get_current_context().call_on_close
            at_end(lambda: click.echo(f"antdoku: lines skipped: {found[BAD]}", err=True))
        found[BAD] += 1
        click.echo(f"antdoku: skipped: {one_line(str(error))}", err=True)

    return tell if skip else None


def read(
    sources: Iterable[str],
    symbols: str | None,
    skip: Skip | None,
    in_parts: bool = False,
    rules: bool = True,
) -> Iterable[Part]:
    """Return the puzzles of all arguments, those of standard input part by part as they come.

    Others are read before the first is answered, so that a mistake in the last costs nothing,
    unless they may come in parts, too.
    """
    parts = _read(sources, symbols, skip, rules)
    return parts if in_parts or "-" in sources else list(parts)


def _read(sources, symbols, skip, rules):
    keep_apart(sources, 1)
    count = 0
    for number, source in enumerate(sources, start=1):
        what = f"argument {number}"
        for part in read_parts(source, symbols, skip, rules=rules, what=what, first=count + 1):
            count += len(part.grids if isinstance(part, Plain) else part)
            yield part


def puzzles(
    sources: Iterable[str], symbols: str | None, skip: Skip | None, rules: bool = True
) -> Iterator[Puzzle]:
    """Yield the puzzles of all arguments."""
    return _puzzles_of(read(sources, symbols, skip, rules=rules))


def _puzzles_of(parts):
    for part in parts:
        if isinstance(part, Plain):
            yield from filter(None, map(part.puzzle, range(len(part.grids))))
        else:
            yield from part


def answers(
    parts: Iterable[Part], size: int, in_arrays: bool, params: dict, **how
) -> Iterator[Answers]:
    """Solve all parts and yield the answers in their order.

    Plain puzzles stay arrays, if they may and the solver is ``auto``: threads solve them. Others
    come as lists of `size` results.
    """
    may_stay = in_arrays and how["solver"] == "auto" and not params
    for is_batch, group in groupby(parts, lambda part: may_stay and isinstance(part, Plain)):
        if is_batch:
            limits = batch.Limits(1, *api.limits_of(how["timeout"], how["max_steps"]))
            for part, found in batch.in_order(partial(_solve, limits=limits), group, how["jobs"]):
                yield from _of_puzzles(part, found)
        else:  # its processes are forked when no thread is at work
            results = api.solve_all(_puzzles_of(group), **how, **params)
            while some := list(islice(results, size)):
                yield some


def _solve(part, limits):
    return part, batch.answers_to(part.grids, limits, jobs=1)


def _of_puzzles(part, found):
    """Yield the answers, but for grids that are no puzzles: they have a value twice in a unit."""
    suspects = np.flatnonzero((found.status == batch.NO_SOLUTION) & (found.steps == 0))
    bad = [at for at in suspects if part.puzzle(at) is None]
    for first, end in zip([0, *(at + 1 for at in bad)], [*bad, len(part.grids)]):
        if first < end:
            rest = part.part(first, end)
            yield Batch(rest, found.solutions[first:end], found.status[first:end])


def statuses(found: Answers) -> list[str]:
    """Return the status of each answer."""
    if isinstance(found, Batch):
        return batch.STATUS[found.codes].tolist()
    return [each.status for each in found]


def uniqueness(found: Answers, timeout: float | None) -> list[bool | None]:
    """Return whether each puzzle has one solution; None if it is not solved, or time is up before.

    Tells of each solved puzzle that has several solutions, or may have.
    """
    limit_s = timeout or api.DEFAULT_TIMEOUT_S
    is_unique: list[bool | None] = [each == SOLVED or None for each in statuses(found)]
    for at, puzzle in _perhaps_several(found, limit_s):
        count = api.count(puzzle, 2, limit_s)
        is_unique[at] = count == 1 if count.in_time else None
        if not is_unique[at]:
            answer = "there are several solutions" if count > 1 else "unique or not: time is up"
            click.echo(f"antdoku: {one_line(puzzle.name)}: {answer}", err=True)
    return is_unique


def _perhaps_several(found, limit_s):
    """Pair places and solved puzzles, of a batch those that are not known to have one solution."""
    if not isinstance(found, Batch):
        return [(at, each.puzzle) for at, each in enumerate(found) if each]
    counted = batch.solve_grids(found.part.grids, 2, timeout=limit_s)
    is_one = (counted.counts == 1) & (counted.status == SOLVED)
    places = np.flatnonzero((found.codes == batch.DONE) & ~is_one)
    return [(at, found.part.puzzle(at)) for at in places]


def _texts(found) -> tuple[list[str], list[str]]:
    """Return puzzles in their symbols, and solutions, empty where there is none."""
    if not isinstance(found, Batch):
        return [each.puzzle.line for each in found], [each.line if each else "" for each in found]
    signs = (each.tobytes().translate(_SIGNS) for each in (found.part.grids, found.solutions))
    puzzles, solutions = (np.frombuffer(each, "S81").astype(str) for each in signs)
    return puzzles.tolist(), np.where(found.solutions[:, 0] > 0, solutions, "").tolist()


@contextmanager
def writer(
    output: str | None, force: bool, as_json: bool, draws: bool, unique: bool
) -> Iterator[Callable[[Answers, Uniqueness], object]]:
    """Yield the function that writes answers to a file, or prints them in the form asked for.

    A line is the solution, or the puzzle itself if it is not solved; a row of a table has the
    puzzle, the solution, if there is one, and the status. Rows and JSON have the `uniqueness`,
    too, if that is asked for.
    """
    if output is None:
        yield _print_json if as_json else _print_grids if draws else _print_lines
        return
    check_output(output, ENDINGS, force)
    with atomic_write(output) as file, open(file, "wb") as stream:
        packed = GzipFile("", "wb", FAST, stream) if output.endswith(".gz") else stream
        if ".txt" in output[-7:]:
            yield lambda found, _: packed.write(_lines(found).encode())
        else:
            packed.write(f"{','.join(COLUMNS)}{',unique' if unique else ''}\n".encode())
            yield lambda found, is_unique: packed.write(_rows(found, is_unique).encode())
        packed.close()


def _rows(found, is_unique):
    """Return rows of CSV: no cell has a comma."""
    columns = [*_texts(found), statuses(found)]
    if is_unique is not None:
        columns.append(["" if each is None else str(each).lower() for each in is_unique])
    return "".join(",".join(cells) + "\n" for cells in zip(*columns))


def _print_lines(found, _):
    """Print lines, and on standard error what is not solved."""
    click.echo(_lines(found), nl=False)
    if isinstance(found, Batch):
        failed = np.flatnonzero(found.codes != batch.DONE)
        words = ((found.part.puzzle(at).name, batch.STATUS[found.codes[at]]) for at in failed)
        lines = (f"{one_line(name)}: {ANSWERS[status]}" for name, status in words)
    else:
        lines = (result.headline for result in found if not result)
    for line in lines:
        click.echo(f"antdoku: {line}", err=True)


def _lines(found):
    puzzles, solutions = _texts(found)
    return join_lines(solution or puzzle for puzzle, solution in zip(puzzles, solutions))


def _print_json(results, is_unique):
    for at, result in enumerate(results):
        known = {} if is_unique is None else {"unique": is_unique[at]}
        click.echo(json.dumps(result.as_dict() | known))
        if result.message:
            click.echo(f"antdoku: {result.headline}", err=True)


def _print_grids(results, _):
    """Draw solutions, or puzzles that have none.

    Headlines are comments, so that what is printed can be read again.
    """
    for result in results:
        click.secho(f"# {result.headline}", dim=True)
        values = result.puzzle.givens if result.solution is None else result.solution.ravel()
        click.echo(drawn(result.puzzle, values), nl=False)


def drawn(puzzle: Puzzle, values: np.ndarray) -> str:
    """Draw a grid and a blank line, in signs that the output has."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    frame = drawing.UNICODE_FRAME if encoding.lower().startswith("utf") else drawing.ASCII_FRAME
    return drawing.draw(puzzle, values, frame) + "\n\n"
