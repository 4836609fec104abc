"""Names of the columns of a table: which of them hold puzzles, names and solutions."""

import logging
import re
from collections.abc import Sequence
from itertools import chain

from antdoku.errors import InputError, quote
from antdoku.reading.cells import NAMES, OTHER_PUZZLES, PUZZLES, WORDS, is_complete
from antdoku.reading.labels import NUMBER, check_row_by_row

logger = logging.getLogger("antdoku")
SOLUTIONS = ("solution", "solutions")
OTHER_SOLUTIONS = {"answer", "answers"}  # as `OTHER_PUZZLES`
SYMBOLS = "symbols"
OTHERS = {PUZZLES: OTHER_PUZZLES, SOLUTIONS: OTHER_SOLUTIONS}
KNOWN = {*NAMES, *PUZZLES, *SOLUTIONS, SYMBOLS}  # in small letters or capitals
AN_ID = re.compile(r"(?:.+[ _-])?(?:id|uuid|key)", re.IGNORECASE)  # of a puzzle, perhaps
Table = dict[str, Sequence]  # columns by name, known names in small letters


def is_header(names: Sequence[str]) -> bool:
    """Whether names of columns name puzzles or solutions."""
    return bool({str(name).strip().lower() for name in names} & {*PUZZLES, *SOLUTIONS})


def names_puzzles(names: Sequence) -> bool:
    """Whether names of columns name puzzles or solutions, by a usual name or one of the others."""
    words = [str(name).strip().lower() for name in names]
    are_others = [sum(word in others for word in words) for others in OTHERS.values()]
    return is_header(names) or (len(names) > 1 and 1 in are_others)


def named_columns(names: Sequence, source: str, named: str) -> list[str]:
    """Return names of columns, known names in small letters, `puzzle` for the column that is named.

    `InputError` if no column is named after puzzles, or two columns of puzzles are named alike.
    """
    words = [str(name).strip() for name in names]
    columns = [word.lower() if word.lower() in KNOWN else word for word in words]
    for usual, others in OTHERS.items():
        at = [at for at, word in enumerate(words) if word.lower() in others]
        if len(at) == 1 and {*usual}.isdisjoint(columns) and not (named and usual is PUZZLES):
            columns[at[0]] = usual[0]
    if named:
        if words.count(named) != 1:
            raise InputError(f"no column {quote(named)}; {listed('columns', names)}", source)
        others = [f"other {name}" if name in PUZZLES else name for name in columns]
        columns = [PUZZLES[0] if word == named else name for word, name in zip(words, others)]
    ids = [name for name in columns if AN_ID.fullmatch(name)]
    if ids and {*NAMES}.isdisjoint(columns):
        text = "%s: puzzles are called by their rows: call column %s id to name them"
        logger.info(text, source, quote(ids[0]))
    if not is_header(columns) and not cell_columns(columns):
        remedy = "rename it (commands take --column NAME, Python column=NAME of read and compare)"
        remedy += ", and call solutions 'solution'"
        message = f"no column 'puzzle': {remedy}; {listed('columns', names)}"
        extra = [name for name in names if not NUMBER.search(str(name))]
        n_cells = len(names) - len(extra)
        if n_cells >= min(WORDS) - 1:
            message = f"{n_cells} columns of cells: allowed are 81 for 9x9 and 256 for 16x16"
            has_others = not {*map(str.lower, map(str, extra))} <= {*NAMES, ""}
            message += f", and at most an id; {listed('others', extra)}" if has_others else ""
        raise InputError(message, source)
    twice = [name for name in (*NAMES, *PUZZLES, *SOLUTIONS) if columns.count(name) > 1]
    if twice:
        raise InputError(f"two columns are called {quote(twice[0])}", source, remedy="rename one")
    return columns


def cell_columns(names: Sequence[str]) -> list[int]:
    """Return the columns that hold a cell each, of a table with names of puzzles; none of others.

    The first column may have no name: pandas writes an index so.
    """
    labels = [str(name).strip() for name in names]
    cells = [at for at, label in enumerate(labels) if label.lower() not in NAMES and (at or label)]
    are_distinct = len({labels[at] for at in cells}) == len(cells)  # as no cells are
    are_alike = len({bool(NUMBER.search(labels[at])) for at in cells}) == 1
    is_table = not is_header(labels) and len(cells) < len(labels) and are_alike
    return cells if is_table and are_distinct and len(cells) in WORDS else []


def table_of(names: Sequence[str], columns: Sequence[Sequence], source: str) -> Table:
    """Return columns by their names; columns of cells become one column of puzzles."""
    table, cells = dict(zip(names, columns)), cell_columns(names)
    if not cells:
        return table
    check_row_by_row([str(names[at]) for at in cells], source)
    rows = zip(*(columns[at] for at in cells))
    signs = [["" if cell is None else str(cell) for cell in row] for row in rows]
    are_plain = len(cells) == min(WORDS) and {*".0123456789"}.issuperset(chain(*signs))
    texts = map(("" if are_plain else ",").join, signs)
    return {name: table[name] for name in NAMES if name in table} | {PUZZLES[0]: [*texts]}


def with_solutions(table: Table, source: str) -> Table:
    """Return a table in which the only column of complete grids beside puzzles is `solution`."""
    puzzles = [name for name in PUZZLES if name in table]
    if not {*SOLUTIONS}.isdisjoint(table) or not puzzles:
        return table
    first = {name: _first_text(column) for name, column in table.items()}
    puzzle = first[puzzles[0]]
    names = [name for name in table if name not in KNOWN and _is_complete(first[name], puzzle)]
    if len(names) > 1:
        remedy = "call one of them solution"
        raise InputError(
            f"{len(names)} complete grids: {listed('columns', names)}", source, remedy=remedy
        )
    return {SOLUTIONS[0] if name in names else name: column for name, column in table.items()}


def _first_text(column):
    """Return the first text of a column that is not empty, or an empty text."""
    return next((value for value in column if isinstance(value, str) and value), "")


def _is_complete(text, puzzle):
    """Whether a text has no blanks, and is as long as a puzzle."""
    return len(text) == len(puzzle) and len(text) in WORDS and is_complete(text)


def listed(kind: str, names) -> str:
    """Write the first names of columns or keys."""
    quoted = [quote(str(name)) for name in names] or ["none"]
    return f"{kind}: {', '.join(quoted[:6])}{', ...' * (len(quoted) > 6)}"
