"""From file to file: ``antdoku solve PUZZLE... -o FILE``, 9x9 puzzles by the million.

The output has a line or a row for each puzzle, in their order. A line is the solution, or the
puzzle itself if it is not solved; a row has the puzzle, the solution, if there is one, and the
status.
"""

import gzip
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, groupby
from typing import NamedTuple

import numpy as np

from antdoku import api, batch
from antdoku.fileio import atomic_write, check_output
from antdoku.outcome import STATUSES
from antdoku.puzzle.files import ending
from antdoku.puzzle.forms import format_line
from antdoku.puzzle.plain import CELLS, Plain, read_parts

ENDINGS = (".txt", ".csv", ".parquet", ".txt.gz", ".csv.gz")
COLUMNS = ("puzzle", "solution", "status")
FAST = 1  # level of gzip: others take longer than the rest of the work
_SIGNS = b".123456789".ljust(256)


class Rows(NamedTuple):
    """Rows of the output: lists of texts, or grids of plain ones (uint8, (n, 81))."""

    puzzles: list[str] | np.ndarray
    solutions: list[str | None] | np.ndarray
    status: list[str] | np.ndarray


def solve(
    sources: Iterable[str], symbols: str | None, output: str, request: dict, jobs: int | None
) -> Counter:
    """Solve all puzzles of all sources into a file, and count them by status.

    `request` are arguments of `api.solve_all`.
    """
    check_output(output, ENDINGS)
    found: Counter = Counter()
    parts = chain.from_iterable(read_parts(source, symbols) for source in sources)
    with atomic_write(output) as file, _writer(output, file) as write:
        for rows in _solved(parts, request, jobs):
            write(rows)
            found.update(dict(zip(*np.unique(rows.status, return_counts=True))))
    return Counter({status: int(found[status]) for status in STATUSES if found[status]})


def _solved(parts, request, jobs):
    """Yield the rows of all parts, in their order; plain ones are solved by threads."""
    in_lanes = request["solver"] == "auto"
    for kind, group in groupby(parts, type):
        if kind is Plain and in_lanes:
            limits = batch.Limits(1, *api.limits_of(request["timeout"], request["max_steps"]))
            yield from batch.in_order(partial(_answer, limits=limits), group, jobs)
        else:  # its processes are forked when no thread is at work
            yield from map(partial(_run, request=request | {"jobs": jobs}), group)


def _answer(part, limits):
    """Rows of plain puzzles."""
    answers = batch.answers_to(part.grids, limits, jobs=1)
    at_once = (answers.status == batch.NO_SOLUTION) & (answers.steps == 0)
    for at in np.flatnonzero(at_once):
        part.puzzle(at)  # refuses one that has a value twice in a unit
    return Rows(part.grids, answers.solutions, batch.STATUS[answers.status])


def _run(part, request):
    """Rows of other puzzles, or by another solver."""
    if isinstance(part, Plain):
        part = [part.puzzle(at) for at in range(len(part.grids))]
    results = list(api.solve_all(part, **request))
    return Rows(
        [format_line(puzzle) for puzzle in part],
        [result.line if result else None for result in results],
        [result.status for result in results],
    )


# --- Writing -------------------------------------------------------------------------------------


@contextmanager
def _writer(output, file) -> Iterator[Callable[[Rows], None]]:
    """Yield the function that writes rows to a file, in the form that its name says."""
    is_packed = output.endswith(".gz")
    with gzip.open(file, "wb", FAST) if is_packed else open(file, "wb") as stream:
        match ending(output):
            case ".txt":
                yield partial(_write_lines, stream)
            case ".csv":
                stream.write(f"{','.join(COLUMNS)}\n".encode())
                yield partial(_write_csv, stream)
            case ".parquet":
                from pyarrow.parquet import ParquetWriter

                with ParquetWriter(stream, _table(Rows([""], [""], [""])).schema) as table:
                    yield lambda rows: table.write_table(_table(rows))


def _write_lines(stream, rows):
    if isinstance(rows.puzzles, np.ndarray):
        lines = np.full((len(rows.solutions), CELLS + 1), ord("\n"), np.uint8)
        is_solved = rows.solutions[:, :1] > 0
        lines[:, :CELLS] = _signs(np.where(is_solved, rows.solutions, rows.puzzles))
        stream.write(lines)
        return
    for puzzle, solution in zip(rows.puzzles, rows.solutions):
        # Sixteen lines of order 2 would be a grid of order 4.
        stream.write(f"{solution or puzzle}\n{chr(10) * (len(puzzle) == 16)}".encode())


def _signs(grids):
    """The characters of grids, of the same shape."""
    return np.frombuffer(grids.tobytes().translate(_SIGNS), np.uint8).reshape(grids.shape)


def _table(rows):
    """Rows as an Arrow table."""
    import pyarrow
    import pyarrow.compute

    if isinstance(rows.puzzles, np.ndarray):
        words = (_signs(grids).view(f"S{CELLS}").ravel() for grids in rows[:2])
        puzzles, solutions = (pyarrow.array(each).cast(pyarrow.string()) for each in words)
        is_solved = pyarrow.array(rows.solutions[:, 0] > 0)
        rows = Rows(puzzles, pyarrow.compute.if_else(is_solved, solutions, None), rows.status)
    return pyarrow.table([pyarrow.array(column, pyarrow.string()) for column in rows], COLUMNS)


def _write_csv(stream, rows):
    from pyarrow import csv

    options = csv.WriteOptions(include_header=False, quoting_style="none")
    csv.write_csv(_table(rows), stream, options)
