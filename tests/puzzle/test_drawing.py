"""Drawn grids read back, and show which values were given."""

from xml.etree import ElementTree

import numpy as np
import pytest

from antdoku.puzzle import forms
from antdoku.puzzle.drawing import ASCII_FRAME, BOLD, PLAIN, UNICODE_FRAME, draw, html
from antdoku.puzzle.grid import ORDERS, Puzzle, root_grid


def made(order):
    """A grid with one given and one blank, and its puzzle."""
    values = root_grid(order)
    values[-1, -1] = 0
    return Puzzle(order, np.eye(1, order**4, dtype=int)[0] * values[0, 0], "mine"), values


def plain(drawing):
    return drawing.replace(BOLD, "").replace(PLAIN, "")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("frame", [UNICODE_FRAME, ASCII_FRAME])
def test_drawings_read_back(order, frame):
    puzzle, values = made(order)
    drawing = draw(puzzle, values, frame)
    lines = plain(drawing).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == order**2 + order + 1
    assert forms.read_puzzles(plain(drawing))[0].givens.tolist() == values.ravel().tolist()


def test_a_puzzle_prints_as_a_grid_with_bold_givens_if_wanted():
    puzzle, _ = made(2)
    lines = ["┌─────┬─────┐", "│ 1 . │ . . │", "│ . . │ . . │", "├─────┼─────┤"]
    assert puzzle.draw().splitlines()[:4] == lines
    assert str(puzzle) == puzzle.line == "1..............."
    assert repr(puzzle) == "<Puzzle 'mine': order 2, 1 givens>"
    assert puzzle._repr_html_() == html(puzzle, puzzle.givens)
    puzzle, values = made(3)
    assert draw(puzzle, values).count(f"{BOLD}1{PLAIN}") == 1
    assert draw(puzzle, values).count(BOLD) == 1
    assert BOLD not in draw(puzzle, values, bold=False)


@pytest.mark.parametrize("order", ORDERS)
def test_html_tells_givens_from_solved_and_blank_cells(order):
    puzzle, values = made(order)
    page = ElementTree.fromstring(f"<div>{html(puzzle, values)}</div>")
    rows = [[list(cell) for cell in row.iter("td")] for row in page.iter("tr")]
    cells = [(cell[0].tag, int(cell[0].text)) if cell else None for row in rows for cell in row]
    first, *others = values.ravel().tolist()
    assert {len(row) for row in rows} == {order**2}
    assert cells == [("b", first), *(("i", value) for value in others[:-1]), None]


def test_grids_of_two_orders_on_one_page_keep_their_boxes():
    for order in (2, 3):
        (style,) = ElementTree.fromstring(f"<div>{html(*made(order))}</div>").iter("style")
        rules = style.text.strip().splitlines()
        assert all(f".antdoku.order{order} " in rule for rule in rules if not rule[0].isspace())
        assert f"td:nth-child({order}n)" in style.text
