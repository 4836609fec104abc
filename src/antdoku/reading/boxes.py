"""Rows of boxes with bars between, whose cells stand in columns of a fixed width.

Where blanks are spaces, the columns tell the cells. They are the same in all rows with bars at the
same places: a row with few values does not decide alone.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from antdoku.puzzle.symbols import ORDERS
from antdoku.reading.cells import SIZES

FRAMED = re.compile(r"\s*\|(.*)\|\s*")
WIDTHS = (*product((1, 2, 3, 4), (0, 1)),)  # of a cell with its gap, and of a gap before the first


class Columns(NamedTuple):
    """The columns of drawings: `WIDTHS` by the widths of boxes.

    Most rows may have bars at both ends, and blanks may be spaces.
    """

    are_framed: bool
    widths: dict[tuple[int, ...], tuple[int, int]]
    have_spaces: bool

    def lack(self, n_boxes: int) -> bool:
        """Whether rows have bars at both ends, and no drawing has so many boxes in a row."""
        numbers = {*map(len, self.widths)}
        return self.are_framed and bool(numbers) and n_boxes not in numbers

    def cells_of(self, line: str) -> list[str]:
        """Return the cells of a row in the columns of a drawing; none if it does not fit them."""
        boxes = boxes_of(line, self.are_framed)
        widths = self.widths.get(tuple(map(len, boxes)))
        return cells_in(boxes, widths) if widths else []


def boxes_of(line: str, are_framed: bool) -> list[str]:
    """Return the parts of a line between bars."""
    framed = FRAMED.fullmatch(line) if are_framed else None
    return (framed[1] if framed else line).split("|")


def columns_of(lines: Iterable[str]) -> Columns:
    """Return the columns of drawings that have more than half of the rows of a grid."""
    drawings, lines = defaultdict(list), list(lines)
    are_framed = 2 * sum(map(bool, map(FRAMED.fullmatch, lines))) > len(lines)
    for boxes in (boxes_of(line, are_framed) for line in lines):
        if len(boxes) in ORDERS:
            drawings[tuple(map(len, boxes))].append(boxes)
    columns, have_spaces = {}, False
    for bars, drawing in drawings.items():
        readings = {
            widths: [*filter(None, (cells_in(boxes, widths) for boxes in drawing))]
            for widths in WIDTHS
        }
        widths = max(WIDTHS, key=lambda widths: len(readings[widths]))
        is_grid = 2 * len(readings[widths]) > len(bars) ** 2
        if is_grid and not _are_single(readings[widths], len(bars)):
            columns[bars] = widths
            have_spaces |= any("" in row for row in readings[widths])
    return Columns(are_framed, columns, have_spaces)


def _are_single(rows, order):
    """Whether bars stand between all cells: each box has at most a value, all at one place."""
    values = [(row, at) for row, cells in enumerate(rows) for at, cell in enumerate(cells) if cell]
    boxes, places = {(row, at // order) for row, at in values}, {at % order for _, at in values}
    is_sparse = len(values) < len(rows) >= order**2  # a large grid, nearly empty
    may_be_cells = not is_sparse and not SIZES.isdisjoint((order, order - 1))
    return may_be_cells and len(boxes) == len(values) and len(places) == 1


def cells_in(boxes: list[str], widths: tuple[int, int]) -> list[str]:
    """Return the cells of boxes in columns; none if a box does not fit them."""
    (step, start), n, row = widths, len(boxes), []
    for box in boxes:
        cells = [box[start + step * at : start + step * (at + 1)].split() for at in range(n)]
        is_wide = start + step * (n - 1) < len(box) <= start + step * n
        are_whole = step == 1 or sum(map(len, cells)) == len(box.split())
        if not is_wide or box[:start].strip() or max(map(len, cells)) > 1 or not are_whole:
            return []
        row += ["".join(cell) for cell in cells]
    return row
