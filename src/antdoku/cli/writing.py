"""The answers of ``antdoku solve`` and others, one or a million: lines, grids, JSON, tables.

Plain puzzles, a line or a row of 81 characters each, stay arrays from file to file.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress, groupby, islice
from json.encoder import encode_basestring_ascii
from typing import NamedTuple

import click
import numpy as np

from antdoku import api, bulk
from antdoku.answers import ANSWERS, Check, Count, PuzzleCheck, Result
from antdoku.cli.options import note, several
from antdoku.cli.output import JSON, TABLE, Output
from antdoku.errors import InputError, at_line, one_line
from antdoku.kernels.trivial import are_trivial
from antdoku.outcome import EXHAUSTED, SOLVED
from antdoku.puzzle import drawing
from antdoku.puzzle.cells import Options, Skip
from antdoku.puzzle.forms import join_lines
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.reading import Part, Plain, is_stream, keep_apart, read_parts
from antdoku.solvers import many_orders

BAD = "bad"  # counted beside the statuses: lines that are no puzzles
ROWS = 10_000  # rows of a file that are written at a time
YES = Check(None)
_SIGNS = b".123456789".ljust(256)


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

    def tell(error):
        if not counts[BAD]:
            at_end = click.get_current_context().call_on_close
            at_end(lambda: note(f"lines skipped: {counts[BAD]}"))
        counts[BAD] += 1
        note(f"skipped: {one_line(str(error))}")

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
    as_json: bool = False,
    show: Callable[[Result], object] | None = None,
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
            yield from (_plain_rows(part, request, unique, as_json) for part in group)
            continue
        results = api.solve_all(chain.from_iterable(group), **request)
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


def _plain_rows(part, request, unique, as_json):
    """Solve a part in arrays, up to the second solution of each puzzle if that is asked."""
    limits = api.limits_of(request["timeout"], request["max_steps"])
    limit, jobs = 2 if unique else 1, request["jobs"]
    solved, *seconds = bulk.solve_timed(request["solver"], part.grids, jobs, limit, *limits)
    answers, is_solved = bulk.STATUS[solved.status], solved.counts > 0
    suspects = np.flatnonzero(answers == EXHAUSTED)
    # The reader refuses a grid that has a given twice in a unit: it is no puzzle.
    bad = [at for at in suspects if part.puzzle(at) is None]
    is_one = (solved.counts == 1) & (answers == SOLVED)
    answers[is_solved] = SOLVED  # also if the search for a second solution met a limit
    names, statuses = _names(part), answers.tolist()
    rows = Rows(
        names=names,
        puzzles=_lines(part.grids),
        solutions=np.where(is_solved, _lines(solved.solutions), "").tolist(),
        statuses=statuses,
        failures=[
            ""
            if answer == SOLVED or as_json
            else f"{one_line(name)}: {ANSWERS.get(answer, answer)}"
            for name, answer in zip(names, statuses)
        ],
        unique=_proofs(part, is_solved, is_one, request) if unique else None,
        objects=None,
    )
    if as_json:
        steps, trivial = solved.steps.tolist(), are_trivial(part.grids)
        rows = rows._replace(objects=_objects(rows, steps, trivial, seconds, request))
    return _without(rows, bad) if bad else rows


def _objects(rows, steps, trivial, seconds, request) -> list[str]:
    """Write answers to plain puzzles as `Result.as_dict` does, whose other values are alike."""
    blank = Puzzle(3, np.zeros(81, int))
    result = Result(blank, request["solver"], {}, request["seed"], SOLVED, None, 0, *seconds)
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

    puzzles: Part
    answers: list[Count] | list[Check] | list[PuzzleCheck]
    above: str = ""


def judged(puzzles: Iterable[Part], grids: Iterable[Part]) -> Iterator[Verdicts]:
    """Check whether grids solve the puzzles in their order, and yield the verdicts part by part."""
    for part, solutions in _aligned(iter(puzzles), iter(grids)):
        if not isinstance(part, Plain) or not isinstance(solutions, Plain):
            yield Verdicts(part, list(map(api.check, part, solutions)))
            continue
        verdicts = [YES] * len(part)
        for at in np.flatnonzero(~bulk.solves(solutions.grids, part.grids)):
            verdicts[at] = api.check(part.puzzle(at), solutions.puzzle(at))
        yield Verdicts(part, verdicts)


def _aligned(puzzles, grids) -> Iterator[tuple[Part, Part]]:
    """Yield parts of puzzles and of grids, equally long; `InputError` if one has more at the end.

    A pair waits for the next one, so the error comes first if the sources are short.
    """
    part, solutions, number = [], [], 0
    pair = None
    while True:
        part = part or _next(puzzles)
        solutions = solutions or _next(grids)
        length = min(len(part), len(solutions))
        if not length:
            break
        if pair:
            yield pair
        pair = part[:length], solutions[:length]
        part, solutions = part[length:], solutions[length:]
        number += length
    n_puzzles = number + len(part) + sum(map(len, puzzles))
    n_grids = number + len(solutions) + sum(map(len, grids))
    if n_puzzles != n_grids:
        counts = f"{several(n_grids, 'grid')} for {several(n_puzzles, 'puzzle')}"
        raise InputError(f"{counts}: must be as many")
    if pair:
        yield pair


def _next(parts) -> Part:
    """Return the next part that has puzzles, as a list if some break the rules; at the end `[]`."""
    for part in parts:
        kept = list(part) if isinstance(part, Plain) and part.misfits.any() else part
        if len(kept):
            return kept
    return []


def write_verdicts(batches: Iterable[Verdicts], output: Output, mark: str = "") -> None:
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
            names = map(one_line, _names_of(puzzles))
            lines = (f"{mark}{name}: {verdict}\n" for name, verdict in zip(names, verdicts))
            output.write(above + "".join(lines))


def _names_of(puzzles):
    return _names(puzzles) if isinstance(puzzles, Plain) else [puzzle.name for puzzle in puzzles]


def _columns(puzzles, verdicts):
    is_plain = isinstance(puzzles, Plain)
    lines = _lines(puzzles.grids) if is_plain else [puzzle.line for puzzle in puzzles]
    dicts = [verdict.as_dict() for verdict in verdicts]
    columns = {key: [values[key] for values in dicts] for key in dicts[0]}
    return {"name": _names_of(puzzles), "puzzle": lines} | columns


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
