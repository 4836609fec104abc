"""Cells of puzzles as a source writes them, and how a source is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

from antdoku.errors import InputError, at_line, several
from antdoku.puzzle.grid import ORDERS
from antdoku.puzzle.symbols import BLANKS, CHARACTERS, Symbols, symbols_of

# Columns of tables, and keys of JSON; the first that a record has counts.
NAMES = ("instance_id", "id", "name")
PUZZLES = ("puzzle", "quizzes")  # the latter on Kaggle
OTHER_PUZZLES = {"board", "grid", "question", "quiz", "sudoku"}  # if one of them is there
Skip = Callable[[InputError], object]  # gets the error of each line or row that is skipped
ORDER_OF_CELLS = {order**4: order for order in ORDERS}
ORDER_OF_SIZE = {order**2: order for order in ORDERS}
SIZES = {*ORDER_OF_SIZE, *ORDER_OF_CELLS}  # of rows and puzzles
WORDS = {order**4 for order in CHARACTERS if order > 2}  # cells that no row of a grid has
TITLE = "title"  # a gap: a row below it belongs to another puzzle than the row above it
BLANK_SIGNS = {*BLANKS}
EMPTY = "an empty cell beside other blanks: write all blanks alike; is a cell missing?"


def is_complete(signs: Sequence[str]) -> bool:
    """Whether no cell is blank: each has a letter, or a number but 0."""
    return BLANK_SIGNS.isdisjoint(signs) and all(map(str.isalnum, signs))


def wrong_number(n_cells: int) -> str:
    """Return a text on a wrong number of cells: how many 9x9, and a size that is nearer, have."""
    sizes = [size for size in ORDER_OF_SIZE if size <= 36 or n_cells > 36**2]
    off = {size: min(abs(size - n_cells), abs(size**2 - n_cells)) for size in sizes}
    sizes = [9, *(size for size in off if off[size] == min(off.values()) < off[9])]
    counts = [f"a {size}x{size} puzzle has {size**2}, a row of it {size}" for size in sizes]
    return f"{several(n_cells, 'cell')}: {'; '.join(counts)}"


class Location(NamedTuple):
    """Where a puzzle stands: a file or an argument, and its line or row."""

    source: str
    line: int | str | None = None

    def __str__(self):
        return at_line(*self)


class Cells(NamedTuple):
    """The cells of a puzzle or a row: characters, or a list of numbers or of characters."""

    location: Location
    signs: str | list[str]
    name: str = ""
    from_one: bool = False  # whether the form says that numbers count from 1
    symbols: str = ""  # that the record names
    solution: str | list[str] = ""  # that stands beside the puzzle
    gap: str = ""  # a "blank line", a "rule" or a "title" above a row

    @property
    def order(self) -> int:
        """Order of the puzzle."""
        return isqrt(isqrt(len(self.signs)))

    @property
    def are_numbers(self) -> bool:
        """Whether the cells are numbers: they stand apart, and no letter stands among them."""
        if isinstance(self.signs, str):
            return False
        has_letter = any(map(str.isalpha, self.signs))
        return not has_letter or any(sign.isdecimal() and int(sign) > 9 for sign in self.signs)

    @property
    def form(self) -> tuple:
        """What the puzzles have in common that are in the same symbols."""
        return self.order, self.are_numbers, self.from_one, self.symbols


@dataclass(frozen=True)
class Options:
    """How puzzles are read.

    Parameters
    ----------
    symbols : str, optional
        Their symbols, where a source may be in several; of several orders with spaces between.
    rules : bool
        Whether a puzzle with a value twice in a unit is refused.
    column : str
        ``puzzle``; ``solution``: solutions are read in place of the puzzles beside which they
        stand; or ``both``.
    skip : function, optional
        Gets the error of each line or row that cannot be read. By default, the first such line is
        refused.
    named : str
        The name of the column of puzzles; if it is empty, the usual names.
    """

    symbols: str | None = None
    rules: bool = True
    column: str = "puzzle"
    skip: Skip | None = None
    named: str = ""

    def __post_init__(self):
        for name, text in {"symbols": self.symbols, "column": self.named}.items():
            if not isinstance(text, str | None):
                raise InputError(f"{name} {text!r}: must be a text")
        if self.skip is not None and not callable(self.skip):
            raise InputError(f"skip {self.skip!r}: must be a function, which gets each error")

    @property
    def chosen(self) -> dict[int, Symbols]:
        """The symbols that are named, by their order."""
        names = (self.symbols or "").replace(",", " ").split()
        return {symbols.order: symbols for symbols in map(symbols_of, names)}

    def refuse(self, error: InputError) -> None:
        """Pass the error to `skip`, or raise it."""
        if self.skip is None:
            raise error
        self.skip(error)


DEFAULT = Options()
