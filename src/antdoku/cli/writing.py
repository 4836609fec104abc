"""The answers of ``antdoku solve`` and others, one or a million: lines, grids, JSON, tables.

Plain puzzles, a line or a row of 81 characters each, stay arrays from file to file.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice
from json.encoder import encode_basestring_ascii
from typing import NamedTuple

import click
import numpy as np

from antdoku import api, bulk
from antdoku.answers import ANSWERS, Check, Count, PuzzleCheck, Result
from antdoku.cli.options import is_file, note
from antdoku.cli.output import JSON, TABLE, Output
from antdoku.errors import InputError, one_line
from antdoku.kernels.trivial import are_trivial
from antdoku.outcome import SOLVED
from antdoku.puzzle import drawing
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.writing import join_lines
from antdoku.reading.batches import Batch
from antdoku.reading.cells import Options, Skip
from antdoku.reading.files import is_stream, keep_apart
from antdoku.reading.sources import read_parts

BAD = "bad"  # counted beside the statuses: lines that are no puzzles
ROWS = 10_000  # rows of a file that are written at a time
YES = Check(None)


class Rows(NamedTuple):
    """Answers as texts, one of each column for a puzzle."""

    names: list[str]
    puzzles: list[str]
    solutions: list[str]  # empty if there is no solution
    statuses: list[str]
    failures: list[str]  # a line that names an unsolved puzzle; empty if it is solved
    unique: list[bool | None] | None  # whether there is one solution; None unless that is asked
    objects: list[str] | None  # JSON, if that is asked


# --- Reading -------------------------------------------------------------------------------------


def bad_lines(counts: Counter, skip: bool) -> Skip | None:
    """Return the function that counts and prints bad lines, or None if they are refused."""
    if not skip:
        return None
    n_files = 0  # without a puzzle
    at_end = click.get_current_context().call_on_close
    at_end(lambda: counts[BAD] > n_files and note(f"lines skipped: {counts[BAD] - n_files}"))

    def tell(error):
        nonlocal n_files
        counts[BAD] += 1
        n_files += error.line is None and is_file(error.place)
        note(f"skipped: {one_line(str(error))}")

    return tell


def read(sources: Sequence[str], options: Options, in_parts: bool = False) -> Iterable[Batch]:
    """Return the puzzles of all arguments, part by part as standard input or a pipe brings them.

    Other sources are read completely before the first answer, so that a mistake in the last one
    costs nothing, unless `in_parts` is true, or solutions stand beside the puzzles.
    """
    parts = _read(sources, options)
    first = list(islice(parts, 1))
    in_parts = in_parts or any(part.beside is not None for part in first)
    parts = chain(first, parts)
    return parts if in_parts or any(map(is_stream, sources)) else list(parts)


def _read(sources, options):
    keep_apart(sources, 1)
    count = 0
    owners: dict[str, int] = {}  # sources of the names of puzzles
    is_told = False
    for number, source in enumerate(sources, start=1):
        for part in read_parts(source, options, f"argument {number}", count + 1):
            count += len(part)
            for name in () if is_told else filter(None, part.given_names):
                if name in owners:
                    which = "two puzzles" if owners[name] == number else "puzzles of two files"
                    note(f"{one_line(name)}: {which} have this name")
                    is_told = True
                    break
                owners[name] = number
            yield part


# --- Solving -------------------------------------------------------------------------------------


def answers(
    parts: Iterable[Batch],
    request: api.Request,
    unique: bool,
    as_json: bool = False,
    show: Callable[[Result], object] | None = None,
    n_rows: int = 1,
) -> Iterator[Rows]:
    """Solve all parts, and yield the answers in their order.

    Puzzles that are solved together stay arrays, unless `show` prints each result. Other results
    come `n_rows` at a time.
    """

    def stays_array(part):
        return not show and (request.solver, part.order) == bulk.TOGETHER

    groups: Iterable[list[Batch]] = ([part] for part in parts)  # of a stream, as they come
    if isinstance(parts, list):
        groups = (list(group) for _, group in groupby(parts, stays_array))
    for group in groups:
        if stays_array(group[0]):
            yield from (_rows_of_batch(part, request, unique, as_json) for part in group)
            continue
        results = api.results(chain.from_iterable(group), request)
        while batch := list(islice(results, n_rows)):
            yield _rows_of(batch, request, unique, as_json)
            for result in batch if show else ():
                show(result)


def _rows_of(results, request, unique, as_json):
    proofs, objects = None, None
    if unique:
        proofs = [_is_unique(result.puzzle, request) if result else None for result in results]
    if as_json:
        columns = [{"unique": proof} for proof in proofs] if unique else [{}] * len(results)
        objects = [json.dumps(result.as_dict() | proof) for result, proof in zip(results, columns)]
    return Rows(
        names=[result.puzzle.name for result in results],
        puzzles=[result.puzzle.line for result in results],
        solutions=[result.line if result else "" for result in results],
        statuses=[result.status for result in results],
        failures=[
            "" if result or (as_json and not result.message) else result.headline
            for result in results
        ],
        unique=proofs,
        objects=objects,
    )


def _rows_of_batch(part, request, unique, as_json):
    """Solve a part in arrays, up to the second solution of each puzzle if that is asked."""
    limit = 2 if unique else 1
    solved, *seconds = bulk.solve_together(part.grids, request.jobs, limit, *request.limits)
    answers, is_solved = bulk.STATUS[solved.status], solved.counts > 0
    is_one = (solved.counts == 1) & (answers == SOLVED)
    answers[is_solved] = SOLVED  # also if the search for a second solution met a limit
    names, statuses = part.names, answers.tolist()
    failures = [""] * len(part)
    for at in () if as_json else np.flatnonzero(answers != SOLVED):
        failures[at] = f"{one_line(names[at])}: {ANSWERS.get(statuses[at], statuses[at])}"
    rows = Rows(
        names=names,
        puzzles=part.symbols.lines(part.grids),
        solutions=np.where(is_solved, part.symbols.lines(solved.solutions), "").tolist(),
        statuses=statuses,
        failures=failures,
        unique=_proofs(part, is_solved, is_one, request) if unique else None,
        objects=None,
    )
    if not as_json:
        return rows
    steps, trivial = solved.steps.tolist(), are_trivial(part.grids)
    return rows._replace(objects=_objects(part.symbols, rows, steps, trivial, seconds, request))


def _objects(symbols, rows, steps, trivial, seconds, request) -> list[str]:
    """Write answers to a batch as `Result.as_dict` does, whose other values are alike."""
    blank = Puzzle(symbols.order, np.zeros(symbols.order**4, int), symbols=symbols)
    result = Result(blank, request.solver, {}, request.seed, SOLVED, None, 0, *seconds)
    columns = {
        "name": map(encode_basestring_ascii, rows.names),
        "puzzle": [f'"{line}"' for line in rows.puzzles],
        "status": [f'"{status}"' for status in rows.statuses],
        "solution": [f'"{line}"' if line else "null" for line in rows.solutions],
        "steps": steps,
        "trivial": np.where(trivial, "true", "false").tolist(),
    }
    if rows.unique is not None:
        columns["unique"] = map(json.dumps, rows.unique)
    alike = {key: json.dumps(value).replace("%", "%%") for key, value in result.as_dict().items()}
    texts = alike | dict.fromkeys(columns, "%s")
    template = "{" + ", ".join(f'"{key}": {text}' for key, text in texts.items()) + "}"
    return [template % row for row in zip(*(columns[key] for key in texts if key in columns))]


def _proofs(part, is_solved, is_one, request):
    """List whether each puzzle has one solution; None if it is unsolved, or time was up."""
    unique: list[bool | None] = np.where(is_one, True, None).tolist()
    for at in np.flatnonzero(is_solved & ~is_one):
        unique[at] = _is_unique(*part[at : at + 1], request)
    return unique


def _is_unique(puzzle, request):
    """Whether a puzzle has one solution; None if time was up. Print a line unless it has one."""
    count = api.count(puzzle, 2, request.limits[0] or api.DEFAULT_TIMEOUT_S)
    if count == 1 and count.in_time:
        return True
    answer = "there are several solutions" if count > 1 else "unique or not: time is up"
    note(f"{one_line(puzzle.name)}: {answer}")
    return False if count > 1 else None


# --- Writing -------------------------------------------------------------------------------------


def write_rows(rows: Rows, output: Output) -> None:
    """Write answers; of a file, standard error does not name the unsolved puzzles."""
    if output.form == TABLE:
        solutions = [solution or None for solution in rows.solutions]
        columns = {"name": rows.names, "puzzle": rows.puzzles, "solution": solutions}
        unique = {} if rows.unique is None else {"unique": rows.unique}
        output.write(columns | {"status": rows.statuses} | unique)
    elif output.form == JSON:
        output.write("".join(f"{line}\n" for line in rows.objects or ()))
    else:
        pairs = zip(rows.puzzles, rows.solutions)
        output.write(join_lines(solution or puzzle for puzzle, solution in pairs))
    for failure in () if output.is_file else filter(None, rows.failures):
        note(failure)


def print_grid(result: Result) -> None:
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


# --- Counts and checks ---------------------------------------------------------------------------


class Verdicts(NamedTuple):
    """Answers to puzzles, and a text to print above them."""

    puzzles: Batch
    answers: list[Count] | list[Check] | list[PuzzleCheck]
    above: str = ""


def one_by_one(parts: Iterable[Batch]) -> Iterator[Batch]:
    """Yield each puzzle as a batch."""
    for part in parts:
        yield from (part[at : at + 1] for at in range(len(part)))


def checked(parts: Iterable[Batch], timeout: float | None) -> Iterator[Verdicts]:
    """Check the solutions that stand beside puzzles; puzzles that have none, themselves."""
    have_solutions = set()
    for part in parts:
        have_solutions.add(part.beside is not None)
        if len(have_solutions) > 1:
            raise InputError(f"{part.names[0]}: solutions stand beside some of the puzzles only")
        if part.beside is not None:
            yield judged(part, replace(part, grids=part.beside))
            continue
        for single in one_by_one([part]):
            yield Verdicts(single, [api.check(*single, timeout=timeout)])


def judged(part: Batch, grids: Batch) -> Verdicts:
    """Check whether grids solve as many puzzles."""
    reasons = bulk.flaws(part, grids)
    return Verdicts(part, [Check(reason) if reason else YES for reason in reasons])


def write_verdicts(batches: Iterable[Verdicts], output: Output, mark: str) -> None:
    """Write verdicts, each with the name of its puzzle unless it is the only one."""
    batches = iter(batches)
    first = list(islice(batches, 2))
    is_alone = len(first) == 1 and len(first[0].answers) == 1
    for puzzles, verdicts, above in chain(first, batches):
        if output.form == TABLE:
            output.write(_columns(puzzles, verdicts))
        elif output.form == JSON:
            output.write("".join(map(_object, puzzles, verdicts)))
        elif is_alone:
            output.write(f"{above}{mark}{verdicts[0]}\n")
        else:
            names = map(one_line, puzzles.names)
            lines = (f"{mark}{name}: {verdict}\n" for name, verdict in zip(names, verdicts))
            output.write(above + "".join(lines))


def _columns(puzzles, verdicts):
    dicts = [verdict.as_dict() for verdict in verdicts]
    columns = {key: [values[key] for values in dicts] for key in dicts[0]}
    return {"name": puzzles.names, "puzzle": puzzles.symbols.lines(puzzles.grids)} | columns


def _object(puzzle, verdict):
    """Write a verdict as a line of JSON; solutions are lines in the symbols of the puzzle."""
    row = {"name": puzzle.name, "puzzle": puzzle.line, "symbols": puzzle.writing.name}
    row |= verdict.as_dict()
    if "solutions" in row:
        row["solutions"] = lines_of(puzzle, verdict.solutions)
    return json.dumps(row) + "\n"


def lines_of(puzzle: Puzzle, grids: list[np.ndarray]) -> list[str]:
    """Return grids as lines in the symbols of their puzzle."""
    return [puzzle.writing.line(grid.ravel().tolist()) for grid in grids]
