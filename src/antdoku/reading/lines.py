"""The lines of a text: rows of cells, puzzles, titles, rules and comments.

``#`` and ``//`` begin a comment; ``# symbols: 1-G`` names the symbols. A line such as ``Grid 01``,
``#D name``, ``Puzzle 1 (hard)`` or ``Medium, for Sunday`` names the next puzzle; the number of
puzzles, or their size, may stand at the top. Words without a number are a title at the top, below
an empty line, or above each puzzle, or end in a colon; others among lines of puzzles are refused,
as they may stand for a missing one. Of files of SadMan Sudoku (``.sdk``), the section ``[Puzzle]``
counts.
"""

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from math import isqrt
from string import ascii_uppercase

from antdoku.errors import InputError, quote, several
from antdoku.puzzle.symbols import CHARACTERS
from antdoku.reading.boxes import columns_of
from antdoku.reading.brackets import rows_of_arrays
from antdoku.reading.cells import (
    NAMES,
    ORDER_OF_CELLS,
    ORDER_OF_SIZE,
    PUZZLES,
    SIZES,
    TITLE,
    WORDS,
    Cells,
    Location,
    Options,
    is_complete,
)
from antdoku.reading.labels import (
    NUMBER,
    SEPARATORS,
    are_types,
    check_row_by_row,
    column_names,
    numbered_columns,
)
from antdoku.reading.rows import split_rows
from antdoku.reading.words import (
    FIELD,
    NUMBERED,
    SIZES_IN_TEXT,
    cells_of_line,
    may_be_puzzle,
    word_of,
)

LINE_END = re.compile(r"\r\n?|\n")  # str.splitlines knows more than editors do
LONGEST_LINE = 2**20  # characters, ten times as long as a 100x100 puzzle
QUOTED = re.compile(r"\"[^\"]*\"")
TEXT_OF_JSON = re.compile(r"\"\s*:\s*\"|\"\s*\}")  # its begin behind a key, or its end
# A # begins a comment, unless it is the blank of a puzzle in one word, which may have lost some
# cells, or stands in a title: Puzzle #1.
COMMENT = re.compile(
    r"(?<!\S)(?<![A-Za-z]\s(?=#\d))#(?!\S{80}$|(?:(?=#*\d)[\d#]{70,88}|[\w#]{255}|[\w#]{624})"
    r"(?![\w#])).*|(?<!:)(?<!http)(?<!https)//.*"
    # An array in a comment of MiniZinc, Matlab, Lua, SQL or Fortran; no row has brackets.
    r"|^\s*(?:%+|--|!|REM)\s.*[\[{(].*"
    r"|^\s*\"?sep=.?\"?\s*$"  # of Excel
    r"|^\s*\[\d+\](?!\S)|(?<!\S)\[(?:\d+,|,\d+)\](?!\S)"  # labels of R
    # Above or below what a database, pandas, Polars, Julia or Matlab prints.
    r"|^\W*\d+ rows?(?:\)| in set\b.*|(?: x)?\s+\d+ columns)\W*$|^Time: [\d.,]+ ms\b.*"
    r"|^(?:Name: .*)?\bdtype: \w+$"
    r"|^shape: \(.*\)$|^\d+[x×]\d+ (?:Matrix|DataFrame)\b.*|^[A-Za-z]\w* =\s*$"
    r"|^\s*[-<>] (?=\S{2,}\s*$)"  # before a row: a list of YAML, a quotation, a difference
)
# How many rows a database, pandas or Polars has printed.
ROW_COUNT = re.compile(
    r"^(?:[^\w\n]*(\d+) rows?(?:\)| in set\b.*|(?: x)? +\d+ columns)[^\w\n]*"
    r"|shape: \((\d+), \d+\))$",
    re.MULTILINE,
)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NAMED_SYMBOLS = re.compile(r"^\s*#\s*symbols:?\s+(\S.*?)\s*$", re.MULTILINE | re.IGNORECASE)
SECTION = re.compile(r"\s*\[([A-Za-z]\w*)\]\s*")
TITLED = re.compile("grid|puzzle|sudoku", re.IGNORECASE)
# Up to 60 characters of words without digits, one of three letters or more.
HEADING = re.compile(
    r"(?!.{61})(?=.*[^\W\d_]{3})(?:(?:[-|>&]|\(?[^\W\d_]+(?:['’][^\W\d_]+)?[),.:;!?]*)(?:\s+|$))+"
)
# The same with one to three numbers, such as ``[hard 1]`` or ``P01``.
WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*[-_.#]?\d{0,5}"
NUMBERED_HEADING = re.compile(
    r"(?!.{61})(?=.*[^\W\d_][^\W_])(?=.*\d)(?!(?:\D*\d++){4})(?!(?i:[\s\d]|none|null|na|nan)+$)"
    rf"(?:(?:[-=*|>&]+|[-#*_\[(\"']*(?:{WORD}|\d{{1,5}}(?:\.\d+)?)[\])\"'*_,:;!?%]*\.?)(?:\s+|$))+"
)
DESCRIPTION = re.compile(r"#D[ \t]+(\S.*?)\s*")  # of SadMan Sudoku
HASHED = re.compile(r"#+[0-9A-Z][0-9A-Z#]*#[0-9A-Z#]*")  # a row of # and values; no heading, ## 12
FENCE = re.compile(  # of Markdown, or quotes of Python, around a grid
    r"\s*(?:```\s*(?:[A-Za-z]\w{,14})?|(?:[A-Za-z_]\w*\s*=\s*)?(?:\"\"\"|''')[),;]*)\s*"
)
A_RECORD = re.compile(r"\s*\{\s*\"[^\"]*\"\s*:.*\}\s*")  # of lines of JSON
NO_TEXT = re.compile(r"\s*(?:\"\"|'')[,;]?\s*")  # quotes with nothing between
RULE = re.compile(
    r"(?=.*(?:[-=]{3}|:-+:|\|\s*-{2,}\s*\||[+\u2500-\u257f]))[-=+*|:.'\s\u2500-\u257f]+"
)
BARS = str.maketrans(dict.fromkeys("│┃║┆", "|") | dict.fromkeys("\u200b\ufeff", ""))
PUZZLE = "puzzle"  # the section that is read
SECTIONS = (PUZZLE, "state")  # without one of them a word in brackets is a title
PLAIN_SIGNS = {*"0123456789."}
HINTS = {  # remedies for texts that are not read, by a sign of their form
    r"\\begin\b|&[^&\n]*\\\\": "of LaTeX, write the cells alone, with spaces between",
    r"</?(?:table|t[dhr]|div|p|pre|br|span|row|cell)\b|&[a-z]+;": "of HTML, write the cells alone",
    r"^-\[ RECORD|^\*+ \d+\. row": "of a database, print a row a line, without \\x or \\G",
    r"\w: *[|>][-+]? *$": "of YAML, write the puzzles alone, each below one title",
    r"^[│|](?:.*[│|])? *[\d.*_?-]{10,80} *[│|]$|^\S+ +[\d.*_?-]{60} *$": (
        "are cells wrapped? print each in one line"
    ),
    "\ufffd|[\u0080-\u00ff]{2}": "write the file in UTF-8",
    r"^named:|^(?=[\w/-]*[a-z])[\w/-]++\.[a-z]{2,7}$": (
        "if it is the name of a file, read files and texts one by one"
    ),
    r"^[\d |]*#[\d |]*#[\d #|]*$": "# begins a comment: write dots",
    r"^(?=.{5,19}$)[1-9 ]*  [1-9 ]*$": "are blanks spaces? write dots",
    r"(?<!\S)\S{44,47}\.{3}(?!\S)": "pandas cuts texts: set display.max_colwidth to None",
}


logger = logging.getLogger("antdoku")


def find_cells(text: str, source: str, options: Options, first: int = 1) -> list[Cells]:
    """Return the cells of all puzzles in a text, whose first line has the number `first`.

    `InputError` if there is no puzzle in it, or something that is no puzzle.
    """
    if len(text) > LONGEST_LINE:
        _check_lengths(text, source, first)
    _check_braces(text, source, first)
    if "/*" in text:
        text = BLOCK_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    try:
        rows = list(_rows(LINE_END.split(text), source, first))
        number = _number_above(rows)
        grids = list(split_rows(rows, options.chosen.keys()))
    except InputError as error:
        hints = (hint for pattern, hint in HINTS.items() if re.search(pattern, text, re.MULTILINE))
        remedy = error.remedy or next(hints, None)
        raise InputError(error.what, error.place, error.line, remedy) from None
    if not grids:
        has_section = any(map(SECTION.fullmatch, LINE_END.split(text)))
        remedy = "the only section that is read is [Puzzle]" if has_section else None
        raise InputError("there is no puzzle in it", source, remedy=remedy)
    check_row_count(
        text, {len(grids), len(rows), len(rows) - 1}, several(len(grids), "puzzle"), source
    )
    if len({cells.order for cells in grids}) > 1:
        _check_separators(grids)
    if number:
        are_lines = len(rows) == len(grids)
        check_number(int(number.signs[0]), len(grids), grids[0].order, number.location, are_lines)
    return grids


def _check_lengths(text, source, first):
    """Refuse a line that is longer than a puzzle, and no array."""
    for number, line in enumerate(LINE_END.split(text), first):
        if len(line) > LONGEST_LINE and not {*"[{("} & {*line}:
            message = f"{len(line)} characters in a line: are line ends lost?"
            raise InputError(message, source, number)


def _check_braces(text, source, first):
    """Refuse an object of JSON whose beginning is cut off, perhaps with its puzzle."""
    n_open = 0
    for number, line in enumerate(LINE_END.split(text) if TEXT_OF_JSON.search(text) else [], first):
        line = QUOTED.sub("", line)
        n_open += line.count("{") - line.count("}")
        if n_open < 0:
            message = "a brace is closed that was not opened: is the beginning cut off?"
            raise InputError(message, source, number)


def check_row_count(text: str, numbers: set[int], what: str, source: str) -> None:
    """Refuse a text that says how many rows it has, if that is none of the `numbers`."""
    for match in ROW_COUNT.finditer(text):
        if int(match[1] or match[2]) not in numbers:
            message = f"{what}, where it says {match[0].strip(' │')}"
            raise InputError(message, source, remedy="is a row missing?")


def _check_separators(grids):
    """Refuse a 4x4 puzzle of one sign among larger ones, unless that is the usual blank, . or 0.

    It is a line between them, perhaps.
    """
    for cells in grids:
        is_text = cells.order == 2 and isinstance(cells.signs, str)
        if is_text and len({*cells.signs}) == 1 and cells.signs[0] not in ".0":
            message = f"{quote(''.join(cells.signs))} is a 4x4 puzzle without values"
            raise InputError(message, *cells.location, remedy="separate puzzles by dashes")


def check_number(
    number: int, n_puzzles: int, order: int, location: Location, are_lines: bool = True
) -> None:
    """Refuse a number above puzzles that is neither how many they are nor their size.

    Above several puzzles in a line each it is no size.
    """
    sizes = () if are_lines and n_puzzles > 1 else (order, order**2)
    if number not in (n_puzzles, *sizes):
        puzzles = several(n_puzzles, "puzzle")
        raise InputError(f"{number} above {puzzles}: must be their number or size", *location)


def _number_above(rows) -> Cells | None:
    """Take away the first row if it is a whole number, once or twice, and the next is longer."""
    widths = [len(row.signs) for row in rows[:2]]
    is_size = len(widths) == 2 and widths[0] <= 2 < widths[1] and len({*rows[0].signs}) == 1
    return rows.pop(0) if is_size and rows[0].signs[0].isdecimal() else None


def _rows(lines, source, first) -> Iterator[Cells]:
    """Yield rows, and puzzles that are a field of a line, each with the gap or title above it."""
    locations = [Location(source, number) for number in range(first, first + len(lines))]
    contents = [COMMENT.sub("", line).translate(BARS) for line in lines]
    if rows := rows_of_arrays("\n".join(contents), locations):
        yield from rows
        return
    above = Above(contents, n_puzzles=2 if first > 1 else 0)
    letters = {*filter(str.isalpha, "".join(filter(_may_be_letters, contents)))}
    alike = _letters_by_length(contents)
    for raw, line, location in zip(lines, contents, locations):
        n_above, above.n_puzzles = above.n_puzzles, 0
        if A_RECORD.fullmatch(line):
            raise InputError("JSON below other lines: is the first line damaged?", *location)
        if header := SECTION.fullmatch(line):
            above.begin_section(header[1], location)
        elif above.is_left_out(line) or above.names_columns(line, location):
            continue
        elif FENCE.fullmatch(line):
            above.separate(TITLE)
        elif not above.columns.cells_of(line) and (
            title := _title(raw, line, above.name, letters, alike)
        ):
            above.begin_puzzle(title, location, n_above, raw)
        elif NO_TEXT.fullmatch(line):
            raise InputError("the puzzle is empty", *location)
        elif raw.strip() and not line.strip():  # a comment alone
            _check_comment(raw, location)
        elif word := word_of(line, location, above.to_name):
            above.n_puzzles = n_above + 1
            _check_merged(raw, location)
            yield above.take(word)
        elif not line.strip() or RULE.fullmatch(line):
            above.separate("rule" if line.strip() else "blank line")
        else:
            yield above.take(_row(line, location, above))
    above.refuse_open_title()


def _row(line, location, above) -> Cells:
    if above.columns.are_framed and line.strip().startswith("|") != line.strip().endswith("|"):
        raise InputError("a row without one of its outer bars: is it cut?", *location)
    return Cells(location, cells_of_line(line, location, above.columns))


class Above:
    """What stands above the next row of a text: a section, a title, names of columns, a gap."""

    def __init__(self, contents: list[str], n_puzzles: int):
        headers = filter(None, map(SECTION.fullmatch, contents))
        self.has_sections = any(header[1].lower() in SECTIONS for header in headers)
        self.columns = columns_of(
            line for line in contents if "|" in line and not RULE.fullmatch(line)
        )
        self.section = PUZZLE
        self.name = ""
        self.gap = ""
        self.open_title = ""  # above no puzzle yet
        self.open_names = ""  # of columns, below puzzles and above none yet
        self.n_taken = 0  # rows and puzzles
        self.headings: set[str] = set()
        self.to_name = 0  # fields from the name of a puzzle to the puzzle, as names of columns tell
        self.n_puzzles = n_puzzles  # of a line each, that stand right above

    def take(self, cells: Cells) -> Cells:
        """Return the next row or puzzle with its name and gap, which end with it."""
        if cells.name and _stem(cells.name) == _stem(self.open_title):
            self.refuse_open_title()
        cells = cells._replace(name=cells.name or self.name, gap=self.gap)
        self.name = self.gap = self.open_title = self.open_names = ""
        self.n_taken += 1
        return cells

    def separate(self, gap: str) -> None:
        """Note a rule or a blank line; a title stays one."""
        self.gap = TITLE if self.gap == TITLE else gap

    def begin_section(self, name: str, location: Location) -> None:
        """Note the header of a section; without sections it is a title."""
        if self.open_title and self.n_taken:
            self.refuse_open_title()
        self.section, self.gap, self.location = name.lower(), TITLE, location
        self.name = self.open_title = "" if self.has_sections else name

    def is_left_out(self, line: str) -> bool:
        """Whether a line stands in another section, or holds types of columns below a title."""
        is_elsewhere = self.has_sections and self.section != PUZZLE
        return is_elsewhere or (self.gap == TITLE and are_types(line))

    def names_columns(self, line: str, location: Location) -> bool:
        """Whether a line names columns of cells, or of puzzles and their names."""
        if columns := numbered_columns(line):
            check_row_by_row(columns, *location)
        elif names := column_names(line):
            is_one = len(names) == 1
            self.to_name = 0 if is_one else _first_of(PUZZLES, names) - _first_of(NAMES, names)
        else:
            return False
        self.gap, self.location = TITLE, location
        self.open_names = line.strip() if self.n_taken else ""
        return True

    def begin_puzzle(self, title: str, location: Location, n_above: int, line: str) -> None:
        """Note the title of the next puzzle, with `n_above` puzzles right above it.

        A title stands at the top, below a gap, or above all puzzles, or ends in a colon. One with
        a number may stand below one puzzle, or in all other places if a title stands above.
        """
        if not DESCRIPTION.fullmatch(line):
            is_new = bool(self.headings) and title not in self.headings
            if NUMBER.search(title):
                is_new = is_new or min(n_above, self.n_taken) < most_above(title)
            if n_above > bool(self.headings) and not (is_new or title.endswith(":")):
                raise among_lines(title, *location)
            if _stem(title) == _stem(self.open_title):
                self.refuse_open_title()
            self.headings.add(title)
            self.open_title = title
        self.name, self.gap, self.location = title.rstrip(":"), TITLE, location

    def refuse_open_title(self) -> None:
        """Refuse a title, if there is one above no puzzle: it may stand for a missing puzzle."""
        if title := self.open_title or self.open_names:
            message = f"{quote(title)} is no puzzle, nor stands above one"
            raise InputError(message, *self.location)


def note_empty_lines(number: int, source: str) -> None:
    """Say how many empty lines stand between puzzles, if there are some."""
    if number:
        text = "an empty line stands" if number == 1 else f"{number} empty lines stand"
        logger.info("%s: %s between puzzles, without a line in the output", source, text)


def most_above(title: str) -> int:
    """Return from how many lines of puzzles on the first title below them may be a lost puzzle."""
    return 2 if TITLED.match(title) else 1


def among_lines(title: str, source: str, number: int) -> InputError:
    """Return the error of a title among lines of puzzles, which may stand for a missing puzzle."""
    message = f"{quote(title)} among lines of puzzles is no puzzle"
    return InputError(message, source, number, remedy="write a blank line above a title")


def _stem(title):
    """Return the words before the number in a title: ``grid`` of Grid 05."""
    return NUMBER.split(title)[0].strip(" :#.-*=").lower()


def _first_of(known, names):
    return next(at for at, name in enumerate(names) if name in known)


def check_comments(text: str, source: str, options: Options, first: int) -> None:
    """Refuse comments alone in a line that hold a puzzle: perhaps a line end is lost."""
    for number, line in enumerate(LINE_END.split(text), first):
        try:
            if line.strip() and not content_of(line):
                _check_comment(line, Location(source, number))
        except InputError as error:
            options.refuse(error)


def _check_comment(line, location):
    """Refuse a comment that looks like a row whose blanks are #, or has a puzzle behind a word.

    It is said if the comment holds another puzzle.
    """
    puzzles = _puzzles_in(line)
    if any(lead[-1:].isalnum() for lead, _ in puzzles):
        raise InputError("a comment ends in a puzzle: is a line end lost?", *location)
    if puzzles:
        logger.info("%s: a comment holds a puzzle, which is not read", location)
    signs = SEPARATORS.sub("", line)
    if len(signs) in ORDER_OF_SIZE and HASHED.fullmatch(signs):
        raise InputError("# begins a comment", *location, remedy="write a dot for a blank")


def _check_merged(line, location):
    """Refuse a line whose comment, behind a puzzle, holds another one with blanks."""
    comments = " ".join(COMMENT.findall(line))
    if not all(is_complete(puzzle) for _, puzzle in _puzzles_in(comments)):
        raise InputError("a comment behind a puzzle holds a puzzle: is a line end lost?", *location)


def _puzzles_in(comment) -> list[tuple[str, str]]:
    """Return the puzzles in which words of a comment end, each behind the rest of its word."""
    words = [word for word in FIELD.findall(comment) if len(word) >= min(WORDS)]
    sizes = [max(size for size in WORDS if size <= len(word)) for word in words]
    ends = [(word[:-size], word[-size:]) for word, size in zip(words, sizes)]
    return [(lead, puzzle) for lead, puzzle in ends if may_be_puzzle(puzzle)]


def _letters_by_length(lines) -> dict[int, Counter[str]]:
    """Return in how many different lines each letter stands, by the number of their signs."""
    letters: dict[int, Counter[str]] = defaultdict(Counter)
    for signs in {SEPARATORS.sub("", line).upper() for line in lines}:
        letters[len(signs)].update({"", *filter(str.isalpha, signs)})  # "": of the lines
    return letters


def _may_be_row(text, alike):
    """Whether words may be a row: there are others as long, and their letters may be cells."""
    signs, size = "".join(text.split()).upper(), len("".join(text.split()))
    if size not in SIZES or len({*map(len, text.split())}) > 1 or text.endswith(":"):
        return False
    is_alone = alike[size][""] == 1 and size not in ORDER_OF_CELLS
    are_others = all(alike[size][letter] > 1 for letter in filter(str.isalpha, signs))
    return not is_alone and (are_others or _may_be_letters(text))


def _title(raw, line, title, letters, alike) -> str:
    """Return the name of the next puzzle if a line holds one, or else an empty text.

    A word and a number always are. Other words may be a title if they are no row, and no `title`
    is above them; below a title without a number, words with one may be. Numbers may stand among
    the words if one of their letters is no cell, as the `letters` of all rows tell.
    """
    if match := DESCRIPTION.fullmatch(raw) or NUMBERED.fullmatch(raw):
        return match[1]
    text = " ".join(line.split())
    is_second = title and (NUMBER.search(title) or not NUMBER.search(text))
    if is_second and _stem(title) != _stem(text):
        return ""
    has_other = not {*filter(str.isalpha, text)} <= letters
    if not HEADING.fullmatch(text) and not (has_other and NUMBERED_HEADING.fullmatch(text)):
        return ""
    # A 4x4 puzzle in a line that has lost a cell has 15 signs, and four letters.
    n_signs = sum(map(len, text.split()))
    is_cut = n_signs > 11 and len({*filter(str.isalpha, text.lower())}) <= 4
    return "" if is_cut or _may_be_row(text, alike) else text.lstrip("*=- ").rstrip("*=,;| ")


def _may_be_letters(line):
    """Whether a line may be a row, or a puzzle, whose cells are letters."""
    signs = SEPARATORS.sub("", line).upper()
    size = len(signs) if len(signs) <= max(CHARACTERS) ** 2 else isqrt(len(signs))
    letters = {*filter(str.isalpha, signs)}
    return len(signs) in SIZES_IN_TEXT and letters <= {*ascii_uppercase[:size]}


def content_of(line: str) -> str:
    """Return a line without comments and the spaces around it."""
    return COMMENT.sub("", line).strip()
