"""Puzzles in a text: plain lines as they come, others together."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from antdoku.errors import InputError, quote
from antdoku.reading.batches import Batch
from antdoku.reading.cells import WORDS, Cells, Location, Options
from antdoku.reading.files import decoded
from antdoku.reading.fitting import batches_of, lone_solution
from antdoku.reading.lines import (
    FENCE,
    LINE_END,
    NAMED_SYMBOLS,
    NUMBERED,
    RULE,
    among_lines,
    check_comments,
    check_number,
    content_of,
    find_cells,
    most_above,
    note_empty_lines,
)
from antdoku.reading.plain import BATCH, CELLS, plain_batch, plain_grids

NUMBER = re.compile(rb"\d{1,7}\s*")  # of puzzles, in the first line
PLAIN_LINES = re.compile(rb"((?:^[0-9.*]{81}\r?\n)++)", re.MULTILINE)
PAIR = re.compile(rb"[0-9.*]{81}[ \t,;|:=]+[0-9.*]{81}(?![0-9.*])")  # a puzzle and its solution
# A title, a section, a name or a solution.
LEADS = re.compile(
    rb"^[\s*(-]*(?:\[|#D|#\s*symbols|[a-z])|" + PAIR.pattern, re.MULTILINE | re.IGNORECASE
)


def text_parts(head, stream, source, options) -> Iterator[Batch]:
    """Yield plain lines as they come; others together, from the first of them to a plain line."""
    text = Text(source, options)
    for lines, are_plain in _pieces(head, stream, bool(options.symbols or options.named)):
        yield from text.counted(text.parts(lines, are_plain))
    yield from text.counted(text.end())
    text.check_number()


def _pieces(head, stream, is_whole) -> Iterator[tuple[bytes, bool]]:
    """Yield lines of a stream, and whether they are plain; all as they are if `is_whole`."""
    is_file = stream.seekable()  # a pipe may bring its first line long before the next one
    read = stream.read if is_file else stream.read1
    head += read(BATCH * (CELLS + 1)) if is_file else b""
    for block in chain([head], iter(lambda: read(BATCH * (CELLS + 1)), b"")):
        block += b"" if block.endswith(b"\n") else stream.readline()
        block += b"" if block.endswith(b"\n") else b"\n"  # the last line
        pieces = [block] if is_whole else PLAIN_LINES.split(block)
        yield from ((lines, at % 2 == 1) for at, lines in enumerate(pieces))


class Text:
    """What has been read of a text: lines that wait for a plain line, and what stands above it."""

    def __init__(self, source: str, options: Options):
        self.source, self.options = source, options
        self.waiting, self.first = b"", 1  # other lines, and the number of their first one
        self.number = 1  # of the next line
        self.has_title = False
        self.n_taken, self.number_above = 0, 0  # puzzles, and how many they are by the first line
        self.first_complete = 0  # the number of the first line that is a complete grid
        self.n_above = 0  # plain lines right above
        self.n_plain, self.gaps = 0, Counter[int]()  # empty lines by the plain lines above

    def parts(self, lines: bytes, are_plain: bool) -> Iterator[Batch]:
        """Yield the puzzles of plain lines, with others above them; let other lines wait."""
        if are_plain and not self.n_taken and NUMBER.fullmatch(self.waiting):
            self.number_above, self.waiting = int(self.waiting), b""
        title = self._title()
        # What belongs to the lines must stay with them.
        is_alone = title or not LEADS.search(self.waiting)
        grids = plain_grids(lines) if are_plain and is_alone else None
        if grids is None:
            self.first = self.first if self.waiting else self.number
            self.waiting += lines
        else:
            yield from self._parts_above(title)
            self.n_above = len(grids) if self.waiting else self.n_above + len(grids)
            self.waiting, self.has_title = b"", self.has_title or bool(title)
            names = [title, *[""] * (len(grids) - 1)] if title else None
            batch = plain_batch(grids, self.source, "", self.number, self.options, names)
            yield batch
            self.n_plain += len(grids)
            are_complete = batch.grids.all(axis=1)
            if are_complete.any() and not self.first_complete:
                self.first_complete = int(batch.numbers[are_complete][0])
        self.number += lines.count(b"\n")

    def end(self) -> Iterator[Batch]:
        """Yield the puzzles of the last lines.

        Empty lines between plain lines are said, as no line of an output stands for them.
        """
        gaps = self.gaps
        if gaps and (gaps.total() == 1 or len(gaps) > 1 or self.n_plain > min(gaps)):
            note_empty_lines(gaps.total(), self.source)
        if self.first_complete and PAIR.search(self.waiting):
            self.options.refuse(lone_solution(Location(self.source, self.first_complete)))
        yield from _other_lines(self.waiting, self.source, self.first, self.options)

    def counted(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """Yield batches, and count their puzzles."""
        for batch in batches:
            self.n_taken += len(batch)
            yield batch

    def check_number(self) -> None:
        """Refuse a number in the first line that is not how many puzzles there are."""
        if self.number_above and not self.options.skip:
            check_number(self.number_above, self.n_taken, 3, Location(self.source, 1))

    def _parts_above(self, title) -> Iterator[Batch]:
        """Yield the puzzles of the lines above plain lines, which hold none if they are a title."""
        if self.waiting.isspace() and self.n_plain:
            self.gaps[self.n_plain] += self.waiting.count(b"\n")
            self.n_plain = 0
        if not title:
            yield from _other_lines(self.waiting, self.source, self.first, self.options)

    def _title(self) -> str:
        """Return the name in the only line that waits and is not empty, if it is a title.

        The first title is refused below several plain lines: it may stand for a missing puzzle.
        """
        text = self.waiting.decode("latin-1").strip() if len(self.waiting) < CELLS else ""
        match = NUMBERED.fullmatch(text) if LINE_END.search(text) is None else None
        if not match:
            return ""
        is_right_below = self.n_above >= most_above(match[1]) and self.waiting.count(b"\n") == 1
        if is_right_below and not self.has_title:
            self.options.refuse(among_lines(match[1], self.source, self.number - 1))
            self.waiting = b""
            return ""
        return match[1]


def _other_lines(data, source, first, options) -> list[Batch]:
    """Return the puzzles of lines that are not plain, if there is more than comments."""
    text = decoded(data, source)
    lines = [line for line in LINE_END.split(text) if not FENCE.fullmatch(line)]
    contents = filter(None, map(content_of, lines))
    is_empty = all(map(RULE.fullmatch, contents))
    try:
        if is_empty:
            check_comments(text, source, options, first)
            return []
        return text_batches(text, source, options, first)
    except InputError as error:
        is_utf8 = data.decode(errors="replace") == text
        remedy = error.remedy or (None if is_utf8 else "it is not UTF-8: save it as UTF-8")
        raise InputError(error.what, error.place, error.line, remedy) from None


def text_batches(text: str, source: str, options: Options, first: int = 1) -> list[Batch]:
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
            check_comments(line, source, options, number)
            continue
        try:
            cells, *_ = find_cells(line, source, options, number)
            if len(cells.signs) not in WORDS or not isinstance(cells.signs, str):
                raise InputError("a row of a grid that cannot be read", *cells.location)
            yield cells
        except InputError as error:
            options.refuse(error)
