"""Grids with boxes: as text for terminals, as HTML for notebooks."""

import numpy as np

from antdoku.puzzle.symbols import numbers

UNICODE_FRAME = ("│", "─", "┌┬┐", "├┼┤", "└┴┘")
ASCII_FRAME = ("|", "-", "+++", "+++", "+++")
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"

# Two classes and the tag, to win against the stripes of notebooks; the order is in one of them, as
# a page may show several. The blue has a contrast of 4.2 at least on white and on #111.
STYLE = """<style>
table.antdoku.order{n} {{border-collapse: collapse; border: 2px solid;
  font-size: 1rem; width: auto}}
table.antdoku.order{n} tr {{background: none}}
table.antdoku.order{n} td {{width: 1.7em; height: 1.7em; padding: 0; text-align: center;
  border: 1px solid #8888}}
table.antdoku.order{n} td:nth-child({n}n) {{border-right: 2px solid}}
table.antdoku.order{n} tr:nth-child({n}n) td {{border-bottom: 2px solid}}
table.antdoku.order{n} i {{font-style: normal; color: #2b7cc0}}
</style>"""


def draw(puzzle, values, frame: tuple[str, ...] = UNICODE_FRAME, bold: bool = True) -> str:
    """Draw c values in the symbols of a puzzle as a grid with boxes, the givens bold, 0 as a dot.

    A frame has a vertical and a horizontal line, and corners at the top, between boxes and below.
    """
    vertical, horizontal, *corners = frame
    order, size = puzzle.order, puzzle.size
    width = len((puzzle.symbols or numbers(order)).signs[-1])
    cells = [
        f"{BOLD}{sign:>{width}}{PLAIN}" if given and bold else f"{sign:>{width}}"
        for sign, given in _signs(puzzle, values, ".")
    ]
    boxes = [" ".join(["", *box, ""]) for box in np.reshape(cells, (-1, order))]
    rows = [vertical.join(["", *row, ""]) for row in np.reshape(boxes, (size, order))]
    side = horizontal * (order * (width + 1) + 1)
    top, middle, bottom = (left + mid.join([side] * order) + right for left, mid, right in corners)
    bands = map("\n".join, np.reshape(rows, (order, order)))
    return "\n".join([top, f"\n{middle}\n".join(bands), bottom])


def html(puzzle, values) -> str:
    """Write c values as an HTML table that needs nothing else, for notebooks.

    Givens are bold, other values coloured, or italic where styles are dropped; 0 is left empty.
    """
    cells = [
        f"<td><b>{sign}</b></td>" if given else f"<td><i>{sign}</i></td>" if sign else "<td></td>"
        for sign, given in _signs(puzzle, values, "")
    ]
    rows = map("".join, np.reshape(cells, (puzzle.size, puzzle.size)))
    lines = "\n".join(f"<tr>{row}</tr>" for row in rows)
    table = f'<table class="antdoku order{puzzle.order}">\n{lines}\n</table>'
    return f"{STYLE.format(n=puzzle.order)}\n{table}"


def _signs(puzzle, values, blank):
    """Pair what is written in each cell with its given."""
    signs = (blank, *(puzzle.symbols or numbers(puzzle.order)).signs[1:])
    written = [signs[value] for value in np.ravel(values).tolist()]
    return zip(written, puzzle.givens.tolist(), strict=True)
