"""Puzzles in a text: plain lines as they come, others together."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from antdoku.errors import InputError, quote
from antdoku.reading.batches import Batch
from antdoku.reading.cells import DEFAULT, WORDS, Cells, Options
from antdoku.reading.files import decoded
from antdoku.reading.fitting import batches_of
from antdoku.reading.lines import (
    LINE_END,
    NAMED_SYMBOLS,
    NUMBERED,
    RULE,
    among_lines,
    content_of,
    find_cells,
    note_empty_lines,
)
from antdoku.reading.plain import BATCH, CELLS, plain_batch, plain_grids

PLAIN_LINES = re.compile(rb"((?:^[0-9.*]{81}\r?\n)++)", re.MULTILINE)
LEADS = re.compile(rb"^[\s-]*(?:\[|#D|#\s*symbols|[a-z]{2,})", re.MULTILINE | re.IGNORECASE)


def text_parts(head, stream, source, options) -> Iterator[Batch]:
    """Yield plain lines as they come; others together, from the first of them to a plain line.

    Empty lines between plain lines are said, as no line of an output stands for them.
    """
    waiting, first, number = b"", 1, 1
    n_plain, gaps = 0, Counter[int]()  # empty lines by the number of plain lines above
    has_title, n_above = False, 0  # plain lines right above
    is_file = stream.seekable()  # a pipe may bring its first line long before the next one
    read = stream.read if is_file else stream.read1
    head += read(BATCH * (CELLS + 1)) if is_file else b""
    for block in chain([head], iter(lambda: read(BATCH * (CELLS + 1)), b"")):
        block += b"" if block.endswith(b"\n") else stream.readline()
        block += b"" if block.endswith(b"\n") else b"\n"  # the last line
        for at, lines in enumerate(
            [block] if options.symbols or options.named else PLAIN_LINES.split(block)
        ):
            # Plain lines are at odd positions. A title or a section above must stay with them.
            title = _title(waiting)
            if title and n_above > 1 and not has_title and waiting.count(b"\n") == 1:
                options.refuse(among_lines(title, source, number - 1))
                title, waiting = "", b""
            is_plain = at % 2 and (title or not LEADS.search(waiting))
            grids = plain_grids(lines) if is_plain else None
            if grids is not None:
                if waiting.isspace() and n_plain:
                    gaps[n_plain] += waiting.count(b"\n")
                    n_plain = 0
                if not title:
                    yield from _other_lines(waiting, source, first, options)
                n_above = len(grids) if waiting else n_above + len(grids)
                waiting, has_title = b"", has_title or bool(title)
                names = [title, *[""] * (len(grids) - 1)] if title else None
                yield plain_batch(grids, source, "", number, options, names)
                n_plain += len(grids)
            else:
                first = first if waiting else number
                waiting += lines
            number += lines.count(b"\n")
    if gaps and (gaps.total() == 1 or len(gaps) > 1 or n_plain > min(gaps)):
        note_empty_lines(gaps.total(), source)
    yield from _other_lines(waiting, source, first, options)


def _title(data) -> str:
    """Return the name in the only line that is not empty, if it is a numbered title."""
    text = data.decode("latin-1") if len(data) < CELLS else ""
    match = NUMBERED.fullmatch(text.strip()) if LINE_END.search(text.strip()) is None else None
    return match[1] if match else ""


def _other_lines(data, source, first, options) -> list[Batch]:
    """Return the puzzles of lines that are not plain, if there is more than comments."""
    text = decoded(data, source)
    is_empty = not any(RULE.sub("", content_of(line)) for line in LINE_END.split(text))
    try:
        return [] if is_empty else text_batches(text, source, options, first)
    except InputError as error:
        is_utf8 = data.decode(errors="replace") == text
        remedy = error.remedy or (None if is_utf8 else "it is not UTF-8: save it as UTF-8")
        raise InputError(error.what, error.place, error.line, remedy) from None


def text_batches(
    text: str, source: str = "text", options: Options = DEFAULT, first: int = 1
) -> list[Batch]:
    """Return the puzzles of a text; with `Options.skip`, line by line if need be."""
    if options.named:
        message = f"no column {quote(options.named)}: it is no table"
        raise InputError(message, source)
    if "#" in text and not options.symbols:
        names = " ".join(match[1] for match in NAMED_SYMBOLS.finditer(text))
        options = replace(options, symbols=names or None)
    try:
        grids = find_cells(text, source, options, first)
    except InputError:
        if options.skip is None:
            raise
        grids = list(_single_lines(text, source, options, first))
    return batches_of(grids, source, options)


def _single_lines(text, source, options, first) -> Iterator[Cells]:
    """Yield the cells of each line that is a puzzle; it may not be a row of a larger grid."""
    for number, line in enumerate(LINE_END.split(text), first):
        if not content_of(line):
            continue
        try:
            cells, *_ = find_cells(line, source, options, number)
            if len(cells.signs) not in WORDS or not isinstance(cells.signs, str):
                raise InputError("a row of a grid that cannot be read", *cells.location)
            yield cells
        except InputError as error:
            options.refuse(error)
