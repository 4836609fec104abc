"""The format of a file, which its first line with content tells, and its puzzles."""

import io
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from itertools import chain, filterfalse, islice

import numpy as np

from antdoku.errors import InputError, naming_extra, quote
from antdoku.reading.arrays import array_parts, check_shape, may_be_named
from antdoku.reading.batches import Batch, check_beside
from antdoku.reading.cells import ORDER_OF_CELLS, ORDER_OF_SIZE, WORDS, Options
from antdoku.reading.files import ALLOWED, decoded, ending, opened, printable, unreadable
from antdoku.reading.fitting import batches_of
from antdoku.reading.frames import check_labels, frame_table, with_names
from antdoku.reading.headers import cell_columns, is_header, names_puzzles
from antdoku.reading.labels import SEPARATORS
from antdoku.reading.lines import LINE_END, RULE, content_of
from antdoku.reading.lists import cells_of_texts
from antdoku.reading.objects import cells_of_json, cells_of_value, check_json
from antdoku.reading.plain import BATCH, PLAIN, plain_batch, plain_cells
from antdoku.reading.tables import csv_tables, separator_of, table_parts
from antdoku.reading.texts import text_batches, text_parts
from antdoku.reading.values import count_cells, is_grid, is_list, is_mapping, is_missing

PART = BATCH // 8  # texts of a list, of which all in a part with a bad one are read one by one
PARQUET = b"PAR1"
NPY = b"\x93NUMPY"
ENCODINGS = {  # by how data begin: with a mark, or with a character of ASCII
    re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"): "utf-32",
    re.compile(rb"\xff\xfe|\xfe\xff"): "utf-16",
    re.compile(rb"[^\0]\0[^\0]\0"): "utf-16-le",
    re.compile(rb"\0[^\0]\0[^\0]"): "utf-16-be",
}
NOT_READ = re.compile(r"<[a-z?!/]|insert into\b", re.IGNORECASE)


def file_parts(path, options) -> Iterator[Batch]:
    """Yield the puzzles of a file part by part."""
    with opened(path) as stream:
        yield from _parts(stream, path, options)


def _parts(stream, path, options) -> Iterator[Batch]:
    parts = _parts_of(_head(stream), stream, path, options)
    first = list(islice(parts, 1))
    if not first:
        options.refuse(InputError("there is no puzzle in it", printable(path)))
    yield from _apart(chain(first, parts), options)


def parts_of_text(text: str, name: str, options: Options) -> Iterator[Batch]:
    """Yield the puzzles of a text as of a file with this text."""
    stream = io.BytesIO(text.encode(errors="surrogatepass"))
    yield from _parts(stream, name, options)


def _apart(parts, options) -> Iterator[Batch]:
    """Yield the parts of a file; refuse solutions that stand in another part than their puzzles."""
    past: list[Batch] = []
    n_past = 0
    for part in filter(len, parts):
        if past and past[-1].grids[-1].all() != part.grids[0].all():
            check_beside([past[-1], part], options)
        if n_past >= BATCH:
            past, n_past = [], 0
        past.append(part)
        n_past += len(part)
        yield part
    check_beside(past, options)


def _head(stream) -> bytes:
    """Read a stream until a line holds more than spaces or a comment."""
    head = b""
    while line := stream.readline(2**16):
        head += line
        is_cut = len(head) < 4 and b"\0" in head  # a line of UTF-16 ends between two bytes
        if content_of(line.decode("latin-1")) and not is_cut:
            break
    return head.removeprefix(BOM_UTF8)


def _parts_of(head, stream, path, options) -> Iterator[Batch]:
    """Yield the puzzles of a file, whose format the first line with content tells.

    `head` holds the lines that were read from the stream already.
    """
    name = printable(path)
    for mark, encoding in ENCODINGS.items():
        if mark.match(head):
            head = (head + stream.read()).decode(encoding).encode()
    line = next(_contents(head), "")
    if is_header([line]):  # of a table of one column, or the title of a grid
        head += _head(stream)
    if head.startswith(PARQUET) or ending(path) == ".parquet":
        yield from value_parts(_parquet(head + stream.read(), name), name, options)
    elif head.startswith(NPY):
        array = _array(head + stream.read(), name)
        yield from value_parts(array, name, options)
    elif start := NOT_READ.match(line):
        raise InputError(
            f"{'XML, HTML or PHP' if start[0][0] == '<' else 'SQL'} is not read: {ALLOWED}", name
        )
    elif line.startswith(("{", "[")):
        yield from _text_or_json(decoded(head + stream.read(), name), name, options)
    elif (separator := separator_of(line, path, options.named)) and not _is_title(head, line):
        lines = chain(io.BytesIO(head), stream)
        yield from table_parts(csv_tables(lines, separator, name, options.named), name, options)
    else:
        yield from text_parts(head, stream, name, options)


def _array(data, name):
    """Return the array in a file of NumPy; one of objects, which may run code, is refused."""
    try:
        return np.load(io.BytesIO(data), allow_pickle=False)
    except ValueError as error:
        if "allow_pickle" not in str(error):
            raise
        remedy = "save whole numbers, or texts: array.astype(int), or astype(str)"
        raise InputError("an array of objects", name, remedy=remedy) from None


def _is_title(head, line):
    """Whether a name alone, perhaps of the only column, is a title: a row of a grid is below it."""
    if not is_header([line]):
        return False
    *_, below = _contents(head)
    size = len(SEPARATORS.sub("", below))
    is_row = size in ORDER_OF_SIZE.keys() - ORDER_OF_CELLS.keys()
    return is_row or RULE.fullmatch(below) is not None


def _contents(data: bytes) -> Iterator[str]:
    """Return the lines with more than spaces and comments, without them."""
    lines = LINE_END.split(data.decode("utf-8", "replace"))
    return filter(None, map(content_of, lines))


@naming_extra()
def _parquet(data, source):
    import pandas as pd

    try:
        return with_names(pd.read_parquet(io.BytesIO(data))).astype(object)
    except ModuleNotFoundError:
        raise
    except Exception as error:  # whatever a parser raises
        raise unreadable(source, error) from None


def value_parts(source, source_name, options) -> Iterable[Batch]:
    """Return the puzzles of an array, a table, or records."""
    names = getattr(source, "columns", ())
    if names_puzzles(names) or (len(names) and options.named) or cell_columns(names):
        table = frame_table(source, source_name, options.named)
        rows = range(0, len(source), BATCH)
        tables = ({name: table[name][at : at + BATCH] for name in table} for at in rows)
        return table_parts(tables, source_name, options)
    is_array = hasattr(source, "to_numpy") or getattr(source, "ndim", 0) == 1
    texts = np.asarray(source, object).tolist() if is_array else source
    may_be_texts = isinstance(texts, list) and not (options.symbols or options.named)
    parts = _list_parts(texts, source_name, options) if may_be_texts else None
    if parts is not None:
        return parts
    if hasattr(source, "iloc"):
        check_labels(source, source_name)
    parts = None if options.symbols else array_parts(source, source_name, options)
    if parts is not None:
        return parts
    if isinstance(source, np.ndarray):
        check_shape(source, source_name)
    try:
        cells = cells_of_value(source, source_name, options)
        return batches_of(cells, source_name, options)
    except InputError:
        if options.skip is None:
            _check_elements(_elements(source), source_name, options)
        raise


def _elements(source) -> dict:
    """Return the elements of a list with a grid, or the grids of an object, by their names.

    Of a list of puzzles in one row each, which may be rows of a large grid, the missing ones.
    """
    if is_mapping(source):
        return {quote(str(key)): source[key] for key in source if may_be_named(source)}
    if not isinstance(source, list) or not all(
        is_list(item) or is_missing(item) for item in source
    ):
        return {}
    has_grid = any(map(is_grid, source))
    has_puzzle = has_grid or any(count_cells(item) in WORDS for item in source)
    items = enumerate(source if has_puzzle else [], 1)
    return {f"element {at}": item for at, item in items if has_grid or is_missing(item)}


def _check_elements(elements, source, options):
    """Raise `InputError` for the first element that cannot be read alone."""
    for name, item in elements.items():
        if is_missing(item):
            are_solutions = options.column == "solution"
            remedy = "give results, not their solutions" if are_solutions else "leave it out"
            raise InputError(f"{name} is {item}", source, remedy=remedy)
        try:
            list(value_parts(item, name, options))
        except InputError as error:
            row = f": row {error.line}" if isinstance(error.line, int) and error.line > 1 else ""
            raise InputError(error.what, source, name + row, error.remedy) from None


def _list_parts(texts, source, options) -> list[Batch] | None:
    """Return the puzzles of texts, as arrays where all texts of a part are plain.

    None if no part is plain, or an item is no text: then all of the list decides what it means.
    """
    parts = {at + 1: texts[at : at + PART] for at in range(0, len(texts), PART)}
    plain = {first: _plain_texts(part) for first, part in parts.items()}
    others = [part for first, part in parts.items() if plain[first] is None]
    if len(others) == len(parts) or not all(map(_is_text, chain.from_iterable(others))):
        return None
    batches: list[Batch] = []
    for first, grids in plain.items():
        if grids is None:
            cells = cells_of_texts(parts[first], source, options, first)
            batches += batches_of([*map(_as_plain, cells)], source, options)
            continue
        missing = [*map(is_missing, parts[first])] if len(grids) < len(parts[first]) else ()
        for at in np.flatnonzero(missing).tolist():
            options.refuse(InputError("the puzzle is empty", source, first + at))
        numbers = first + np.flatnonzero(~np.array(missing)) if missing else first
        batches.append(plain_batch(grids, source, "", numbers, options))
    check_beside(batches, options)
    return batches


def _plain_texts(texts):
    """Return plain texts as values, without missing ones; None if another one is not plain."""
    grids = plain_cells(texts)
    return plain_cells([*filterfalse(is_missing, texts)]) if grids is None else grids


def _as_plain(cells):
    """Return cells in the symbols of the plain puzzles of their list."""
    return cells._replace(symbols=PLAIN.name) if cells.order == PLAIN.order else cells


def _is_text(item):
    return isinstance(item, str) or is_missing(item)


def _text_or_json(text, source, options) -> list[Batch]:
    cells = cells_of_json(text, source, options)
    if cells is None:
        try:
            return text_batches(text, source, options)
        except InputError:
            if ending(source) == ".json":
                check_json(text, source)
            raise
    return batches_of(cells, source, options)
